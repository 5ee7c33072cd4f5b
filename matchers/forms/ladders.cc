// Ladders of `if`: else-if chains, runs of ifs that leave, `if constexpr`.
#include <algorithm>
#include <set>

#include "forms/form.h"

namespace portpatch::matchers {
namespace {

using Kind = Statement::Kind;

bool leaves(const Statement& statement) {
  if (statement.kind == Kind::kReturn || statement.kind == Kind::kLeave) return true;
  if (statement.kind == Kind::kBlock)
    return !statement.parts.empty() && leaves(statement.parts.back());
  if (statement.kind == Kind::kIf && statement.parts.size() == 2)
    return leaves(statement.parts[0]) && leaves(statement.parts[1]);
  return false;
}

/// True when whatever a chain takes leaves; it may have no else.
bool arms_leave(const Statement& chain) {
  if (!leaves(chain.parts[0])) return false;
  if (chain.parts.size() == 1) return true;
  const auto& other = chain.parts[1];
  return other.kind == Kind::kIf && !other.parts.empty() ? arms_leave(other) : leaves(other);
}

/// The only value that a branch returns or assigns, where it is that simple.
void take_value(const Statement& branch, CcArm& arm) {
  const auto* statement = &branch;
  while (statement->kind == Kind::kBlock && statement->parts.size() == 1)
    statement = &statement->parts[0];
  if ((statement->kind != Kind::kReturn && statement->kind != Kind::kAssign) ||
      statement->expressions.size() != 1)
    return;
  arm.value = statement->expressions[0].value;
  arm.text = statement->expressions[0].text;
}

class Ladder {
 public:
  Ladder(const ConditionReader& reader, CcPlace& place) : reader_(reader), place_(place) {}

  void add(const Statement& statement) {
    add_branch({statement.expressions[0]}, statement.parts[0]);
    if (statement.parts.size() == 2) add_else(statement.parts[1]);
  }
  void add_branch(std::vector<Expression> conditions, const Statement& branch) {
    auto arm = arm_for(reader_, std::move(conditions), branch.range);
    take_value(branch, arm);
    place_.arms.push_back(std::move(arm));
  }
  void add_else(const Statement& branch) {
    if (branch.kind == Kind::kIf && !branch.expressions.empty()) return add(branch);
    // `else { ...; if (...) }`: the ladder goes on inside.
    if (branch.kind == Kind::kBlock && !branch.parts.empty() &&
        branch.parts.back().kind == Kind::kIf && asks(branch.parts.back())) {
      return add(branch.parts.back());
    }
    CcArm arm{.range = branch.range, .is_else = true};
    take_value(branch, arm);
    place_.arms.push_back(std::move(arm));
  }
  /// True when a condition of the chain asks a cc.
  [[nodiscard]] bool asks(const Statement& statement) const {
    if (statement.kind == Kind::kBlock)
      return !statement.parts.empty() && statement.parts.back().kind == Kind::kIf &&
             asks(statement.parts.back());
    if (statement.kind != Kind::kIf || statement.expressions.empty()) return false;
    if (!reader_.comparisons(statement.expressions[0]).empty()) return true;
    return statement.parts.size() == 2 && asks(statement.parts[1]);
  }

 private:
  const ConditionReader& reader_;
  CcPlace& place_;
};

std::set<std::string> subjects(const CcPlace& place) {
  std::set<std::string> found;
  for (const auto& arm : place.arms) {
    for (const auto& one : arm.comparisons) found.insert(one.expression);
  }
  return found;
}

bool is_check(const Statement& statement) {
  return !statement.macro.empty() && is_check_name(statement.macro);
}

/// The ladders of the statements of one block, in their order.
class Sequence {
 public:
  Sequence(const ConditionReader& reader, const std::string& function, std::vector<CcPlace>& places)
      : reader_(reader), function_(function), places_(places) {}

  void take(const Statement& statement) {
    if (statement.kind != Kind::kIf || statement.expressions.empty() || statement.parts.empty() ||
        is_check(statement))
      return pass(statement);
    CcPlace place{.form = {}, .function = function_, .range = statement.range};
    Ladder ladder(reader_, place);
    ladder.add(statement);
    if (!has_keys(place)) return pass(statement);
    const bool leaves_all = arms_leave(statement);
    if (joins(place, statement, leaves_all)) {
      for (auto& arm : place.arms) current_.arms.push_back(std::move(arm));
      current_.range.end = statement.range.end;
    } else {
      flush();
      current_ = std::move(place);
      is_constexpr_ = true;
    }
    ++count_;
    leaves_ = leaves_all;
    is_adjacent_ = true;
    has_else_ = current_.arms.back().is_else;
    is_constexpr_ = is_constexpr_ && statement.is_constexpr;
  }

  void flush() {
    if (count_ > 0) {
      const auto arms = std::ranges::count_if(current_.arms,
                                              [](const auto& arm) { return !arm.is_else; });
      current_.form = is_constexpr_       ? "if constexpr"
                      : count_ > 1        ? (leaves_ ? "if-return sequence" : "if sequence")
                      : has_final_return_ ? "if-return sequence"
                      : arms > 1          ? "else-if chain"
                                          : "if";
      places_.push_back(std::move(current_));
    }
    current_ = {};
    count_ = 0;
    leaves_ = has_final_return_ = false;
  }

 private:
  /// A statement between or behind the ifs.
  void pass(const Statement& statement) {
    if (count_ == 0) return;
    if (leaves_ && is_adjacent_ && !has_else_ && statement.kind == Kind::kReturn &&
        !statement.expressions.empty()) {
      CcArm arm{.range = statement.range, .is_else = true};
      take_value(statement, arm);
      current_.arms.push_back(std::move(arm));
      current_.range.end = statement.range.end;
      has_final_return_ = true;
      return flush();
    }
    is_adjacent_ = false;
    const bool assigns = (statement.kind == Kind::kAssign || statement.kind == Kind::kVariable) &&
                         subjects(current_).contains(statement.name);
    if (!leaves_ || assigns) flush();
  }

  [[nodiscard]] bool joins(const CcPlace& place, const Statement& statement,
                           bool leaves_all) const {
    if (count_ == 0 || has_else_) return false;
    if (leaves_) return leaves_all;  // whatever it calls the cc
    const auto mine = subjects(current_), other = subjects(place);
    const bool is_shared = std::ranges::any_of(other,
                                               [&](const auto& one) { return mine.contains(one); });
    return is_shared && (is_adjacent_ && !leaves_all && statement.parts.size() == 1);
  }

  const ConditionReader& reader_;
  const std::string& function_;
  std::vector<CcPlace>& places_;
  CcPlace current_;
  int count_ = 0;
  bool leaves_ = false, is_adjacent_ = false, has_else_ = false, is_constexpr_ = true,
       has_final_return_ = false;
};

void find_in(const Statement& statement, const ConditionReader& reader, const std::string& function,
             std::vector<CcPlace>& places);

/// What stands inside the branches; an else that goes on as a ladder is no place of its own.
void find_in_branches(const Statement& statement, const ConditionReader& reader,
                      const std::string& function, std::vector<CcPlace>& places) {
  CcPlace scratch;
  const Ladder ladder(reader, scratch);
  find_in(statement.parts[0], reader, function, places);
  if (statement.parts.size() < 2) return;
  const auto& other = statement.parts[1];
  if (other.kind == Kind::kIf) return find_in_branches(other, reader, function, places);
  if (other.kind == Kind::kBlock && ladder.asks(other)) {
    for (std::size_t i = 0; i + 1 < other.parts.size(); ++i)
      find_in(other.parts[i], reader, function, places);
    return find_in_branches(other.parts.back(), reader, function, places);
  }
  find_in(other, reader, function, places);
}

void find_in(const Statement& statement, const ConditionReader& reader, const std::string& function,
             std::vector<CcPlace>& places) {
  const bool is_list = statement.kind !=
                       Kind::kIf;  // a lambda's statements are parts of the call's
  Sequence sequence(reader, function, places);
  if (is_list) {
    for (const auto& part : statement.parts) sequence.take(part);
  } else {
    sequence.take(statement);
  }
  sequence.flush();
  if (statement.kind == Kind::kIf && !statement.parts.empty())
    return find_in_branches(statement, reader, function, places);
  for (const auto& part : statement.parts) {
    if (part.kind == Kind::kIf && !part.parts.empty())
      find_in_branches(part, reader, function, places);
    else
      find_in(part, reader, function, places);
  }
}

}  // namespace

void find_ladders(const FormInput& input, std::vector<CcPlace>& places) {
  for (const auto& function : input.facts.functions) {
    const ConditionReader reader(function.range.of(input.text), input.text, input.use_values);
    find_in(function.body, reader, function.name, places);
  }
}

}  // namespace portpatch::matchers
