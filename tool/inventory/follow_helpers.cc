#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "inventory/inventory.h"

namespace portpatch {

namespace {

constexpr int kDeepest = 6;  ///< helpers that call helpers

struct Definition {
  const FileFacts* file = nullptr;
  const HelperDefinition* helper = nullptr;
};

/// "sglang.srt.utils" of ".../sglang/srt/utils/common.py" or ".../sglang/srt/utils.py".
bool is_in_module(std::string_view path, std::string module) {
  while (module.starts_with('.')) module.erase(0, 1);
  std::ranges::replace(module, '.', '/');
  if (module.empty()) return false;
  const auto at = path.rfind(module);
  if (at == std::string_view::npos || (at > 0 && path[at - 1] != '/')) return false;
  const auto rest = path.substr(at + module.size());
  return rest.starts_with('/') || rest.starts_with('.');
}

bool is_test(std::string_view path) {
  return path.starts_with("test") || path.contains("/test") || path.contains("benchmark") || path.contains("/bench_");
}

class Follower {
 public:
  explicit Follower(const std::vector<FileFacts>& files) {
    for (const auto& file : files) {
      for (const auto& helper : file.helpers) definitions_[helper.name].push_back({&file, &helper});
    }
  }

  /// The keys of the helper's definition are put behind `keys`, as what `line` asks.
  CcTest follow(const FileFacts& user, const CcTest& test, std::vector<CcKey>& keys, std::size_t line, int depth) {
    CcTest result = test;
    if (!test.helper.empty()) {
      const auto found = depth < kDeepest ? find(user, test.helper, line) : Definition{};
      if (found.helper == nullptr) return result;
      used_[found.helper] = true;
      result = taken(found, test.helper, keys, line, depth);
      return result;
    }
    for (auto& part : result.parts) part = follow(user, part, keys, line, depth);
    return result;
  }

  [[nodiscard]] bool is_used(const HelperDefinition& helper) const { return used_.contains(&helper); }

 private:
  CcTest taken(const Definition& found, const std::string& name, std::vector<CcKey>& keys, std::size_t line, int depth) {
    auto own = found.helper->keys;
    const auto test = follow(*found.file, found.helper->test, own, found.helper->line, depth + 1);
    const auto shift = keys.size();
    for (auto key : own) {
      key.expression = name;
      key.line = line;
      keys.push_back(std::move(key));
    }
    return shifted(test, shift);
  }

  static CcTest shifted(CcTest test, std::size_t by) {
    test.key += by;
    for (auto& part : test.parts) part = shifted(std::move(part), by);
    return test;
  }

  Definition find(const FileFacts& user, const std::string& name, std::size_t line) const {
    const auto all = definitions_.find(name);
    if (all == definitions_.end()) return {};
    // In the same file: the last before the use, else any.
    Definition own;
    for (const auto& one : all->second) {
      if (one.file == &user && (own.helper == nullptr || (one.helper->line < line && one.helper->line > own.helper->line))) own = one;
    }
    if (own.helper != nullptr && own.helper->line != line) return own;
    if (own.helper != nullptr) return {};
    std::vector<Definition> elsewhere;
    const auto import = user.imports.find(name);
    for (const auto& one : all->second) {
      if (import != user.imports.end() && is_in_module(one.file->file.path, import->second)) elsewhere.push_back(one);
    }
    if (elsewhere.empty()) {
      for (const auto& one : all->second) {
        if (!is_test(one.file->file.path)) elsewhere.push_back(one);
      }
    }
    return agree(elsewhere) ? elsewhere[0] : Definition{};
  }

  /// Namesakes that say the same are as good as one.
  static bool agree(const std::vector<Definition>& definitions) {
    const auto says = [](const Definition& one) {
      std::string text;
      for (const auto& key : one.helper->keys) text += fmt::format("{}{} ", key.op, key_cc_text(key));
      return text;
    };
    return !definitions.empty() && std::ranges::all_of(definitions, [&](const auto& one) { return says(one) == says(definitions[0]); });
  }

  std::map<std::string, std::vector<Definition>, std::less<>> definitions_;
  std::map<const HelperDefinition*, bool> used_;
};

}  // namespace

std::vector<HelperDefinition> follow_helpers(std::vector<FileFacts>& files) {
  Follower follower(files);
  std::vector<HelperDefinition> used;
  for (auto& file : files) {
    for (auto& place : file.file.places) {
      for (auto& arm : place.arms) arm.test = follower.follow(file, arm.test, arm.keys, arm.line == 0 ? place.line : arm.line, 0);
    }
  }
  for (auto& file : files) {
    for (const auto& helper : file.helpers) {
      if (!follower.is_used(helper)) continue;
      used.push_back(helper);
      used.back().path = file.file.path;
    }
    std::erase_if(file.file.places, [](const CcPlace& place) { return std::ranges::all_of(place.arms, [](const auto& arm) { return arm.keys.empty(); }); });
  }
  std::ranges::stable_sort(used, {}, &HelperDefinition::name);
  return used;
}

}  // namespace portpatch
