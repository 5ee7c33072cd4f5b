// What is seen of cc in a file, by syntax alone.
#include "inventory/inventory.h"

#include <algorithm>

#include "inventory/build_files.h"
#include "inventory/extract.h"
#include "syntax/language.h"
#include "tests/fuzz/target.h"

namespace portpatch::fuzz {

namespace {

void check_places(const CcFile& file, const Parts& parts) {
  const auto in_text = [&](ByteRange range) {
    return range.begin <= range.end && range.end <= parts[1].size();
  };
  for (const auto& place : file.places) {
    expect(in_text(place.range), "a place is in the text", {parts[0], parts[1]});
    for (const auto& arm : place.arms) {
      expect(in_text(arm.range), "an arm is in the text", {parts[0], parts[1]});
      for (const auto& key : arm.keys) (void)key_cc_text(key);
      if (arm.value) (void)value_text(*arm.value);
    }
    for (const auto& cc : {Cc{9, 0}, Cc{12, 0}}) {
      const auto taken = answer(place, cc);
      expect(std::ranges::all_of(taken.arms, [&](auto arm) { return arm < place.arms.size(); }),
             "an answer names arms that are there", {parts[0], parts[1]});
    }
  }
}

}  // namespace

void run_inventory(const Parts& parts) {
  if (parts.size() != 2) return;
  const auto& [path, text] = std::tie(parts[0], parts[1]);
  const auto& builds = BuildFiles::instance();
  if (builds.owns(path) && builds.may_concern(text)) check_places(builds.read(path, text), parts);
  (void)possible_tables(path, text);
  if (const auto* language = language_owning(path)) {
    check_places(extract_facts(*language, path, text).file, parts);
    for (const auto arm : dead_arms_of(*language, text))
      expect(arm.begin <= arm.end && arm.end <= text.size(), "a dead arm is in the text", {text});
  }
}

}  // namespace portpatch::fuzz
