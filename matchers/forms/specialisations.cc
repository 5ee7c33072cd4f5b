// Templates specialised by an architecture's tag: `struct Layout<TypeA, arch::Sm89>`. Found in the
// text, since Clang drops a specialisation of a template that it does not know.
#include <array>
#include <cctype>

#include "directives.h"
#include "expression_text.h"
#include "forms/form.h"

namespace portpatch::matchers {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The arguments between the `<` at `open` and its `>`.
std::vector<ByteRange> template_arguments(std::string_view code, std::size_t open) {
  std::vector<ByteRange> found;
  int depth = 0;
  auto begin = open + 1;
  for (auto at = open; at < code.size() && code[at] != ';' && code[at] != '{'; ++at) {
    if (code[at] == '<' || code[at] == '(') ++depth;
    if (code[at] == '>' || code[at] == ')') --depth;
    if (depth == 0 || (depth == 1 && code[at] == ',')) {
      found.push_back({begin, at});
      begin = at + 1;
    }
    if (depth == 0) return found;
  }
  return {};
}

/// The end of `template <...>` at `at`, or npos.
std::size_t header_end(std::string_view code, std::size_t at) {
  const auto open = code.find_first_not_of(" \t\r\n", at + 8);
  if (open == std::string_view::npos || code[open] != '<') return std::string_view::npos;
  const auto arguments = template_arguments(code, open);
  return arguments.empty() ? std::string_view::npos : arguments.back().end + 1;
}

void add_place(std::string_view text, std::string_view code, ByteRange head, std::size_t open,
               std::vector<CcPlace>& places) {
  auto name = open;
  while (name > head.begin && (is_word(code[name - 1]) || code[name - 1] == ':')) --name;
  CcPlace place{.form = "specialisation",
                .function = {},
                .name = std::string(code.substr(name, open - name)),
                .range = head};
  CcArm arm{.range = head, .is_row = true};
  for (const auto range : template_arguments(code, open)) {
    const auto argument = fold_space(trim(range.of(text)));
    if (const auto cc = spelled_capability(argument)) {
      arm.comparisons.push_back({.expression = place.name,
                                 .op = "==",
                                 .key = argument,
                                 .unit = CcUnit::kArch,
                                 .cc = *cc,
                                 .range = range});
    }
  }
  if (arm.comparisons.empty()) return;
  place.arms.push_back(std::move(arm));
  places.push_back(std::move(place));
}

}  // namespace

void find_specialisations(const FormInput& input, std::vector<CcPlace>& places) {
  const auto code = blank_directives(input.text);
  for (const auto at : whole_words(code, "template")) {
    const auto after = header_end(code, at);
    if (after == std::string_view::npos) continue;
    const auto head_end = std::min(code.find_first_of("{;", after), code.size());
    const ByteRange head{at, head_end};
    const auto rest = std::string_view(code).substr(after, head_end - after);
    const bool is_class = trim(rest).starts_with("struct") || trim(rest).starts_with("class");
    const bool is_full = trim(std::string_view(code).substr(at + 8, after - at - 8)) == "<>";
    if (!is_class && !is_full)
      continue;  // an explicit instantiation, or a template that only uses a tag
    // Of a class the name's own arguments, not those of its bases.
    const auto limit = is_class ? std::min(rest.find(" : "), rest.size())
                                : std::min(rest.find('('), rest.size());
    const auto open = rest.substr(0, limit).find('<');
    if (open != std::string_view::npos) add_place(input.text, code, head, after + open, places);
  }
}

}  // namespace portpatch::matchers
