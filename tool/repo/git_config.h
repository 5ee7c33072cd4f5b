// The few settings of a repository that portpatch needs on the hook's usual way, read from its
// `config` file without libgit2. Files that it includes are not read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace portpatch {

/// The last value of `section.subsection.key` in the text of a git config file; nullopt when it is
/// not set. Section and key are given in lower case and compared without case, the subsection
/// exactly. A key without `=` reads "true".
[[nodiscard]] std::optional<std::string> config_value(std::string_view text,
                                                      std::string_view section,
                                                      std::string_view subsection,
                                                      std::string_view key);

/// Fails with "sha256-repository" or "reftable-repository" where portpatch cannot read the
/// repository of `common_dir`.
[[nodiscard]] Result<void> check_repository_format(const std::string& common_dir);

}  // namespace portpatch
