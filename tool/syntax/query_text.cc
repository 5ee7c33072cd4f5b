#include "syntax/query_text.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <re2/re2.h>

namespace portpatch {

namespace {

class Reader {
 public:
  Reader(std::string_view path, std::string_view text) : path_(path), text_(text) {}

  Result<QueryText> read() {
    QueryText result;
    skip_blank(&result.header);
    while (at_ < text_.size()) {
      auto item = read_item();
      if (!item) return std::unexpected(item.error());
      const bool continues = item->kind == QueryItem::Kind::kCapture ||
                             item->kind == QueryItem::Kind::kQuantifier;
      if (continues && !result.patterns.empty()) {
        result.patterns.back().range.end = item->range.end;
        result.patterns.back().items.push_back(std::move(*item));
      } else {
        result.patterns.push_back({item->range, {}});
        result.patterns.back().items.push_back(std::move(*item));
      }
      skip_blank(nullptr);
    }
    return result;
  }

 private:
  using Kind = QueryItem::Kind;

  std::unexpected<Diagnostic> fail(std::size_t at, std::string message, std::string remedy) const {
    return std::unexpected(Diagnostic{.code = "query-syntax",
                                      .message = std::move(message),
                                      .place = place_of(path_, text_, {at, at + 1}),
                                      .remedy = std::move(remedy)});
  }

  /// Skips blanks and comments; `comments` takes those up to the first blank line.
  void skip_blank(std::string* comments) {
    while (at_ < text_.size()) {
      if (text_[at_] == ';') {
        const auto end = line_end(text_, at_);
        if (comments != nullptr) {
          auto line = text_.substr(at_, end - at_);
          line.remove_prefix(std::min(line.find_first_not_of("; "), line.size()));
          *comments += fmt::format("{}{}", comments->empty() ? "" : "\n", line);
        }
        at_ = end;
        const auto next = text_.find_first_not_of(
            " \t\r", text_.find('\n', at_) == std::string_view::npos ? text_.size()
                                                                     : text_.find('\n', at_) + 1);
        if (next != std::string_view::npos && text_[next] == '\n') comments = nullptr;
      } else if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' ||
                 text_[at_] == '\r') {
        ++at_;
      } else {
        return;
      }
    }
  }

  Result<QueryItem> read_item() {
    const auto begin = at_;
    const char c = text_[at_];
    if (c == '(' || c == '[') return read_group(c == '(' ? ')' : ']');
    if (c == ')' || c == ']') {
      return fail(begin, fmt::format("`{}` closes nothing", c),
                  "remove it, or add its opening bracket");
    }
    if (c == '"') return read_string();
    ++at_;
    if (c == '?' || c == '*' || c == '+') return item(Kind::kQuantifier, begin);
    if (c == '.') return item(Kind::kWord, begin);
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (c == '@') {
      auto capture = item(Kind::kCapture, begin);
      capture.text.erase(0, 1);
      return capture;
    }
    if (at_ < text_.size() && text_[at_] == ':') {
      ++at_;
      return item(Kind::kField, begin);
    }
    if (!is_word(c) && c != '#' && c != '!') {
      return fail(
          begin, fmt::format("`{}` has no meaning in a query", printable(text_.substr(begin, 1))),
          "a query is made of (nodes), [alternatives], \"strings\", @captures and (#predicates)");
    }
    return item(Kind::kWord, begin);
  }

  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-.?!/").contains(c);
  }

  QueryItem item(Kind kind, std::size_t begin) const {
    return {kind, {begin, at_}, std::string(text_.substr(begin, at_ - begin)), {}};
  }

  Result<QueryItem> read_group(char close) {
    QueryItem group{close == ')' ? Kind::kList : Kind::kAlternation, {at_, at_}, {}, {}};
    ++at_;
    if (++depth_ > 200) return fail(at_ - 1, "brackets nest too deep", "simplify the pattern");
    for (;;) {
      skip_blank(nullptr);
      if (at_ == text_.size()) {
        return fail(group.range.begin, "this bracket is never closed",
                    fmt::format("add the missing `{}`", close));
      }
      if (text_[at_] == close) break;
      auto next = read_item();
      if (!next) return next;
      group.items.push_back(std::move(*next));
    }
    --depth_;
    group.range.end = ++at_;
    return group;
  }

  Result<QueryItem> read_string() {
    const auto begin = at_++;
    std::string decoded;
    for (; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_) {
      if (text_[at_] != '\\' || at_ + 1 == text_.size()) {
        decoded += text_[at_];
        continue;
      }
      const char escaped = text_[++at_];
      decoded += escaped == 'n'   ? '\n'
                 : escaped == 't' ? '\t'
                 : escaped == 'r' ? '\r'
                 : escaped == '0' ? '\0'
                                  : escaped;
    }
    if (at_ == text_.size() || text_[at_] != '"') {
      return fail(
          begin, "this string is never closed on its line",
          "close it; a long text stands beside the rule as RULE.NAME and is named \"file:NAME\"");
    }
    ++at_;
    return QueryItem{Kind::kString, {begin, at_}, std::move(decoded), {}};
  }

  std::string_view path_, text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

void collect_predicates(const std::vector<QueryItem>& items, std::vector<const QueryItem*>& out) {
  for (const auto& item : items) {
    if (item.is_predicate())
      out.push_back(&item);
    else
      collect_predicates(item.items, out);
  }
}

void collect_captures(const std::vector<QueryItem>& items, std::set<std::string>& out) {
  for (const auto& item : items) {
    if (item.is_predicate()) continue;
    if (item.kind == QueryItem::Kind::kCapture) out.insert(item.text);
    collect_captures(item.items, out);
  }
}

bool is_optional(const std::vector<QueryItem>& items, std::size_t index) {
  for (auto i = index + 1; i < items.size(); ++i) {
    if (items[i].kind == QueryItem::Kind::kQuantifier) return items[i].text != "+";
    if (items[i].kind != QueryItem::Kind::kCapture) return false;
  }
  return false;
}

/// Captures that every match binds: not below an optional item or one arm of an alternation.
void collect_bound(const std::vector<QueryItem>& items, std::set<std::string>& bound) {
  bool optional = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto& item = items[i];
    if (item.kind == QueryItem::Kind::kCapture) {
      if (!optional) bound.insert(item.text);
    } else if (item.kind != QueryItem::Kind::kQuantifier) {
      optional = is_optional(items, i);
      if (!optional && item.kind == QueryItem::Kind::kList && !item.is_predicate()) {
        collect_bound(item.items, bound);
      }
    }
  }
}

}  // namespace

Result<QueryText> read_query_text(std::string_view path, std::string_view text) {
  return Reader(path, text).read();
}

std::vector<const QueryItem*> predicates_of(const PatternText& pattern) {
  std::vector<const QueryItem*> found;
  collect_predicates(pattern.items, found);
  return found;
}

std::vector<std::string> captures_of(const PatternText& pattern) {
  std::set<std::string> captures;
  collect_captures(pattern.items, captures);
  return {captures.begin(), captures.end()};
}

/// The name of the innermost scope of "Class.method", which stands in the file; empty for a glob.
static std::string scope_name(std::string_view scope) {
  const auto at = scope.find_last_of(".:");
  const auto name = at == std::string_view::npos ? scope : scope.substr(at + 1);
  const bool is_word = std::ranges::all_of(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
  return is_word ? std::string(name) : std::string();
}

std::string query_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

std::string first_capture(const PatternText& pattern) {
  std::vector<const QueryItem*> pending;
  const auto add = [&](const std::vector<QueryItem>& items) {
    for (auto item = items.rbegin(); item != items.rend(); ++item) pending.push_back(&*item);
  };
  add(pattern.items);
  while (!pending.empty()) {
    const auto* item = pending.back();
    pending.pop_back();
    if (item->kind == QueryItem::Kind::kCapture) return item->text;
    if (!item->is_predicate()) add(item->items);
  }
  return {};
}

std::vector<std::vector<std::string>> required_literals(const PatternText& pattern,
                                                        const NameInCode& name_in_code) {
  std::set<std::string> bound;
  collect_bound(pattern.items, bound);
  std::vector<std::vector<std::string>> groups;
  for (const auto* predicate : predicates_of(pattern)) {
    const auto& items = predicate->items;
    if (items[0].text == "#in-scope?" && items.size() == 3 &&
        items[1].kind == QueryItem::Kind::kCapture && bound.contains(items[1].text)) {
      if (auto name = scope_name(items[2].text); !name.empty()) groups.push_back({std::move(name)});
    }
    if (items[0].text == "#reads?" && items.size() == 3 &&
        items[2].kind == QueryItem::Kind::kString && bound.contains(items[1].text)) {
      if (auto name = name_in_code(items[2].text); !name.empty())
        groups.push_back({std::move(name)});
    }
    if (items[0].text != "#eq?" && items[0].text != "#any-of?") continue;
    if (items.size() < 3 || items[1].kind != QueryItem::Kind::kCapture ||
        !bound.contains(items[1].text))
      continue;
    std::vector<std::string> group;
    for (std::size_t i = 2; i < items.size(); ++i) {
      if (items[i].kind == QueryItem::Kind::kString) group.push_back(items[i].text);
    }
    if (group.size() == items.size() - 2 && std::ranges::none_of(group, &std::string::empty)) {
      groups.push_back(std::move(group));
    }
  }
  return groups;
}

std::string regex_of_beginning(std::string_view text) {
  return "^" + RE2::QuoteMeta(re2::StringPiece(text.data(), text.size()));
}

}  // namespace portpatch
