#include "repo/manifest.h"

#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace portpatch {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr std::string_view kHex = "hex:";

bool is_utf8(std::string_view bytes) {
  try {
    return !Json(bytes).dump().empty();
  } catch (const Json::exception&) {
    return false;
  }
}

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
  return {{"path", json_text_of(entry.path)},        {"kind", kind_of(entry)},
          {"before", optional_json(entry.before)},   {"after", optional_json(entry.after)},
          {"mode", fmt::format("{:o}", entry.mode)}, {"stored", json_text_of(entry.stored)}};
}

ManifestEntry parse_entry(const Json& json) {
  const auto mode_text = json.at("mode").get<std::string>();
  unsigned mode = 0;
  std::from_chars(mode_text.data(), mode_text.data() + mode_text.size(), mode, 8);
  return {.path = bytes_of_json_text(json.at("path").get<std::string>()),
          .before = optional_text(json.at("before")),
          .after = optional_text(json.at("after")),
          .mode = mode,
          .stored = bytes_of_json_text(json.at("stored").get<std::string>())};
}

}  // namespace

std::string print_manifest(const Manifest& manifest) {
  Json json{{"format", kFormat},
            {"run", manifest.id},
            {"command", printable(manifest.command)},
            {"files", Json::array()},
            {"folders", Json::array()}};
  for (const auto& entry : manifest.entries) json["files"].push_back(print_entry(entry));
  for (const auto& folder : manifest.folders) json["folders"].push_back(json_text_of(folder));
  return json.dump(2) + "\n";
}

Result<Manifest> parse_manifest(std::string_view text) {
  try {
    const auto json = Json::parse(text);
    if (json.at("format").get<int>() != kFormat) {
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
      manifest.folders.push_back(bytes_of_json_text(folder.get<std::string>()));
    }
    return manifest;
  } catch (const Json::exception& error) {
    return failure("damaged-backup",
                   fmt::format("a backup's manifest is damaged: {}", error.what()));
  }
}

std::string json_text_of(std::string_view bytes) {
  if (is_utf8(bytes) && !bytes.starts_with(kHex)) return std::string(bytes);
  std::string text(kHex);
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

std::string bytes_of_json_text(std::string_view text) {
  if (!text.starts_with(kHex)) return std::string(text);
  std::string bytes;
  for (auto rest = text.substr(kHex.size()); rest.size() >= 2; rest.remove_prefix(2)) {
    unsigned value = 0;
    std::from_chars(rest.data(), rest.data() + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

}  // namespace portpatch
