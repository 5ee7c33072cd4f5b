#include "locate/scan.h"

#include <algorithm>
#include <set>

#include "base/parallel.h"
#include "locate/prefilter.h"

namespace portpatch {

Result<FilePointer> FileStore::file(const Language& language, const std::string& path) {
  const std::pair key(path, &language);
  if (const auto found = files_.find(key); found != files_.end()) return found->second;
  if (!reader_) {
    auto reader = TreeReader::open(tree_, kMaxSourceBytes);
    if (!reader) return std::unexpected(reader.error());
    reader_.emplace(std::move(*reader));
  }
  auto text = reader_->read(path);
  if (!text) return std::unexpected(text.error());
  if (!*text) return files_[key] = nullptr;
  auto parsed = ParsedFile::parse(language, path, std::move(**text));
  if (!parsed) return std::unexpected(parsed.error());
  return files_[key] = std::make_shared<const ParsedFile>(std::move(*parsed));
}

void FileStore::put(const Language& language, FilePointer file) {
  const std::string path = file->path();
  files_[{path, &language}] = std::move(file);
}

std::optional<std::string> FileStore::find(const std::string& path) const {
  for (auto at = files_.lower_bound({path, nullptr}); at != files_.end() && at->first.first == path;
       ++at) {
    if (at->second) return std::string(at->second->text());
  }
  return std::nullopt;
}

namespace {

/// What one worker found.
struct Partial {
  std::vector<std::pair<std::size_t, Site>> sites;  // rule index
  std::vector<std::pair<const Language*, FilePointer>> files;
  std::vector<SkippedFile> skipped;
  std::size_t parsed = 0;
};

/// The rules of one language, and where they stand in the list of all.
struct LanguageRules {
  const Language* language;
  std::vector<std::size_t> indexes;
  RulePrefilter prefilter;
};

class Scanner {
 public:
  Scanner(const std::vector<const Rule*>& rules, const ScanOptions& options)
      : rules_(rules), options_(options) {
    std::map<const Language*, std::vector<std::size_t>> by_language;
    for (std::size_t i = 0; i < rules.size(); ++i) by_language[rules[i]->language].push_back(i);
    for (auto& [language, indexes] : by_language) {
      std::vector<const Rule*> own;
      for (const auto i : indexes) own.push_back(rules[i]);
      languages_.push_back({language, std::move(indexes), RulePrefilter(std::move(own))});
    }
  }

  void search(const TreeFile& file, TreeReader& reader, Partial& partial) {
    std::optional<std::string_view> text;
    for (const auto& rules : languages_) {
      if (!rules.language->owns(file.path)) continue;
      if (!text) {
        const auto read = reader.read(file);
        if (!read) {
          partial.skipped.push_back({file.path, read.error().message});
          return;
        }
        text = *read;
      }
      search_as(rules, file.path, *text, partial);
    }
  }

 private:
  void search_as(const LanguageRules& rules, const std::string& path, std::string_view text,
                 Partial& partial) {
    auto candidates = options_.use_prefilter ? rules.prefilter.passing(text) : rules.indexes;
    if (options_.use_prefilter) {
      for (auto& i : candidates) i = rules.indexes[i];
    }
    if (candidates.empty()) return;
    const auto& language = *rules.language;
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
    if (any)
      partial.files.emplace_back(&language, std::make_shared<const ParsedFile>(std::move(*parsed)));
  }

  const std::vector<const Rule*>& rules_;
  const ScanOptions& options_;
  std::vector<LanguageRules> languages_;
};

}  // namespace

Result<ScanResult> scan_tree(const WorkTree& tree, const std::vector<const Rule*>& rules,
                             const ScanOptions& options, FileStore& store) {
  auto files = list_tree(tree);
  if (!files) return std::unexpected(files.error());
  std::set<const Language*> languages;
  for (const auto* rule : rules) languages.insert(rule->language);
  std::erase_if(*files, [&](const TreeFile& file) {
    return std::ranges::none_of(languages,
                                [&](const Language* one) { return one->owns(file.path); });
  });
  const auto workers = worker_count(options.threads);
  auto readers = TreeReader::open_several(tree, kMaxSourceBytes, workers);
  if (!readers) return std::unexpected(readers.error());
  constexpr std::size_t kBatch = 16;
  Scanner scanner(rules, options);
  std::vector<Partial> partials(workers);
  for_each_in_parallel(files->size(), workers, kBatch, [&](unsigned worker, std::size_t i) {
    if (worker == 0 && options.progress && i % kBatch == 0) options.progress(i, files->size());
    scanner.search((*files)[i], (*readers)[worker], partials[worker]);
  });

  ScanResult result{.sites = std::vector<std::vector<Site>>(rules.size()),
                    .skipped = {},
                    .files_read = files->size()};
  for (auto& partial : partials) {
    for (auto& [rule, site] : partial.sites) result.sites[rule].push_back(std::move(site));
    for (auto& [language, file] : partial.files) store.put(*language, std::move(file));
    result.skipped.insert(result.skipped.end(), partial.skipped.begin(), partial.skipped.end());
    result.files_parsed += partial.parsed;
  }
  for (auto& sites : result.sites)
    std::ranges::stable_sort(sites, {},
                             [](const Site& site) { return std::pair(site.path, site.target); });
  std::ranges::sort(result.skipped, {}, &SkippedFile::path);
  return result;
}

}  // namespace portpatch
