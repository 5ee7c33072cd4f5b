// The files of commits, parsed once each: what the trace reads.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "locate/place_index.h"
#include "locate/scan.h"
#include "repo/history.h"

namespace portpatch {

using PlacesPointer = std::shared_ptr<PlaceIndex>;

class CommitFiles {
 public:
  explicit CommitFiles(History history) : history_(std::move(history)) {}

  [[nodiscard]] const History& history() const { return history_; }
  /// A blob's text, valid until the next call.
  [[nodiscard]] Result<std::string_view> text(const std::string& blob);
  /// The places of a blob as a file at `path`; those used last are kept, with the file.
  [[nodiscard]] Result<PlacesPointer> places(const Language& language, const std::string& blob,
                                             const std::string& path);
  /// Those of a commit's file; nullptr when it has none.
  [[nodiscard]] Result<PlacesPointer> places_at(const Language& language, const std::string& commit,
                                                const std::string& path);
  /// The file of a commit; nullptr when it has none.
  [[nodiscard]] Result<FilePointer> file_at(const Language& language, const std::string& commit,
                                            const std::string& path);
  /// The commits from `from` to `to`, both included, along first parents: back to where the two
  /// meet, then forward. Empty when no such line is in the repository.
  [[nodiscard]] Result<std::vector<std::string>> line(const std::string& from,
                                                      const std::string& to);

 private:
  struct Parsed {
    std::string key;
    PlacesPointer places;
  };
  struct Line {
    std::string from, to;
    std::vector<std::string> commits = {};
    bool is_forward = false;  ///< `from` is on the first parents of `to`
  };
  [[nodiscard]] std::optional<Line> longer_line(const std::string& from,
                                                const std::string& to) const;
  [[nodiscard]] Result<Line> new_line(const std::string& from, const std::string& to) const;

  History history_;
  std::map<std::string, std::string, std::less<>> texts_;  // by blob
  std::size_t text_bytes_ = 0;                             // of those kept
  std::string text_;                                       // the last of the others
  std::list<Parsed> parsed_;                               // newest first
  std::size_t parsed_bytes_ = 0;                           // of their texts
  std::vector<Line> lines_;                                // newest last
};

}  // namespace portpatch
