#include "pack/companion.h"

#include <algorithm>

#include <fmt/format.h>

namespace portpatch {

namespace {

/// The keys of `names` that the table has.
std::vector<std::string_view> given(const TomlValue& table,
                                    std::initializer_list<std::string_view> names) {
  std::vector<std::string_view> found;
  std::ranges::copy_if(names, std::back_inserter(found), [&](std::string_view name) {
    const auto* value = table.find(name);
    return value != nullptr &&
           !(value->kind == TomlValue::Kind::kString && trim(value->text).empty());
  });
  return found;
}

void check_sense(TomlReader& reader, const TomlValue& table, const Companion& companion) {
  if (companion.files.empty()) {
    reader.fail("no-files", table.place, "a companion must say in which files it is",
                "add files = [\"csrc/**/*.cu\"]");
  }
  if (given(table, {"table", "function", "matcher", "query"}).size() != 1) {
    reader.fail("no-subject", table.place, "a companion must say what is looked at, by one key",
                "write table, function, matcher or query");
  }
  const auto says = given(table, {"mirrors", "gate"});
  if (says.size() > 1 || (says.empty() && companion.covers.empty())) {
    reader.fail("no-demand", table.place, "a companion must say what has to hold",
                "write mirrors = \"RULE\", gate = \"RULE or helper\", or covers = [\"12.0\"]");
  }
  if (!companion.mirrors.empty() && companion.table.empty()) {
    reader.fail("no-table", table.place, "only a table can mirror the table of a rule",
                "name it with table = \"NAME\", or use gate");
  }
}

}  // namespace

std::vector<Cc> read_ccs(TomlReader& reader, const TomlValue& table, std::string_view key) {
  std::vector<Cc> all;
  for (const auto& text : reader.texts(table, key)) {
    if (auto cc = parse_cc("cc:" + text); cc && cc->major >= 2 && cc->major <= 15)
      all.push_back(std::move(*cc));
    else
      reader.fail("bad-value", table.find(key)->place,
                  fmt::format("`{}` is no compute capability", text), "write \"12.0\"");
  }
  return all;
}

Companion read_companion(TomlReader& reader, const TomlValue& table) {
  reader.check_keys(table, {"name", "files", "table", "function", "matcher", "query", "mirrors",
                            "gate", "covers", "range-ok", "else-ok"});
  Companion companion;
  companion.files = reader.texts(table, "files");
  companion.table = reader.text(table, "table").value_or("");
  companion.function = reader.text(table, "function").value_or("");
  companion.matcher = reader.text(table, "matcher").value_or("");
  companion.query = reader.text(table, "query").value_or("");
  companion.mirrors = reader.text(table, "mirrors").value_or("");
  companion.gate = reader.text(table, "gate").value_or("");
  companion.covers = read_ccs(reader, table, "covers");
  companion.range_ok = reader.boolean(table, "range-ok").value_or(false);
  companion.else_ok = reader.boolean(table, "else-ok").value_or(false);
  check_sense(reader, table, companion);
  const auto what = !companion.table.empty()      ? companion.table
                    : !companion.function.empty() ? companion.function
                    : !companion.matcher.empty()  ? "matcher"
                                                  : "query";
  companion.name = reader.text(table, "name")
                       .value_or(companion.files.empty()
                                     ? what
                                     : fmt::format("{} in {}", what, companion.files[0]));
  return companion;
}

}  // namespace portpatch
