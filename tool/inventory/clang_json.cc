#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "inventory/clang_reader.h"

namespace portpatch {

namespace {

using Json = nlohmann::json;

constexpr int kFormat = 1;

std::string text_of(const Json& json, const char* name) { return json.value(name, std::string()); }

/// Of "12.0", "12" and "x.1".
Cc cc_of(std::string_view text) {
  Cc cc;
  const auto dot = std::min(text.find('.'), text.size());
  std::from_chars(text.data(), text.data() + dot, cc.major);
  if (dot < text.size())
    std::from_chars(text.data() + dot + 1, text.data() + text.size(), cc.minor);
  return cc;
}

std::optional<CcValue> value_of(const Json& json) {
  const auto value = json.find("value");
  if (value == json.end()) return std::nullopt;
  if (value->is_boolean()) return value->get<bool>();
  if (value->is_number_integer()) return value->get<long long>();
  if (value->is_number()) return value->get<double>();
  if (value->is_string()) return value->get<std::string>();
  return std::nullopt;
}

template <typename Ranged>
void read_range(const Json& json, Ranged& to) {
  to.line = json.at("line").get<std::size_t>();
  to.end_line = json.at("end_line").get<std::size_t>();
  to.range = {json.at("begin").get<std::size_t>(), json.at("end").get<std::size_t>()};
}

CcKey to_key(const Json& json) {
  return {.expression = text_of(json, "expression"),
          .op = text_of(json, "op"),
          .key = text_of(json, "key"),
          .unit = find_unit(text_of(json, "unit")).value_or(KeyUnit::kTens),
          .cc = cc_of(text_of(json, "cc")),
          .line = json.at("line").get<std::size_t>()};
}

CcArm to_arm(const Json& json) {
  CcArm arm{.condition = text_of(json, "condition"),
            .is_else = json.value("else", false),
            .text = text_of(json, "text"),
            .value = value_of(json)};
  read_range(json, arm);
  for (const auto& key : json.at("keys")) arm.keys.push_back(to_key(key));
  arm.is_row = arm.condition.empty() && !arm.is_else && !arm.keys.empty();
  return arm;
}

CcAnswer to_answer(const Json& json) {
  CcAnswer answer{.cc = cc_of(text_of(json, "cc")),
                  .arms = json.at("arms").get<std::vector<std::size_t>>(),
                  .value = value_of(json)};
  const auto name = text_of(json, "arm");
  for (const auto taken : {ArmTaken::kExact, ArmTaken::kRange, ArmTaken::kElse, ArmTaken::kNone}) {
    if (taken_name(taken) == name) answer.taken = taken;
  }
  return answer;
}

CcPlace to_place(const Json& json, const std::string& path) {
  CcPlace place{.path = path,
                .form = text_of(json, "form"),
                .function = text_of(json, "function"),
                .name = text_of(json, "name"),
                .by_clang = true};
  read_range(json, place);
  for (const auto& arm : json.at("arms")) place.arms.push_back(to_arm(arm));
  for (const auto& one : json.at("answers")) {
    place.answers.push_back(to_answer(one));
    std::erase_if(place.answers.back().arms,
                  [&](std::size_t arm) { return arm >= place.arms.size(); });
  }
  return place;
}

CcFile to_file(const Json& json) {
  CcFile file{.path = json.at("path").get<std::string>(),
              .depth = text_of(json, "depth"),
              .reason = text_of(json, "reason")};
  if (!file.depth.starts_with("clang")) file.depth = CcFile().depth;
  if (const auto built = json.find("architectures"); built != json.end())
    file.architectures = built->get<std::vector<std::string>>();
  for (const auto& place : json.at("places")) file.places.push_back(to_place(place, file.path));
  return file;
}

}  // namespace

Result<std::vector<CcFile>> read_clang_json(std::string_view document) {
  constexpr auto*
      kRemedy = "portpatch and portpatch-cc must be of one version; report this if they are";
  try {
    const auto json = Json::parse(document);
    if (const auto format = json.value("format", 0); format != kFormat) {
      return failure("clang-output",
                     fmt::format("portpatch-cc answers in format {}, not {}", format, kFormat),
                     kRemedy);
    }
    std::vector<CcFile> files;
    for (const auto& file : json.at("files")) files.push_back(to_file(file));
    return files;
  } catch (const Json::exception& error) {
    return failure("clang-output", "what portpatch-cc printed cannot be read", kRemedy);
  }
}

}  // namespace portpatch
