#include "capture/saying.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "capture/payload_text.h"
#include "edit/container.h"
#include "syntax/definitions.h"
#include "syntax/imports.h"
#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

using Nodes = std::vector<Node>;

/// What people call a node of this sort.
std::string capture_name(const SourceTree& tree, const Node& node) {
  if (!node.parent()) return "file";
  if (has_role(tree, node, Role::kString)) return "text";
  if (has_role(tree, node, Role::kScope) || node.field("definition")) return "definition";
  if (has_role(tree, node, Role::kEntry)) return "entry";
  if (has_role(tree, node, Role::kMap)) return "table";
  if (node.field("function")) return "call";
  if (has_role(tree, node.parent(), Role::kBlock)) return "statement";
  for (const auto& [child, field] : fields_of(node.parent())) {
    if (child == node && (field == "condition" || field == "value" || field == "right"))
      return field == "right" ? "value" : std::string(field);
  }
  return "node";
}

/// The first name or text in it that tells what it is about.
std::string topic_in(const SourceTree& tree, const Node& node) {
  for (const auto& field : tree.language().anchor_fields()) {
    if (const auto child = node.field(field)) return std::string(child.text(tree.text()));
  }
  const auto children = named_children(node);
  if (!children.empty() && !children[0].text(tree.text()).contains('\n'))
    return topic_in(tree, children[0]);
  return std::string(node.text(tree.text()));
}

class Sayer {
 public:
  Sayer(const Versions& versions, const TreeDiff& diff, const TreeChange& piece)
      : versions_(versions),
        diff_(diff),
        piece_(piece),
        old_(versions.before.tree()),
        new_(versions.after.tree()) {}

  std::vector<Saying> take() && {
    if (piece_.removed.empty())
      inserted();
    else if (piece_.inserted.empty())
      removed();
    else
      replaced();
    return std::move(sayings_);
  }

 private:
  [[nodiscard]] std::string_view old_text(const Node& node) const { return node.text(old_.text()); }
  [[nodiscard]] std::string_view new_text(const Node& node) const { return node.text(new_.text()); }
  [[nodiscard]] std::string value(const Node& node) const { return dedented(new_, node.range()); }
  [[nodiscard]] AnchorTarget both(const Node& before) const {
    return {before, diff_.match_of(before), true};
  }

  /// The old node that `after` is the new version of; null when it is new.
  [[nodiscard]] Node old_of(const Node& after) const {
    for (const auto& child : piece_.old_parent.children()) {
      if (diff_.match_of(child) == after) return child;
    }
    return {};
  }

  void add(std::string directive, std::string capture, AnchorTarget target,
           std::vector<std::string> arguments, std::string topic) {
    sayings_.push_back({.directive = std::move(directive),
                        .capture = std::move(capture),
                        .target = target,
                        .arguments = std::move(arguments),
                        .topic = std::move(topic)});
  }

  // ---- something came ----

  /// The name of what the piece is in: of the table that an entry came to.
  [[nodiscard]] std::string owner_topic(std::string_view key) const {
    for (auto node = piece_.old_parent; node && !has_role(old_, node, Role::kBlock);
         node = node.parent()) {
      for (const auto* field : {"name", "left", "function", "key"}) {
        const auto child = node.field(field);
        if (child && !child.range().contains(piece_.old_parent.range()))
          return fmt::format("{} {}", child.text(old_.text()), key);
      }
    }
    return std::string(key);
  }

  void inserted() {
    const auto& parent = piece_.old_parent;
    if (has_role(new_, piece_.inserted[0], Role::kImportName)) return names_came();
    if (has_role(old_, parent, Role::kArguments)) argument_came();
    if (has_role(old_, parent, Role::kMap) || has_role(old_, parent, Role::kSequence)) item_came();
    if (has_role(old_, parent, Role::kBlock)) {
      statements_came();
    } else {
      branch_came();
      beside_sibling();
    }
  }

  void argument_came() {
    const auto& item = piece_.inserted[0];
    if (!has_role(new_, item, Role::kEntry)) return;
    const auto parts = entry_parts(new_, item);
    if (!parts.key || !parts.value) return;
    const auto around = piece_.old_parent.parent();
    const bool is_call = static_cast<bool>(around.field("function"));
    add("ensure-argument!", is_call ? "call" : "signature", both(around),
        {std::string(new_text(parts.key)), with_item_comments(item, value(parts.value))},
        owner_topic(new_text(parts.key)));
  }

  void item_came() {
    const auto& item = piece_.inserted[0];
    const auto target = both(piece_.old_parent);
    if (has_role(new_, item, Role::kEntry)) {
      const auto parts = entry_parts(new_, item);
      if (parts.key && parts.value)
        add("ensure-entry!", "table", target,
            {std::string(new_text(parts.key)), with_item_comments(item, value(parts.value))},
            owner_topic(new_text(parts.key)));
    }
    // A row such as YAML's `- value` is more than its element.
    const auto inside = named_children(item);
    const bool is_row = has_role(old_, piece_.old_parent, Role::kRows) && inside.size() == 1;
    add("ensure-element!", "list", target, {is_row ? value(inside[0]) : item_text(item)},
        owner_topic(new_text(item)));
  }

  /// The statement or item next to what came.
  [[nodiscard]] Node sibling(bool in_front) const {
    const auto siblings = named_children(piece_.new_parent);
    const auto first = std::ranges::find(siblings, piece_.inserted.front());
    const auto last = std::ranges::find(siblings, piece_.inserted.back());
    if (in_front) return first == siblings.begin() ? Node() : old_of(*(first - 1));
    return last == siblings.end() || last + 1 == siblings.end() ? Node() : old_of(*(last + 1));
  }

  /// `core`, a part of an item or all of it, with the item's own comments: those above it, and the
  /// one behind its separator.
  [[nodiscard]] std::string with_item_comments(const Node& item, std::string core) const {
    const auto text = new_.text();
    const auto whole = with_comments(new_, {item}, comments_in(old_, piece_.old_parent));
    const auto above = dedented(new_, {whole.begin, item.range().begin});
    const auto rest = whole.end > item.range().end
                          ? trim(text.substr(item.range().end, whole.end - item.range().end))
                          : std::string_view();
    const auto comment = rest.starts_with(',') ? trim(rest.substr(1)) : rest;
    core.insert(0, above);
    return comment.empty() ? core : fmt::format("{}  {}", core, comment);
  }

  [[nodiscard]] std::string item_text(const Node& item) const {
    return with_item_comments(item, value(item));
  }

  /// `elif` with what it does.
  void branch_came() {
    const auto& clause = piece_.inserted[0];
    const auto condition = clause.field("condition"), body = clause.field("consequence");
    if (piece_.inserted.size() != 1 || !condition || !body || !piece_.old_parent.field("condition"))
      return;
    add("ensure-branch!", "ladder", both(piece_.old_parent),
        {value(condition), dedented(new_, body.range())}, std::string(new_text(condition)));
  }

  void beside_sibling() {
    const bool is_item = holds_items(old_, piece_.old_parent) &&
                         !has_role(old_, piece_.old_parent, Role::kBlock);
    const auto text = is_item ? item_text(piece_.inserted[0])
                              : dedented(new_, with_comments(new_, piece_.inserted,
                                                             comments_in(old_, piece_.old_parent)));
    const auto topic = topic_of(piece_.inserted[0]);
    if (const auto in_front = sibling(true))
      add("insert-after!", capture_name(in_front), both(in_front), {text}, topic);
    if (const auto behind = sibling(false))
      add("insert-before!", capture_name(behind), both(behind), {text}, topic);
  }

  /// The file, as a target.
  [[nodiscard]] AnchorTarget file() const { return {old_.root(), new_.root()}; }

  void imports_came() {
    std::string text;
    for (const auto& node : piece_.inserted) {
      if (!has_role(new_, node, Role::kImport)) return;
      text += dedented(new_, with_comments(new_, {node}, comments_in(old_, piece_.old_parent))) +
              "\n";
    }
    text.pop_back();
    add("ensure-import!", "file", file(), {text}, topic_of(piece_.inserted[0]));
  }

  /// Names came to a statement that imports from a module.
  void names_came() {
    std::vector<std::string> names;
    for (const auto& name : piece_.inserted) names.emplace_back(new_text(name));
    const auto statement = read_import(new_, piece_.new_parent);
    if (!statement.is_from) return;
    auto text = fill_import(new_.language().import_template("from"), statement.module,
                            join(names, ", "));
    if (!text.empty()) add("ensure-import!", "file", file(), {std::move(text)}, names[0]);
  }

  static std::string fill_import(std::string text, const std::string& module,
                                 const std::string& names) {
    for (const auto& [mark, value] :
         {std::pair("{module}", &module), std::pair("{names}", &names)}) {
      if (const auto at = text.find(mark); at != std::string::npos)
        text.replace(at, std::string_view(mark).size(), *value);
    }
    return text;
  }

  void definition_came() {
    if (piece_.inserted.size() != 1 || !has_role(new_, piece_.inserted[0], Role::kDefine)) return;
    const auto definition = read_definition(new_, piece_.inserted[0]);
    if (!definition) return;
    auto scope = piece_.old_parent;
    while (scope.parent() && !has_role(old_, scope, Role::kScope)) scope = scope.parent();
    // What a function does is no list of definitions.
    if (scope.parent() && !has_role(old_, scope, Role::kClassScope) &&
        !has_role(old_, scope, Role::kModuleScope))
      return;
    const auto text = dedented(
        new_, with_comments(new_, piece_.inserted, comments_in(old_, piece_.old_parent)));
    Saying saying{.directive = "ensure-definition!",
                  .capture = scope.parent() ? "scope" : "file",
                  .target = scope.parent() ? both(scope) : file(),
                  .arguments = {text},
                  .topic = definition->name};
    sayings_.push_back(saying);
    saying.neighbour = sibling(true);
    if (saying.neighbour) sayings_.push_back(std::move(saying));
  }

  void statements_came() {
    imports_came();
    definition_came();
    beside_sibling();
    const auto text = dedented(
        new_, with_comments(new_, piece_.inserted, comments_in(old_, piece_.old_parent)));
    if (sibling(false)) return;
    if (piece_.old_parent.parent())
      add("append!", "block", both(piece_.old_parent), {text}, topic_of(piece_.inserted[0]));
    else if (!sibling(true))
      add("append!", "file", file(), {text}, topic_of(piece_.inserted[0]));
  }

  // ---- something went ----

  void removed() {
    const auto& gone = piece_.removed[0];
    Saying saying{.directive = "remove!",
                  .capture = capture_name(gone),
                  .target = {gone, {}, false, piece_.new_parent},
                  .arguments = {},
                  .container = both(piece_.old_parent),
                  .gone = dedented(old_, gone.range()),
                  .topic = topic_of_old(gone)};
    const auto siblings = named_children(piece_.old_parent);
    const auto at = std::ranges::find(siblings, gone);
    if (at != siblings.begin()) saying.in_front = both(*(at - 1));
    if (at + 1 < siblings.end()) saying.behind = both(*(at + 1));
    sayings_.push_back(std::move(saying));
  }

  // ---- something reads otherwise ----

  void replaced() {
    if (piece_.removed.size() > 1) {
      wrap_statements();
      return;
    }
    const auto& before = piece_.removed[0];
    if (piece_.kept) return wrapped(before, piece_.kept, piece_.inserted[0]);
    const AnchorTarget target{before, piece_.inserted[0]};
    if (piece_.inserted.size() == 1) {
      operand_came(target);
      part_of_string(target);
      if (const auto whole = find_whole(before, target.after)) wrapped(before, whole, target.after);
    }
    if (piece_.inserted.size() == 1 && !has_role(old_, piece_.old_parent, Role::kBlock)) {
      add("replace!", capture_name(before), target, {value(piece_.inserted[0])},
          owner_topic(topic_of(piece_.inserted[0])));
    } else {
      add("replace!", capture_name(before), target,
          {dedented(new_,
                    with_comments(new_, piece_.inserted, comments_in(old_, piece_.old_parent)))},
          topic_of_old(before));
    }
  }

  /// `a or x` for `a`: widened; `a and x`: narrowed.
  void operand_came(const AnchorTarget& target) {
    const auto whole = inside_layout(target.after);
    const auto left = whole.field("left"), right = whole.field("right"),
               sign = whole.field("operator");
    if (!left || !right || !sign ||
        versions_.after.hash(left) != versions_.before.hash(target.before))
      return;
    const auto word = new_text(sign);
    const bool widens = word == "or" || word == "||";
    if (!widens && word != "and" && word != "&&") return;
    add(widens ? "widen!" : "narrow!", "condition", target, {value(right)},
        std::string(new_text(right)));
  }

  [[nodiscard]] Node inside_layout(Node node) const {
    while (has_role(new_, node, Role::kLayout) && named_children(node).size() == 1)
      node = named_children(node)[0];
    return node;
  }

  void part_of_string(const AnchorTarget& target) {
    if (!has_role(old_, target.before, Role::kString) ||
        !has_role(new_, target.after, Role::kString))
      return;
    const auto before = old_text(target.before), after = new_text(target.after);
    const auto least = std::min(before.size(), after.size());
    std::size_t front = 0, back = 0;
    while (front < least && before[front] == after[front]) ++front;
    while (back < least - front &&
           before[before.size() - 1 - back] == after[after.size() - 1 - back])
      ++back;
    // Whole words, and enough of them that the part stands there once.
    const auto is_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
             static_cast<unsigned char>(c) >= 0x80;
    };
    constexpr std::size_t kQuotes = 1;
    while (front > kQuotes && (is_word(before[front - 1]) || before.size() == front + back))
      --front;
    while (back > kQuotes && is_word(before[before.size() - back])) --back;
    const auto part = before.substr(front, before.size() - front - back);
    const auto text = after.substr(front, after.size() - front - back);
    if (part.empty() || part.contains('\n') || text.contains('\n') ||
        part.size() + 8 > before.size())
      return;
    add("replace!", "text", target, {std::string(part), std::string(text)}, owner_topic(text));
  }

  /// The old node stands within `around`, as `mark`.
  void wrapped(const Node& before, const Node& mark, const Node& around) {
    const auto capture = capture_name(before);
    add("wrap!", capture, {before, mark, true},
        {around_mark(around.range(), mark.range(), capture)}, topic_of(around));
  }

  /// The old node, whole, within the new one.
  [[nodiscard]] Node find_whole(const Node& before, const Node& after) const {
    Node found;
    int count = 0;
    walk(after, [&](const Node& node) {
      if (versions_.after.size(node) < versions_.before.size(before)) return false;
      if (node == after || versions_.after.hash(node) != versions_.before.hash(before) ||
          node.kind() != before.kind())
        return true;
      found = node;
      ++count;
      return false;
    });
    return count == 1 ? found : Node();
  }

  [[nodiscard]] std::string around_mark(ByteRange range, ByteRange mark,
                                        std::string_view capture) const {
    // The mark takes the place of the text before it is dedented: its lines go with it.
    const auto whole = dedented(new_, range);
    const auto inner = dedented_inside(range, mark);
    const auto at = whole.find(inner);
    if (at == std::string::npos || whole.find(inner, at + 1) != std::string::npos) {
      return std::string(new_.text().substr(range.begin, mark.begin - range.begin)) +
             fmt::format("${{{}}}", capture) +
             std::string(new_.text().substr(mark.end, range.end - mark.end));
    }
    return whole.substr(0, at) + fmt::format("${{{}}}", capture) + whole.substr(at + inner.size());
  }

  /// How the text of `mark` reads within the dedented text of `range`.
  [[nodiscard]] std::string dedented_inside(ByteRange range, ByteRange mark) const {
    const auto head = dedented(new_, {range.begin, mark.begin});
    return dedented(new_, {range.begin, mark.end}).substr(head.size());
  }

  /// Statements that stand within a new one: `if x:` around them.
  void wrap_statements() {
    if (piece_.inserted.size() != 1) return;
    const auto& after = piece_.inserted[0];
    const auto wanted = versions_.before.hash(piece_.removed[0]);
    Nodes inner;
    walk(after, [&](const Node& node) {
      if (!inner.empty() || versions_.after.hash(node) != wanted) return inner.empty();
      const auto siblings = named_children(node.parent());
      auto at = std::ranges::find(siblings, node);
      std::size_t i = 0;
      for (; i < piece_.removed.size() && at != siblings.end() &&
             versions_.after.hash(*at) == versions_.before.hash(piece_.removed[i]);
           ++i)
        inner.push_back(*at++);
      if (i < piece_.removed.size()) inner.clear();
      return inner.empty();
    });
    if (inner.empty()) return;
    Saying saying{.directive = "wrap!",
                  .capture = "statement",
                  .target = {piece_.removed[0], inner[0]},
                  .arguments = {},
                  .topic = topic_of(after)};
    for (std::size_t i = 0; i < inner.size(); ++i)
      saying.together.push_back({piece_.removed[i], inner[i]});
    saying.arguments.push_back(around_mark(
        after.range(), {inner.front().range().begin, inner.back().range().end}, saying.capture));
    sayings_.push_back(std::move(saying));
  }

  [[nodiscard]] std::string capture_name(const Node& node) const {
    return portpatch::capture_name(old_, node);
  }
  [[nodiscard]] std::string topic_of(const Node& node) const { return topic_in(new_, node); }
  [[nodiscard]] std::string topic_of_old(const Node& node) const { return topic_in(old_, node); }

  const Versions& versions_;
  const TreeDiff& diff_;
  const TreeChange& piece_;
  const SourceTree& old_;
  const SourceTree& new_;
  std::vector<Saying> sayings_;
};

}  // namespace

std::vector<TreeChange> pieces_of(const Versions& versions, const TreeChange& change) {
  const auto& tree = versions.before.tree();
  const bool items = holds_items(tree, change.old_parent);
  std::vector<TreeChange> pieces;
  const auto are_names = [](const SourceTree& one, const Nodes& nodes) {
    return std::ranges::all_of(
        nodes, [&](const Node& node) { return has_role(one, node, Role::kImportName); });
  };
  const bool names = has_role(tree, change.old_parent, Role::kImport) &&
                     are_names(tree, change.removed) &&
                     are_names(versions.after.tree(), change.inserted);
  if (!change.removed.empty() && !change.inserted.empty() && !names) {
    if (change.removed.size() == 1 || !has_role(tree, change.old_parent, Role::kBlock))
      return {change};
  }
  for (const auto& node : change.removed)
    pieces.push_back({change.old_parent, change.new_parent, {node}, {}});
  if (items) {
    for (const auto& node : change.inserted)
      pieces.push_back({change.old_parent, change.new_parent, {}, {node}});
  } else if (!change.inserted.empty()) {
    pieces.push_back({change.old_parent, change.new_parent, {}, change.inserted});
  }
  return pieces;
}

std::vector<Saying> sayings_for_whole(const Versions& versions, const TreeChange& whole) {
  const auto& before = whole.removed[0];
  const auto& after = whole.inserted[0];
  const auto& tree = versions.before.tree();
  const bool has_block = static_cast<bool>(descendant_with(tree, before, Role::kBlock));
  const AnchorTarget target{before, after};
  const auto text = dedented(versions.after.tree(), after.range());
  std::vector<Saying> sayings;
  if (!has_block)
    sayings.push_back({.directive = "replace!",
                       .capture = capture_name(tree, before),
                       .target = target,
                       .arguments = {text},
                       .topic = topic_in(tree, before)});
  const bool stands_alone = before.parent() && (has_role(tree, before.parent(), Role::kBlock) ||
                                                has_role(tree, before, Role::kScope));
  if (stands_alone) {
    sayings.push_back({.directive = "merge!",
                       .capture = capture_name(tree, before),
                       .target = target,
                       .arguments = {dedented(tree, before.range()), text},
                       .topic = topic_in(tree, before)});
  }
  return sayings;
}

std::vector<Saying> sayings_for(const Versions& versions, const TreeDiff& diff,
                                const TreeChange& piece) {
  return Sayer(versions, diff, piece).take();
}

}  // namespace portpatch
