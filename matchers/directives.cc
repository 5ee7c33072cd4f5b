#include "directives.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace portpatch::matchers {
namespace {

constexpr std::array<std::string_view, 7> kKeywords{"if",      "ifdef",    "ifndef", "elif",
                                                    "elifdef", "elifndef", "else"};

/// The end of the line of `at`, past line continuations.
std::size_t logical_line_end(std::string_view text, std::size_t at) {
  for (;;) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto last = text.substr(0, end).find_last_not_of('\r');
    if (end == text.size() || last == std::string_view::npos || text[last] != '\\' || last < at)
      return end;
    at = end + 1;
  }
}

std::size_t past_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

/// #ifndef X, #define X, ... #endif around the whole text.
bool guards(const DirectiveLadder& ladder, std::string_view code) {
  const auto& first = ladder.branches[0];
  if (first.keyword != "ifndef" || ladder.branches.size() != 1) return false;
  const auto name = trim(first.condition.of(code));
  const auto body = trim(first.body.of(code));
  if (!body.starts_with("#")) return false;
  const auto define = trim(body.substr(1));
  if (!define.starts_with("define") || !trim(define.substr(6)).starts_with(name)) return false;
  return trim(code.substr(0, ladder.range.begin)).empty() &&
         trim(code.substr(ladder.range.end)).empty();
}

void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (auto i = begin; i < std::min(end, text.size()); ++i) {
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
  }
}

std::size_t raw_string_end(std::string_view text, std::size_t quote) {
  const auto open = text.find('(', quote);
  if (open == std::string_view::npos || open - quote > 17) return quote + 1;
  const auto close = text.find(")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"",
                               open);
  return close == std::string_view::npos ? text.size() : close + (open - quote) + 1;
}

}  // namespace

std::string blank_comments(std::string_view text) {
  std::string result(text);
  for (std::size_t at = 0; at < text.size();) {
    const auto rest = text.substr(at);
    if (rest.starts_with("//")) {
      const auto end = logical_line_end(text, at);
      blank(result, at, end);
      at = end;
    } else if (rest.starts_with("/*")) {
      const auto end = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
      blank(result, at, end);
      at = end;
    } else if (rest.starts_with("R\"") &&
               (at == 0 ||
                !(std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_'))) {
      const auto end = raw_string_end(text, at + 1);
      blank(result, at + 2, end - 1);
      at = end;
    } else if (text[at] == '"' ||
               (text[at] == '\'' &&
                (at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]))))) {
      auto end = at + 1;
      while (end < text.size() && text[end] != text[at] && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
      blank(result, at + 1, end);
      at = end + 1;
    } else {
      ++at;
    }
  }
  return result;
}

std::string blank_directives(std::string_view text) {
  auto code = blank_comments(text);
  for (std::size_t line = 0; line < code.size();) {
    const auto end = logical_line_end(code, line);
    const auto first = past_blanks(code, line);
    if (first < code.size() && code[first] == '#') blank(code, line, end);
    line = end + 1;
  }
  return code;
}

std::vector<DirectiveLadder> directive_ladders(std::string_view text) {
  const auto code = blank_comments(text);
  std::vector<DirectiveLadder> done, open;
  for (std::size_t line = 0; line < code.size();) {
    const auto end = logical_line_end(code, line);
    const auto hash = past_blanks(code, line);
    line = end + 1;
    if (hash >= code.size() || code[hash] != '#') continue;
    const auto word = past_blanks(code, hash + 1);
    auto word_end = word;
    while (word_end < end && std::isalpha(static_cast<unsigned char>(code[word_end]))) ++word_end;
    const auto keyword = std::string(code.substr(word, word_end - word));
    if (keyword == "endif") {
      if (open.empty()) continue;
      auto ladder = std::move(open.back());
      open.pop_back();
      ladder.branches.back().body.end = hash;
      ladder.range.end = end;
      ladder.is_guard = guards(ladder, code);
      done.push_back(std::move(ladder));
      continue;
    }
    if (std::ranges::find(kKeywords, keyword) == kKeywords.end()) continue;
    const DirectiveBranch branch{.keyword = keyword,
                                 .directive = {hash, end},
                                 .condition = {word_end, end},
                                 .body = {std::min(end + 1, code.size()), end}};
    if (keyword.starts_with("if")) {
      open.push_back({.range = {hash, end}, .branches = {branch}});
    } else if (!open.empty()) {
      open.back().branches.back().body.end = hash;
      open.back().branches.push_back(branch);
    }
  }
  std::ranges::sort(done, {}, [](const auto& ladder) { return ladder.range.begin; });
  return done;
}

std::string take_branches(std::string_view text, std::size_t choice) {
  std::string result(text);
  for (const auto& ladder : directive_ladders(text)) {
    if (ladder.is_guard) continue;
    const auto chosen = std::min(choice, ladder.branches.size() - 1);
    for (std::size_t i = 0; i < ladder.branches.size(); ++i) {
      const auto& branch = ladder.branches[i];
      if (branch.keyword == "else") continue;
      const auto directive = std::string(i == 0 ? "#if " : "#elif ") + (i == chosen ? '1' : '0');
      if (branch.directive.size() < directive.size()) continue;
      blank(result, branch.directive.begin, branch.directive.end);
      result.replace(branch.directive.begin, directive.size(), directive);
    }
  }
  return result;
}

}  // namespace portpatch::matchers
