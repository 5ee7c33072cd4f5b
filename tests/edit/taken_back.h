// One rule applied to one text and taken out of it again.
#pragma once

#include "tests/edit/apply_rule.h"

namespace portpatch::test {

/// The text after apply and revert; what went wrong where one of them makes no text.
inline std::string taken_back(std::string_view language, const std::string& rule_text,
                              const std::string& source, const std::string& settings = "") {
  const Scratch scratch;
  scratch.write("pack.toml", "format = 1\nname = \"t\"\n" + settings);
  scratch.write(fmt::format("{}/rule.scm", language), rule_text);
  const auto pack = load_pack(scratch.path());
  if (!pack) return "bad rule: " + pack.error()[0].message;
  const auto& rule = pack->rules[0];
  std::string text = source;
  for (const auto direction : {Direction::kApply, Direction::kRevert}) {
    const auto file = ParsedFile::parse(*rule.language, "file", text);
    const auto sites = find_sites(rule, *file);
    const auto plan = plan_file(rule, *file, *sites, direction);
    if (!plan) return plan.error().message;
    if (!plan->text)
      return plan->sites.empty()
                 ? "no site"
                 : fmt::format("{}: {}", plan->sites[0].step.code, plan->sites[0].step.reason);
    text = *plan->text;
  }
  return text;
}

}  // namespace portpatch::test
