// `portpatch review`: what a change does to the rules, their companions, and the tree's compute
// capabilities. For a bot: it reads git objects only, and is silent where the change makes no
// difference.
#pragma once

#include <string>
#include <vector>

#include "inventory/clang_reader.h"
#include "locate/scan.h"
#include "report/findings.h"

namespace portpatch {

struct ReviewRequest {
  std::string command;        ///< as it is reported
  std::string folder = ".";   ///< a folder of the repository (-C), or a bare one
  std::string base;           ///< a revision: the change begins where `head` left it
  std::string head = "HEAD";  ///< a revision: where the change ends
  std::vector<std::string>
      packs;       ///< as typed, from disk: the reviewed revisions have no say in them
  std::string cc;  ///< "12.0,12.1"; empty: those that the packs name
  bool syntax_only = false;
  ClangOptions clang = {};  ///< -p, -I, --cuda-path
  Progress progress = {};
};

/// The findings that the tree of `head` has and that of the merge base of `base` and `head` has
/// not; exit status 1 when one is a warning or an error. Fails with the mistakes of the packs,
/// "no-merge-base", or what was wrong with the repository.
[[nodiscard]] std::expected<FindingReport, std::vector<Diagnostic>> review(
    const ReviewRequest& request);

}  // namespace portpatch
