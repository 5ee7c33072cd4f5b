// What is said when something is at fault: a stable code, a sentence, the place with its source
// line, and the remedy. Every fallible function of portpatch returns one of these as its error.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace portpatch {

/// A place in a file, copied out of the text so that it outlives it.
struct Place {
  std::string path;
  std::size_t line = 0;    ///< 1-based; 0 when only the file is known
  std::size_t column = 0;  ///< 1-based, in bytes
  std::string source;      ///< the whole source line, without its break
  std::size_t width = 1;   ///< bytes under the caret
};

struct Diagnostic {
  std::string code;     ///< stable, kebab-case: "unknown-directive"
  std::string message;  ///< one sentence, without a full stop
  std::optional<Place> place = std::nullopt;
  std::string remedy = {};              ///< what to do, in one sentence; may be empty
  std::vector<std::string> notes = {};  ///< further facts, one a line
};

template <typename T>
using Result = std::expected<T, Diagnostic>;

/// The place of `range` in `text`, which was read from `path`.
[[nodiscard]] Place place_of(std::string_view path, std::string_view text, ByteRange range);

/// `code`, `message`, place and remedy as an error value.
[[nodiscard]] std::unexpected<Diagnostic> failure(std::string code, std::string message,
                                                  std::string remedy = {});

/// The diagnostic as a person reads it, several lines, each ended by a newline:
///   path:3:14: error: unknown directive `ensure-entri!` [unknown-directive]
///     3 | (#ensure-entri! @table "12" "[6, 8]")
///       |   ^^^^^^^^^^^^^
///     help: did you mean `ensure-entry!`?
[[nodiscard]] std::string render(const Diagnostic& diagnostic, bool colour);

/// The candidate nearest to `word` by edit distance, if it is near enough to be a slip.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 const std::vector<std::string>& candidates);

}  // namespace portpatch
