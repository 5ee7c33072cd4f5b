// The files of a pack on disk: where it is, what belongs to it, and the hash that tells whether it
// is the same pack as last time.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace portpatch {

/// A pack's path taken apart into the folder with pack.toml and the rule's name behind it.
struct PackPath {
  std::string typed;   ///< the pack as the user wrote it
  std::string folder;  ///< absolute
  std::string rule;
};

/// Fails with "no-pack" when neither `path` nor a folder above it has a pack.toml.
[[nodiscard]] Result<PackPath> find_pack(std::string_view path);

/// A pack's files without their meaning.
struct PackFiles {
  std::string folder;                                      ///< absolute
  std::string rule;                                        ///< the rule of PACK/RULE, or empty
  std::string hash;                                        ///< over names and contents
  std::vector<std::pair<std::string, std::string>> files;  ///< relative path and content, sorted
};
[[nodiscard]] Result<PackFiles> read_pack_files(const PackPath& where);
/// The same from the path as typed.
[[nodiscard]] Result<PackFiles> read_pack_files(std::string_view path);

/// The side files RULE.NAME.ENDING of a rule, relative to `folder` as `rule` ("python/RULE") is;
/// sorted. No file of another rule, such as RULE.2.scm, is among them.
[[nodiscard]] Result<std::vector<std::string>> side_files(const std::string& folder,
                                                          const std::string& rule);

}  // namespace portpatch
