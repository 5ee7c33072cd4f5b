// All matches of a query in a tree, for `portpatch query`: it needs no rule and no directive.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "locate/scan.h"
#include "repo/work_tree.h"

namespace portpatch {

/// A capture as it is shown.
struct ShownCapture {
  std::string name, kind;
  std::string text;  ///< shortened to one line
  LineColumn place;
};

struct QueryMatch {
  std::string path;
  LineColumn place;  ///< of the first capture
  std::string scope;
  std::size_t pattern = 0;
  std::vector<ShownCapture> captures;
};

/// Is the path one of `paths`, or below one? All paths are when there are none.
[[nodiscard]] bool is_under(std::string_view path, const std::vector<std::string>& paths);

/// What is searched: the files of `language` at or below one of `paths` (all without any).
struct QueryScope {
  const Language* language = nullptr;
  std::vector<std::string> paths = {};  ///< relative to the tree, "" or "." is all of it
  Progress progress = {};

  [[nodiscard]] bool takes(const std::string& path) const;
};

struct QueryResult {
  std::vector<QueryMatch> matches;  ///< by path and place
  std::vector<SkippedFile> skipped;
  std::size_t files = 0;  ///< that were searched
};

[[nodiscard]] Result<QueryResult> search_query(const WorkTree& tree, const CompiledQuery& query,
                                               const QueryScope& scope);

/// `typed`, relative to the folder `in`, as the tree names them. Fails with "outside-tree", or
/// "no-such-path" for what is not on disk.
[[nodiscard]] Result<std::vector<std::string>> paths_in(const WorkTree& tree, const std::string& in,
                                                        const std::vector<std::string>& typed);

/// `text` on one line, cut after `longest` bytes.
[[nodiscard]] std::string on_one_line(std::string_view text, std::size_t longest = 60);

}  // namespace portpatch
