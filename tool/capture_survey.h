// A look over the tree as it was, for captured rules: whether their queries match one place alone,
// and which places are like those of an edit that was made several times.
#pragma once

#include <vector>

#include "capture/captured_pack.h"
#include "locate/scan.h"
#include "report/capture.h"

namespace portpatch {

struct CaptureSurvey {
  /// By rule: what its query matches outside of its own places.
  std::vector<std::vector<OtherPlace>> namesakes;
  /// By rule: places of the same shape in other scopes.
  std::vector<std::vector<OtherPlace>> further;
  std::vector<SkippedFile> skipped;  ///< could not be looked into
};

/// Searches `base` (a commit of `tree`) with the patterns that the rules match before their edit.
[[nodiscard]] Result<CaptureSurvey> survey(WorkTree tree, const std::string& base,
                                           const std::vector<CapturedRule>& rules,
                                           const Progress& progress);

}  // namespace portpatch
