// What `portpatch query` found, for people and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "locate/near_miss.h"
#include "report/report.h"

namespace portpatch {

struct QueryReport {
  std::string command;
  std::string root = {};  ///< of the tree
  std::string language = {};
  std::vector<std::string> not_run = {};  ///< directives of the pattern
  QueryResult result = {};
  std::optional<NearMisses> near = std::nullopt;  ///< when nothing matched

  /// 0 with matches, 1 without.
  [[nodiscard]] int exit_status() const { return result.matches.empty() ? 1 : 0; }
};

[[nodiscard]] std::string write_text(const QueryReport& report, const TextStyle& style);
[[nodiscard]] std::string write_json(const QueryReport& report);

/// The nearest places and what fails there, several lines; also for `explain`.
[[nodiscard]] std::string near_miss_text(const NearMisses& near, std::size_t patterns);

}  // namespace portpatch
