#include "inventory/tree_facts.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include <re2/re2.h>

#include "edit/container.h"
#include "inventory/helper_reader.h"
#include "inventory/match_reader.h"
#include "inventory/place_builder.h"
#include "syntax/code_form.h"
#include "syntax/imports.h"

namespace portpatch {

namespace {

bool has_helpers(const CcTest& test) {
  return !test.helper.empty() || std::ranges::any_of(test.parts, has_helpers);
}

class Extractor {
 public:
  Extractor(const SourceTree& tree, const CcNames& names, bool file_speaks,
            const ExtractContext& context, FileFacts& facts)
      : tree_(tree),
        names_(names),
        speaks_(file_speaks),
        reader_(tree, names, file_speaks, context.constants),
        tables_(context.tables),
        blocks_(tree),
        builder_(reader_, blocks_, facts.file.path),
        facts_(facts) {}

  void run() {
    const auto anchors = names_.anchors(tree_.text(), speaks_);
    for (const auto anchor : anchors) visit(anchor);
    for (std::size_t i = 0; i < variables_.size(); ++i) {  // grows
      const auto name = variables_[i];
      for (const auto at : whole_words(tree_.text(), name)) {
        const ByteRange word{at, at + name.size()};
        if (!std::ranges::binary_search(anchors, word)) visit(word);
      }
    }
    for (const auto& table : looked_up_) add_table(table);
    for (const auto& table : tables_) add_table(table);
    for (const auto& scope : scopes_) {
      if (auto helper = read_helper(reader_, scope)) facts_.helpers.push_back(std::move(*helper));
    }
  }

 private:
  [[nodiscard]] bool is(const Node& node, Role role) const { return has_role(tree_, node, role); }
  [[nodiscard]] std::string_view text(const Node& node) const { return node.text(tree_.text()); }

  void keep(std::optional<CcPlace> place) {
    // `minor == 6` alone may be anything's minor number.
    const auto is_minor = [](const CcArm& arm) {
      return !arm.keys.empty() && !has_helpers(arm.test) &&
             std::ranges::all_of(arm.keys,
                                 [](const CcKey& key) { return key.unit == KeyUnit::kMinor; });
    };
    const auto says = [](const CcArm& arm) { return !arm.keys.empty() || has_helpers(arm.test); };
    if (place && std::ranges::all_of(place->arms,
                                     [&](const CcArm& arm) { return !says(arm) || is_minor(arm); }))
      return;
    if (place) facts_.file.places.push_back(std::move(*place));
  }

  /// False when it was there before.
  bool is_new(const Node& node) { return seen_.insert(node.id()).second; }

  /// The whole expression that the name ends: `torch.cuda.get_device_capability()[0]`.
  [[nodiscard]] Node expression_at(Node node) const {
    static const RE2 kPostfix(
        R"((?s)[A-Za-z_][\w.:>\-]*(<[\w:, ]*>)?(\(.*\))?(\[[\w:\-]*\])?(\.\w+(\(\))?)?)");
    for (auto above = node.parent(); above; above = node.parent()) {
      const bool is_callee = is(above, Role::kCall) &&
                             child_with(tree_, above, Role::kCallee) == node;
      const auto range = above.range();
      const bool ends_alike = range.end == node.range().end || range.begin == node.range().begin;
      static constexpr std::array kNoPostfix{
          Role::kBlock,       Role::kLeave,  Role::kComparison, Role::kConjunction,
          Role::kDisjunction, Role::kBinary, Role::kChoice};
      if (!is_callee &&
          (!ends_alike || range.size() > 200 ||
           std::ranges::any_of(kNoPostfix, [&](Role role) { return is(above, role); })))
        break;
      if (!is_callee &&
          !RE2::FullMatch(re2::StringPiece(text(above).data(), text(above).size()), kPostfix))
        break;
      node = above;
    }
    return node;
  }

  void visit(ByteRange anchor) {
    auto node = tree_.root().smallest_around(anchor);
    if (!node || node.is_extra()) return;
    for (auto above = node; above && above.range().size() < 400; above = above.parent()) {
      if (above.is_extra()) return;
      if (is(above, Role::kString)) return visit_string(above);
      if (is(above, Role::kSpecialised)) return visit_specialisation(above, anchor);
      if (is(above, Role::kMacroBody)) return;
    }
    if (ancestor_with(tree_, node, Role::kImport)) return;
    if (is(node, Role::kDefineName) && visit_constant(node)) return;
    if (visit_list(node)) return;
    const auto top = expression_at(node);
    if (is_new(top)) visit_expression(top);
  }

  void visit_expression(const Node& top) {
    Node root, edge = top;
    const bool is_helper = names_.is_helper(text(top)) ||
                           (is(top, Role::kCall) &&
                            names_.comparing(text(child_with(tree_, top, Role::kCallee))));
    if (is_helper) root = top;
    for (auto above = edge.parent(); above; above = edge.parent()) {
      const bool joins = is(above, Role::kComparison) || is(above, Role::kConjunction) ||
                         is(above, Role::kDisjunction) || is(above, Role::kNegation);
      if (joins && !joined_.insert(above.id()).second) return;
      if (joins)
        root = above;
      else if (!is(above, Role::kGroup) && !is(above, Role::kBinary) && !is(above, Role::kTuple) &&
               above.range() != edge.range())
        break;
      edge = above;
      if (is(edge, Role::kRungCondition)) break;
    }
    if (!root) return visit_subject(top);
    if (is(root, Role::kDefinition) || is(root, Role::kDefineName) || is(root, Role::kName) ||
        is(root, Role::kScopeName) || is(root, Role::kMember))
      return;
    if (root == top && is_statement(root)) return;
    if (!is_new(root) && root != top) return;
    visit_condition(root);
  }

  /// A call for what it does, such as one that skips a test.
  [[nodiscard]] bool is_statement(Node node) const {
    while (node.parent() && !is(node.parent(), Role::kBlock) &&
           node.parent().range() == node.range())
      node = node.parent();
    return is(node.parent(), Role::kBlock) && !is(node, Role::kLeave);
  }

  /// A cc that is no part of a condition: kept in a variable, looked up in a table, switched on.
  void visit_subject(const Node& top) {
    Node whole = top;
    while (whole.parent() &&
           (is(whole.parent(), Role::kGroup) || is(whole.parent(), Role::kBinary)))
      whole = whole.parent();
    // match (major, minor):
    if (is(whole.parent(), Role::kTuple) && is(whole.parent(), Role::kSubject)) {
      return visit_switch(whole.parent().parent());
    }
    auto says = reader_.asked(whole);
    if (!says && whole != top) says = reader_.asked(whole = top);
    if (!says) return;
    const auto above = whole.parent();
    if (is(whole, Role::kSubject)) return visit_switch(above);
    if (is(whole, Role::kValue) && above.child_count() > 0) {
      const auto name = child_with(tree_, above, Role::kName);
      if (name && is(name, Role::kDefinition)) {
        std::string variable(text(name));
        reader_.set_variable(variable, AskedCc{says->unit, false});
        if (known_variables_.insert(variable).second) variables_.push_back(std::move(variable));
      }
      return;
    }
    look_up(whole);
  }

  /// TABLE[cc], TABLE.get(cc).
  void look_up(const Node& whole) {
    static const RE2 kTable(R"((?:\w+\.)*([A-Za-z_]\w*)(?:\.get\($|\[$))");
    const auto end = whole.range().begin, from = end < 160 ? 0 : end - 160;
    const auto before = trim(tree_.text().substr(from, end - from));
    std::string name;
    const auto begin = before.find_last_of(" \t\n(=,[", before.size() < 2 ? 0 : before.size() - 2);
    const auto word = before.substr(begin == std::string_view::npos ? 0 : begin + 1);
    if (RE2::FullMatch(re2::StringPiece(word.data(), word.size()), kTable, &name))
      looked_up_.insert(name);
  }

  void visit_switch(const Node& statement) {
    const auto block = statement.field("body") ? statement.field("body") : statement;
    if (const auto cases = statements_of(tree_, block);
        !cases.empty() && MatchReader::is_case(cases[0])) {
      if (is_new(statement)) keep(builder_.match(statement, block));
      return;
    }
    const auto ladder = read_ladder(tree_, block);
    if (!ladder || !ladder->is_cases() || !is_new(statement)) return;
    auto place = builder_.ladder(*ladder);
    if (!place) return;
    place->name = folded(text(descendant_with(tree_, statement, Role::kSubject)));
    place->range.begin = statement.range().begin;
    place->line = reader_.line_of(place->range.begin);
    for (auto& arm : place->arms) {
      for (auto& key : arm.keys) key.expression = place->name;
    }
    keep(std::move(place));
  }

  void visit_condition(const Node& root) {
    note_scope(root);
    auto at = root;
    while (at.parent() && !is(at, Role::kRungCondition) &&
           (is(at.parent(), Role::kGroup) || at.parent().range() == at.range()))
      at = at.parent();
    const auto above = at.parent();
    if (is(at, Role::kRungCondition) && above) return visit_rung(at, above);
    if (is(at, Role::kAsserted)) return keep(builder_.condition(root, "check", "assert"));
    if (is(above, Role::kArguments)) {
      const auto call = above.parent();
      const auto callee = is(call, Role::kCall) ? text(child_with(tree_, call, Role::kCallee))
                                                : std::string_view();
      if (names_.is_check(callee))
        return keep(builder_.condition(root, "check", std::string(last_identifier(callee))));
      return keep(builder_.condition(root, "condition", std::string(last_identifier(callee))));
    }
    if (is(at, Role::kReturned)) return keep(builder_.condition(root, "predicate", ""));
    if (is(at, Role::kValue) && above && !is(above, Role::kEntry)) {
      const auto name = child_with(tree_, above, Role::kName);
      auto place = builder_.condition(root, "boolean", std::string(text(name)));
      if (place && name && is(name, Role::kDefinition)) {
        facts_.helpers.push_back({.name = std::string(text(name)),
                                  .line = place->line,
                                  .keys = place->arms[0].keys,
                                  .test = place->arms[0].test});
      }
      return keep(std::move(place));
    }
    keep(builder_.condition(root, "condition", ""));
  }

  void visit_rung(const Node& condition, const Node& rung) {
    if (rungs_.contains(rung.id())) return;
    std::optional<Ladder> ladder;
    if (is(rung, Role::kChoice))
      ladder = read_choice(tree_, rung);
    else if (is(rung, Role::kConditional))
      ladder = read_conditionals(tree_, rung);
    else if (is(rung, Role::kRung))
      ladder = read_run(tree_, rung, true, blocks_);
    if (!ladder)
      return is(rung, Role::kConditional) ? void()
                                          : keep(builder_.condition(condition, "condition", ""));
    for (const auto& one : ladder->rungs) rungs_.insert(one.node.id());
    if (!is_new(ladder->head)) return;
    keep(builder_.ladder(*ladder));
  }

  /// The function that the condition stands in may be a helper.
  void note_scope(const Node& node) {
    const auto scope = ancestor_with(tree_, node, Role::kScope);
    if (scope && !is(scope, Role::kModuleScope) && !is(scope, Role::kClassScope) && is_new(scope))
      scopes_.push_back(scope);
  }

  /// supported_compute_capability([90, 100]), device_capability_majors=[12], ARCHS = {...}.
  bool visit_list(const Node& name) {
    const auto unit = names_.lists(text(name));
    if (!unit) return false;
    auto top = expression_at(name);
    const auto call = is(top, Role::kCall) ? top : Node();
    if (call && !is(name, Role::kKey)) {
      const auto arguments = child_with(tree_, call, Role::kArguments);
      const auto items = arguments ? arguments.named_children() : std::vector<Node>();
      if (items.empty() || !is(items[0], Role::kSequence)) return false;
      auto place = builder_.table(items[0], call, std::string(last_identifier(text(name))), *unit);
      if (place) place->form = is(call.parent(), Role::kDecorator) ? "decorator" : "keyword list";
      return keep(std::move(place)), true;
    }
    Node owner = name.parent();
    if (!child_with(tree_, owner, Role::kValue)) owner = owner.parent();
    const auto value = child_with(tree_, owner, Role::kValue);
    if (!value || value.range().contains(name.range())) return false;
    const bool is_argument = is(owner, Role::kEntry);
    auto container = value;
    if (is(value, Role::kWrapper) && !is(value, Role::kSequence))
      container = descendant_with(tree_, value, Role::kInner);
    if (!container || (!is(container, Role::kSequence) && !is(container, Role::kMap))) {
      if (!is_argument || !read_key(tree_, reader_.evaluator(), value, std::nullopt)) return false;
      container = value;
    }
    if (!is_new(container)) return true;
    auto place = builder_.table(container, owner, std::string(text(name)), *unit);
    if (place && is_argument) place->form = "keyword list";
    if (place && is_argument) define_by_keywords(owner, *place);
    return keep(std::move(place)), true;
  }

  /// is_sm90 = cached(partial(check, majors=[9])): the name is true for what is listed.
  void define_by_keywords(const Node& keyword, const CcPlace& place) {
    HelperDefinition helper{.line = place.line, .test = {.kind = CcTest::Kind::kAny}};
    for (const auto& arm : place.arms) {
      for (const auto& key : arm.keys) {
        helper.test.parts.push_back({.kind = CcTest::Kind::kKey, .key = helper.keys.size()});
        helper.keys.push_back(key);
      }
    }
    for (auto above = keyword.parent(); above && !is(above, Role::kBlock); above = above.parent()) {
      const auto name = is(above, Role::kBinding) ? child_with(tree_, above, Role::kName) : Node();
      if (!name || !names_.is_helper(text(name))) continue;
      helper.name = text(name);
      facts_.helpers.push_back(helper);
    }
  }

  /// Architectures as text: "sm_90a", "-gencode=arch=compute_100f,code=sm_100f".
  void visit_string(const Node& literal) {
    static const RE2 kCode(R"((?:code=|arch=)?\[?"?(?:sm|compute|lto)_(\d{2,3}[af]?))");
    if (!is_new(literal)) return;
    const auto above = literal.parent();
    if (is(above, Role::kComparison)) return visit_expression(literal);
    if (is(literal, Role::kKey) || is(literal.parent(), Role::kSequence)) {
      const auto container = is(literal, Role::kKey) ? literal.parent().parent() : literal.parent();
      if (is(container, Role::kArguments) || !is_new(container)) return;
      auto place = builder_.table(container, container, name_above(container), KeyUnit::kTens);
      if (place && named_cc(text(literal).substr(
                       1, text(literal).size() < 2 ? 0 : text(literal).size() - 2)))
        return keep(std::move(place));
    }
    const auto spelled = text(literal);
    if (spelled.size() > 120 || !spelled.contains("arch=compute_")) return;
    re2::StringPiece rest(spelled.data(), spelled.size());
    std::string code, last;
    while (RE2::FindAndConsume(&rest, kCode, &code)) last = code;
    if (const auto means = spelled_cc(last))
      keep(builder_.single(literal, "architecture list", "gencode", std::string(spelled), *means));
  }

  [[nodiscard]] std::string name_above(const Node& container) const {
    for (auto above = container.parent(); above && !is(above, Role::kBlock);
         above = above.parent()) {
      const auto name = child_with(tree_, above, Role::kName);
      if (name) return folded(text(name));
      if (is(above, Role::kEntry)) return folded(text(entry_parts(tree_, above).key));
    }
    return {};
  }

  /// template <> struct Kernel<arch::Sm90>.
  void visit_specialisation(const Node& arguments, ByteRange anchor) {
    const auto means = named_cc(anchor.of(tree_.text()));
    if (!means || !is_new(arguments)) return;
    const auto owner = arguments.parent();
    keep(builder_.single(owner, "specialisation", std::string(last_identifier(text(owner))),
                         std::string(anchor.of(tree_.text())), *means));
  }

  /// #define GPU_CC_VOLTA 700; those of one name's beginning are one place.
  bool visit_constant(const Node& name) {
    const auto owner = name.parent();
    const auto value = owner ? owner.field("value") : Node();
    const auto written = value ? text(value) : std::string_view();
    const auto spelled = trim(written.substr(0, std::min(written.find("//"), written.find("/*"))));
    if (!is(owner, Role::kDefineConstant) || spelled.empty() || spelled.size() > 6 ||
        !std::ranges::all_of(spelled, [](char c) { return c >= '0' && c <= '9'; }))
      return false;
    const auto prefix = text(name).substr(0, text(name).find("_CC_"));
    if (prefix.size() == text(name).size()) return false;
    const auto means = meaning_of(std::stoll(std::string(spelled)), KeyUnit::kHundreds, false);
    if (!means) return true;
    auto place = builder_.single(owner, "macro constants", std::string(prefix) + "_CC_*",
                                 std::string(spelled), *means);
    place.arms[0].keys[0].expression = text(name);
    auto& places = facts_.file.places;
    if (!places.empty() && places.back().form == place.form && places.back().name == place.name) {
      places.back().arms.push_back(place.arms[0]);
      places.back().end_line = place.end_line;
      places.back().range.end = place.range.end;
    } else {
      keep(std::move(place));
    }
    return true;
  }

  void add_table(const std::string& name) {
    bool is_found = false;
    for (const auto& definition : definitions_of(tree_, name)) {
      const auto owner = definition.parent();
      const auto value = child_with(tree_, owner, Role::kValue);
      if (!value) continue;
      is_found = true;
      auto container = is(value, Role::kWrapper) && !is(value, Role::kMap)
                           ? descendant_with(tree_, value, Role::kInner)
                           : value;
      if (!container || !is(container, Role::kMap) || !is_new(container)) continue;
      auto place = builder_.table(container, owner, name, KeyUnit::kTens);
      if (place && place->form != "list") keep(std::move(place));
    }
    if (!is_found) facts_.wanted_tables.insert(name);
  }

  const SourceTree& tree_;
  const CcNames& names_;
  bool speaks_;
  CcTestReader reader_;
  const std::set<std::string>& tables_;
  BlockIndex blocks_;
  PlaceBuilder builder_;
  FileFacts& facts_;
  std::unordered_set<const void*> seen_;
  std::unordered_set<const void*> rungs_;   ///< of ladders that were read
  std::unordered_set<const void*> joined_;  ///< parts of conditions that were read
  std::vector<std::string> variables_;      ///< that hold a cc, each once
  std::set<std::string> known_variables_;
  std::set<std::string> looked_up_;
  std::vector<Node> scopes_;
};

}  // namespace

void read_tree(const SourceTree& tree, const CcNames& names, bool file_speaks,
               const ExtractContext& context, FileFacts& facts) {
  Extractor(tree, names, file_speaks, context, facts).run();
}

}  // namespace portpatch
