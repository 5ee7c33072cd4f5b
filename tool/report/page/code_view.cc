#include "report/page/code_view.h"

#include <algorithm>

#include "base/text.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

/// The spans of one line of a text, their ranges from its begin.
std::vector<HighlightSpan> spans_within(const std::vector<HighlightSpan>& spans, ByteRange line) {
  std::vector<HighlightSpan> out;
  for (const auto& [range, kind] : spans) {
    if (range.overlaps(line)) out.push_back({{std::max(range.begin, line.begin), std::min(range.end, line.end)}, kind});
  }
  return out;
}

void put_spans(Html& html, std::string_view text, const std::vector<HighlightSpan>& spans) {
  for (const auto& [range, kind] : spans) {
    if (kind.empty()) html.text(range.of(text));
    else html.leaf("span", {{"class", "c-" + std::string(kind)}}, range.of(text));
  }
}

/// Is the line, without its blanks, in every one of the texts?
bool is_shared(std::string_view line, std::span<const CodeView::Column> columns) {
  return std::ranges::all_of(columns, [&](const auto& column) {
    return column.code.empty() || std::ranges::any_of(split_lines(column.code), [&](std::string_view one) { return trim(one) == trim(line); });
  });
}

/// One line of a unified diff.
struct DiffLine {
  char sign;  ///< ' ', '+', '-', or '@' for all that is no line of the file
  std::string_view text;
};

std::vector<DiffLine> read_diff(std::string_view unified) {
  std::vector<DiffLine> lines;
  bool in_hunk = false;
  for (const auto line : split_lines(unified)) {
    if (line.starts_with("@@")) in_hunk = true;
    else if (line.starts_with("diff --git ")) in_hunk = false;
    const bool is_code = in_hunk && !line.empty() && std::string_view(" +-").contains(line[0]);
    lines.push_back({is_code ? line[0] : '@', is_code ? line.substr(1) : line});
  }
  return lines;
}

std::string_view path_of(std::string_view line, std::string_view marker) {
  return line.starts_with(marker) ? line.substr(marker.size()) : std::string_view();
}

}  // namespace

void CodeView::put_code(Html& html, const Language* language, std::string_view code) {
  if (language == nullptr) html.text(code);
  else put_spans(html, code, highlighter_.spans(*language, code));
}

void CodeView::block(Html& html, std::string_view path, std::string_view code) {
  html.in("pre", {}, [&] {
    html.in("code", {}, [&] { put_code(html, language_owning(path), code); });
  });
}

void CodeView::side_by_side(Html& html, std::string_view path, std::span<const Column> columns) {
  const auto* language = language_owning(path);
  html.in("div", {{"class", "versions"}}, [&] {
    for (const auto& [title, code] : columns) {
      const auto spans = language == nullptr ? std::vector<HighlightSpan>{{{0, code.size()}, ""}} : highlighter_.spans(*language, code);
      html.in("figure", {}, [&] {
        html.leaf("figcaption", {}, title).in("pre", {}, [&] {
          if (code.empty()) html.leaf("i", {}, "not there");
          for (const auto line : split_lines(code)) {
            const auto begin = static_cast<std::size_t>(line.data() - code.data());
            html.in("span", {{"class", is_shared(line, columns) ? "line" : "line other"}}, [&] { put_spans(html, code, spans_within(spans, {begin, begin + line.size()})); });
          }
        });
      });
    }
  });
}

void CodeView::diff(Html& html, std::string_view unified) {
  const auto lines = read_diff(unified);
  const Language* language = nullptr;
  for (std::size_t at = 0; at < lines.size();) {
    if (lines[at].sign == '@') {
      const auto path = path_of(lines[at].text, "+++ b/");
      if (!path.empty()) {
        language = language_owning(path);
        html.leaf("p", {{"class", "path"}}, path);
      }
      ++at;
      continue;
    }
    // A hunk: each side is coloured as one piece of code, so that a string of several lines stays one.
    const auto end = static_cast<std::size_t>(std::ranges::find(lines.begin() + static_cast<std::ptrdiff_t>(at), lines.end(), '@', &DiffLine::sign) - lines.begin());
    std::string before, after;
    for (auto i = at; i < end; ++i) {
      if (lines[i].sign != '+') (before += lines[i].text) += '\n';
      if (lines[i].sign != '-') (after += lines[i].text) += '\n';
    }
    const auto plain = [](const std::string& code) { return std::vector<HighlightSpan>{{{0, code.size()}, ""}}; };
    const auto old_spans = language == nullptr ? plain(before) : highlighter_.spans(*language, before);
    const auto new_spans = language == nullptr ? plain(after) : highlighter_.spans(*language, after);
    html.in("pre", {{"class", "diff"}}, [&] {
      std::size_t old_at = 0, new_at = 0;
      for (auto i = at; i < end; ++i) {
        const auto [sign, text] = lines[i];
        html.in("span", {{"class", sign == '+' ? "line added" : sign == '-' ? "line removed" : "line"}}, [&] {
          html.leaf("span", {{"class", "sign"}}, std::string_view(&sign, 1));
          if (sign == '-') put_spans(html, before, spans_within(old_spans, {old_at, old_at + text.size()}));
          else put_spans(html, after, spans_within(new_spans, {new_at, new_at + text.size()}));
        });
        if (sign != '+') old_at += text.size() + 1;
        if (sign != '-') new_at += text.size() + 1;
      }
    });
    at = end;
  }
}

}  // namespace portpatch
