// What a backup says of the run it was made for: one JSON file beside the saved bytes, that a
// person can read too.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace portpatch {

struct ManifestEntry {
  std::string path;                   ///< as in FileChange: relative, or absolute for a pack's file
  std::optional<std::string> before;  ///< SHA-256 of the bytes; nullopt: the run creates the file
  std::optional<std::string> after;   ///< SHA-256 of the bytes; nullopt: the run removes the file
  unsigned mode = 0;                  ///< permission bits before the run; 0 for a created file
  std::string stored;                 ///< where in the backup: "tree/a/b.py", "pack/0"; or empty

  bool operator==(const ManifestEntry&) const = default;
};

struct Manifest {
  std::string id;       ///< the run's
  std::string command;  ///< fit for a terminal
  std::vector<ManifestEntry> entries;
  std::vector<std::string>
      folders;  ///< absolute paths of folders that the run makes, parents first

  bool operator==(const Manifest&) const = default;
};

[[nodiscard]] std::string print_manifest(const Manifest& manifest);
/// Fails with "damaged-backup".
[[nodiscard]] Result<Manifest> parse_manifest(std::string_view text);

/// JSON holds UTF-8 only and file names need not be: a name that is not UTF-8 becomes "hex:" and
/// its bytes in hexadecimal.
[[nodiscard]] std::string json_text_of(std::string_view bytes);
[[nodiscard]] std::string bytes_of_json_text(std::string_view text);

}  // namespace portpatch
