#include "edit/plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "edit/verify.h"

namespace portpatch {

namespace {

/// A rule's directives may build on one another; more rounds than this means that they undo each
/// other's work.
constexpr int kMostPasses = 64;

int badness(Step::Kind kind) {
  return static_cast<int>(kind);
}  // kHolds < kEdit < kConflict < kBlocked

std::vector<Node> nodes_of(const ParsedFile& file, const Site& site, std::string_view capture) {
  std::vector<Node> nodes;
  for (const auto& one : site.captures) {
    if (one.name != capture) continue;
    if (const auto node = file.readings()[site.reading].tree.node_at(one.range, one.kind))
      nodes.push_back(node);
  }
  return nodes;
}

Step syntax_error_step(const ParsedFile& file, const Site& site) {
  const auto& tree = file.readings()[site.reading].tree;
  const auto statement = enclosing_statement(tree, tree.root().smallest_around(site.target));
  // Only what stands in a block can be judged alone; the root's errors are everyone's.
  if (!statement.has_error() || statement == tree.root()) return Step::holds(site.target);
  const auto errors = error_nodes(statement);
  return Step::blocked("syntax-error", "the statement around it has a syntax error",
                       "mend the file, or edit it by hand",
                       errors.empty() ? statement.range() : errors[0].range());
}

/// What gives names comes before what uses them, and goes behind it: where edits touch, the later
/// ones wait for the next pass.
std::vector<const Directive*> in_order_of_names(const std::vector<Directive>& directives,
                                                Direction direction) {
  std::vector<const Directive*> order;
  for (const auto& one : directives) order.push_back(&one);
  std::ranges::stable_partition(order, [&](const Directive* one) {
    return one->info->gives_names() == (direction == Direction::kApply);
  });
  return order;
}

/// All directives of one site; edits of the ones that want some.
std::vector<Step> plan_site(const Rule& rule, const ParsedFile& file, const Site& site,
                            Direction direction) {
  const auto& shape = rule.shapes[site.shape];
  if (shape.is_held()) {
    if (direction == Direction::kApply) return {Step::holds(site.target)};
    return {Step::blocked("not-invertible", "the rule does not say what stood there before", "",
                          site.target)};
  }
  if (auto step = syntax_error_step(file, site); step.kind != Step::Kind::kHolds)
    return {std::move(step)};
  std::vector<Step> steps;
  for (const auto* one : in_order_of_names(shape.directives, direction)) {
    const auto& directive = *one;
    const auto nodes = nodes_of(file, site, directive.capture);
    if (nodes.empty()) {
      steps.push_back(
          Step::blocked("unbound-capture", fmt::format("the match binds no @{}", directive.capture),
                        "use only captures that every match of the pattern binds", site.target));
      continue;
    }
    const EditContext context{
        .tree = file.readings()[site.reading].tree,
        .rule = rule,
        .directive = directive,
        .node = nodes[0],
        .nodes_of = [&](std::string_view name) { return nodes_of(file, site, name); },
        .is_stable = [&](ByteRange range,
                         ByteRange around) { return file.is_unconditional(range, around); },
        .is_target = nodes[0].range() == site.target,
        .file = file};
    steps.push_back(plan_directive(context, direction));
  }
  return steps;
}

/// One pass over a file: a plan for each site and the edits that can be made together.
struct Pass {
  std::vector<SitePlan> sites;
  PlannedEdits planned;
  bool deferred = false;
};

/// The same edits, with whole lines put in front of the next line rather than in front of a CRLF:
/// some grammars take the carriage return for part of the comment that it follows.
void put_behind_line_ends(std::string_view text, std::vector<TextEdit>& edits) {
  constexpr std::string_view kBreak = "\r\n";
  for (auto& edit : edits) {
    if (!edit.range.empty() || !edit.text.starts_with(kBreak) ||
        !text.substr(edit.range.begin).starts_with(kBreak))
      continue;
    edit.range = {edit.range.begin + kBreak.size(), edit.range.end + kBreak.size()};
    edit.text = edit.text.substr(kBreak.size()) + std::string(kBreak);
  }
}

bool fits_beside(const std::vector<TextEdit>& taken, const std::vector<TextEdit>& more) {
  return std::ranges::none_of(more, [&](const TextEdit& one) {
    return std::ranges::any_of(taken, [&](const TextEdit& other) {
      return one.range.begin <= other.range.end && other.range.begin <= one.range.end;
    });
  });
}

Pass plan_pass(const Rule& rule, const ParsedFile& file, const std::vector<Site>& sites,
               Direction direction) {
  Pass pass;
  for (const auto& site : sites) {
    auto steps = plan_site(rule, file, site, direction);
    for (auto& step : steps) {
      if (step.kind != Step::Kind::kEdit) continue;
      if (!step.becomes) put_behind_line_ends(file.text(), step.edits);
      std::ranges::sort(step.edits);
      if (!fits_beside(pass.planned.edits, step.edits)) {
        pass.deferred = true;
        continue;
      }
      pass.planned.edits.insert(pass.planned.edits.end(), step.edits.begin(), step.edits.end());
      pass.planned.allowed.push_back(
          {step.parent, step.inside_token, step.becomes, step.drops_comments});
      for (const auto parent : step.more_parents)
        pass.planned.allowed.push_back({.parent = parent});
      pass.planned.takes_names |= step.takes_names;
      pass.deferred |= step.unfinished;
      pass.planned.readings.push_back(site.reading);
    }
    auto worst = std::ranges::max_element(steps, {},
                                          [](const Step& step) { return badness(step.kind); });
    SitePlan plan{.site = site, .step = std::move(*worst)};
    if (plan.step.kind == Step::Kind::kConflict &&
        rule.settings.on_conflict == OnConflict::kKeepUpstream) {
      plan.step.kind = Step::Kind::kHolds;
      plan.upstream_kept = true;
    }
    pass.sites.push_back(std::move(plan));
  }
  std::ranges::sort(pass.planned.edits);
  return pass;
}

bool is_settled(const std::vector<SitePlan>& sites) {
  return std::ranges::all_of(
      sites, [](const SitePlan& plan) { return plan.step.kind == Step::Kind::kHolds; });
}

bool has_problem(const std::vector<SitePlan>& sites) {
  return std::ranges::any_of(sites, [](const SitePlan& plan) {
    return badness(plan.step.kind) > badness(Step::Kind::kEdit);
  });
}

void block_edited(FilePlan& plan, const Diagnostic& why) {
  plan.text.reset();
  for (auto& site : plan.sites) {
    if (site.step.kind == Step::Kind::kEdit) site.step = Step::blocked(why, site.site.target);
  }
}

Diagnostic gone_after_edit(const Rule& rule, Direction direction, std::size_t before,
                           std::size_t after) {
  const bool apply = direction == Direction::kApply;
  return {
      .code = "not-found-again",
      .message = fmt::format("after the edit the rule matches {} places instead of {}", after,
                             before),
      .remedy = apply
                    ? fmt::format(
                          "give {} a pattern with #held! that says how the place looks afterwards",
                          rule.path)
                    : "take it back by hand, or with `portpatch undo`"};
}

}  // namespace

std::vector<SitePlan> plan_sites(const Rule& rule, const ParsedFile& file,
                                 const std::vector<Site>& sites, Direction direction) {
  return plan_pass(rule, file, sites, direction).sites;
}

Result<FilePlan> plan_file(const Rule& rule, const ParsedFile& file, const std::vector<Site>& sites,
                           Direction direction, const SiteFinder& find_again) {
  auto pass = plan_pass(rule, file, sites, direction);
  FilePlan result{.sites = pass.sites, .text = std::nullopt};
  if (is_settled(result.sites) || has_problem(result.sites)) return result;
  std::optional<ParsedFile> current;
  const ParsedFile* before = &file;
  for (int passes = 0; !is_settled(pass.sites); ++passes) {
    if (passes == kMostPasses) {
      block_edited(result, {.code = "never-holds",
                            .message = "the rule's directives undo each other's work",
                            .remedy = "split the rule, or remove one of them"});
      return result;
    }
    auto text = apply_edits(before->text(), pass.planned.edits);
    auto after = ParsedFile::parse(file.language(), file.path(), std::move(text));
    if (!after) return std::unexpected(after.error());
    if (const auto why = objection(*before, *after, pass.planned, rule)) {
      block_edited(result, *why);
      return result;
    }
    auto again = find_again(rule, *after);
    if (!again) return std::unexpected(again.error());
    if (again->size() != sites.size()) {
      block_edited(result, gone_after_edit(rule, direction, sites.size(), again->size()));
      return result;
    }
    const bool all_made = !pass.deferred;
    pass = plan_pass(rule, *after, *again, direction);
    current = std::move(*after);
    before = &*current;
    if (has_problem(pass.sites)) {
      const auto bad = std::ranges::max_element(
          pass.sites, {}, [](const SitePlan& one) { return badness(one.step.kind); });
      block_edited(result, {.code = "never-holds",
                            .message = fmt::format("after the edit the rule does not hold: {}",
                                                   bad->step.reason),
                            .remedy = "look at the rule's text"});
      return result;
    }
    // Every edit that was wanted has been made: one that is wanted still did not do what it says.
    if (all_made && !is_settled(pass.sites)) {
      block_edited(result, {.code = "never-holds",
                            .message = "after the edit the rule still wants one",
                            .remedy = "look at the rule's text, or edit this place by hand"});
      return result;
    }
  }
  result.text = std::string(before->text());
  return result;
}

}  // namespace portpatch
