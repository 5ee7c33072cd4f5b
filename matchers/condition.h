// Which comparisons of a condition are on a GPU's cc, in which unit each of them is, and what the
// condition says at a given cc: three-valued, and whether the cc is named or merely swallowed by a
// range.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capability.h"
#include "facts.h"

namespace portpatch::matchers {

/// `sm_version >= 90`, always with what is asked on the left.
struct CcComparison {
  std::string expression;  ///< what is asked, as spelled
  std::string op;
  std::string key;  ///< as spelled
  CcUnit unit = CcUnit::kTens;
  Capability cc;  ///< what the key names
  ByteRange range = {};
};

/// kTrue: true, but it says nothing of a cc (`defined(__CUDA_ARCH__)`).
enum class Truth { kFalse, kTrue, kRange, kExact, kUnknown };
[[nodiscard]] bool is_true(Truth truth);

class ConditionReader {
 public:
  /// `surroundings`: source of the function, or of the file; decides whether `major` is a GPU's.
  /// `use_values`: constants hold for the cc that is asked, since the file was parsed for it.
  ConditionReader(std::string_view surroundings, std::string_view file, bool use_values = false);

  /// In the order in which they are spelled.
  [[nodiscard]] std::vector<CcComparison> comparisons(const Expression& condition) const;
  [[nodiscard]] Truth truth(const Expression& condition, Capability cc) const;
  /// Of `a == b`, `a < b`; nothing when neither side is a cc.
  [[nodiscard]] std::optional<CcComparison> comparison(const Expression& compare) const;

 private:
  struct Read;
  [[nodiscard]] std::optional<Read> read(const Expression& compare) const;
  [[nodiscard]] std::optional<CcName> leaf(const Expression& expression) const;
  [[nodiscard]] bool is_subject(const Expression& expression) const;
  [[nodiscard]] std::optional<long long> number(const Expression& subject, Capability cc,
                                                CcUnit unit) const;
  void collect(const Expression& condition, std::vector<CcComparison>& found) const;

  bool function_speaks_, file_speaks_, use_values_;
};

}  // namespace portpatch::matchers
