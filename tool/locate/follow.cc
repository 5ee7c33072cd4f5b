#include "locate/follow.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

#include "locate/rewrite.h"
#include "syntax/imports.h"

namespace portpatch {

namespace {

using How = LocatedRule::How;

/// The modules from which the rule's directives import.
std::set<std::string> imported_modules(const Rule& rule) {
  std::set<std::string> modules;
  for (const auto& shape : rule.shapes) {
    for (const auto& directive : shape.directives) {
      if (directive.kind() != DirectiveKind::ensure_import) continue;
      const auto fragment = Fragment::parse(*rule.language, "statement", directive.texts[0]);
      const auto imports = fragment ? imports_of_text(*fragment) : std::nullopt;
      for (const auto& import : imports.value_or(std::vector<ImportStatement>())) {
        if (import.is_from)
          modules.insert(import.module);
        else if (import.names[0].has_alias)
          modules.insert(import.names[0].name);
      }
    }
  }
  return modules;
}

/// The source of a rule with another module in its imports.
std::string with_module(std::string source, const std::string& from, const std::string& to) {
  constexpr std::string_view kDirective = "#ensure-import!";
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
  };
  for (auto at = source.find(kDirective); at != std::string::npos;
       at = source.find(kDirective, at + 1)) {
    const auto found = source.find(from, at);
    const bool is_whole = found != std::string::npos && !is_part(source[found - 1]) &&
                          (found + from.size() == source.size() ||
                           !is_part(source[found + from.size()]));
    if (is_whole && source.find(')', at) > found) source.replace(found, from.size(), to);
  }
  return source;
}

}  // namespace

void Follower::follow(LocatedRule& located) {
  const auto& rule = *located.rule;
  if (rule.locked.empty() || !rule.settings.expect.is_number() || located.how == How::kByScan)
    return;
  std::vector<Footprint> places;
  if (!trace_absent_sites(located, places)) return;
  const auto all_are = [&](auto&& fits) { return std::ranges::all_of(located.traces, fits); };
  if (all_are([](const Trace& trace) { return trace.verdict == Trace::Verdict::kCertain; })) {
    settle(located, places);
  } else if (located.how == How::kMiscount && places.empty() &&
             all_are([](const Trace& trace) { return trace.verdict == Trace::Verdict::kGone; })) {
    located.how = How::kNamesake;  // it is gone; that others have its name says nothing
  }
}

/// Traces the locked sites that are not in place; `places` are those of all of them. False when
/// there is nothing to trace, or it failed.
bool Follower::trace_absent_sites(LocatedRule& located, std::vector<Footprint>& places) {
  const auto& rule = *located.rule;
  std::vector<bool> taken(located.sites.size());
  std::vector<std::size_t> absent;
  for (std::size_t i = 0; i < rule.locked.size(); ++i) {
    const auto& locked = rule.locked[i];
    std::size_t k = 0;
    while (k < located.sites.size() && (taken[k] || located.sites[k].path != locked.path ||
                                        located.sites[k].scope != locked.scope))
      ++k;
    if (k == located.sites.size()) {
      absent.push_back(i);
      continue;
    }
    taken[k] = true;
    const auto& site = located.sites[k];
    places.push_back({.path = site.path,
                      .scope = site.scope,
                      .name = {},
                      .kind = {},
                      .range = site.target,
                      .reading = site.reading,
                      .items = {},
                      .keys = {},
                      .tokens = {},
                      .around = {}});
  }
  for (const auto i : absent) {
    auto trace = trace_of(rule, i);
    if (trace.verdict == Trace::Verdict::kCertain) places.push_back(trace.place);
    located.traces.push_back(std::move(trace));
  }
  return !absent.empty();
}

Trace Follower::trace_of(const Rule& rule, std::size_t index) {
  if (!tracer_) tracer_.emplace(tree_, store_, memory_);
  auto trace = tracer_->follow(rule, index);
  if (trace) return std::move(*trace);
  Trace failed;
  failed.unknown.push_back(trace.error().message);
  return failed;
}

void Follower::confirm(LocatedRule& located) {
  std::vector<Footprint> places;
  std::vector<Trace> traces;
  bool is_elsewhere = false;
  for (std::size_t i = 0; i < located.rule->locked.size(); ++i) {
    auto trace = trace_of(*located.rule, i);
    const bool is_certain = trace.verdict == Trace::Verdict::kCertain;
    // Without the history nothing speaks against what the query says.
    if (!is_certain && !trace.unknown.empty()) return;
    is_elsewhere |= !is_certain || std::ranges::none_of(located.sites, [&](const Site& site) {
      return site.path == trace.place.path && site.target.overlaps(trace.place.range);
    });
    if (is_certain) places.push_back(trace.place);
    traces.push_back(std::move(trace));
  }
  if (!is_elsewhere) return;
  located.traces = std::move(traces);
  if (places.size() == located.traces.size())
    settle(located, places);
  else
    located.how = How::kNamesake;
}

void Follower::carry_renames(LocatedRule& located) {
  const auto& rule = *located.rule;
  if (rule.locked.empty() || !located.is_found() || located.rewritten) return;
  auto source = rule.source;
  for (const auto& module : imported_modules(rule)) {
    for (const auto& site : located.sites) {
      const auto now = store_.file(*rule.language, site.path);
      if (!now || !*now || (*now)->text().contains(module)) continue;
      if (!tracer_) tracer_.emplace(tree_, store_, memory_);
      const auto locked = std::ranges::find(rule.locked, site.path, &LockedSite::path);
      const auto index = locked == rule.locked.end()
                             ? 0
                             : static_cast<std::size_t>(locked - rule.locked.begin());
      const auto to = tracer_->module_now(rule, index, module);
      if (to != module) source = with_module(std::move(source), module, to);
    }
  }
  if (source == rule.source) return;
  auto rewritten = with_source(rule, std::move(source), located.pack->folder);
  if (!rewritten) return;
  located.rewritten = std::make_shared<const Rule>(std::move(*rewritten));
  located.rule = located.rewritten.get();
  located.how = How::kMoved;
}

/// All places are known: finds the rule's sites there, with a rewritten query if need be.
void Follower::settle(LocatedRule& located, const std::vector<Footprint>& places) {
  const auto give_up = [&](std::string why) {
    located.how = How::kNoQuery;
    located.failure = std::move(why);
    located.sites.clear();
  };
  for (const auto& place : places) {
    if (place.kind.empty()) continue;  // matched in place
    const auto file = store_.file(*located.rule->language, place.path);
    if (!file || !*file)
      return give_up(file ? fmt::format("{} is not there", place.path) : file.error().message);
    auto rewritten = rewrite_rule(*located.rule, located.pack->folder, **file, place);
    if (!rewritten) return give_up(rewritten.error().message);
    if (!*rewritten) continue;
    located.rewritten = std::make_shared<const Rule>(std::move(**rewritten));
    located.rule = located.rewritten.get();
  }
  std::map<std::string, std::size_t> wanted;
  for (const auto& place : places) ++wanted[place.path];
  std::vector<Site> sites;
  bool exact = true;
  for (const auto& [path, count] : wanted) {
    const auto file = store_.file(*located.rule->language, path);
    auto here = file && *file ? find_sites(*located.rule, **file)
                              : Result<std::vector<Site>>(std::vector<Site>());
    if (!here) return give_up(here.error().message);
    exact &= here->size() == count;
    std::ranges::move(*here, std::back_inserter(sites));
  }
  located.sites = std::move(sites);
  located.how = !exact ? How::kMiscount : located.rewritten ? How::kMoved : How::kFollowed;
}

}  // namespace portpatch
