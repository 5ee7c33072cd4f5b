#include <algorithm>
#include <array>
#include <tuple>

#include "forms/form.h"

namespace portpatch::matchers {
namespace {

constexpr std::array kForms{
    Form{"ladder", "if, else-if chain, if-return sequence, if sequence, if constexpr",
         find_ladders},
    Form{"conditional", "a ? b : c, nested ones as one ladder", find_conditionals},
    Form{"check", "TORCH_CHECK(sm == 100), assert, static_assert", find_checks},
    Form{
        "boolean",
        "boolean (bool is_sm90 = sm == 90), predicate (return major >= 9), condition (an argument)",
        find_booleans},
    Form{"switch", "cases over a cc or an architecture's enumeration", find_switches},
    Form{"keyed table", "map and struct array whose rows begin with a cc", find_keyed_tables},
    Form{"indexed array", "an array with an entry for each architecture", find_indexed_arrays},
    Form{"#if", "#if ladders over __CUDA_ARCH__ and macros that stand for it",
         find_preprocessor_ladders},
    Form{"specialisation", "templates specialised by an architecture's tag", find_specialisations},
    Form{"policy chain", "struct Policy800 : ChainedPolicy<800, Policy800, Policy700>",
         find_policy_chains},
    Form{"macro", "if in the body of a function-like macro, once more where it is used",
         find_macro_bodies},
};

void visit_all(const Statement& statement, const ConditionReader& reader,
               const std::string& function, const StatementVisitor& visit) {
  visit(statement, reader, function);
  for (const auto& part : statement.parts) visit_all(part, reader, function, visit);
}

}  // namespace

std::span<const Form> forms() { return kForms; }

std::vector<CcPlace> find_places(const FormInput& input) {
  std::vector<CcPlace> places;
  for (const auto& form : kForms) form.find(input, places);
  std::ranges::stable_sort(places, {}, [](const CcPlace& place) {
    return std::tuple(place.range.begin, place.range.end, place.form);
  });
  return places;
}

const Function* function_at(const Facts& facts, ByteRange range) {
  const Function* best = nullptr;
  for (const auto& function : facts.functions) {
    if (function.range.contains(range) && (best == nullptr || best->range.contains(function.range)))
      best = &function;
  }
  return best;
}

ConditionReader reader_at(const FormInput& input, ByteRange range) {
  const auto* function = function_at(input.facts, range);
  return {function != nullptr ? function->range.of(input.text) : input.text, input.text,
          input.use_values};
}

void for_each_statement(const FormInput& input, const StatementVisitor& visit) {
  for (const auto& function : input.facts.functions) {
    visit_all(function.body,
              ConditionReader(function.range.of(input.text), input.text, input.use_values),
              function.name, visit);
  }
  const ConditionReader of_file(input.text, input.text, input.use_values);
  for (const auto& statement : input.facts.loose) visit_all(statement, of_file, "", visit);
}

bool is_check_name(std::string_view name) {
  const auto colons = name.rfind(':');
  if (colons != std::string_view::npos) name.remove_prefix(colons + 1);
  if (name == "assert" || name == "static_assert") return true;
  if (std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; })) return false;
  for (const std::string_view word :
       {"CHECK", "ASSERT", "REQUIRE", "ENFORCE", "VERIFY", "EXPECT"}) {
    if (name.contains(word)) return true;
  }
  return false;
}

CcArm arm_for(const ConditionReader& reader, std::vector<Expression> conditions, ByteRange range) {
  CcArm arm{.range = range, .conditions = std::move(conditions)};
  for (const auto& condition : arm.conditions) {
    for (auto& one : reader.comparisons(condition)) arm.comparisons.push_back(std::move(one));
  }
  return arm;
}

bool has_keys(const CcPlace& place) {
  return std::ranges::any_of(place.arms, [](const auto& arm) { return !arm.comparisons.empty(); });
}

}  // namespace portpatch::matchers
