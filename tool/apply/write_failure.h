// The system's errors as diagnostics of a transaction.
#pragma once

#include <string_view>
#include <system_error>

#include "base/diagnostic.h"

namespace portpatch {

/// "cannot DOING PATH: reason" with code "disk-full", "read-only" or "write-failed".
[[nodiscard]] std::unexpected<Diagnostic> write_failure(std::error_code error,
                                                        std::string_view doing,
                                                        std::string_view path);

}  // namespace portpatch
