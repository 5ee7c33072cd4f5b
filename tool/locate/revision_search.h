// Searching one revision after another: each blob is read once, whatever revisions hold it, and
// each file is searched again only when it has changed. The answers are those of scan_tree().
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "locate/scan.h"

namespace portpatch {

class RevisionSearch {
 public:
  /// `repository` is any tree of it. The rules stay where they are.
  RevisionSearch(WorkTree repository, std::vector<const Rule*> rules, unsigned workers);
  RevisionSearch(RevisionSearch&&) noexcept;
  ~RevisionSearch();

  /// From now on the tree is that of `commit`; `changes` lead to it from the commit before.
  void move_to(const std::string& commit, const std::vector<ChangedFile>& changes);
  /// Reads in parallel what the coming changes bring, so that rules_with_sites() need not.
  [[nodiscard]] std::optional<Diagnostic> read_ahead(const std::vector<ChangedFile>& changes);
  /// Which of `rules` have sites in the file as it is after the change that led here. A file that
  /// cannot be read or searched has none. Precondition: the tree has been searched before.
  [[nodiscard]] Result<std::vector<const Rule*>> rules_with_sites(
      const std::vector<const Rule*>& rules, const ChangedFile& file);
  /// The sites of `rules` in the tree as it is; puts files that were parsed and have sites into
  /// `store`.
  [[nodiscard]] Result<ScanResult> search(const std::vector<const Rule*>& rules, FileStore& store);
  /// Every file that was asked for and could not be read or searched, by path.
  [[nodiscard]] std::vector<SkippedFile> skipped() const;

 private:
  using Index = std::size_t;  // of a rule in rules_
  /// What is known of a blob as a language reads it.
  struct Blob {
    std::vector<Index> candidates;  // rules whose literals it has
    std::string unreadable;         // why nothing is known
  };
  /// A file as one language reads it.
  struct Reading {
    unsigned language;  // index in languages_
    const Blob* blob;
    std::map<Index, Result<std::vector<Site>>> answers;  // of the rules that were searched
  };
  struct File {
    std::string blob;
    std::vector<Reading> readings;
  };
  struct Wanted {
    std::string path, blob;
    unsigned language;
  };

  struct Task;

  [[nodiscard]] std::vector<unsigned> languages_of(std::string_view path) const;
  [[nodiscard]] unsigned language_of(const Rule& rule) const;
  [[nodiscard]] std::optional<Diagnostic> open_readers();
  [[nodiscard]] std::optional<Diagnostic> read(const std::vector<Wanted>& wanted);
  [[nodiscard]] std::optional<Diagnostic> read_tree();
  [[nodiscard]] Blob look_at(const Wanted& wanted, TreeReader& reader) const;
  void put(const std::string& path, const std::string& blob);
  [[nodiscard]] std::vector<Index> in_language(const std::vector<const Rule*>& rules,
                                               unsigned language) const;
  [[nodiscard]] Task task_for(const std::string& path, const File& file, Reading& reading,
                              const std::vector<Index>& rules) const;
  [[nodiscard]] FilePointer search_file(const Task& task, TreeReader& reader) const;

  WorkTree repository_;
  std::vector<const Rule*> rules_;
  std::map<const Rule*, Index> indexes_;
  std::vector<const Language*> languages_;
  unsigned workers_;
  std::vector<TreeReader> readers_;
  bool has_tree_ = false;  ///< the tree is read when it is first searched
  std::map<std::string, File> files_;
  std::vector<std::string> fresh_;  ///< paths of files_ whose blobs have not been looked at
  std::unordered_map<std::string, Blob> blobs_;  ///< by language and id
  std::set<std::pair<std::string, std::string>> skipped_;
};

}  // namespace portpatch
