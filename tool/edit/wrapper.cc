#include "edit/wrapper.h"

#include <algorithm>

#include <fmt/format.h>

#include "edit/layout.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

/// How many bytes more than TEXT and its captures a wrapper may take that someone has laid out
/// anew.
constexpr std::size_t kMostLayout = 4096;

std::string capture_name(std::string_view name) {
  return fmt::format("portpatch_capture_{}", name);
}

/// TEXT with `mark` at its mark, and `value_of` for other captures.
template <typename ValueOf>
std::expected<std::string, Step> fill(const EditContext& context, std::string_view mark,
                                      ValueOf&& value_of) {
  auto text = expand_captures(
      context.directive.texts[0], [&](std::string_view name) -> std::optional<std::string> {
        if (name == context.directive.capture) return std::string(mark);
        const auto nodes = context.nodes_of(name);
        return nodes.empty() ? std::nullopt : std::optional(value_of(name, nodes[0]));
      });
  if (text) return *text;
  return std::unexpected(Step::blocked(
      "unbound-capture", fmt::format("the match binds no @{}", text.error()),
      "name only captures that every match of the pattern binds", context.node.range()));
}

/// The fragment's node that reads as the mark does.
Node mark_node(const Wrapper& wrapper) {
  Node found;
  const auto& tree = wrapper.fragment.tree();
  for (const auto& node : wrapper.fragment.nodes()) {
    walk(node, [&](const Node& current) {
      if (!found && current.text(tree.text()) == wrapper.mark &&
          !has_role(tree, current, Role::kBlock))
        found = current;
      return !found && !has_role(tree, current, Role::kString);
    });
  }
  return found;
}

/// May anything stand at `node` without parentheses: an argument, an item, a value, a statement?
bool is_open_place(const SourceTree& tree, const Node& node) {
  const auto parent = node.parent();
  return !parent ||
         std::ranges::any_of(std::vector{Role::kArguments, Role::kSequence, Role::kMap,
                                         Role::kEntry, Role::kGroup, Role::kBinding, Role::kBlock},
                             [&](Role role) { return has_role(tree, parent, role); });
}

/// With a mark that is more than a name TEXT is no expression.
std::optional<Fragment> parse_text(const Language& language, const std::string& text,
                                   std::string_view mark) {
  for (const auto* kind : {"expression", "statement"}) {
    if (mark != kMarkName && kind == std::string_view("expression")) continue;
    if (auto fragment = Fragment::parse(language, kind, text)) return std::move(*fragment);
  }
  return std::nullopt;
}

/// What the mark may read as, in the order in which it is tried.
std::vector<std::string> marks_for(const EditContext& context) {
  std::vector<std::string> marks{std::string(kMarkName), fmt::format("{};", kMarkName)};
  const auto& stand_in = context.language().definition_stand_in();
  // Where a name alone is no statement, what stands in for one is a call of it.
  const auto is_definition = [&] {
    const auto parsed = Fragment::parse(context.language(), "statement", stand_in);
    return !parsed || has_role(parsed->tree(), parsed->nodes()[0], Role::kDefine);
  };
  if (!stand_in.empty() && (has_role(context.tree, context.node, Role::kScope) || !is_definition()))
    marks.push_back(stand_in);
  return marks;
}

/// The mark with these forms in its place.
Stand mark_stand(const Wrapper& wrapper, std::vector<std::string> forms) {
  if (wrapper.is_definition)
    return {.leaf = {}, .nodes = {mark_node(wrapper)}, .forms = std::move(forms)};
  return {.leaf = wrapper.mark, .nodes = {}, .forms = std::move(forms)};
}

}  // namespace

std::expected<Wrapper, Step> read_wrapper(const EditContext& context) {
  const auto site = context.node.range();
  const auto& language = context.language();
  std::vector<Stand> captures;
  auto error = Step::blocked("bad-code", "TEXT is no code with its mark and captures filled in",
                             "write it as it would stand in the file", site);
  for (const auto& mark : marks_for(context)) {
    captures.clear();
    const auto text = fill(context, mark, [&](std::string_view name, const Node& node) {
      captures.push_back({capture_name(name), {}, {exact_form(context.tree, node)}});
      return capture_name(name);
    });
    if (!text) return std::unexpected(text.error());
    auto fragment = parse_text(language, *text, mark);
    if (!fragment) continue;
    Wrapper wrapper{
        .fragment = std::move(*fragment), .captures = std::move(captures), .mark = mark};
    const auto& tree = wrapper.fragment.tree();
    auto node = mark_node(wrapper);
    if (!node) {
      error = Step::blocked("bad-mark", "the mark stands inside a string or a comment of TEXT",
                            "put it where code stands", site);
      continue;
    }
    wrapper.is_loose = has_role(tree, wrapper.fragment.nodes()[0], Role::kLoose);
    wrapper.is_tight = !is_open_place(tree, node);
    while (node.parent() && node.parent().text(tree.text()) == mark &&
           !has_role(tree, node.parent(), Role::kBlock))
      node = node.parent();
    const bool is_whole = std::ranges::find(wrapper.fragment.nodes(), node) !=
                          wrapper.fragment.nodes().end();
    if (is_whole && wrapper.fragment.nodes().size() == 1) {
      return std::unexpected(Step::blocked("bad-mark", "TEXT is nothing but its mark",
                                           "write what shall stand around it", site));
    }
    wrapper.is_statement = mark != kMarkName || is_whole ||
                           has_role(tree, node.parent(), Role::kBlock);
    wrapper.is_definition = mark == language.definition_stand_in() && !is_whole &&
                            !has_role(tree, node.parent(), Role::kBlock);
    return wrapper;
  }
  return std::unexpected(std::move(error));
}

Result<CodeLines> wrapper_lines(const EditContext& context, const Wrapper& wrapper,
                                bool parentheses, std::string_view unit) {
  const auto text = fill(context, wrapper.mark, [&](std::string_view, const Node& node) {
    const auto code = std::string(node.text(context.text()));
    return parentheses ? "(" + code + ")" : code;
  });
  if (!text) return failure(text.error().code, text.error().reason, text.error().remedy);
  const auto fragment = parse_text(context.language(), *text, wrapper.mark);
  if (!fragment)
    return failure("bad-code", "TEXT is no code with its captures filled in",
                   "look at what they capture");
  return statement_lines(*fragment, unit);
}

std::string wrapped_form(const Wrapper& wrapper, std::vector<std::string> inner) {
  auto stands = wrapper.captures;
  stands.push_back(mark_stand(wrapper, std::move(inner)));
  return exact_form(wrapper.fragment.tree(), wrapper.fragment.nodes(), stands);
}

Node wrapped_inside(const SourceTree& tree, const Node& node, const Wrapper& wrapper) {
  if (wrapper.fragment.nodes().size() != 1) return {};
  const auto parts_of = [](const SourceTree& of, const Node& around) {
    std::vector<Node> parts;
    for (const auto& child : inside_groups(of, around).children()) {
      if (!child.is_extra()) parts.push_back(child);
    }
    return parts;
  };
  const auto& text = wrapper.fragment.tree();
  const auto mark = mark_node(wrapper).range();
  Node model = wrapper.fragment.nodes()[0], there = node;
  while (model.range() != mark) {
    const auto models = parts_of(text, model), parts = parts_of(tree, there);
    const auto next = std::ranges::find_if(
        models, [&](const Node& part) { return part.range().contains(mark); });
    const auto index = static_cast<std::size_t>(next - models.begin());
    if (next == models.end() || index >= parts.size()) return {};
    model = *next;
    there = parts[index];
  }
  const auto around = wrapped_around(tree, {there}, wrapper);
  return around.size() == 1 && inside_groups(tree, around[0]) == inside_groups(tree, node) ? there
                                                                                           : Node();
}

std::vector<Node> wrapped_around(const SourceTree& tree, const std::vector<Node>& nodes,
                                 const Wrapper& wrapper) {
  const std::string hole = "<hole>";
  auto stands = wrapper.captures;
  stands.push_back(mark_stand(wrapper, {hole}));
  std::vector<std::string> wanted;
  for (const auto& node : wrapper.fragment.nodes())
    wanted.push_back(exact_form(wrapper.fragment.tree(), node, stands));
  const std::size_t marked = std::ranges::find_if(
                                 wanted,
                                 [&](const std::string& form) { return form.contains(hole); }) -
                             wanted.begin();
  const std::vector<Stand> here{{.leaf = {}, .nodes = nodes, .forms = {hole}}};
  const auto size = nodes.back().range().end - nodes.front().range().begin;
  std::size_t most = size + wrapper.fragment.text().size() + kMostLayout;
  for (const auto& capture : wrapper.captures) most += 4 * capture.forms[0].size();
  for (auto around = nodes.front(); around && around.range().size() <= most;
       around = around.parent()) {
    if (exact_form(tree, around, here) != wanted[marked]) continue;
    if (wanted.size() == 1) return {around};
    std::vector<Node> row;
    for (const auto& sibling : around.parent().children()) {
      const bool repeats = std::ranges::find(nodes, sibling) != nodes.end() &&
                           sibling != nodes.front();
      if (!sibling.is_extra() && sibling.is_named() && !repeats) row.push_back(sibling);
    }
    const auto place = static_cast<std::size_t>(std::ranges::find(row, around) - row.begin());
    if (place < marked || place - marked + wanted.size() > row.size()) continue;
    const std::vector<Node> found(
        row.begin() + static_cast<std::ptrdiff_t>(place - marked),
        row.begin() + static_cast<std::ptrdiff_t>(place - marked + wanted.size()));
    if (exact_form(tree, found, here) == join(wanted, ";")) return found;
  }
  return {};
}

}  // namespace portpatch
