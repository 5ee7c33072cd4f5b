#include "base/text.h"

#include <algorithm>
#include <cassert>
#include <cctype>

#include <fmt/format.h>

#include "base/utf8.h"

namespace portpatch {

LineColumn line_column(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const auto line = 1 + std::ranges::count(text.substr(0, offset), '\n');
  return {static_cast<std::size_t>(line), offset - line_begin(text, offset) + 1};
}

std::size_t line_begin(std::string_view text, std::size_t offset) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  const auto newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  if (newline != std::string_view::npos) return newline + 1;
  return offset >= kByteOrderMark.size() && text.starts_with(kByteOrderMark) ? kByteOrderMark.size()
                                                                             : 0;
}

std::size_t line_end(std::string_view text, std::size_t offset) {
  auto end = text.find('\n', offset);
  if (end == std::string_view::npos) return text.size();
  if (end > offset && text[end - 1] == '\r') --end;
  return end;
}

std::string_view line_at(std::string_view text, std::size_t offset) {
  const auto begin = line_begin(text, offset);
  return text.substr(begin, line_end(text, begin) - begin);
}

std::string_view indent_at(std::string_view text, std::size_t offset) {
  const auto line = line_at(text, offset);
  const auto end = line.find_first_not_of(" \t");
  return line.substr(0, end == std::string_view::npos ? line.size() : end);
}

bool starts_line(std::string_view text, std::size_t offset) {
  while (offset > 0 && (text[offset - 1] == ' ' || text[offset - 1] == '\t')) --offset;
  return offset == line_begin(text, offset);
}

std::string_view line_break_of(std::string_view text) {
  const auto newline = text.find('\n');
  return newline != std::string_view::npos && newline > 0 && text[newline - 1] == '\r' ? "\r\n"
                                                                                       : "\n";
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) {
    if (c == '\t') {
      width += 8 - width % 8;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      ++width;
    }
  }
  return width;
}

std::string_view trim(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n\f\v");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n\f\v") - begin + 1);
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = line_end(text, at);
    lines.push_back(text.substr(at, end - at));
    const auto newline = text.find('\n', end);
    if (newline == std::string_view::npos) break;
    at = newline + 1;
  }
  return lines;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const auto end = text.find(separator, at);
    parts.push_back(text.substr(at, end == std::string_view::npos ? end : end - at));
    if (end == std::string_view::npos) return parts;
    at = end + 1;
  }
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string apply_edits(std::string_view text, const std::vector<TextEdit>& edits) {
  std::string result;
  std::size_t at = 0;
  for (const auto& edit : edits) {
    assert(edit.range.begin >= at && edit.range.end <= text.size());
    result += text.substr(at, edit.range.begin - at);
    result += edit.text;
    at = edit.range.end;
  }
  result += text.substr(at);
  return result;
}

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const auto length = utf8_length(text, at);
    // C0, DEL, C1 (U+0080..U+009F), the bidirectional controls that reorder a line on screen, and
    // U+FFFE and U+FFFF.
    const auto sequence = text.substr(at, length);
    const bool bidi = length == 3 &&
                      (sequence.starts_with("\xE2\x80") || sequence.starts_with("\xE2\x81")) &&
                      ((sequence >= "\xE2\x80\xAA" && sequence <= "\xE2\x80\xAE") ||
                       (sequence >= "\xE2\x81\xA6" && sequence <= "\xE2\x81\xA9"));
    const bool control = (byte < 0x20 && byte != '\t') || byte == 0x7F ||
                         (length == 2 && byte == 0xC2 &&
                          static_cast<unsigned char>(text[at + 1]) < 0xA0) ||
                         bidi || (length == 3 && sequence >= "\xEF\xBF\xBE");
    if (length == 0 || control) {
      for (std::size_t i = 0; i < std::max<std::size_t>(length, 1); ++i) {
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at + i]));
      }
      at += std::max<std::size_t>(length, 1);
    } else {
      result += sequence;
      at += length;
    }
  }
  return result;
}

namespace {

/// The places of a path that the pattern can lead to, token after token, as in Thompson, "Regular
/// Expression Search Algorithm" (CACM 11:6, 1968): at most pattern times path steps.
class GlobMatch {
 public:
  GlobMatch(std::string_view pattern, std::string_view path) : pattern_(pattern), path_(path) {}

  bool matches() {
    while (!pattern_.empty() && !places_.empty()) {
      if (takes("**/"))
        extend([](char passed) { return passed == '/'; }, false);
      else if (takes("**"))
        extend([](char) { return true; }, false);
      else if (takes("*"))
        extend([](char passed) { return passed != '/'; }, true);
      else
        step();
    }
    return !places_.empty() && places_.back() == path_.size();
  }

 private:
  bool takes(std::string_view token) {
    if (!pattern_.starts_with(token)) return false;
    pattern_.remove_prefix(token.size());
    return true;
  }

  /// Adds each place behind the first one that comes behind a `wanted` byte; `next_only`: and
  /// behind a place.
  void extend(auto wanted, bool next_only) {
    std::vector<std::size_t> places;
    auto known = places_.begin();
    for (auto place = places_.front(); place <= path_.size(); ++place) {
      const bool is_known = known != places_.end() && *known == place;
      if (is_known) ++known;
      const bool is_next = !places.empty() && (!next_only || places.back() + 1 == place);
      if (is_known || (is_next && wanted(path_[place - 1]))) places.push_back(place);
    }
    places_ = std::move(places);
  }

  /// A byte, `?` or a set: one byte of the path.
  void step() {
    const auto close = pattern_[0] == '[' ? pattern_.find(']', 2) : std::string_view::npos;
    const auto set = close == std::string_view::npos ? "" : pattern_.substr(1, close - 1);
    std::size_t kept = 0;
    for (const auto place : places_) {
      if (place == path_.size()) continue;
      const char c = path_[place];
      if (!set.empty()         ? c != '/' && in_set(set, c)
          : pattern_[0] == '?' ? c != '/'
                               : c == pattern_[0])
        places_[kept++] = place + 1;
    }
    places_.resize(kept);
    pattern_.remove_prefix(set.empty() ? 1 : close + 1);
  }

  static bool in_set(std::string_view set, char c) {
    const bool negated = set.starts_with('!') || set.starts_with('^');
    if (negated) set.remove_prefix(1);
    bool inside = false;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (i + 2 < set.size() && set[i + 1] == '-') {
        inside |= set[i] <= c && c <= set[i + 2];
        i += 2;
      } else {
        inside |= set[i] == c;
      }
    }
    return inside != negated;
  }

  std::string_view pattern_, path_;
  std::vector<std::size_t> places_{0};
};

}  // namespace

std::string shell_word(std::string_view text) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-./:@%+,=").contains(c);
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

bool glob_matches(std::string_view pattern, std::string_view path) {
  if (!pattern.contains('/')) {
    const auto slash = path.rfind('/');
    if (slash != std::string_view::npos) path = path.substr(slash + 1);
    // "*.py" is asked of every file of a tree.
    if (pattern.starts_with('*') && pattern.find_first_of("*?[", 1) == std::string_view::npos) {
      return path.ends_with(pattern.substr(1));
    }
  }
  return GlobMatch(pattern, path).matches();
}

std::vector<std::size_t> whole_words(std::string_view text, std::string_view word) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80);
  };
  std::vector<std::size_t> places;
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end])))
      places.push_back(at);
  }
  return places;
}

namespace {

/// The number that `text` begins with, without leading zeros, and how long it stands there.
std::pair<std::string_view, std::size_t> leading_number(std::string_view text) {
  const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto zeros = std::min(text.find_first_not_of('0'), end);
  return {text.substr(zeros, end - zeros), end};
}

}  // namespace

int compare_naturally(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const auto [x, x_size] = leading_number(a);
    const auto [y, y_size] = leading_number(b);
    if (x_size > 0 && y_size > 0) {
      if (x != y) return std::pair(x.size(), x) < std::pair(y.size(), y) ? -1 : 1;
      a.remove_prefix(x_size);
      b.remove_prefix(y_size);
      continue;
    }
    if (a[0] != b[0])
      return static_cast<unsigned char>(a[0]) < static_cast<unsigned char>(b[0]) ? -1 : 1;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.empty() ? (b.empty() ? 0 : -1) : 1;
}

}  // namespace portpatch
