#include "capture_proof.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/files.h"
#include "base/scratch_folder.h"
#include "capture/tree_diff.h"
#include "pack/pack_files.h"
#include "pack_test.h"
#include "pipeline.h"

namespace portpatch {

namespace {

/// The pack's files with the changes, in `folder`.
std::optional<Diagnostic> copy_pack(const std::string& pack,
                                    const std::vector<PackFileChange>& changes,
                                    const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  const auto kind = kind_of_path(pack);
  if (!kind) return kind.error();
  if (*kind != PathKind::kNothing) {
    const auto existing = read_pack_files(PackPath{.typed = pack, .folder = pack, .rule = {}});
    if (!existing) return existing.error();
    files.insert(existing->files.begin(), existing->files.end());
  }
  for (const auto& change : changes) {
    if (change.after)
      files[change.name] = *change.after;
    else
      files.erase(change.name);
  }
  for (const auto& [name, text] : files) {
    if (auto wrong = write_scratch_file(folder / name, text)) return wrong;
  }
  return std::nullopt;
}

/// Why the rules do not give what was captured in `path`: the first of them that a person is needed
/// for.
std::string reason_in(const Report& report, const std::string& path) {
  for (const auto& rule : report.rules) {
    for (const auto& site : rule.sites) {
      if (site.path == path && needs_person(rule.outcome))
        return fmt::format("{} is {}: {}", rule.rule, name_of(rule.outcome), site.reason);
    }
  }
  return "the rules together give something else";
}

}  // namespace

Result<std::map<std::string, std::string>> unproven_files(
    const ProofRequest& request, const std::vector<PackFileChange>& changes,
    const std::vector<CapturedFile>& files) {
  const auto scratch = ScratchFolder::make();
  if (!scratch) return std::unexpected(scratch.error());
  const auto folder = scratch->path("pack");
  if (auto wrong = copy_pack(request.pack, changes, folder)) return std::unexpected(*wrong);
  const auto report = run({.command = "status",
                           .folder = request.folder,
                           .rev = request.base,
                           .packs = {folder.string()},
                           .use_memory = false});
  if (!report) return std::unexpected(report.error()[0]);
  std::map<std::string, std::string> unproven;
  for (const auto& file : files) {
    const auto diff = std::ranges::find(report->diffs, file.versions.path, &FileDiff::path);
    const auto& text = diff == report->diffs.end() ? file.versions.before : diff->after;
    if (!same_code(*file.language, text, file.capture.text))
      unproven[file.versions.path] = reason_in(*report, file.versions.path);
  }
  return unproven;
}

std::vector<PackFileChange> fixture_files(const std::string& name,
                                          const std::vector<CapturedFile>& files,
                                          const std::map<std::string, std::string>& originals) {
  std::vector<PackFileChange> changes;
  for (const auto& file : files) {
    const auto& path = file.versions.path;
    const auto original = originals.find(path);
    changes.push_back({fmt::format("tests/{}/before/{}", name, path), std::nullopt,
                       original == originals.end() ? file.versions.before : original->second});
    changes.push_back(
        {fmt::format("tests/{}/after/{}", name, path), std::nullopt, file.capture.text});
  }
  return changes;
}

Result<std::vector<std::string>> fixture_mistakes(const ProofRequest& request,
                                                  const std::vector<PackFileChange>& changes) {
  const auto scratch = ScratchFolder::make();
  if (!scratch) return std::unexpected(scratch.error());
  const auto folder = scratch->path("pack");
  if (auto wrong = copy_pack(request.pack, changes, folder)) return std::unexpected(*wrong);
  const auto report = test_packs(
      {.command = "test", .folder = request.folder, .packs = {folder.string()}});
  if (!report) return std::unexpected(report.error()[0]);
  std::vector<std::string> mistakes;
  for (const auto& fixture : report->fixtures)
    mistakes.insert(mistakes.end(), fixture.mistakes.begin(), fixture.mistakes.end());
  return mistakes;
}

}  // namespace portpatch
