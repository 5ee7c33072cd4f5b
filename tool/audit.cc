#include "audit.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "audit_news.h"
#include "base/parallel.h"
#include "inventory/deepen.h"
#include "inventory/gpu.h"
#include "locate/query_search.h"
#include "pipeline.h"
#include "repo/diff.h"
#include "repo/tree_reader.h"

namespace portpatch {

namespace {

constexpr std::size_t kLargestGroup = 60, kDeepestGroup = 5;

/// The asked cc and the siblings that the known bugs are about.
std::vector<Cc> with_siblings(const std::vector<Cc>& asked) {
  std::set<Cc> all(asked.begin(), asked.end());
  for (const auto& cc : asked) {
    if (auto sibling = sibling_of(cc)) all.insert(std::move(*sibling));
  }
  return {all.begin(), all.end()};
}

/// Only older architectures are told apart: `if sm < 80`, so that a newer one goes the usual way.
bool concerns_older_only(const CcPlace& place) {
  return std::ranges::all_of(place.arms, [](const CcArm& arm) {
    return std::ranges::all_of(arm.keys,
                               [](const CcKey& key) { return key.op == "<" || key.op == "<="; });
  });
}

int risk_of(const AuditPlace& one) {
  if (one.is_test) return 0;
  const auto& place = one.place;
  const bool fails = place.form == "check" || std::ranges::any_of(place.arms, &CcArm::refuses);
  // A name for some architectures, which others use: no gap by itself.
  const bool only_tells = place.form == "predicate" || place.form == "boolean" ||
                          place.form == "condition" || place.arms.size() == 1;
  int risk = 0;
  for (const auto coverage : one.coverage) {
    const bool is_left = coverage == Coverage::kNone || coverage == Coverage::kElse;
    if (coverage == Coverage::kRange || (is_left && !fails && concerns_older_only(place)))
      risk = std::max(risk, 1);
    else if (coverage == Coverage::kNone)
      risk = std::max(risk, fails ? 5 : only_tells ? 3 : 4);
    else if (coverage == Coverage::kElse)
      risk = std::max(risk, 3);
    else if (coverage == Coverage::kUnknown)
      risk = std::max(risk, 2);
  }
  return risk;
}

/// Folders as deep as it takes to keep groups small.
void set_subsystems(std::vector<AuditPlace>& places) {
  for (auto& one : places)
    one.subsystem = one.place.path.substr(
        0, one.place.path.find('/') == std::string::npos ? 0 : one.place.path.find('/'));
  for (std::size_t depth = 1; depth < kDeepestGroup; ++depth) {
    std::map<std::string, std::size_t> sizes;
    for (const auto& one : places) ++sizes[one.subsystem];
    for (auto& one : places) {
      if (sizes[one.subsystem] <= kLargestGroup) continue;
      const auto next = one.place.path.find('/', one.subsystem.size() + 1);
      if (next != std::string::npos) one.subsystem = one.place.path.substr(0, next);
    }
  }
  for (auto& one : places) {
    if (one.subsystem.empty()) one.subsystem = ".";
  }
}

using PathFilter = std::function<bool(const std::string& path)>;

AuditPlace judged(CcPlace place, const std::vector<Cc>& cc) {
  AuditPlace one{.place = std::move(place), .answers = {}, .coverage = {}, .subsystem = {}};
  for (const auto& asked : cc) {
    one.answers.push_back(answer(one.place, asked));
    one.coverage.push_back(coverage_of(one.place, one.answers.back(), asked));
  }
  one.is_test = is_test_path(one.place.path);
  one.risk = risk_of(one);
  return one;
}

/// Which lines of a tree are not in another one. Reads nothing before it is asked.
class OldLines {
 public:
  OldLines(const WorkTree& before, const WorkTree& after) : before_(before), after_(after) {}

  /// 0, too, where that cannot be told.
  std::size_t changed(const CcPlace& place) {
    const auto [known, is_unknown] = hunks_.try_emplace(place.path);
    if (is_unknown) {
      auto hunks = line_hunks(text_of(before_, old_texts_, place.path),
                              text_of(after_, new_texts_, place.path));
      if (hunks) known->second = std::move(*hunks);
    }
    std::size_t lines = 0;
    for (const auto& hunk : known->second) {
      const auto begin = std::max(hunk.new_begin, place.line),
                 end = std::min(hunk.new_begin + hunk.new_count, place.end_line + 1);
      if (touches(hunk, place.line, place.end_line)) lines += std::max(end, begin + 1) - begin;
    }
    return lines;
  }

 private:
  /// Empty for what cannot be read.
  static std::string text_of(const WorkTree& tree, std::optional<Result<TreeReader>>& reader,
                             const std::string& path) {
    if (!reader) reader.emplace(TreeReader::open(tree, kMaxSourceBytes));
    if (!*reader) return {};
    auto text = (*reader)->read(path);
    return text && *text ? std::move(**text) : std::string();
  }

  const WorkTree& before_;
  const WorkTree& after_;
  std::optional<Result<TreeReader>> old_texts_, new_texts_;
  std::map<std::string, std::vector<LineHunk>> hunks_;
};

/// An audit under way.
class Audit {
 public:
  Audit(const AuditRequest& request, InventoryMemory& memory)
      : request_(request), memory_(memory), indexes_(worker_count(0)) {}

  Result<AuditReport> of_tree() {
    if (auto error = open()) return std::unexpected(*error);
    auto paths = paths_in(tree_, request_.folder, request_.paths);
    if (!paths) return std::unexpected(paths.error());
    const auto is_wanted = paths->empty() ? PathFilter() : [&](const std::string& path) {
      return is_under(path, *paths);
    };
    auto inventory = take_inventory(tree_, {.is_wanted = is_wanted,
                                            .progress = request_.progress,
                                            .visit = index_calls(),
                                            .memory = &memory_});
    if (!inventory) return std::unexpected(inventory.error());
    if (!request_.since.empty()) {
      if (auto error = look_back(is_wanted, inventory->files)) return std::unexpected(*error);
    }
    if (auto error = ask_clang(inventory->files)) return std::unexpected(*error);
    take(std::move(*inventory));
    order();
    pair();
    return conclude();
  }

  Result<AuditReport> of_change(const std::vector<ChangedFile>& changes) {
    if (auto error = open()) return std::unexpected(*error);
    const auto paths = paths_with_news(changes);
    if (!paths) return std::unexpected(paths.error());
    if (paths->empty()) return conclude();
    const auto is_wanted = [&](const std::string& path) { return paths->contains(path); };
    auto inventory = take_inventory(
        tree_, {.is_wanted = is_wanted, .progress = request_.progress, .memory = &memory_});
    if (!inventory) return std::unexpected(inventory.error());
    if (auto error = look_back(is_wanted, inventory->files)) return std::unexpected(*error);
    keep_gone();
    std::erase_if(inventory->files, [&](const CcFile& file) {
      return std::ranges::none_of(file.places, [&](const CcPlace& place) { return is_new(place); });
    });
    if (auto error = ask_clang_of_change(inventory->files)) return std::unexpected(*error);
    take(std::move(*inventory));
    if (auto error = find_other_sides()) return std::unexpected(*error);
    order();
    pair();
    return conclude();
  }

 private:
  [[nodiscard]] bool is_new(const CcPlace& place) const {
    const auto key = place_key(place);
    return news_.fresh.contains(key) || news_.reworded.contains(key);
  }

  /// What of `files` is new since the other revision.
  std::optional<Diagnostic> look_back(const PathFilter& is_wanted,
                                      const std::vector<CcFile>& files) {
    const auto since = open_tree(request_.folder, request_.since);
    if (!since) return since.error();
    const auto before = take_inventory(*since, {.is_wanted = is_wanted, .memory = &memory_});
    if (!before) return before.error();
    OldLines lines(*since, tree_);
    news_ = news_of(before->files, files,
                    [&](const CcPlace& place) { return lines.changed(place); });
    return std::nullopt;
  }

  /// Of what has gone away, the places that named a cc.
  void keep_gone() {
    for (auto& place : news_.gone) {
      auto one = judged(std::move(place), report_.cc);
      if (!one.is_test && std::ranges::find(one.coverage, Coverage::kExact) != one.coverage.end())
        report_.gone.push_back(std::move(one));
    }
  }

  /// The cc that are asked, and the tree.
  std::optional<Diagnostic> open() {
    report_ = {.command = request_.command,
               .root = {},
               .revision = request_.rev,
               .since = request_.since,
               .cc = {}};
    if (request_.cc == "auto") {
      auto gpus = ask_gpus();
      if (!gpus) return gpus.error();
      report_.cc = std::move(gpus->cc);
      for (const auto& cc : report_.cc)
        report_.asked_of += (report_.asked_of.empty() ? "" : ", ") + cc_text(cc);
      report_.asked_of += fmt::format(" (told by {})", gpus->told_by);
    } else {
      auto cc = parse_cc_list(request_.cc);
      if (!cc) return cc.error();
      report_.cc = std::move(*cc);
    }
    auto tree = open_tree(request_.folder, request_.rev);
    if (!tree) return tree.error();
    tree_ = std::move(*tree);
    report_.root = tree_.root;
    report_.commit = tree_.revision;
    return std::nullopt;
  }

  std::function<void(unsigned, const std::string&, std::string_view)> index_calls() {
    return [this, python = find_language("python")](unsigned worker, const std::string& path,
                                                    std::string_view text) {
      if (python->owns(path) && !is_test_path(path)) indexes_[worker].add_file(path, text);
    };
  }

  /// The files whose places differ by their own words, and those that may hold tables for others.
  /// Most changes have none, and then no other file needs to be read.
  Result<std::set<std::string>> paths_with_news(const std::vector<ChangedFile>& changes) {
    const auto workers = worker_count(0);
    auto readers = TreeReader::open_several(tree_, kMaxSourceBytes, workers);
    if (!readers) return std::unexpected(readers.error());
    std::vector<char> differs(changes.size());
    for_each_in_parallel(changes.size(), workers, 1, [&](unsigned worker, std::size_t i) {
      const auto before = words_of(changes[i].path, changes[i].before, (*readers)[worker]),
                 after = words_of(changes[i].path, changes[i].after, (*readers)[worker]);
      differs[i] = !before || !after || !after->reason.empty() || *before != *after ? 1 : 0;
    });
    std::set<std::string> paths;
    for (std::size_t i = 0; i < differs.size(); ++i) {
      if (differs[i] != 0) paths.insert(changes[i].path);
    }
    return paths;
  }

  /// What the places of a file say by their own words, and what may be its tables.
  struct Words {
    std::multiset<std::string> places;
    PossibleTables tables;
    std::string reason;  ///< why it could not be read to the end

    bool operator==(const Words& other) const {
      return places == other.places && tables == other.tables;
    }
  };

  /// None for a file that is not there.
  Result<Words> words_of(const std::string& path, const std::string& blob, TreeReader& reader) {
    if (blob.empty()) return Words{};
    const auto facts = read_facts(reader, {path, blob}, memory_);
    if (!facts) return std::unexpected(facts.error());
    auto tables = read_tables(reader, {path, blob}, memory_);
    if (!tables) return std::unexpected(tables.error());
    return Words{portpatch::words_of(facts->file), std::move(*tables), facts->file.reason};
  }

  /// Nothing is said of Clang where there is no C++.
  std::optional<Diagnostic> ask_clang_of_change(std::vector<CcFile>& files) {
    return std::ranges::any_of(files, [](const CcFile& file) { return is_clangs(file.path); })
               ? ask_clang(files)
               : std::nullopt;
  }

  std::optional<Diagnostic> ask_clang(std::vector<CcFile>& files) {
    if (request_.syntax_only) {
      report_.clang_reason = "without Clang, as asked";
      return std::nullopt;
    }
    auto reason = deepen(tree_,
                         {.cc = with_siblings(report_.cc),
                          .build = request_.build,
                          .includes = request_.includes,
                          .cuda_path = request_.cuda_path,
                          .progress = request_.progress},
                         files);
    if (!reason) return reason.error();
    report_.clang_reason = std::move(*reason);
    return std::nullopt;
  }

  void take_places(CcFile& file) {
    for (auto& place : file.places) {
      auto one = judged(std::move(place), report_.cc);
      one.is_new = is_new(one.place);
      const auto key = place_key(one.place);
      if (const auto was = news_.was.find(key); was != news_.was.end()) {
        auto old = judged(was->second, report_.cc);
        // Other words are no news by themselves.
        if (old.coverage == one.coverage && news_.reworded.contains(key)) one.is_new = false;
        one.was = report_.before.size();
        report_.before.push_back(std::move(old));
      }
      report_.places.push_back(std::move(one));
    }
    file.places.clear();
  }

  void take(Inventory inventory) {
    for (auto& file : inventory.files) {
      take_places(file);
      report_.files.push_back(std::move(file));
    }
    report_.skipped = std::move(inventory.skipped);
    report_.files_read = inventory.files_read;
    report_.files_parsed = inventory.files_parsed;
  }

  /// The new places that may disagree with one of the other side.
  [[nodiscard]] std::vector<const AuditPlace*> new_sides() const {
    std::vector<const AuditPlace*> sides;
    for (const auto& one : report_.places) {
      for (std::size_t c = 0; c < report_.cc.size(); ++c) {
        if (!one.is_new || one.is_test || !may_disagree(one, c, report_.cc[c])) continue;
        sides.push_back(&one);
        break;
      }
    }
    return sides;
  }

  /// Adds the places of the other files that stand against new ones. All Python is read for its
  /// calls, but only what may be the other side is parsed, and only C++ that does disagree is asked
  /// of Clang.
  std::optional<Diagnostic> find_other_sides() {
    const auto sides = new_sides();
    if (sides.empty()) return std::nullopt;
    const bool has_gate = std::ranges::any_of(
        sides, [](const AuditPlace* side) { return !is_clangs(side->place.path); });
    std::set<std::string> known;
    for (const auto& file : report_.files) known.insert(file.path);
    auto inventory = take_inventory(tree_, {.is_wanted =
                                                [&](const std::string& path) {
                                                  return has_gate && is_clangs(path) &&
                                                         !is_test_path(path) &&
                                                         !known.contains(path);
                                                },
                                            .progress = request_.progress,
                                            .visit = index_calls(),
                                            .memory = &memory_});
    if (!inventory) return inventory.error();
    join_calls();
    std::set<std::string> callers;
    for (const auto* side : sides) {
      if (is_clangs(side->place.path))
        callers.merge(files_that_lead_to(side->place.function, calls_));
    }
    auto files = std::move(inventory->files);
    if (!callers.empty()) {
      inventory = take_inventory(tree_, {.is_wanted =
                                             [&](const std::string& path) {
                                               return callers.contains(path) &&
                                                      !known.contains(path);
                                             },
                                         .progress = request_.progress,
                                         .memory = &memory_});
      if (!inventory) return inventory.error();
      std::ranges::move(inventory->files, std::back_inserter(files));
    }
    const auto own = report_.places;
    for (auto file : files) take_places(file);
    pair();
    std::set<std::string> against;
    for (const auto& one : report_.disagreements)
      against.insert(
          {report_.places[one.gate].place.path, report_.places[one.dispatch].place.path});
    report_.places = own;
    std::erase_if(files, [&](const CcFile& file) { return !against.contains(file.path); });
    if (auto error = ask_clang_of_change(files)) return error;
    for (auto& file : files) take_places(file);
    return std::nullopt;
  }

  void order() {
    set_subsystems(report_.places);
    std::ranges::stable_sort(report_.places, [](const AuditPlace& a, const AuditPlace& b) {
      return std::tuple(-a.risk, std::string_view(a.place.path), a.place.line) <
             std::tuple(-b.risk, std::string_view(b.place.path), b.place.line);
    });
  }

  void join_calls() {
    for (auto& index : indexes_) calls_.join(std::exchange(index, {}));
    calls_.sort();
  }

  void pair() {
    join_calls();
    report_.disagreements = find_disagreements(report_.places, report_.cc, calls_);
    if (request_.since.empty()) return;
    std::erase_if(report_.disagreements, [&](const Disagreement& one) {
      return !brings_a_side(report_.places[one.gate], one.cc) &&
             !brings_a_side(report_.places[one.dispatch], one.cc);
    });
  }

  /// Is it new that the place is one side of a disagreement?
  [[nodiscard]] bool brings_a_side(const AuditPlace& one, const Cc& cc) const {
    const auto asked = static_cast<std::size_t>(std::ranges::find(report_.cc, cc) -
                                                report_.cc.begin());
    return one.is_new && !(one.was && may_disagree(report_.before[*one.was], asked, cc));
  }

  [[nodiscard]] bool brings(const AuditBug& bug) const {
    const auto& one = report_.places[bug.place];
    if (!one.is_new || !one.was) return one.is_new;
    return std::ranges::none_of(
        find_bugs({report_.before[*one.was]}, report_.cc),
        [&](const AuditBug& old) { return old.kind == bug.kind && old.cc == bug.cc; });
  }

  AuditReport conclude() {
    report_.bugs = find_bugs(report_.places, report_.cc);
    if (!request_.since.empty())
      std::erase_if(report_.bugs, [&](const AuditBug& bug) { return !brings(bug); });
    return std::move(report_);
  }

  const AuditRequest& request_;
  InventoryMemory& memory_;
  WorkTree tree_;
  std::vector<CallIndex> indexes_;  ///< one for each worker
  CallIndex calls_;
  AuditNews news_;  ///< since the other revision
  AuditReport report_;
};

}  // namespace

Result<AuditReport> run_audit(const AuditRequest& request) {
  InventoryMemory memory;
  return Audit(request, memory).of_tree();
}

Result<AuditReport> audit_change(const AuditRequest& request,
                                 const std::vector<ChangedFile>& changes, InventoryMemory& memory) {
  return Audit(request, memory).of_change(changes);
}

}  // namespace portpatch
