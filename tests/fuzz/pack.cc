// A pack's files as anyone may have written them.
#include <algorithm>
#include <cctype>

#include "base/files.h"
#include "pack/retire.h"
#include "tests/fuzz/target.h"
#include "tests/pack/pack_folder.h"

namespace portpatch::fuzz {

namespace {

constexpr std::size_t kMostFiles = 12, kLongestName = 60;

/// Fit for a path below the scratch folder.
bool is_name(std::string_view name) {
  return !name.empty() && name.size() < kLongestName && is_inside_path(name) &&
         std::ranges::all_of(
             name,
             [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '.' || c == '/' || c == '-' || c == '_';
             });
}

std::string texts_of(const Parts& parts) { return join_parts(parts); }

/// The lock reads as it is written.
void check_lock(const Pack& pack, const Parts& parts) {
  const auto written = write_lock(pack.lock);
  const auto read = parse_lock("pack.lock", written);
  expect(read && write_lock(*read) == written, "pack.lock is read as it is written",
         {texts_of(parts), written});
}

/// What is left of a pack when a rule is taken out can be loaded.
void check_retirement(const Pack& pack, const test::Scratch& scratch, const Parts& parts) {
  if (pack.rules.size() + pack.resting.size() < 2) return;
  const auto changes = retire_rules(pack, {{.rule = &pack.rules[0], .commit = std::nullopt}});
  if (!changes) return;
  for (const auto& change : *changes) {
    if (change.after)
      scratch.write(change.name, *change.after);
    else
      test::fs::remove(scratch.path(change.name));
  }
  const auto rest = load_pack(scratch.path());
  expect(rest.has_value(), "a pack without one of its rules can be loaded",
         {texts_of(parts), rest ? "" : render(rest.error()[0], false)});
}

}  // namespace

void run_pack(const Parts& parts) {
  if (parts.size() % 2 != 0 || parts.size() > 2 * kMostFiles) return;
  const test::Scratch scratch;
  for (std::size_t i = 0; i < parts.size(); i += 2) {
    if (!is_name(parts[i])) return;
    // A name may be a file and a folder in turn.
    std::error_code error;
    const test::fs::path path = scratch.path(parts[i]);
    test::fs::create_directories(path.parent_path(), error);
    if (error || test::fs::exists(path)) return;
    scratch.write(parts[i], parts[i + 1]);
  }
  const auto pack = load_pack(scratch.path());
  if (!pack) {
    expect(!pack.error().empty(), "a pack that is refused has a mistake", {texts_of(parts)});
    for (const auto& mistake : pack.error()) (void)render(mistake, false);
    return;
  }
  check_lock(*pack, parts);
  if (!pack->rules.empty()) check_retirement(*pack, scratch, parts);
}

}  // namespace portpatch::fuzz
