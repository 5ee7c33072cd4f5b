// pack.toml: what people say of a pack and its rules.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pack/companion.h"
#include "pack/pack.h"

namespace portpatch {

struct PackSettings {
  std::string name, upstream, after_edit;
  std::vector<Cc> cc;
  RuleSettings defaults;
  /// Settings of the rules that differ from the defaults, with the place of their name.
  std::map<std::string, std::pair<RuleSettings, Place>> rules;
  std::vector<Companion> companions;
};

/// What can be read; every mistake is added to `errors` with its place: "bad-toml", "unknown-key",
/// "bad-value", "newer-format".
[[nodiscard]] PackSettings parse_settings(std::string_view path, std::string_view text,
                                          std::vector<Diagnostic>& errors);

}  // namespace portpatch
