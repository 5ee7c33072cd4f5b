// Maps and arrays of structs whose rows begin with a cc: {{0x80, 64}, {0x86, 128}}, {{90,
// "Hopper"}}.
#include <algorithm>
#include <array>

#include "expression_text.h"
#include "forms/form.h"

namespace portpatch::matchers {
namespace {

using Kind = Expression::Kind;

std::optional<long long> integer(const Expression& cell) {
  const auto* number = cell.value ? std::get_if<long long>(&*cell.value) : nullptr;
  return number != nullptr ? std::optional(*number) : std::nullopt;
}

/// The key's cc when every other key of the table means one in that unit too.
std::optional<Capability> key_cc(const Expression& key, CcUnit unit) {
  if (unit == CcUnit::kArch) return spelled_capability(key.text);
  const auto number = integer(key);
  return number ? capability_of(*number, unit) : std::nullopt;
}

bool is_cell_list(const Expression& row) {
  return (row.kind == Kind::kList || row.kind == Kind::kCall) && row.parts.size() >= 2;
}

/// {-1, -1}, {0, 0}: the end of a table.
bool is_end_row(const Expression& row) {
  const auto number = integer(row.parts[0]);
  return number && *number <= 0;
}

std::optional<CcUnit> common_unit(const std::vector<const Expression*>& keys) {
  const bool all_hex = std::ranges::all_of(keys, [](const auto* key) {
    return key->text.starts_with("0x") || key->text.starts_with("0X");
  });
  const std::array units = all_hex ? std::array{CcUnit::kHex, CcUnit::kArch, CcUnit::kArch,
                                                CcUnit::kArch}
                                   : std::array{CcUnit::kMajor, CcUnit::kTens, CcUnit::kHundreds,
                                                CcUnit::kArch};
  for (const auto unit : units) {
    if (std::ranges::all_of(keys, [&](const auto* key) { return key_cc(*key, unit).has_value(); }))
      return unit;
  }
  return std::nullopt;
}

bool names_architectures(const Initialiser& table) {
  std::string lower;
  for (const char c : table.name + " " + table.type)
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view word :
       {"arch", "capab", "compcap", "compute_cap", "sm_", "_sm", "smto", "persm", "cc_", "_cc"}) {
    if (lower.contains(word)) return true;
  }
  return false;
}

}  // namespace

void find_keyed_tables(const FormInput& input, std::vector<CcPlace>& places) {
  for (const auto& table : input.facts.initialisers) {
    std::vector<const Expression*> keys, rows;
    bool is_keyed = table.rows.size() >= 2;
    for (const auto& row : table.rows) {
      if (!is_cell_list(row))
        is_keyed = false;
      else if (!is_end_row(row)) {
        keys.push_back(&row.parts[0]);
        rows.push_back(&row);
      }
    }
    if (!is_keyed || keys.size() < 2) continue;
    const auto unit = common_unit(keys);
    if (!unit || (*unit != CcUnit::kArch && !names_architectures(table))) continue;
    const auto* function = function_at(input.facts, table.range);
    const bool is_map = table.type.contains("map");
    CcPlace place{.form = is_map ? "map" : "struct array",
                  .function = function != nullptr ? function->name : "",
                  .name = table.name,
                  .range = table.range};
    for (std::size_t i = 0; i < keys.size(); ++i) {
      CcArm arm{.range = rows[i]->range, .is_row = true};
      arm.comparisons.push_back({.expression = table.name,
                                 .op = "==",
                                 .key = keys[i]->text,
                                 .unit = *unit,
                                 .cc = *key_cc(*keys[i], *unit),
                                 .range = keys[i]->range});
      if (rows[i]->parts.size() == 2) {
        arm.value = rows[i]->parts[1].value;
        arm.text = rows[i]->parts[1].text;
      } else {
        arm.text = rows[i]->text;
      }
      place.arms.push_back(std::move(arm));
    }
    places.push_back(std::move(place));
  }
}

}  // namespace portpatch::matchers
