// Conditions in the bodies of function-like macros, which Clang sees only where they are used.
#include <algorithm>
#include <cctype>

#include "directives.h"
#include "expression_text.h"
#include "forms/form.h"

namespace portpatch::matchers {
namespace {

std::size_t line_end_of(std::string_view code, std::size_t at) {
  auto end = std::min(code.find('\n', at), code.size());
  while (end < code.size() && end > 0 &&
         code.substr(0, end).find_last_not_of('\r') != std::string_view::npos &&
         code[code.substr(0, end).find_last_not_of('\r')] == '\\') {
    end = std::min(code.find('\n', end + 1), code.size());
  }
  return end;
}

/// Conditions of `if (...)` in a body, wherever they are nested.
void add_conditions(std::string_view text, std::string_view code, ByteRange body,
                    const std::string& name, const ConditionReader& reader,
                    std::vector<CcPlace>& places) {
  for (const auto at : whole_words(body.of(code), "if")) {
    const auto open = body.of(code).find('(', at);
    if (open == std::string_view::npos || trim(body.of(code).substr(at + 2, open - at - 2)).size() >
                                              std::string_view("constexpr").size())
      continue;
    int depth = 0;
    auto close = open;
    for (; close < body.size(); ++close) {
      if (body.of(code)[close] == '(') ++depth;
      if (body.of(code)[close] == ')' && --depth == 0) break;
    }
    const ByteRange condition{body.begin + open + 1, std::min(body.begin + close, body.end)};
    CcPlace place{.form = "macro", .function = {}, .name = name, .range = condition};
    place.arms.push_back(
        arm_for(reader, {read_expression(condition.of(text), condition.begin)}, condition));
    if (has_keys(place)) places.push_back(std::move(place));
  }
}

}  // namespace

void find_macro_bodies(const FormInput& input, std::vector<CcPlace>& places) {
  const auto code = blank_comments(input.text);
  const ConditionReader reader(input.text, input.text);
  for (const auto at : whole_words(code, "define")) {
    const auto hash = code.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
    if (hash == std::string::npos || code[hash] != '#') continue;
    const auto end = line_end_of(code, at);
    const auto name = code.find_first_not_of(" \t", at + 6);
    auto name_end = name;
    while (name_end < end &&
           (std::isalnum(static_cast<unsigned char>(code[name_end])) || code[name_end] == '_'))
      ++name_end;
    if (name_end >= end || code[name_end] != '(') continue;
    const auto body = code.find(')', name_end);
    if (body == std::string::npos || body >= end) continue;
    add_conditions(input.text, code, {body + 1, end}, code.substr(name, name_end - name), reader,
                   places);
  }
}

}  // namespace portpatch::matchers
