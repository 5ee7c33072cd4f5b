#include "edit/text_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "syntax/cc.h"
#include "syntax/language.h"
#include "syntax/literals.h"

namespace portpatch {

namespace {

struct TextElement {
  std::string_view text;
  ByteRange range;  ///< in the file
};

struct TextList {
  ByteRange content;
  std::string delimiter;
  std::vector<TextElement> elements;
  std::string wanted;                ///< the directive's element as spelled here
  std::optional<std::size_t> index;  ///< of the element that is it
};

/// What stands between the quotes; the whole node when it has none.
ByteRange content_of(const Node& literal, std::string_view text) {
  const auto range = literal.range();
  const auto parsed = parse_string(range.of(text), true);
  if (!parsed) return range;
  return {range.end - parsed->quote.size() - parsed->content.size(),
          range.end - parsed->quote.size()};
}

/// The delimiter that the content uses: the first of these that occurs.
std::string delimiter_of(std::string_view content) {
  for (const std::string_view candidate : {";", ",", "|", ":", " "}) {
    const auto at = content.find(candidate);
    if (at == std::string_view::npos) continue;
    const auto end = content.find_first_not_of(' ', at + 1);
    return std::string(content.substr(at, end == std::string_view::npos ? 1 : end - at));
  }
  return {};
}

/// The directive's element as it stands in a string: without its own quotes.
std::string bare(std::string_view element) {
  const auto literal = parse_string(element, false);
  return literal ? literal->content : std::string(element);
}

std::expected<TextList, Step> read_list(const EditContext& context, const Node& literal) {
  const auto text = context.text();
  TextList list{.content = content_of(literal, text),
                .delimiter = {},
                .elements = {},
                .wanted = {},
                .index = std::nullopt};
  const auto content = list.content.of(text);
  list.delimiter = delimiter_of(content);
  if (list.delimiter.empty()) list.delimiter = context.language().text_delimiter();
  if (content.contains('\n') || content.contains('\\') || content.contains('{')) {
    return std::unexpected(
        Step::blocked("no-container", "the string has line breaks, escapes or placeholders in it",
                      "edit it by hand", literal.range()));
  }
  if (list.delimiter.empty() && !content.empty()) {
    return std::unexpected(Step::blocked(
        "no-container",
        fmt::format("`{}` has no delimiter (; , | : or blank) to tell its elements apart", content),
        "edit it by hand, or use #replace!", literal.range()));
  }
  std::vector<std::string> siblings;
  for (std::size_t at = 0; !content.empty();) {
    const auto end = std::min(content.find(list.delimiter[0], at), content.size());
    const auto part = trim(content.substr(at, end - at));
    if (!part.empty()) {
      const auto begin = list.content.begin +
                         static_cast<std::size_t>(part.data() - content.data());
      list.elements.push_back({part, {begin, begin + part.size()}});
      siblings.emplace_back(part);
    }
    if (end == content.size()) break;
    at = end + 1;
  }
  list.wanted = bare(context.directive.texts[0]);
  const auto cc = parse_cc(context.directive.texts[0]);
  const auto spelling = cc ? common_spelling(siblings) : std::nullopt;
  if (cc) {
    const auto spelled = spelling ? spell(*cc, *spelling) : std::nullopt;
    if (!spelled) {
      return std::unexpected(Step::blocked(
          "unknown-spelling",
          fmt::format("`{}` cannot be spelled as in `{}`", context.directive.texts[0], content),
          "write the element in the rule as it must stand", literal.range()));
    }
    list.wanted = *spelled;
  }
  for (std::size_t i = 0; i < list.elements.size(); ++i) {
    if (list.elements[i].text == list.wanted) list.index = i;
    const auto other = spelling ? read_spelling(list.elements[i].text, *spelling) : std::nullopt;
    if (other && other->major == cc->major && other->minor == cc->minor &&
        other->suffix != cc->suffix && !list.index) {
      return std::unexpected(Step::conflict("the same cc stands there with another suffix",
                                            list.wanted, std::string(list.elements[i].text),
                                            list.elements[i].range));
    }
  }
  return list;
}

}  // namespace

Step plan_text_element(const EditContext& context, const Node& literal) {
  const auto list = read_list(context, literal);
  if (!list) return list.error();
  if (list->index) return Step::holds(list->elements[*list->index].range);
  if (list->wanted.find_first_of("\"'\\\n") != std::string::npos ||
      (!list->delimiter.empty() && list->wanted.contains(list->delimiter[0]))) {
    return Step::blocked("bad-entry",
                         fmt::format("`{}` cannot be one element of this string", list->wanted),
                         "an element has no quotes, escapes or delimiters in it", literal.range());
  }
  TextEdit edit{{list->content.begin, list->content.begin}, list->wanted};
  if (!list->elements.empty()) {
    const auto end = list->elements.back().range.end;
    edit = {{end, end}, list->delimiter + list->wanted};
  }
  auto step = Step::edit({std::move(edit)}, literal.range());
  step.inside_token = true;
  return step;
}

Step revert_text_element(const EditContext& context, const Node& literal) {
  const auto list = read_list(context, literal);
  if (!list) return list.error();
  if (!list->index) return Step::holds(literal.range());
  const auto& elements = list->elements;
  const auto i = *list->index;
  ByteRange gone = elements[i].range;
  if (i > 0)
    gone.begin = elements[i - 1].range.end;
  else if (elements.size() > 1)
    gone.end = elements[1].range.begin;
  auto step = Step::edit({{gone, ""}}, literal.range());
  step.inside_token = true;
  return step;
}

}  // namespace portpatch
