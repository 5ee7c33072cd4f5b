// What is remembered of the last run in which everything held: when pack, upstream and the files
// are byte for byte the same, the answer is too. Never trusted further than the hashes go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apply/file_system.h"
#include "base/diagnostic.h"
#include "repo/work_tree.h"
#include "report/report.h"

namespace portpatch {

/// All that an answer depends on beside the files: who asked what of which pack and upstream.
struct MemoryKey {
  std::vector<std::string> packs;       ///< as typed, in order
  std::vector<std::string> hashes;      ///< of each pack's files
  std::vector<std::string> configured;  ///< each pack's upstream ref
  std::vector<std::string> refs;        ///< head and upstream ids for each pack
  bool operator==(const MemoryKey&) const = default;
};

struct Memory {
  MemoryKey key;
  std::vector<std::pair<std::string, std::string>> files;  ///< path and SHA-256, or "absent"
  Report report;
};

/// What was remembered for these packs as typed; nothing when there is nothing or it is damaged.
[[nodiscard]] std::optional<Memory> recall(const WorkTree& tree,
                                           const std::vector<std::string>& packs);
/// Do the remembered files still read what they did?
[[nodiscard]] bool files_match(const WorkTree& tree, const Memory& memory);
/// What is remembered of a file's text; nullopt stands for a file that is not there.
[[nodiscard]] std::string memory_hash(const std::optional<std::string>& text);
/// Remembers; a failure to do so costs time later and nothing else, and is not reported.
void remember(const WorkTree& tree, FileSystem& files, const Memory& memory);

}  // namespace portpatch
