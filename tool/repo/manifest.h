// What a backup says of the run it was made for: one JSON file beside the saved bytes, that a
// person can read too.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

/// What git has checked out, beside the files that differ from it.
struct GitPosition {
  std::string branch;  ///< "refs/heads/main"; empty: HEAD is detached
  std::string head;    ///< full id of its commit
  std::string index;   ///< SHA-256 of what the index lists

  bool operator==(const GitPosition&) const = default;
};

/// For a run that moves HEAD, as `pull` does. The manifest's entries are then every file that
/// differed from HEAD before the run, and `after` in them is not used.
struct GitState {
  GitPosition before;
  std::string stored_index;          ///< where in the backup the bytes of git's index file are
  std::vector<std::string> parents;  ///< commits that the backup keeps from being pruned
  bool is_complete = false;          ///< the run has ended, and the rest says how
  GitPosition after = {};
  /// The files that differ from HEAD then: path, and SHA-256 or nullopt where it is not there.
  std::vector<std::pair<std::string, std::optional<std::string>>> files_after = {};

  bool operator==(const GitState&) const = default;
};

struct Manifest {
  std::string id;       ///< the run's
  std::string command;  ///< fit for a terminal
  std::vector<ManifestEntry> entries;
  std::vector<std::string>
      folders;  ///< absolute paths of folders that the run makes, parents first
  std::optional<GitState> state = std::nullopt;

  bool operator==(const Manifest&) const = default;
};

[[nodiscard]] std::string print_manifest(const Manifest& manifest);
/// Fails with "damaged-backup".
[[nodiscard]] Result<Manifest> parse_manifest(std::string_view text);

}  // namespace portpatch
