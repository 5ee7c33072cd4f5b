// Joining the pieces of a timeline: the whole that comes out is the one that a single run prints.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "report/timeline.h"

namespace portpatch {

namespace {

using Pieces = std::vector<const TimelinePiece*>;

/// Why the two are not of one whole; empty when they are.
std::string difference(const Timeline& one, const Timeline& other) {
  if (one.from.id != other.from.id || one.to.id != other.to.id || one.commits != other.commits)
    return "it is of another range";
  if (one.shard->count != other.shard->count)
    return fmt::format("it is one of {} pieces, not of {}", other.shard->count, one.shard->count);
  if (one.packs != other.packs) return "it was made with other packs, or with other texts of them";
  const auto same_rule = [](const TimelineRule& a, const TimelineRule& b) {
    return a.full_name() == b.full_name();
  };
  if (!std::ranges::equal(one.rules, other.rules, same_rule) || one.resting != other.resting)
    return "its rules are others";
  return "";
}

std::optional<Diagnostic> check_pieces(const Pieces& pieces) {
  const auto& first = *pieces[0];
  for (const auto* piece : pieces) {
    if (!piece->timeline.shard) {
      return failure("no-shard",
                     fmt::format("{} holds a whole timeline, not a piece of one", piece->file),
                     "there is nothing to join")
          .error();
    }
    const auto why = difference(first.timeline, piece->timeline);
    if (!why.empty()) {
      return failure("foreign-shard",
                     fmt::format("{} is no piece of the same timeline as {}: {}", piece->file,
                                 first.file, why),
                     "make every piece with the same packs, the same range and the same N of "
                     "--shard I/N")
          .error();
    }
  }
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    const auto index = pieces[i]->timeline.shard->index;
    if (index == pieces[i + 1]->timeline.shard->index) {
      return failure("doubled-shard",
                     fmt::format("{} and {} both hold piece {}", pieces[i]->file,
                                 pieces[i + 1]->file, index),
                     "name each piece once")
          .error();
    }
  }
  return std::nullopt;
}

std::optional<Diagnostic> check_whole(const Pieces& pieces) {
  constexpr std::size_t kShown = 20;
  const auto count = pieces[0]->timeline.shard->count;
  std::vector<std::string> missing;
  for (std::size_t i = 1; i <= count && missing.size() < kShown; ++i) {
    if (std::ranges::none_of(
            pieces, [&](const TimelinePiece* piece) { return piece->timeline.shard->index == i; }))
      missing.push_back(fmt::format("{}", i));
  }
  if (missing.empty()) return std::nullopt;
  const auto more = count - pieces.size() - missing.size();
  return failure("missing-shard",
                 fmt::format("piece{} {}{} of {} {} not here", missing.size() == 1 ? "" : "s",
                             join(missing, ", "), more > 0 ? fmt::format(" and {} more", more) : "",
                             count, missing.size() == 1 ? "is" : "are"),
                 fmt::format("make it with --shard {}/{}", missing[0], count))
      .error();
}

std::optional<Diagnostic> check_seams(const Pieces& pieces) {
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    const auto& before = pieces[i]->timeline;
    const auto& behind = pieces[i + 1]->timeline;
    bool joins = before.shard->to == behind.shard->from;
    for (std::size_t k = 0; k < before.rules.size(); ++k)
      joins = joins && before.rules[k].end().is_like(behind.rules[k].start);
    if (!joins) {
      return failure(
                 "torn-shards",
                 fmt::format("{} does not begin as {} ends", pieces[i + 1]->file, pieces[i]->file),
                 "make both again with one version of portpatch, from complete clones")
          .error();
    }
  }
  return std::nullopt;
}

}  // namespace

Result<Timeline> merge_timelines(const std::vector<TimelinePiece>& all) {
  Pieces pieces;
  for (const auto& piece : all) pieces.push_back(&piece);
  std::ranges::stable_sort(pieces, {}, [](const TimelinePiece* piece) {
    return piece->timeline.shard ? piece->timeline.shard->index : 0;
  });
  if (auto error = check_pieces(pieces)) return std::unexpected(*error);
  if (auto error = check_whole(pieces)) return std::unexpected(*error);
  if (auto error = check_seams(pieces)) return std::unexpected(*error);
  auto whole = pieces[0]->timeline;
  whole.shard.reset();
  std::set<std::pair<std::string, std::string>> skipped(whole.skipped.begin(), whole.skipped.end());
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const auto& piece = pieces[i]->timeline;
    for (std::size_t k = 0; k < whole.rules.size(); ++k) {
      auto& changes = whole.rules[k].changes;
      changes.insert(changes.end(), piece.rules[k].changes.begin(), piece.rules[k].changes.end());
    }
    skipped.insert(piece.skipped.begin(), piece.skipped.end());
  }
  whole.skipped.assign(skipped.begin(), skipped.end());
  return whole;
}

}  // namespace portpatch
