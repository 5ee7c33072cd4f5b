// Reading files. Writing is the transaction's alone (apply/).
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace portpatch {

/// The bytes of the regular file `path` (symbolic links are followed).
/// Fails with code "unreadable-file" and the system's reason.
[[nodiscard]] Result<std::string> read_file(const std::string& path);
/// The same; nullopt, and no failure, where there is no such file.
[[nodiscard]] Result<std::optional<std::string>> read_file_if_there(const std::string& path);

/// The failure "unreadable-file" of `path`, a file or a folder, for `error`, an errno;
/// 0: it is no regular file.
[[nodiscard]] std::unexpected<Diagnostic> unreadable(const std::string& path, int error);

/// Reads the open file `fd`, which holds `told` bytes if it does not change, into `buffer`, which
/// is made larger where it must be: how many bytes were read, one or more over `most` when it goes
/// on behind those. Fails with an errno.
[[nodiscard]] std::expected<std::size_t, int> read_to_end(int fd, std::size_t told,
                                                          std::string& buffer, std::size_t most);

enum class PathKind { kNothing, kFile, kFolder, kOther };
/// What stands at `path` (symbolic links are followed; one that leads nowhere is nothing). Fails
/// with "unreadable-file" where that cannot be told: what cannot be looked at is not absent.
[[nodiscard]] Result<PathKind> kind_of_path(const std::string& path);

/// `path` made absolute against the working directory, which an empty one is; "." and ".." folded
/// away in the text; symbolic links are not looked at.
[[nodiscard]] std::string absolute_path(std::string_view path);

/// True when `path`, relative and with slashes, stays inside its root as text: not absolute, no
/// "..", no empty or "." component, not ".git".
[[nodiscard]] bool is_inside_path(std::string_view path);

}  // namespace portpatch
