#include "report/page/difference.h"

#include <algorithm>

namespace portpatch {

namespace {

constexpr std::size_t kMostWords = 600;

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Runs of letters and digits, and single signs.
std::vector<ByteRange> words_of(std::string_view text) {
  std::vector<ByteRange> words;
  for (std::size_t at = 0; at < text.size();) {
    auto end = at + 1;
    while (is_word(text[at]) && end < text.size() && is_word(text[end])) ++end;
    if (!std::string_view(" \t\r\n").contains(text[at])) words.push_back({at, end});
    at = end;
  }
  return words;
}

}  // namespace

std::pair<std::vector<ByteRange>, std::vector<ByteRange>> differing_words(std::string_view one,
                                                                          std::string_view other) {
  const auto ours = words_of(one), theirs = words_of(other);
  if (ours.size() > kMostWords || theirs.size() > kMostWords) return {};
  // lengths[i][j]: of the longest common subsequence of what is left from i and from j.
  std::vector lengths(ours.size() + 1, std::vector<std::size_t>(theirs.size() + 1));
  for (auto i = ours.size(); i-- > 0;) {
    for (auto j = theirs.size(); j-- > 0;) {
      lengths[i][j] = ours[i].of(one) == theirs[j].of(other)
                          ? lengths[i + 1][j + 1] + 1
                          : std::max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  if (lengths[0][0] == 0) return {};
  std::pair<std::vector<ByteRange>, std::vector<ByteRange>> differing;
  std::size_t i = 0, j = 0;
  while (i < ours.size() || j < theirs.size()) {
    if (i < ours.size() && j < theirs.size() && ours[i].of(one) == theirs[j].of(other)) {
      ++i;
      ++j;
    } else if (j == theirs.size() || (i < ours.size() && lengths[i + 1][j] >= lengths[i][j + 1])) {
      differing.first.push_back(ours[i++]);
    } else {
      differing.second.push_back(theirs[j++]);
    }
  }
  return differing;
}

}  // namespace portpatch
