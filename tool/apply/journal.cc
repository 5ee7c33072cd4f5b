#include "apply/journal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apply/write_failure.h"

namespace portpatch {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr unsigned kPrivate = 0600;

std::string journal_path(const WorkTree& tree) { return tree.state_dir + "/journal.json"; }

std::unexpected<Diagnostic> damaged(const WorkTree& tree, std::string_view why) {
  return failure("damaged-journal",
                 fmt::format("the journal {} cannot be read: {}", journal_path(tree), why),
                 "see `portpatch undo --list` for the backups, then remove the journal");
}

Journal parse(const Json& json) {
  auto manifest = parse_manifest(json.at("run").dump());
  if (!manifest) throw std::runtime_error(manifest.error().message);
  Journal journal{
      .stage = json.at("stage") == "renaming" ? Stage::kRenaming : Stage::kWriting,
      .manifest = std::move(*manifest),
      .targets = {},
      .temporaries = {},
      .superseded = json.at("superseded").get<std::string>(),
  };
  for (const auto& path : json.at("targets")) {
    journal.targets.push_back(bytes_of_json_text(path.get<std::string>()));
  }
  for (const auto& path : json.at("temporaries")) {
    journal.temporaries.push_back(bytes_of_json_text(path.get<std::string>()));
  }
  if (journal.targets.size() != journal.manifest.entries.size() ||
      journal.temporaries.size() != journal.targets.size()) {
    throw std::runtime_error("its lists differ in length");
  }
  return journal;
}

}  // namespace

std::string print_journal(const Journal& journal) {
  Json json{{"format", kFormat},
            {"stage", journal.stage == Stage::kRenaming ? "renaming" : "writing"},
            {"run", Json::parse(print_manifest(journal.manifest))},
            {"targets", Json::array()},
            {"temporaries", Json::array()},
            {"superseded", journal.superseded}};
  for (const auto& path : journal.targets) json["targets"].push_back(json_text_of(path));
  for (const auto& path : journal.temporaries) json["temporaries"].push_back(json_text_of(path));
  return json.dump(2) + "\n";
}

Result<std::optional<Journal>> read_journal(const WorkTree& tree, FileSystem& files) {
  const auto text = read_if_there(files, journal_path(tree));
  if (!text) return damaged(tree, text.error().message());
  if (!*text) return std::nullopt;
  try {
    const auto json = Json::parse(**text);
    if (json.at("format").get<int>() != kFormat) {
      return damaged(tree, "it is of a format that this portpatch does not know");
    }
    return parse(json);
  } catch (const std::exception& error) {
    return damaged(tree, error.what());
  }
}

Result<void> write_journal(const WorkTree& tree, FileSystem& files, const std::string& text) {
  const auto path = journal_path(tree);
  const auto temporary = path + ".tmp";
  auto result = remove_if_there(files, temporary);
  if (result) result = write_new_file(files, temporary, text, std::nullopt, kPrivate);
  if (result) result = files.rename(temporary, path);
  if (result) result = files.sync_folder(tree.state_dir);
  if (!result) return write_failure(result.error(), "write the journal", path);
  return {};
}

Result<void> remove_journal(const WorkTree& tree, FileSystem& files) {
  const auto path = journal_path(tree);
  auto result = remove_if_there(files, path + ".tmp");
  if (result) result = remove_if_there(files, path);
  if (result) result = files.sync_folder(tree.state_dir);
  if (!result) return write_failure(result.error(), "remove the journal", path);
  return {};
}

}  // namespace portpatch
