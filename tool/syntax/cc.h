// Compute capabilities as values, and their many spellings: 12, (12, 0), "12.0", "12.0a", 120,
// 0xc0, 1200, "sm_120", compute_120a.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace portpatch {

struct Cc {
  int major = 0;
  int minor = 0;
  std::string suffix = {};  ///< "a" or "f": architecture- or family-specific code
  auto operator<=>(const Cc&) const = default;
};

/// A way of spelling: what stands around and between the numbers, and what the number means.
struct CcSpelling {
  enum class Unit { kMajor, kTens, kHundreds, kHex, kDotted, kTuple };
  Unit unit = Unit::kDotted;
  std::string before = {};                ///< `"sm_`, `compute_`, `"`, `"-gencode=arch=compute_`
  std::string after = {};                 ///< `"`
  std::vector<std::string> between = {};  ///< where the number stands more than once: `,code=sm_`
  bool upper_case = false;                ///< of a hexadecimal number: 0xC0
  bool operator==(const CcSpelling&) const = default;
};

/// "12.0", "12.0a".
[[nodiscard]] std::string cc_text(const Cc& cc);

/// The cc of a directive's "cc:12.0" or "cc:12.0a"; nothing when `text` is no such thing.
[[nodiscard]] std::optional<Cc> parse_cc(std::string_view text);

/// The one way in which all of `siblings` (keys or elements as written) spell a cc; nothing when
/// there are none, when they disagree, or when no way or more than one fits them all. Among flags
/// only those that name an architecture (`-gencode=arch=compute_90a,code=sm_90a`) are siblings.
[[nodiscard]] std::optional<CcSpelling> common_spelling(const std::vector<std::string>& siblings);

/// `cc` spelled that way; nothing when the way cannot say it (12.1 by its major number alone).
[[nodiscard]] std::optional<std::string> spell(const Cc& cc, const CcSpelling& spelling);

/// What `text` means in that spelling; nothing when it is not spelled so or means no known cc.
[[nodiscard]] std::optional<Cc> read_spelling(std::string_view text, const CcSpelling& spelling);

}  // namespace portpatch
