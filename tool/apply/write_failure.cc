#include "apply/write_failure.h"

#include <cerrno>

#include <fmt/format.h>

namespace portpatch {
namespace {

struct Explanation {
  std::string_view code;
  std::string_view remedy;
};

Explanation explain(std::error_code error) {
  switch (error.value()) {
    case ENOSPC:
    case EDQUOT:
      return {.code = "disk-full", .remedy = "make room and run the command again"};
    case EACCES:
    case EPERM:
    case EROFS:
      return {.code = "read-only", .remedy = "see to it that you may write there"};
    default:
      return {.code = "write-failed", .remedy = ""};
  }
}

}  // namespace

std::unexpected<Diagnostic> write_failure(std::error_code error, std::string_view doing,
                                          std::string_view path) {
  const auto [code, remedy] = explain(error);
  return failure(std::string(code), fmt::format("cannot {} {}: {}", doing, path, error.message()),
                 std::string(remedy));
}

}  // namespace portpatch
