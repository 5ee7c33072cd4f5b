#include "locate/copy_match.h"

#include <algorithm>

#include "base/literal_finder.h"
#include "locate/place_index.h"
#include "syntax/fragment.h"

namespace portpatch {

namespace {

constexpr double kLeastContent = 0.5;  ///< of a candidate without the name
constexpr double kSureContent = 0.7;   ///< of a certain answer

/// What the copy says of the place. The name is what the rule asks for.
std::optional<Footprint> print_of_copy(const Rule& rule, const LockedSite& locked) {
  const auto fragment = Fragment::parse_any(*rule.language, locked.text);
  if (!fragment || fragment->nodes().size() != 1) return std::nullopt;
  auto file = ParsedFile::parse(*rule.language, locked.path, std::string(fragment->tree().text()));
  if (!file) return std::nullopt;
  const auto& node = fragment->nodes()[0];
  auto print = footprint_of(*file, 0, file->tree().node_at(node.range(), node.kind()));
  print.scope = locked.scope;
  print.around.reset();
  print.before = print.behind = 0;
  print.name.clear();
  for (const auto& shape : rule.shapes) {
    // A literal that is no part of the scope is the name.
    for (const auto& group : shape.literals) {
      for (const auto& literal : group) {
        if (print.name.empty() && !locked.scope.contains(literal)) print.name = literal;
      }
    }
  }
  return print;
}

}  // namespace

Result<Trace> match_copy(const WorkTree& tree, FileStore& store, const Rule& rule,
                         const LockedSite& locked, const std::string& why) {
  Trace trace;
  trace.unknown.push_back("its history: " + why + "; the copy in pack.lock was looked for");
  auto like = print_of_copy(rule, locked);
  if (!like) return trace;
  trace.base = *like;
  const auto files = list_tree(tree);
  if (!files) return std::unexpected(files.error());
  auto reader = TreeReader::open(tree, kMaxSourceBytes);
  if (!reader) return std::unexpected(reader.error());
  const LiteralFinder name{std::string(last_part(like->name))};
  std::vector<Survivor> found;
  for (const auto& file : *files) {
    if (!rule.language->owns(file.path)) continue;
    const auto text = reader->read(file);
    if (!text) {
      trace.unknown.push_back(file.path + ": " + text.error().message);
      continue;
    }
    if (name.literal().empty() || !name.occurs_in(*text)) continue;
    const auto parsed = store.file(*rule.language, file.path);
    if (!parsed) trace.unknown.push_back(file.path + ": " + parsed.error().message);
    if (!parsed || !*parsed) continue;
    for (auto& place : PlaceIndex(*parsed).similar_places(*like, kLeastContent)) {
      auto evidence = compare(*like, place, 0);
      if (evidence.score >= kShownScore) found.push_back({std::move(place), std::move(evidence)});
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [](const Survivor& survivor) { return survivor.evidence.score; });
  const auto has_name = [&](const Survivor& survivor) {
    return last_part(survivor.place.name) == last_part(like->name);
  };
  const bool alone = std::ranges::count_if(found, has_name) == 1;
  if (!found.empty() && alone && has_name(found[0]) &&
      share_of(like->items, found[0].place.items) >= kSureContent) {
    trace.verdict = Trace::Verdict::kCertain;
    trace.place = found[0].place;
    trace.hops.push_back({.commit = std::nullopt,
                          .from = *like,
                          .to = found[0].place,
                          .evidence = found[0].evidence,
                          .margin = found[0].evidence.score});
    return trace;
  }
  constexpr std::size_t kShown = 5;
  if (found.size() > kShown) found.resize(kShown);
  trace.verdict = found.empty() ? Trace::Verdict::kGone : Trace::Verdict::kUncertain;
  trace.survivors = std::move(found);
  return trace;
}

}  // namespace portpatch
