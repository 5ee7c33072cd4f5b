#include "companion/cc_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "edit/container.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

constexpr double kTolerance = 1e-6;
constexpr std::size_t kDeepest = 8, kMostAround = 4;

bool always(ByteRange, ByteRange) { return true; }

std::optional<double> number_of(const Constant& constant) {
  if (const auto* flag = std::get_if<bool>(&constant.value)) return *flag ? 1 : 0;
  if (const auto* integer = std::get_if<std::int64_t>(&constant.value)) return static_cast<double>(*integer);
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

Same compare_items(const Datum& one, const Datum& other, bool in_order) {
  if (one.items.size() != other.items.size()) return Same::kNo;
  auto all = Same::kYes;
  for (std::size_t i = 0; i < one.items.size(); ++i) {
    auto here = Same::kNo;
    if (in_order) {
      here = compare(one.items[i], other.items[i]);
    } else {
      for (const auto& candidate : other.items) {
        const auto same = compare(one.items[i], candidate);
        if (same == Same::kYes || (same == Same::kUnknown && here == Same::kNo)) here = same;
        if (here == Same::kYes) break;
      }
    }
    if (here == Same::kNo) return Same::kNo;
    if (here == Same::kUnknown) all = Same::kUnknown;
  }
  return all;
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
    CcTable table{.line = line_of(container->node), .range = container->node.range(), .rows = {}, .unread = {}};
    for (const auto& item : container->items) {
      if (!item.is_entry) {
        table.unread.push_back(folded(text(item.node)));
        continue;
      }
      const auto means = read_key(tree_, evaluator_, item.key, std::nullopt);
      if (!means) table.unread.push_back(folded(text(item.key)));
      else table.rows.push_back({.key = *means, .key_text = folded(text(item.key)), .value = datum(item.value, 0), .line = line_of(item.node)});
    }
    if (table.rows.empty()) return std::nullopt;
    return table;
  }

  /// A list of which every element is a cc.
  std::optional<CcTable> read_list(const Node& node) {
    const auto container = find_container(tree_, node, Role::kSequence, always);
    if (!container || container->form != Container::Form::kBrackets) return std::nullopt;
    CcTable table{.line = line_of(container->node), .range = container->node.range(), .is_list = true, .rows = {}, .unread = {}};
    for (const auto& item : container->items) {
      const auto means = read_key(tree_, evaluator_, item.node, std::nullopt);
      if (!means) return std::nullopt;
      table.rows.push_back({.key = *means, .key_text = folded(text(item.node)), .value = {.is_list = true}, .line = line_of(item.node)});
    }
    if (table.rows.empty()) return std::nullopt;
    return table;
  }

  [[nodiscard]] std::string_view text(const Node& node) const { return node.text(tree_.text()); }
  [[nodiscard]] std::size_t line_of(const Node& node) const { return line_column(tree_.text(), node.range().begin).line; }

  Datum datum(const Node& node, std::size_t depth) {
    Datum found{.constant = evaluator_.evaluate(tree_, node), .text = folded(text(node))};
    if (found.constant || depth == kDeepest) return found;
    if (const auto map = find_container(tree_, node, Role::kMap, always); map && !map->items.empty() && std::ranges::all_of(map->items, &Item::is_entry)) {
      found.is_list = found.is_map = true;
      for (const auto& item : map->items) {
        found.items.push_back({.is_list = true, .items = {datum(item.key, depth + 1), datum(item.value, depth + 1)}, .text = folded(text(item.node))});
      }
    } else if (const auto list = find_container(tree_, node, Role::kSequence, always); list && list->form == Container::Form::kBrackets) {
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
  if (one.constant && other.constant) return equal(*one.constant, *other.constant) ? Same::kYes : Same::kNo;
  // What is a single value in one language may be a list of one in the other: that is for a person to see.
  if (one.is_list && other.is_list) return compare_items(one, other, !one.is_map && !other.is_map);
  if ((one.constant && other.is_list) || (one.is_list && other.constant)) return Same::kNo;
  return Same::kUnknown;
}

const CcRow* CcTable::find(const Cc& cc) const {
  const auto named = std::ranges::find_if(rows, [&](const CcRow& row) { return row.key.unit != KeyUnit::kMajor && row.key.cc.major == cc.major && row.key.cc.minor == cc.minor; });
  if (named != rows.end()) return &*named;
  const auto family = std::ranges::find_if(rows, [&](const CcRow& row) { return row.key.unit == KeyUnit::kMajor && row.key.cc.major == cc.major; });
  return family == rows.end() ? nullptr : &*family;
}

std::optional<CcTable> read_table(const SourceTree& tree, const Node& node) { return TableReader(tree).read(node); }

std::vector<CcTable> tables_named(const SourceTree& tree, std::string_view name) {
  std::vector<CcTable> tables;
  TableReader reader(tree);
  for (const auto& definition : definitions_of(tree, name)) {
    auto node = definition;
    for (std::size_t around = 0; around < kMostAround && node; ++around, node = node.parent()) {
      auto table = reader.read(node);
      if (!table) continue;
      if (std::ranges::find(tables, table->range, &CcTable::range) == tables.end()) tables.push_back(std::move(*table));
      break;
    }
  }
  return tables;
}

std::string describe(const KeyMeaning& key) { return key.unit == KeyUnit::kMajor ? fmt::format("{}.x", key.cc.major) : describe(key.cc); }
std::string describe(const Cc& cc) { return fmt::format("{}.{}{}", cc.major, cc.minor, cc.suffix); }

}  // namespace portpatch
