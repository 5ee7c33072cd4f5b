#include "syntax/checks.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "syntax/language.h"
#include "syntax/pattern_set.h"

namespace portpatch {

void run_checks(const SourceTree& tree, const Node& node,
                const std::function<void(const std::string& words)>& object) {
  const auto& checks = tree.language().checks();
  std::map<std::size_t, std::unordered_set<std::string_view>>
      seen;  // by pattern: texts that must be unique
  checks.match_at(tree, node, [&](const Match& match) {
    const auto& directives = checks.directives(match.pattern);
    const auto unique = std::ranges::find(directives, "unique!", &Predicate::name);
    if (unique != directives.end()) {
      const auto text = match.find(unique->arguments[0].text).text(tree.text());
      if (seen[match.pattern].insert(text).second) return;
    }
    object(std::ranges::find(directives, "set!", &Predicate::name)->arguments[0].text);
  });
}

}  // namespace portpatch
