// Every place of a tree that depends on a cc, as syntax shows it. Files without a hint are not
// parsed; helpers are followed to their definitions, over files.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "inventory/file_facts.h"
#include "locate/scan.h"
#include "repo/work_tree.h"

namespace portpatch {

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

/// The places of one file as it shows them by itself: helpers of other files are not followed, and
/// tables that others look up not seen.
[[nodiscard]] CcFile read_places(const std::string& path, const std::string& text);
/// What may be tables that others look up by a cc: names, and all that is written of each. By the
/// words alone.
[[nodiscard]] std::set<std::pair<std::string, std::string>> possible_tables(std::string_view path,
                                                                            std::string_view text);

/// What the helper is called and asks, without where it stands.
[[nodiscard]] std::string describe(const HelperDefinition& helper);

/// "sglang.srt.utils" of ".../sglang/srt/utils/common.py" or ".../sglang/srt/utils.py".
[[nodiscard]] bool is_in_module(std::string_view path, std::string module);

/// Tests, benchmarks and examples: what they ask says nothing of the product.
[[nodiscard]] bool is_test_path(std::string_view path);

}  // namespace portpatch
