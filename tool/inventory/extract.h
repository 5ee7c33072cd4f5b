// The cc places of one file, found from the names in it that may mean a cc
// (rules/languages/*/cc.toml): each leads to the condition, list or table that it stands in.
#pragma once

#include <map>
#include <set>
#include <string>

#include "inventory/file_facts.h"
#include "locate/parsed_file.h"

namespace portpatch {

/// What other files say.
struct ExtractContext {
  /// Names whose tables are wanted here since another file looks them up by a cc.
  std::set<std::string> tables = {};
  std::map<std::string, long long, std::less<>> constants = {};  ///< macros that name a cc
  bool keep_idle_bodies = false;  ///< for the test that compares with and without
};

[[nodiscard]] FileFacts extract_facts(const Language& language, const std::string& path,
                                      std::string text, const ExtractContext& context = {});

/// The arms of the preprocessor that no CUDA build keeps: `#if 0`, `#ifdef USE_ROCM`.
[[nodiscard]] std::vector<ByteRange> dead_arms_of(const Language& language, std::string_view text);

/// Adds the macros of `text` that name a cc: `#define GPU_CC_VOLTA 700`.
void add_constants(std::string_view text, std::map<std::string, long long, std::less<>>& constants);

}  // namespace portpatch
