#include "tests/fuzz/rules.h"

#include <map>

#include "tests/fuzz/target.h"

namespace portpatch::fuzz {

namespace {

constexpr std::size_t kKept = 512;

std::optional<Rule> compile(const Language& language, const std::string& source) {
  auto rule = compile_rule({.name = language.name() + "/rule",
                            .path = "rule.scm",
                            .reason = {},
                            .source = source,
                            .language = &language,
                            .settings = {},
                            .shapes = {},
                            .prefilter = {},
                            .query = std::nullopt,
                            .locked = {}},
                           "/nonexistent");
  if (rule) return std::move(*rule);
  expect(!rule.error().empty(), "a rule that is refused has a mistake", {source});
  for (const auto& mistake : rule.error()) (void)render(mistake, false);
  return std::nullopt;
}

}  // namespace

const Rule* compiled_rule(const Language& language, const std::string& source) {
  static std::map<std::pair<const Language*, std::string>, std::optional<Rule>> rules;
  const std::pair key{&language, source};
  auto found = rules.find(key);
  if (found == rules.end()) {
    if (rules.size() >= kKept) rules.clear();
    found = rules.emplace(key, compile(language, source)).first;
  }
  return found->second ? &*found->second : nullptr;
}

}  // namespace portpatch::fuzz
