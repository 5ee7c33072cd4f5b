#include "function_heads.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "directives.h"

namespace portpatch::matchers {
namespace {

constexpr std::string_view kPrefix = "portpatch_function_";

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// The end of a brace block that begins at `open`.
std::size_t block_end(std::string_view code, std::size_t open) {
  int depth = 0;
  for (auto at = open; at < code.size(); ++at) {
    if (code[at] == '{') ++depth;
    if (code[at] == '}' && --depth == 0) return at + 1;
  }
  return code.size();
}

bool has_word(std::string_view text, std::string_view word) {
  return !whole_words(text, word).empty();
}

/// `f(...) const`, not `namespace a`, `struct B : C<(1)>`, `x = f()`.
bool is_function_head(std::string_view head) {
  const auto open = head.find('(');
  if (open == std::string_view::npos || trim(head.substr(0, open)).empty()) return false;
  for (const std::string_view word : {"namespace", "enum", "extern"}) {
    if (has_word(head.substr(0, open), word)) return false;
  }
  const auto start = trim(head);
  for (const std::string_view word : {"struct ", "class ", "union "}) {
    if (start.starts_with(word)) return false;
  }
  return !head.substr(0, open).contains('=');
}

/// `A::f` of `void A::f(int x) const`.
std::string name_of(std::string_view head) {
  auto end = head.find('(');
  while (end > 0 && is_space(head[end - 1])) --end;
  auto begin = end;
  int depth = 0;  // of template arguments
  for (; begin > 0; --begin) {
    const char c = head[begin - 1];
    if (c == '>')
      ++depth;
    else if (c == '<')
      --depth;
    else if (depth == 0 && !std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != ':' &&
             c != '~')
      break;
  }
  return std::string(head.substr(begin, end - begin));
}

}  // namespace

std::vector<FunctionText> function_texts(std::string_view text) {
  const auto code = blank_directives(text);
  std::vector<FunctionText> found;
  std::size_t start = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const char c = code[at];
    if (c == ';' || c == '}') start = at + 1;
    if (c == ':' && (at + 1 == code.size() || code[at + 1] != ':') &&
        (at == 0 || code[at - 1] != ':')) {
      const auto word = trim(std::string_view(code).substr(start, at - start));
      if (word == "public" || word == "private" || word == "protected") start = at + 1;
    }
    if (c != '{') continue;
    while (start < at && is_space(code[start])) ++start;
    const auto head = std::string_view(code).substr(start, at - start);
    if (is_function_head(head)) {
      const auto end = block_end(code, at);
      found.push_back({{start, at}, {at, end}});
      at = end - 1;
    }
    start = at + 1;
  }
  return found;
}

const std::string* original_name(const ReplacedHeads& heads, std::string_view read) {
  const auto at = read.find(kPrefix);
  if (at == std::string_view::npos) return nullptr;
  const auto digits = read.substr(at + kPrefix.size());
  std::size_t number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return parsed.ec == std::errc() && number < heads.names.size() ? &heads.names[number] : nullptr;
}

std::optional<ReplacedHeads> replace_heads(std::string_view text,
                                           const std::vector<ByteRange>& read,
                                           const std::function<bool(ByteRange)>& is_wanted) {
  ReplacedHeads result{.text = std::string(text), .arguments = {}, .names = {}};
  for (const auto& function : function_texts(text)) {
    const bool is_read = std::ranges::any_of(
        read, [&](ByteRange one) { return one.overlaps(function.body); });
    if (is_read || !is_wanted(function.body)) continue;
    const auto name = fmt::format("PP{}", result.arguments.size());
    if (function.head.size() <= name.size()) continue;
    for (auto i = function.head.begin; i < function.head.end; ++i) {
      if (result.text[i] != '\n' && result.text[i] != '\r') result.text[i] = ' ';
    }
    auto at = function.head.begin;
    while (at < function.head.end && result.text[at] != ' ') ++at;
    // The name needs a run of blanks: the head's first line may be too short for it.
    const auto place = result.text.find(std::string(name.size() + 1, ' '), at);
    if (place == std::string::npos || place + name.size() > function.head.end) continue;
    result.text.replace(place, name.size(), name);
    result.names.push_back(name_of(function.head.of(text)));
    result.arguments.push_back(
        fmt::format("-D{}=auto {}{}()", name, kPrefix, result.arguments.size()));
  }
  return result.arguments.empty() ? std::nullopt : std::optional(std::move(result));
}

}  // namespace portpatch::matchers
