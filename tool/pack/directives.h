// The table of directives: one row drives parsing, checking, help and listing. What a directive
// does is one function of the row's name in edit/ (edit/directive_functions.h).
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "syntax/query.h"

namespace portpatch {

class Language;

/// Identifier, name, arguments, what must be the case for it to hold. Arguments: @x a capture; KEY,
/// VALUE, ELEMENT, EXPRESSION expressions (KEY and ELEMENT may be "cc:12.0"); NAME a name; TEXT,
/// BASE, OURS code of the kind that stands there; STATEMENT statements; CODE statements or an item;
/// IMPORT statements that import; DEFINITION a statement that defines a name; CONDITION and BODY of
/// a branch, PLACE where it goes; [X] may be left out. A directive without a capture concerns the
/// file of the site.
#define PORTPATCH_DIRECTIVES(X)                                                                    \
  X(ensure_entry, "ensure-entry!", "@map KEY VALUE",                                               \
    "the map has KEY with an equal value (dict, dict(...), C++ pairs, JSON, TOML, YAML mapping)")  \
  X(ensure_element, "ensure-element!", "@sequence ELEMENT",                                        \
    "the list, tuple, set, brace list or delimited string has the element")                        \
  X(ensure_argument, "ensure-argument!", "@call NAME VALUE",                                       \
    "the call, or the signature, has the keyword argument")                                        \
  X(widen, "widen!", "@condition EXPRESSION", "the condition is true also when EXPRESSION is")     \
  X(narrow, "narrow!", "@condition EXPRESSION", "the condition is true only when EXPRESSION is")   \
  X(replace, "replace!", "@node [PART] TEXT",                                                      \
    "the node reads TEXT; TEXT may name captures as ${name}; with PART, only that part of it")     \
  X(wrap, "wrap!", "@node TEXT",                                                                   \
    "the expression or statements stand inside TEXT, at its mark ${node}; TEXT may name captures") \
  X(merge, "merge!", "@definition BASE OURS",                                                      \
    "the definition has the changes that make OURS of BASE, beside upstream's own")                \
  X(remove, "remove!", "@node", "the statement, entry, element or argument is gone")               \
  X(insert_before, "insert-before!", "@node CODE",                                                 \
    "the statement, or beside an item of a container the item, stands before the node")            \
  X(insert_after, "insert-after!", "@node CODE", "it stands behind the node")                      \
  X(append, "append!", "@block STATEMENT", "the statement stands in the block, at its end")        \
  X(ensure_import, "ensure-import!", "IMPORT", "the file imports it, in the right block")          \
  X(ensure_definition, "ensure-definition!", "@scope DEFINITION [@neighbour]",                     \
    "the function, class or constant exists in the scope with an equal body")                      \
  X(ensure_branch, "ensure-branch!", "@ladder CONDITION BODY [PLACE]",                             \
    "the ladder has the rung, before any rung that would swallow it")

enum class DirectiveKind {
#define PORTPATCH_DIRECTIVE(id, name, arguments, summary) id,
  PORTPATCH_DIRECTIVES(PORTPATCH_DIRECTIVE)
#undef PORTPATCH_DIRECTIVE
};

struct DirectiveInfo {
  DirectiveKind kind;
  std::string_view name;
  std::string_view arguments;
  std::string_view summary;

  [[nodiscard]] bool takes_capture() const { return arguments.starts_with('@'); }
  /// Is it there to define names that other code uses?
  [[nodiscard]] bool gives_names() const {
    return kind == DirectiveKind::ensure_import || kind == DirectiveKind::ensure_definition;
  }
};

[[nodiscard]] std::span<const DirectiveInfo> directive_table();

/// A directive of a rule, checked: its capture is bound by its pattern, its texts are code.
struct Directive {
  const DirectiveInfo* info = nullptr;
  std::string capture;    ///< without the @; of a directive that takes none, its pattern's target
  std::string neighbour;  ///< a second capture; empty when none is given
  std::vector<std::string> texts;  ///< the arguments behind it, "file:NAME" already read
  ByteRange place;                 ///< in the rule's file

  [[nodiscard]] DirectiveKind kind() const { return info->kind; }
};

/// `predicate` as a directive. Errors: "unknown-directive", "wrong-arguments", "unknown-capture",
/// "bad-code", "no-side-file", with their place in `text`, the rule's file.
[[nodiscard]] Result<Directive> read_directive(const Language& language, const PatternText& pattern,
                                               const Predicate& predicate, const std::string& path,
                                               std::string_view text);

/// `text` with every `${name}` replaced by what `value_of` gives for the name; a name for which it
/// gives nothing is an error value holding the name.
[[nodiscard]] std::expected<std::string, std::string> expand_captures(
    std::string_view text,
    const std::function<std::optional<std::string>(std::string_view)>& value_of);

}  // namespace portpatch
