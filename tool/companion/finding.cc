#include "companion/finding.h"

#include <algorithm>

#include "base/text.h"

namespace portpatch {

namespace {

constexpr std::string_view kNames[] = {"no-arm",      "refused",      "range",       "else",
                                       "unreachable", "never-let-in", "missing-key", "extra-key",
                                       "other-value", "other-unit",   "depends",     "not-seen",
                                       "not-found"};
constexpr std::string_view kAgreements[] = {"agrees", "unknown", "disagrees", "lost"};

}  // namespace

std::string_view finding_name(FindingKind kind) { return kNames[static_cast<std::size_t>(kind)]; }
std::string_view agreement_name(Agreement agreement) {
  return kAgreements[static_cast<std::size_t>(agreement)];
}

Agreement agreement_of(const std::vector<CheckFinding>& findings) {
  auto worst = Agreement::kAgrees;
  for (const auto& one : findings) {
    const auto here = one.kind == FindingKind::kNotFound ? Agreement::kLost
                      : one.kind == FindingKind::kDepends || one.kind == FindingKind::kNotSeen
                          ? Agreement::kUnknown
                          : Agreement::kDisagrees;
    worst = std::max(worst, here);
  }
  return worst;
}

std::string describe(const std::vector<Cc>& cc) {
  std::vector<std::string> texts;
  for (const auto& one : cc) texts.push_back(cc_text(one));
  return join(texts, ", ");
}

}  // namespace portpatch
