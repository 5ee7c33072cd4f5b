// What of a tree's places is new since a revision. Places that say what they said there are known,
// wherever they or their files have moved; the others stand beside what they were, so that what is
// worse can be told from what was never well.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "inventory/place.h"

namespace portpatch {

/// "PATH:LINE", by which places of one tree are told apart.
[[nodiscard]] std::string place_key(const CcPlace& place);

/// What the places of a file say, without where they stand, and the conditions as they are spelled.
[[nodiscard]] std::multiset<std::string> words_of(const CcFile& file);

struct AuditNews {
  std::set<std::string> fresh;         ///< keys of the places that are new or ask something else
  std::set<std::string> reworded;      ///< of those that ask the same under other conditions
  std::map<std::string, CcPlace> was;  ///< by those keys: the place as it was before, where known
  std::vector<CcPlace> gone;           ///< places of before that nothing has come of
};

/// How many lines of a place of the newer tree were not there before.
using ChangedLines = std::function<std::size_t(const CcPlace& place)>;

/// `changed` is asked only where fewer places of before say the same: those with the most lines
/// that have come are the new ones.
[[nodiscard]] AuditNews news_of(const std::vector<CcFile>& before, const std::vector<CcFile>& after,
                                const ChangedLines& changed);

}  // namespace portpatch
