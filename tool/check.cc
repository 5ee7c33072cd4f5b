#include "check.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include <fmt/format.h>

#include "apply/transaction.h"
#include "base/text.h"
#include "companion/judge_places.h"
#include "companion/judge_table.h"
#include "companion/table_rows.h"
#include "inventory/deepen.h"
#include "inventory/inventory.h"
#include "locate/locate.h"
#include "pipeline.h"

namespace portpatch {

namespace {

using Errors = std::vector<Diagnostic>;
std::unexpected<Errors> one(Diagnostic error) { return std::unexpected(Errors{std::move(error)}); }

std::string demand_of(const Companion& companion) {
  const auto only = companion.covers.empty() ? ""
                                             : fmt::format(" at {}", describe(companion.covers));
  if (!companion.mirrors.empty()) return fmt::format("mirrors {}{}", companion.mirrors, only);
  if (!companion.gate.empty())
    return fmt::format("has an arm for what {} lets in{}", companion.gate, only);
  return "covers " + describe(companion.covers);
}

/// `f` of `a::b::f`, or of `a.b.f` as syntax spells it.
bool is_function(const std::string& qualified, const std::string& name) {
  const auto dotted = [](std::string text) {
    for (auto at = text.find("::"); at != std::string::npos; at = text.find("::"))
      text.replace(at, 2, ".");
    return text;
  };
  const auto one = dotted(qualified), wanted = dotted(name);
  return one == wanted || one.ends_with("." + wanted);
}

bool overlaps(const CcPlace& place, std::size_t first, std::size_t last) {
  return place.line <= last && first <= place.end_line;
}

/// A request under way: the tree, what is known of its files, and the report.
class Checker {
 public:
  Checker(const CheckRequest& request, const WorkTree& tree, const std::vector<Pack>& packs)
      : request_(request), tree_(tree), packs_(packs), store_(tree_) {
    report_ = {.command = request.command,
               .root = tree.root,
               .revision = request.rev,
               .fix = request.fix,
               .dry_run = request.dry_run,
               .commit = tree.revision};
  }

  std::expected<CheckReport, Errors> run() && {
    if (auto error = locate()) return one(*error);
    if (auto error = read_files()) return one(*error);
    auto judged = judge_all();
    if (!judged) return one(judged.error());
    report_.companions = std::move(*judged);
    if (request_.fix) {
      if (auto error = fix()) return one(*error);
    }
    return std::move(report_);
  }

 private:
  // --- what is there -----------------------------------------------------------------------------

  /// The rules that companions name.
  std::optional<Diagnostic> locate() {
    std::set<std::string> wanted;
    for (const auto& pack : packs_) {
      for (const auto& companion : pack.companions)
        wanted.insert({companion.mirrors, companion.gate});
    }
    LocateOptions options;
    options.is_wanted = [&](const Rule& rule) { return wanted.contains(rule.name); };
    auto located = locate_rules(tree_, packs_, options, store_);
    if (!located) return located.error();
    located_ = std::move(*located);
    return std::nullopt;
  }

  /// The companions' files, by syntax and by Clang, those of the rules that they name, and the
  /// gates.
  std::optional<Diagnostic> read_files() {
    const auto files = list_tree(tree_);
    if (!files) return files.error();
    std::set<std::string> all;
    std::set<Cc> asked;
    for (const auto& pack : packs_) {
      for (const auto& companion : pack.companions) {
        auto& mine = paths_[&companion];
        for (const auto& file : *files) {
          if (std::ranges::any_of(companion.files, [&](const std::string& glob) {
                return glob_matches(glob, file.path);
              }))
            mine.push_back(file.path);
        }
        all.insert(mine.begin(), mine.end());
        const auto ccs = asked_of(companion);
        asked.insert(ccs.begin(), ccs.end());
      }
    }
    const std::vector<std::string> own(all.begin(), all.end());
    auto inventory = take_inventory(
        tree_, {.is_wanted = [wanted = paths_for(own)](
                                 const std::string& path) { return wanted.contains(path); },
                .helpers = gates(),
                .progress = request_.progress,
                .memory = request_.memory});
    if (!inventory) return inventory.error();
    helpers_ = std::move(inventory->helpers);
    for (auto& file : inventory->files) files_[file.path] = std::move(file);
    for (const auto& [path, reason] : inventory->skipped) files_[path].reason = reason;
    clang_ = request_.clang;
    clang_.cc.assign(asked.begin(), asked.end());
    clang_.progress = request_.progress;
    return ask_clang(own);
  }

  /// With the files of the rules.
  [[nodiscard]] std::set<std::string> paths_for(const std::vector<std::string>& own) const {
    std::set<std::string> paths(own.begin(), own.end());
    for (const auto& rule : located_.rules) {
      for (const auto& site : rule.sites) paths.insert(site.path);
    }
    return paths;
  }

  /// The helpers that companions name.
  [[nodiscard]] std::vector<std::string> gates() const {
    std::vector<std::string> names;
    for (const auto& pack : packs_) {
      for (const auto& companion : pack.companions) {
        if (!companion.gate.empty() && !companion.gate.contains('/'))
          names.push_back(companion.gate);
      }
    }
    return names;
  }

  std::optional<Diagnostic> ask_clang(const std::vector<std::string>& paths) {
    std::vector<CcFile> files;
    for (const auto& path : paths) {
      auto& file = files_[path];
      file.path = path;
      files.push_back(std::move(file));
    }
    auto reason = request_.syntax_only ? Result<std::string>("as asked")
                                       : deepen(tree_, clang_, files);
    if (!reason) return reason.error();
    for (auto& file : files) {
      if (!reason->empty() && file.reason.empty()) file.reason = *reason;
      files_[file.path] = std::move(file);
    }
    return std::nullopt;
  }

  // --- the companion's places --------------------------------------------------------------------

  Result<std::vector<const CcPlace*>> places_of(const Companion& companion) {
    if (companion.function.empty() && !spans_.contains(&companion)) {
      auto spans = companion.query.empty() ? matcher_spans(companion) : query_spans(companion);
      if (!spans) return std::unexpected(spans.error());
      spans_[&companion] = std::move(*spans);
    }
    std::vector<const CcPlace*> found;
    for (const auto& path : paths_[&companion]) {
      for (const auto& place : files_[path].places) {
        if (place.arms.empty()) continue;
        const bool is_meant = companion.function.empty()
                                  ? std::ranges::any_of(spans_[&companion][path],
                                                        [&](const auto& span) {
                                                          return overlaps(place, span.first,
                                                                          span.second);
                                                        })
                                  : is_function(place.function, companion.function);
        if (is_meant) found.push_back(&place);
      }
    }
    // Names for conditions choose nothing themselves, where there is something that does.
    const auto is_name = [](const CcPlace* place) {
      return place->form == "boolean" || place->form == "condition";
    };
    if (!companion.function.empty() && !std::ranges::all_of(found, is_name))
      std::erase_if(found, is_name);
    return found;
  }

  /// By path: first and last line.
  using Spans = std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>>;

  /// What the companion's matcher matches.
  Result<Spans> matcher_spans(const Companion& companion) {
    auto options = clang_;
    options.matcher = companion.matcher;
    std::vector<CcFile> files;
    for (const auto& path : paths_[&companion]) files.push_back({.path = path});
    if (const auto reason = deepen(tree_, options, files); !reason)
      return std::unexpected(reason.error());
    Spans spans;
    for (const auto& file : files) {
      for (const auto& place : file.places) {
        if (place.form == "matcher") spans[file.path].emplace_back(place.line, place.end_line);
      }
    }
    return spans;
  }

  /// What the first capture of the companion's query matches.
  Result<Spans> query_spans(const Companion& companion) {
    Spans spans;
    std::map<const Language*, CompiledQuery> queries;
    for (const auto& path : paths_[&companion]) {
      const auto* language = language_owning(path);
      if (language == nullptr) continue;
      if (!queries.contains(language)) {
        auto query = CompiledQuery::compile(
            *language, fmt::format("the query of companion {}", companion.name), companion.query);
        if (!query) return std::unexpected(query.error()[0]);
        queries.emplace(language, std::move(*query));
      }
      const auto file = store_.file(*language, path);
      if (!file) return std::unexpected(file.error());
      if (!*file) continue;
      const auto matches = queries.at(language).run((*file)->tree(), (*file)->tree().root(), path);
      if (!matches) return std::unexpected(matches.error());
      for (const auto& match : *matches) {
        if (match.captures.empty()) continue;
        const auto range = match.captures[0].node.range();
        spans[path].emplace_back(line_of(**file, range.begin), line_of(**file, range.end));
      }
    }
    return spans;
  }

  static std::size_t line_of(const ParsedFile& file, std::size_t offset) {
    return line_column(file.text(), offset).line;
  }

  // --- the Python side ---------------------------------------------------------------------------

  const LocatedRule* rule_of(const Pack& pack, const std::string& name) const {
    const auto found = std::ranges::find_if(located_.rules, [&](const LocatedRule& rule) {
      return rule.pack == &pack && rule.original->name == name;
    });
    return found == located_.rules.end() || !found->is_found() ? nullptr : &*found;
  }

  /// What the rule or helper lets in; nothing when it is not there.
  std::optional<Gate> gate_of(const Pack& pack, const std::string& name) {
    if (name.contains('/')) {
      const auto* rule = rule_of(pack, name);
      return rule == nullptr ? std::nullopt : gate_at(*rule, name);
    }
    std::vector<CcPlace> definitions;
    for (const auto& helper : helpers_) {
      if (helper.name == name && !is_clangs(helper.path))
        definitions.push_back(
            {.path = helper.path,
             .form = "predicate",
             .name = name,
             .line = helper.line,
             .arms = {{.line = helper.line, .keys = helper.keys, .test = helper.test}}});
    }
    const auto is_of_test = [](const CcPlace& place) { return is_test_path(place.path); };
    if (!std::ranges::all_of(definitions, is_of_test)) std::erase_if(definitions, is_of_test);
    return gate_of_all(definitions, name);
  }

  /// What all of the places let in; where they differ it cannot be told.
  static std::optional<Gate> gate_of_all(const std::vector<CcPlace>& places,
                                         const std::string& name) {
    if (places.empty()) return std::nullopt;
    std::vector<NamedPlace> others;
    for (const auto& place : std::span(places).subspan(1))
      others.push_back({place.path, place.line, name});
    return Gate{NamedPlace{places[0].path, places[0].line, name},
                [places](const Cc& cc) {
                  std::optional<bool> all = lets_in(places[0], cc);
                  for (const auto& other : places) {
                    if (lets_in(other, cc) != all) all = std::nullopt;
                  }
                  return all;
                },
                std::move(others)};
  }

  /// What depends on a cc at the rule's sites.
  std::optional<Gate> gate_at(const LocatedRule& rule, const std::string& name) {
    std::vector<CcPlace> places;
    for (const auto& site : rule.sites) {
      const auto file = files_.find(site.path);
      if (file == files_.end()) continue;
      for (const auto& place : file->second.places) {
        if (!place.arms.empty() &&
            (place.range.contains(site.target) || site.target.contains(place.range)))
          places.push_back(place);
      }
    }
    return gate_of_all(places, name);
  }

  /// The tables at all sites of the rule; none where one of them is no table.
  std::vector<PlacedTable> tables_of_rule(const Pack& pack, const std::string& name) {
    const auto* rule = rule_of(pack, name);
    std::vector<PlacedTable> tables;
    if (rule == nullptr) return tables;
    for (const auto& site : rule->sites) {
      const auto file = store_.file(*rule->rule->language, site.path);
      if (!file || !*file) return {};
      const auto& tree = (*file)->readings()[site.reading].tree;
      auto table = read_table(tree, tree.root().smallest_around(site.target));
      if (!table) return {};
      tables.push_back({site.path, name, std::move(*table)});
    }
    return tables;
  }

  /// Why nothing of a rule is there.
  [[nodiscard]] static std::string why_missing(const Pack& pack, const std::string& rule) {
    const bool rests = std::ranges::find(pack.resting, rule) != pack.resting.end();
    return rests ? fmt::format("the rule {} is at rest (enabled = false)", rule)
                 : fmt::format("the rule {} is not in place, or has no table keyed by cc there",
                               rule);
  }

  // --- the verdict -------------------------------------------------------------------------------

  /// Where the function is that the companion's files have not: looked for in all of the tree.
  [[nodiscard]] std::string elsewhere(const Companion& companion) {
    if (companion.function.empty()) return "";
    if (!whole_)
      whole_ = take_inventory(tree_, {.progress = request_.progress, .memory = request_.memory})
                   .value_or(Inventory{});
    for (const auto& file : whole_->files) {
      for (const auto& place : file.places) {
        if (is_clangs(file.path) && is_function(place.function, companion.function))
          return fmt::format("{} is in {}:{}", companion.function, file.path, place.line);
      }
    }
    return "";
  }

  static CheckFinding not_found(std::string where, std::string says, std::string remedy) {
    return {.kind = FindingKind::kNotFound,
            .here = {std::move(where)},
            .says = std::move(says),
            .remedy = std::move(remedy)};
  }

  Result<std::vector<CompanionReport>> judge_all() {
    std::vector<CompanionReport> all;
    for (const auto& pack : packs_) {
      for (const auto& companion : pack.companions) {
        auto judged = judge(pack, companion);
        if (!judged) return std::unexpected(judged.error());
        all.push_back(std::move(*judged));
      }
    }
    return all;
  }

  Result<CompanionReport> judge(const Pack& pack, const Companion& companion) {
    CompanionReport out{.pack = pack.path,
                        .name = companion.name,
                        .demand = demand_of(companion),
                        .places = {},
                        .depth = {},
                        .findings = {}};
    for (const auto& path : paths_[&companion]) {
      const auto& file = files_[path];
      out.depth.emplace_back(
          path, file.reason.empty() ? file.depth : fmt::format("{}: {}", file.depth, file.reason));
    }
    if (paths_[&companion].empty()) {
      out.findings.push_back(not_found(join(companion.files, ", "),
                                       "no file of the tree matches these globs",
                                       "correct `files` of the companion"));
      if (const auto where = elsewhere(companion); !where.empty())
        out.findings.back().remedy += ": " + where;
    } else if (auto error = companion.table.empty() ? judge_code(pack, companion, out)
                                                    : judge_tables(pack, companion, out)) {
      return std::unexpected(*error);
    }
    out.agreement = agreement_of(out.findings);
    return out;
  }

  /// The command that says more of a rule.
  [[nodiscard]] std::string status_of(const Pack& pack, const std::string& rule) const {
    return fmt::format("portpatch status {}{}", shell_word(pack.path + "/" + rule),
                       request_.rev.empty() ? "" : " --rev " + shell_word(request_.rev));
  }

  /// The gate, or a finding that it is not there.
  std::optional<Gate> gate_for(const Pack& pack, const Companion& companion, CompanionReport& out) {
    if (companion.gate.empty()) return std::nullopt;
    auto gate = gate_of(pack, companion.gate);
    if (!gate) {
      out.findings.push_back(not_found(
          "pack.toml",
          fmt::format("the gate {} was not found in Python, or asks for no cc", companion.gate),
          companion.gate.contains('/')
              ? status_of(pack, companion.gate)
              : "name a function or variable that says for which GPUs something is"));
    }
    return gate;
  }

  std::optional<Diagnostic> judge_code(const Pack& pack, const Companion& companion,
                                       CompanionReport& out) {
    if (!companion.matcher.empty() && (request_.syntax_only || !find_clang_reader())) {
      out.findings.push_back(
          {.kind = FindingKind::kNotSeen,
           .here = {join(companion.files, ", ")},
           .says = "a matcher needs portpatch-cc: nothing was looked at",
           .remedy =
               "install portpatch-cc (the package of this name, or matchers/README.md), and leave "
               "out --syntax-only"});
      return std::nullopt;
    }
    const auto places = places_of(companion);
    if (!places) return places.error();
    if (places->empty()) {
      const auto what = companion.function.empty()
                            ? std::string(companion.matcher.empty() ? "in what the query matches"
                                                                    : "in what the matcher matches")
                            : fmt::format("in a function {}", companion.function);
      out.findings.push_back(not_found(join(companion.files, ", "),
                                       fmt::format("nothing {} depends on a cc", what),
                                       "portpatch audit --cc 12.0 FILE lists what does"));
      if (const auto where = elsewhere(companion); !where.empty())
        out.findings.back().remedy = "correct `files` of the companion: " + where;
      return std::nullopt;
    }
    const auto gate = gate_for(pack, companion, out);
    if (!companion.gate.empty() && !gate) return std::nullopt;
    for (const auto* place : *places)
      out.places.push_back({place->path, place->line,
                            place->function.empty()
                                ? place->form
                                : fmt::format("{} in {}", place->form, place->function)});
    auto findings = judge_places(companion, *places, gate);
    std::ranges::move(findings, std::back_inserter(out.findings));
    return std::nullopt;
  }

  std::optional<Diagnostic> judge_tables(const Pack& pack, const Companion& companion,
                                         CompanionReport& out) {
    const auto theirs = companion.mirrors.empty() ? std::vector<PlacedTable>()
                                                  : tables_of_rule(pack, companion.mirrors);
    if (!companion.mirrors.empty() && theirs.empty()) {
      out.findings.push_back(not_found("pack.toml", why_missing(pack, companion.mirrors),
                                       status_of(pack, companion.mirrors)));
      return std::nullopt;
    }
    const auto gate = gate_for(pack, companion, out);
    if (!companion.gate.empty() && !gate) return std::nullopt;
    for (const auto& path : paths_[&companion]) {
      const auto* language = language_owning(path);
      if (language == nullptr) continue;
      const auto file = store_.file(*language, path);
      if (!file) return file.error();
      if (!*file) continue;
      auto [tables, unread] = tables_named((*file)->tree(), companion.table);
      for (auto& table : tables) {
        const PlacedTable ours{path, companion.table, std::move(table)};
        out.places.push_back(ours.at(ours.table.line));
        judge_table(companion, ours, theirs, gate, **file, out);
      }
      for (const auto line : unread) {
        out.places.push_back({path, line, companion.table});
        out.findings.push_back(
            {.kind = FindingKind::kNotSeen,
             .here = out.places.back(),
             .says = fmt::format("this {} could not be read as a table or list keyed by cc",
                                 companion.table),
             .remedy = "look at it; `query` names a place in another way"});
      }
    }
    if (out.places.empty())
      out.findings.push_back(not_found(join(companion.files, ", "),
                                       fmt::format("no table called {} is there", companion.table),
                                       "correct `table` or `files` of the companion"));
    return std::nullopt;
  }

  void judge_table(const Companion& companion, const PlacedTable& ours,
                   const std::vector<PlacedTable>& theirs, const std::optional<Gate>& gate,
                   const ParsedFile& file, CompanionReport& out) {
    const auto add = [&](std::vector<CheckFinding> findings) {
      std::ranges::move(findings, std::back_inserter(out.findings));
    };
    const auto place = as_place(ours);
    if (theirs.empty()) {
      add(ours.table.is_list ? judge_list(companion, ours, gate)
                             : judge_places(companion, {&place}, gate));
      add_unread(ours, out.findings);
    }
    for (const auto& table : theirs)
      add(judge_mirror(companion, ours, table, file.tree(), files_[ours.path].places));
  }

  // --- mending -----------------------------------------------------------------------------------

  /// Adds what is certain, table by table; what does not make all companions agree better is put
  /// back.
  std::optional<Diagnostic> fix() {
    std::map<std::string, std::string> texts;
    std::map<std::pair<std::string, std::string>, std::vector<NewRow>> rows;  // by path and table
    for (const auto& companion : report_.companions) {
      for (const auto& finding : companion.findings) {
        if (finding.added_key.empty()) continue;
        auto& all = rows[{finding.here.path, finding.here.text}];
        const NewRow row{finding.added_key, finding.added_value};
        if (std::ranges::find(all, row) == all.end()) all.push_back(row);
      }
    }
    for (const auto& [where, added] : rows) {
      const auto& [path, name] = where;
      if (auto error = add_rows(path, name, added, texts)) return error;
    }
    return write(texts);
  }

  std::optional<Diagnostic> add_rows(const std::string& path, const std::string& name,
                                     const std::vector<NewRow>& added,
                                     std::map<std::string, std::string>& texts) {
    const auto leave = [&](const std::string& why) {
      report_.notes.push_back(fmt::format("{}: {} was left as it is: {}", path, name, why));
    };
    const auto* language = language_owning(path);
    if (original_[path].empty()) original_[path] = store_.text(path);
    const auto file = store_.file(*language, path);
    if (!file) return file.error();
    const auto old = *file;
    auto text = with_rows(*old, name, added);
    if (!text) return leave(text.error()), std::nullopt;
    auto edited = ParsedFile::parse(*language, path, *text);
    if (!edited) return edited.error();
    store_.put(*language, std::make_shared<const ParsedFile>(std::move(*edited)));
    auto judged = judge_all();
    if (!judged) return judged.error();
    const auto count = [](const std::vector<CompanionReport>& companions) {
      return std::accumulate(
          companions.begin(), companions.end(), std::size_t{0},
          [](std::size_t sum, const CompanionReport& one) { return sum + one.findings.size(); });
    };
    if (count(*judged) + added.size() > count(report_.companions)) {
      store_.put(*language, old);
      return leave(
                 "the companions would not agree better: one wants another value, or the key would "
                 "mean other GPUs there"),
             std::nullopt;
    }
    texts[path] = std::move(*text);
    if (!request_.dry_run) report_.companions = std::move(*judged);
    return std::nullopt;
  }

  std::optional<Diagnostic> write(const std::map<std::string, std::string>& texts) {
    std::vector<FileChange> changes;
    for (const auto& [path, text] : texts) {
      report_.diffs.push_back({path, original_[path], text});
      changes.push_back({path, original_[path], text});
    }
    if (changes.empty() || request_.dry_run) return std::nullopt;
    const auto written = commit_changes(tree_, real_file_system(), changes, request_.command);
    if (!written) return written.error();
    report_.run_id = written->id;
    report_.backup = written->backup;
    report_.notes.insert(report_.notes.end(), written->notes.begin(), written->notes.end());
    return std::nullopt;
  }

  const CheckRequest& request_;
  const WorkTree& tree_;
  const std::vector<Pack>& packs_;
  FileStore store_;
  LocateResult located_;
  std::map<const Companion*, std::vector<std::string>> paths_;
  std::map<std::string, CcFile> files_;
  std::vector<HelperDefinition> helpers_;
  std::optional<Inventory> whole_;           ///< see elsewhere()
  std::map<const Companion*, Spans> spans_;  ///< of matchers and queries, once they were asked
  ClangOptions clang_;
  std::map<std::string, std::string> original_;  ///< of files that --fix has edited in the store
  CheckReport report_;
};

}  // namespace

std::expected<CheckReport, Errors> check(const CheckRequest& request) {
  const auto tree = open_tree(request.folder, request.rev);
  if (!tree) return one(tree.error());
  const auto packs = load_packs(request.packs);
  if (!packs) return std::unexpected(packs.error());
  if (std::ranges::all_of(*packs, [](const Pack& pack) { return pack.companions.empty(); })) {
    return one({.code = "no-companions",
                .message = "the packs name no companion",
                .remedy = "add [[companion]] to pack.toml (rules/README.md); `portpatch audit --cc "
                          "12.0` needs no pack"});
  }
  return Checker(request, *tree, *packs).run();
}

}  // namespace portpatch
