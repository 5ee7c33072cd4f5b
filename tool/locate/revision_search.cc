#include "locate/revision_search.h"

#include <algorithm>
#include <ranges>

#include "base/parallel.h"

namespace portpatch {

namespace {

constexpr std::size_t kBatch = 16;

std::string key_of(unsigned language, const std::string& blob) {
  return static_cast<char>('a' + language) + blob;
}

}  // namespace

/// Rules that could match in a file and have not been searched there yet.
struct RevisionSearch::Task {
  const std::string* path;
  const std::string* blob;
  Reading* reading;
  std::vector<Index> rules;
};

RevisionSearch::RevisionSearch(WorkTree repository, std::vector<const Rule*> rules,
                               unsigned workers)
    : repository_(std::move(repository)),
      rules_(std::move(rules)),
      workers_(worker_count(workers)) {
  for (const auto* rule : rules_) {
    indexes_.emplace(rule, indexes_.size());
    if (std::ranges::find(languages_, rule->language) == languages_.end())
      languages_.push_back(rule->language);
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
    if (rules_[i]->language == languages_[wanted.language] && passes_prefilter(*rules_[i], *text))
      blob.candidates.push_back(i);
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
    files_[path] = {.blob = blob, .readings = {}};
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
    for (const auto language : languages_of(path))
      wanted.push_back({path, file->second.blob, language});
  }
  if (auto error = read(wanted)) return error;
  for (const auto& [path, blob, language] : wanted) {
    auto& readings = files_.at(path).readings;
    if (std::ranges::find(readings, language, &Reading::language) == readings.end())
      readings.push_back({language, &blobs_.at(key_of(language, blob)), {}});
  }
  fresh_.clear();
  return std::nullopt;
}

std::optional<Diagnostic> RevisionSearch::read_ahead(const std::vector<ChangedFile>& changes) {
  std::vector<Wanted> wanted;
  for (const auto& change : changes) {
    if (change.after.empty()) continue;
    for (const auto language : languages_of(change.path))
      wanted.push_back({change.path, change.after, language});
  }
  return read(wanted);
}

std::vector<RevisionSearch::Index> RevisionSearch::in_language(
    const std::vector<const Rule*>& rules, unsigned language) const {
  std::vector<Index> found;
  for (const auto* rule : rules) {
    if (language_of(*rule) == language) found.push_back(indexes_.at(rule));
  }
  return found;
}

RevisionSearch::Task RevisionSearch::task_for(const std::string& path, const File& file,
                                              Reading& reading,
                                              const std::vector<Index>& rules) const {
  Task task{&path, &file.blob, &reading, {}};
  for (const auto i : rules) {
    if (std::ranges::binary_search(reading.blob->candidates, i) && !reading.answers.contains(i))
      task.rules.push_back(i);
  }
  return task;
}

/// Writes only to the task's own reading. The parsed file is returned when some rule has a site in
/// it.
FilePointer RevisionSearch::search_file(const Task& task, TreeReader& reader) const {
  auto& answers = task.reading->answers;
  const auto fail = [&](const Diagnostic& error) {
    for (const auto i : task.rules) answers.insert_or_assign(i, std::unexpected(error));
    return FilePointer();
  };
  const auto text = reader.read(TreeFile{*task.path, *task.blob});
  if (!text) return fail(text.error());
  auto file = ParsedFile::parse(*languages_[task.reading->language], *task.path,
                                std::string(*text));
  if (!file) return fail(file.error());
  bool any = false;
  for (const auto i : task.rules) {
    auto sites = find_sites(*rules_[i], *file);
    any |= sites && !sites->empty();
    answers.insert_or_assign(i, std::move(sites));
  }
  return any ? std::make_shared<const ParsedFile>(std::move(*file)) : nullptr;
}

Result<std::vector<const Rule*>> RevisionSearch::rules_with_sites(
    const std::vector<const Rule*>& rules, const ChangedFile& change) {
  std::vector<const Rule*> found;
  const auto at = files_.find(change.path);
  if (change.after.empty() || at == files_.end()) return found;
  if (auto error = read_tree()) return std::unexpected(*error);
  auto& [path, file] = *at;
  for (auto& reading : file.readings) {
    const auto mine = in_language(rules, reading.language);
    if (mine.empty()) continue;
    if (!reading.blob->unreadable.empty()) skipped_.emplace(path, reading.blob->unreadable);
    const auto task = task_for(path, file, reading, mine);
    if (!task.rules.empty()) (void)search_file(task, readers_[0]);
    for (const auto i : mine) {
      const auto answer = reading.answers.find(i);
      if (answer == reading.answers.end()) continue;
      if (!answer->second)
        skipped_.emplace(path, answer->second.error().message);
      else if (!answer->second->empty())
        found.push_back(rules_[i]);
    }
  }
  return found;
}

Result<ScanResult> RevisionSearch::search(const std::vector<const Rule*>& rules, FileStore& store) {
  if (auto error = read_tree()) return std::unexpected(*error);
  if (auto error = open_readers()) return std::unexpected(*error);
  std::map<unsigned, std::vector<Index>> wanted;  // by language
  for (unsigned language = 0; language < languages_.size(); ++language) {
    if (auto mine = in_language(rules, language); !mine.empty()) wanted[language] = std::move(mine);
  }
  std::vector<Task> tasks;
  for (auto& [path, file] : files_) {
    for (auto& reading : file.readings) {
      if (!wanted.contains(reading.language)) continue;
      if (auto task = task_for(path, file, reading, wanted[reading.language]); !task.rules.empty())
        tasks.push_back(std::move(task));
    }
  }
  std::vector<FilePointer> parsed(tasks.size());
  for_each_in_parallel(tasks.size(), workers_, 1, [&](unsigned worker, std::size_t i) {
    parsed[i] = search_file(tasks[i], readers_[worker]);
  });
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (parsed[i]) store.put(*languages_[tasks[i].reading->language], std::move(parsed[i]));
  }

  ScanResult result{.sites = std::vector<std::vector<Site>>(rules.size()),
                    .skipped = {},
                    .files_parsed = tasks.size()};
  const auto skip = [&](const std::string& path, const std::string& why) {
    if (result.skipped.empty() || result.skipped.back().path != path)
      result.skipped.push_back({path, why});
    skipped_.emplace(path, why);
  };
  for (const auto& [path, file] : files_) {
    const auto is_searched = [&](const Reading& reading) {
      return wanted.contains(reading.language);
    };
    result.files_read += std::ranges::any_of(file.readings, is_searched) ? 1 : 0;
    for (const auto& reading : file.readings | std::views::filter(is_searched)) {
      if (!reading.blob->unreadable.empty()) skip(path, reading.blob->unreadable);
      for (std::size_t k = 0; k < rules.size() && !reading.answers.empty(); ++k) {
        const auto answer = reading.answers.find(indexes_.at(rules[k]));
        if (answer == reading.answers.end()) continue;
        if (!answer->second)
          skip(path, answer->second.error().message);
        else
          result.sites[k].insert(result.sites[k].end(), answer->second->begin(),
                                 answer->second->end());
      }
    }
  }
  return result;
}

std::vector<SkippedFile> RevisionSearch::skipped() const {
  std::vector<SkippedFile> all;
  for (const auto& [path, reason] : skipped_) all.push_back({path, reason});
  return all;
}

}  // namespace portpatch
