// Which names mean a GPU's cc, as data: rules/languages/LANGUAGE/cc.toml. Types say nothing, since
// a cc is a plain number everywhere.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/place.h"
#include "syntax/language.h"

namespace portpatch {

/// What a name that asks for a cc says of it.
struct AskedCc {
  std::optional<KeyUnit> unit;  ///< nothing: the number that it is compared with tells
  bool is_weak = false;  ///< proves nothing alone (`major`, `arch`): what surrounds it must speak
                         ///< of GPUs
};

/// A call that compares the GPU's cc with its argument.
struct ComparingCall {
  std::string op;
  bool is_family = false;  ///< the whole major number
};

class CcNames {
 public:
  /// nullptr when the language has no such data.
  [[nodiscard]] static const CcNames* of(const Language& language);
  ~CcNames();

  /// May a file of this text have a place at all? Looks for literals only.
  [[nodiscard]] bool may_concern(std::string_view text) const;
  /// The names in `text` that may mean a cc, in order. A text without any has no place.
  /// `is_about_gpus`: weak names count.
  [[nodiscard]] std::vector<ByteRange> anchors(std::string_view text, bool is_about_gpus) const;

  /// Does the expression ask for a cc: `prop.major`, `getSMVersion()`,
  /// `get_device_capability()[0]`?
  [[nodiscard]] std::optional<AskedCc> asked(std::string_view expression) const;
  /// May it be a function or variable that is true for some GPUs: `is_sm120_supported()`?
  [[nodiscard]] bool is_helper(std::string_view expression) const;
  [[nodiscard]] std::optional<ComparingCall> comparing(std::string_view callee) const;
  [[nodiscard]] bool is_check(std::string_view callee) const;
  /// Is the condition one that a current toolkit and build fulfil?
  [[nodiscard]] bool is_neutral(std::string_view condition) const;
  /// Is it one that only holds on the devices of other makers?
  [[nodiscard]] bool is_foreign(std::string_view condition) const;
  /// Does `text` speak of GPUs, so that a weak name in it is a cc?
  [[nodiscard]] bool speaks(std::string_view text) const;
  /// The unit of the cc that a variable, keyword or call of that name lists: kMajor, or kTens for
  /// any.
  [[nodiscard]] std::optional<KeyUnit> lists(std::string_view name) const;

 private:
  [[nodiscard]] bool is_anchor(std::string_view identifier, bool speaks) const;

  struct State;
  std::unique_ptr<State> state_;
  CcNames();
};

/// The last identifier outside of brackets: `get_device_capability` of
/// `torch.cuda.get_device_capability(0)[0]`.
[[nodiscard]] std::string_view last_identifier(std::string_view expression);

}  // namespace portpatch
