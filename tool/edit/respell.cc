#include "edit/respell.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "edit/keys.h"
#include "syntax/cc.h"

namespace portpatch {

namespace {

bool always_stable(ByteRange, ByteRange) { return true; }

/// A container as it is, or as the base's copy has it.
struct Side {
  const SourceTree* tree = nullptr;
  Container container;

  [[nodiscard]] std::string text(const Node& node) const {
    return std::string(node.text(tree->text()));
  }
  [[nodiscard]] bool is_map() const {
    return std::ranges::any_of(container.items, &Item::is_entry);
  }
  /// The keys of entries, or the elements.
  [[nodiscard]] std::vector<Node> heads() const {
    std::vector<Node> nodes;
    for (const auto& item : container.items) {
      if (!item.is_spread) nodes.push_back(item.is_entry ? item.key : item.node);
    }
    return nodes;
  }
  [[nodiscard]] std::vector<std::string> head_texts() const {
    std::vector<std::string> texts;
    for (const auto& node : heads()) texts.push_back(text(node));
    return texts;
  }
};

/// The one kind that all nodes have; empty when they differ or there are none.
std::string_view common_kind(const std::vector<Node>& nodes) {
  const bool same = !nodes.empty() && std::ranges::all_of(nodes, [&](const Node& node) {
    return node.kind() == nodes[0].kind();
  });
  return same ? nodes[0].kind() : std::string_view();
}

/// What stands around the items of a display, when all of `nodes` have the same there.
struct Brackets {
  std::string open, close;
};
std::optional<Brackets> common_brackets(const SourceTree& tree, const std::vector<Node>& nodes) {
  std::optional<Brackets> common;
  for (const auto& node : nodes) {
    const auto container = find_container(tree, node, Role::kSequence, always_stable);
    if (!container || container->items.empty() || !container->has_brackets) return std::nullopt;
    const auto text = tree.text();
    Brackets one{
        std::string(text.substr(node.range().begin,
                                container->items.front().range().begin - node.range().begin)),
        std::string(text.substr(container->items.back().range().end,
                                node.range().end - container->items.back().range().end))};
    if (one.close.starts_with(",")) one.close.erase(0, 1);
    if (one.open.contains('\n') || one.close.contains('\n') ||
        (common && (common->open != one.open || common->close != one.close)))
      return std::nullopt;
    common = std::move(one);
  }
  return common;
}

class Speller {
 public:
  Speller(const EditContext& context, const Side& was, const Side& is)
      : context_(context), was_(was), is_(is), evaluator_(context.tree) {}

  Result<std::optional<Directive>> respell() {
    auto directive = context_.directive;
    if (auto error = respell_head(directive.texts[0])) return std::unexpected(*error);
    if (directive.texts.size() > 1 && was_.is_map() && is_.is_map())
      respell_value(directive.texts[1]);
    if (directive.texts == context_.directive.texts) return std::nullopt;
    return std::optional(std::move(directive));
  }

 private:
  std::optional<Diagnostic> respell_head(std::string& text) {
    if (parse_cc(text)) return std::nullopt;  // spelled as the siblings are in any case
    old_spelling_ = common_spelling(was_.head_texts());
    new_spelling_ = common_spelling(is_.head_texts());
    const auto cc = old_spelling_ ? read_spelling(text, *old_spelling_) : std::nullopt;
    if (cc && new_spelling_ && *old_spelling_ != *new_spelling_) {
      if (const auto spelled = spell(*cc, *new_spelling_)) {
        text = *spelled;
        return std::nullopt;
      }
    }
    const auto old_kind = common_kind(was_.heads()), new_kind = common_kind(is_.heads());
    const bool words = has_role(context_.tree, is_.container.node,
                                Role::kArguments);  // dict(a=1) writes "a" as a word
    const auto fragment = Fragment::parse(context_.language(), "expression", text);
    const bool was_alike = fragment && fragment->nodes().size() == 1 &&
                           fragment->nodes()[0].kind() == old_kind;
    if (words || !was_alike || new_kind.empty() || new_kind == old_kind || is_read_otherwise())
      return std::nullopt;
    return Diagnostic{.code = "spelling-changed",
                      .message = fmt::format("at the base its siblings were written {}, now they "
                                             "are {}: how to write {} is not certain",
                                             join(shortened(was_.head_texts()), ", "),
                                             join(shortened(is_.head_texts()), ", "), text),
                      .remedy = "write it in the rule as it must stand now, or as cc:MAJOR.MINOR"};
  }

  /// Does a sibling that is spelled as at the base have another kind? The copy by itself does not
  /// show what it is, as that of an enumerator, which reads like a variable.
  [[nodiscard]] bool is_read_otherwise() const {
    const auto olds = was_.head_texts(), news = is_.head_texts();
    return std::ranges::any_of(
        olds, [&](const std::string& text) { return std::ranges::find(news, text) != news.end(); });
  }

  static std::vector<std::string> shortened(std::vector<std::string> texts) {
    constexpr std::size_t kShown = 3;
    if (texts.size() > kShown) {
      texts.resize(kShown);
      texts.emplace_back("...");
    }
    return texts;
  }

  /// The key of an entry as a value that both spellings share.
  std::string key_of(const Side& side, const Item& item,
                     const std::optional<CcSpelling>& spelling) {
    const auto text = side.text(item.key);
    const auto cc = spelling ? read_spelling(text, *spelling) : std::nullopt;
    return cc ? "cc " + cc_text(*cc) : evaluator_.canonical(*side.tree, item.key);
  }

  void respell_value(std::string& text) {
    std::map<std::string, Node> now;
    for (const auto& item : is_.container.items) {
      if (item.is_entry) now[key_of(is_, item, new_spelling_)] = item.value;
    }
    std::vector<Node> old_values, new_values;
    for (const auto& item : was_.container.items) {
      if (!item.is_entry) continue;
      const auto found = now.find(key_of(was_, item, old_spelling_));
      if (found == now.end()) continue;
      old_values.push_back(item.value);
      new_values.push_back(found->second);
      align(item.value, found->second);
    }
    text = with_names(text);
    text = with_brackets(text, old_values, new_values);
  }

  /// Walks two versions of one value side by side and notes what stands for what.
  void align(const Node& was, const Node& is) {
    if (was_.text(was) == is_.text(is)) return;
    if (has_role(*was_.tree, was, Role::kBinary) && !has_role(context_.tree, is, Role::kBinary))
      return solve(was, is);
    const auto old_children = was.named_children(), new_children = is.named_children();
    if (was.kind() == is.kind() && old_children.size() == new_children.size() &&
        !old_children.empty()) {
      for (std::size_t i = 0; i < old_children.size(); ++i) align(old_children[i], new_children[i]);
      return;
    }
    if (!old_children.empty() || !new_children.empty()) return;
    if (has_role(*was_.tree, was, Role::kReference) &&
        has_role(context_.tree, is, Role::kReference))
      note(was_.text(was), is_.text(is));
  }

  void note(const std::string& name, const std::string& means) {
    const auto [known, is_new] = meanings_.try_emplace(name, means);
    if (!is_new && known->second != means) doubtful_.insert(name);
  }

  /// `64 * MiB` is 67108864 now: what was MiB?
  void solve(const Node& was, const Node& is) {
    const auto total = evaluator_.evaluate(context_.tree, is);
    const auto* number = total ? std::get_if<std::int64_t>(&total->value) : nullptr;
    std::set<std::string> names;
    walk(was, [&](const Node& node) {
      if (has_role(*was_.tree, node, Role::kReference)) names.insert(was_.text(node));
      return true;
    });
    if (number == nullptr || names.size() != 1) return;
    const auto& name = *names.begin();
    const auto at = [&](std::int64_t value) -> std::optional<std::int64_t> {
      const auto fragment = Fragment::parse(
          context_.language(), "expression",
          replaced(was_.text(was), {{name, std::to_string(value)}}));
      const auto result = fragment ? evaluator_.evaluate(fragment->tree(), fragment->nodes()[0])
                                   : std::nullopt;
      const auto* found = result ? std::get_if<std::int64_t>(&result->value) : nullptr;
      return found ? std::optional(*found) : std::nullopt;
    };
    const auto zero = at(0), one = at(1);
    const bool is_product = zero && one && *zero == 0 && *one != 0 && *number % *one == 0;
    const auto value = is_product ? *number / *one : 0;
    if (is_product && at(value) == *number)
      note(name, std::to_string(value));
    else
      doubtful_.insert(name);
  }

  /// `code` with its names replaced.
  std::string replaced(const std::string& code,
                       const std::map<std::string, std::string>& names) const {
    const auto fragment = Fragment::parse(context_.language(), "expression", code);
    if (!fragment) return code;
    std::vector<TextEdit> edits;
    const auto offset = fragment->body().begin;
    for (const auto& root : fragment->nodes()) {
      walk(root, [&](const Node& node) {
        const auto found = names.find(std::string(node.text(fragment->tree().text())));
        if (found == names.end() || !has_role(fragment->tree(), node, Role::kReference) ||
            has_role(fragment->tree(), node, Role::kMember))
          return true;
        edits.push_back({{node.range().begin - offset, node.range().end - offset}, found->second});
        return false;
      });
    }
    return apply_edits(fragment->text(), edits);
  }

  /// The value with names that upstream replaced; products that became numbers are worked out.
  std::string with_names(const std::string& text) {
    std::map<std::string, std::string> names;
    for (const auto& [name, means] : meanings_) {
      if (!doubtful_.contains(name) && definitions_of(context_.tree, name).empty())
        names[name] = means;
    }
    auto code = names.empty() ? text : replaced(text, names);
    return code == text ||
                   std::ranges::none_of(
                       names,
                       [](const auto& one) { return one.second[0] >= '0' && one.second[0] <= '9'; })
               ? code
               : folded(code);
  }

  /// Sums and products of numbers alone, worked out.
  std::string folded(const std::string& code) {
    const auto fragment = Fragment::parse(context_.language(), "expression", code);
    if (!fragment) return code;
    std::vector<TextEdit> edits;
    const auto offset = fragment->body().begin;
    for (const auto& root : fragment->nodes()) {
      walk(root, [&](const Node& node) {
        if (!has_role(fragment->tree(), node, Role::kBinary)) return true;
        const auto value = evaluator_.evaluate(fragment->tree(), node);
        const auto* number = value ? std::get_if<std::int64_t>(&value->value) : nullptr;
        if (number == nullptr) return true;
        edits.push_back(
            {{node.range().begin - offset, node.range().end - offset}, std::to_string(*number)});
        return false;
      });
    }
    return apply_edits(fragment->text(), edits);
  }

  /// The value in the brackets that its siblings have now.
  std::string with_brackets(const std::string& text, const std::vector<Node>& old_values,
                            const std::vector<Node>& new_values) const {
    const auto was = common_brackets(*was_.tree, old_values);
    const auto is = common_brackets(context_.tree, new_values);
    if (!was || !is || (was->open == is->open && was->close == is->close)) return text;
    const auto fragment = Fragment::parse(context_.language(), "expression", text);
    if (!fragment || fragment->nodes().size() != 1) return text;
    const auto mine = common_brackets(fragment->tree(), fragment->nodes());
    const auto container = mine ? find_container(fragment->tree(), fragment->nodes()[0],
                                                 Role::kSequence, always_stable)
                                : Result<Container>(failure("", ""));
    if (!container || mine->open != was->open || mine->close != was->close) return text;
    const auto& items = container->items;
    const bool lone = items.size() == 1 && is->open.ends_with("(");
    const ByteRange inside{items.front().range().begin, items.back().range().end};
    return is->open + std::string(inside.of(fragment->tree().text())) + (lone ? "," : "") +
           is->close;
  }

  const EditContext& context_;
  const Side& was_;
  const Side& is_;
  CodeEvaluator evaluator_;
  std::optional<CcSpelling> old_spelling_, new_spelling_;
  /// What a name of the base is now: a name or a number.
  std::map<std::string, std::string> meanings_;
  std::set<std::string> doubtful_;
};

}  // namespace

Result<std::optional<Directive>> respell(const EditContext& context) {
  const auto role = context.directive.kind() == DirectiveKind::ensure_entry ? Role::kMap
                                                                            : Role::kSequence;
  const auto scope = scope_path(context.tree, context.node);
  const auto& locked = context.rule.locked;
  auto copy = std::ranges::find(locked, scope, &LockedSite::scope);
  if (copy == locked.end() && locked.size() == 1) copy = locked.begin();
  if (copy == locked.end()) return std::nullopt;
  const auto fragment = Fragment::parse_any(context.language(), copy->text);
  if (!fragment || fragment->nodes().empty()) return std::nullopt;
  auto was = find_container(fragment->tree(), fragment->nodes()[0], role, always_stable);
  auto is = find_container(context.tree, context.node, role, context.is_stable);
  if (!was || !is || was->form == Container::Form::kText || is->form == Container::Form::kText)
    return std::nullopt;
  const Side old_side{&fragment->tree(), std::move(*was)}, new_side{&context.tree, std::move(*is)};
  return Speller(context, old_side, new_side).respell();
}

}  // namespace portpatch
