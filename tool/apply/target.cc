#include "apply/target.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "apply/write_failure.h"
#include "base/files.h"

namespace portpatch {
namespace {

constexpr unsigned kAnyWrite = 0222;

bool is_pack_path(std::string_view path) { return path.starts_with('/'); }

std::unexpected<Diagnostic> outside(std::string_view path, std::string_view why) {
  return failure("outside-tree", fmt::format("{} is not written: {}", path, why),
                 "name the file by its real path within the tree");
}

/// What of `path` lies below `folder`; nullopt when it lies elsewhere.
std::optional<std::string_view> below(std::string_view path, std::string_view folder) {
  if (folder.empty() || !path.starts_with(folder)) return std::nullopt;
  path.remove_prefix(folder.size());
  if (!path.starts_with('/')) return std::nullopt;
  return path.substr(1);
}

/// The part of a path that is there, without links, and the names after it that are not.
struct Resolved {
  std::string existing;
  std::vector<std::string> missing;
};

Result<Resolved> resolve(FileSystem& files, const std::string& path) {
  std::filesystem::path probe = path;
  std::vector<std::string> missing;
  for (;; probe = probe.parent_path()) {
    const auto status = files.status(probe.string());
    if (status) break;
    if (status.error() != std::errc::no_such_file_or_directory) {
      return write_failure(status.error(), "look at", probe.string());
    }
    missing.push_back(probe.filename().string());
  }
  std::ranges::reverse(missing);
  auto real = files.real_path(probe.string());
  if (real) return Resolved{.existing = std::move(*real), .missing = std::move(missing)};
  if (real.error() == std::errc::no_such_file_or_directory ||
      real.error() == std::errc::too_many_symbolic_link_levels) {
    return outside(probe.string(), "the symbolic link leads nowhere");
  }
  return write_failure(real.error(), "look at", probe.string());
}

/// `path` as text, before the file system is asked.
Result<void> check_text(std::string_view path) {
  const auto inside = is_pack_path(path) ? path.substr(1) : path;
  if (is_inside_path(inside)) return {};
  return outside(path, "it has a component `..`, `.` or `.git`");
}

/// `real` in the terms of this work tree.
Result<void> check_place(const WorkTree& tree, FileSystem& files, std::string_view path,
                         std::string_view real) {
  for (const auto& own : {tree.state_dir, tree.git_dir, tree.common_dir}) {
    // A git dir may lie anywhere, under any name.
    if (below(real, own)) return outside(path, fmt::format("{} is git's or portpatch's own", own));
  }
  if (is_pack_path(path)) return check_text(real);
  const auto root = files.real_path(tree.root);
  if (!root) return write_failure(root.error(), "look at", tree.root);
  const auto inside = *root == "/" ? real.substr(1) : below(real, *root).value_or("");
  if (!is_inside_path(inside)) return outside(path, fmt::format("it leads to {}", real));
  return {};
}

Result<void> check_writable(FileSystem& files, const std::string& path, const FileStatus& status) {
  if ((status.permissions & kAnyWrite) == 0) {
    return failure("read-only", fmt::format("{} is read-only", path),
                   fmt::format("if it may be changed: chmod u+w {}", path));
  }
  if (auto writable = files.check_writable(path); !writable) {
    return write_failure(writable.error(), "write to", path);
  }
  return {};
}

/// Splits the names that are missing into folders to be made and the file.
Target new_target(Resolved resolved) {
  Target target{.path = std::move(resolved.existing)};
  for (const auto& name : resolved.missing) {
    target.path += "/" + name;
    target.missing_folders.push_back(target.path);
  }
  target.missing_folders.pop_back();
  return target;
}

}  // namespace

std::string Target::folder() const { return std::filesystem::path(path).parent_path().string(); }

Result<Target> resolve_target(const WorkTree& tree, FileSystem& files, std::string_view path) {
  if (auto checked = check_text(path); !checked) return std::unexpected(checked.error());
  const auto full = is_pack_path(path) ? std::string(path) : tree.root + "/" + std::string(path);
  auto resolved = resolve(files, full);
  if (!resolved) return std::unexpected(resolved.error());

  const auto existing = resolved->existing;
  const bool is_new = !resolved->missing.empty();
  auto target = is_new ? new_target(std::move(*resolved)) : Target{.path = existing};
  if (auto place = check_place(tree, files, path, target.path); !place) {
    return std::unexpected(place.error());
  }
  const auto status = files.status(existing);
  if (!status) return write_failure(status.error(), "look at", existing);
  if (status->kind != (is_new ? FileKind::kFolder : FileKind::kRegular)) {
    return failure("write-failed",
                   fmt::format("{} is no {}", existing, is_new ? "folder" : "regular file"));
  }
  if (auto writable = check_writable(files, existing, *status); !writable) {
    return std::unexpected(writable.error());
  }
  if (is_new) return target;
  target.status = *status;
  if (auto writable = files.check_writable(target.folder()); !writable) {
    return write_failure(writable.error(), "write to the folder", target.folder());
  }
  return target;
}

}  // namespace portpatch
