// Where two histories meet, also in a shallow clone.
#pragma once

#include <optional>

#include "repo/repository.h"

namespace portpatch {

/// The best common ancestor; nullopt when the histories do not meet in this repository.
[[nodiscard]] Result<std::optional<git_oid>> merge_base(const Repository& repository,
                                                        const git_oid& one, const git_oid& two);

}  // namespace portpatch
