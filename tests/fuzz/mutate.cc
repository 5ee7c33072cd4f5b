// Mutations that keep most of a text whole, so that it gets past the parsers.
#include <algorithm>
#include <cctype>
#include <random>

#include "tests/fuzz/target.h"

namespace portpatch::fuzz {

namespace {

/// What tables, ladders and their verification are about.
constexpr std::string_view kTokens[] = {
    "12",   "120",     "(12, 0)",  "\"12.0a\"", "0xc0",
    "1200", "sm_120",  "90",       ",",         ";",
    ":",    "(",       ")",        "[",         "]",
    "{",    "}",       "=",        "==",        ">=",
    "#",    "\\",      "\n",       "\r\n",      "    ",
    "\t",   "\"",      "'",        "\"\"\"",    "//",
    "/*",   "*/",      "-",        "...",       "|",
    "&",    "*",       "**",       "?",         "if",
    "else", "elif",    "pass",     "def",       "None",
    "true", "#if 0\n", "#endif\n", "\xc3",      "\xef\xbb\xbf",
    "\f",   "\v",
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Words, runs of blanks, single other bytes.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  const auto kind = [](char c) { return is_word(c) ? 1 : c == ' ' ? 2 : 0; };
  for (std::size_t at = 0; at < text.size();) {
    auto end = at + 1;
    while (kind(text[at]) != 0 && end < text.size() && kind(text[end]) == kind(text[at])) ++end;
    tokens.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string mutate(Parts parts, std::size_t most, ChangeBytes change_bytes) {
    // The last part is the text itself, most of the time.
    const auto last = parts.size() - 1;
    auto& part = parts[parts.size() == 1 || below(4) != 0 ? last : below(parts.size())];
    switch (below(8)) {
      case 0:
        part = change_bytes(part, most);
        break;
      case 1:
        part = parts[below(parts.size())];
        if (below(2) == 0) part = joined(shuffled(tokens_of(part), tokens_of(part)));
        break;
      case 2:
      case 3:
        part = joined(shuffled(lines_of(part), lines_of(parts[below(parts.size())])));
        break;
      default:
        part = joined(shuffled(tokens_of(part), tokens_of(parts[last])));
    }
    return join_parts(parts);
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

  static std::string joined(const std::vector<std::string>& pieces) {
    std::string text;
    for (const auto& piece : pieces) text += piece;
    return text;
  }

  std::string piece_of(const std::vector<std::string>& others) {
    return others.empty() || below(3) == 0 ? std::string(kTokens[below(std::size(kTokens))])
                                           : others[below(others.size())];
  }

  /// Some pieces taken out, put in, doubled, moved or replaced.
  std::vector<std::string> shuffled(std::vector<std::string> pieces,
                                    const std::vector<std::string>& others) {
    for (auto changes = 1 + below(4); changes > 0; --changes) {
      const auto at = pieces.begin() + static_cast<std::ptrdiff_t>(below(pieces.size()));
      const auto kind = pieces.empty() ? 0 : below(5);
      if (kind == 0) {
        pieces.insert(at, piece_of(others));
      } else if (kind == 1) {
        pieces.erase(at);
      } else if (kind == 2) {
        *at = piece_of(others);
      } else if (kind == 3) {
        const auto length = static_cast<std::ptrdiff_t>(
            1 + below(std::min<std::size_t>(12, static_cast<std::size_t>(pieces.end() - at))));
        const std::vector<std::string> run(at, at + length);
        pieces.insert(at, run.begin(), run.end());
      } else {
        std::swap(*at, pieces[below(pieces.size())]);
      }
    }
    return pieces;
  }

  std::minstd_rand random_;
};

}  // namespace

std::string mutated(std::string_view input, std::size_t most, std::uint32_t seed,
                    ChangeBytes change_bytes) {
  auto text = Mutator(seed).mutate(split_parts(input), most, change_bytes);
  if (text.size() > most) text.resize(most);
  return text;
}

}  // namespace portpatch::fuzz
