#include "capture/grouping.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

std::set<std::string_view> words_of(std::string_view text) {
  std::set<std::string_view> words;
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t at = 0; at < text.size();) {
    auto end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > at) words.insert(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return words;
}

/// Rules as disjoint sets.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// The set is known by its first rule.
  void join(std::size_t a, std::size_t b) {
    a = find(a), b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

class Grouping {
 public:
  Grouping(const std::vector<CapturedRule>& rules, const std::vector<CapturedFile>& files)
      : rules_(rules), sets_(rules.size()) {
    for (const auto& file : files) {
      const auto before = words_of(file.versions.before), after = words_of(file.versions.after);
      for (const auto& [some, others] : {std::pair(&before, &after), std::pair(&after, &before)}) {
        std::ranges::copy_if(*some, std::inserter(one_sided_, one_sided_.end()),
                             [&](std::string_view word) { return !others->contains(word); });
      }
    }
  }

  std::vector<std::size_t> take() && {
    std::map<std::string, std::size_t> first_with;
    const auto tie = [&](const std::string& what, std::size_t i) {
      sets_.join(first_with.emplace(what, i).first->second, i);
    };
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const auto& edit = rules_[i].edit;
      for (const auto& place : edit.around) tie(place, i);
      for (const auto& word : edit.words) {
        if (one_sided_.contains(word)) tie(word, i);
      }
      tie_to_bringers(i);
    }
    std::vector<std::size_t> heads;
    for (std::size_t i = 0; i < rules_.size(); ++i) heads.push_back(sets_.find(i));
    return heads;
  }

 private:
  void tie_to_bringers(std::size_t i) {
    for (std::size_t other = 0; other < rules_.size(); ++other) {
      const auto brings = [&](const std::string& name) {
        return rules_[other].edit.words.contains(name);
      };
      if (other != i && share_file(i, other) && std::ranges::any_of(rules_[i].edit.names, brings))
        sets_.join(i, other);
    }
  }

  [[nodiscard]] bool share_file(std::size_t a, std::size_t b) const {
    return std::ranges::any_of(rules_[a].sites, [&](const LockedSite& site) {
      return std::ranges::find(rules_[b].sites, site.path, &LockedSite::path) !=
             rules_[b].sites.end();
    });
  }

  const std::vector<CapturedRule>& rules_;
  std::set<std::string_view>
      one_sided_;  ///< words that some file has on one side of the change only
  Sets sets_;
};

}  // namespace

std::vector<std::string> groups_of(const std::vector<CapturedRule>& rules,
                                   const std::vector<CapturedFile>& files,
                                   const std::string& topic) {
  const auto heads = Grouping(rules, files).take();
  std::map<std::size_t, std::string> names;
  for (const auto head : heads) {
    if (std::ranges::count(heads, head) == 1 || names.contains(head)) continue;
    const auto stem = topic.empty() ? rules[head].name.substr(rules[head].name.find('/') + 1)
                                    : topic;
    names[head] = names.empty() || topic.empty() ? stem
                                                 : fmt::format("{}-{}", stem, names.size() + 1);
  }
  std::vector<std::string> groups;
  for (const auto head : heads) groups.push_back(names[head]);
  return groups;
}

std::set<std::string> homes_of(const SourceTree& tree, const std::string& path, Node node) {
  std::set<std::string> homes;
  for (; node; node = node.parent()) {
    const bool is_function = has_role(tree, node, Role::kScope) &&
                             !has_role(tree, node, Role::kClassScope) &&
                             !has_role(tree, node, Role::kModuleScope);
    const bool is_ladder = homes.empty() && has_role(tree, node, Role::kConditional) &&
                           !has_role(tree, node, Role::kImportGuard) &&
                           !(node.parent() && has_role(tree, node.parent(), Role::kConditional));
    if (is_function || is_ladder) homes.insert(fmt::format("{}:{}", path, node.range().begin));
  }
  return homes;
}

}  // namespace portpatch
