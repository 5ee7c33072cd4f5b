#include "inventory/inventory.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/digest.h"
#include "base/literal_finder.h"
#include "base/parallel.h"
#include "inventory/build_files.h"
#include "inventory/cc_names.h"
#include "inventory/extract.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

struct LanguageRow {
  const Language* language;
  const CcNames* names;
};

/// The languages whose names for a cc are known. nullptr for build files, and for what is none of
/// ours.
const LanguageRow* row_of(std::string_view path) {
  static const auto rows = [] {
    std::vector<LanguageRow> known;
    for (const auto& name : language_names()) {
      const auto* language = find_language(name);
      if (const auto* names = CcNames::of(*language)) known.push_back({language, names});
    }
    return known;
  }();
  const auto row = std::ranges::find_if(rows,
                                        [&](const auto& one) { return one.language->owns(path); });
  return row == rows.end() ? nullptr : &*row;
}

/// What the file says; nothing where it has no place for certain.
std::optional<FileFacts> facts_of(const std::string& path, std::string_view text,
                                  const Constants& constants) {
  const auto* row = row_of(path);
  if (row != nullptr)
    return row->names->may_concern(text)
               ? std::optional(extract_facts(*row->language, path, std::string(text),
                                             {.constants = constants}))
               : std::nullopt;
  const auto& build_files = BuildFiles::instance();
  if (!build_files.owns(path) || !build_files.may_concern(text)) return std::nullopt;
  return FileFacts{.file = build_files.read(path, std::string(text)),
                   .helpers = {},
                   .imports = {},
                   .wanted_tables = {}};
}

/// By which a memory knows a file as it is.
std::string key_of(const TreeFile& file) { return file.path + "\n" + file.blob; }

/// The macros of a header that name a cc; none where it cannot be read.
const Constants& constants_in(const TreeFile& file, TreeReader& reader, InventoryMemory& memory) {
  static const LiteralFinder hint("_CC_");
  static const Constants kNone;
  const auto key = key_of(file);
  if (const auto* known = memory.constants.find(key)) return *known;
  const auto text = reader.read(file);
  if (!text) return kNone;
  Constants constants;
  if (hint.occurs_in(*text)) add_constants(*text, constants);
  return memory.constants.put(key, std::move(constants));
}

/// Macros that name a cc, of the whole tree: a ladder's header may be anywhere.
Constants read_constants(const std::vector<TreeFile>& files, std::vector<TreeReader>& readers,
                         InventoryMemory& memory) {
  std::vector<const Constants*> found(files.size());
  for_each_in_parallel(
      files.size(), static_cast<unsigned>(readers.size()), 32, [&](unsigned worker, std::size_t i) {
        const std::string_view path = files[i].path;
        if (path.ends_with(".h") || path.ends_with(".cuh") || path.ends_with(".hpp"))
          found[i] = &constants_in(files[i], readers[worker], memory);
      });
  Constants constants;
  std::set<std::string> doubtful;
  for (const auto* some : found) {
    if (some == nullptr) continue;
    for (const auto& [name, value] : *some) {
      if (!constants.emplace(name, value).second && constants.at(name) != value)
        doubtful.insert(name);
    }
  }
  std::erase_if(constants, [&](const auto& one) { return doubtful.contains(one.first); });
  return constants;
}

using Names = std::set<std::string>;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

/// The helpers in a test that were not followed.
void collect_helpers(const CcTest& test, Names& names) {
  if (!test.helper.empty()) names.insert(test.helper);
  for (const auto& part : test.parts) collect_helpers(part, names);
}

/// Short or plain words are anybody's name.
bool is_table_name(const std::string& name) { return name.size() >= 6 && name.contains('_'); }

/// The names of what may be a table that is looked up in the text: `BLOCK_SIZES[`,
/// `BLOCK_SIZES.get(`.
Names lookups_in(std::string_view text) {
  static const RE2 kLookup(R"(([A-Za-z_]\w{5,})(?:\[|\.get\())");
  Names names;
  std::string name;
  for (auto rest = piece(text); RE2::FindAndConsume(&rest, kLookup, &name);) {
    if (is_table_name(name)) names.insert(name);
  }
  return names;
}

/// A pattern for texts that may define one of `names`; elsewhere than in Python any mention may.
std::string definition_pattern(const Names& names, bool is_python) {
  std::vector<std::string> quoted;
  for (const auto& name : names) quoted.push_back(RE2::QuoteMeta(name));
  const auto any = fmt::format(R"(\b(?:{})\b)", fmt::join(quoted, "|"));
  return is_python ? fmt::format(R"(def\s+{0}|{0}\s*(?::[^=\n]*)?=(?:[^=]|$))", any) : any;
}

/// An inventory under way: which files have been parsed, and what they say.
class Taker {
 public:
  Taker(const WorkTree& tree, const InventoryOptions& options)
      : tree_(tree),
        options_(options),
        memory_(options.memory == nullptr ? own_memory_ : *options.memory),
        workers_(worker_count(options.threads)) {}

  Result<Inventory> take() {
    if (auto error = open()) return std::unexpected(*error);
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (is_asked(files_[i].path)) asked.push_back(i);
    }
    extract(asked, true);
    if (wants_all()) {
      add_tables();
      return finish();
    }
    if (options_.visit) held();
    add_definitions();
    add_lookups();
    return finish();
  }

 private:
  using Indexes = std::vector<std::size_t>;  ///< of files
  struct Partial {
    std::vector<FileFacts> facts;
    std::vector<SkippedFile> skipped;
  };

  [[nodiscard]] bool wants_all() const { return !options_.is_wanted && options_.helpers.empty(); }
  [[nodiscard]] bool is_asked(const std::string& path) const {
    return wants_all() || (options_.is_wanted && options_.is_wanted(path));
  }

  std::optional<Diagnostic> open() {
    auto files = list_tree(tree_);
    if (!files) return files.error();
    files_ = std::move(*files);
    std::erase_if(files_, [&](const TreeFile& file) {
      return !BuildFiles::instance().owns(file.path) && row_of(file.path) == nullptr;
    });
    auto readers = TreeReader::open_several(tree_, kMaxSourceBytes, workers_);
    if (!readers) return readers.error();
    readers_ = std::move(*readers);
    is_read_.assign(files_.size(), 0);
    for (const auto& file : files_) rows_.push_back(row_of(file.path));
    return std::nullopt;
  }

  /// Parses the files that may have a place; with `tells` the progress is told.
  void extract(const Indexes& wanted, bool tells = false) {
    std::vector<Partial> partials(workers_);
    read_constants_for(wanted);
    for_each_in_parallel(wanted.size(), workers_, 8, [&](unsigned worker, std::size_t i) {
      if (tells && worker == 0 && options_.progress) options_.progress(i, wanted.size());
      extract_one(worker, wanted[i], partials[worker]);
    });
    for (const auto index : wanted) is_read_[index] = 1;
    for (auto& partial : partials) {
      std::ranges::move(partial.facts, std::back_inserter(facts_));
      std::ranges::move(partial.skipped, std::back_inserter(skipped_));
    }
  }

  void extract_one(unsigned worker, std::size_t index, Partial& partial) {
    const auto& file = files_[index];
    const auto key = key_of(file) + (has_preprocessor(index) ? constants_key_ : "");
    const auto* facts = memory_.facts.find(key);
    const auto held = texts_.find(index);
    std::string_view text = held == texts_.end() ? std::string_view() : held->second;
    if (held == texts_.end() && (facts == nullptr || options_.visit)) {
      const auto read = readers_[worker].read(file);
      if (!read) return partial.skipped.push_back({file.path, read.error().message});
      if (options_.visit) options_.visit(worker, file.path, *read);
      text = *read;
    }
    if (facts == nullptr)
      facts = &memory_.facts.put(
          key, facts_of(file.path, text, has_preprocessor(index) ? constants() : Constants{}));
    if (!*facts) return;
    if (const auto& reason = (*facts)->file.reason; !reason.empty())
      partial.skipped.push_back({file.path, reason});
    partial.facts.push_back(**facts);
  }

  [[nodiscard]] bool has_preprocessor(std::size_t index) const {
    const auto* row = rows_[index];
    return row != nullptr && row->language->has_preprocessor();
  }

  /// They are read when the first file is asked for that may use them.
  void read_constants_for(const Indexes& wanted) {
    if (constants_ ||
        std::ranges::none_of(wanted, [&](std::size_t index) { return has_preprocessor(index); }))
      return;
    constants_ = read_constants(files_, readers_, memory_);
    for (const auto& [name, value] : *constants_)
      constants_key_ += fmt::format("\n{} {}", name, value);
  }
  [[nodiscard]] const Constants& constants() const {
    static const Constants kNone;
    return constants_ ? *constants_ : kNone;
  }

  /// The texts of all files that have not been parsed and may have a place.
  const std::map<std::size_t, std::string_view>& held() {
    if (holds_all_) return texts_;
    holds_all_ = true;
    std::vector<std::map<std::size_t, std::string_view>> found(workers_);
    for_each_in_parallel(files_.size(), workers_, 16, [&](unsigned worker, std::size_t i) {
      if (is_read_[i]) return;
      if (const auto text = hold(worker, i)) found[worker].emplace(i, *text);
    });
    for (auto& some : found) texts_.merge(some);
    return texts_;
  }

  /// The text of a file that may have a place.
  std::optional<std::string_view> hold(unsigned worker, std::size_t index) {
    const auto& file = files_[index];
    const auto* row = rows_[index];
    if (row == nullptr && !options_.visit) return std::nullopt;
    const auto* known = memory_.texts.find(key_of(file));
    if (known == nullptr || (options_.visit && !*known)) {
      const auto text = readers_[worker].read(file);
      if (!text) return std::nullopt;
      const bool may_have = row != nullptr && row->names->may_concern(*text);
      if (options_.visit) options_.visit(worker, file.path, *text);
      known = &memory_.texts.put(key_of(file),
                                 may_have ? std::optional<std::string>(*text) : std::nullopt);
    } else if (options_.visit) {
      options_.visit(worker, file.path, **known);
    }
    return *known ? std::optional<std::string_view>(**known) : std::nullopt;
  }

  /// Those of the held files whose texts `is_wanted` takes.
  Indexes held_where(const std::function<bool(std::size_t, std::string_view)>& is_wanted) {
    Indexes all, found;
    for (const auto& [index, text] : held()) {
      if (!is_read_[index]) all.push_back(index);
    }
    std::vector<char> is_found(all.size());
    for_each_in_parallel(all.size(), workers_, 16, [&](unsigned, std::size_t i) {
      is_found[i] = is_wanted(all[i], texts_.at(all[i])) ? 1 : 0;
    });
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (is_found[i]) found.push_back(all[i]);
    }
    return found;
  }

  /// Parses what defines the helpers that were found so far, those that they use, and so on.
  void add_definitions() {
    const Names wanted(options_.helpers.begin(), options_.helpers.end());
    Names used = wanted, searched, open;
    for (std::set<std::pair<std::string, std::string>> imports;;) {
      for (std::size_t before = used.size() + 1; before != used.size();) {
        before = used.size();
        open = wanted;
        for (const auto& one : facts_) add_used(one, used, open);
      }
      if (extract_modules(imports)) continue;
      std::erase_if(open, [&](const std::string& name) { return searched.contains(name); });
      if (open.empty()) return;
      const RE2 python(definition_pattern(open, true)), other(definition_pattern(open, false));
      extract(held_where([&](std::size_t index, std::string_view text) {
        return RE2::PartialMatch(piece(text), has_preprocessor(index) ? other : python);
      }));
      searched.merge(open);
    }
  }

  /// Imports mostly say where a helper is, and then no other file needs to be read. False when
  /// there was nothing new to read.
  bool extract_modules(std::set<std::pair<std::string, std::string>>& known) {
    std::map<std::string, Names> open;
    for (const auto& import : std::exchange(imports_, {})) {
      if (known.insert(import).second) open[import.first].insert(import.second);
    }
    Indexes found;
    for (const auto& [module, names] : open) {
      const RE2 definition(definition_pattern(names, true));
      for (std::size_t i = 0; i < files_.size(); ++i) {
        if (is_read_[i] || rows_[i] == nullptr || !is_in_module(files_[i].path, module)) continue;
        const auto text = readers_[0].read(files_[i]);
        if (text && RE2::PartialMatch(piece(*text), definition)) found.push_back(i);
      }
    }
    std::ranges::sort(found);
    const auto twins = std::ranges::unique(found);
    found.erase(twins.begin(), twins.end());
    extract(found);
    return !found.empty();
  }

  /// Is the name defined in a file of the module?
  [[nodiscard]] bool is_known_in(const ImportOrigin& origin) const {
    return std::ranges::any_of(facts_, [&](const FileFacts& one) {
      return std::ranges::find(one.helpers, origin.name, &HelperDefinition::name) !=
                 one.helpers.end() &&
             is_in_module(one.file.path, origin.module);
    });
  }

  /// The helpers that the places of an asked file use, and of any file those helpers that are used
  /// themselves. `open`: those that neither the file itself nor the module that it imports them
  /// from defines.
  void add_used(const FileFacts& user, Names& used, Names& open) {
    Names names;
    if (is_asked(user.file.path)) {
      for (const auto& place : user.file.places) {
        for (const auto& arm : place.arms) collect_helpers(arm.test, names);
      }
    }
    for (const auto& helper : user.helpers) {
      if (used.contains(helper.name)) collect_helpers(helper.test, names);
    }
    for (const auto& name : names) {
      const auto import = user.imports.find(name);
      const auto& there = import == user.imports.end() ? name : import->second.name;
      used.insert({name, there});
      if (std::ranges::find(user.helpers, name, &HelperDefinition::name) != user.helpers.end())
        continue;
      if (import != user.imports.end()) imports_.emplace(import->second.module, there);
      if (import == user.imports.end() || !is_known_in(import->second)) open.insert(there);
    }
  }

  /// Narrow: the tables of the asked files that others look up by a cc.
  void add_lookups() {
    Names defined;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (!is_asked(files_[i].path) || rows_[i] == nullptr) continue;
      const auto tables = read_tables(readers_[0], files_[i], memory_);
      if (!tables) continue;
      for (const auto& [name, digest] : *tables) defined.insert(name);
    }
    if (defined.empty()) return add_tables();
    extract(held_where([&](std::size_t index, std::string_view text) {
      const auto key = key_of(files_[index]);
      const auto* known = memory_.lookups.find(key);
      const auto& names = known ? *known : memory_.lookups.put(key, lookups_in(text));
      return std::ranges::any_of(names,
                                 [&](const std::string& name) { return defined.contains(name); });
    }));
    add_tables();
  }

  /// Tables that are looked up by a cc in one file and stand in another, which is parsed again for
  /// them.
  void add_tables() {
    Names wanted;
    for (const auto& one : facts_)
      wanted.insert(one.wanted_tables.begin(), one.wanted_tables.end());
    std::erase_if(wanted, [](const auto& name) { return !is_table_name(name); });
    if (wanted.empty()) return;
    std::vector<LiteralFinder> finders;
    for (const auto& name : wanted) finders.emplace_back(name);
    std::vector<std::vector<FileFacts>> found(workers_);
    for_each_in_parallel(files_.size(), workers_, 16, [&](unsigned worker, std::size_t i) {
      const auto* row = is_asked(files_[i].path) ? rows_[i] : nullptr;
      const auto text = row == nullptr ? failure("", "") : readers_[worker].read(files_[i]);
      if (!text) return;
      Names here;
      for (const auto& finder : finders) {
        if (finder.occurs_in(*text)) here.insert(finder.literal());
      }
      if (!here.empty())
        found[worker].push_back(extract_facts(*row->language, files_[i].path, std::string(*text),
                                              {.tables = here, .constants = constants()}));
    });
    for (auto& some : found) {
      for (auto& one : some) {
        const auto known = std::ranges::find(
            facts_, one.file.path,
            [](const FileFacts& fact) -> const std::string& { return fact.file.path; });
        if (known == facts_.end())
          facts_.push_back(std::move(one));
        else
          known->file.places = std::move(one.file.places);
      }
    }
  }

  Inventory finish() {
    Inventory inventory;
    inventory.files_parsed = facts_.size();
    std::ranges::sort(facts_, {},
                      [](const FileFacts& one) -> const std::string& { return one.file.path; });
    inventory.helpers = follow_helpers(facts_);
    for (auto& one : facts_) {
      if (!one.file.places.empty() && is_asked(one.file.path))
        inventory.files.push_back(std::move(one.file));
    }
    inventory.files_read = static_cast<std::size_t>(
        std::ranges::count_if(files_, [&](const TreeFile& file) { return is_asked(file.path); }));
    std::ranges::copy_if(skipped_, std::back_inserter(inventory.skipped),
                         [&](const SkippedFile& one) { return is_asked(one.path); });
    std::ranges::sort(inventory.skipped, {}, &SkippedFile::path);
    return inventory;
  }

  const WorkTree& tree_;
  const InventoryOptions& options_;
  InventoryMemory own_memory_;
  InventoryMemory& memory_;
  unsigned workers_;
  std::vector<TreeFile> files_;
  std::vector<const LanguageRow*> rows_;  ///< by file; see row_of()
  std::vector<TreeReader> readers_;
  std::vector<char> is_read_;  ///< by file: it has been parsed, or cannot be
  std::optional<Constants> constants_;
  std::string constants_key_;  ///< what they are, for the keys of facts that use them
  std::vector<FileFacts> facts_;
  std::vector<SkippedFile> skipped_;
  std::set<std::pair<std::string, std::string>> imports_;  ///< of helpers: module and name
  std::map<std::size_t, std::string_view> texts_;          ///< see held()
  bool holds_all_ = false;
};

}  // namespace

PossibleTables possible_tables(std::string_view path, std::string_view text) {
  // `SIZES: dict[int, int] = { 9:`, `kSizes_MiB[] = {{"sm_90"`: what the first key begins with may
  // be a cc.
  static const RE2 kDefined(
      R"((?m)^[ \t]*((?:[\w:<>,*& \t]+[*& \t])?([A-Za-z_]\w{5,})[ \t]*(?:\[[^\]\n]*\][ \t]*)*(?:(?::[^=\n]*)?=\s*(?:[\w.:<>, ]*\(?\s*)?)?\{(?:\s|#[^\n]*|//[^\n]*)*[{(]*\s*["']?[A-Za-z_.:]*\d))");
  constexpr std::size_t kLongest = 20'000;
  PossibleTables tables;
  std::string whole;
  if (row_of(path) == nullptr) return tables;
  re2::StringPiece head, name;
  for (auto rest = piece(text); RE2::FindAndConsume(&rest, kDefined, &head, &name);) {
    if (!is_table_name(std::string(name))) continue;
    const auto begin = static_cast<std::size_t>(head.data() - text.data());
    const auto all = text.substr(begin, kLongest);
    std::size_t open = 0, end = 0;
    for (; end < all.size(); ++end) {
      if (all[end] == '{') ++open;
      if (all[end] == '}' && open-- <= 1) break;
    }
    // One that does not end here may be changed anywhere behind.
    if (end == kLongest && whole.empty()) whole = sha256(text);
    tables.emplace(std::string(name), end == kLongest ? whole : sha256(all.substr(0, end)));
  }
  return tables;
}

Result<FileFacts> read_facts(TreeReader& reader, const TreeFile& file, InventoryMemory& memory) {
  const auto key = key_of(file);
  const auto* known = memory.facts.find(key);
  if (known == nullptr) {
    const auto text = reader.read(file);
    if (!text) return std::unexpected(text.error());
    known = &memory.facts.put(key, facts_of(file.path, *text, {}));
  }
  return known->value_or(FileFacts{.file = {.path = file.path}});
}

Result<PossibleTables> read_tables(TreeReader& reader, const TreeFile& file,
                                   InventoryMemory& memory) {
  const auto key = key_of(file);
  if (const auto* known = memory.tables.find(key)) return *known;
  const auto text = reader.read(file);
  if (!text) return std::unexpected(text.error());
  return memory.tables.put(key, possible_tables(file.path, *text));
}

Result<Inventory> take_inventory(const WorkTree& tree, const InventoryOptions& options) {
  return Taker(tree, options).take();
}

}  // namespace portpatch
