#include "locate/sites.h"

#include <algorithm>
#include <set>

#include "syntax/code_value.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// True when the grammar could not read what stands around the target, or a conditional cuts it.
bool is_doubtful(const ParsedFile& file, const Node& target) {
  // What the variants have masked is seen in the whole text only.
  if (target == file.tree().root() || has_role(file.tree(), target, Role::kConditional))
    return false;
  const auto statement = enclosing_statement(file.tree(), target);
  if (statement.has_error()) return true;
  const auto text = target.text(file.text());
  for (auto at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    if (starts_line(text, at) && at > 0) return file.readings().size() > 1;
  }
  return false;
}

/// Rows such as TABLE[10] = ... that stand in one block are one site: the first row's place stands
/// for all of them. Any other node stands for itself.
ByteRange row_table_place(const SourceTree& tree, const Node& target) {
  const auto row = ancestor_with(tree, target, Role::kRow);
  if (!row || descendant_with(tree, row, Role::kEntryValue).range().contains(target.range()))
    return target.range();
  const auto name = descendant_with(tree, row, Role::kRowTable).text(tree.text());
  for (const auto& sibling : row.parent().children()) {
    if (has_role(tree, sibling, Role::kRow) &&
        descendant_with(tree, sibling, Role::kRowTable).text(tree.text()) == name) {
      return sibling.range();
    }
  }
  return target.range();
}

Site make_site(const ParsedFile& file, std::size_t reading, const Match& match,
               const Node& target) {
  Site site{.path = file.path(),
            .shape = match.pattern,
            .reading = reading,
            .captures = {},
            .target = target.range(),
            .scope = scope_path(file.readings()[reading].tree, target)};
  for (const auto& capture : match.captures) {
    site.captures.push_back(
        {std::string(capture.name), std::string(capture.node.kind()), capture.node.range()});
  }
  return site;
}

}  // namespace

Node enclosing_statement(const SourceTree& tree, const Node& node) {
  Node current = node;
  for (auto parent = current.parent(); parent; parent = current.parent()) {
    if (has_role(tree, parent, Role::kBlock)) return current;
    current = parent;
  }
  return current;
}

Result<std::vector<Site>> find_sites(const Rule& rule, const ParsedFile& file) {
  std::vector<Site> sites;
  std::set<std::pair<ByteRange, bool>> seen;  // target and whether it is a held one
  std::optional<std::size_t> first_shape;
  const auto& readings = file.readings();
  for (std::size_t reading = 0; reading < readings.size(); ++reading) {
    const auto& tree = readings[reading].tree;
    auto matches = rule.query->run(tree, tree.root(), file.path());
    if (!matches) return std::unexpected(matches.error());
    for (const auto& match : *matches) {
      const auto& shape = rule.shapes[match.pattern];
      const auto target = match.find(shape.target());
      if (!target) continue;
      // In the whole text doubtful places are left to the variants, in the variants the others.
      if (reading == 0 && readings.size() > 1 && is_doubtful(file, target)) continue;
      if (reading > 0 && target == tree.root())
        continue;  // the file as a whole: seen in the whole text
      if (!shape.is_held()) {
        if (first_shape && match.pattern > *first_shape) continue;
        first_shape = match.pattern;
      }
      if (!seen.insert({row_table_place(tree, target), shape.is_held()}).second) continue;
      sites.push_back(make_site(file, reading, match, target));
    }
  }
  // A later reading may have matched an earlier shape: only that one counts.
  std::erase_if(sites, [&](const Site& site) {
    return !rule.shapes[site.shape].is_held() && site.shape != first_shape;
  });
  std::ranges::stable_sort(sites, {}, &Site::target);
  return sites;
}

Node node_of(const ParsedFile& file, const Site& site, std::string_view capture) {
  const auto found = std::ranges::find(site.captures, capture, &CapturedNode::name);
  if (found == site.captures.end()) return {};
  return file.readings()[site.reading].tree.node_at(found->range, found->kind);
}

Node kept_node(const Rule& rule, const ParsedFile& file, const Site& site) {
  const auto& shape = rule.shapes[site.shape];
  if (shape.is_held()) return node_of(file, site, shape.held);
  const auto& directive = shape.directives[0];
  const bool is_merge = directive.kind() == DirectiveKind::merge;
  if (!is_merge && (directive.kind() != DirectiveKind::replace || directive.texts.size() != 1))
    return {};
  const auto wanted = is_merge
                          ? std::expected<std::string, std::string>(directive.texts.back())
                          : expand_captures(
                                directive.texts.back(),
                                [&](std::string_view name) -> std::optional<std::string> {
                                  const auto node = node_of(file, site, name);
                                  return node ? std::optional(std::string(node.text(file.text())))
                                              : std::nullopt;
                                });
  if (!wanted) return {};
  const auto fragment = Fragment::parse_any(*rule.language, *wanted);
  if (!fragment) return {};
  const auto& tree = file.readings()[site.reading].tree;
  const auto node = node_of(file, site, directive.capture);
  CodeEvaluator evaluator(tree);
  return evaluator.canonical(tree, node) == evaluator.canonical(*fragment) ? node : Node();
}

bool passes_prefilter(const Rule& rule, std::string_view text) {
  if (rule.prefilter.empty()) return true;
  return std::ranges::any_of(rule.prefilter, [&](const auto& groups) {
    return std::ranges::all_of(groups, [&](const auto& group) {
      return std::ranges::any_of(group,
                                 [&](const auto& literal) { return literal.occurs_in(text); });
    });
  });
}

}  // namespace portpatch
