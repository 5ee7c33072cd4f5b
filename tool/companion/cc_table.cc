#include "companion/cc_table.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "edit/container.h"
#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

constexpr double kTolerance = 1e-6;
constexpr std::size_t kDeepest = 8, kMostAround = 4;

bool always(ByteRange, ByteRange) { return true; }

std::optional<double> number_of(const Constant& constant) {
  if (const auto* flag = std::get_if<bool>(&constant.value)) return *flag ? 1 : 0;
  if (const auto* integer = std::get_if<std::int64_t>(&constant.value))
    return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&constant.value)) return *real;
  return std::nullopt;
}

bool equal(const Constant& one, const Constant& other) {
  const auto* mine = std::get_if<std::int64_t>(&one.value);
  const auto* theirs = std::get_if<std::int64_t>(&other.value);
  if (mine != nullptr && theirs != nullptr) return *mine == *theirs;
  const auto a = number_of(one), b = number_of(other);
  if (a && b) return std::abs(*a - *b) <= kTolerance * std::max(std::abs(*a), std::abs(*b));
  const auto text = plain_string(one), other_text = plain_string(other);
  if (text && other_text) return *text == *other_text;
  return one.value == other.value;
}

Same compare_in_order(const Datum& one, const Datum& other) {
  auto all = Same::kYes;
  for (std::size_t i = 0; i < one.items.size(); ++i) {
    const auto here = compare(one.items[i], other.items[i]);
    if (here == Same::kNo) return Same::kNo;
    if (here == Same::kUnknown) all = Same::kUnknown;
  }
  return all;
}

/// Each item of one has an item of the other for itself.
Same compare_as_set(const Datum& one, const Datum& other) {
  auto all = Same::kYes;
  std::vector<const Datum*> left;
  for (const auto& item : other.items) left.push_back(&item);
  for (const auto& item : one.items) {
    const auto same = std::ranges::find_if(
        left, [&](const Datum* candidate) { return compare(item, *candidate) == Same::kYes; });
    if (same != left.end()) {
      left.erase(same);
      continue;
    }
    const bool may_be = std::ranges::any_of(
        left, [&](const Datum* candidate) { return compare(item, *candidate) == Same::kUnknown; });
    if (!may_be) return Same::kNo;
    all = Same::kUnknown;
  }
  return all;
}

Same compare_items(const Datum& one, const Datum& other) {
  if (one.items.size() != other.items.size()) return Same::kNo;
  return one.is_map && other.is_map ? compare_as_set(one, other) : compare_in_order(one, other);
}

class TableReader {
 public:
  explicit TableReader(const SourceTree& tree) : tree_(tree), evaluator_(tree) {}

  std::optional<CcTable> read(const Node& node) {
    auto table = read_map(node);
    return table ? table : read_list(node);
  }

 private:
  std::optional<CcTable> read_map(const Node& node) {
    const auto container = find_container(tree_, node, Role::kMap, always);
    if (!container) return std::nullopt;
    CcTable table{.line = line_of(container->node),
                  .range = container->node.range(),
                  .rows = {},
                  .unread = {}};
    for (const auto& item : container->items) {
      if (!item.is_entry) {
        table.unread.push_back(folded(text(item.node)));
        continue;
      }
      // A designated initialiser names a member; which of them is the key does not stand there.
      const auto inside = text(item.node).starts_with('{') ? trim(text(item.node).substr(1))
                                                           : std::string_view();
      const bool is_named = inside.starts_with('.');
      const auto means = is_named ? std::nullopt
                                  : read_key(tree_, evaluator_, item.key, std::nullopt);
      if (!means)
        table.unread.push_back(folded(text(item.key)));
      else
        table.rows.push_back({.key = *means,
                              .key_text = folded(text(item.key)),
                              .value = datum(item.value, 0),
                              .line = line_of(item.node)});
    }
    if (table.rows.empty()) return std::nullopt;
    add_doubts(table, container->node);
    return table;
  }

  /// Keys that stand twice, and what a preprocessor may take out.
  void add_doubts(CcTable& table, const Node& container) const {
    std::set<std::string> keys;
    for (const auto& row : table.rows) {
      if (!keys.insert(describe(row.key)).second)
        table.unread.push_back(row.key_text + ", which stands twice");
    }
    if (!tree_.language().has_preprocessor()) return;
    for (const auto line : split_lines(text(container))) {
      if (trim(line).starts_with('#')) table.unread.push_back(std::string(trim(line)));
    }
  }

  /// A list of which every element is a cc.
  std::optional<CcTable> read_list(const Node& node) {
    const auto container = find_container(tree_, node, Role::kSequence, always);
    if (!container || container->form != Container::Form::kBrackets) return std::nullopt;
    CcTable table{.line = line_of(container->node),
                  .range = container->node.range(),
                  .is_list = true,
                  .rows = {},
                  .unread = {}};
    for (const auto& item : container->items) {
      const auto means = holds_items(tree_, item.node)
                             ? std::nullopt
                             : read_key(tree_, evaluator_, item.node, std::nullopt);
      if (!means) return std::nullopt;
      table.rows.push_back({.key = *means,
                            .key_text = folded(text(item.node)),
                            .value = {.is_list = true},
                            .line = line_of(item.node)});
    }
    if (table.rows.empty()) return std::nullopt;
    add_doubts(table, container->node);
    return table;
  }

  [[nodiscard]] std::string_view text(const Node& node) const { return node.text(tree_.text()); }
  [[nodiscard]] std::size_t line_of(const Node& node) const {
    return line_column(tree_.text(), node.range().begin).line;
  }

  Datum datum(const Node& node, std::size_t depth) {
    Datum found{.constant = evaluator_.evaluate(tree_, node), .text = folded(text(node))};
    if (found.constant || depth == kDeepest) return found;
    if (const auto map = find_container(tree_, node, Role::kMap, always);
        map && !map->items.empty() && std::ranges::all_of(map->items, &Item::is_entry)) {
      found.is_list = found.is_map = true;
      for (const auto& item : map->items) {
        found.items.push_back({.is_list = true,
                               .items = {datum(item.key, depth + 1), datum(item.value, depth + 1)},
                               .text = folded(text(item.node))});
      }
    } else if (const auto list = find_container(tree_, node, Role::kSequence, always);
               list && list->form == Container::Form::kBrackets) {
      found.is_list = true;
      for (const auto& item : list->items) found.items.push_back(datum(item.node, depth + 1));
    }
    return found;
  }

  const SourceTree& tree_;
  CodeEvaluator evaluator_;
};

}  // namespace

Same compare(const Datum& one, const Datum& other) {
  if (one.constant && other.constant)
    return equal(*one.constant, *other.constant) ? Same::kYes : Same::kNo;
  if (one.is_list && other.is_list) return compare_items(one, other);
  return Same::kUnknown;  // `{5}` may be 5, or another shape: that is for a person to see
}

const CcRow* CcTable::find(const Cc& cc) const {
  const auto named = std::ranges::find_if(rows, [&](const CcRow& row) {
    return row.key.unit != KeyUnit::kMajor && row.key.cc.major == cc.major &&
           row.key.cc.minor == cc.minor;
  });
  if (named != rows.end()) return &*named;
  const auto family = std::ranges::find_if(rows, [&](const CcRow& row) {
    return row.key.unit == KeyUnit::kMajor && row.key.cc.major == cc.major;
  });
  return family == rows.end() ? nullptr : &*family;
}

std::optional<CcTable> read_table(const SourceTree& tree, const Node& node) {
  return TableReader(tree).read(node);
}

NamedTables tables_named(const SourceTree& tree, std::string_view name) {
  NamedTables found;
  TableReader reader(tree);
  for (const auto& definition : definitions_of(tree, name)) {
    std::optional<CcTable> table;
    auto node = definition;
    for (std::size_t around = 0; around < kMostAround && node && !table;
         ++around, node = node.parent())
      table = reader.read(node);
    if (!table)
      found.unread.push_back(line_column(tree.text(), definition.range().begin).line);
    else if (std::ranges::find(found.tables, table->range, &CcTable::range) == found.tables.end())
      found.tables.push_back(std::move(*table));
  }
  return found;
}

std::string describe(const KeyMeaning& key) {
  return key.unit == KeyUnit::kMajor ? fmt::format("{}.x", key.cc.major) : cc_text(key.cc);
}

}  // namespace portpatch
