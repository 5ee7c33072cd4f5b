#include "audit.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/parallel.h"
#include "inventory/deepen.h"
#include "inventory/gpu.h"
#include "locate/query_search.h"
#include "pipeline.h"

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
    return std::ranges::all_of(arm.keys, [](const CcKey& key) { return key.op == "<" || key.op == "<="; });
  });
}

int risk_of(const AuditPlace& one) {
  if (one.is_test) return 0;
  const auto& place = one.place;
  const bool fails = place.form == "check" || std::ranges::any_of(place.arms, &CcArm::refuses);
  // A name for some architectures, which others use: no gap by itself.
  const bool only_tells = place.form == "predicate" || place.form == "boolean" || place.form == "condition" || place.arms.size() == 1;
  int risk = 0;
  for (const auto coverage : one.coverage) {
    const bool is_left = coverage == Coverage::kNone || coverage == Coverage::kElse;
    if (coverage == Coverage::kRange || (is_left && !fails && concerns_older_only(place))) risk = std::max(risk, 1);
    else if (coverage == Coverage::kNone) risk = std::max(risk, fails ? 5 : only_tells ? 3 : 4);
    else if (coverage == Coverage::kElse) risk = std::max(risk, 3);
    else if (coverage == Coverage::kUnknown) risk = std::max(risk, 2);
  }
  return risk;
}

/// Folders as deep as it takes to keep groups small.
void set_subsystems(std::vector<AuditPlace>& places) {
  for (auto& one : places) one.subsystem = one.place.path.substr(0, one.place.path.find('/') == std::string::npos ? 0 : one.place.path.find('/'));
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

/// What a place says, without where it stands.
std::string says(const CcPlace& place) {
  std::string text = place.form + "|" + place.function + "|" + place.name;
  for (const auto& arm : place.arms) {
    text += "|";
    for (const auto& key : arm.keys) text += fmt::format("{}{}{} ", key.expression, key.op, key.key);
  }
  return text;
}

struct Known {
  std::multiset<std::string> at;         ///< with their paths
  std::multiset<std::string> elsewhere;  ///< without: a moved file's places are not new
};

bool take(std::multiset<std::string>& from, const std::string& one) {
  const auto found = from.find(one);
  if (found == from.end()) return false;
  from.erase(found);
  return true;
}

/// Leaves the files that have something new.
Result<void> keep_new(const AuditRequest& request, const std::vector<std::string>& paths, std::vector<CcFile>& files, std::set<std::string>& is_new) {
  auto tree = open_tree(request.folder, request.since);
  if (!tree) return std::unexpected(tree.error());
  const auto before = take_inventory(*tree, {.paths = paths});
  if (!before) return std::unexpected(before.error());
  Known known;
  for (const auto& file : before->files) {
    for (const auto& place : file.places) known.at.insert(place.path + "|" + says(place));
  }
  std::vector<const CcPlace*> open;
  for (const auto& file : files) {
    for (const auto& place : file.places) {
      if (!take(known.at, place.path + "|" + says(place))) open.push_back(&place);
    }
  }
  for (const auto& left : known.at) known.elsewhere.insert(left.substr(left.find('|')));
  for (const auto* place : open) {
    if (!take(known.elsewhere, "|" + says(*place))) is_new.insert(fmt::format("{}:{}", place->path, place->line));
  }
  return {};
}

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

}  // namespace

Result<AuditReport> run_audit(const AuditRequest& request) {
  AuditReport report{.command = request.command, .root = {}, .revision = request.rev, .since = request.since, .cc = {}};
  if (request.cc == "auto") {
    auto gpus = ask_gpus();
    if (!gpus) return std::unexpected(gpus.error());
    report.cc = std::move(gpus->cc);
    for (const auto& cc : report.cc) report.asked_of += (report.asked_of.empty() ? "" : ", ") + cc_text(cc);
    report.asked_of += fmt::format(" (told by {})", gpus->told_by);
  } else {
    auto cc = parse_cc_list(request.cc);
    if (!cc) return std::unexpected(cc.error());
    report.cc = std::move(*cc);
  }
  const auto tree = open_tree(request.folder, request.rev);
  if (!tree) return std::unexpected(tree.error());
  report.root = tree->root;
  report.commit = tree->revision;
  const auto paths = paths_in(*tree, request.folder, request.paths);
  if (!paths) return std::unexpected(paths.error());

  std::vector<CallIndex> indexes(worker_count(0));
  const auto* python = find_language("python");
  const auto index_calls = [&](unsigned worker, const std::string& path, std::string_view text) {
    if (python->owns(path) && !is_test_path(path)) indexes[worker].add_file(path, text);
  };
  auto inventory = take_inventory(*tree, {.paths = *paths, .progress = request.progress, .visit = index_calls});
  if (!inventory) return std::unexpected(inventory.error());
  std::set<std::string> is_new;
  if (!request.since.empty()) {
    if (auto kept = keep_new(request, *paths, inventory->files, is_new); !kept) return std::unexpected(kept.error());
  }
  if (request.syntax_only) {
    report.clang_reason = "without Clang, as asked";
  } else {
    auto reason = deepen(*tree, {.cc = with_siblings(report.cc), .build = request.build, .includes = request.includes, .cuda_path = request.cuda_path, .progress = request.progress}, inventory->files);
    if (!reason) return std::unexpected(reason.error());
    report.clang_reason = std::move(*reason);
  }
  for (auto& file : inventory->files) {
    for (auto& place : file.places) {
      auto one = judged(std::move(place), report.cc);
      one.is_new = is_new.contains(fmt::format("{}:{}", one.place.path, one.place.line));
      report.places.push_back(std::move(one));
    }
    file.places.clear();
    report.files.push_back(std::move(file));
  }
  set_subsystems(report.places);
  std::ranges::stable_sort(report.places, [](const AuditPlace& a, const AuditPlace& b) {
    return std::tuple(-a.risk, std::string_view(a.place.path), a.place.line) < std::tuple(-b.risk, std::string_view(b.place.path), b.place.line);
  });
  CallIndex calls;
  for (auto& index : indexes) calls.join(std::move(index));
  calls.sort();
  report.bugs = find_bugs(report.places, report.cc);
  report.disagreements = find_disagreements(report.places, report.cc, calls);
  if (!request.since.empty()) {
    std::erase_if(report.bugs, [&](const AuditBug& bug) { return !report.places[bug.place].is_new; });
    std::erase_if(report.disagreements, [&](const Disagreement& one) { return !report.places[one.gate].is_new && !report.places[one.dispatch].is_new; });
  }
  report.skipped = std::move(inventory->skipped);
  report.files_read = inventory->files_read;
  report.files_parsed = inventory->files_parsed;
  return report;
}

}  // namespace portpatch
