#include "inventory/idle_bodies.h"

#include <algorithm>

namespace portpatch {

namespace {

constexpr std::size_t kLeastBody = 160;  ///< shorter ones are not worth it

bool has_name(const std::vector<ByteRange>& names, ByteRange range) {
  const auto first = std::ranges::lower_bound(names, range.begin, {}, &ByteRange::begin);
  return first != names.end() && first->begin < range.end;
}

void blank(std::string& text, ByteRange range, std::string_view stand_in) {
  for (auto i = range.begin; i < range.end; ++i) {
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
  }
  text.replace(range.begin, stand_in.size(), stand_in);
}

/// Where the string that begins at `at` ends, behind its quotes; a line's end ends those of one
/// line.
std::size_t string_end(std::string_view text, std::size_t at, std::string_view quote) {
  for (auto i = at + quote.size(); i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text.substr(i).starts_with(quote))
      return i + quote.size();
    else if (text[i] == '\n' && quote.size() == 1)
      return i;
  }
  return text.size();
}

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

void blank_python_remarks(std::string& text) {
  const std::string before = text;
  int depth = 0;
  bool begins = true;  // only blanks stand before it on its line
  for (std::size_t i = 0; i < before.size();) {
    const char c = before[i];
    const auto rest = std::string_view(before).substr(i);
    if (c == '#') {
      const auto end = std::min(before.find('\n', i), before.size());
      blank(text, {i, end}, "");
      i = end;
    } else if (c == '"' || c == '\'') {
      const auto quote = rest.substr(0, rest.starts_with(std::string(3, c)) ? 3 : 1);
      const auto end = string_end(before, i, quote);
      const auto behind = std::min(before.find_first_not_of(" \t\r", end), before.size());
      const bool is_alone = begins && depth == 0 && quote.size() == 3 &&
                            (behind == before.size() || before[behind] == '\n');
      if (is_alone) blank(text, {i, end}, "0");
      begins = false;
      i = end;
    } else {
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      // A line that a backslash joins is no statement's beginning.
      begins = c == '\n' ? i == 0 || before[i - 1] != '\\'
                         : begins && (c == ' ' || c == '\t' || c == '\r');
      ++i;
    }
  }
}

void blank_c_comments(std::string& text) {
  const std::string before = text;
  for (std::size_t i = 0; i < before.size();) {
    const auto rest = std::string_view(before).substr(i);
    if (rest.starts_with("//") || rest.starts_with("/*")) {
      auto end = rest[1] == '/' ? before.find('\n', i) : before.find("*/", i + 2);
      end = end == std::string::npos ? before.size() : rest[1] == '/' ? end : end + 2;
      blank(text, {i, end}, "");
      i = end;
    } else if (rest.starts_with("R\"") && (i == 0 || !is_word(before[i - 1]))) {
      const auto open = rest.find('(');
      const auto close = open == std::string_view::npos
                             ? open
                             : rest.find(")" + std::string(rest.substr(2, open - 2)) + "\"", open);
      i += close == std::string_view::npos ? 2 : close + open;
    } else if (rest[0] == '"' || (rest[0] == '\'' && (i == 0 || !is_word(before[i - 1])))) {
      i = string_end(before, i, rest.substr(0, 1));
    } else {
      ++i;
    }
  }
}

struct Line {
  std::size_t begin = 0, end = 0, indent = 0;
  bool is_blank = false;
  bool is_inside = false;  ///< of a string or brackets that began on a line above
};

/// Lines of Python, with what strings and brackets join.
std::vector<Line> python_lines(std::string_view text) {
  std::vector<Line> lines;
  std::string_view quote;
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    Line line{.begin = at, .end = end, .is_inside = !quote.empty() || depth > 0};
    const auto code = std::min(text.find_first_not_of(" \t", at), end);
    line.indent = code - at;
    line.is_blank = code == end || text[code] == '\r' || text[code] == '#';
    for (auto i = at; i < end; ++i) {
      const auto rest = text.substr(i, end - i);
      if (!quote.empty()) {
        if (rest[0] == '\\')
          ++i;
        else if (rest.starts_with(quote))
          i += quote.size() - 1, quote = {};
        continue;
      }
      if (rest[0] == '#') break;
      if (rest.starts_with("\"\"\"") || rest.starts_with("'''"))
        quote = text.substr(i, 3), i += 2;
      else if (rest[0] == '"' || rest[0] == '\'')
        quote = text.substr(i, 1);
      else if (std::string_view("([{").contains(rest[0]))
        ++depth;
      else if (std::string_view(")]}").contains(rest[0]))
        --depth;
    }
    if (quote.size() == 1)
      quote =
          {};  // ends with its line, unless a backslash joins the next: rare, and then depth is off
    lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

void blank_python(std::string& text, const std::vector<ByteRange>& names) {
  const std::string before = text;
  const auto lines = python_lines(before);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto code = std::string_view(before).substr(
        lines[i].begin + lines[i].indent, lines[i].end - lines[i].begin - lines[i].indent);
    if (lines[i].is_inside || !(code.starts_with("def ") || code.starts_with("async def ")))
      continue;
    auto first = i + 1;
    while (first < lines.size() && (lines[first].is_inside || lines[first].is_blank)) ++first;
    auto end = first;
    while (end < lines.size() &&
           (lines[end].is_inside || lines[end].is_blank || lines[end].indent > lines[i].indent))
      ++end;
    if (first >= end || lines[first].indent <= lines[i].indent) continue;
    const ByteRange body{lines[first].begin + lines[first].indent, lines[end - 1].end};
    if (body.size() < kLeastBody || has_name(names, body)) continue;
    blank(text, body, "0");
    i = end - 1;
  }
}

/// Bodies in braces whose closing brace begins a line: `...) {` up to `}`.
void blank_braces(std::string& text, const std::vector<ByteRange>& names) {
  const std::string before = text;
  std::size_t open = std::string::npos;  // of a body at the left margin
  int depth = 0, conditionals = 0;
  for (std::size_t at = 0; at < before.size();) {
    const auto end = std::min(before.find('\n', at), before.size());
    const auto line = std::string_view(before).substr(at, end - at);
    const auto code = trim(line);
    if (code.starts_with('#')) {
      if (code.starts_with("#if")) ++conditionals;
      if (code.starts_with("#endif")) --conditionals;
      // A branch that belongs to a condition outside of the body: it is not whole.
      if (open != std::string::npos &&
          (conditionals < 0 || (conditionals == 0 && code.starts_with("#el"))))
        open = std::string::npos;
    } else if (open == std::string::npos) {
      const bool is_head = !line.empty() && line[0] != ' ' && line[0] != '\t' && line[0] != '}' &&
                           line[0] != '/' && code.ends_with('{') &&
                           !code.starts_with("namespace") && !code.starts_with("extern") &&
                           code.contains(')');
      if ((is_head && std::ranges::count(line, '{') == std::ranges::count(line, '}') + 1) ||
          line == "{")
        open = end, depth = 1, conditionals = 0;
    } else {
      for (const char c : line) depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (line.starts_with('}')) {
        const ByteRange body{open, at};
        if (depth == 0 && conditionals == 0 && body.size() >= kLeastBody && !has_name(names, body))
          blank(text, body, "");
        open = std::string::npos;
      }
    }
    at = end + 1;
  }
}

}  // namespace

std::string without_remarks(const Language& language, std::string_view text) {
  std::string result(text);
  if (language.blocks_by_indentation())
    blank_python_remarks(result);
  else if (language.has_preprocessor())
    blank_c_comments(result);
  return result;
}

std::string without_idle_bodies(const Language& language, std::string_view text,
                                const std::vector<ByteRange>& names) {
  std::string result(text);
  if (language.blocks_by_indentation())
    blank_python(result, names);
  else if (language.has_preprocessor())
    blank_braces(result, names);
  return result;
}

}  // namespace portpatch
