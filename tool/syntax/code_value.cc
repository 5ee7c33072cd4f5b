#include "syntax/code_value.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "syntax/code_form.h"
#include "syntax/literals.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

using Null = Constant::Null;

/// Deeper nesting is compared as text: recursion stays bounded.
constexpr int kMaxDepth = 400;

std::optional<Constant> combine(std::int64_t a, std::string_view op, std::int64_t b) {
  std::int64_t out = 0;
  if (op == "+" && !__builtin_add_overflow(a, b, &out)) return Constant{out};
  if (op == "-" && !__builtin_sub_overflow(a, b, &out)) return Constant{out};
  if (op == "*" && !__builtin_mul_overflow(a, b, &out)) return Constant{out};
  if (op == "<<" && a >= 0 && b >= 0 && b < 62 && a <= (INT64_MAX >> b)) return Constant{a << b};
  if (op == ">>" && a >= 0 && b >= 0 && b < 63) return Constant{a >> b};
  if (op == "&") return Constant{a & b};
  if (op == "|") return Constant{a | b};
  if (op == "^") return Constant{a ^ b};
  // `/` on integers means different things in different languages: not evaluated.
  if (op == "//" && a >= 0 && b > 0) return Constant{a / b};
  if (op == "%" && a >= 0 && b > 0) return Constant{a % b};
  if (op == "**" && b >= 0 && b < 64) {
    out = 1;
    for (std::int64_t i = 0; i < b; ++i) {
      if (__builtin_mul_overflow(out, a, &out)) return std::nullopt;
    }
    return Constant{out};
  }
  return std::nullopt;
}

std::optional<Constant> combine(double a, std::string_view op, double b) {
  if (op == "+") return Constant{a + b};
  if (op == "-") return Constant{a - b};
  if (op == "*") return Constant{a * b};
  if (op == "/" && b != 0) return Constant{a / b};
  return std::nullopt;
}

std::optional<Constant> combine(const Constant& a, std::string_view op, const Constant& b) {
  const auto* x = std::get_if<std::int64_t>(&a.value);
  const auto* y = std::get_if<std::int64_t>(&b.value);
  if (x && y) return combine(*x, op, *y);
  const auto number = [](const Constant& c) -> std::optional<double> {
    if (const auto* i = std::get_if<std::int64_t>(&c.value)) return static_cast<double>(*i);
    if (const auto* f = std::get_if<double>(&c.value)) return *f;
    return std::nullopt;
  };
  if (const auto p = number(a), q = number(b); p && q) return combine(*p, op, *q);
  const auto* s = std::get_if<std::string>(&a.value);
  const auto* t = std::get_if<std::string>(&b.value);
  if (s && t && op == "+" && s->substr(0, s->find(':')) == t->substr(0, t->find(':'))) {
    return Constant{*s + t->substr(t->find(':') + 1)};
  }
  return std::nullopt;
}

std::optional<Constant> negate(std::string_view op, const Constant& operand) {
  if (const auto* i = std::get_if<std::int64_t>(&operand.value)) {
    if (op == "-" && *i != INT64_MIN) return Constant{-*i};
    if (op == "+") return operand;
    if (op == "~") return Constant{~*i};
  }
  if (const auto* f = std::get_if<double>(&operand.value)) {
    if (op == "-") return Constant{-*f};
    if (op == "+") return operand;
  }
  return std::nullopt;
}

std::optional<Constant> string_constant(std::string_view text, bool raw) {
  const auto literal = parse_string(text, raw);
  if (!literal || literal->prefix.contains('f') || literal->prefix.contains('t'))
    return std::nullopt;
  return Constant{literal->prefix + ":" + literal->content};
}

std::string form_of(const Constant& constant) {
  struct Form {
    std::string operator()(Null) const { return "null"; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return fmt::format("int {}", i); }
    std::string operator()(double d) const { return fmt::format("float {:.17g}", d); }
    std::string operator()(const std::string& s) const {
      return fmt::format("string {} {}", s.size(), s);
    }
  };
  return "<" + std::visit(Form{}, constant.value) + ">";
}

/// No scope but the module's (and namespaces) around `node`.
bool is_module_level(const SourceTree& tree, const Node& node) {
  for (auto above = node.parent(); above; above = above.parent()) {
    if (has_role(tree, above, Role::kScope) && !has_role(tree, above, Role::kModuleScope))
      return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> plain_string(const Constant& constant) {
  const auto* text = std::get_if<std::string>(&constant.value);
  if (text == nullptr || !text->starts_with(':')) return std::nullopt;
  return text->substr(1);
}

std::vector<Node> definitions_of(const SourceTree& tree, std::string_view name) {
  std::vector<Node> found;
  const auto places = whole_words(tree.text(), name);
  // One walk for all of them: to look each up from the root is quadratic in a long table.
  if (places.empty()) return found;
  walk(tree.root(), [&](const Node& node) {
    const auto range = node.range();
    const auto place = std::ranges::lower_bound(places, range.begin);
    if (place == places.end() || *place + name.size() > range.end) return false;
    if (range != ByteRange{*place, *place + name.size()}) return true;
    if (has_role(tree, node, Role::kDefinition)) found.push_back(node);
    return true;
  });
  return found;
}

/// A search for each of a few names; for many, as in a table of thousands of names, one walk.
std::vector<Node> CodeEvaluator::definitions(std::string_view name) {
  constexpr std::size_t kFew = 16;
  if (names_.size() <= kFew) return definitions_of(module_, name);
  if (definitions_.empty()) {
    walk(module_.root(), [&](const Node& node) {
      if (has_role(module_, node, Role::kDefinition))
        definitions_[node.text(module_.text())].push_back(node);
      return true;
    });
    definitions_[{}];  // walked, also when there are none
  }
  const auto found = definitions_.find(name);
  return found == definitions_.end() ? std::vector<Node>() : found->second;
}

std::optional<Constant> CodeEvaluator::named_constant(std::string_view name) {
  if (const auto known = names_.find(name); known != names_.end()) return known->second;
  names_[std::string(name)] = std::nullopt;  // a name that is defined by itself has no value
  const auto places = definitions(name);
  if (places.size() != 1) return std::nullopt;
  const auto binding = ancestor_with(module_, places[0], Role::kBinding);
  if (!binding || !is_module_level(module_, binding)) return std::nullopt;
  const auto value = child_with(module_, binding, Role::kValue);
  auto constant = value ? evaluate(module_, value) : std::nullopt;
  return names_[std::string(name)] = std::move(constant);
}

std::optional<Constant> CodeEvaluator::evaluate(const SourceTree& tree, const Node& node) {
  if (!node || depth_ > kMaxDepth) return std::nullopt;
  struct Deeper {
    int& depth;
    explicit Deeper(int& d) : depth(++d) {}
    ~Deeper() { --depth; }
  } const deeper(depth_);
  const auto text = node.text(tree.text());
  const auto is = [&](Role role) { return has_role(tree, node, role); };
  if (is(Role::kInteger)) {
    if (const auto value = parse_integer(text)) return Constant{*value};
  }
  if (is(Role::kFloat)) {
    // An octal number, or one beyond 64 bits, which would be rounded, is no float.
    const bool is_float = text.find_first_not_of("+-0123456789_'uUlLzZ") != std::string_view::npos;
    if (const auto value = is_float ? parse_float(text) : std::nullopt) return Constant{*value};
  }
  if (is(Role::kString)) return string_constant(text, false);
  if (is(Role::kRawString)) return string_constant(text, true);
  if (is(Role::kLabel)) return Constant{":" + std::string(text)};
  if (is(Role::kTrue)) return Constant{true};
  if (is(Role::kFalse)) return Constant{false};
  if (is(Role::kNull)) return Constant{Null{}};
  if (const auto inner = inside_groups(tree, node); inner != node) return evaluate(tree, inner);
  if (is(Role::kUnary)) {
    const auto operand = evaluate(tree, node.field("argument"));
    return operand ? negate(node.field("operator").text(tree.text()), *operand) : std::nullopt;
  }
  if (is(Role::kBinary)) {
    const auto left = evaluate(tree, node.field("left"));
    const auto right = left ? evaluate(tree, node.field("right")) : std::nullopt;
    return right ? combine(*left, node.field("operator").text(tree.text()), *right) : std::nullopt;
  }
  if (is(Role::kJoin)) {
    std::optional<Constant> joined;
    for (const auto& part : node.named_children()) {
      if (part.is_extra()) continue;
      const auto next = evaluate(tree, part);
      joined = !next ? std::nullopt : joined ? combine(*joined, "+", *next) : next;
      if (!joined) return std::nullopt;
    }
    return joined;
  }
  if (is(Role::kReference) && !is(Role::kMember) && !is(Role::kDefinition))
    return named_constant(text);
  return std::nullopt;
}

std::string CodeEvaluator::canonical_items(const SourceTree& tree, const Node& node) {
  std::vector<std::string> items;
  std::set<std::string>
      keys;  // of a key that is given twice the last one counts: then order matters
  bool sortable = has_role(tree, node, Role::kUnordered);
  for (const auto& child : node.children()) {
    if (child.is_extra() || (!child.is_named() && child.child_count() == 0)) continue;
    if (has_role(tree, child, Role::kSpread)) sortable = false;
    const auto key = child_with(tree, child, Role::kKey);
    const auto value = child_with(tree, child, Role::kValue);
    if (has_role(tree, child, Role::kEntry) && key && value) {
      auto key_form = canonical(tree, key);
      items.push_back(key_form + "=" + canonical(tree, value));
      sortable &= keys.insert(std::move(key_form)).second;
    } else {
      items.push_back(canonical(tree, child));
    }
  }
  if (sortable) std::ranges::sort(items);
  if (sortable && has_role(tree, node, Role::kSequence)) {
    items.erase(std::ranges::unique(items).begin(), items.end());
  }
  const auto children = node.children();
  const auto open = has_role(tree, node, Role::kTuple)           ? "tuple"
                    : children.empty() || children[0].is_named() ? std::string_view("rows")
                                                                 : children[0].text(tree.text());
  return fmt::format("{}[{}]", open, join(items, ","));
}

std::string CodeEvaluator::canonical(const SourceTree& tree, const Node& node) {
  if (const auto constant = evaluate(tree, node)) return form_of(*constant);
  const auto text = node.text(tree.text());
  if (depth_ > kMaxDepth) return fmt::format("text {} {}", text.size(), text);
  struct Deeper {
    int& depth;
    explicit Deeper(int& d) : depth(++d) {}
    ~Deeper() { --depth; }
  } const deeper(depth_);
  if (const auto inner = inside_groups(tree, node); inner != node) return canonical(tree, inner);
  if (has_role(tree, node, Role::kMap) || has_role(tree, node, Role::kSequence) ||
      has_role(tree, node, Role::kArguments)) {
    return canonical_items(tree, node);
  }
  std::vector<std::string> parts;
  std::size_t at = node.range().begin;
  for (const auto& child : node.children()) {
    // Text between tokens that no node covers (a string's content in some grammars) counts too.
    if (const auto gap = trim(tree.text().substr(at, child.range().begin - at)); !gap.empty()) {
      parts.push_back(fmt::format("{}:{}", gap.size(), gap));
    }
    at = child.range().end;
    if (child.is_extra() || child.range().empty()) continue;
    parts.push_back(canonical(tree, child));
  }
  if (parts.empty()) return fmt::format("{}:{}", text.size(), text);
  if (parts.size() == 1) return parts[0];
  return "(" + join(parts, " ") + ")";
}

std::string CodeEvaluator::canonical(const Fragment& fragment) {
  std::vector<std::string> forms;
  for (const auto& node : fragment.nodes()) forms.push_back(canonical(fragment.tree(), node));
  return join(forms, ";");
}

Node find_equal(const SourceTree& tree, const Node& container, const Fragment& fragment) {
  CodeEvaluator evaluator(tree);
  std::vector<std::string> wanted;
  for (const auto& node : fragment.nodes())
    wanted.push_back(evaluator.canonical(fragment.tree(), node));
  const auto limit = 4 * fragment.text().size() + 64;
  Node found;
  const auto try_siblings = [&](const std::vector<Node>& siblings) {
    for (std::size_t i = 0; !found && i + wanted.size() <= siblings.size(); ++i) {
      bool equal = true;
      for (std::size_t k = 0; equal && k < wanted.size(); ++k) {
        equal = siblings[i + k].range().size() <= limit &&
                evaluator.canonical(tree, siblings[i + k]) == wanted[k];
      }
      if (equal) found = siblings[i];
    }
  };
  if (wanted.size() == 1) try_siblings({container});
  walk(container, [&](const Node& node) {
    if (!found) try_siblings(node.named_children());
    return !found;
  });
  return found;
}

std::string required_name(const Language& language, std::string_view code) {
  const auto fragment = Fragment::parse_any(language, code);
  if (!fragment) return {};
  const auto& tree = fragment->tree();
  CodeEvaluator evaluator(tree);
  std::string longest;
  for (const auto& piece : fragment->nodes()) {
    walk(piece, [&](const Node& node) {
      // A constant may be spelled in other ways.
      if (node.is_extra() || evaluator.evaluate(tree, node)) return false;
      const auto text = node.text(tree.text());
      if (node.child_count() == 0 && node.kind().ends_with("identifier") &&
          text.size() > longest.size())
        longest = text;
      return !has_role(tree, node, Role::kString);
    });
  }
  return longest;
}

}  // namespace portpatch
