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

using MaybeText = Result<std::optional<std::string>>;

MaybeText read_loose(const WorkTree& tree, std::string_view name) {
  const auto& folder = is_own(name) ? tree.git_dir : tree.common_dir;
  const auto path = folder + "/" + std::string(name);
  const auto kind = kind_of_path(path);
  if (!kind) return std::unexpected(kind.error());
  // A folder holds further refs.
  if (*kind != PathKind::kFile) return std::nullopt;
  auto text = read_file_if_there(path);
  if (!text || !*text) return text;
  return std::string(trim(**text));
}

MaybeText read_packed(const WorkTree& tree, std::string_view name) {
  const auto read = read_file_if_there(tree.common_dir + "/packed-refs");
  if (!read || !*read) return read;
  const auto& text = *read;
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

Result<std::optional<RefValue>> read_ref(const WorkTree& tree, std::string_view name) {
  constexpr int kLongestChain = 5;  // as git's own
  std::string at(name);
  for (int step = 0; step < kLongestChain; ++step) {
    if (!is_inside_path(at)) return std::nullopt;
    auto value = read_loose(tree, at);
    if (value && (!*value || (*value)->empty())) value = read_packed(tree, at);
    if (!value) return std::unexpected(value.error());
    if (!*value) {
      if (step == 0) return std::nullopt;
      return RefValue{.name = at, .id = ""};
    }
    const auto& text = **value;
    if (is_full_id(text)) return RefValue{.name = at, .id = text};
    if (!text.starts_with(kSymbolic)) return std::nullopt;
    at = trim(std::string_view(text).substr(kSymbolic.size()));
  }
  return std::nullopt;
}

}  // namespace portpatch
