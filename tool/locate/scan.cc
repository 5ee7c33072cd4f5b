#include "locate/scan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "base/files.h"

namespace portpatch {

Result<FilePointer> FileStore::file(const Language& language, const std::string& path) {
  const std::pair key(path, &language);
  if (const auto found = files_.find(key); found != files_.end()) return found->second;
  const auto full = tree_.root + "/" + path;
  struct stat info{};
  if (::lstat(full.c_str(), &info) != 0 && (errno == ENOENT || errno == ENOTDIR)) return files_[key] = nullptr;
  auto text = read_file(full);
  if (!text) return std::unexpected(text.error());
  auto parsed = ParsedFile::parse(language, path, std::move(*text));
  if (!parsed) return std::unexpected(parsed.error());
  return files_[key] = std::make_shared<const ParsedFile>(std::move(*parsed));
}

void FileStore::put(const Language& language, FilePointer file) {
  const std::string path = file->path();
  files_[{path, &language}] = std::move(file);
}

std::optional<std::string> FileStore::find(const std::string& path) const {
  for (auto at = files_.lower_bound({path, nullptr}); at != files_.end() && at->first.first == path; ++at) {
    if (at->second) return std::string(at->second->text());
  }
  return std::nullopt;
}

namespace {

/// Reads files relative to one folder into one buffer, which grows to the largest.
class BufferedReader {
 public:
  explicit BufferedReader(int folder) : folder_(folder) {}

  /// The file's bytes, valid until the next call; `error` is set when it cannot be read.
  std::string_view read(const std::string& path, std::string& error) {
    error.clear();
    const int fd = ::openat(folder_, path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0) {
      error = std::strerror(errno);
      return {};
    }
    std::size_t size = 0;
    for (;;) {
      if (size == buffer_.size()) buffer_.resize(std::max<std::size_t>(1 << 18, buffer_.size() * 2));
      const auto room = buffer_.size() - size;
      const auto got = ::read(fd, buffer_.data() + size, room);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) error = std::strerror(errno);
      if (got <= 0) break;
      size += static_cast<std::size_t>(got);
      if (size > kMaxSourceBytes) {
        error = fmt::format("larger than {} bytes", kMaxSourceBytes);
        break;
      }
      if (static_cast<std::size_t>(got) < room) break;  // a regular file's short read is its end
    }
    ::close(fd);
    return {buffer_.data(), error.empty() ? size : 0};
  }

 private:
  int folder_;
  std::vector<char> buffer_;
};

/// What one worker found.
struct Partial {
  std::vector<std::pair<std::size_t, Site>> sites;  // rule index
  std::vector<std::pair<const Language*, FilePointer>> files;
  std::vector<SkippedFile> skipped;
  std::size_t parsed = 0;
};

class Scanner {
 public:
  Scanner(int folder, const std::vector<std::string>& paths, const std::vector<const Rule*>& rules, const ScanOptions& options)
      : folder_(folder), paths_(paths), rules_(rules), options_(options) {
    for (const auto* rule : rules) {
      if (std::ranges::find(languages_, rule->language) == languages_.end()) languages_.push_back(rule->language);
    }
  }

  /// Takes files until there are none; `progress` is called now and then.
  void work(Partial& partial, const Progress& progress) {
    BufferedReader reader(folder_);
    constexpr std::size_t kBatch = 16;
    for (std::size_t begin; (begin = next_.fetch_add(kBatch)) < paths_.size();) {
      if (progress) progress(begin, paths_.size());
      for (auto i = begin; i < std::min(begin + kBatch, paths_.size()); ++i) search(paths_[i], reader, partial);
    }
  }

 private:
  void search(const std::string& path, BufferedReader& reader, Partial& partial) {
    std::string error;
    std::string_view text;
    bool is_read = false;
    for (const auto* language : languages_) {
      if (!language->owns(path)) continue;
      if (!is_read) {
        text = reader.read(path, error);
        if (!error.empty()) {
          partial.skipped.push_back({path, error});
          return;
        }
        is_read = true;
      }
      search_as(*language, path, text, partial);
    }
  }

  void search_as(const Language& language, const std::string& path, std::string_view text, Partial& partial) {
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (rules_[i]->language == &language && (!options_.use_prefilter || passes_prefilter(*rules_[i], text))) candidates.push_back(i);
    }
    if (candidates.empty()) return;
    auto parsed = ParsedFile::parse(language, path, std::string(text));
    ++partial.parsed;
    if (!parsed) {
      partial.skipped.push_back({path, parsed.error().message});
      return;
    }
    bool any = false;
    for (const auto i : candidates) {
      auto sites = find_sites(*rules_[i], *parsed);
      if (!sites) {
        partial.skipped.push_back({path, sites.error().message});
        continue;
      }
      any |= !sites->empty();
      for (auto& site : *sites) partial.sites.emplace_back(i, std::move(site));
    }
    if (any) partial.files.emplace_back(&language, std::make_shared<const ParsedFile>(std::move(*parsed)));
  }

  int folder_;
  const std::vector<std::string>& paths_;
  const std::vector<const Rule*>& rules_;
  const ScanOptions& options_;
  std::vector<const Language*> languages_;
  std::atomic<std::size_t> next_ = 0;
};

}  // namespace

Result<ScanResult> scan_tree(const WorkTree& tree, const std::vector<const Rule*>& rules, const ScanOptions& options,
                             FileStore& store) {
  auto paths = list_files(tree);
  if (!paths) return std::unexpected(paths.error());
  std::erase_if(*paths, [&](const auto& path) {
    return std::ranges::none_of(rules, [&](const Rule* rule) { return rule->language->owns(path); });
  });
  const int folder = ::open(tree.root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return failure("unreadable-folder", fmt::format("cannot open {}: {}", tree.root, std::strerror(errno)));
  Scanner scanner(folder, *paths, rules, options);
  const auto threads = options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  std::vector<Partial> partials(threads);
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 1; i < threads; ++i) workers.emplace_back([&, i] { scanner.work(partials[i], {}); });
    scanner.work(partials[0], options.progress);
  }
  ::close(folder);

  ScanResult result{.sites = std::vector<std::vector<Site>>(rules.size()), .skipped = {}, .files_read = paths->size()};
  for (auto& partial : partials) {
    for (auto& [rule, site] : partial.sites) result.sites[rule].push_back(std::move(site));
    for (auto& [language, file] : partial.files) store.put(*language, std::move(file));
    result.skipped.insert(result.skipped.end(), partial.skipped.begin(), partial.skipped.end());
    result.files_parsed += partial.parsed;
  }
  for (auto& sites : result.sites) std::ranges::stable_sort(sites, {}, [](const Site& site) { return std::pair(site.path, site.target); });
  std::ranges::sort(result.skipped, {}, &SkippedFile::path);
  return result;
}

}  // namespace portpatch
