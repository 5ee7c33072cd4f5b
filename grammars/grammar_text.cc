#include "grammar_text.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace portpatch::grammars {

void broken_grammar(const std::string& message) {
  std::fprintf(stderr, "portpatch: a built-in grammar is wrong: %s\n", message.c_str());
  std::abort();
}

namespace {

/// One symbol of an alternative, as written.
struct Written {
  std::string field, name;
  char often = ' ';  ///< ' ', '?', '*' or '+'
};

struct Rule {
  std::string name, shown;
  std::vector<std::vector<Written>> alternatives;
};

Written read_word(std::string word) {
  Written out;
  if (word.size() > 1 && std::string_view("?*+").find(word.back()) != std::string_view::npos &&
      word[0] != '"') {
    out.often = word.back();
    word.pop_back();
  }
  if (const auto colon = word.find(':'); word[0] != '"' && colon != std::string::npos) {
    out.field = word.substr(0, colon);
    word.erase(0, colon + 1);
  }
  out.name = word[0] == '"' ? word.substr(1, word.size() - 2) : word;
  return out;
}

std::vector<Rule> read_rules(std::string_view text) {
  std::vector<Rule> rules;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word)) continue;
    if (word.back() != ':') broken_grammar("a rule begins with `name:`, not with " + word);
    word.pop_back();
    const auto equals = word.find('=');
    Rule rule{
        word.substr(0, equals), equals == std::string::npos ? word : word.substr(equals + 1), {{}}};
    while (words >> word) {
      if (word == "|")
        rule.alternatives.emplace_back();
      else
        rule.alternatives.back().push_back(read_word(word));
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

class Reader {
 public:
  Reader(std::string_view text, const std::vector<Token>& tokens) : rules_(read_rules(text)) {
    for (const auto& token : tokens) {
      const bool hidden = token.name.starts_with('_') && token.shown.empty();
      grammar_.symbols.push_back(
          {std::string(token.shown.empty() ? token.name : token.shown), !hidden, token.named});
      names_.emplace_back(token.name);
      grammar_.extra.push_back(token.extra);
    }
    grammar_.symbols[0].visible = false;
    grammar_.token_count = static_cast<std::uint16_t>(tokens.size());
    for (const auto& rule : rules_) {
      add_symbol(rule.name, !rule.name.starts_with('_'), false);
      grammar_.symbols.back().name = rule.shown;
    }
    grammar_.start = grammar_.token_count;
    for (const auto& rule : rules_) {
      for (const auto& alternative : rule.alternatives) {
        for (const auto& written : alternative) {
          if (!written.field.empty()) grammar_.fields.push_back(written.field);
        }
      }
    }
    std::ranges::sort(grammar_.fields);
    const auto doubled = std::ranges::unique(grammar_.fields);
    grammar_.fields.erase(doubled.begin(), doubled.end());
  }

  Grammar read() {
    for (const auto& rule : rules_) {
      for (const auto& alternative : rule.alternatives)
        add_alternative(symbol(rule.name), alternative, 0, {});
    }
    return std::move(grammar_);
  }

 private:
  std::uint16_t add_symbol(std::string name, bool visible, bool repeat) {
    names_.push_back(name);
    grammar_.symbols.push_back({std::move(name), visible, !repeat, repeat});
    return static_cast<std::uint16_t>(names_.size() - 1);
  }

  std::uint16_t symbol(const std::string& name) const {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end()) broken_grammar("there is no `" + name + "`");
    return static_cast<std::uint16_t>(found - names_.begin());
  }

  /// The symbol for one or more `name`. The ambiguous `R: R R | x` is tree-sitter's own form: the
  /// parser keeps such nodes balanced.
  std::uint16_t repeat_of(const std::string& name) {
    const auto repeat = name + "_repeat";
    if (std::ranges::find(names_, repeat) != names_.end()) return symbol(repeat);
    const auto made = add_symbol(repeat, false, true);
    grammar_.productions.push_back({made, {{made, 0}, {made, 0}}});
    grammar_.productions.push_back({made, {{symbol(name), 0}}});
    return made;
  }

  std::uint16_t field(const std::string& name) const {
    if (name.empty()) return 0;
    return static_cast<std::uint16_t>(std::ranges::lower_bound(grammar_.fields, name) -
                                      grammar_.fields.begin() + 1);
  }

  /// One production for each choice of what is optional: none of them is empty but an empty file.
  void add_alternative(std::uint16_t head, const std::vector<Written>& alternative, std::size_t at,
                       std::vector<Part> parts) {
    if (at == alternative.size()) {
      if (parts.empty() && head != grammar_.start)
        broken_grammar("`" + names_[head] + "` may be empty");
      grammar_.productions.push_back({head, std::move(parts)});
      return;
    }
    const auto& written = alternative[at];
    if (written.often == '?' || written.often == '*')
      add_alternative(head, alternative, at + 1, parts);
    const bool many = written.often == '*' || written.often == '+';
    parts.push_back({many ? repeat_of(written.name) : symbol(written.name), field(written.field)});
    add_alternative(head, alternative, at + 1, std::move(parts));
  }

  std::vector<Rule> rules_;
  std::vector<std::string> names_;
  Grammar grammar_;
};

}  // namespace

Grammar read_grammar(std::string_view text, const std::vector<Token>& tokens) {
  return Reader(text, tokens).read();
}

}  // namespace portpatch::grammars
