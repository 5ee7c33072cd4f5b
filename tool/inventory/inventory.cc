#include "inventory/inventory.h"

#include <algorithm>
#include <mutex>

#include "base/literal_finder.h"
#include "base/parallel.h"
#include "inventory/build_files.h"
#include "inventory/cc_names.h"
#include "inventory/extract.h"
#include "locate/query_search.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

struct Partial {
  std::vector<FileFacts> facts;
  std::vector<SkippedFile> skipped;
  std::size_t parsed = 0;
};

struct LanguageRow {
  const Language* language;
  const CcNames* names;
};

std::vector<LanguageRow> languages_with_names() {
  std::vector<LanguageRow> rows;
  for (const auto& name : language_names()) {
    const auto* language = find_language(name);
    if (const auto* names = CcNames::of(*language)) rows.push_back({language, names});
  }
  return rows;
}

/// Macros that name a cc, of the whole tree: a ladder's header may be anywhere.
std::map<std::string, long long, std::less<>> read_constants(const std::vector<TreeFile>& files, std::vector<TreeReader>& readers) {
  const LiteralFinder hint("_CC_");
  std::vector<std::map<std::string, long long, std::less<>>> found(readers.size());
  for_each_in_parallel(files.size(), static_cast<unsigned>(readers.size()), 32, [&](unsigned worker, std::size_t i) {
    const std::string_view path = files[i].path;
    if (!path.ends_with(".h") && !path.ends_with(".cuh") && !path.ends_with(".hpp")) return;
    const auto text = readers[worker].read(files[i]);
    if (text && hint.occurs_in(*text)) add_constants(*text, found[worker]);
  });
  std::map<std::string, long long, std::less<>> constants;
  std::set<std::string> doubtful;
  for (const auto& some : found) {
    for (const auto& [name, value] : some) {
      if (constants.insert_or_assign(name, value).first->second != value) doubtful.insert(name);
    }
  }
  std::erase_if(constants, [&](const auto& one) { return doubtful.contains(one.first); });
  return constants;
}

/// Tables that are looked up by a cc in one file and stand in another.
void add_wanted_tables(std::vector<FileFacts>& facts, const std::vector<TreeFile>& files, std::vector<TreeReader>& readers, const std::vector<LanguageRow>& rows,
                       const std::map<std::string, long long, std::less<>>& constants) {
  std::set<std::string> wanted;
  for (const auto& one : facts) wanted.insert(one.wanted_tables.begin(), one.wanted_tables.end());
  std::erase_if(wanted, [](const auto& name) { return name.size() < 6 || std::ranges::none_of(name, [](char c) { return c == '_'; }); });
  if (wanted.empty()) return;
  std::vector<LiteralFinder> finders;
  for (const auto& name : wanted) finders.emplace_back(name);
  std::vector<std::vector<FileFacts>> found(readers.size());
  for_each_in_parallel(files.size(), static_cast<unsigned>(readers.size()), 16, [&](unsigned worker, std::size_t i) {
    const auto row = std::ranges::find_if(rows, [&](const auto& one) { return one.language->owns(files[i].path); });
    const auto text = row == rows.end() ? failure("", "") : readers[worker].read(files[i]);
    if (!text) return;
    std::set<std::string> here;
    for (const auto& finder : finders) {
      if (finder.occurs_in(*text)) here.insert(finder.literal());
    }
    if (!here.empty()) found[worker].push_back(extract_facts(*row->language, files[i].path, std::string(*text), {.tables = here, .constants = constants}));
  });
  for (auto& some : found) {
    for (auto& one : some) {
      const auto known = std::ranges::find(facts, one.file.path, [](const FileFacts& fact) -> const std::string& { return fact.file.path; });
      if (known == facts.end()) facts.push_back(std::move(one));
      else known->file.places = std::move(one.file.places);
    }
  }
}

}  // namespace

Result<Inventory> take_inventory(const WorkTree& tree, const InventoryOptions& options) {
  auto files = list_tree(tree);
  if (!files) return std::unexpected(files.error());
  const auto rows = languages_with_names();
  const auto workers = worker_count(options.threads);
  auto readers = TreeReader::open_several(tree, kMaxSourceBytes, workers);
  if (!readers) return std::unexpected(readers.error());
  const auto constants = read_constants(*files, *readers);
  const auto& build_files = BuildFiles::instance();
  const auto is_ours = [&](const std::string& path) {
    return build_files.owns(path) || std::ranges::any_of(rows, [&](const auto& row) { return row.language->owns(path); });
  };
  const auto is_asked = [&](const std::string& path) { return is_ours(path) && is_under(path, options.paths); };
  std::erase_if(*files, [&](const TreeFile& file) { return !is_ours(file.path); });
  std::vector<Partial> partials(workers);
  for_each_in_parallel(files->size(), workers, 8, [&](unsigned worker, std::size_t i) {
    if (worker == 0 && options.progress) options.progress(i, files->size());
    const auto& file = (*files)[i];
    auto& partial = partials[worker];
    const auto text = (*readers)[worker].read(file);
    if (!text) return partial.skipped.push_back({file.path, text.error().message});
    if (options.visit) options.visit(worker, file.path, *text);
    const auto row = std::ranges::find_if(rows, [&](const auto& one) { return one.language->owns(file.path); });
    if (row == rows.end()) {
      if (!build_files.may_concern(*text)) return;
      ++partial.parsed;
      partial.facts.push_back({.file = build_files.read(file.path, std::string(*text)), .helpers = {}, .imports = {}, .wanted_tables = {}});
      if (const auto& reason = partial.facts.back().file.reason; !reason.empty()) partial.skipped.push_back({file.path, reason});
      return;
    }
    if (!row->names->may_concern(*text)) return;
    ++partial.parsed;
    auto facts = extract_facts(*row->language, file.path, std::string(*text), {.constants = constants});
    if (!facts.file.reason.empty()) partial.skipped.push_back({file.path, facts.file.reason});
    partial.facts.push_back(std::move(facts));
  });
  Inventory inventory;
  std::vector<FileFacts> facts;
  for (auto& partial : partials) {
    inventory.files_parsed += partial.parsed;
    std::ranges::move(partial.facts, std::back_inserter(facts));
    std::ranges::move(partial.skipped, std::back_inserter(inventory.skipped));
  }
  add_wanted_tables(facts, *files, *readers, rows, constants);
  std::ranges::sort(facts, {}, [](const FileFacts& one) -> const std::string& { return one.file.path; });
  inventory.helpers = follow_helpers(facts);
  for (auto& one : facts) {
    if (!one.file.places.empty() && is_asked(one.file.path)) inventory.files.push_back(std::move(one.file));
  }
  inventory.files_read = static_cast<std::size_t>(std::ranges::count_if(*files, [&](const TreeFile& file) { return is_asked(file.path); }));
  std::erase_if(inventory.skipped, [&](const SkippedFile& one) { return !is_asked(one.path); });
  std::ranges::sort(inventory.skipped, {}, &SkippedFile::path);
  return inventory;
}

}  // namespace portpatch
