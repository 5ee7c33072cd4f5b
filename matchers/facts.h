// What Clang's syntax tree is turned into, and all that the forms of cc tables see of it:
// statements and expressions with their byte ranges, initialisers. No Clang type stands here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/text.h"

namespace portpatch::matchers {

/// A constant: truth value, integer, floating number or text.
using Constant = std::variant<bool, long long, double, std::string>;

struct Expression {
  enum class Kind {
    kOpaque,
    kNumber,
    kText,
    kName,
    kNot,
    kAnd,
    kOr,
    kCompare,
    kArithmetic,
    kConditional,
    kCall,
    kList
  };
  Kind kind = Kind::kOpaque;
  std::string text;       ///< as the source spells it, white space folded
  ByteRange range = {};   ///< in the file; for what a macro expands to: the macro's use
  std::string name = {};  ///< operator of a comparison or arithmetic; callee of a call
  std::optional<Constant> value = std::nullopt;  ///< where it is a constant
  std::string origin = {};  ///< of a variable's name: what the variable was initialised with
  std::vector<Expression> parts = {};
};

struct Statement {
  enum class Kind {
    kOther,
    kBlock,
    kIf,
    kSwitch,
    kCase,
    kLoop,
    kReturn,
    kLeave,
    kAssign,
    kVariable
  };
  Kind kind = Kind::kOther;
  ByteRange range = {};
  bool is_constexpr = false;
  std::string macro = {};  ///< the macro whose expansion it is
  std::string name = {};   ///< of the variable, or what is assigned to
  /// If, switch, loop: the condition. Return, assignment, variable: the value. Case: its labels,
  /// none for the default. Else: what it computes.
  std::vector<Expression> expressions = {};
  /// Block, loop, case: its statements. If: the branch taken, and the other one. Switch: its cases.
  std::vector<Statement> parts = {};
};

struct Function {
  std::string name;  ///< qualified by what encloses it
  ByteRange range = {};
  Statement body = {};
};

/// An initialiser in braces with rows: `{{0x80, 64}, {0x86, 128}}`, `{0.0f, 0.85f}`.
struct Initialiser {
  std::string name, type;  ///< of the variable; its type as written
  std::string size;        ///< as written between the brackets of an array
  ByteRange range = {};
  std::vector<Expression> rows = {};
};

/// What one parse of a file has shown.
struct Facts {
  std::vector<Function> functions;
  std::vector<Statement> loose;  ///< variables and static assertions outside of functions
  std::vector<Initialiser> initialisers;
  /// Object-like ones that the file sees, by their body, where it is short.
  std::map<std::string, std::string, std::less<>> macros;
  std::vector<std::string> unresolved;  ///< names that were not declared, sorted
  std::vector<std::string> missing_includes;
};

}  // namespace portpatch::matchers
