#include "edit/rival.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "locate/footprint.h"
#include "syntax/definitions.h"
#include "syntax/fragment.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

constexpr double kLeastLikeness = 0.6;
constexpr std::size_t kLeastTokens = 4;  ///< of a statement: shorter ones are like many others

constexpr std::string_view kRemedy =
    "look at what upstream has now: retire the rule when that will do; when the edit is wanted all "
    "the same, `portpatch refresh` takes upstream as it is for the new base";

/// A statement by its tokens.
struct Statement {
  Bag tokens, sorted;
  std::string name;  ///< of what it defines; may be empty
  ByteRange range;
};

Statement read(const SourceTree& tree, const Node& node) {
  const auto definition = has_role(tree, node, Role::kDefine) ? read_definition(tree, node)
                                                              : std::nullopt;
  Statement statement{.tokens = tokens_of(tree, node),
                      .sorted = {},
                      .name = definition && !definition->is_constant ? definition->name : "",
                      .range = node.range()};
  statement.sorted = statement.tokens;
  std::ranges::sort(statement.sorted);
  return statement;
}

/// The statements of the scope around `node`, those of inner scopes left out; with `inside` of the
/// scope that it is itself.
std::vector<Statement> statements_around(const SourceTree& tree, const Node& node, bool inside) {
  auto scope = inside && has_role(tree, node, Role::kScope)
                   ? node
                   : ancestor_with(tree, node.parent(), Role::kScope);
  if (!scope) scope = tree.root();
  std::vector<Statement> found;
  walk(scope, [&](const Node& one) {
    if (one.is_extra()) return false;
    if (one != scope && one.is_named() && has_role(tree, one.parent(), Role::kBlock))
      found.push_back(read(tree, one));
    return one == scope || !has_role(tree, one, Role::kScope);
  });
  return found;
}

/// Of a version of the file: the statements of the scope in which the rule has a site; none when it
/// has none there.
std::vector<Statement> statements_in(const Rule& rule, const ParsedFile& file,
                                     const std::string& scope) {
  const auto sites = find_sites(rule, file);
  if (!sites) return {};
  for (const auto& site : *sites) {
    if (site.scope != scope || site.captures.empty()) continue;
    const auto& tree = file.readings()[site.reading].tree;
    const bool inside = std::ranges::any_of(
        rule.shapes[site.shape].directives,
        [](const Directive& one) { return one.kind() == DirectiveKind::append; });
    return statements_around(tree, tree.root().smallest_around(site.target), inside);
  }
  return {};
}

/// What the rule inserts at the site, statement by statement.
std::vector<std::pair<Statement, std::string>> inserted(const Rule& rule, const Site& site) {
  std::vector<std::pair<Statement, std::string>> found;
  for (const auto& directive : rule.shapes[site.shape].directives) {
    const auto kind = directive.kind();
    if (kind != DirectiveKind::insert_before && kind != DirectiveKind::insert_after &&
        kind != DirectiveKind::append)
      continue;
    const auto fragment = Fragment::parse(*rule.language, "statement", directive.texts[0]);
    if (!fragment) continue;  // an item of a container
    for (const auto& node : fragment->nodes()) {
      auto statement = read(fragment->tree(), node);
      if (statement.tokens.size() >= kLeastTokens)
        found.emplace_back(std::move(statement), directive.texts[0]);
    }
  }
  return found;
}

/// Those of `some` that read otherwise than all of `others`.
std::vector<Statement> without(std::vector<Statement> some, const std::vector<Statement>& others) {
  std::set<Bag> known;
  for (const auto& other : others) known.insert(other.tokens);
  std::erase_if(some, [&](const Statement& one) { return known.contains(one.tokens); });
  return some;
}

}  // namespace

std::optional<Step> upstream_rival(const Rule& rule, const Site& site, Ownership& ownership) {
  const auto ours = inserted(rule, site);
  if (ours.empty() || rule.locked.empty()) return std::nullopt;
  auto locked = std::ranges::find_if(rule.locked, [&](const LockedSite& one) {
    return one.path == site.path && one.scope == site.scope;
  });
  if (locked == rule.locked.end()) locked = rule.locked.begin();
  const auto now = ownership.upstream_file(*rule.language, site.path);
  if (locked->commit.empty() || !now || !*now || ownership.is_older_than_base(rule))
    return std::nullopt;
  const auto base = ownership.file_at(*rule.language, locked->commit, locked->path);
  if (!base || base->text() == (*now)->text()) return std::nullopt;
  const auto text_now = (*now)->text();
  const auto before = statements_in(rule, *base, locked->scope),
             after = statements_in(rule, **now, site.scope);
  if (before.empty() || after.empty()) return std::nullopt;
  const auto gone = without(before, after), brought = without(after, before);
  for (const auto& [statement, text] : ours) {
    for (const auto& theirs : brought) {
      const auto like = likeness(statement.sorted, theirs.sorted);
      const bool same_name = !statement.name.empty() && statement.name == theirs.name;
      const bool is_old = std::ranges::any_of(gone, [&](const Statement& old) {
        return same_name ? old.name == theirs.name : likeness(old.sorted, theirs.sorted) >= like;
      });
      if ((!same_name && like < kLeastLikeness) || is_old) continue;
      const auto line = line_column(text_now, theirs.range.begin).line;
      auto step = Step::conflict(
          fmt::format(
              "since the base upstream has brought something like it, {} (upstream's line {})",
              like == 1 ? "word for word" : fmt::format("{:.0f} % alike", 100 * like), line),
          text, std::string(theirs.range.of(text_now)), site.target);
      step.code = "alike";
      step.remedy = kRemedy;
      return step;
    }
  }
  return std::nullopt;
}

std::optional<Step> taken_out_upstream(const Rule& rule, const Rule& original, const Site& site,
                                       Ownership& ownership) {
  const auto now = ownership.upstream_text(site.path);
  if (rule.locked.empty() || !now || !*now) return std::nullopt;
  // Words that the edit brings and that neither the base nor upstream's version has.
  std::vector<std::string> words;
  std::string ours;
  for (const auto& directive : rule.shapes[site.shape].directives) {
    for (const auto& text : directive.texts) {
      ours += (ours.empty() ? "" : "\n") + text;
      const auto tree = SourceTree::parse(*rule.language, text);
      if (!tree || directive.texts.size() > 1) continue;  // of several texts some may be what goes
      walk(tree->root(), [&](const Node& node) {
        if (node.is_extra()) return false;
        const auto word = node.text(text);
        if (node.child_count() == 0 && word.size() > 2 && !(*now)->contains(word))
          words.emplace_back(word);
        return true;
      });
    }
  }
  auto info = ownership.held_once(rule, site.path, words);
  if (!info && &rule != &original)
    info = ownership.held_once(original, original.locked[0].path, words);
  if (!info) return std::nullopt;
  auto step = Step::conflict(
      fmt::format("upstream had it since {} and has changed it or taken it out again",
                  describe(*info)),
      ours, "", site.target);
  step.code = "taken-out";
  step.remedy = kRemedy;
  return step;
}

}  // namespace portpatch
