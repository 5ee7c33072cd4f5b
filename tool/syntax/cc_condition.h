// Conditions on a compute capability as sets of values, so that it can be told which of two
// branches of a ladder takes which GPU: `major == 12`, `90 <= sm < 120`, `capability >= (9, 0)`,
// `__CUDA_ARCH__ >= 1200`, `x or y`, helpers that a rule names.
#pragma once

#include <bitset>
#include <map>
#include <optional>
#include <string>

#include "syntax/code_value.h"
#include "syntax/source_tree.h"

namespace portpatch {

/// Bit 10 * major + minor stands for a cc; bit 0 for none at all, a macro that is not defined.
using CcSet = std::bitset<400>;

/// What a condition says: for which values of what it is true.
struct CcCondition {
  std::string
      subject;  ///< canonical form of what is asked; empty for a helper, which asks the device
  CcSet set;
  bool is_compared = true;  ///< it says more than that a macro is defined
};

/// Helpers of a rule: the name of a function, and for which cc it is true.
using CcHelpers = std::map<std::string, CcSet, std::less<>>;

/// ">=9.0", "12.0", "10", "9.0..10.3": the set it means.
[[nodiscard]] std::optional<CcSet> parse_cc_set(std::string_view text);

/// Reads the conditions of one ladder: what is compared with 12, 120 and 1200 must be so
/// throughout.
class CcConditionReader {
 public:
  CcConditionReader(const SourceTree& module, const CcHelpers& helpers)
      : evaluator_(module), helpers_(helpers) {}

  /// Nothing when any part of the condition is not understood, or it asks more than one subject.
  [[nodiscard]] std::optional<CcCondition> read(const SourceTree& tree, const Node& condition);

 private:
  enum class Unit { kMajor, kTens, kHundreds, kMinor, kTuple };

  [[nodiscard]] std::optional<CcCondition> read_defined(const SourceTree& tree,
                                                        const Node& node) const;
  [[nodiscard]] std::optional<CcCondition> read_comparison(const SourceTree& tree,
                                                           const Node& node);
  [[nodiscard]] std::optional<CcCondition> compare(const SourceTree& tree, const Node& left,
                                                   std::string_view op, const Node& right);
  [[nodiscard]] std::optional<CcSet> set_of(const std::string& subject, Unit named,
                                            std::string_view op, const SourceTree& tree,
                                            const Node& value);

  CodeEvaluator evaluator_;
  const CcHelpers& helpers_;
  std::map<std::string, Unit, std::less<>> units_;
};

}  // namespace portpatch
