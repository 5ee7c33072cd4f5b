#include "edit/plan_tree.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "syntax/code_value.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

using How = LocatedRule::How;

class Planner {
 public:
  Planner(const LocateResult& located, FileStore& store, const PlanOptions& options)
      : located_(located.rules), store_(store), options_(options) {}

  Result<TreePlan> plan() {
    plan_.rules.resize(located_.size());
    for (std::size_t i = 0; i < located_.size(); ++i) {
      if (auto error = look_at(i)) return std::unexpected(*error);
    }
    for (std::size_t i = 0; i < located_.size(); ++i) {
      if (options_.direction == Direction::kRevert && waits_for_others(i)) look_behind_others(i);
    }
    refuse_broken_groups();
    // A rule that is refused while the texts are written can break its group: write again without.
    for (;;) {
      const auto before = refused_count();
      if (auto error = write_texts()) return std::unexpected(*error);
      refuse_broken_groups();
      if (refused_count() == before) break;
    }
    return std::move(plan_);
  }

 private:
  const Rule& rule(std::size_t i) const { return *located_[i].rule; }

  /// Plans rule `i` alone on the files as they are.
  std::optional<Diagnostic> look_at(std::size_t i) {
    auto& mine = plan_.rules[i];
    if (!located_[i].is_found()) return std::nullopt;
    for (const auto& [path, sites] : sites_by_path(i)) {
      const auto file = store_.file(*rule(i).language, path);
      if (!file) return file.error();
      auto one = plan_file(rule(i), **file, sites, options_.direction);
      if (!one) return one.error();
      mine.sites.insert(mine.sites.end(), one->sites.begin(), one->sites.end());
    }
    for (auto& site : mine.sites) {
      const bool is_asked = site.step.kind == Step::Kind::kEdit && options_.objection &&
                            rule(i).settings.on_conflict != OnConflict::kOverride;
      auto against = is_asked ? options_.objection(located_[i], site.site) : std::nullopt;
      if (!against) continue;
      site.upstream_kept = against->kind == Step::Kind::kConflict &&
                           rule(i).settings.on_conflict == OnConflict::kKeepUpstream;
      site.step = site.upstream_kept ? Step::holds(against->place) : std::move(*against);
    }
    for (auto& site : mine.sites) {
      if (options_.originals.contains(site.site.path) && site.step.kind != Step::Kind::kHolds)
        site.step = Step::edit({}, site.site.target);
    }
    if (options_.left_alone.contains(i)) {
      for (auto& site : mine.sites) site.step = Step::holds(site.site.target);
    }
    const auto any = [&](Step::Kind kind) {
      return std::ranges::any_of(mine.sites,
                                 [&](const SitePlan& site) { return site.step.kind == kind; });
    };
    mine.is_wanted = any(Step::Kind::kEdit) && !any(Step::Kind::kConflict) &&
                     !any(Step::Kind::kBlocked);
    return std::nullopt;
  }

  /// Is nothing in the rule's way but uses of the names that it takes away?
  bool waits_for_others(std::size_t i) const {
    bool waits = false;
    for (const auto& site : plan_.rules[i].sites) {
      if (site.step.kind == Step::Kind::kConflict ||
          (site.step.kind == Step::Kind::kBlocked && site.step.code != "still-used"))
        return false;
      waits |= site.step.kind == Step::Kind::kBlocked;
    }
    return waits;
  }

  /// Plans rule `i` on the files without the edits of the other rules: what uses its names may go
  /// in the same run, before it.
  void look_behind_others(std::size_t i) {
    auto planned = plan_.rules[i].sites;
    for (const auto& [path, sites] : sites_by_path(i)) {
      const auto file = store_.file(*rule(i).language, path);
      const auto plan = file ? plan_without_others(**file, i) : std::nullopt;
      if (!plan || plan->sites.size() != sites.size()) return;
      auto step = plan->sites.begin();
      for (auto& site : planned) {
        if (site.site.path == path) site.step = (step++)->step;
      }
    }
    const bool is_free = std::ranges::all_of(planned, [](const SitePlan& site) {
      return site.step.kind == Step::Kind::kEdit || site.step.kind == Step::Kind::kHolds;
    });
    if (!is_free) return;
    plan_.rules[i].sites = std::move(planned);
    plan_.rules[i].is_wanted = true;
    late_.insert(i);
  }

  std::optional<FilePlan> plan_without_others(const ParsedFile& file, std::size_t i) {
    std::optional<ParsedFile> current;
    const auto now = [&]() -> const ParsedFile& { return current ? *current : file; };
    for (std::size_t other = 0; other < located_.size(); ++other) {
      if (other == i || !plan_.rules[other].is_wanted || !may_write(other) ||
          rule(other).language != rule(i).language || !sites_by_path(other).contains(file.path()))
        continue;
      const auto sites = find_sites(rule(other), now());
      const auto plan = sites ? plan_file(rule(other), now(), *sites, options_.direction)
                              : std::unexpected(sites.error());
      if (!plan || !plan->text) continue;
      auto after = ParsedFile::parse(file.language(), file.path(), *plan->text);
      if (after) current = std::move(*after);
    }
    const auto sites = find_sites(rule(i), now());
    if (!sites) return std::nullopt;
    auto plan = plan_file(rule(i), now(), *sites, options_.direction);
    return plan ? std::optional(std::move(*plan)) : std::nullopt;
  }

  std::map<std::string, std::vector<Site>> sites_by_path(std::size_t i) const {
    std::map<std::string, std::vector<Site>> by_path;
    for (const auto& site : located_[i].sites) by_path[site.path].push_back(site);
    return by_path;
  }

  bool has_settled(std::size_t i) const {
    const auto& mine = plan_.rules[i];
    return located_[i].is_found() && may_write(i) &&
           std::ranges::all_of(mine.sites, [](const SitePlan& site) {
             return site.step.kind == Step::Kind::kEdit || site.step.kind == Step::Kind::kHolds;
           });
  }

  bool may_write(std::size_t i) const { return !located_[i].asks(options_.accept_moves); }

  std::string group_of(std::size_t i) const {
    if (options_.all_or_nothing) return "the whole run (--all-or-nothing)";
    const auto& group = rule(i).settings.group;
    return group.empty() ? "" : fmt::format("group `{}` of {}", group, located_[i].pack->path);
  }

  std::size_t refused_count() const {
    return std::ranges::count_if(plan_.rules,
                                 [](const RulePlan& one) { return !one.refused.empty(); });
  }

  /// A group stands or falls together.
  void refuse_broken_groups() {
    std::map<std::string, std::size_t> broken;  // group, and the rule that broke it
    for (std::size_t i = 0; i < located_.size(); ++i) {
      const auto group = group_of(i);
      if (!group.empty() && (!has_settled(i) || !plan_.rules[i].refused.empty()))
        broken.emplace(group, i);
    }
    for (std::size_t i = 0; i < located_.size(); ++i) {
      const auto found = broken.find(group_of(i));
      auto& mine = plan_.rules[i];
      if (found == broken.end() || found->second == i || !mine.is_wanted || !mine.refused.empty())
        continue;
      mine.refused = fmt::format("{} {}, and {} stands or falls together", rule(found->second).name,
                                 trouble_of(found->second), found->first);
    }
  }

  std::string_view trouble_of(std::size_t i) const {
    switch (located_[i].how) {
      case How::kNowhere:
        return "is lost";
      case How::kMiscount:
        return "is ambiguous";
      case How::kNamesake:
        return "is lost";
      case How::kNoQuery:
        return "has moved";
      case How::kFollowed:
      case How::kMoved:
        if (!may_write(i)) return "has moved";
        break;
      default:
        break;
    }
    const bool conflict = std::ranges::any_of(plan_.rules[i].sites, [](const SitePlan& site) {
      return site.step.kind == Step::Kind::kConflict;
    });
    return conflict ? "is in conflict" : "is blocked";
  }

  /// Takes every file with wanted edits through its rules in order.
  std::optional<Diagnostic> write_texts() {
    plan_.texts.clear();
    std::map<std::pair<std::string, const Language*>, std::vector<std::size_t>> rules_of;
    for (std::size_t i = 0; i < located_.size(); ++i) {
      auto& mine = plan_.rules[i];
      mine.is_written = mine.is_wanted && mine.refused.empty() && may_write(i);
      for (const auto& [path, sites] : sites_by_path(i)) {
        if (mine.is_written) rules_of[{path, rule(i).language}].push_back(i);
      }
    }
    for (auto& [key, rules] : rules_of) {
      if (const auto original = options_.originals.find(key.first);
          original != options_.originals.end()) {
        take_back_whole(original->first, original->second, rules);
        continue;
      }
      std::ranges::stable_partition(rules, [&](std::size_t i) { return !late_.contains(i); });
      const auto file = store_.file(*key.second, key.first);
      if (!file) return file.error();
      if (auto error = write_file(**file, rules)) return error;
      refuse_without_names(key.first, *key.second, rules);
    }
    return std::nullopt;
  }

  /// All rules of the file go, or none.
  void take_back_whole(const std::string& path, const std::string& text,
                       const std::vector<std::size_t>& rules) {
    for (std::size_t i = 0; i < located_.size(); ++i) {
      const bool stays = plan_.rules[i].is_wanted && !plan_.rules[i].is_written &&
                         sites_by_path(i).contains(path);
      if (!stays) continue;
      for (const auto other : rules)
        refuse(other, fmt::format("{} stays in {}, which can only be taken back as a whole",
                                  rule(i).name, path));
      return;
    }
    plan_.texts[path] = text;
  }

  /// A rule takes names for granted that another one brings: into the same file, not into another
  /// where it stands by now.
  void refuse_without_names(const std::string& path, const Language& language,
                            const std::vector<std::size_t>& rules) {
    const auto text = plan_.texts.find(path);
    if (text == plan_.texts.end() || !language.checks_names() ||
        options_.direction == Direction::kRevert)
      return;
    const auto tree = SourceTree::parse(language, text->second);
    for (const auto i : rules) {
      for (const auto& name : rule(i).settings.names) {
        if (!tree || !definitions_of(*tree, name).empty()) continue;
        const auto bringer = std::ranges::find_if(located_, [&](const LocatedRule& other) {
          return other.pack == located_[i].pack && brings(*other.rule, name);
        });
        if (bringer == located_.end()) continue;
        const auto there = bringer->sites.empty() ? std::string("a file that it does not find")
                                                  : bringer->sites[0].path;
        refuse(i, fmt::format("`{}`, which the edit in {} uses, is brought by {} into {}", name,
                              path, bringer->rule->name, there));
      }
    }
  }

  /// Does a text of the rule define the name?
  static bool brings(const Rule& rule, const std::string& name) {
    return std::ranges::any_of(rule.shapes, [&](const Shape& shape) {
      return std::ranges::any_of(shape.directives, [&](const Directive& directive) {
        return std::ranges::any_of(directive.texts, [&](const std::string& code) {
          const auto tree = code.contains(name) ? SourceTree::parse(*rule.language, code)
                                                : Result<SourceTree>(failure("", ""));
          return tree && !definitions_of(*tree, name).empty();
        });
      });
    });
  }

  std::optional<Diagnostic> write_file(const ParsedFile& original,
                                       const std::vector<std::size_t>& rules) {
    std::optional<ParsedFile> current;
    std::vector<std::size_t> written;
    for (const auto i : rules) {
      const ParsedFile& before = current ? *current : original;
      auto next = step(before, i);
      if (!next) return next.error();
      if (!plan_.rules[i].refused.empty()) {
        name_rival(original, written, i);
        return std::nullopt;
      }
      if (!*next) continue;
      auto after = ParsedFile::parse(original.language(), original.path(), std::move(**next));
      if (!after) return after.error();
      // Every rule that was written before must still hold, or the two fight over the place.
      for (const auto other : written) {
        if (holds(*after, other)) continue;
        refuse(i,
               fmt::format("it and {} change the same place in different ways", rule(other).name));
        refuse(other,
               fmt::format("it and {} change the same place in different ways", rule(i).name));
        return std::nullopt;
      }
      written.push_back(i);
      current = std::move(*after);
    }
    if (current) plan_.texts[original.path()] = std::string(current->text());
    return std::nullopt;
  }

  /// Rule `i` cannot be applied behind the rules of `written`: the one that already stops it alone
  /// is refused with it.
  void name_rival(const ParsedFile& original, const std::vector<std::size_t>& written,
                  std::size_t i) {
    for (const auto other : written) {
      const auto sites = find_sites(rule(other), original);
      const auto plan = sites ? plan_file(rule(other), original, *sites, options_.direction)
                              : std::unexpected(sites.error());
      if (!plan || !plan->text) continue;
      const auto after = ParsedFile::parse(original.language(), original.path(), *plan->text);
      if (!after || !is_stopped(*after, i)) continue;
      plan_.rules[i].refused = fmt::format("it and {} change the same place in different ways",
                                           rule(other).name);
      refuse(other, fmt::format("it and {} change the same place in different ways", rule(i).name));
      return;
    }
  }

  bool is_stopped(const ParsedFile& file, std::size_t i) {
    const auto sites = find_sites(rule(i), file);
    const auto plan = sites ? plan_file(rule(i), file, *sites, options_.direction)
                            : std::unexpected(sites.error());
    return !plan || std::ranges::any_of(plan->sites, [](const SitePlan& site) {
      return site.step.kind == Step::Kind::kConflict || site.step.kind == Step::Kind::kBlocked;
    });
  }

  void refuse(std::size_t i, std::string why) {
    if (plan_.rules[i].refused.empty()) plan_.rules[i].refused = std::move(why);
  }

  /// The text after rule `i`; nothing when it wants no edit there or was refused.
  Result<std::optional<std::string>> step(const ParsedFile& before, std::size_t i) {
    auto sites = find_sites(rule(i), before);
    if (!sites) return std::unexpected(sites.error());
    auto plan = plan_file(rule(i), before, *sites, options_.direction);
    if (!plan) return std::unexpected(plan.error());
    const auto bad = std::ranges::find_if(plan->sites, [](const SitePlan& site) {
      return site.step.kind == Step::Kind::kConflict || site.step.kind == Step::Kind::kBlocked;
    });
    if (bad != plan->sites.end()) {
      refuse(i, fmt::format("another rule's edit stands in its way: {}", bad->step.reason));
      return std::nullopt;
    }
    return plan->text;
  }

  bool holds(const ParsedFile& file, std::size_t i) {
    const auto sites = find_sites(rule(i), file);
    if (!sites || sites->size() != sites_by_path(i)[file.path()].size()) return false;
    const auto plan = plan_file(rule(i), file, *sites, options_.direction);
    return plan && std::ranges::all_of(plan->sites, [](const SitePlan& site) {
             return site.step.kind == Step::Kind::kHolds;
           });
  }

  const std::vector<LocatedRule>& located_;
  FileStore& store_;
  const PlanOptions& options_;
  TreePlan plan_;
  std::set<std::size_t> late_;  ///< rules that go behind those that use their names
};

}  // namespace

Result<TreePlan> plan_tree(const LocateResult& located, FileStore& store,
                           const PlanOptions& options) {
  return Planner(located, store, options).plan();
}

}  // namespace portpatch
