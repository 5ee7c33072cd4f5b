#include "report/page/code_view.h"

#include <algorithm>

#include "base/text.h"
#include "report/judge.h"
#include "report/page/difference.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

/// The spans of one line of a text, their ranges from its begin.
std::vector<HighlightSpan> spans_within(const std::vector<HighlightSpan>& spans, ByteRange line) {
  std::vector<HighlightSpan> out;
  for (const auto& [range, kind] : spans) {
    if (range.overlaps(line))
      out.push_back({{std::max(range.begin, line.begin), std::min(range.end, line.end)}, kind});
  }
  return out;
}

void put_spans(Html& html, std::string_view text, const std::vector<HighlightSpan>& spans) {
  for (const auto& [range, kind] : spans) {
    if (kind.empty())
      html.text(range.of(text));
    else
      html.leaf("span", {{"class", "c-" + std::string(kind)}}, range.of(text));
  }
}

/// `code` with the lines behind the first moved left together, so that the leftmost stands at the
/// margin: it was taken from the middle of its first line.
std::string moved_left(std::string_view code) {
  const auto lines = split_lines(code);
  auto least = std::string_view::npos;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (!trim(lines[i]).empty()) least = std::min(least, lines[i].find_first_not_of(" \t"));
  }
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) out += '\n';
    out += i == 0 ? lines[i]
                  : lines[i].substr(
                        std::min({least, lines[i].size(), lines[i].find_first_not_of(" \t")}));
  }
  return out;
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
    if (line.starts_with("@@"))
      in_hunk = true;
    else if (line.starts_with("diff --git "))
      in_hunk = false;
    const bool is_code = in_hunk && !line.empty() && std::string_view(" +-").contains(line[0]);
    lines.push_back({is_code ? line[0] : '@', is_code ? line.substr(1) : line});
  }
  return lines;
}

std::string_view path_of(std::string_view line, std::string_view marker) {
  return line.starts_with(marker) ? line.substr(marker.size()) : std::string_view();
}

}  // namespace

std::vector<HighlightSpan> CodeView::spans_of(const Language* language, std::string_view code) {
  return language == nullptr ? std::vector<HighlightSpan>{{{0, code.size()}, ""}}
                             : highlighter_.spans(*language, code);
}

void CodeView::put_code(Html& html, const Language* language, std::string_view code,
                        const std::vector<ByteRange>& marked) {
  const auto spans = spans_of(language, code);
  std::size_t at = 0;
  for (const auto& mark : marked) {
    put_spans(html, code, spans_within(spans, {at, mark.begin}));
    html.in("mark", {}, [&] { put_spans(html, code, spans_within(spans, mark)); });
    at = mark.end;
  }
  put_spans(html, code, spans_within(spans, {at, code.size()}));
}

void CodeView::block(Html& html, std::string_view path, std::string_view code) {
  html.in("pre", {},
          [&] { html.in("code", {}, [&] { put_code(html, language_owning(path), code, {}); }); });
}

void CodeView::side_by_side(Html& html, std::string_view path, const Versions& versions) {
  const auto* language = language_owning(path);
  const auto ours = moved_left(versions.ours), theirs = moved_left(versions.theirs),
             base = moved_left(versions.base);
  const auto [only_ours, only_theirs] = differing_words(ours, theirs);
  const auto column = [&](std::string_view title, std::string_view code,
                          const std::vector<ByteRange>& marked) {
    html.in("figure", {}, [&] {
      html.leaf("figcaption", {}, title).in("pre", {}, [&] {
        if (code.empty() || code == kNothingThere)
          html.leaf("i", {}, "nothing of it");
        else
          html.in("code", {}, [&] { put_code(html, language, code, marked); });
      });
    });
  };
  html.in("div", {{"class", "versions"}}, [&] {
    if (!base.empty()) column("base", base, {});
    column("ours: the rule", ours, only_ours);
    column("theirs: upstream", theirs, only_theirs);
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
    // A hunk: each side is coloured as one piece of code, so that a string of several lines stays
    // one.
    const auto end = static_cast<std::size_t>(
        std::ranges::find(lines.begin() + static_cast<std::ptrdiff_t>(at), lines.end(), '@',
                          &DiffLine::sign) -
        lines.begin());
    std::string before, after;
    for (auto i = at; i < end; ++i) {
      if (lines[i].sign != '+') (before += lines[i].text) += '\n';
      if (lines[i].sign != '-') (after += lines[i].text) += '\n';
    }
    const auto old_spans = spans_of(language, before), new_spans = spans_of(language, after);
    html.in("pre", {{"class", "diff"}}, [&] {
      std::size_t old_at = 0, new_at = 0;
      for (auto i = at; i < end; ++i) {
        const auto [sign, text] = lines[i];
        html.in("span",
                {{"class", sign == '+'   ? "line added"
                           : sign == '-' ? "line removed"
                                         : "line"}},
                [&] {
                  html.leaf("span", {{"class", "sign"}}, std::string_view(&sign, 1));
                  if (sign == '-')
                    put_spans(html, before,
                              spans_within(old_spans, {old_at, old_at + text.size()}));
                  else
                    put_spans(html, after, spans_within(new_spans, {new_at, new_at + text.size()}));
                });
        if (sign != '+') old_at += text.size() + 1;
        if (sign != '-') new_at += text.size() + 1;
      }
    });
    at = end;
  }
}

}  // namespace portpatch
