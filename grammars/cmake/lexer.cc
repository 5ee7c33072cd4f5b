#include "cmake/lexer.h"

extern "C" {
#include <tree_sitter/api.h>
// Last: it makes its own what api.h has not made.
#include <parser.h>
}

#include <algorithm>
#include <string>

namespace portpatch::grammars {

namespace {

enum : std::uint16_t {
  kEndOfFile,
  kIdentifier,
  kOpen,
  kClose,
  kEnd,
  kText,
  kVariable,
  kNextText,
  kNextVariable,
  kQuote,
  kQuotedText,
  kBracketArgument,
  kLineComment,
  kBracketComment,
  kAnd,
  kOr,
  kNot,
  kStray,
  kFirstKeyword
};

constexpr std::string_view kKeywords[] = {
    "if",       "elseif",   "else",        "endif", "foreach",  "endforeach", "while",
    "endwhile", "function", "endfunction", "macro", "endmacro", "block",      "endblock"};

enum Mode : std::uint16_t {
  kAnything,  ///< after an error: whatever it looks like
  kCommands,  ///< between commands
  kName,      ///< behind a command's name: its parenthesis
  kArguments,
  kCondition,   ///< arguments, or NOT
  kOperator,    ///< behind an argument of a condition: more, or AND, or OR
  kInArgument,  ///< behind a piece of an unquoted argument
  kInConditionArgument,
  kQuoted,
  kLineEnd,  ///< behind a command
};

bool is_blank(std::int32_t c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_space(std::int32_t c) { return is_blank(c) || c == '\n'; }
bool is_letter(std::int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name(std::int32_t c) { return is_letter(c) || c == '_' || (c >= '0' && c <= '9'); }
bool is_variable_name(std::int32_t c) {
  return is_name(c) || c == '/' || c == '.' || c == '+' || c == '-';
}

class CMakeLexer {
 public:
  explicit CMakeLexer(TSLexer* lexer) : lexer_(lexer) {}

  bool lex(std::uint16_t mode) {
    switch (mode) {
      case kLineEnd:
        return line_end();
      case kQuoted:
        return quoted();
      case kName:
        skip(is_blank);
        return take('(', kOpen) || take('\n', kStray);
      case kCommands:
        skip(is_space);
        return peek() == '#' ? comment() : at_end() ? accept(kEndOfFile) : command_name(false);
      case kInArgument:
      case kInConditionArgument:
        return next_piece() || argument(mode == kInArgument ? kArguments : kOperator);
      case kArguments:
      case kCondition:
      case kOperator:
        return argument(mode);
      default:
        return anything();
    }
  }

 private:
  std::int32_t peek() const { return lexer_->lookahead; }
  bool at_end() const { return lexer_->eof(lexer_); }
  void advance() { lexer_->advance(lexer_, false); }
  void mark() { lexer_->mark_end(lexer_); }
  void skip(bool (*is)(std::int32_t)) {
    while (!at_end() && is(peek())) lexer_->advance(lexer_, true);
  }
  bool accept(std::uint16_t symbol) {
    lexer_->result_symbol = symbol;
    mark();
    return true;
  }
  bool take(std::int32_t c, std::uint16_t symbol) {
    if (peek() != c || at_end()) return false;
    advance();
    return accept(symbol);
  }

  /// Only blanks and comments up to the end of the line.
  bool line_end() {
    mark();
    lexer_->result_symbol = kEnd;
    for (;;) {
      while (!at_end() && is_blank(peek())) advance();
      if (at_end() || peek() == '\n') return true;
      if (peek() != '#') return false;
      advance();
      if (!bracketed()) return true;
    }
  }

  /// Behind a `#`, or at a `[`: `[==[ ... ]==]`. False when there is none, or it does not end.
  bool bracketed() {
    if (peek() != '[') return false;
    advance();
    int wanted = 0;
    for (; peek() == '='; advance()) ++wanted;
    opened_ = peek() == '[';
    return opened_ && bracket_content(wanted);
  }

  bool bracket_content(int wanted) {
    advance();
    for (int equals = -1; !at_end();
         advance()) {  // how many `=` stand behind a `]`; -1: there is none
      if (peek() == ']' && equals == wanted) {
        advance();
        return true;
      }
      equals = peek() == ']' ? 0 : peek() == '=' && equals >= 0 ? equals + 1 : -1;
    }
    return false;
  }

  bool comment() {
    advance();
    opened_ = false;
    if (bracketed()) return accept(kBracketComment);
    if (opened_) return accept(kStray);  // it does not end: CMake refuses it
    mark();
    while (!at_end() && peek() != '\n') {
      const bool part = peek() != '\r';
      advance();
      if (part) mark();
    }
    lexer_->result_symbol = kLineComment;
    return true;
  }

  /// A command's name. After an error only one with its parenthesis.
  bool command_name(bool with_parenthesis) {
    std::string name;
    if (!is_letter(peek()) && peek() != '_') return false;
    for (; !at_end() && is_name(peek()); advance())
      name += static_cast<char>(peek() >= 'A' && peek() <= 'Z' ? peek() + 32 : peek());
    mark();
    const auto* found = std::ranges::find(kKeywords, name);
    lexer_->result_symbol = found == std::end(kKeywords)
                                ? static_cast<TSSymbol>(kIdentifier)
                                : static_cast<TSSymbol>(kFirstKeyword + (found - kKeywords));
    while (with_parenthesis && is_blank(peek())) advance();
    return !with_parenthesis || peek() == '(';
  }

  bool quoted() {
    if (peek() == '"') return take('"', kQuote);
    if (at_end()) return false;
    if (peek() == '$' && variable()) return accept(kVariable);  // a `$` that is none was read over
    mark();
    while (!at_end() && peek() != '"' && peek() != '$') {
      const bool escape = peek() == '\\';
      advance();
      if (escape && !at_end()) advance();
    }
    return accept(kQuotedText);
  }

  /// `${X}`, `$ENV{X}`, `${A_${B}}`. False when it is not one; some of it is read then.
  bool variable() {
    int depth = 0;
    do {
      if (peek() == '$') {
        for (advance(); is_letter(peek()); advance()) {
        }
        if (peek() != '{') return false;
        ++depth;
      } else if (peek() == '}') {
        --depth;
      } else if (peek() == '\\') {
        advance();
        if (at_end() || is_space(peek())) return false;
      } else if (!is_variable_name(peek()) && peek() != '@') {
        return false;
      }
      advance();
    } while (depth > 0 && !at_end());
    return depth == 0;
  }

  /// Does `c` stand for itself in an unquoted argument?
  static bool is_plain(std::int32_t c) {
    return c != 0 && !is_space(c) && c != '(' && c != ')' && c != '#' && c != '"' && c != '\\' &&
           c != '$';
  }

  /// The rest of an old-style `-DX="a b"`, behind its first quote: all of it is one unquoted
  /// argument.
  bool old_quotes() {
    for (; !at_end() && peek() != '"'; advance()) {
      if (peek() == '\\') {
        advance();
        if (at_end() || peek() == '\n') return false;
      } else if (!is_plain(peek()) && peek() != ' ' && peek() != '\t' && peek() != '$') {
        return false;
      }
    }
    if (at_end()) return false;
    advance();
    return true;
  }

  /// `$(X)`, of Makefiles: part of an unquoted argument. Called behind the `$`.
  bool make_variable() {
    if (peek() != '(') return false;
    do advance();
    while (is_name(peek()));
    return take(')', kText);
  }

  /// Text of an unquoted argument up to a variable or its end; `begun`: some of it was read.
  bool text(std::uint16_t symbol, bool begun) {
    if (begun) mark();
    for (word_.clear(); !at_end();) {
      if (peek() == '"') {
        if (!begun) break;
        advance();
        if (!old_quotes()) break;
      } else if (peek() == '\\') {
        advance();
        if (at_end() || peek() == '\n' || peek() == '\r') break;
        advance();
      } else if (is_plain(peek())) {
        if (word_.size() < 4) word_ += static_cast<char>(peek());
        advance();
      } else {
        break;
      }
      begun = true;
      mark();
    }
    lexer_->result_symbol = symbol;
    return begun;
  }

  /// A `$`: a variable, or text.
  bool dollar(std::uint16_t text_symbol, std::uint16_t variable_symbol) {
    if (variable()) return accept(variable_symbol);
    mark();
    if (peek() == '(' &&
        !make_variable()) {  // what was read is marked: the parenthesis is not of it
      lexer_->result_symbol = text_symbol;
      return true;
    }
    return text(text_symbol, true);
  }

  /// Behind a piece of an unquoted argument: another one, or nothing.
  bool next_piece() {
    if (at_end()) return false;
    if (peek() == '$') return dollar(kNextText, kNextVariable);
    if (peek() != '"') return text(kNextText, false);
    advance();
    mark();  // the quote of the next argument, unless its end shows that it belongs to this one
    if (old_quotes()) return text(kNextText, true);
    lexer_->result_symbol = kQuote;
    return true;
  }

  bool argument(std::uint16_t mode) {
    skip(is_space);
    switch (at_end() ? 0 : peek()) {
      case '#':
        return comment();
      case '(':
        return take('(', kOpen);
      case ')':
        return take(')', kClose);
      case '"':
        return take('"', kQuote);
      case '$':
        return dollar(kText, kVariable);
      case '[':
        return bracket_or_text();
    }
    if (!text(kText, false)) return false;
    const bool whole = at_end() || is_space(peek()) || peek() == '(' || peek() == ')' ||
                       peek() == '#';
    if (whole && mode == kOperator && word_ == "AND") lexer_->result_symbol = kAnd;
    if (whole && mode == kOperator && word_ == "OR") lexer_->result_symbol = kOr;
    if (whole && mode == kCondition && word_ == "NOT") lexer_->result_symbol = kNot;
    return true;
  }

  bool bracket_or_text() {
    advance();
    mark();
    int wanted = 0;
    for (; peek() == '='; advance()) ++wanted;
    if (peek() != '[') return text(kText, true);
    return accept(bracket_content(wanted) ? kBracketArgument : kStray);
  }

  bool anything() {
    skip(is_space);
    if (at_end()) return accept(kEndOfFile);
    if (!is_letter(peek()) && peek() != '_') return argument(kArguments);
    return command_name(true) || text(kText, true);
  }

  TSLexer* lexer_;
  bool opened_ = false;  ///< a bracket opened, whether or not it ended
  std::string word_;     ///< how the text read last begins
};

}  // namespace

const std::vector<Token>& cmake_tokens() {
  static const std::vector<Token> tokens = [] {
    std::vector<Token> out = {{"end", ""},
                              {"identifier", ""},
                              {"(", "", false},
                              {")", "", false},
                              {"_end", ""},
                              {"_text", ""},
                              {"variable_reference", ""},
                              {"_next_text", ""},
                              {"_next_variable", "variable_reference"},
                              {"\"", "", false},
                              {"_quoted_text", ""},
                              {"bracket_argument", ""},
                              {"line_comment", "", true, true},
                              {"bracket_comment", "", true, true},
                              {"AND", "", false},
                              {"OR", "", false},
                              {"NOT", "", false},
                              {"_stray", ""}};  // what may stand nowhere
    for (const auto keyword : kKeywords) out.push_back({keyword, "", false});
    return out;
  }();
  return tokens;
}

std::uint16_t cmake_mode(const std::vector<bool>& accepted) {
  if (accepted[kEnd]) return kLineEnd;
  if (accepted[kQuotedText]) return kQuoted;
  if (accepted[kNextText]) return accepted[kAnd] ? kInConditionArgument : kInArgument;
  if (accepted[kAnd]) return kOperator;
  if (accepted[kNot]) return kCondition;
  if (accepted[kText]) return kArguments;
  return accepted[kOpen] ? kName : kCommands;
}

bool lex_cmake(TSLexer* lexer, std::uint16_t mode) { return CMakeLexer(lexer).lex(mode); }

}  // namespace portpatch::grammars
