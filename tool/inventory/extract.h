// The cc places of one file, found from the names in it that may mean a cc (rules/languages/*/cc.toml): each
// leads to the condition, list or table that it stands in.
#pragma once

#include <set>
#include <string>

#include "inventory/file_facts.h"
#include "locate/parsed_file.h"

namespace portpatch {

/// `tables`: names whose tables are wanted here since another file looks them up by a cc. `keep_idle_bodies`
/// is for the test that compares with and without.
[[nodiscard]] FileFacts extract_facts(const Language& language, const std::string& path, std::string text, const std::set<std::string>& tables = {}, bool keep_idle_bodies = false);

}  // namespace portpatch
