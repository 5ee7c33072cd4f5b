// Compute capabilities and the numbers that stand for them in C++: 12, 120, 1200, 0xc0, "sm_120a".
// Which expressions ask for one is told by their names, since their types are plain integers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace portpatch::matchers {

struct Capability {
  int major = 0, minor = 0;
  auto operator<=>(const Capability&) const = default;
};

/// What a number means: 12, the 0 of 12.0, 120, 1200, 0xc0, or a text such as "sm_120".
enum class CcUnit { kMajor, kMinor, kTens, kHundreds, kHex, kArch };

/// "major", "minor", "10x", "100x", "hex", "arch": as the output has it.
[[nodiscard]] std::string_view unit_name(CcUnit unit);

/// Of "12.0"; nothing when `text` is no compute capability.
[[nodiscard]] std::optional<Capability> parse_capability(std::string_view text);
/// "12.0"; "12" for a key that names the whole family, "x.1" for one that names the minor number
/// alone.
[[nodiscard]] std::string capability_text(Capability cc, CcUnit unit);

/// The number that stands for `cc` in that unit.
[[nodiscard]] long long number_of(Capability cc, CcUnit unit);
/// The cc that `number` stands for in that unit, when there may be such a GPU.
[[nodiscard]] std::optional<Capability> capability_of(long long number, CcUnit unit);
/// The cc that a name or text spells: Sm100f, SM90, kSm_89, "sm_120a", "compute_90", "9.0".
[[nodiscard]] std::optional<Capability> spelled_capability(std::string_view text);

/// What an expression's name says about it.
struct CcName {
  std::optional<CcUnit> unit;  ///< nothing: the keys must tell
  /// The name alone proves nothing (`major`, `arch`): what surrounds it must speak of GPUs.
  bool is_weak = false;
};
/// Nothing when the name is not that of a GPU's cc. `text` is an expression as spelled:
/// `prop.major`, `getSMVersion()`, `Arch::kMinComputeCapability`.
[[nodiscard]] std::optional<CcName> cc_name(std::string_view text);
/// True when an identifier in `text` might name a cc; what is worth another parse, no more.
[[nodiscard]] bool mentions_cc(std::string_view text);
/// True when `text`, a function's source or a variable's initialiser, speaks of a GPU's cc.
[[nodiscard]] bool speaks_of_cc(std::string_view text);

}  // namespace portpatch::matchers
