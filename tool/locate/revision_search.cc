#include "locate/revision_search.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"

namespace portpatch {

namespace {

constexpr std::size_t kBatch = 16;

std::string key_of(unsigned language, const std::string& blob) { return static_cast<char>('a' + language) + blob; }

}  // namespace

/// A file in which some rules have not been searched yet.
struct RevisionSearch::Task {
  const std::string* path;
  File* file;
  unsigned language;
  std::vector<Index> rules;
};

RevisionSearch::RevisionSearch(WorkTree repository, std::vector<const Rule*> rules, unsigned workers)
    : repository_(std::move(repository)), rules_(std::move(rules)), workers_(worker_count(workers)) {
  for (const auto* rule : rules_) {
    indexes_.emplace(rule, indexes_.size());
    if (std::ranges::find(languages_, rule->language) == languages_.end()) languages_.push_back(rule->language);
  }
}
RevisionSearch::RevisionSearch(RevisionSearch&&) noexcept = default;
RevisionSearch::~RevisionSearch() = default;

std::vector<unsigned> RevisionSearch::languages_of(std::string_view path) const {
  std::vector<unsigned> found;
  for (unsigned i = 0; i < languages_.size(); ++i) {
    if (languages_[i]->owns(path)) found.push_back(i);
  }
  return found;
}

unsigned RevisionSearch::language_of(const Rule& rule) const {
  return static_cast<unsigned>(std::ranges::find(languages_, rule.language) - languages_.begin());
}

std::optional<Diagnostic> RevisionSearch::open_readers() {
  while (readers_.size() < workers_) {
    auto reader = TreeReader::open(repository_, kMaxSourceBytes);
    if (!reader) return reader.error();
    readers_.push_back(std::move(*reader));
  }
  return std::nullopt;
}

RevisionSearch::Blob RevisionSearch::look_at(const Wanted& wanted, TreeReader& reader) const {
  Blob blob;
  const auto text = reader.read(TreeFile{wanted.path, wanted.blob});
  if (!text) {
    blob.unreadable = text.error().message;
    return blob;
  }
  for (Index i = 0; i < rules_.size(); ++i) {
    if (rules_[i]->language == languages_[wanted.language] && passes_prefilter(*rules_[i], *text)) blob.candidates.push_back(i);
  }
  return blob;
}

/// Reads the blobs that are not known yet.
std::optional<Diagnostic> RevisionSearch::read(const std::vector<Wanted>& wanted) {
  std::vector<std::pair<const Wanted*, Blob*>> fresh;
  for (const auto& one : wanted) {
    const auto [at, is_new] = blobs_.try_emplace(key_of(one.language, one.blob));
    if (is_new) fresh.emplace_back(&one, &at->second);
  }
  if (fresh.empty()) return std::nullopt;
  if (auto error = open_readers()) return error;
  for_each_in_parallel(fresh.size(), workers_, kBatch, [&](unsigned worker, std::size_t i) {
    *fresh[i].second = look_at(*fresh[i].first, readers_[worker]);
  });
  return std::nullopt;
}

void RevisionSearch::put(const std::string& path, const std::string& blob) {
  if (blob.empty()) {
    files_.erase(path);
  } else if (!languages_of(path).empty()) {
    files_[path] = {.blob = blob, .readings = {}, .sites = {}, .failures = {}};
    fresh_.push_back(path);
  }
}

void RevisionSearch::move_to(const std::string& commit, const std::vector<ChangedFile>& changes) {
  repository_.revision = commit;
  if (!has_tree_) return;
  for (const auto& change : changes) put(change.path, change.after);
}

std::optional<Diagnostic> RevisionSearch::read_tree() {
  if (!has_tree_) {
    const auto files = list_tree(repository_);
    if (!files) return files.error();
    for (const auto& file : *files) put(file.path, file.blob);
    has_tree_ = true;
  }
  std::vector<Wanted> wanted;
  for (const auto& path : fresh_) {
    const auto file = files_.find(path);
    if (file == files_.end()) continue;
    for (const auto language : languages_of(path)) wanted.push_back({path, file->second.blob, language});
  }
  if (auto error = read(wanted)) return error;
  for (const auto& [path, blob, language] : wanted) {
    auto& readings = files_.at(path).readings;
    const std::pair reading(language, &std::as_const(blobs_).at(key_of(language, blob)));
    if (std::ranges::find(readings, reading) == readings.end()) readings.push_back(reading);
  }
  fresh_.clear();
  return std::nullopt;
}

std::optional<Diagnostic> RevisionSearch::read_ahead(const std::vector<ChangedFile>& changes) {
  std::vector<Wanted> wanted;
  for (const auto& change : changes) {
    if (change.after.empty()) continue;
    for (const auto language : languages_of(change.path)) wanted.push_back({change.path, change.after, language});
  }
  return read(wanted);
}

/// Writes only to the task's own file.
void RevisionSearch::search_file(const Task& task, TreeReader& reader, FilePointer& parsed) const {
  const auto fail = [&](const std::string& why) {
    for (const auto i : task.rules) task.file->failures[i] = why;
  };
  const auto text = reader.read(TreeFile{*task.path, task.file->blob});
  if (!text) return fail(text.error().message);
  auto file = ParsedFile::parse(*languages_[task.language], *task.path, std::string(*text));
  if (!file) return fail(file.error().message);
  bool any = false;
  for (const auto i : task.rules) {
    auto sites = find_sites(*rules_[i], *file);
    if (!sites) {
      task.file->failures[i] = sites.error().message;
      continue;
    }
    any |= !sites->empty();
    task.file->sites[i] = std::move(*sites);
  }
  if (any) parsed = std::make_shared<const ParsedFile>(std::move(*file));
}

Result<std::vector<const Rule*>> RevisionSearch::rules_with_sites(const std::vector<const Rule*>& rules, const ChangedFile& change) {
  std::vector<const Rule*> found;
  const auto at = files_.find(change.path);
  if (change.after.empty() || at == files_.end()) return found;
  if (auto error = read_tree()) return std::unexpected(*error);
  auto& [path, file] = *at;
  for (const auto& [language, blob] : file.readings) {
    std::vector<Index> candidates;
    for (const auto* rule : rules) {
      if (language_of(*rule) != language) continue;
      if (!blob->unreadable.empty()) skipped_.emplace(path, blob->unreadable);
      if (std::ranges::binary_search(blob->candidates, indexes_.at(rule))) candidates.push_back(indexes_.at(rule));
    }
    Task task{&path, &file, language, {}};
    for (const auto i : candidates) {
      if (!file.sites.contains(i) && !file.failures.contains(i)) task.rules.push_back(i);
    }
    FilePointer ignored;
    if (!task.rules.empty()) search_file(task, readers_[0], ignored);
    for (const auto i : candidates) {
      if (const auto failed = file.failures.find(i); failed != file.failures.end()) skipped_.emplace(path, failed->second);
      if (const auto sites = file.sites.find(i); sites != file.sites.end() && !sites->second.empty()) found.push_back(rules_[i]);
    }
  }
  return found;
}

Result<ScanResult> RevisionSearch::search(const std::vector<const Rule*>& rules, FileStore& store) {
  if (auto error = read_tree()) return std::unexpected(*error);
  if (auto error = open_readers()) return std::unexpected(*error);
  std::map<Index, std::size_t> wanted;  // index in rules_, index in `rules`
  std::set<unsigned> languages;
  for (std::size_t k = 0; k < rules.size(); ++k) {
    wanted[indexes_.at(rules[k])] = k;
    languages.insert(language_of(*rules[k]));
  }

  ScanResult result{.sites = std::vector<std::vector<Site>>(rules.size()), .skipped = {}};
  std::vector<Task> tasks;
  struct Hit {
    const std::string* path;
    File* file;
    Index rule;
  };
  std::vector<Hit> hits;  // in path order
  std::map<std::string, std::string> skipped;
  for (auto& [path, file] : files_) {
    bool is_searched = false;
    for (const auto& [language, blob] : file.readings) {
      if (!languages.contains(language)) continue;
      is_searched = true;
      if (!blob->unreadable.empty()) skipped[path] = blob->unreadable;
      Task task{&path, &file, language, {}};
      for (const auto i : blob->candidates) {
        if (!wanted.contains(i)) continue;
        hits.push_back({&path, &file, i});
        if (!file.sites.contains(i) && !file.failures.contains(i)) task.rules.push_back(i);
      }
      if (!task.rules.empty()) tasks.push_back(std::move(task));
    }
    result.files_read += is_searched ? 1 : 0;
  }
  std::vector<FilePointer> parsed(tasks.size());
  for_each_in_parallel(tasks.size(), workers_, 1, [&](unsigned worker, std::size_t i) { search_file(tasks[i], readers_[worker], parsed[i]); });
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (parsed[i]) store.put(*languages_[tasks[i].language], std::move(parsed[i]));
  }
  result.files_parsed = tasks.size();
  for (const auto& [path, file, i] : hits) {
    if (const auto failed = file->failures.find(i); failed != file->failures.end()) skipped[*path] = failed->second;
    if (const auto sites = file->sites.find(i); sites != file->sites.end()) {
      auto& all = result.sites[wanted.at(i)];
      all.insert(all.end(), sites->second.begin(), sites->second.end());
    }
  }
  for (const auto& [path, why] : skipped) {
    result.skipped.push_back({path, why});
    skipped_.emplace(path, why);
  }
  return result;
}

std::vector<SkippedFile> RevisionSearch::skipped() const {
  std::vector<SkippedFile> all;
  for (const auto& [path, reason] : skipped_) all.push_back({path, reason});
  return all;
}

}  // namespace portpatch
