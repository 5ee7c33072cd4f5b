// The order of imports that a file shows: its sections, how statements are sorted in a block, how
// names in a list. The orders known are those of isort, ruff and clang-format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/imports.h"
#include "syntax/language.h"

namespace portpatch {

/// isort's sections, in order. `#include <x>` counts as standard, `#include "x"` as local.
enum class ImportSection { kFuture, kStandard, kThirdParty, kFirstParty, kLocal };

/// What a statement is sorted by.
struct ImportKey {
  ImportSection section = ImportSection::kThirdParty;
  bool is_from = false;
  std::string target;

  /// `a` of `a.b`; for a path or a relative module the whole of it.
  [[nodiscard]] std::string_view top() const;
};

/// First party is what the path of the file names as one of its folders.
[[nodiscard]] ImportKey key_of(const Language& language, std::string_view path,
                               const ImportStatement& statement);

/// An order of statements: true when `a` must stand before `b`.
class StatementOrder {
 public:
  /// The first known order in which every one of `blocks` is sorted; else the first in which
  /// `block` is; nothing when it is in none.
  [[nodiscard]] static std::optional<StatementOrder> shown_by(
      const std::vector<std::vector<ImportKey>>& blocks, const std::vector<ImportKey>& block);
  [[nodiscard]] bool before(const ImportKey& a, const ImportKey& b) const;
  /// Do statements of several sections stand in it?
  [[nodiscard]] static bool is_mixed(const std::vector<ImportKey>& block);

 private:
  enum class Kind {
    kPlainFirst,
    kByTarget,
    kFromFirst,
    kPlainFirstByBytes,
    kFromFirstByBytes,
    kByTargetByBytes
  };
  StatementOrder(Kind kind, bool by_section) : kind_(kind), by_section_(by_section) {}
  [[nodiscard]] bool fits(const std::vector<ImportKey>& block) const;

  Kind kind_;
  bool by_section_;
};

/// Where `name` goes among `names`: the number of names in front of it. At the end when they are in
/// no known order.
[[nodiscard]] std::size_t place_of_name(const std::vector<std::string>& names,
                                        const std::string& name);

}  // namespace portpatch
