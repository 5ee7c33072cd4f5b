// One rule on one text: text in, text out.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "edit/plan.h"
#include "tests/repo/scratch.h"

namespace portpatch::test {

/// `text` as a string of the query notation.
inline std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text)
    out += c == '"'    ? "\\\""
           : c == '\\' ? "\\\\"
           : c == '\n' ? "\\n"
           : c == '\t' ? "\\t"
                       : std::string(1, c);
  return out + "\"";
}

/// `(#name @node "text"...)`.
inline std::string directive(std::string_view name, std::initializer_list<std::string_view> texts) {
  auto out = fmt::format("(#{} @node", name);
  for (const auto text : texts) out += " " + quoted(text);
  return out + ")";
}

/// The text that a rule makes of `source`; "holds", or "blocked: CODE: why" and "conflict: ...",
/// when it changes nothing. The text is planned again and must hold.
inline std::string apply_rule(std::string_view language, const std::string& rule_text,
                              const std::string& source, const std::string& settings = "") {
  const Scratch scratch;
  scratch.write("pack.toml", "format = 1\nname = \"t\"\n" + settings);
  scratch.write(fmt::format("{}/rule.scm", language), rule_text);
  const auto pack = load_pack(scratch.path());
  if (!pack) return "bad rule: " + pack.error()[0].message;
  const auto& rule = pack->rules[0];
  const auto plan_text = [&](std::string text) -> Result<FilePlan> {
    const auto file = ParsedFile::parse(*rule.language, "file", std::move(text));
    if (!file) return std::unexpected(file.error());
    const auto sites = find_sites(rule, *file);
    if (!sites) return std::unexpected(sites.error());
    if (sites->empty()) return failure("no-site", "the rule matches nothing");
    return plan_file(rule, *file, *sites, Direction::kApply);
  };
  const auto plan = plan_text(source);
  if (!plan) return plan.error().code;
  if (plan->text) {
    const auto again = plan_text(*plan->text);
    return again && again->sites[0].step.kind == Step::Kind::kHolds
               ? *plan->text
               : "does not hold afterwards:\n" + *plan->text;
  }
  const auto& step = plan->sites[0].step;
  if (step.kind == Step::Kind::kHolds) return "holds";
  return fmt::format("{}: {}: {}", step.kind == Step::Kind::kBlocked ? "blocked" : "conflict",
                     step.code, step.reason);
}

/// The text that taking a rule back makes of `source`; or why not, as above.
inline std::string revert_rule(std::string_view language, const std::string& rule_text,
                               const std::string& source) {
  const Scratch scratch;
  scratch.write("pack.toml", "format = 1\nname = \"t\"\n");
  scratch.write(fmt::format("{}/rule.scm", language), rule_text);
  const auto pack = load_pack(scratch.path());
  if (!pack) return "bad rule: " + pack.error()[0].message;
  const auto& rule = pack->rules[0];
  const auto file = ParsedFile::parse(*rule.language, "file", source);
  const auto sites = find_sites(rule, *file);
  if (!sites || sites->empty()) return "no-site";
  const auto plan = plan_file(rule, *file, *sites, Direction::kRevert);
  if (!plan) return plan.error().code;
  if (plan->text) return *plan->text;
  const auto& step = plan->sites[0].step;
  return step.kind == Step::Kind::kHolds ? "holds" : fmt::format("{}: {}", step.code, step.reason);
}

/// A rule on the value of `X = ...`.
inline std::string on_python_value(const std::string& text) {
  return "((assignment left: (_) @name right: (_) @node) (#eq? @name \"X\") " + text + ")";
}

inline std::string python_entry(std::string_view key, std::string_view value,
                                const std::string& source) {
  return apply_rule("python", on_python_value(directive("ensure-entry!", {key, value})), source);
}
inline std::string python_element(std::string_view element, const std::string& source) {
  return apply_rule("python", on_python_value(directive("ensure-element!", {element})), source);
}

}  // namespace portpatch::test
