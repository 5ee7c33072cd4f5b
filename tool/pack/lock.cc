#include "pack/lock.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/toml.h"
#include "pack/toml_reader.h"

namespace portpatch {

std::expected<PackLock, std::vector<Diagnostic>> parse_lock(std::string_view path,
                                                            std::string_view text) {
  auto toml = parse_toml(path, text);
  if (!toml) {
    toml.error()
        .remedy = "mend it, or remove the file and record the base again with `portpatch refresh`";
    return std::unexpected(std::vector{toml.error()});
  }
  TomlReader reader(path, text);
  PackLock lock;
  if (!reader.check_format(*toml)) return std::unexpected(reader.errors());
  reader.check_keys(*toml, {"format", "rules"});
  if (const auto* rules = reader.table(*toml, "rules")) {
    for (const auto& [name, place, sites] : rules->members) {
      auto& slot = lock.rules[name];
      for (const auto& site : reader.tables(sites, place)) {
        reader.check_keys(*site, {"commit", "path", "scope", "text"});
        slot.push_back(
            {reader.text(*site, "commit").value_or(""), reader.text(*site, "path").value_or(""),
             reader.text(*site, "scope").value_or(""), reader.text(*site, "text").value_or("")});
        if (!is_inside_path(slot.back().path)) {
          const auto* named = site->find("path");
          reader.fail("bad-lock", named ? named->place : site->place,
                      named ? fmt::format("`{}` is no path inside a tree", slot.back().path)
                            : "the site has no `path`",
                      "remove this table, then record the base again with `portpatch refresh`");
        }
      }
    }
  }
  if (!reader.errors().empty()) return std::unexpected(reader.errors());
  return lock;
}

std::string write_lock(const PackLock& lock) {
  std::string out =
      "# The base of this pack: where each site was when it was last confirmed, and what upstream\n"
      "# said there. Written by `portpatch refresh`; commit it with the pack.\n"
      "format = 1\n";
  for (const auto& [name, sites] : lock.rules) {
    for (const auto& site : sites) {
      out += fmt::format("\n[[rules.{}]]\n", toml_string(name));
      if (!site.commit.empty()) out += fmt::format("commit = {}\n", toml_string(site.commit));
      out += fmt::format("path = {}\nscope = {}\ntext = {}\n", toml_string(site.path),
                         toml_string(site.scope), toml_string(site.text));
    }
  }
  return out;
}

}  // namespace portpatch
