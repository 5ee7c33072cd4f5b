#include "json.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "expression_text.h"
#include "frontend/parse.h"

namespace portpatch::matchers {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestText = 400;

std::string shortened(std::string text) {
  if (text.size() <= kLongestText) return text;
  text.resize(kLongestText);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
  return text + "...";
}

/// Texts of a file may hold bytes that are no UTF-8: they become the replacement character.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json constant_json(const Constant& constant) {
  return std::visit([](const auto& value) { return Json(value); }, constant);
}

Json range_json(ByteRange range, std::string_view text) {
  const auto end = std::min(std::max(range.end, range.begin + 1) - 1, text.size());
  return {{"line", line_column(text, range.begin).line},
          {"end_line", line_column(text, end).line},
          {"begin", range.begin},
          {"end", range.end}};
}

Json key_json(const CcComparison& key, std::string_view text) {
  return {{"line", line_column(text, key.range.begin).line},
          {"expression", shortened(key.expression)},
          {"unit", unit_name(key.unit)},
          {"op", key.op},
          {"key", shortened(key.key)},
          {"cc", capability_text(key.cc, key.unit)}};
}

Json arm_json(const CcArm& arm, std::string_view text) {
  auto json = range_json(arm.range, text);
  std::string condition;
  for (const auto& one : arm.conditions) condition += (condition.empty() ? "" : " && ") + one.text;
  if (!condition.empty()) json["condition"] = shortened(condition);
  if (arm.is_else) json["else"] = true;
  json["keys"] = Json::array();
  for (const auto& key : arm.comparisons) json["keys"].push_back(key_json(key, text));
  if (!arm.text.empty()) json["text"] = shortened(arm.text);
  if (arm.value) json["value"] = constant_json(*arm.value);
  return json;
}

Json answer_json(const CcAnswer& answer) {
  Json json{{"cc", capability_text(answer.cc, CcUnit::kTens)},
            {"arm", taken_name(answer.taken)},
            {"arms", answer.arms}};
  if (answer.value) json["value"] = constant_json(*answer.value);
  return json;
}

Json place_json(const CcPlace& place, std::string_view text) {
  Json json{{"form", place.form}, {"function", place.function}};
  if (!place.name.empty()) json["name"] = place.name;
  json.update(range_json(place.range, text));
  json["arms"] = Json::array();
  for (const auto& arm : place.arms) json["arms"].push_back(arm_json(arm, text));
  json["answers"] = Json::array();
  for (const auto& one : place.answers) json["answers"].push_back(answer_json(one));
  return json;
}

std::string depth_of(const FileReport& report) {
  if (!report.failure.empty()) return "failed";
  if (report.unresolved.empty()) return "clang";
  return fmt::format("clang, {} {} unresolved", report.unresolved.size(),
                     report.unresolved.size() == 1 ? "name" : "names");
}

}  // namespace

std::string file_json(const FileReport& report, std::string_view shown_path,
                      std::string_view text) {
  Json head{{"path", shown_path}, {"depth", depth_of(report)}};
  if (!report.failure.empty()) head["reason"] = report.failure;
  head["unresolved"] = report.unresolved;
  if (!report.architectures.empty()) head["architectures"] = report.architectures;
  head["parses"] = report.parses;
  for (const auto& path : report.looked_at) head["reads"][path] = state_of_path(path);
  auto result = dumped(head);
  result.back() = ',';
  result += "\"places\":[";
  for (std::size_t i = 0; i < report.places.size(); ++i)
    result += (i == 0 ? "\n " : ",\n ") + dumped(place_json(report.places[i], text));
  return result + "]}";
}

std::string document_json(const std::vector<Capability>& capabilities,
                          const std::vector<std::string>& files) {
  Json head{{"format", 1},
            {"program", "portpatch-cc " PORTPATCH_VERSION},
            {"clang", clang_version()},
            {"cc", Json::array()}};
  for (const auto cc : capabilities) head["cc"].push_back(capability_text(cc, CcUnit::kTens));
  auto result = dumped(head);
  result.back() = ',';
  result += "\"files\":[";
  for (std::size_t i = 0; i < files.size(); ++i) result += (i == 0 ? "\n" : ",\n") + files[i];
  return result + "]}\n";
}

}  // namespace portpatch::matchers
