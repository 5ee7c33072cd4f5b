#include "locate/near_miss.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/literal_finder.h"
#include "base/parallel.h"
#include "locate/relax.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

constexpr std::size_t kMostFiles = 400;  ///< that are parsed
constexpr std::size_t
    kMostRelaxedFiles = 60;  ///< in which parts of the structure are relaxed, one by one
constexpr std::size_t kMostRelaxations = 60;
constexpr std::size_t kShownMisses = 3;
constexpr int kFarName = 10;  ///< what a predicate costs more when nothing in it is alike

/// How unlike two names are, 0 to 10: edit distance by length, less where one holds the other.
int unlikeness(std::string_view wanted, std::string_view there) {
  if (wanted == there) return 0;
  if (!wanted.empty() && !there.empty() && (there.contains(wanted) || wanted.contains(there)))
    return 2;
  if (wanted.size() > 80 || there.size() > 80) return kFarName;
  std::vector<std::size_t> row(there.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= wanted.size(); ++i) {
    auto diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= there.size(); ++j) {
      const auto up = row[j];
      row[j] = std::min(
          {up + 1, row[j - 1] + 1, diagonal + (wanted[i - 1] == there[j - 1] ? 0 : 1)});
      diagonal = up;
    }
  }
  return static_cast<int>(kFarName * row.back() / std::max(wanted.size(), there.size()));
}

/// What a predicate reads at a match.
struct Said {
  std::string said;  ///< "@name reads `X`"
  int unlike = kFarName;
  ByteRange place;
};

Said read_predicate(const Predicate& predicate, const SourceTree& tree, const Match& match,
                    const std::string& path) {
  if (predicate.name == "in-path?")
    return {
        .said = fmt::format("the file is {}", printable(path)), .unlike = kFarName, .place = {}};
  const auto& capture = predicate.arguments[0].text;
  const auto node = match.find(capture);
  const auto is_scope = predicate.name == "in-scope?";
  const auto there = is_scope ? scope_path(tree, node) : std::string(node.text(tree.text()));
  Said reading{.said = {}, .unlike = kFarName, .place = node.range()};
  const auto name = predicate.name.starts_with("any-") && predicate.name != "any-of?"
                        ? std::string_view(predicate.name).substr(4)
                        : std::string_view(predicate.name);
  for (std::size_t i = 1;
       i < predicate.arguments.size() && (is_scope || name == "eq?" || name == "any-of?"); ++i) {
    if (!predicate.arguments[i].is_capture)
      reading.unlike = std::min(reading.unlike, unlikeness(predicate.arguments[i].text, there));
  }
  if (is_scope)
    reading.said = there.empty() ? fmt::format("@{} is at module level", capture)
                                 : fmt::format("@{} is in {}", capture, printable(there));
  else if (predicate.name == "lacks?")
    reading.said = fmt::format("@{} has it", capture);
  else
    reading.said = fmt::format("@{} reads `{}`", capture, on_one_line(there));
  return reading;
}

struct Scored {
  NearMiss miss;
  int cost = 0;
  std::string path;
  std::size_t at = 0;
};

bool is_before(const Scored& a, const Scored& b) {
  return std::tie(a.cost, a.path, a.at) < std::tie(b.cost, b.path, b.at);
}

/// One relaxed pattern, compiled.
struct Probe {
  std::size_t pattern;  ///< of the query
  Relaxation relaxation;
  CompiledQuery query;
};

class Finder {
 public:
  Finder(const CompiledQuery& query, std::string_view text) : query_(query), text_(text) {}

  void compile(const Language& language) {
    for (std::size_t i = 0; i < query_.text().patterns.size(); ++i) {
      for (auto& relaxation : relaxations_of(query_.text().patterns[i], text_)) {
        if (probes_.size() >= kMostRelaxations && !relaxation.part.empty()) break;
        auto compiled = CompiledQuery::compile(language, "pattern", relaxation.query);
        if (compiled)
          probes_.push_back(
              {i, std::move(relaxation), std::move(*compiled)});  // wider may be impossible
      }
    }
  }

  /// The best places of one file, put into `best`.
  void search(const ParsedFile& file, bool with_structure, std::vector<Scored>& best) const {
    for (const auto& probe : probes_) {
      if (!probe.relaxation.part.empty() && !with_structure) continue;
      if (best.size() >= kShownMisses && probe.relaxation.cost > best.back().cost) continue;
      const auto& tree = file.tree();
      const auto matches = probe.query.run(tree, tree.root(), file.path());
      if (!matches) continue;  // too wide to say anything
      for (const auto& match : *matches) consider(probe, file, match, best);
    }
  }

 private:
  void consider(const Probe& probe, const ParsedFile& file, Match match,
                std::vector<Scored>& best) const {
    const auto& tree = file.tree();
    Node there;
    std::erase_if(match.captures, [&](const Capture& capture) {
      if (capture.name == kThere) there = capture.node;
      return capture.name == kThere;
    });
    Scored scored{.miss = {.scope = {}, .pattern = probe.pattern, .failed = {}},
                  .cost = probe.relaxation.cost,
                  .path = file.path()};
    const auto first = match.captures.empty() ? there : match.captures[0].node;
    scored.at = first.range().begin;
    const auto failing = query_.failing(probe.pattern, tree, match, file.path());
    const auto& predicates = query_.predicates(probe.pattern);
    for (const auto i : failing)
      scored.cost += kPartCost + read_predicate(predicates[i], tree, match, file.path()).unlike;
    if (best.size() >= kShownMisses && !is_before(scored, best.back())) return;
    for (const auto i : failing) {
      const auto reading = read_predicate(predicates[i], tree, match, file.path());
      add(scored.miss, predicates[i].place, reading.said, file,
          reading.place.empty() ? first.range() : reading.place);
    }
    if (!probe.relaxation.part.empty()) {
      add(scored.miss, probe.relaxation.part,
          probe.relaxation.is_dropped ? "it is not there"
                                      : fmt::format("{} stands there", there.kind()),
          file, probe.relaxation.is_dropped || !there ? first.range() : there.range());
    }
    if (scored.miss.failed.empty()) return;  // it matches
    scored.miss.scope = scope_path(tree, first);
    keep(std::move(scored), best);
  }

  void add(NearMiss& miss, ByteRange part, std::string said, const ParsedFile& file,
           ByteRange range) const {
    const auto end = std::min(range.end,
                              std::max(line_end(file.text(), range.begin), range.begin + 1));
    miss.failed.push_back({on_one_line(part.of(text_)), std::move(said),
                           place_of(file.path(), file.text(), {range.begin, end})});
  }

 public:
  /// Keeps the nearest, one of those that say the same.
  static void keep(Scored scored, std::vector<Scored>& best) {
    const auto says_same = [&](const Scored& other) {
      return std::ranges::equal(other.miss.failed, scored.miss.failed,
                                [](const FailedPart& a, const FailedPart& b) {
                                  return a.part == b.part && a.here == b.here;
                                });
    };
    const auto same = std::ranges::find_if(best, says_same);
    if (same != best.end()) {
      if (!is_before(scored, *same)) return;
      best.erase(same);
    }
    best.insert(std::ranges::upper_bound(best, scored, is_before), std::move(scored));
    if (best.size() > kShownMisses) best.pop_back();
  }

 private:
  const CompiledQuery& query_;
  std::string_view text_;
  std::vector<Probe> probes_;
};

/// The words of the query's literals: files that hold them are looked at first.
std::vector<LiteralFinder> words_of(const QueryText& query) {
  std::set<std::string> words;
  for (const auto& pattern : query.patterns) {
    for (const auto* predicate : predicates_of(pattern)) {
      if (!predicate->items[0].text.ends_with('?')) continue;
      for (const auto& item : predicate->items) {
        if (item.kind != QueryItem::Kind::kString || item.text.empty()) continue;
        words.insert(item.text);
        constexpr std::size_t kShortest = 4;
        std::string word;
        for (const char c : item.text + ".") {
          if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
            word += c;
          else if (word.size() >= kShortest)
            words.insert(std::exchange(word, {}));
          else
            word.clear();
        }
      }
    }
  }
  std::vector<LiteralFinder> finders;
  for (const auto& word : words) finders.emplace_back(word);
  return finders;
}

struct Ranked {
  std::size_t words = 0;
  std::size_t file = 0;
};

}  // namespace

Result<NearMisses> find_near_misses(const WorkTree& tree, const CompiledQuery& query,
                                    std::string_view text, const QueryScope& scope) {
  auto files = list_tree(tree);
  if (!files) return std::unexpected(files.error());
  std::erase_if(*files, [&](const TreeFile& file) { return !scope.takes(file.path); });
  const auto workers = worker_count(0);
  auto readers = TreeReader::open_several(tree, kMaxSourceBytes, workers);
  if (!readers) return std::unexpected(readers.error());
  const auto words = words_of(query.text());
  std::vector<Ranked> ranked(files->size());
  for_each_in_parallel(files->size(), workers, 16, [&](unsigned worker, std::size_t i) {
    ranked[i].file = i;
    const auto read = (*readers)[worker].read((*files)[i]);
    if (read)
      ranked[i].words = static_cast<std::size_t>(std::ranges::count_if(
          words, [&](const LiteralFinder& word) { return word.occurs_in(*read); }));
  });
  std::ranges::stable_sort(ranked, std::ranges::greater(), &Ranked::words);
  if (ranked.size() > kMostFiles) ranked.resize(kMostFiles);
  Finder finder(query, text);
  finder.compile(*scope.language);
  std::vector<std::vector<Scored>> bests(workers);
  for_each_in_parallel(ranked.size(), workers, 1, [&](unsigned worker, std::size_t i) {
    const auto& file = (*files)[ranked[i].file];
    const auto read = (*readers)[worker].read(file);
    if (!read) return;
    const auto parsed = ParsedFile::parse(*scope.language, file.path, std::string(*read));
    if (parsed) finder.search(*parsed, i < kMostRelaxedFiles, bests[worker]);
  });
  std::vector<Scored> best;
  for (auto& one : bests) {
    for (auto& scored : one) Finder::keep(std::move(scored), best);
  }
  NearMisses misses{.found = {}, .files = ranked.size(), .of = files->size()};
  // Others are worth a look where the same part fails and reads about as much alike.
  constexpr int kAboutAsNear = 3;
  const auto fails_alike = [&](const Scored& scored) {
    return scored.cost <= best[0].cost + kAboutAsNear &&
           std::ranges::equal(scored.miss.failed, best[0].miss.failed, {}, &FailedPart::part,
                              &FailedPart::part);
  };
  if (!best.empty())
    std::erase_if(
        best, [&](const Scored& scored) { return &scored != &best[0] && !fails_alike(scored); });
  for (auto& scored : best) misses.found.push_back(std::move(scored.miss));
  return misses;
}

}  // namespace portpatch
