#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "inventory/inventory.h"

namespace portpatch {

namespace {

constexpr int kDeepest = 6;  ///< helpers that call helpers
/// Of one helper, with those that it calls: who calls many, of which each calls many, asks more
/// than can be told.
constexpr std::size_t kMostKeys = 256, kMostParts = 256;

struct Definition {
  const FileFacts* file = nullptr;
  const HelperDefinition* helper = nullptr;
};

std::string described(const CcTest& test, const std::vector<CcKey>& keys) {
  std::string text = fmt::format("{}{}", static_cast<int>(test.kind), test.helper);
  if (test.kind == CcTest::Kind::kKey)
    text += fmt::format(" {}{}", keys[test.key].op, key_cc_text(keys[test.key]));
  for (const auto& part : test.parts) text += " (" + described(part, keys) + ")";
  return text;
}

std::size_t parts_in(const CcTest& test) {
  std::size_t count = 1;
  for (const auto& part : test.parts) count += parts_in(part);
  return count;
}

class Follower {
 public:
  explicit Follower(const std::vector<FileFacts>& files) {
    for (const auto& file : files) {
      for (const auto& helper : file.helpers) definitions_[helper.name].push_back({&file, &helper});
    }
  }

  /// The keys of the helper's definition are put behind `keys`, as what `line` asks.
  CcTest follow(const FileFacts& user, const CcTest& test, std::vector<CcKey>& keys,
                std::size_t line, int depth) {
    CcTest result = test;
    if (!test.helper.empty()) {
      const auto found = depth < kDeepest ? find(user, test.helper, line) : Definition{};
      return found.helper == nullptr ? result : taken(found, test, keys, line, depth);
    }
    for (auto& part : result.parts) part = follow(user, part, keys, line, depth);
    return result;
  }

 private:
  /// A definition followed: nothing where that is too much.
  struct Followed {
    CcTest test;
    std::vector<CcKey> keys;
  };

  const std::optional<Followed>& followed(const Definition& found, int depth) {
    const std::pair key{found.helper, depth};
    if (const auto known = followed_.find(key); known != followed_.end()) return known->second;
    Followed own{.test = {}, .keys = found.helper->keys};
    own.test = follow(*found.file, found.helper->test, own.keys, found.helper->line, depth);
    const bool is_told = own.keys.size() <= kMostKeys && parts_in(own.test) <= kMostParts;
    return followed_.emplace(key, is_told ? std::optional(std::move(own)) : std::nullopt)
        .first->second;
  }

  CcTest taken(const Definition& found, const CcTest& test, std::vector<CcKey>& keys,
               std::size_t line, int depth) {
    const auto& own = followed(found, depth + 1);
    if (!own) return test;
    const auto shift = keys.size();
    for (auto key : own->keys) {
      key.expression = test.helper;
      key.line = line;
      keys.push_back(std::move(key));
    }
    return shifted(own->test, shift);
  }

  static CcTest shifted(CcTest test, std::size_t by) {
    test.key += by;
    for (auto& part : test.parts) part = shifted(std::move(part), by);
    return test;
  }

  Definition find(const FileFacts& user, const std::string& name, std::size_t line) const {
    if (const auto own = find_here(user, name, line)) return *own;
    const auto import = user.imports.find(name);
    const auto all = definitions_.find(import == user.imports.end() ? name : import->second.name);
    if (all == definitions_.end()) return {};
    std::vector<Definition> elsewhere;
    for (const auto& one : all->second) {
      if (import != user.imports.end() && is_in_module(one.file->file.path, import->second.module))
        elsewhere.push_back(one);
    }
    if (elsewhere.empty()) {
      for (const auto& one : all->second) {
        if (!is_test_path(one.file->file.path)) elsewhere.push_back(one);
      }
    }
    return agree(elsewhere) ? elsewhere[0] : Definition{};
  }

  /// What the user's own file says of the name, if anything: of variables the last before the use,
  /// of functions one for all (two classes may have a method of one name). Empty where that is not
  /// certain.
  [[nodiscard]] std::optional<Definition> find_here(const FileFacts& user, const std::string& name,
                                                    std::size_t line) const {
    const auto all = definitions_.find(name);
    if (all == definitions_.end()) return std::nullopt;
    std::vector<Definition> own;
    for (const auto& one : all->second)
      if (one.file == &user) own.push_back(one);
    if (own.empty()) return std::nullopt;
    auto last = own[0];
    for (const auto& one : own)
      if (one.helper->line < line && one.helper->line > last.helper->line) last = one;
    if (last.helper->line == line || (last.helper->is_function && !agree(own))) return Definition{};
    return last;
  }

  /// Namesakes that say the same are as good as one.
  static bool agree(const std::vector<Definition>& definitions) {
    const auto says = [](const Definition& one) {
      return described(one.helper->test, one.helper->keys);
    };
    return !definitions.empty() && std::ranges::all_of(definitions, [&](const auto& one) {
      return says(one) == says(definitions[0]);
    });
  }

  std::map<std::string, std::vector<Definition>, std::less<>> definitions_;
  std::map<std::pair<const HelperDefinition*, int>, std::optional<Followed>>
      followed_;  ///< by depth
};

}  // namespace

std::string describe(const HelperDefinition& helper) {
  return fmt::format("{}: {}", helper.name, described(helper.test, helper.keys));
}

bool is_in_module(std::string_view path, std::string module) {
  while (module.starts_with('.')) module.erase(0, 1);
  std::ranges::replace(module, '.', '/');
  if (module.empty()) return false;
  const auto at = path.rfind(module);
  if (at == std::string_view::npos || (at > 0 && path[at - 1] != '/')) return false;
  const auto rest = path.substr(at + module.size());
  return rest.starts_with('/') || rest.starts_with('.');
}

bool is_test_path(std::string_view path) {
  for (const std::string_view folder :
       {"test/", "tests/", "testing/", "benchmark/", "benchmarks/", "examples/", "example/"}) {
    if (path.starts_with(folder) || path.contains("/" + std::string(folder))) return true;
  }
  const auto name = path.substr(path.rfind('/') == std::string_view::npos ? 0
                                                                          : path.rfind('/') + 1);
  return name.starts_with("test_") || name.starts_with("bench_") || name == "conftest.py";
}

std::vector<HelperDefinition> follow_helpers(std::vector<FileFacts>& files) {
  Follower follower(files);
  std::vector<HelperDefinition> all;
  for (auto& file : files) {
    for (auto& place : file.file.places) {
      for (auto& arm : place.arms)
        arm.test = follower.follow(file, arm.test, arm.keys, arm.line == 0 ? place.line : arm.line,
                                   0);
    }
  }
  for (auto& file : files) {
    for (const auto& helper : file.helpers) {
      auto& followed = all.emplace_back(helper);
      followed.path = file.file.path;
      followed.test = follower.follow(file, helper.test, followed.keys, helper.line, 0);
    }
    std::erase_if(file.file.places, [](const CcPlace& place) {
      return std::ranges::all_of(place.arms, [](const auto& arm) { return arm.keys.empty(); });
    });
  }
  std::ranges::stable_sort(all, {}, &HelperDefinition::name);
  return all;
}

}  // namespace portpatch
