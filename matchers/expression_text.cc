#include "expression_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace portpatch::matchers {
namespace {

using Kind = Expression::Kind;

struct Token {
  enum class Type { kEnd, kNumber, kWord, kText, kPunctuation };
  Type type = Type::kEnd;
  ByteRange range;
  std::string_view text;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Bytes of white space, comments and line continuations at `at`.
std::size_t blank_at(std::string_view text, std::size_t at) {
  const auto begin = at;
  while (at < text.size()) {
    const auto rest = text.substr(at);
    if (std::isspace(static_cast<unsigned char>(rest[0])))
      ++at;
    else if (rest.starts_with("\\\n"))
      at += 2;
    else if (rest.starts_with("\\\r\n"))
      at += 3;
    else if (rest.starts_with("//"))
      at = std::min(text.find('\n', at), text.size());
    else if (rest.starts_with("/*"))
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    else
      break;
  }
  return at - begin;
}

std::vector<Token> tokens_of(std::string_view text) {
  constexpr std::array<std::string_view, 13> kLong{
      "<<=", ">>=", "<<", "&&", "||", "==", "!=", "<=", ">=", "::", "->", "++", "--"};
  std::vector<Token> tokens;
  std::size_t at = 0;
  const auto take = [&](Token::Type type, std::size_t size) {
    tokens.push_back({type, {at, at + size}, text.substr(at, size)});
    at += size;
  };
  while ((at += blank_at(text, at)) < text.size()) {
    const char c = text[at];
    std::size_t size = 1;
    if (std::isdigit(static_cast<unsigned char>(c))) {
      while (at + size < text.size() &&
             (is_word(text[at + size]) || text[at + size] == '.' || text[at + size] == '\''))
        ++size;
      take(Token::Type::kNumber, size);
    } else if (is_word(c)) {
      while (at + size < text.size() && is_word(text[at + size])) ++size;
      take(Token::Type::kWord, size);
    } else if (c == '"' || c == '\'') {
      while (at + size < text.size() && text[at + size] != c)
        size += text[at + size] == '\\' ? 2 : 1;
      take(Token::Type::kText, std::min(size + 1, text.size() - at));
    } else {
      const auto found = std::ranges::find_if(
          kLong, [&](auto one) { return text.substr(at).starts_with(one); });
      take(Token::Type::kPunctuation, found == kLong.end() ? 1 : found->size());
    }
  }
  return tokens;
}

std::optional<Constant> number_value(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '\'') digits += c;
  }
  const bool is_hex = digits.starts_with("0x") || digits.starts_with("0X");
  if (!is_hex && digits.find_first_of(".eE") != std::string::npos) {
    double real = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), real);
    return read.ec == std::errc() ? std::optional<Constant>(real) : std::nullopt;
  }
  long long value = 0;
  const int base = is_hex ? 16 : (digits.size() > 1 && digits[0] == '0') ? 8 : 10;
  const auto* begin = digits.data() + (is_hex ? 2 : 0);
  const auto* end = digits.data() + digits.size();
  const auto read = std::from_chars(begin, end, value, base);
  const std::string_view suffix(read.ptr, static_cast<std::size_t>(end - read.ptr));
  if (read.ec != std::errc() || suffix.find_first_not_of("uUlL") != std::string_view::npos)
    return std::nullopt;
  return value;
}

std::optional<Constant> folded(const Expression& left, std::string_view op,
                               const Expression& right) {
  if (!left.value || !right.value) return std::nullopt;
  const auto* a = std::get_if<long long>(&*left.value);
  const auto* b = std::get_if<long long>(&*right.value);
  long long result = 0;
  if (a == nullptr || b == nullptr) return std::nullopt;
  if (op == "*" && !__builtin_mul_overflow(*a, *b, &result)) return result;
  if (op == "+" && !__builtin_add_overflow(*a, *b, &result)) return result;
  if (op == "-" && !__builtin_sub_overflow(*a, *b, &result)) return result;
  if (op == "<<" && *a >= 0 && *b >= 0 && *b < 32 && *a < (1LL << 31)) return *a << *b;
  if (op == "/" && *b > 0) return *a / *b;
  return std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view text, std::size_t offset)
      : text_(text), offset_(offset), tokens_(tokens_of(text)) {}

  Expression read() {
    auto result = conditional();
    if (failed_ || at_ < tokens_.size()) return opaque();
    return result;
  }

 private:
  [[nodiscard]] Expression opaque() const {
    return {.kind = Kind::kOpaque,
            .text = fold_space(text_),
            .range = {offset_, offset_ + text_.size()}};
  }
  [[nodiscard]] bool is(std::string_view text) const {
    return at_ < tokens_.size() && tokens_[at_].text == text;
  }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] std::size_t begin() const {
    return at_ < tokens_.size() ? tokens_[at_].range.begin : text_.size();
  }
  [[nodiscard]] std::size_t last_end() const { return at_ == 0 ? 0 : tokens_[at_ - 1].range.end; }

  Expression made(Kind kind, std::size_t begin, std::vector<Expression> parts,
                  std::string name = {}) const {
    const ByteRange range{begin, last_end()};
    return {.kind = kind,
            .text = fold_space(range.of(text_)),
            .range = {range.begin + offset_, range.end + offset_},
            .name = std::move(name),
            .parts = std::move(parts)};
  }

  Expression conditional() {
    const auto start = begin();
    auto condition = disjunction();
    if (!take("?")) return condition;
    auto yes = conditional();
    if (!take(":")) failed_ = true;
    auto no = conditional();
    return made(Kind::kConditional, start, {std::move(condition), std::move(yes), std::move(no)});
  }

  Expression disjunction() {
    const auto start = begin();
    auto left = conjunction();
    while (take("||") || take("or")) {
      auto right = conjunction();
      left = made(Kind::kOr, start, {std::move(left), std::move(right)});
    }
    return left;
  }

  Expression conjunction() {
    const auto start = begin();
    auto left = comparison();
    while (take("&&") || take("and")) {
      auto right = comparison();
      left = made(Kind::kAnd, start, {std::move(left), std::move(right)});
    }
    return left;
  }

  Expression comparison() {
    const auto start = begin();
    auto left = sum();
    for (const std::string_view op : {"==", "!=", "<=", ">=", "<", ">", "not_eq"}) {
      if (!take(op)) continue;
      auto right = sum();
      return made(Kind::kCompare, start, {std::move(left), std::move(right)},
                  op == "not_eq" ? "!=" : std::string(op));
    }
    return left;
  }

  Expression sum() { return chain({"+", "-", "&", "|", "<<"}, &Reader::product); }
  Expression product() { return chain({"*", "/", "%"}, &Reader::unary); }

  Expression chain(std::initializer_list<std::string_view> operators,
                   Expression (Reader::*next)()) {
    const auto start = begin();
    auto left = (this->*next)();
    for (;;) {
      const auto op = std::ranges::find_if(operators, [&](auto one) { return is(one); });
      if (op == operators.end() || failed_) return left;
      ++at_;
      auto right = (this->*next)();
      const auto value = folded(left, *op, right);
      left = made(Kind::kArithmetic, start, {std::move(left), std::move(right)}, std::string(*op));
      left.value = value;
    }
  }

  Expression unary() {
    const auto start = begin();
    if (take("!") || take("not")) {
      auto part = unary();
      return made(Kind::kNot, start, {std::move(part)});
    }
    if (take("-")) {
      auto part = unary();
      auto result = made(Kind::kOpaque, start, {});
      if (part.value && std::holds_alternative<long long>(*part.value)) {
        result.kind = Kind::kNumber;
        result.value = -std::get<long long>(*part.value);
      }
      return result;
    }
    return postfix();
  }

  Expression postfix() {
    const auto start = begin();
    if (take("(")) {
      auto inner = conditional();
      if (!take(")")) failed_ = true;
      return inner;
    }
    if (is("{")) {
      auto items = list("}");
      return made(Kind::kList, start, std::move(items));
    }
    if (at_ >= tokens_.size()) {
      failed_ = true;
      return {};
    }
    const auto token = tokens_[at_];
    if (token.type == Token::Type::kNumber || token.type == Token::Type::kText) {
      ++at_;
      auto result = made(token.type == Token::Type::kNumber ? Kind::kNumber : Kind::kText, start,
                         {});
      if (token.type == Token::Type::kNumber)
        result.value = number_value(token.text);
      else if (token.text.size() >= 2)
        result.value = std::string(token.text.substr(1, token.text.size() - 2));
      return result;
    }
    if (token.type != Token::Type::kWord && token.text != "::") {
      failed_ = true;
      return {};
    }
    return name(start);
  }

  /// `a::b<c>.d->e(f)[g]`: a name, or a call when it ends in one.
  Expression name(std::size_t start) {
    bool is_call = false;
    std::string callee;
    std::vector<Expression> arguments;
    take("::");
    for (;;) {
      if (at_ >= tokens_.size() || tokens_[at_].type != Token::Type::kWord) {
        failed_ = true;
        break;
      }
      ++at_;
      if (callee == "defined" || tokens_[at_ - 1].text == "defined") {
        const bool in_parentheses = take("(");
        const auto name_start = begin();
        if (at_ < tokens_.size()) ++at_;
        auto macro = made(Kind::kName, name_start, {});
        if (in_parentheses) take(")");
        return made(Kind::kCall, start, {std::move(macro)}, "defined");
      }
      skip_template_arguments();
      is_call = false;
      while (is("(") || is("[")) {
        is_call = is("(");
        callee = fold_space(text_.substr(start, last_end() - start));
        arguments = list(is_call ? ")" : "]");
      }
      if (!take("::") && !take(".") && !take("->")) break;
    }
    if (is_call) return made(Kind::kCall, start, std::move(arguments), callee);
    return made(Kind::kName, start, {});
  }

  std::vector<Expression> list(std::string_view closing) {
    std::vector<Expression> items;
    ++at_;
    while (!failed_ && !take(closing)) {
      items.push_back(conditional());
      if (!is(closing) && !take(",")) failed_ = true;
    }
    return items;
  }

  /// Past `<...>` where what follows shows that it is one.
  void skip_template_arguments() {
    if (!is("<")) return;
    int depth = 0;
    for (auto i = at_; i < tokens_.size(); ++i) {
      const auto text = tokens_[i].text;
      if (text == "<") ++depth;
      if (text == "(" || text == "&&" || text == "||" || text == "?" || text == ";" ||
          text == "<=" || text == ">=")
        return;
      if (text != ">" || --depth > 0) continue;
      const auto next = i + 1 < tokens_.size() ? tokens_[i + 1].text : std::string_view();
      const bool ends = next.empty() || next == "(" || next == ")" || next == "::" || next == "{" ||
                        next == "&&" || next == "||" || next == ";" || next == "==" || next == ",";
      if (ends) at_ = i + 1;
      return;
    }
  }

  std::string_view text_;
  std::size_t offset_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

Expression read_expression(std::string_view text, std::size_t offset) {
  return Reader(text, offset).read();
}

std::string fold_space(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (const auto blank = blank_at(text, at); blank > 0) {
      if (!result.empty()) result += ' ';
      at += blank;
    } else if (text[at] == '"') {
      auto end = at + 1;
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      result += text.substr(at, end - at);
      at = end;
    } else {
      result += text[at++];
    }
  }
  while (result.ends_with(' ')) result.pop_back();
  return result;
}

}  // namespace portpatch::matchers
