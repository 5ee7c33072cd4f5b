// A pack as it was read: rules checked and compiled, settings, and the lock.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/literal_finder.h"
#include "pack/companion.h"
#include "pack/directives.h"
#include "pack/lock.h"
#include "syntax/cc.h"
#include "syntax/language.h"
#include "syntax/query.h"

namespace portpatch {

/// How many sites a rule expects in the tree.
struct Expect {
  std::size_t least = 1;
  std::size_t most = 1;  ///< SIZE_MAX for "all"

  [[nodiscard]] bool is_number() const { return most != SIZE_MAX; }
  [[nodiscard]] bool allows(std::size_t count) const { return least <= count && count <= most; }
};
/// "1", "1..3" or "all".
[[nodiscard]] std::string describe(const Expect& expect);

enum class OnConflict { kStop, kKeepUpstream, kOverride };
enum class Relocate { kAsk, kAuto, kNever };

/// What pack.toml says of a rule.
struct RuleSettings {
  bool enabled = true;
  Expect expect;
  std::string group;
  OnConflict on_conflict = OnConflict::kStop;
  Relocate relocate = Relocate::kAsk;
  std::vector<std::string> names;  ///< names that count as visible at the place
  /// Functions and for which cc they are true (parse_cc_set).
  std::map<std::string, std::string, std::less<>> helpers;
  std::string owner, hardware, upstream_pull_request, after_edit;
};

/// One pattern of a rule.
struct Shape {
  std::vector<Directive> directives;
  std::string held;  ///< the capture of #held!; empty when the shape is one to edit
  std::vector<std::vector<std::string>> literals;  ///< required_literals()

  [[nodiscard]] bool is_held() const { return !held.empty(); }
  /// The capture that its sites are about: that of #held!, else of the first directive.
  [[nodiscard]] const std::string& target() const {
    return is_held() ? held : directives[0].capture;
  }
};

struct Rule {
  std::string name;    ///< "python/max-sizes", within its pack
  std::string path;    ///< its .scm file, as the pack was named
  std::string reason;  ///< the comment at its top
  std::string source;  ///< the text of the .scm file
  const Language* language = nullptr;
  RuleSettings settings;
  std::vector<Shape> shapes;
  /// What a file must contain to be parsed: for one of these, one literal of each group. Empty when
  /// a shape requires nothing.
  std::vector<std::vector<std::vector<LiteralFinder>>> prefilter;
  std::optional<CompiledQuery> query;  ///< always set
  std::vector<LockedSite> locked;      ///< from pack.lock; empty when the lock has none
};

struct Pack {
  std::string path;    ///< as typed, without a rule's name
  std::string folder;  ///< absolute
  std::string name;
  std::string upstream;  ///< the ref that pack.toml names; empty for the default
  std::string after_edit;
  std::vector<Cc> cc;                    ///< that the pack is for, as pack.toml says
  PackLock lock;                         ///< empty when there is no pack.lock
  std::optional<std::string> lock_text;  ///< of pack.lock
  std::string hash;                      ///< of every file that was read
  std::vector<Rule> rules;  ///< enabled ones, or the one that was asked for, sorted by name
  std::vector<std::string> resting;   ///< names of rules with enabled = false
  std::vector<Companion> companions;  ///< in the order of pack.toml
};

/// Compiles `rule`, of which name, path, source, language and settings are set. `folder` is the
/// pack's, where the files that directives name stand. All mistakes come together.
[[nodiscard]] std::expected<Rule, std::vector<Diagnostic>> compile_rule(
    Rule rule, const std::string& folder, Compile when = Compile::kNow);
/// The rule with another query; fails like compile_rule().
[[nodiscard]] std::expected<Rule, std::vector<Diagnostic>> with_source(const Rule& rule,
                                                                       std::string source,
                                                                       const std::string& folder);

/// Reads the pack at `path`, or the one rule of `PACK/RULE`. All mistakes of the pack come
/// together, each with its place.
[[nodiscard]] std::expected<Pack, std::vector<Diagnostic>> load_pack(std::string_view path);
/// Several packs; the mistakes of all of them come together.
[[nodiscard]] std::expected<std::vector<Pack>, std::vector<Diagnostic>> load_packs(
    const std::vector<std::string>& paths);
/// The rules of all packs, in order; they stay where they are.
[[nodiscard]] std::vector<const Rule*> rules_of(const std::vector<Pack>& packs);

}  // namespace portpatch
