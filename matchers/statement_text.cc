#include "statement_text.h"

#include <algorithm>
#include <cctype>

#include "directives.h"
#include "expression_text.h"

namespace portpatch::matchers {
namespace {

using Kind = Statement::Kind;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Reader {
 public:
  Reader(std::string_view text, ByteRange range)
      : text_(text),
        code_(blank_directives(text.substr(0, range.end))),
        at_(range.begin),
        end_(range.end) {}

  std::vector<Statement> read() {
    std::vector<Statement> found;
    for (skip_space(); at_ < end_; skip_space()) {
      const auto before = at_;
      found.push_back(statement());
      if (at_ == before) ++at_;
    }
    return found;
  }

 private:
  void skip_space() {
    while (at_ < end_ &&
           (std::isspace(static_cast<unsigned char>(code_[at_])) || code_[at_] == '\\'))
      ++at_;
  }
  [[nodiscard]] std::string_view word() const {
    auto to = at_;
    while (to < end_ && is_word(code_[to])) ++to;
    return std::string_view(code_).substr(at_, to - at_);
  }
  bool take(std::string_view wanted) {
    if (word() != wanted) return false;
    at_ += wanted.size();
    skip_space();
    return true;
  }

  /// Past the bracket that closes the one at `at_`.
  ByteRange bracketed() {
    const auto begin = at_;
    int depth = 0;
    for (; at_ < end_; ++at_) {
      const char c = code_[at_];
      if (c == '(' || c == '{' || c == '[') ++depth;
      if ((c == ')' || c == '}' || c == ']') && --depth == 0) break;
    }
    at_ = std::min(at_ + 1, end_);
    return {begin, at_};
  }

  /// Up to a `;` outside of brackets, or the end of the block; past it.
  ByteRange simple() {
    const auto begin = at_;
    int depth = 0;
    for (; at_ < end_; ++at_) {
      const char c = code_[at_];
      if (c == '(' || c == '{' || c == '[') ++depth;
      if (c == ')' || c == '}' || c == ']') --depth;
      if ((c == ';' && depth == 0) || depth < 0) break;
    }
    const ByteRange range{begin, at_};
    if (at_ < end_ && code_[at_] == ';') ++at_;
    return range;
  }

  Expression expression(ByteRange range) const {
    return read_expression(range.of(text_), range.begin);
  }

  Expression condition() {
    if (at_ >= end_ || code_[at_] != '(') return {};
    const auto range = bracketed();
    return expression({range.begin + 1, std::max(range.begin + 1, range.end - 1)});
  }

  Statement statement() {
    const auto begin = at_;
    auto result = shape();
    result.range = {begin, std::max(at_, begin)};
    skip_space();
    return result;
  }

  Statement shape() {
    if (code_[at_] == '{') return block();
    if (take("if")) return branch();
    if (take("switch")) return choice();
    for (const std::string_view loop : {"for", "while"}) {
      if (!take(loop)) continue;
      Statement result{.kind = Kind::kLoop};
      if (at_ < end_ && code_[at_] == '(') bracketed();
      skip_space();
      if (at_ < end_) result.parts.push_back(statement());
      return result;
    }
    if (take("do")) {
      Statement result{.kind = Kind::kLoop};
      if (at_ < end_) result.parts.push_back(statement());
      return result;
    }
    if (take("return")) {
      const auto range = simple();
      Statement result{.kind = Kind::kReturn};
      if (!trim(range.of(code_)).empty()) result.expressions.push_back(expression(range));
      return result;
    }
    for (const std::string_view leave : {"break", "continue", "goto", "throw"}) {
      if (!take(leave)) continue;
      simple();
      return {.kind = Kind::kLeave};
    }
    return other(simple());
  }

  Statement block() {
    const auto range = bracketed();
    const auto after = at_, limit = end_;
    at_ = range.begin + 1;
    end_ = std::max(at_, range.end - 1);
    Statement result{.kind = Kind::kBlock, .parts = read()};
    at_ = after;
    end_ = limit;
    return result;
  }

  Statement branch() {
    Statement result{.kind = Kind::kIf, .is_constexpr = take("constexpr")};
    result.expressions.push_back(condition());
    skip_space();
    result.parts.push_back(at_ < end_ ? statement() : Statement{});
    if (take("else") && at_ < end_) result.parts.push_back(statement());
    return result;
  }

  Statement choice() {
    Statement result{.kind = Kind::kSwitch};
    result.expressions.push_back(condition());
    skip_space();
    if (at_ >= end_ || code_[at_] != '{') return result;
    const auto range = bracketed();
    const auto after = at_, limit = end_;
    at_ = range.begin + 1;
    end_ = std::max(at_, range.end - 1);
    bool is_open = false;  // a label without a statement yet: the next label joins it
    for (skip_space(); at_ < end_; skip_space()) {
      const auto begin = at_;
      if (take("case")) {
        auto to = at_;
        while (to < end_ && (code_[to] != ':' || code_[to + 1] == ':' || code_[to - 1] == ':'))
          ++to;
        if (!is_open) result.parts.push_back({.kind = Kind::kCase, .range = {begin, to}});
        result.parts.back().expressions.push_back(expression({at_, to}));
        at_ = std::min(to + 1, end_);
        is_open = true;
      } else if (word() == "default") {
        if (!is_open) result.parts.push_back({.kind = Kind::kCase, .range = {begin, begin}});
        result.parts.back().expressions.clear();
        const auto colon = std::min(code_.find(':', at_), end_);
        at_ = std::min(colon + 1, end_);
        is_open = true;
      } else {
        auto part = statement();
        if (at_ == begin) ++at_;
        is_open = false;
        if (result.parts.empty()) continue;
        result.parts.back().range.end = part.range.end;
        result.parts.back().parts.push_back(std::move(part));
      }
    }
    at_ = after;
    end_ = limit;
    return result;
  }

  Statement other(ByteRange range) const {
    auto whole = expression(range);
    Statement result;
    if (whole.kind != Expression::Kind::kOpaque) {
      result.expressions.push_back(std::move(whole));
      return result;
    }
    const auto code = range.of(code_);
    for (auto at = code.find('='); at != std::string_view::npos && at + 1 < code.size();
         at = code.find('=', at + 1)) {
      if (code[at + 1] == '=' || (at > 0 && std::string_view("=!<>").contains(code[at - 1])))
        continue;
      auto value = expression({range.begin + at + 1, range.end});
      if (value.kind == Expression::Kind::kOpaque) break;
      auto before = trim(code.substr(0, at));
      while (!before.empty() && std::string_view("+-*/|&^%").contains(before.back()))
        before = trim(before.substr(0, before.size() - 1));
      auto name = before.size();
      while (name > 0 && is_word(before[name - 1])) --name;
      result.kind = name > 0 && !before.substr(0, name).ends_with('.') &&
                            !before.substr(0, name).ends_with('>')
                        ? Kind::kVariable
                        : Kind::kAssign;
      result.name = result.kind == Kind::kAssign ? before : before.substr(name);
      result.expressions.push_back(std::move(value));
      return result;
    }
    // A lambda in it: its statements.
    const auto open = code.find('{');
    if (open != std::string_view::npos && code.find('}', open) != std::string_view::npos) {
      result.parts = Reader(text_.substr(0, range.begin + code.rfind('}')),
                            {range.begin + open + 1, range.begin + code.rfind('}')})
                         .read();
    }
    return result;
  }

  std::string_view text_;
  std::string code_;
  std::size_t at_, end_;
};

}  // namespace

std::vector<Statement> read_statements(std::string_view text, ByteRange range) {
  return Reader(text, range).read();
}

}  // namespace portpatch::matchers
