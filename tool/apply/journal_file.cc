#include "apply/journal_file.h"

#include <fmt/format.h>

#include "apply/write_failure.h"

namespace portpatch {
namespace {

constexpr unsigned kPrivate = 0600;

}  // namespace

JournalFile::JournalFile(const WorkTree& tree, std::string_view name)
    : folder_(tree.state_dir), path_(fmt::format("{}/{}", tree.state_dir, name)) {}

std::unexpected<Diagnostic> JournalFile::damaged(std::string_view why) const {
  return failure("damaged-journal", fmt::format("the journal {} cannot be read: {}", path_, why),
                 "see `portpatch undo --list` for the backups, then remove the journal");
}

Result<std::optional<std::string>> JournalFile::read(FileSystem& files) const {
  auto text = read_if_there(files, path_);
  if (!text) return write_failure(text.error(), "read the journal", path_);
  return std::move(*text);
}

Result<void> JournalFile::write(FileSystem& files, const std::string& text) const {
  const auto temporary = path_ + ".tmp";
  auto result = remove_if_there(files, temporary);
  if (result) result = write_new_file(files, temporary, text, std::nullopt, kPrivate);
  if (result) result = files.rename(temporary, path_);
  if (!result) (void)remove_if_there(files, temporary);
  if (result) result = files.sync_folder(folder_);
  if (!result) return write_failure(result.error(), "write the journal", path_);
  return {};
}

Result<void> JournalFile::remove(FileSystem& files) const {
  auto result = remove_if_there(files, path_ + ".tmp");
  if (result) result = remove_if_there(files, path_);
  // For everyone but a machine that stops now it is gone, and coming back it would find its run
  // ended: a folder that cannot be synced must not keep its run half ended.
  if (result) (void)files.sync_folder(folder_);
  if (!result) return write_failure(result.error(), "remove the journal", path_);
  return {};
}

}  // namespace portpatch
