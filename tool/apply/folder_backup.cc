#include "apply/folder_backup.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "apply/write_failure.h"
#include "base/system_error.h"

namespace portpatch {
namespace {

constexpr unsigned kPrivateFolder = 0700, kPrivate = 0600;
constexpr std::string_view kManifest = "manifest.json", kDropped = ".dropped";

class FolderBackups final : public BackupStore {
 public:
  FolderBackups(const WorkTree& tree, FileSystem& files)
      : files_(files), folder_(tree.state_dir + "/backup") {}

  std::string location(std::string_view id) const override {
    return fmt::format("{}/{}", folder_, id);
  }
  Result<std::vector<std::string>> ids() const override;
  Result<void> save(const Manifest& manifest,
                    const std::vector<std::string_view>& contents) override;
  Result<Manifest> manifest(std::string_view id) const override;
  Result<std::string> read(std::string_view id, std::string_view stored) const override;
  Result<void> drop(std::string_view id) override;

 private:
  [[nodiscard]] std::string manifest_path(std::string_view id) const {
    return fmt::format("{}/{}", location(id), kManifest);
  }
  SystemResult<void> make_folders(const std::string& path, std::set<std::string>& made);
  SystemResult<void> write(const std::string& path, std::string_view bytes,
                           std::set<std::string>& made);

  FileSystem& files_;
  std::string folder_;
};

Result<std::vector<std::string>> FolderBackups::ids() const {
  auto names = files_.list(folder_);
  if (!names && names.error() == std::errc::no_such_file_or_directory) {
    return std::vector<std::string>{};
  }
  if (!names) return write_failure(names.error(), "list the backups in", folder_);
  std::ranges::sort(*names);
  std::vector<std::string> ids;
  for (auto& name : *names) {
    const auto path = manifest_path(name);
    const auto status = status_if_there(files_, path);
    if (!status) return write_failure(status.error(), "look at", path);
    if (*status && name != kDropped) ids.push_back(std::move(name));
  }
  return ids;
}

/// Makes `path` and its parents below the state folder; `made` keeps what is there already.
SystemResult<void> FolderBackups::make_folders(const std::string& path,
                                               std::set<std::string>& made) {
  if (path.size() < folder_.size() || !made.insert(path).second) return {};
  const auto parent = std::filesystem::path(path).parent_path().string();
  if (auto result = make_folders(parent, made); !result) return result;
  auto result = files_.make_folder(path, kPrivateFolder);
  if (!result && result.error() == std::errc::file_exists) return {};
  return result;
}

SystemResult<void> FolderBackups::write(const std::string& path, std::string_view bytes,
                                        std::set<std::string>& made) {
  const auto parent = std::filesystem::path(path).parent_path().string();
  if (auto result = make_folders(parent, made); !result) return result;
  return write_new_file(files_, path, bytes, std::nullopt, kPrivate);
}

Result<void> FolderBackups::save(const Manifest& manifest,
                                 const std::vector<std::string_view>& contents) {
  std::set<std::string> folders;
  const auto base = location(manifest.id) + "/";
  SystemResult<void> result;
  for (std::size_t i = 0; i < manifest.entries.size(); ++i) {
    const auto& stored = manifest.entries[i].stored;
    if (!stored.empty()) result = write(base + stored, contents[i], folders);
    if (!result) return write_failure(result.error(), "write the backup", base + stored);
  }
  result = write(base + std::string(kManifest), print_manifest(manifest), folders);
  for (const auto& folder : folders) {
    if (result) result = files_.sync_folder(folder);
  }
  if (result) result = files_.sync_folder(std::filesystem::path(folder_).parent_path().string());
  if (!result) return write_failure(result.error(), "write the backup", base);
  return {};
}

Result<Manifest> FolderBackups::manifest(std::string_view id) const {
  const auto text = read(id, kManifest);
  if (!text) return std::unexpected(text.error());
  return parse_manifest(*text);
}

Result<std::string> FolderBackups::read(std::string_view id, std::string_view stored) const {
  const auto path = fmt::format("{}/{}", location(id), stored);
  auto bytes = files_.read(path);
  if (bytes) return std::move(*bytes);
  return failure("damaged-backup", fmt::format("cannot read {}: {}", path, bytes.error().message()),
                 remedy_of(bytes.error().value()));
}

Result<void> FolderBackups::drop(std::string_view id) {
  // Without a manifest it is no backup, so that no half of one is left where this is cut off; and a
  // full disk does not refuse it.
  auto result = remove_if_there(files_, manifest_path(id));
  if (!result && says_absent(result.error().value())) result = {};
  if (result) result = files_.remove_all(location(id));
  if (!result) return write_failure(result.error(), "remove the backup", location(id));
  return {};
}

}  // namespace

std::unique_ptr<BackupStore> open_folder_backups(const WorkTree& tree, FileSystem& files) {
  return std::make_unique<FolderBackups>(tree, files);
}

}  // namespace portpatch
