#include "edit/import_order.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace portpatch {

namespace {

bool is_path(std::string_view target) { return target.starts_with('<') || target.starts_with('"'); }

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// As isort writes a relative module for sorting: `..a` before `.b`.
std::string sortable(std::string_view target) {
  const auto dots = std::min(target.find_first_not_of('.'), target.size());
  return dots == 0 ? std::string(target)
                   : std::string(target.substr(0, dots)) + "_" + std::string(target.substr(dots));
}

int compare_targets(const ImportKey& a, const ImportKey& b, bool by_bytes) {
  const auto x = sortable(a.target), y = sortable(b.target);
  return by_bytes ? x.compare(y) : compare_naturally(lower(x), lower(y));
}

/// isort's order_by_type: constants, classes, the rest.
int type_of(std::string_view name) {
  const bool has_upper = std::ranges::any_of(name,
                                             [](unsigned char c) { return std::isupper(c) != 0; });
  const bool has_lower = std::ranges::any_of(name,
                                             [](unsigned char c) { return std::islower(c) != 0; });
  if (has_upper && !has_lower && name.size() > 1) return 0;
  return std::isupper(static_cast<unsigned char>(name[0])) != 0 ? 1 : 2;
}

using NameOrder = bool (*)(const std::string&, const std::string&);
constexpr NameOrder kNameOrders[] = {
    [](const std::string& a, const std::string& b) {
      return type_of(a) != type_of(b) ? type_of(a) < type_of(b)
                                      : compare_naturally(lower(a), lower(b)) < 0;
    },
    [](const std::string& a, const std::string& b) {
      return compare_naturally(lower(a), lower(b)) < 0;
    },
    [](const std::string& a, const std::string& b) { return a < b; },
};

}  // namespace

std::string_view ImportKey::top() const {
  const std::string_view whole = target;
  return is_path(whole) || whole.starts_with('.') ? whole : whole.substr(0, whole.find('.'));
}

ImportKey key_of(const Language& language, std::string_view path,
                 const ImportStatement& statement) {
  ImportKey key{.section = ImportSection::kThirdParty,
                .is_from = statement.is_from,
                .target = std::string(statement.target())};
  const auto folders = split(path, '/');
  if (statement.is_first)
    key.section = ImportSection::kFuture;
  else if (key.target.starts_with('<'))
    key.section = ImportSection::kStandard;
  else if (is_path(key.target) || key.target.starts_with('.'))
    key.section = ImportSection::kLocal;
  else if (language.is_standard_module(key.top()))
    key.section = ImportSection::kStandard;
  else if (std::find(folders.begin(), folders.end() - 1, key.top()) != folders.end() - 1)
    key.section = ImportSection::kFirstParty;
  return key;
}

bool StatementOrder::is_mixed(const std::vector<ImportKey>& block) {
  return std::ranges::any_of(block,
                             [&](const ImportKey& key) { return key.section != block[0].section; });
}

bool StatementOrder::before(const ImportKey& a, const ImportKey& b) const {
  if (by_section_ && a.section != b.section) return a.section < b.section;
  const bool by_bytes = kind_ == Kind::kPlainFirstByBytes || kind_ == Kind::kFromFirstByBytes ||
                        kind_ == Kind::kByTargetByBytes;
  const bool by_target = kind_ == Kind::kByTarget || kind_ == Kind::kByTargetByBytes;
  const bool from_first = kind_ == Kind::kFromFirst || kind_ == Kind::kFromFirstByBytes;
  const auto order = compare_targets(a, b, by_bytes);
  if (by_target && order != 0) return order < 0;
  if (a.is_from != b.is_from) return a.is_from == from_first;
  return order < 0;
}

bool StatementOrder::fits(const std::vector<ImportKey>& block) const {
  for (std::size_t i = 1; i < block.size(); ++i) {
    if (before(block[i], block[i - 1])) return false;
  }
  return true;
}

std::optional<StatementOrder> StatementOrder::shown_by(
    const std::vector<std::vector<ImportKey>>& blocks, const std::vector<ImportKey>& block) {
  constexpr Kind kKinds[] = {Kind::kPlainFirst,       Kind::kByTarget,
                             Kind::kFromFirst,        Kind::kPlainFirstByBytes,
                             Kind::kFromFirstByBytes, Kind::kByTargetByBytes};
  const bool by_section = is_mixed(block);
  for (const auto kind : kKinds) {
    const StatementOrder order(kind, by_section);
    if (std::ranges::all_of(blocks, [&](const auto& one) { return order.fits(one); }) &&
        order.fits(block))
      return order;
  }
  for (const bool sections : {by_section, false}) {
    for (const auto kind : kKinds) {
      if (const StatementOrder order(kind, sections); order.fits(block)) return order;
    }
  }
  return std::nullopt;
}

std::size_t place_of_name(const std::vector<std::string>& names, const std::string& name) {
  for (const auto before : kNameOrders) {
    if (!std::ranges::is_sorted(names, before)) continue;
    return static_cast<std::size_t>(std::ranges::upper_bound(names, name, before) - names.begin());
  }
  return names.size();
}

}  // namespace portpatch
