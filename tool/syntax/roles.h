// Roles: which node plays which part in its language. rules/languages/<name>/roles.scm assigns
// them by capture name; all editing code asks for roles and never for a grammar's node kinds.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/source_tree.h"

namespace portpatch {

/// One row a role: the enumerator, its capture name in roles.scm, and what it means.
#define PORTPATCH_ROLES(X)                                                                        \
  X(kMap, "map", "holds entries: a dict, a mapping, a brace list of pairs")                       \
  X(kSequence, "sequence", "holds elements in a row")                                             \
  X(kUnordered, "unordered", "a container whose order means nothing: a set, a dict")              \
  X(kArguments, "arguments", "the arguments of a call, or the parameters of a signature")         \
  X(kPositional, "positional", "arguments that have no names")                                    \
  X(kBlock, "block", "holds statements, one below the other")                                     \
  X(kRows, "rows", "a map whose entries stand on lines of their own, without brackets")           \
  X(kText, "text", "a string literal that may list elements between delimiters")                  \
  X(kHeader, "header", "a child of a block that is not one of its statements")                    \
  X(kTuple, "tuple", "a sequence of one element needs a comma")                                   \
  X(kWrapper, "wrapper", "a call, annotation or cast around the container that is meant")         \
  X(kInner, "inner", "that container")                                                            \
  X(kEntry, "entry", "an item with a key and a value")                                            \
  X(kRow, "row", "a statement that is an entry of the table it names: TABLE[10] = ...")           \
  X(kRowTable, "row.table", "the table that a row names")                                         \
  X(kKey, "key", "the key of an entry")                                                           \
  X(kValue, "value", "the value of an entry")                                                     \
  X(kEntryKey, "entry.key", "the key, where it is no child of the entry itself")                  \
  X(kEntryValue, "entry.value", "the value, likewise")                                            \
  X(kSpread, "spread", "an item that stands for others: **other, *other")                         \
  X(kName, "name", "the name in `NAME = value`, `def NAME`, `class NAME`")                        \
  X(kScope, "scope", "a named or unnamed scope: class, function, lambda, comprehension")          \
  X(kClassScope, "scope.class", "a scope whose names its inner scopes do not see")                \
  X(kModuleScope, "scope.module", "a scope as good as the module: a namespace")                   \
  X(kScopeName, "scope.name", "the name of a scope")                                              \
  X(kBinding, "binding", "a statement that gives its name a value")                               \
  X(kDefinition, "definition", "a name where it is defined")                                      \
  X(kReference, "reference", "a name where it is used or defined")                                \
  X(kMember, "member", "a name that is looked up elsewhere: attributes, keywords")                \
  X(kOpenImport, "import.open", "an import of all names of a module")                             \
  X(kImport, "import", "a statement that imports, or includes")                                   \
  X(kImportFrom, "import.from", "the module that names are imported from")                        \
  X(kImportName, "import.name",                                                                   \
    "what is imported, or included; its field alias is the name that it gets")                    \
  X(kImportFirst, "import.first", "an import that must stand before all other statements")        \
  X(kImportTypes, "import.types", "a block that only type checkers read")                         \
  X(kImportFallback, "import.fallback", "a block in which an import may fail")                    \
  X(kImportGuard, "import.guard", "a conditional around the whole file that counts as none")      \
  X(kPrologue, "prologue", "what stands before the imports: a docstring, #pragma once")           \
  X(kDefine, "define", "a statement that defines a name, with what decorates it")                 \
  X(kDefineName, "define.name", "that name")                                                      \
  X(kDefineParameters, "define.parameters", "parameters by which definitions of one name differ") \
  X(kDefineConstant, "define.constant", "a definition that is a value")                           \
  X(kTrailer, "trailer", "what stays at the end of a file: if __name__ == ...")                   \
  X(kRung, "rung", "a branch that has a condition")                                               \
  X(kRungCondition, "rung.condition", "that condition")                                           \
  X(kRungBody, "rung.body", "what is done, or given, when it holds")                              \
  X(kRungRest, "rung.rest", "the branches behind it")                                             \
  X(kRungDefault, "rung.default", "the branch that is taken when no other is")                    \
  X(kChoice, "choice", "an expression that is one of two, by a condition")                        \
  X(kConditional, "conditional", "lines that the preprocessor keeps under a condition")           \
  X(kDefined, "defined", "a condition that holds when a macro is defined")                        \
  X(kLeave, "leave", "a statement behind which the next one is not reached: return, break")       \
  X(kAlternatives, "alternatives", "a pattern that takes what any of its parts takes")            \
  X(kValuePattern, "pattern.value", "a pattern that takes one value that a name stands for")      \
  X(kComparison, "comparison", "operands with comparisons between them")                          \
  X(kNegation, "negation", "a condition that holds when its argument does not")                   \
  X(kLabel, "label", "a token that is compared as text, never evaluated")                         \
  X(kSized, "sized", "a declaration whose container has room for so many items and no more")      \
  X(kSize, "size", "that number")                                                                 \
  X(kInteger, "integer", "")                                                                      \
  X(kFloat, "float", "")                                                                          \
  X(kString, "string", "")                                                                        \
  X(kRawString, "string.raw", "a string without escapes")                                         \
  X(kTrue, "true", "")                                                                            \
  X(kFalse, "false", "")                                                                          \
  X(kNull, "null", "")                                                                            \
  X(kBinary, "binary", "an operation with fields left, operator, right")                          \
  X(kUnary, "unary", "an operation with fields operator, argument")                               \
  X(kConjunction, "conjunction", "a condition that holds when both left and right do")            \
  X(kDisjunction, "disjunction", "a condition that holds when left or right does")                \
  X(kLoose, "loose", "binds looser than and / or: in parentheses as an operand")                  \
  X(kReturned, "returned", "the value that a function gives back")                                \
  X(kGroup, "group", "parentheses that only group")                                               \
  X(kLayout, "layout", "parentheses that are no part of the code: with and without is the same")  \
  X(kJoin, "join", "strings side by side that are one string")                                    \
  X(kCall, "call", "a call")                                                                      \
  X(kCallee, "callee", "what it calls")                                                           \
  X(kAsserted, "asserted", "a condition that must hold, or the program fails")                    \
  X(kRefusal, "refusal", "a statement that fails: raise, throw")                                  \
  X(kDecorator, "decorator", "a call above a definition")                                         \
  X(kSubject, "subject", "what a switch or match compares with its cases")                        \
  X(kSpecialised, "specialised", "the template arguments that a definition is for")               \
  X(kMacroBody, "macro.body", "the text of a macro with parameters")                              \
  X(kStatement, "statement", "may be removed or stand alone although it is not in a block")

enum class Role : std::uint8_t {
#define PORTPATCH_ROLE(name, capture, meaning) name,
  PORTPATCH_ROLES(PORTPATCH_ROLE)
#undef PORTPATCH_ROLE
};

inline constexpr std::size_t kRoleCount = 0
#define PORTPATCH_ROLE(name, capture, meaning) +1
    PORTPATCH_ROLES(PORTPATCH_ROLE)
#undef PORTPATCH_ROLE
    ;

/// Does `node` of `tree` play `role`? Roles are worked out a top-level statement at a time, when
/// first asked for; not to be called from two threads on one tree.
[[nodiscard]] bool has_role(const SourceTree& tree, const Node& node, Role role);

/// The first direct child with `role`, or a null node.
[[nodiscard]] Node child_with(const SourceTree& tree, const Node& node, Role role);
/// The first node at or below `node` with `role`, in source order, or a null node.
[[nodiscard]] Node descendant_with(const SourceTree& tree, const Node& node, Role role);
/// The nearest node at or above `node` with `role`, or a null node.
[[nodiscard]] Node ancestor_with(const SourceTree& tree, Node node, Role role);

/// The name of a scope: not one of a scope inside it; a null node when it has none.
[[nodiscard]] Node name_of_scope(const SourceTree& tree, const Node& scope);
/// The scope that the name `definition` belongs to: that of a function or class belongs to the
/// scope around it. A null node: the module.
[[nodiscard]] Node scope_of_definition(const SourceTree& tree, const Node& definition);
/// Names of the scopes around `node`, outermost first, joined by dots: "Communicator.__init__".
[[nodiscard]] std::string scope_path(const SourceTree& tree, const Node& node);

}  // namespace portpatch
