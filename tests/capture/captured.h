// One change of one file, captured: text in, rules out, and the rules run on the old text.
#pragma once

#include <string>

#include "capture/captured_pack.h"
#include "capture/grouping.h"
#include "capture/tree_diff.h"
#include "tests/report/world.h"
#include "tests/syntax/tree.h"

namespace portpatch::test {

/// The file's name in the tree of a captured change.
inline std::string file_of(const std::string& language_name) {
  return "engine/limits." + language(language_name).file_ending();
}

inline FileCapture capture_of(const std::string& language_name, const std::string& before,
                              const std::string& after) {
  auto captured = capture_file(language(language_name),
                               {file_of(language_name), before, after, ""});
  if (!captured) throw std::runtime_error(captured.error().message);
  return std::move(*captured);
}

/// The rules' queries with their side files below them, and what was refused.
inline std::string captured(const std::string& language_name, const std::string& before,
                            const std::string& after) {
  const auto found = capture_of(language_name, before, after);
  std::string out;
  for (const auto& edit : found.edits) {
    out += (out.empty() ? "" : "\n") + query_of(edit, false);
    for (const auto& side : edit.beside) out += "file:" + side.name + "\n" + side.text;
  }
  for (const auto& piece : found.refused) out += "refused: " + piece.text + "\n";
  return out.empty() && found.only_layout ? "only layout" : out;
}

inline std::string python(const std::string& before, const std::string& after) {
  return captured("python", before, after);
}

/// The directives of the rules, in order, when these rules, as files of a pack, make of the old
/// file what is the new one as code, hold there, and hold in the new file as it is; else what went
/// wrong.
inline std::string replayed(const std::string& language_name, const std::string& before,
                            const std::string& after) {
  const auto found = capture_of(language_name, before, after);
  if (!found.refused.empty())
    return "refused: " + found.refused[0].text + ": " + found.refused[0].reason;
  const std::vector<CapturedFile> changed{
      {&language(language_name), {file_of(language_name), before, after, ""}, found}};
  const auto rules = make_rules(changed, {});
  PackText files;
  for (const auto& file : captured_files({.name = "t", .settings = {}, .lock_text = {}, .lock = {}},
                                         rules, "Ours.", groups_of(rules, changed, "together"))) {
    files[file.name] = file.after.value_or("");
  }
  const World world(files, {{file_of(language_name), before}});
  const auto first = run(world.request("apply"));
  if (!first) return first.error()[0].message;
  std::string directives;
  for (const auto& edit : found.edits)
    directives += (directives.empty() ? "" : " ") + edit.directive;
  for (const auto& rule : first->rules) {
    if (rule.outcome != Outcome::kEdited)
      return directives + ": " + rule.rule + " " + std::string(name_of(rule.outcome)) +
             (rule.sites.empty() ? "" : ": " + rule.sites[0].reason);
  }
  const auto text = world.file(file_of(language_name));
  const auto got = tree_of(language_name, text), wanted = tree_of(language_name, after);
  if (tokens_between(TreeContent(got), TreeContent(wanted)) != 0)
    return directives + " gives\n" + text;
  for (const auto& held : {text, after}) {
    world.write(file_of(language_name), held);
    const auto again = run(world.request("apply"));
    for (const auto& rule : again->rules) {
      if (rule.outcome != Outcome::kHeld)
        return directives + ": " + rule.rule + " does not hold afterwards";
    }
  }
  return directives;
}

}  // namespace portpatch::test
