// Every place of a tree that depends on a cc, as syntax shows it. Files without a hint are not
// parsed; helpers are followed to their definitions, over files.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/kept.h"
#include "inventory/file_facts.h"
#include "locate/scan.h"
#include "repo/tree_reader.h"
#include "repo/work_tree.h"

namespace portpatch {

using Constants = std::map<std::string, long long, std::less<>>;  ///< macros that name a cc
/// What may be tables that others look up by a cc: names, and the SHA-256 of what is written of
/// each (a text may hold as many beginnings as it has lines).
using PossibleTables = std::set<std::pair<std::string, std::string>>;

/// What was read of files, by their blobs: for several inventories of one repository's revisions,
/// which are nearly the same. One tree on disk may be read with it while nothing changes there.
struct InventoryMemory {
  Kept<std::optional<FileFacts>> facts;    ///< nothing where the file has no place for certain
  Kept<std::optional<std::string>> texts;  ///< of files that may have a place
  Kept<std::set<std::string>> lookups;     ///< names of tables that may be looked up by a cc
  Kept<PossibleTables> tables;
  Kept<Constants> constants;
};

struct InventoryOptions {
  /// Whose places are wanted, all without it. What they need, such as the definitions of helpers,
  /// is looked for in all of the tree, and nothing else of it is parsed.
  std::function<bool(const std::string& path)> is_wanted = {};
  /// Whose definitions are wanted, too; with these alone no file's places are.
  std::vector<std::string> helpers = {};
  unsigned threads = 0;
  Progress progress = {};
  /// Called with each file's text, from any worker (its number is given), before it is looked at.
  std::function<void(unsigned worker, const std::string& path, std::string_view text)> visit = {};
  InventoryMemory* memory = nullptr;  ///< shared with other inventories
};

struct Inventory {
  std::vector<CcFile> files;  ///< those with places, by path
  std::vector<HelperDefinition>
      helpers;  ///< of the files that were parsed, followed to what they ask themselves, by name
  std::vector<SkippedFile> skipped;
  std::size_t files_read = 0;    ///< of those wanted
  std::size_t files_parsed = 0;  ///< of the tree
};

[[nodiscard]] Result<Inventory> take_inventory(const WorkTree& tree,
                                               const InventoryOptions& options);

/// Replaces the helpers in the places' tests by what they let through, where that is known for
/// certain. Places that turn out to ask no cc are taken out. Returns every helper, followed in the
/// same way, by name.
[[nodiscard]] std::vector<HelperDefinition> follow_helpers(std::vector<FileFacts>& files);

/// What one file shows by itself: helpers of other files are not followed, and tables that others
/// look up not seen.
[[nodiscard]] Result<FileFacts> read_facts(TreeReader& reader, const TreeFile& file,
                                           InventoryMemory& memory);
/// By the words alone.
[[nodiscard]] PossibleTables possible_tables(std::string_view path, std::string_view text);
/// The same of a file.
[[nodiscard]] Result<PossibleTables> read_tables(TreeReader& reader, const TreeFile& file,
                                                 InventoryMemory& memory);

/// What the helper is called and asks, without where it stands.
[[nodiscard]] std::string describe(const HelperDefinition& helper);

/// "sglang.srt.utils" of ".../sglang/srt/utils/common.py" or ".../sglang/srt/utils.py".
[[nodiscard]] bool is_in_module(std::string_view path, std::string module);

/// Tests, benchmarks and examples: what they ask says nothing of the product.
[[nodiscard]] bool is_test_path(std::string_view path);

}  // namespace portpatch
