// Reading the tree: single files by path, or all files of a language in parallel, parsed only when
// a rule's literals occur in them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "locate/parsed_file.h"
#include "locate/sites.h"
#include "pack/pack.h"
#include "repo/tree_reader.h"

namespace portpatch {

/// A file that could not be read or searched, with the reason; never silently left out.
struct SkippedFile {
  std::string path;
  std::string reason;
};

/// A parsed file and the language it was parsed as; shared by the rules that look at it.
using FilePointer = std::shared_ptr<const ParsedFile>;

/// Files of one tree, parsed once each. Not for several threads.
class FileStore {
 public:
  explicit FileStore(const WorkTree& tree) : tree_(tree) {}

  /// The file at `path` as `language` reads it. nullptr in the result when there is no such file;
  /// an error when it cannot be read or is too large.
  [[nodiscard]] Result<FilePointer> file(const Language& language, const std::string& path);
  void put(const Language& language, FilePointer file);
  /// The text of a file as it was read; nullopt when it was not read or is not there.
  [[nodiscard]] std::optional<std::string> find(const std::string& path) const;
  /// The same, empty when there is none.
  [[nodiscard]] std::string text(const std::string& path) const { return find(path).value_or(""); }

 private:
  const WorkTree& tree_;
  std::optional<TreeReader> reader_;  // opened when the first file is asked for
  std::map<std::pair<std::string, const Language*>, FilePointer> files_;
};

/// Told how many of how many files are done; called from the thread that scans.
using Progress = std::function<void(std::size_t done, std::size_t all)>;

struct ScanOptions {
  bool use_prefilter = true;  ///< false only in the test that compares with and without
  unsigned threads = 0;       ///< 0: one for each core
  Progress progress = {};
};

/// What a scan found: for each rule (by its index in `rules`) its sites in path order.
struct ScanResult {
  std::vector<std::vector<Site>> sites;
  std::vector<SkippedFile> skipped;
  std::size_t files_read = 0, files_parsed = 0;
};

/// Searches every tracked file of the rules' languages; puts the files with sites into `store`.
[[nodiscard]] Result<ScanResult> scan_tree(const WorkTree& tree,
                                           const std::vector<const Rule*>& rules,
                                           const ScanOptions& options, FileStore& store);

}  // namespace portpatch
