// What a companion's code lacks, or what cannot be told of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "syntax/cc.h"

namespace portpatch {

/// A place that a finding names, and what stands there.
struct NamedPlace {
  std::string path;
  std::size_t line = 0;   ///< 0: the whole file
  std::string text = {};  ///< in short
};

enum class FindingKind : std::uint8_t {
  kNoArm,        ///< no arm takes the cc
  kRefused,      ///< the arm that takes it fails
  kRange,        ///< only an arm that does not name it takes it
  kElse,         ///< only the else does
  kUnreachable,  ///< an arm in front of it takes all that it names
  kNeverLetIn,   ///< there is an arm for a cc that the gate keeps out
  kMissingKey,   ///< the rule's table has the key, this one has not
  kExtraKey,     ///< the other way round
  kOtherValue,
  kOtherUnit,  ///< the keys do not mean the same set of GPUs: 12 and 120
  kDepends,    ///< an arm may take it: it stands under a further condition
  kNotSeen,    ///< a key, value or gate that could not be read
  kNotFound,   ///< the companion itself, or what it must agree with, is not there
};
/// "no-arm", "range", ...
[[nodiscard]] std::string_view finding_name(FindingKind kind);

struct CheckFinding {
  FindingKind kind = FindingKind::kNoArm;
  std::vector<Cc> cc = {};  ///< that it is about; empty for all
  NamedPlace here;          ///< in the companion
  NamedPlace there = {};    ///< what it must agree with; no path when there is none
  std::string says;         ///< what differs, in a sentence
  std::string remedy = {};
  /// The row that --fix writes: "cc:12.0" and C++ code.
  std::string added_key = {}, added_value = {};
};

/// What a companion comes to: the worst of its findings.
enum class Agreement : std::uint8_t { kAgrees, kUnknown, kDisagrees, kLost };
[[nodiscard]] std::string_view agreement_name(Agreement agreement);
[[nodiscard]] Agreement agreement_of(const std::vector<CheckFinding>& findings);

/// "12.0, 12.1".
[[nodiscard]] std::string describe(const std::vector<Cc>& cc);

}  // namespace portpatch
