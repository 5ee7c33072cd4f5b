#include "inventory/clang_memory.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/files.h"
#include "base/scratch_folder.h"
#include "inventory/clang_reader.h"

namespace portpatch {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t kMostInFolder = 32;  ///< of 256 folders: the oldest answers go
/// What a file system may keep of a time of writing.
constexpr std::chrono::seconds kCoarsestTime{2};

/// Which build of a program stands at `path`.
std::string build_of(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return path;
  return fmt::format("{} {} {} {}.{}", path, info.st_ino, info.st_size, info.st_mtim.tv_sec,
                     info.st_mtim.tv_nsec);
}

/// Makes room for one more file in the folder.
void drop_oldest(const fs::path& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    files.emplace_back(at->last_write_time(error), at->path());
  if (files.size() < kMostInFolder) return;
  std::ranges::sort(files);
  files.resize(files.size() - kMostInFolder + 1);
  for (const auto& [time, path] : files) fs::remove(path, error);
}

}  // namespace

ClangMemory::ClangMemory(std::string kept, std::string folder, bool is_frozen,
                         std::string_view question)
    : kept_(std::move(kept)),
      folder_(std::move(folder)),
      question_(fmt::format("{}\n{}", question,
                            build_of(std::string(question.substr(0, question.find('\n')))))),
      is_frozen_(is_frozen) {
  if (!folder_.ends_with('/')) folder_ += '/';
}

std::string ClangMemory::whole_path(const std::string& path) const {
  return path.starts_with('/') ? path : folder_ + path;
}

const std::string& ClangMemory::state_of(const std::string& path) {
  const auto [known, is_new] = states_.try_emplace(path);
  if (is_new) known->second = state_of_path(whole_path(path));
  return known->second;
}

/// Was the file written last before this run? Of a folder only that it is there counts.
bool ClangMemory::is_settled(const std::string& path) const {
  if (is_frozen_ && !path.starts_with('/')) return true;
  std::error_code error;
  const auto time = fs::last_write_time(whole_path(path), error);
  return error || fs::is_directory(whole_path(path), error) || time + kCoarsestTime < begun_;
}

/// Where the answer for the file with this content is kept.
std::string ClangMemory::place_of(const std::string& path, std::string_view bytes) const {
  const auto key = sha256(fmt::format("{}\n{}\n{}", question_, path, sha256(bytes)));
  return fmt::format("{}/{}/{}.json", kept_, key.substr(0, 2), key.substr(2));
}

std::optional<CcFile> ClangMemory::recall(const std::string& path) {
  const auto bytes = read_file(whole_path(path));
  const auto text = bytes ? read_file(place_of(path, *bytes)) : bytes;
  if (!text) return std::nullopt;
  try {
    const auto entry = Json::parse(*text);
    for (const auto& [other, state] : entry.at("reads").items()) {
      if (state_of(other) != state.get_ref<const std::string&>()) return std::nullopt;
    }
    const auto document = entry.at("document").get<std::string>();
    if (sha256(document) != entry.at("digest").get_ref<const std::string&>()) return std::nullopt;
    auto files = read_clang_json(document);
    if (!files || files->size() != 1 || files->front().path != path) return std::nullopt;
    return std::move(files->front());
  } catch (const Json::exception&) {
    return std::nullopt;  // damaged: Clang gives the answer
  }
}

void ClangMemory::remember(std::string_view document) {
  try {
    auto whole = Json::parse(document);
    const auto files = std::exchange(whole.at("files"), Json::array());
    for (auto file : files) {
      const auto path = file.at("path").get<std::string>();
      const auto bytes = read_file(whole_path(path));
      if (!bytes || !file.at("depth").get_ref<const std::string&>().starts_with("clang")) continue;
      auto reads = Json::object();
      bool settled = is_settled(path);
      for (const auto& [other, state] : file.at("reads").items()) {
        const auto name = other.starts_with(folder_) ? other.substr(folder_.size()) : other;
        settled &= is_settled(name);
        reads[name] = state;
      }
      if (!settled) continue;
      file.erase("reads");
      whole["files"] = Json::array({std::move(file)});
      const auto answer = whole.dump();
      const Json entry{{"reads", reads}, {"digest", sha256(answer)}, {"document", answer}};
      const fs::path place = place_of(path, *bytes);
      const auto temporary = fmt::format("{}.{}.tmp", place.string(), ::getpid());
      drop_oldest(place.parent_path());
      std::error_code error;
      if (!write_scratch_file(temporary, entry.dump())) fs::rename(temporary, place, error);
      fs::remove(temporary, error);  // where it was not renamed
    }
  } catch (const Json::exception&) {
    // read_clang_json() tells what is wrong with it
  }
}

}  // namespace portpatch
