// A pack in a folder of its own, and its mistakes as a person reads them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "pack/pack.h"
#include "tests/repo/scratch.h"

namespace portpatch::test {

/// Files of a pack by their path in it. A pack.toml is added where there is none.
using PackText = std::map<std::string, std::string>;

inline void write_pack(const Scratch& scratch, const PackText& files,
                       const std::string& folder = "pack") {
  if (!files.contains("pack.toml")) scratch.write(folder + "/pack.toml", "format = 1\n");
  for (const auto& [path, text] : files) scratch.write(folder + "/" + path, text);
}

/// Every text with the scratch folder's own path taken out.
inline std::string without_folder(std::string text, const Scratch& scratch) {
  for (auto at = text.find(scratch.path()); at != std::string::npos;
       at = text.find(scratch.path(), at)) {
    const auto slash = text.substr(at + scratch.path().size()).starts_with('/');
    text.erase(at, scratch.path().size() + slash);
  }
  return text;
}

/// What loading says of the pack's mistakes, rendered; "" when it has none. `rule` is what the
/// command names behind the pack.
inline std::string mistakes(const PackText& files, const std::string& rule = "") {
  const Scratch scratch;
  write_pack(scratch, files);
  const auto pack = load_pack(scratch.path("pack" + rule));
  if (pack) return "";
  std::string text;
  for (const auto& error : pack.error()) text += render(error, false);
  return without_folder(text, scratch);
}

/// ... of a pack with the one Python rule `rule`.
inline std::string mistakes_of_rule(std::string_view rule) {
  return mistakes({{"python/a.scm", std::string(rule)}});
}

/// A pattern with an anchor, without its closing parenthesis: a directive follows.
inline std::string dict_rule(std::string_view directive) {
  return "((assignment left: (identifier) @n right: (_) @d)\n (#eq? @n \"A\")\n " +
         std::string(directive) + ")\n";
}

}  // namespace portpatch::test
