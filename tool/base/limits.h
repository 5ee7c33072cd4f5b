// What is taken on of a tree that nobody vouches for: a pull request under review can hold
// anything. All limits stand here, as data. A file that goes beyond one is not judged, and is
// reported as a finding of the limit's own type; nothing is cut short in silence.
#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace portpatch {

struct Limit {
  std::string_view id;      ///< the FindingType, and the code of the diagnostic: "limit-file-size"
  std::size_t most;         ///< what is still taken on, in `unit`
  std::string_view unit;    ///< "bytes", "levels", ...
  std::string_view title;   ///< of the finding
  std::string_view remedy;  ///< what to do about it
};

/// Bytes of a file that is read.
inline constexpr Limit kFileSize{"limit-file-size", 64u << 20, "bytes",
                                 "A file is too large to be read",
                                 "take it out of the tree, or split it"};
/// Work of the parser on one text, in steps of 100 actions (shift, reduce, recover). It does not
/// depend on the machine. The densest sources need one step for 20 bytes; what the grammar cannot
/// read may need many times that.
inline constexpr Limit kParseWork{"limit-parse-time", 5'000'000, "parser steps",
                                  "A file takes too long to parse",
                                  "split the file, or mend the lines that the grammar cannot read"};
/// The same as processor time of the thread, for texts of which single steps take long. So generous
/// that a slow machine makes no difference.
inline constexpr Limit kParseSeconds{"limit-parse-time", 60, "seconds of processor time",
                                     kParseWork.title, kParseWork.remedy};
/// Bytes that the parser holds for one text.
inline constexpr Limit kParseMemory{"limit-memory", 1u << 30, "bytes",
                                    "A file takes too much memory to parse", "split the file"};
/// Levels of nested nodes. A tree is walked by recursion in many places; a level takes less than 4
/// KiB of the stack's 8 MiB.
inline constexpr Limit kDepth{
    "limit-depth", 2'000, "levels", "A file is nested too deeply",
    "no person writes this: see what made it, or break the expression or ladder into parts"};
/// Matches of one query in one file.
inline constexpr Limit kMatches{
    "limit-matches", 100'000, "matches", "A query matches too often in a file",
    "anchor the pattern closer to its place, with #eq? on a name or #in-scope?"};
/// Matches of one query that are in progress at once; tree-sitter drops matches beyond it. Its work
/// grows with the square of their number at every node, so that a much higher limit would only turn
/// a diagnostic into minutes of waiting.
inline constexpr Limit kOpenMatches{
    "limit-matches", 1'024, "matches in progress", kMatches.title,
    "anchor the pattern closer to its place, or use fewer open quantifiers"};
/// Processor time of one query in one file.
inline constexpr Limit kQuerySeconds{
    "limit-query-time", 60, "seconds of processor time", "A query takes too long in a file",
    "anchor the pattern closer to its place, or use fewer open quantifiers"};
/// Files of a revision: a few objects of git can stand for any number.
inline constexpr Limit kTreeFiles{"limit-tree-files", 2'000'000, "files",
                                  "A revision has too many files",
                                  "see what the commit holds: git ls-tree -r -t REV"};
/// Bytes of a path in a revision; no system takes longer ones.
inline constexpr Limit kPathBytes{"limit-path", 4'096, "bytes",
                                  "A revision has a path that is too long", kTreeFiles.remedy};

/// Every limit, for the list of finding types; several may have one id.
[[nodiscard]] std::span<const Limit> limits();

/// The error of what goes beyond `limit`; `what` says how far, where that is known: "70000000
/// bytes". Its message is enough for a report:
///   limit-file-size: 70000000 bytes, and 67108864 are the most; take it out of the tree, or split
///   it
[[nodiscard]] std::unexpected<Diagnostic> beyond(const Limit& limit, std::string_view what = {});
/// The error of a file of `bytes` bytes, of which a reader takes `most`: that of kFileSize.
[[nodiscard]] std::unexpected<Diagnostic> beyond_file_size(std::size_t bytes, std::size_t most);
/// The limit that a message of beyond() speaks of; nullptr for any other text.
[[nodiscard]] const Limit* limit_of(std::string_view message);

/// Seconds of processor time that this thread has used.
[[nodiscard]] double thread_seconds();

/// std::bad_alloc with the file that was being read.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::string path) : path_(std::move(path)) {}
  [[nodiscard]] const char* what() const noexcept override { return "out of memory"; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The file that this thread has read last: what an OutOfMemory names.
void note_reading(std::string_view path);
[[nodiscard]] std::string last_reading();
/// What is said of it; `path` may be empty.
[[nodiscard]] Diagnostic out_of_memory(std::string_view path);

}  // namespace portpatch
