#include "apply/journal.h"

#include <nlohmann/json.hpp>

#include "apply/journal_file.h"
#include "base/utf8.h"

namespace portpatch {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
JournalFile journal_file(const WorkTree& tree) { return {tree, "journal.json"}; }

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
    journal.targets.push_back(bytes_of_utf8(path.get<std::string>()));
  }
  for (const auto& path : json.at("temporaries")) {
    journal.temporaries.push_back(bytes_of_utf8(path.get<std::string>()));
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
  for (const auto& path : journal.targets) json["targets"].push_back(utf8_of_bytes(path));
  for (const auto& path : journal.temporaries) json["temporaries"].push_back(utf8_of_bytes(path));
  return json.dump(2) + "\n";
}

Result<std::optional<Journal>> read_journal(const WorkTree& tree, FileSystem& files) {
  const auto file = journal_file(tree);
  const auto text = file.read(files);
  if (!text) return std::unexpected(text.error());
  if (!*text) return std::nullopt;
  try {
    const auto json = Json::parse(**text);
    if (json.at("format").get<int>() != kFormat) {
      return file.damaged("it is of a format that this portpatch does not know");
    }
    return parse(json);
  } catch (const std::exception& error) {
    return file.damaged(error.what());
  }
}

Result<void> write_journal(const WorkTree& tree, FileSystem& files, const std::string& text) {
  return journal_file(tree).write(files, text);
}

Result<void> remove_journal(const WorkTree& tree, FileSystem& files) {
  return journal_file(tree).remove(files);
}

}  // namespace portpatch
