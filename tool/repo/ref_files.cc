#include "repo/ref_files.h"

#include <algorithm>
#include <cctype>

#include "base/files.h"
#include "base/text.h"

namespace portpatch {
namespace {

constexpr std::size_t kIdSize = 40;
constexpr std::string_view kSymbolic = "ref:";

/// HEAD and a few folders of refs are the work tree's own; linked work trees share the rest.
bool is_own(std::string_view name) {
  return !name.starts_with("refs/") || name.starts_with("refs/bisect/") ||
         name.starts_with("refs/worktree/") || name.starts_with("refs/rewritten/");
}

std::optional<std::string> read_loose(const WorkTree& tree, std::string_view name) {
  const auto& folder = is_own(name) ? tree.git_dir : tree.common_dir;
  auto text = read_file(folder + "/" + std::string(name));
  if (!text) return std::nullopt;
  return std::string(trim(*text));
}

std::optional<std::string> read_packed(const WorkTree& tree, std::string_view name) {
  const auto text = read_file(tree.common_dir + "/packed-refs");
  if (!text) return std::nullopt;
  const auto line_tail = " " + std::string(name) + "\n";
  const auto at = text->find(line_tail);
  if (at == std::string::npos || at < kIdSize) return std::nullopt;
  return text->substr(at - kIdSize, kIdSize);
}

}  // namespace

bool is_full_id(std::string_view text) {
  return text.size() == kIdSize &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::optional<RefValue> read_ref(const WorkTree& tree, std::string_view name) {
  constexpr int kLongestChain = 5;  // as git's own
  std::string at(name);
  for (int step = 0; step < kLongestChain; ++step) {
    if (!is_inside_path(at)) return std::nullopt;
    auto value = read_loose(tree, at);
    if (!value || value->empty()) value = read_packed(tree, at);
    if (!value) {
      if (step == 0) return std::nullopt;
      return RefValue{.name = at, .id = ""};
    }
    if (is_full_id(*value)) return RefValue{.name = at, .id = *value};
    if (!value->starts_with(kSymbolic)) return std::nullopt;
    at = trim(std::string_view(*value).substr(kSymbolic.size()));
  }
  return std::nullopt;
}

}  // namespace portpatch
