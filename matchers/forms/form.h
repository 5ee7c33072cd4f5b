// The forms that a cc table takes in C++: one file each, one row each in forms.cc. A form sees
// facts and text, never Clang.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "facts.h"
#include "place.h"

namespace portpatch::matchers {

struct FormInput {
  const Facts& facts;
  std::string_view text;    ///< of the file
  bool use_values = false;  ///< the parse was for one cc: constants hold for it
};

struct Form {
  std::string_view name;
  std::string_view says;  ///< for --help
  void (*find)(const FormInput& input, std::vector<CcPlace>& places);
};

[[nodiscard]] std::span<const Form> forms();

/// Everything that any form finds, in the order of the file.
[[nodiscard]] std::vector<CcPlace> find_places(const FormInput& input);

void find_ladders(const FormInput& input, std::vector<CcPlace>& places);
void find_conditionals(const FormInput& input, std::vector<CcPlace>& places);
void find_checks(const FormInput& input, std::vector<CcPlace>& places);
void find_booleans(const FormInput& input, std::vector<CcPlace>& places);
void find_switches(const FormInput& input, std::vector<CcPlace>& places);
void find_keyed_tables(const FormInput& input, std::vector<CcPlace>& places);
void find_indexed_arrays(const FormInput& input, std::vector<CcPlace>& places);
void find_preprocessor_ladders(const FormInput& input, std::vector<CcPlace>& places);
void find_specialisations(const FormInput& input, std::vector<CcPlace>& places);
void find_policy_chains(const FormInput& input, std::vector<CcPlace>& places);
void find_macro_bodies(const FormInput& input, std::vector<CcPlace>& places);

// ---- shared by forms ----

/// The function that holds `range`, or nullptr; the innermost one.
[[nodiscard]] const Function* function_at(const Facts& facts, ByteRange range);
[[nodiscard]] ConditionReader reader_at(const FormInput& input, ByteRange range);

using StatementVisitor = std::function<void(const Statement&, const ConditionReader&,
                                            const std::string& function)>;
/// Every statement of the file, outer ones first.
void for_each_statement(const FormInput& input, const StatementVisitor& visit);

/// True for TORCH_CHECK, TVM_FFI_ICHECK, assert: stops, or throws, unless its argument holds.
[[nodiscard]] bool is_check_name(std::string_view name);
/// The place's keys and values in `arm` from a condition that holds there.
[[nodiscard]] CcArm arm_for(const ConditionReader& reader, std::vector<Expression> conditions,
                            ByteRange range);
[[nodiscard]] bool has_keys(const CcPlace& place);

}  // namespace portpatch::matchers
