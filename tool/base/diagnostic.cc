#include "base/diagnostic.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace portpatch {

Place place_of(std::string_view path, std::string_view text, ByteRange range) {
  const auto [line, column] = line_column(text, range.begin);
  const auto source = line_at(text, std::min(range.begin, text.size()));
  const auto room = source.size() >= column - 1 ? source.size() - (column - 1) : 0;
  return {.path = std::string(path),
          .line = line,
          .column = column,
          .source = std::string(source),
          .width = std::max<std::size_t>(1, std::min(range.size(), room))};
}

std::unexpected<Diagnostic> failure(std::string code, std::string message, std::string remedy) {
  return std::unexpected(Diagnostic{
      .code = std::move(code), .message = std::move(message), .remedy = std::move(remedy)});
}

namespace {

/// A source line as it is shown, in three parts: before the caret, above it, behind it.
struct Window {
  std::string before, under, behind;
};

bool continues_sequence(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

/// Of a very long line only what stands around the caret.
Window window_of(const Place& place) {
  constexpr std::size_t kAround = 60, kMost = 120;
  const std::string_view source = place.source;
  const auto begin = std::min(place.column - 1, source.size());
  auto end = std::min(begin + place.width, source.size());
  std::size_t first = 0, last = source.size();
  if (source.size() > 2 * kMost) {
    end = std::min(end, begin + kMost);
    first = begin > kAround ? begin - kAround : 0;
    last = std::min(end + kAround, source.size());
    while (continues_sequence(source, first)) ++first;
    while (continues_sequence(source, end)) ++end;
    while (continues_sequence(source, last)) ++last;
    last = std::max(last, end);
  }
  return {(first > 0 ? "..." : "") + printable(source.substr(first, begin - first)),
          printable(source.substr(begin, end - begin)),
          printable(source.substr(end, last - end)) + (last < source.size() ? "..." : "")};
}

}  // namespace

std::string render(const Diagnostic& diagnostic, bool colour) {
  const std::string_view bold = colour ? "\x1b[1m" : "", red = colour ? "\x1b[1;31m" : "",
                         green = colour ? "\x1b[32m" : "", off = colour ? "\x1b[0m" : "";
  std::string out;
  if (const auto& place = diagnostic.place) {
    out += fmt::format("{}{}", bold, printable(place->path));
    if (place->line > 0) out += fmt::format(":{}:{}", place->line, place->column);
    out += fmt::format(":{} ", off);
  }
  out += fmt::format("{}error:{} {} [{}]\n", red, off, printable(diagnostic.message),
                     diagnostic.code);
  if (diagnostic.place && diagnostic.place->line > 0) {
    const auto number = std::to_string(diagnostic.place->line);
    const auto [before, under, behind] = window_of(*diagnostic.place);
    std::string pad;
    for (const char c : before) {
      if (c == '\t')
        pad += '\t';
      else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80)
        pad += ' ';
    }
    out += fmt::format("  {} | {}{}{}\n", number, before, under, behind);
    out += fmt::format("  {:{}} | {}{}{}{}\n", "", number.size(), pad, green,
                       std::string(std::max<std::size_t>(1, display_width(under)), '^'), off);
  }
  for (const auto& note : diagnostic.notes) out += fmt::format("  note: {}\n", printable(note));
  if (!diagnostic.remedy.empty()) out += fmt::format("  help: {}\n", printable(diagnostic.remedy));
  return out;
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  const auto best = std::ranges::min_element(
      candidates, {}, [&](const std::string& candidate) { return edit_distance(word, candidate); });
  if (best == candidates.end() || edit_distance(word, *best) > 1 + word.size() / 4) {
    return std::nullopt;
  }
  return *best;
}

}  // namespace portpatch
