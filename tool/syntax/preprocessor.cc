#include "syntax/preprocessor.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>

namespace portpatch {

namespace {

struct Conditional;

struct Directive {
  std::string_view keyword, rest;
  ByteRange lines;  ///< whole
};

/// One arm: what stands between two directives.
struct Arm {
  ByteRange range;
  std::vector<std::unique_ptr<Conditional>> inner;
  bool seen = false;  ///< kept by an earlier variant
};

struct Conditional {
  std::vector<Directive> directives;
  std::vector<Arm> arms;
  bool is_guard = false;
  std::string_view guard_name;
};

/// Reads directives line by line, leaving out block comments.
class DirectiveReader {
 public:
  explicit DirectiveReader(std::string_view text) : text_(text) {}

  std::optional<Directive> next() {
    while (at_ < text_.size()) {
      const auto begin = at_;
      const bool was_comment = in_comment_;
      auto end = next_line(at_);
      skip_comments({at_, end});
      const auto line = trim(text_.substr(begin, end - begin));
      if (was_comment || !line.starts_with('#')) {
        at_ = end;
        continue;
      }
      while (continues({begin, end}) && end < text_.size()) end = next_line(end);
      at_ = end;
      const auto body = trim(line.substr(1));
      const auto word_end = std::min(body.find_first_not_of("abcdefghijklmnopqrstuvwxyz"),
                                     body.size());
      return Directive{body.substr(0, word_end), trim(body.substr(word_end)), {begin, end}};
    }
    return std::nullopt;
  }

 private:
  std::size_t next_line(std::size_t at) const {
    const auto newline = text_.find('\n', at);
    return newline == std::string_view::npos ? text_.size() : newline + 1;
  }

  bool continues(ByteRange lines) const {
    auto line = lines.of(text_);
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    return line.ends_with('\\');
  }

  void skip_comments(ByteRange line) {
    char quote = 0;
    for (auto i = line.begin; i < line.end; ++i) {
      const auto two = text_.substr(i, 2);
      if (in_comment_) {
        if (two == "*/") in_comment_ = false, ++i;
      } else if (quote != 0) {
        if (text_[i] == '\\')
          ++i;
        else if (text_[i] == quote)
          quote = 0;
      } else if (two == "//") {
        return;
      } else if (two == "/*") {
        in_comment_ = true, ++i;
      } else if (text_[i] == '"') {
        quote = text_[i];
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool in_comment_ = false;
};

bool is_if(std::string_view keyword) {
  return keyword == "if" || keyword == "ifdef" || keyword == "ifndef";
}
bool is_else(std::string_view keyword) {
  return keyword == "else" || keyword == "elif" || keyword == "elifdef" || keyword == "elifndef";
}

/// The file as one arm with its conditionals; nothing when they do not pair up.
std::optional<Arm> read_conditionals(std::string_view text) {
  Arm file{.range = {0, text.size()}, .inner = {}};
  std::vector<Conditional*> open;
  std::vector<Arm*> arms{&file};
  bool after_ifndef = false;
  DirectiveReader reader(text);
  while (const auto directive = reader.next()) {
    const auto [keyword, rest, lines] = *directive;
    if (is_if(keyword)) {
      auto& slot = arms.back()->inner.emplace_back(std::make_unique<Conditional>());
      slot->directives.push_back(*directive);
      slot->guard_name = keyword == "ifndef" ? rest : std::string_view();
      slot->arms.push_back({.range = {lines.end, lines.end}, .inner = {}});
      open.push_back(slot.get());
      arms.push_back(&slot->arms.back());
      after_ifndef = keyword == "ifndef";
      continue;
    }
    if (keyword == "define" && after_ifndef) {
      open.back()->is_guard = rest.substr(0, rest.find_first_of(" \t")) == open.back()->guard_name;
    }
    after_ifndef = false;
    if (!is_else(keyword) && keyword != "endif") continue;
    if (open.empty()) return std::nullopt;
    auto& conditional = *open.back();
    conditional.arms.back().range.end = lines.begin;
    conditional.directives.push_back(*directive);
    arms.pop_back();
    if (keyword == "endif") {
      open.pop_back();
      const bool has_else = conditional.directives.size() > 2 &&
                            conditional.directives[conditional.directives.size() - 2].keyword ==
                                "else";
      if (!has_else && !conditional.is_guard) {
        conditional.arms.push_back({.range = {lines.begin, lines.begin}, .inner = {}});
      }
    } else {
      conditional.arms.push_back({.range = {lines.end, lines.end}, .inner = {}});
      arms.push_back(&conditional.arms.back());
    }
  }
  if (!open.empty()) return std::nullopt;
  return file;
}

bool has_unseen(const Arm& arm) {
  return !arm.seen || std::ranges::any_of(arm.inner, [](const auto& conditional) {
    return std::ranges::any_of(conditional->arms, has_unseen);
  });
}

void blank(MaskedText& variant, ByteRange range) {
  for (auto i = range.begin; i < range.end; ++i) {
    if (variant.text[i] != '\n' && variant.text[i] != '\r') variant.text[i] = ' ';
  }
  if (!range.empty()) variant.masked.push_back(range);
}

/// Keeps in each conditional the first arm that still has something unseen, else the first.
void choose(Arm& arm, MaskedText& variant) {
  arm.seen = true;
  for (auto& conditional : arm.inner) {
    auto kept = std::ranges::find_if(conditional->arms, has_unseen);
    if (kept == conditional->arms.end()) kept = conditional->arms.begin();
    for (const auto& directive : conditional->directives) blank(variant, directive.lines);
    for (auto& other : conditional->arms) {
      if (&other != &*kept) blank(variant, other.range);
    }
    choose(*kept, variant);
  }
}

/// One term of a condition: `0`, `defined(NAME)`, `!defined NAME`; nothing where its value is not
/// known.
std::optional<bool> value_of_term(std::string_view term,
                                  const std::function<bool(std::string_view)>& is_never) {
  term = trim(term);
  if (term == "0" || term == "false") return false;
  if (term == "1" || term == "true") return true;
  if (term.starts_with('!')) {
    const auto inner = value_of_term(term.substr(1), is_never);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (!term.starts_with("defined")) return std::nullopt;
  auto name = trim(term.substr(std::string_view("defined").size()));
  if (name.starts_with('(') && name.ends_with(')')) name = trim(name.substr(1, name.size() - 2));
  const bool is_name = std::ranges::all_of(
      name, [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; });
  return is_name && is_never(name) ? std::optional(false) : std::nullopt;
}

/// A directive's condition without the comment at its end; nothing when it goes on behind a comment
/// or in another line.
std::optional<std::string_view> whole_condition(const Directive& directive) {
  auto text = directive.rest.substr(0, directive.rest.find("//"));
  if (const auto comment = text.find("/*"); comment != std::string_view::npos) {
    const auto end = text.find("*/", comment);
    if (end == std::string_view::npos || end + 2 < trim(text).size()) return std::nullopt;
    text = text.substr(0, comment);
  }
  text = trim(text);
  return text.ends_with('\\') ? std::nullopt : std::optional(text);
}

/// Where the next `&&` outside of parentheses stands; the size of the text where there is none.
std::size_t next_and(std::string_view text, std::size_t at) {
  for (int depth = 0; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0 && text.substr(at).starts_with("&&")) return at;
  }
  return text.size();
}

/// The value of a directive's condition as far as it is certain.
std::optional<bool> value_of(const Directive& directive,
                             const std::function<bool(std::string_view)>& is_never) {
  const auto keyword = directive.keyword;
  if (keyword == "else") return true;
  const auto condition = whole_condition(directive);
  if (!condition || condition->contains("||") || condition->contains('?')) return std::nullopt;
  if (keyword.ends_with("ndef")) return is_never(*condition) ? std::optional(true) : std::nullopt;
  if (keyword.ends_with("def")) return is_never(*condition) ? std::optional(false) : std::nullopt;
  bool all = true;
  for (std::size_t begin = 0; begin <= condition->size();) {
    const auto next = next_and(*condition, begin);
    const auto value = value_of_term(condition->substr(begin, next - begin), is_never);
    if (value == false) return false;
    all = all && value == true;
    begin = next + 2;
  }
  return all ? std::optional(true) : std::nullopt;
}

void collect_dead(const Arm& arm, const std::function<bool(std::string_view)>& is_never,
                  std::vector<ByteRange>& dead) {
  for (const auto& conditional : arm.inner) {
    bool is_decided = false;
    for (std::size_t i = 0; i < conditional->arms.size(); ++i) {
      const auto& one = conditional->arms[i];
      // The empty arm of an `#if` without `#else` has no directive of its own.
      const auto value = i + 1 < conditional->directives.size()
                             ? value_of(conditional->directives[i], is_never)
                             : std::optional(true);
      if (is_decided || value == false)
        dead.push_back(one.range);
      else
        collect_dead(one, is_never, dead);
      is_decided = is_decided || value == true;
    }
  }
}

}  // namespace

std::vector<ByteRange> dead_arms(std::string_view text,
                                 const std::function<bool(std::string_view)>& is_never) {
  std::vector<ByteRange> dead;
  if (const auto file = read_conditionals(text)) collect_dead(*file, is_never, dead);
  std::erase_if(dead, [](ByteRange range) { return range.empty(); });
  std::ranges::sort(dead);
  return dead;
}

bool MaskedText::shows(ByteRange range) const {
  return std::ranges::none_of(masked, [&](ByteRange blanked) {
    return blanked.overlaps(range) ||
           (range.empty() && blanked.begin < range.begin && range.begin < blanked.end);
  });
}

std::vector<MaskedText> mask_conditionals(std::string_view text) {
  auto file = read_conditionals(text);
  if (!file || file->inner.empty()) return {};
  std::vector<MaskedText> variants;
  while (has_unseen(*file)) {
    MaskedText variant{.text = std::string(text), .masked = {}};
    choose(*file, variant);
    std::ranges::sort(variant.masked);
    variants.push_back(std::move(variant));
  }
  return variants;
}

}  // namespace portpatch
