#include "locate/parsed_file.h"

#include <algorithm>

#include "syntax/language.h"

namespace portpatch {

namespace {

bool is_shown(const Reading& reading, ByteRange range) {
  return std::ranges::none_of(reading.masked, [&](ByteRange blanked) {
    return blanked.overlaps(range) ||
           (range.empty() && blanked.begin < range.begin && range.begin < blanked.end);
  });
}

}  // namespace

Result<ParsedFile> ParsedFile::parse(const Language& language, std::string path, std::string text) {
  auto whole = SourceTree::parse(language, std::move(text));
  if (!whole) return std::unexpected(whole.error());
  std::vector<Reading> readings;
  readings.push_back({std::move(*whole), {}});
  const auto& tree = readings[0].tree;
  if (language.has_preprocessor() && tree.text().contains("#")) {
    for (auto& variant : mask_conditionals(tree.text())) {
      auto masked = SourceTree::parse(language, std::move(variant.text));
      if (!masked) return std::unexpected(masked.error());
      readings.push_back({std::move(*masked), std::move(variant.masked)});
    }
  }
  return ParsedFile(std::move(path), std::move(readings));
}

bool ParsedFile::shows(std::size_t index, ByteRange range) const {
  return is_shown(readings_[index], range);
}

bool ParsedFile::is_unconditional(ByteRange range, ByteRange around) const {
  return std::ranges::all_of(readings_, [&](const Reading& reading) {
    const ByteRange open{around.begin, around.begin + 1}, close{around.end - 1, around.end};
    return !is_shown(reading, open) || !is_shown(reading, close) || is_shown(reading, range);
  });
}

}  // namespace portpatch
