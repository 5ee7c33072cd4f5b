// Two versions of a file: the rules that the change becomes, and what they make of the first.
#include "capture/captured_pack.h"
#include "capture/grouping.h"
#include "capture/tree_diff.h"
#include "edit/plan.h"
#include "locate/sites.h"
#include "syntax/language.h"
#include "tests/fuzz/target.h"
#include "tests/pack/pack_folder.h"

namespace portpatch::fuzz {

namespace {

std::vector<const Rule*> rules_of(const FileCapture& capture) {
  std::vector<const Rule*> rules;
  for (const auto& edit : capture.edits) rules.push_back(edit.rule.get());
  return rules;
}

/// Rules that stand in each other's way, or need another order, may say so and make nothing: that
/// `portpatch capture` sees when it runs the pack (capture_proof.h).
void expect_made(const Language& language, const FileVersions& file,
                 const std::vector<const Rule*>& rules, const std::string& text,
                 std::string_view what) {
  const auto made = replayed(file, rules);
  expect(!made || same_code(language, *made, text), what,
         {file.before, file.after, text, made.value_or("")});
}

/// The captured rules as a person gets them: files of a pack, read again and applied in the order
/// of their names.
void check_pack(const Language& language, const FileVersions& file, const FileCapture& capture) {
  const std::vector<CapturedFile> files{{&language, file, capture}};
  const auto rules = make_rules(files, {});
  const test::Scratch scratch;
  for (const auto& change :
       captured_files({.name = "t", .settings = {}, .lock_text = {}, .lock = {}}, rules, "Ours.",
                      groups_of(rules, files, "together")))
    scratch.write(change.name, change.after.value_or(""));
  const auto pack = load_pack(scratch.path());
  expect(pack.has_value(), "a captured pack can be loaded",
         {file.before, file.after, pack ? "" : render(pack.error()[0], false)});
  std::vector<const Rule*> loaded;
  for (const auto& rule : pack->rules) loaded.push_back(&rule);
  expect_made(language, file, loaded, capture.text, "a captured pack makes the change");
}

}  // namespace

void run_capture(const Parts& parts) {
  if (parts.size() != 3) return;
  const auto* language = find_language(parts[0]);
  if (language == nullptr) return;
  const FileVersions file{"example." + language->file_ending(), parts[1], parts[2], ""};
  const auto capture = capture_file(*language, file);
  if (!capture) return;
  expect_made(*language, file, rules_of(*capture), capture->text,
              "the rules make what they say they make");
  if (capture->refused.empty()) {
    expect(same_code(*language, capture->text, file.after),
           "a change of which nothing is refused is made",
           {file.before, file.after, capture->text});
  }
  if (!capture->edits.empty()) check_pack(*language, file, *capture);
}

}  // namespace portpatch::fuzz
