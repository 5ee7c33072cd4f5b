// A captured edit: what its rule says, as data, as text and compiled.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pack/lock.h"
#include "pack/pack.h"

namespace portpatch {

/// A text that stands in a file beside the rule, RULE.NAME.py.
struct SideFile {
  std::string name;  ///< "text"
  std::string text;
};

/// One pattern of a rule: where, and what must hold there.
struct CapturedPattern {
  std::string place;                    ///< the pattern with its captures, and what they read
  std::string capture;                  ///< of the target, which stands in one of
  std::vector<std::string> scopes;      ///< these scopes; empty: it is a whole file
  std::vector<std::string> paths;       ///< one of these; empty: any
  std::vector<std::string> extra;       ///< further predicates
  std::vector<std::string> directives;  ///< "(#ensure-entry! @table \"12\" ...)"

  /// The same thing in another place?
  [[nodiscard]] bool is_like(const CapturedPattern& other) const {
    return place == other.place && extra == other.extra && scopes.empty() == other.scopes.empty();
  }
  bool operator==(const CapturedPattern&) const = default;
};

/// One captured edit.
struct CapturedEdit {
  std::string directive;  ///< "ensure-entry!"
  std::string topic;      ///< what it is about, for the rule's name
  std::vector<CapturedPattern> patterns;
  std::vector<SideFile> beside;
  std::vector<std::string> names;    ///< that its text uses and other edits bring
  std::vector<std::string> brings;   ///< names that an import makes known
  std::set<std::string> words = {};  ///< names that came or went with it
  /// Functions and conditionals in which it is: "path:offset" in the old file.
  std::set<std::string> around = {};
  LockedSite base;
  std::string why;       ///< why this directive and this anchor
  std::size_t line = 0;  ///< in the changed file, or where it was in the old one
  std::size_t changed_tokens = 0, payload_tokens = 0;
  std::shared_ptr<const Rule> rule;
};

struct FileVersions {
  std::string path;
  std::string before, after;
  std::string commit;  ///< that has `before`; may be empty
};

/// The rule's text, without the comment at its top. `whole`: with the side files' texts in their
/// place.
[[nodiscard]] std::string query_of(const CapturedEdit& edit, bool whole);

/// The file's old text after the rules, in this order; nothing when one of them cannot be applied.
[[nodiscard]] std::optional<std::string> replayed(const FileVersions& file,
                                                  const std::vector<const Rule*>& rules);

/// Do the rules, applied in this order, give `text`?
[[nodiscard]] bool replays(const FileVersions& file, const std::vector<const Rule*>& rules,
                           const std::string& text);

/// The edit as a rule, as it will be read from the pack; or why it is none.
[[nodiscard]] std::expected<Rule, std::string> compile_edit(const Language& language,
                                                            const CapturedEdit& edit,
                                                            std::vector<std::string> names);

}  // namespace portpatch
