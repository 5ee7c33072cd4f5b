// A language as portpatch knows it: a grammar plus the data under rules/languages/<name>/, which is
// built into the program. No language is named in C++.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace portpatch {

class PatternSet;

/// What a directive's text is parsed inside of, so that a fragment makes a whole file.
struct FragmentFrame {
  std::string before;
  std::string after;
};

class Language {
 public:
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& title() const { return title_; }
  /// Does a file of this path belong to the language?
  [[nodiscard]] bool owns(std::string_view path) const;
  /// The usual ending of its files, without a dot.
  [[nodiscard]] std::string file_ending() const;
  [[nodiscard]] const void* grammar() const { return grammar_; }

  /// The frames for `kind` of fragment ("expression", "statement", "argument"), tried in order.
  [[nodiscard]] const std::vector<FragmentFrame>& frames(std::string_view kind) const;
  /// How an entry is written where there is no sibling to copy from, by the container's node kind:
  /// "{key}: {value}".
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& entry_templates() const {
    return templates_;
  }
  /// The text that stands for an empty block ("pass"); empty when blocks may be empty.
  [[nodiscard]] const std::string& empty_statement() const { return empty_statement_; }
  /// A definition of no meaning, in one line; empty: the language has none.
  [[nodiscard]] const std::string& definition_stand_in() const { return definition_stand_in_; }
  /// The operators of conditions ("and", "||"); empty when the language has none.
  [[nodiscard]] const std::string& conjunction() const { return conjunction_; }
  [[nodiscard]] const std::string& disjunction() const { return disjunction_; }
  /// The operator that divides whole numbers and drops the rest ("//", "/"); empty: there is none.
  [[nodiscard]] const std::string& whole_division() const { return whole_division_; }
  /// Do compilers warn of `a && b || c` without parentheses?
  [[nodiscard]] bool parentheses_between_and_or() const { return parentheses_between_and_or_; }
  /// What stands between the items of a list beside a blank: a comma, or nothing.
  [[nodiscard]] const std::string& item_separator() const { return item_separator_; }
  /// What a string that lists one element would have between two; empty: that cannot be known.
  [[nodiscard]] const std::string& text_delimiter() const { return text_delimiter_; }
  [[nodiscard]] bool blocks_by_indentation() const { return blocks_by_indentation_; }
  [[nodiscard]] bool has_preprocessor() const { return has_preprocessor_; }
  /// May portpatch tell from one file whether a name is visible?
  [[nodiscard]] bool checks_names() const { return checks_names_; }
  /// Fields whose text tells a node from others of its kind, the best first: name, left, condition.
  [[nodiscard]] const std::vector<std::string>& anchor_fields() const { return anchor_fields_; }
  /// Patterns of what a literal of this node kind may become; for "wrappers": the calls that their
  /// @wrapper may be.
  [[nodiscard]] const std::vector<std::string>& sibling_shapes(std::string_view kind) const;
  /// Names that are always visible.
  [[nodiscard]] bool is_builtin(std::string_view name) const;
  /// Is it a module of the standard library?
  [[nodiscard]] bool is_standard_module(std::string_view name) const;
  /// How an import is written: "from", "plain", and the brackets "open" and "close" of a list of
  /// names on several lines; empty where there is none.
  [[nodiscard]] const std::string& import_template(std::string_view part) const;

  /// roles.scm: which node plays which part (see rules/README.md).
  [[nodiscard]] const PatternSet& roles() const;
  /// checks.scm: what the grammar accepts and the language does not.
  [[nodiscard]] const PatternSet& checks() const;

 private:
  friend class Languages;
  Language();

  std::string name_, title_, empty_statement_, definition_stand_in_, conjunction_, disjunction_;
  std::string whole_division_;
  std::string item_separator_ = ",", text_delimiter_;
  std::vector<std::string> aliases_, files_, anchor_fields_;
  std::map<std::string, std::vector<FragmentFrame>, std::less<>> frames_;
  std::map<std::string, std::vector<std::string>, std::less<>> sibling_shapes_;
  std::map<std::string, std::string, std::less<>> templates_;
  std::map<std::string, std::string, std::less<>> import_templates_;
  std::vector<std::string> builtins_, standard_modules_;  // sorted
  bool blocks_by_indentation_ = false;
  bool has_preprocessor_ = false;
  bool parentheses_between_and_or_ = false;
  bool checks_names_ = false;
  const void* grammar_ = nullptr;
  std::string_view roles_text_, checks_text_;
  mutable std::once_flag roles_once_, checks_once_;
  mutable std::unique_ptr<PatternSet> roles_, checks_;

 public:
  ~Language();
};

/// An entry template with its parts put in.
[[nodiscard]] std::string fill_template(std::string_view entry_template, std::string_view table,
                                        std::string_view key, std::string_view value);

/// The language called `name` (or by one of its aliases); loaded when first asked for, thread-safe.
/// nullptr when there is none.
[[nodiscard]] const Language* find_language(std::string_view name);
/// The language whose files `path` is one of; nullptr when there is none.
[[nodiscard]] const Language* language_owning(std::string_view path);
/// The text of rules/languages/LANGUAGE/FILE; empty when there is none.
[[nodiscard]] std::string_view language_data(std::string_view language, std::string_view file);
/// The names of all languages, sorted, without aliases.
[[nodiscard]] std::vector<std::string> language_names();

}  // namespace portpatch
