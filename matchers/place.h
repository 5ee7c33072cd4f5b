// A place that depends on a cc, and what it does at each cc that was asked.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "condition.h"

namespace portpatch::matchers {

struct CcArm {
  ByteRange range = {};  ///< what is done there: a branch, a value, a row
  /// All of them hold where it is taken; none for the else.
  std::vector<Expression> conditions = {};
  std::vector<CcComparison> comparisons = {};
  bool is_else = false;
  bool is_row = false;    ///< of a table: taken where a key names the cc
  std::string text = {};  ///< the value as spelled, where it is one expression
  std::optional<Constant> value = std::nullopt;
};

enum class ArmTaken { kExact, kRange, kElse, kNone, kUnknown };
[[nodiscard]] std::string_view taken_name(ArmTaken taken);

struct CcAnswer {
  Capability cc;
  ArmTaken taken = ArmTaken::kUnknown;
  std::vector<std::size_t> arms = {};  ///< the one taken; of kUnknown all that may be
  std::optional<Constant> value = std::nullopt;
};

struct CcPlace {
  std::string form;       ///< "else-if chain"
  std::string function;   ///< that holds it; empty outside of one
  std::string name = {};  ///< of the variable, macro or template
  ByteRange range = {};
  std::vector<CcArm> arms = {};
  std::vector<CcAnswer> answers = {};
};

/// Which arm `cc` takes: the first whose conditions hold. An arm under a further condition, or one
/// that asks no cc at all, may or may not be taken: it makes the answer kUnknown.
[[nodiscard]] CcAnswer answer(const CcPlace& place, Capability cc, const ConditionReader& reader);

}  // namespace portpatch::matchers
