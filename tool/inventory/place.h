// A place of a source tree that depends on a GPU's compute capability (cc): a ladder, a check, a
// table, a gate. One model for both who find them: our own readers, and portpatch-cc, whose JSON
// (matchers/README.md, format 1) it mirrors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/text.h"
#include "syntax/cc.h"

namespace portpatch {

/// What a key's number means: 12, the 0 of 12.0, 120, 1200, 0xc0, `"sm_120"` or Sm120a, (12, 0).
enum class KeyUnit : std::uint8_t { kMajor, kMinor, kTens, kHundreds, kHex, kArch, kTuple };

/// A comparison, always with what asks the GPU on the left; or the key of a table's row (`==`).
struct CcKey {
  std::string expression;  ///< what is asked, as spelled: `sm_version`, `is_sm120_supported()`
  std::string op;          ///< == != < <= > >=
  std::string key;         ///< as spelled: `120`, `"sm_120a"`
  KeyUnit unit = KeyUnit::kTens;
  Cc cc;  ///< what it means; of a major number {12, 0}, of a minor one {0, 1}
  std::size_t line = 0;
  bool operator==(const CcKey&) const = default;
};

/// A condition as far as it is understood: what must hold of the keys of its arm.
struct CcTest {
  enum class Kind : std::uint8_t { kAll, kAny, kNot, kKey, kTrue, kFalse, kUnknown };
  Kind kind = Kind::kUnknown;
  std::size_t key = 0;      ///< of kKey: its index
  std::string helper = {};  ///< of kUnknown: a helper that was not followed
  std::vector<CcTest> parts = {};
};

/// A constant: truth value, integer, floating number or text.
using CcValue = std::variant<bool, long long, double, std::string>;

struct CcArm {
  std::size_t line = 0, end_line = 0;  ///< of what is done there
  ByteRange range = {};
  std::string condition = {};  ///< as spelled; empty for the else and for rows
  bool is_else = false;
  bool is_row = false;   ///< of a table: taken where one of its keys names the cc
  bool refuses = false;  ///< all that it does is fail: raise, throw
  std::vector<CcKey> keys = {};
  CcTest test = {};       ///< Clang's arms have none: their answers are given
  std::string text = {};  ///< the one value that it returns, assigns or holds, as spelled
  std::optional<CcValue> value = std::nullopt;  ///< that value, where it is a constant
};

/// Which kind of arm a cc takes; a range takes it without naming it and is never the same as
/// covered.
enum class ArmTaken : std::uint8_t { kExact, kRange, kElse, kNone, kUnknown };

struct CcAnswer {
  Cc cc;
  ArmTaken taken = ArmTaken::kUnknown;
  std::vector<std::size_t> arms = {};  ///< index of the one taken; of kUnknown all that may be
  std::optional<CcValue> value = std::nullopt;
};

struct CcPlace {
  std::string path;  ///< relative to the tree
  std::string
      form;  ///< "else-if chain", "decorator", "architecture list"; forms of both: README.md
  std::string function = {};  ///< that holds it, qualified; empty outside of one
  std::string name = {};      ///< of the variable, helper, check or macro
  std::size_t line = 0, end_line = 0;
  ByteRange range = {};
  bool by_clang = false;               ///< else by syntax only
  std::vector<CcArm> arms = {};        ///< in the order in which they are tried, the else last
  std::vector<CcAnswer> answers = {};  ///< Clang's, for the cc that were asked
};

/// A file that was looked at.
struct CcFile {
  std::string path;
  std::string depth = "syntax only";  ///< or "clang", "clang, 3 names unresolved"
  std::string reason = {};            ///< why it is no deeper, or what went wrong
  /// That it is built for, where compile commands say so.
  std::vector<std::string> architectures = {};
  std::vector<CcPlace> places = {};  ///< by their begin
};

/// Which arm `cc` takes: Clang's answer where it was asked, else by the tests. An arm that stands
/// under a further condition may or may not be taken: kUnknown.
[[nodiscard]] CcAnswer answer(const CcPlace& place, const Cc& cc);
/// True when `cc` is named by the key: `== 120` and `!= 120` at 12.0, `major == 12` at 12.1.
[[nodiscard]] bool names(const CcKey& key, const Cc& cc);

/// "major", "minor", "10x", "100x", "hex", "arch", "tuple".
[[nodiscard]] std::string_view unit_name(KeyUnit unit);
[[nodiscard]] std::optional<KeyUnit> find_unit(std::string_view name);
/// "exact", "range", "else", "none", "unknown".
[[nodiscard]] std::string_view taken_name(ArmTaken taken);
/// "12.0"; "12" for a key that names the whole family, "x.1" for one that names the minor number
/// alone.
[[nodiscard]] std::string key_cc_text(const CcKey& key);
/// `true`, 12, 0.85, a text as it is.
[[nodiscard]] std::string value_text(const CcValue& value);

}  // namespace portpatch
