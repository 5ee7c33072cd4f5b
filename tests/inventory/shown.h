// The inventory of small files as text, one line a place.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "inventory/extract.h"
#include "inventory/inventory.h"
#include "syntax/language.h"

namespace portpatch::test {

using Files = std::vector<std::pair<std::string, std::string>>;

inline std::string shown(const CcPlace& place, const std::vector<Cc>& asked) {
  auto text = fmt::format("{} {}", place.line, place.form);
  if (!place.name.empty()) text += " " + place.name;
  if (!place.function.empty()) text += " in " + place.function;
  text += ":";
  for (const auto& arm : place.arms) {
    text += arm.is_else ? " else" : arm.refuses ? " refusal" : arm.is_row ? " row" : " arm";
    for (const auto& key : arm.keys)
      text += fmt::format(" {}{}({} {})", key.op == "==" ? "" : key.op, key.key,
                          unit_name(key.unit), key_cc_text(key));
    if (!arm.text.empty()) text += " gives " + arm.text;
    text += ";";
  }
  for (const auto& cc : asked) {
    const auto one = answer(place, cc);
    text += fmt::format(" {}.{} {}{}", cc.major, cc.minor, taken_name(one.taken),
                        one.value ? " = " + value_text(*one.value) : "");
  }
  return text;
}

inline std::string places_of(const Files& files, const std::vector<Cc>& asked = {{12, 0}, {9, 0}}) {
  std::vector<FileFacts> facts;
  ExtractContext context;
  for (const auto& [path, text] : files) add_constants(text, context.constants);
  for (const auto& [path, text] : files) {
    for (const auto* name : {"python", "cpp"}) {
      const auto* language = find_language(name);
      if (language->owns(path)) facts.push_back(extract_facts(*language, path, text, context));
    }
  }
  (void)follow_helpers(facts);
  std::string out;
  for (const auto& one : facts) {
    for (const auto& place : one.file.places)
      out += (files.size() > 1 ? one.file.path + ":" : "") + shown(place, asked) + "\n";
  }
  return out;
}

}  // namespace portpatch::test
