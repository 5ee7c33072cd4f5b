#include "repo/manifest.h"

#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/utf8.h"

namespace portpatch {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1, kFormatWithState = 2;

Json optional_json(const std::optional<std::string>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::optional<std::string> optional_text(const Json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<std::string>();
}

std::string_view kind_of(const ManifestEntry& entry) {
  return !entry.before ? "created" : !entry.after ? "removed" : "changed";
}

Json print_entry(const ManifestEntry& entry) {
  return {{"path", utf8_of_bytes(entry.path)},       {"kind", kind_of(entry)},
          {"before", optional_json(entry.before)},   {"after", optional_json(entry.after)},
          {"mode", fmt::format("{:o}", entry.mode)}, {"stored", utf8_of_bytes(entry.stored)}};
}

ManifestEntry parse_entry(const Json& json) {
  const auto mode_text = json.at("mode").get<std::string>();
  unsigned mode = 0;
  std::from_chars(mode_text.data(), mode_text.data() + mode_text.size(), mode, 8);
  return {.path = bytes_of_utf8(json.at("path").get<std::string>()),
          .before = optional_text(json.at("before")),
          .after = optional_text(json.at("after")),
          .mode = mode,
          .stored = bytes_of_utf8(json.at("stored").get<std::string>())};
}

Json print_position(const GitPosition& position) {
  return {{"branch", utf8_of_bytes(position.branch)},
          {"head", position.head},
          {"index", position.index}};
}

GitPosition parse_position(const Json& json) {
  return {.branch = bytes_of_utf8(json.at("branch").get<std::string>()),
          .head = json.at("head").get<std::string>(),
          .index = json.at("index").get<std::string>()};
}

Json print_state(const GitState& state) {
  Json json{{"before", print_position(state.before)},
            {"stored_index", state.stored_index},
            {"parents", state.parents},
            {"complete", state.is_complete},
            {"after", print_position(state.after)},
            {"files_after", Json::array()}};
  for (const auto& [path, hash] : state.files_after) {
    json["files_after"].push_back({{"path", utf8_of_bytes(path)}, {"hash", optional_json(hash)}});
  }
  return json;
}

GitState parse_state(const Json& json) {
  GitState state{.before = parse_position(json.at("before")),
                 .stored_index = json.at("stored_index").get<std::string>(),
                 .parents = json.at("parents").get<std::vector<std::string>>(),
                 .is_complete = json.at("complete").get<bool>(),
                 .after = parse_position(json.at("after"))};
  for (const auto& file : json.at("files_after")) {
    state.files_after.emplace_back(bytes_of_utf8(file.at("path").get<std::string>()),
                                   optional_text(file.at("hash")));
  }
  return state;
}

}  // namespace

std::string print_manifest(const Manifest& manifest) {
  Json json{{"format", manifest.state ? kFormatWithState : kFormat},
            {"run", manifest.id},
            {"command", printable(manifest.command)},
            {"files", Json::array()},
            {"folders", Json::array()}};
  for (const auto& entry : manifest.entries) json["files"].push_back(print_entry(entry));
  for (const auto& folder : manifest.folders) json["folders"].push_back(utf8_of_bytes(folder));
  if (manifest.state) json["state"] = print_state(*manifest.state);
  return json.dump(2) + "\n";
}

Result<Manifest> parse_manifest(std::string_view text) {
  try {
    const auto json = Json::parse(text);
    const auto format = json.at("format").get<int>();
    if (format != kFormat && format != kFormatWithState) {
      return failure("damaged-backup",
                     "the backup is of a format that this portpatch does not know",
                     "use the portpatch that made it");
    }
    Manifest manifest{.id = json.at("run").get<std::string>(),
                      .command = json.at("command").get<std::string>(),
                      .entries = {},
                      .folders = {}};
    for (const auto& entry : json.at("files")) manifest.entries.push_back(parse_entry(entry));
    for (const auto& folder : json.at("folders")) {
      manifest.folders.push_back(bytes_of_utf8(folder.get<std::string>()));
    }
    if (format == kFormatWithState) manifest.state = parse_state(json.at("state"));
    return manifest;
  } catch (const Json::exception& error) {
    return failure("damaged-backup",
                   fmt::format("a backup's manifest is damaged: {}", error.what()));
  }
}

}  // namespace portpatch
