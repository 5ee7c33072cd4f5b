// What the numbers, tuples, strings and names that are compared with a cc mean.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "inventory/cc_names.h"
#include "syntax/code_value.h"

namespace portpatch {

struct KeyMeaning {
  KeyUnit unit = KeyUnit::kTens;
  Cc cc;
};

/// The cc that `number` stands for where the name says `unit`, or says nothing; `is_hex`: as
/// spelled.
[[nodiscard]] std::optional<KeyMeaning> meaning_of(long long number, std::optional<KeyUnit> unit,
                                                   bool is_hex);
/// The cc that a name or text spells: Sm100f, kSm_89, "sm_120a", "compute_90", "9.0", "90a".
[[nodiscard]] std::optional<KeyMeaning> spelled_cc(std::string_view text);
/// The same of a name alone: Sm100f and SM_90, but neither "9.0" nor 90.
[[nodiscard]] std::optional<KeyMeaning> named_cc(std::string_view name);
/// What the node means beside something that asks for a cc in `unit`.
[[nodiscard]] std::optional<KeyMeaning> read_key(const SourceTree& tree, CodeEvaluator& evaluator,
                                                 const Node& node, std::optional<KeyUnit> unit);

/// `text` with runs of white space as one blank, cut after 160 bytes.
[[nodiscard]] std::string folded(std::string_view text);

}  // namespace portpatch
