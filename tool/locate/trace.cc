#include "locate/trace.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "locate/copy_match.h"
#include "locate/import_rename.h"
#include "locate/match.h"
#include "repo/ref_files.h"

namespace portpatch {

namespace {

/// Steps after which a trace is given up: a place that moves more often than that is none.
constexpr std::size_t kMostHops = 40;
constexpr std::size_t kShownSurvivors = 5;
constexpr double kShownLikeness = 0.3;  ///< of a survivor that has not the name
constexpr int kKeptPoints = 100;        ///< of a place that the rule itself knows

/// The locked site in its base file: where the rule matches, else the node that reads as it did.
std::optional<Footprint> find_base(const Rule& rule, const LockedSite& locked, PlaceIndex& places) {
  const auto& file = places.file();
  if (const auto sites = find_sites(rule, file)) {
    for (const auto& site : *sites) {
      if (site.scope != locked.scope || site.target.of(file.text()) != locked.text) continue;
      for (const auto& capture : site.captures) {
        if (capture.range == site.target)
          return places.footprint_of(site.reading, file.readings()[site.reading].tree.node_at(
                                                       capture.range, capture.kind));
      }
    }
  }
  const auto& tree = file.tree();
  std::optional<Footprint> found;
  for (auto at = file.text().find(locked.text);
       at != std::string_view::npos && !locked.text.empty();
       at = file.text().find(locked.text, at + 1)) {
    const auto node = tree.root().smallest_around({at, at + locked.text.size()});
    if (!node || node.range() != ByteRange{at, at + locked.text.size()}) continue;
    auto print = places.footprint_of(0, node);
    if (print.scope != locked.scope) continue;
    if (found) return std::nullopt;
    found = std::move(print);
  }
  return found;
}

/// The place in the file on disk, whose content may hold edits that HEAD has not.
std::optional<Footprint> place_on_disk(PlaceIndex& file, const Footprint& place) {
  if (auto same = file.same_place(place)) return same;
  std::optional<Footprint> best;
  int best_score = kCertainScore - kCertainMargin, second_score = 0;
  for (auto& other : file.similar_places(place, 0.5)) {
    const auto score = score_of(place, other, 1);
    if (score > best_score) {
      second_score = best ? best_score : 0;
      best_score = score;
      best = std::move(other);
    } else {
      second_score = std::max(second_score, score);
    }
  }
  if (best && (best_score < kCertainScore || best_score - second_score < kCertainMargin))
    return std::nullopt;
  return best;
}

}  // namespace

struct Tracer::State {
  const WorkTree& tree;
  FileStore& store;
  TraceMemory& memory;
  CommitFiles* files = nullptr;
  std::string target = {};   ///< the commit of the tree
  std::string without = {};  ///< why there is no history
  /// By base and old name.
  std::map<std::pair<std::string, std::string>, std::string> modules = {};

  State(const WorkTree& tree_, FileStore& store_, TraceMemory& memory_)
      : tree(tree_), store(store_), memory(memory_) {
    if (!tree.is_git()) {
      without = "the tree is no git work tree";
      return;
    }
    const auto opened = memory.files(tree);
    if (!opened) {
      without = opened.error().message;
      return;
    }
    files = *opened;
    const auto head = read_ref(tree, "HEAD");
    if (!head) {
      without = head.error().message;
      return;
    }
    target = !tree.revision.empty() ? tree.revision : *head ? (*head)->id : "";
    if (target.empty()) without = "HEAD has no commit yet";
  }
};

namespace {

/// One trace through the history.
class Walk {
 public:
  Walk(CommitFiles& files, TraceMemory& memory, const Rule& rule, const std::string& base,
       const std::string& target)
      : files_(files),
        memory_(memory),
        rule_(rule),
        language_(*rule.language),
        base_(base),
        target_(target) {}

  Result<Trace> follow(Footprint base) {
    trace_.base = base;
    trace_.place = std::move(base);
    auto line = files_.line(base_, target_);
    if (!line && line.error().code != "absent-commit") return std::unexpected(line.error());
    const bool is_history = line && !line->empty();
    if (!is_history) {
      trace_.unknown.push_back(
          "the commit that moved it: no line of first parents leads from the base to the tree's "
          "commit");
      line = std::vector{base_, target_};
    }
    std::size_t at = 0;
    while (trace_.hops.size() < kMostHops) {
      const auto there = is_there(line->back());
      if (!there) return std::unexpected(there.error());
      if (*there) return settle();
      const auto step = vanishing(*line, at);
      if (!step) return std::unexpected(step.error());
      const auto hop = take_step((*line)[*step - 1], (*line)[*step], is_history);
      if (!hop) return std::unexpected(hop.error());
      if (!*hop) {
        const auto author = author_of((*line)[*step - 1], (*line)[*step]);
        trace_.is_to_come = is_history && author != (*line)[*step];
        return compare_ends(author, is_history);
      }
      at = *step;
    }
    trace_.unknown.push_back(fmt::format("where it ended: it moved more than {} times", kMostHops));
    return std::move(trace_);
  }

 private:
  Result<std::optional<Footprint>> find(const std::string& commit, const Footprint& place) {
    const auto file = files_.places_at(language_, commit, place.path);
    if (!file) return std::unexpected(file.error());
    return *file ? (*file)->same_place(place) : std::nullopt;
  }

  Result<bool> is_there(const std::string& commit) {
    return memory_.has_place(language_, commit, trace_.place);
  }

  /// The index in `line` of a commit in which the place is gone and before which it was there. In
  /// steps that double, then by bisection: on lines that begin alike the same commits are asked,
  /// which the memory knows.
  Result<std::size_t> vanishing(const std::vector<std::string>& line, std::size_t present) {
    std::size_t gone = line.size() - 1;
    for (std::size_t step = 1; present + step < gone; step *= 2) {
      const auto there = is_there(line[present + step]);
      if (!there) return std::unexpected(there.error());
      (*there ? present : gone) = present + step;
      if (!*there) break;
    }
    while (gone - present > 1) {
      const auto middle = present + (gone - present) / 2;
      const auto there = is_there(line[middle]);
      if (!there) return std::unexpected(there.error());
      (*there ? present : gone) = middle;
    }
    return gone;
  }

  /// Which of two neighbours on the line made the difference: on the way back it is the one that
  /// comes first.
  [[nodiscard]] std::string author_of(const std::string& before, const std::string& after) const {
    const auto parent = files_.history().first_parent(before);
    return parent && *parent == after ? before : after;
  }

  /// What reads as the rule would have it.
  struct Kept {
    Footprint place;
    bool is_held;  ///< a #held! pattern says so; else only its text
  };

  /// Those around `place` in its file at `commit`.
  Result<std::vector<Kept>> kept_around(const std::string& commit, const Footprint& place) {
    std::vector<Kept> kept;
    const auto places = files_.places_at(language_, commit, place.path);
    if (!places) return std::unexpected(places.error());
    if (!*places) return kept;
    const auto& file = (*places)->file();
    const auto sites = find_sites(rule_, file);
    if (!sites) return std::unexpected(sites.error());
    for (const auto& site : *sites) {
      // A #held! pattern is written to be right in all of the scope; a text may be anyone's.
      const bool is_held = rule_.shapes[site.shape].is_held();
      const bool is_around = site.scope == place.scope ||
                             (is_held && (site.scope.empty() ||
                                          (place.scope + ".").starts_with(site.scope + ".")));
      const auto node = is_around ? kept_node(rule_, file, site) : Node();
      if (node) kept.push_back({(*places)->footprint_of(site.reading, node), is_held});
    }
    return kept;
  }

  /// Has upstream made the rule's edit in this step? Then the place is what reads as the rule would
  /// have it since then.
  Result<std::optional<Kept>> taken_over(const std::string& before, const std::string& after,
                                         const Footprint& from) {
    auto now = kept_around(after, from);
    if (!now) return std::unexpected(now.error());
    if (now->size() != 1) return std::nullopt;
    const auto was = kept_around(before, from);
    if (!was) return std::unexpected(was.error());
    return was->empty() ? std::optional(std::move((*now)[0])) : std::nullopt;
  }

  /// Goes on to where `after` has the place; false when that is not certain.
  Result<bool> take_step(const std::string& before, const std::string& after, bool is_commit) {
    auto was = find(before, trace_.place);
    if (!was) return std::unexpected(was.error());
    auto from = *was ? std::move(**was) : trace_.place;
    auto ours = taken_over(before, after, from);
    if (!ours) return std::unexpected(ours.error());
    auto matching = *ours && (*ours)->is_held ? Result<Matching>(Matching())
                                              : memory_.match(language_, before, after, from);
    if (!matching) return std::unexpected(matching.error());
    // Where the old text lives on elsewhere, what reads so here is another thing.
    const auto is_elsewhere = [&](const Footprint& kept) {
      if (!matching->is_certain()) return false;
      const auto& best = matching->candidates[0].place;
      return best.path != kept.path || !best.range.overlaps(kept.range);
    };
    if (*ours && !is_elsewhere((*ours)->place)) {
      const Evidence evidence{
          .clues = {{"it reads as the rule would have it, and did not before", kKeptPoints}},
          .score = kKeptPoints};
      return hop_to({.commit = std::nullopt,
                     .from = std::move(from),
                     .to = std::move((*ours)->place),
                     .evidence = evidence,
                     .margin = kKeptPoints,
                     .is_ours = true},
                    before, after, is_commit);
    }
    note_unread(*matching);
    if (!matching->is_certain()) {
      last_ = std::move(*matching);
      return false;
    }
    auto& best = matching->candidates[0];
    return hop_to({.commit = std::nullopt,
                   .from = std::move(from),
                   .to = std::move(best.place),
                   .evidence = std::move(best.evidence),
                   .margin = matching->margin},
                  before, after, is_commit);
  }

  /// Notes a certain step; true.
  Result<bool> hop_to(Hop hop, const std::string& before, const std::string& after,
                      bool is_commit) {
    if (is_commit) {
      auto info = files_.history().info(author_of(before, after));
      if (!info) return std::unexpected(info.error());
      hop.commit = std::move(*info);
    }
    trace_.place = hop.to;
    trace_.hops.push_back(std::move(hop));
    return true;
  }

  /// The step at `commit` was not certain: what do base and target say, compared directly?
  Result<Trace> compare_ends(const std::string& commit, bool is_commit) {
    if (is_commit) {
      auto info = files_.history().info(commit);
      if (!info) return std::unexpected(info.error());
      trace_.vanished = std::move(*info);
    }
    if (is_commit) {
      // What upstream did since it made the edit is not told by what the base said.
      const auto made = std::ranges::find_if(trace_.hops, &Hop::is_ours);
      const auto from = made == trace_.hops.end() ? trace_.base : made->to;
      auto direct = memory_.match(language_, made == trace_.hops.end() ? base_ : made->commit->id,
                                  target_, from);
      if (!direct) return std::unexpected(direct.error());
      note_unread(*direct);
      if (direct->is_certain()) {
        auto& best = direct->candidates[0];
        trace_.place = best.place;
        trace_.hops.erase(made == trace_.hops.end() ? trace_.hops.begin() : std::next(made),
                          trace_.hops.end());
        trace_.hops.push_back({.commit = trace_.vanished,
                               .from = from,
                               .to = best.place,
                               .evidence = std::move(best.evidence),
                               .margin = direct->margin});
        return settle();
      }
      std::swap(last_, *direct);
      if (auto error = add_survivors(*direct)) return std::unexpected(*error);  // of the step alone
    }
    const bool doubtful = !last_.candidates.empty() && !last_.is_anothers &&
                          last_.candidates[0].evidence.score >= kCertainScore;
    if (auto error = add_survivors(last_)) return std::unexpected(*error);
    auto& left = trace_.survivors;
    std::ranges::stable_sort(left, std::ranges::greater(),
                             [](const Survivor& one) { return one.evidence.score; });
    if (left.size() > kShownSurvivors) left.resize(kShownSurvivors);
    trace_.verdict = doubtful ? Trace::Verdict::kUncertain : Trace::Verdict::kGone;
    return std::move(trace_);
  }

  /// What of a matching's candidates is in the target and worth showing: each place once.
  std::optional<Diagnostic> add_survivors(const Matching& matching) {
    for (const auto& [place, evidence] : matching.candidates) {
      const bool is_named_so = !trace_.base.name.empty() &&
                               own_name(place.name) == own_name(trace_.base.name);
      if (evidence.score < kShownScore ||
          (!is_named_so && likeness(trace_.base.tokens, place.tokens) < kShownLikeness))
        continue;
      auto now = find(target_, place);
      if (!now) return now.error();
      if (!*now) continue;
      const auto known = std::ranges::find_if(trace_.survivors, [&](const Survivor& one) {
        return one.place.path == (*now)->path && one.place.range == (*now)->range;
      });
      if (known == trace_.survivors.end())
        trace_.survivors.push_back({std::move(**now), evidence, matching.is_anothers});
      else if (known->evidence.score < evidence.score)
        *known = {std::move(**now), evidence, matching.is_anothers};
    }
    return std::nullopt;
  }

  Result<Trace> settle() {
    auto now = find(target_, trace_.place);
    if (!now) return std::unexpected(now.error());
    if (*now) trace_.place = std::move(**now);
    trace_.verdict = Trace::Verdict::kCertain;
    return std::move(trace_);
  }

  void note_unread(const Matching& matching) {
    trace_.unknown.insert(trace_.unknown.end(), matching.unread.begin(), matching.unread.end());
  }

  CommitFiles& files_;
  TraceMemory& memory_;
  const Rule& rule_;
  const Language& language_;
  const std::string& base_;
  const std::string& target_;
  Trace trace_;
  Matching last_;
};

}  // namespace

Tracer::Tracer(const WorkTree& tree, FileStore& store, TraceMemory& memory)
    : state_(std::make_unique<State>(tree, store, memory)) {}
Tracer::Tracer(Tracer&&) noexcept = default;
Tracer::~Tracer() = default;

std::string Tracer::module_now(const Rule& rule, std::size_t index, const std::string& module) {
  const auto& base = rule.locked[index].commit;
  if (!state_->without.empty() || base.empty() || !state_->files->history().has_commit(base))
    return module;
  auto& known = state_->modules[{base, module}];
  if (known.empty())
    known = renamed(module,
                    renames_of(*state_->files, *rule.language, base, state_->target, module));
  return known;
}

Result<Trace> Tracer::follow(const Rule& rule, std::size_t index) {
  const auto& locked = rule.locked[index];
  auto why = state_->without;
  if (why.empty() && locked.commit.empty()) why = "the base was recorded without a commit";
  if (why.empty() && !state_->files->history().has_commit(locked.commit)) {
    why = fmt::format("the base commit {} is not in this repository (a shallow clone?)",
                      locked.commit.substr(0, 12));
  }
  if (!why.empty()) return match_copy(state_->tree, state_->store, rule, locked, why);

  const auto file = state_->files->places_at(*rule.language, locked.commit, locked.path);
  if (!file) return std::unexpected(file.error());
  auto base = *file ? find_base(rule, locked, **file) : std::nullopt;
  if (!base)
    return match_copy(state_->tree, state_->store, rule, locked,
                      fmt::format("the base commit {} does not hold what pack.lock says",
                                  locked.commit.substr(0, 12)));
  auto trace = Walk(*state_->files, state_->memory, rule, locked.commit, state_->target)
                   .follow(std::move(*base));
  if (!trace || !state_->tree.revision.empty()) return trace;

  // The commit has it; the files on disk may have been changed since.
  std::erase_if(trace->survivors, [&](Survivor& survivor) {
    const auto on_disk = state_->store.file(*rule.language, survivor.place.path);
    auto now = on_disk && *on_disk ? PlaceIndex(*on_disk).same_place(survivor.place) : std::nullopt;
    if (now) survivor.place = std::move(*now);
    return !now;
  });
  if (trace->verdict != Trace::Verdict::kCertain) return trace;
  const auto on_disk = state_->store.file(*rule.language, trace->place.path);
  if (!on_disk) return std::unexpected(on_disk.error());
  std::optional<Footprint> place;
  if (*on_disk) {
    const auto at_target = state_->files->places_at(*rule.language, state_->target,
                                                    trace->place.path);
    const bool is_unchanged = at_target && *at_target &&
                              (*at_target)->file().text() == (*on_disk)->text();
    auto own = PlaceIndex(*on_disk);
    place = place_on_disk(is_unchanged ? **at_target : own, trace->place);
  }
  if (place) {
    trace->place = std::move(*place);
  } else {
    trace->verdict = Trace::Verdict::kGone;
    trace->unknown.push_back(
        fmt::format("why the file on disk has not what HEAD has in {}", trace->place.path));
  }
  return trace;
}

}  // namespace portpatch
