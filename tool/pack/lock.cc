#include "pack/lock.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/toml.h"
#include "base/utf8.h"
#include "pack/toml_reader.h"

namespace portpatch {

namespace {

/// A site's text is what upstream's bytes are.
std::string bytes_at(TomlReader& reader, const TomlValue& site, std::string_view key) {
  return bytes_of_utf8(reader.text(site, key).value_or(""));
}

std::string written(std::string_view bytes) { return toml_string(utf8_of_bytes(bytes)); }

}  // namespace

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
      auto& slot = lock.rules[bytes_of_utf8(name)];
      for (const auto& site : reader.tables(sites, place)) {
        reader.check_keys(*site, {"commit", "path", "scope", "text"});
        slot.push_back({bytes_at(reader, *site, "commit"), bytes_at(reader, *site, "path"),
                        bytes_at(reader, *site, "scope"), bytes_at(reader, *site, "text")});
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
      out += fmt::format("\n[[rules.{}]]\n", toml_key(utf8_of_bytes(name)));
      if (!site.commit.empty()) out += fmt::format("commit = {}\n", written(site.commit));
      out += fmt::format("path = {}\nscope = {}\ntext = {}\n", written(site.path),
                         written(site.scope), written(site.text));
    }
  }
  return out;
}

}  // namespace portpatch
