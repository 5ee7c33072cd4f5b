#include "timeline.h"

#include <charconv>

#include <fmt/format.h>
#include <unistd.h>

#include "base/files.h"
#include "cli/output.h"

namespace portpatch {

namespace {

int print_timeline(const Options& options, const Timeline& timeline) {
  print_report(options, timeline,
               [&] { return write_text(timeline, {.colour = use_colour(STDOUT_FILENO)}); });
  return timeline.exit_status();
}

/// "I/N" as two numbers; false when it is none, or I is not one of N.
bool parse_shard(std::string_view text, TimelineRequest& request) {
  constexpr std::size_t kMostPieces = 1'000'000;
  const auto* end = text.data() + text.size();
  const auto piece = std::from_chars(text.data(), end, request.piece);
  if (piece.ec != std::errc() || piece.ptr == end || *piece.ptr != '/') return false;
  const auto pieces = std::from_chars(piece.ptr + 1, end, request.pieces);
  return pieces.ec == std::errc() && pieces.ptr == end && request.piece >= 1 &&
         request.piece <= request.pieces && request.pieces <= kMostPieces;
}

}  // namespace

std::expected<Timeline, std::vector<Diagnostic>> merge_pieces(
    const std::vector<std::string>& files) {
  std::vector<TimelinePiece> pieces;
  std::vector<Diagnostic> errors;
  for (const auto& file : files) {
    const auto text = read_file(file);
    auto timeline = text ? read_timeline(file, *text) : std::unexpected(text.error());
    if (timeline)
      pieces.push_back({file, std::move(*timeline)});
    else
      errors.push_back(timeline.error());
  }
  if (!errors.empty()) return std::unexpected(errors);
  auto whole = merge_timelines(pieces);
  if (!whole) return std::unexpected(std::vector{whole.error()});
  return std::move(*whole);
}

int run_timeline(const Options& options) {
  if (options.merge && !options.shard.empty()) {
    return report_errors(
        options, {{.code = "bad-option",
                   .message = "--shard makes a piece, --merge joins pieces: not both at once",
                   .remedy = "see portpatch timeline --help"}});
  }
  if (options.merge) {
    const auto timeline = merge_pieces(options.arguments);
    return timeline ? print_timeline(options, *timeline) : report_errors(options, timeline.error());
  }
  TimelineRequest request{.command = fmt::format("timeline {}", join(options.arguments, " ")),
                          .folder = options.folder};
  if (!options.shard.empty() && !parse_shard(options.shard, request)) {
    return report_errors(
        options,
        {{.code = "bad-shard",
          .message = fmt::format("`{}` is no piece of a timeline", options.shard),
          .remedy = "write I/N with I from 1 to N: --shard 3/8 is the third of eight pieces"}});
  }
  if (options.arguments.size() < 2) {
    return report_errors(
        options, {{.code = "no-range",
                   .message = "a timeline needs packs and a range of commits",
                   .remedy = "portpatch timeline PACK... A..B: the commits after A up to B"}});
  }
  request.packs.assign(options.arguments.begin(), options.arguments.end() - 1);
  request.range = options.arguments.back();
  ProgressLine line("following the history", "commits");
  request.progress = line.progress();
  const auto timeline = make_timeline(request);
  line.clear();
  if (!timeline) return report_errors(options, timeline.error());
  return print_timeline(options, *timeline);
}

}  // namespace portpatch
