#include "apply/write_failure.h"

#include <cerrno>

#include <fmt/format.h>

#include "base/system_error.h"

namespace portpatch {
namespace {

std::string code_of(std::error_code error) {
  switch (error.value()) {
    case ENOSPC:
    case EDQUOT:
      return "disk-full";
    case EACCES:
    case EPERM:
    case EROFS:
      return "read-only";
    default:
      return "write-failed";
  }
}

}  // namespace

std::unexpected<Diagnostic> write_failure(std::error_code error, std::string_view doing,
                                          std::string_view path) {
  return failure(code_of(error), fmt::format("cannot {} {}: {}", doing, path, error.message()),
                 remedy_of(error.value()));
}

}  // namespace portpatch
