// Source text is bytes. Positions everywhere are half-open byte offsets; lines and columns exist
// only where something is reported. This header holds ranges, the line index and safe printing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace portpatch {

/// Half-open range of byte offsets into one text.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
  [[nodiscard]] bool empty() const { return begin == end; }
  [[nodiscard]] bool contains(ByteRange other) const {
    return begin <= other.begin && other.end <= end;
  }
  /// True when the two share at least one byte.
  [[nodiscard]] bool overlaps(ByteRange other) const {
    return begin < other.end && other.begin < end;
  }
  [[nodiscard]] std::string_view of(std::string_view text) const {
    return text.substr(begin, end - begin);
  }
  auto operator<=>(const ByteRange&) const = default;
};

/// Replaces the bytes of `range` by `text`; an empty range is an insertion.
struct TextEdit {
  ByteRange range;
  std::string text;
  auto operator<=>(const TextEdit&) const = default;
};

/// 1-based line and 1-based column in bytes of `offset`.
struct LineColumn {
  std::size_t line = 1;
  std::size_t column = 1;
};

[[nodiscard]] LineColumn line_column(std::string_view text, std::size_t offset);
/// The offset of the first byte of the line that holds `offset`.
[[nodiscard]] std::size_t line_begin(std::string_view text, std::size_t offset);
/// The offset of the line break (or the end of the text) that ends the line of `offset`; the
/// carriage return of a CRLF counts as part of the break.
[[nodiscard]] std::size_t line_end(std::string_view text, std::size_t offset);
/// The line that holds `offset`, without its break.
[[nodiscard]] std::string_view line_at(std::string_view text, std::size_t offset);
/// The blanks and tabs at the beginning of the line that holds `offset`.
[[nodiscard]] std::string_view indent_at(std::string_view text, std::size_t offset);
/// True when only blanks and tabs stand before `offset` on its line.
[[nodiscard]] bool starts_line(std::string_view text, std::size_t offset);
/// "\r\n" when the text's first line break is one, else "\n".
[[nodiscard]] std::string_view line_break_of(std::string_view text);
/// Columns that `text` takes with tabs at multiples of 8, UTF-8 sequences counted once.
[[nodiscard]] std::size_t display_width(std::string_view text);

[[nodiscard]] std::string_view trim(std::string_view text);
/// Lines without their breaks; a text that ends in a break has no empty last line.
[[nodiscard]] std::vector<std::string_view> split_lines(std::string_view text);
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);
/// "1 rule", "2 rules".
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

/// `text` with `edits` applied. Precondition: edits are sorted by begin and do not overlap.
[[nodiscard]] std::string apply_edits(std::string_view text, const std::vector<TextEdit>& edits);

/// `text` fit for a terminal: control bytes other than tab become \xNN, bytes that are not UTF-8
/// too, so that a name or a source line can never send an escape sequence.
[[nodiscard]] std::string printable(std::string_view text);

/// `text` as one word for the shell: in quotes where that needs some.
[[nodiscard]] std::string shell_word(std::string_view text);

/// Shell-style path pattern: `*` within a folder, `**` across folders, `?`, `[...]`.
/// A pattern without a slash is matched against the file name alone.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view path);

/// Where `word` stands in `text` as a whole word: no letter, digit, underscore or byte beyond ASCII
/// beside it.
[[nodiscard]] std::vector<std::size_t> whole_words(std::string_view text, std::string_view word);

/// -1, 0 or 1 as `a` stands before `b`: numbers in the texts by their value ("sm_90" before
/// "sm_100"), everything else by its bytes.
[[nodiscard]] int compare_naturally(std::string_view a, std::string_view b);

}  // namespace portpatch
