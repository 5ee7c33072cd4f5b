#include "inventory/helper_reader.h"

#include "edit/blocks.h"
#include "edit/ladder.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

using Kind = CcTest::Kind;

/// Of a ladder that is followed: what holds in an arm is said with all arms before it.
constexpr std::size_t kMostRungs = 64;
/// Of a function that is followed; what comes behind them is not known.
constexpr std::size_t kMostStatements = 64;

class ResultReader {
 public:
  ResultReader(CcTestReader& reader, std::vector<CcKey>& keys) : reader_(reader), keys_(keys) {}

  bool is_returned = false;  ///< it has a result ...
  bool is_other = false;     ///< ... that is no truth value

  /// The result of the statements from number `at` on.
  CcTest result(const std::vector<Node>& statements, std::size_t at) {
    if (at >= statements.size()) return {.kind = Kind::kFalse};
    if (++statements_read_ > kMostStatements) return {};
    const auto& tree = reader_.tree();
    const auto& statement = statements[at];
    if (has_role(tree, statement, Role::kRefusal)) return {.kind = Kind::kFalse};
    if (has_role(tree, statement, Role::kLeave)) {
      const auto value = child_with(tree, statement, Role::kReturned);
      for (const auto role :
           {Role::kSequence, Role::kMap, Role::kString, Role::kInteger, Role::kFloat})
        is_other |= has_role(tree, value, role);
      is_returned |= static_cast<bool>(value);
      return value ? reader_.read(value, keys_) : CcTest{.kind = Kind::kFalse};
    }
    if (const auto ladder = has_role(tree, statement, Role::kRung) ? read_ladder(tree, statement)
                                                                   : std::nullopt;
        ladder && ladder->kind == LadderKind::kChain) {
      return ladder->rungs.size() > kMostRungs ? CcTest{} : branch(*ladder, statements, at);
    }
    if (descendant_with(tree, statement, Role::kReturned)) return {};  // a loop, a `try`
    return result(statements, at + 1);
  }

 private:
  CcTest branch(const Ladder& ladder, const std::vector<Node>& statements, std::size_t at) {
    const auto& tree = reader_.tree();
    CcTest any{.kind = Kind::kAny};
    std::vector<CcTest> before;
    const auto add = [&](const std::vector<CcTest>& conditions, CcTest outcome) {
      if (outcome.kind == Kind::kFalse) return;
      CcTest all{.kind = Kind::kAll, .parts = conditions};
      all.parts.push_back(std::move(outcome));
      any.parts.push_back(std::move(all));
    };
    for (const auto& rung : ladder.rungs) {
      auto conditions = before;
      auto condition = reader_.read(condition_of(tree, rung), keys_);
      conditions.push_back(condition);
      const auto body = body_of(tree, rung);
      add(conditions, !body.empty() && leaves(tree, body.back()) ? result(body, 0) : CcTest{});
      CcTest denied{.kind = Kind::kNot};
      denied.parts.push_back(std::move(condition));
      before.push_back(std::move(denied));
    }
    if (!ladder.otherwise) {
      add(before, result(statements, at + 1));
      return any;
    }
    std::vector<Node> body;
    for (const auto& child : ladder.otherwise.named_children()) {
      if (!child.is_extra())
        body = has_role(tree, child, Role::kBlock) ? statements_of(tree, child)
                                                   : std::vector<Node>{child};
    }
    add(before, !body.empty() && leaves(tree, body.back()) ? result(body, 0) : CcTest{});
    return any;
  }

  CcTestReader& reader_;
  std::vector<CcKey>& keys_;
  std::size_t statements_read_ = 0;
};

}  // namespace

std::optional<HelperDefinition> read_helper(CcTestReader& reader, const Node& scope) {
  const auto& tree = reader.tree();
  const auto name = name_of_scope(tree, scope);
  const auto block = scope.field("body");
  if (!name || !block || !has_role(tree, block, Role::kBlock)) return std::nullopt;
  HelperDefinition helper{.name = std::string(last_identifier(name.text(tree.text()))),
                          .line = reader.line_of(scope.range().begin),
                          .is_function = true};
  ResultReader results(reader, helper.keys);
  helper.test = results.result(statements_of(tree, block), 0);
  if (!results.is_returned || results.is_other || !has_keys(helper.test)) return std::nullopt;
  return helper;
}

}  // namespace portpatch
