#include "base/limits.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "report/findings.h"

namespace portpatch::test {
namespace {

TEST(Limits, AMessageNamesFigureLimitAndRemedyAndIsKnownAgain) {
  const auto error = beyond(kFileSize, "70000000 bytes").error();
  EXPECT_EQ(error.code, "limit-file-size");
  EXPECT_EQ(error.message,
            "limit-file-size: 70000000 bytes, and 67108864 bytes are the most; take it out of the "
            "tree, or split it");
  EXPECT_EQ(beyond(kDepth).error().message,
            "limit-depth: more than 2000 levels; no person writes this: see what made it, or break "
            "the expression or ladder into parts");
  ASSERT_NE(limit_of(error.message), nullptr);
  EXPECT_EQ(limit_of(error.message)->id, kFileSize.id);
  EXPECT_EQ(limit_of("limit-file-sizes: 1"), nullptr);
  EXPECT_EQ(limit_of("limit-file-size: by hand"), nullptr);
  EXPECT_EQ(limit_of("Permission denied"), nullptr);
  EXPECT_EQ(limit_of(""), nullptr);
}

TEST(Limits, EachThatAFileCanMeetIsAKindOfFinding) {
  for (const auto& limit : limits()) {
    if (limit.id == kTreeFiles.id || limit.id == kPathBytes.id)
      continue;  // the whole revision is refused
    const auto finding = skipped_finding("a.py", beyond(limit, "1").error().message);
    EXPECT_EQ(finding.type, limit.id);
    EXPECT_EQ(finding.severity, Severity::kWarning);
    EXPECT_EQ(finding.remedy, limit.remedy);
    EXPECT_EQ(finding.fingerprint,
              skipped_finding("a.py", beyond(limit, "2").error().message).fingerprint);
  }
  EXPECT_EQ(skipped_finding("a.py", "Permission denied").type, "file-skipped");
}

TEST(Limits, AWorkerWithoutMemoryNamesItsFile) {
  const auto fail = [](unsigned, std::size_t i) {
    note_reading("file" + std::to_string(i));
    if (i == 1) throw std::bad_alloc();
  };
  try {
    for_each_in_parallel(2, 1, 1, fail);
    FAIL() << "nothing was thrown";
  } catch (const OutOfMemory& error) {
    EXPECT_EQ(error.path(), "file1");
  }
}

}  // namespace
}  // namespace portpatch::test
