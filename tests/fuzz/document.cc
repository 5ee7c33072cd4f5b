// Readers of files that another program, an older portpatch or a damaged disk has written. What one
// reads and prints again, it reads as the same.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "apply/journal.h"
#include "apply/state_journal.h"
#include "base/digest.h"
#include "base/toml.h"
#include "base/utf8.h"
#include "inventory/clang_reader.h"
#include "pack/lock.h"
#include "pack/settings.h"
#include "repo/git_config.h"
#include "repo/index_file.h"
#include "report/memory.h"
#include "report/timeline.h"
#include "tests/fuzz/target.h"
#include "tests/repo/scratch.h"

namespace portpatch::fuzz {

namespace {

/// A plain folder's work tree of which the state folder has the file `name`.
class StateFolder {
 public:
  StateFolder(const std::string& name, const std::string& bytes) {
    scratch_.write("state/" + name, bytes);
    tree_.root = scratch_.path();
    tree_.state_dir = scratch_.path("state");
  }
  [[nodiscard]] const WorkTree& tree() const { return tree_; }
  [[nodiscard]] FileSystem& files() const { return real_file_system(); }

 private:
  test::Scratch scratch_;
  WorkTree tree_{};
};

void read_lock(const std::string& bytes) {
  // As what a site read, it is no document but a text.
  const PackLock lock{
      {{"python/rule", {{.commit = "", .path = "a.py", .scope = bytes, .text = bytes}}},
       {bytes, {{.commit = "", .path = "a.py", .scope = "", .text = ""}}}}};
  const auto written = write_lock(lock);
  const auto again = parse_lock("pack.lock", written);
  expect(again && write_lock(*again) == written, "any text can stand in pack.lock",
         {written, again ? "" : render(again.error()[0], false)});
  expect(again->rules.at("python/rule").at(0).text == bytes, "a text in pack.lock reads as itself",
         {bytes, written});
  if (const auto read = parse_lock("pack.lock", bytes)) {
    const auto printed = write_lock(*read);
    const auto same = parse_lock("pack.lock", printed);
    expect(same && write_lock(*same) == printed, "a lock reads as it is written", {bytes, printed});
  }
}

void read_settings(const std::string& bytes) {
  std::vector<Diagnostic> errors;
  (void)parse_settings("pack.toml", bytes, errors);
  for (const auto& error : errors) (void)render(error, false);
}

void read_manifest(const std::string& bytes) {
  expect(bytes_of_utf8(utf8_of_bytes(bytes)) == bytes, "a name reads as itself", {bytes});
  const auto manifest = parse_manifest(bytes);
  if (!manifest) return;
  const auto printed = print_manifest(*manifest);
  const auto again = parse_manifest(printed);
  expect(again && print_manifest(*again) == printed, "a manifest reads as it is printed",
         {bytes, printed});
}

void read_run_journal(const std::string& bytes) {
  const StateFolder folder("journal.json", bytes);
  const auto journal = read_journal(folder.tree(), folder.files());
  if (!journal || !*journal) return;
  const auto printed = print_journal(**journal);
  expect(write_journal(folder.tree(), folder.files(), printed).has_value(), "a journal is written",
         {printed});
  const auto again = read_journal(folder.tree(), folder.files());
  expect(again && *again && print_journal(**again) == printed, "a journal reads as it is printed",
         {bytes, printed});
}

void read_pull_journal(const std::string& bytes) {
  const StateFolder folder("state.json", bytes);
  const auto journal = read_state_journal(folder.tree(), folder.files());
  if (!journal || !*journal) return;
  expect(write_state_journal(folder.tree(), folder.files(), **journal).has_value(),
         "a journal is written", {bytes});
  const auto again = read_state_journal(folder.tree(), folder.files());
  expect(again && *again && (*again)->commits == (*journal)->commits,
         "a journal reads as it is printed", {bytes});
}

void read_memory(const std::string& bytes) {
  const StateFolder folder("memory-" + sha256("pack\n").substr(0, 16) + ".json", bytes);
  auto memory = recall(folder.tree(), {"pack"});
  if (!memory) return;
  memory->key.packs = {"pack"};
  remember(folder.tree(), folder.files(), *memory);
  const auto again = recall(folder.tree(), {"pack"});
  expect(again && again->key == memory->key && again->files == memory->files &&
             write_json(again->report) == write_json(memory->report),
         "what is remembered is recalled", {bytes});
}

void read_places(const std::string& bytes) {
  const auto files = read_clang_json(bytes);
  if (!files) return;
  for (const auto& file : *files) {
    for (const auto& place : file.places) {
      for (const auto& arm : place.arms) {
        for (const auto& key : arm.keys) {
          (void)key_cc_text(key);
          (void)names(key, {12, 0});
        }
        if (arm.value) (void)value_text(*arm.value);
      }
      const auto taken = answer(place, {12, 0});
      expect(std::ranges::all_of(taken.arms, [&](auto arm) { return arm < place.arms.size(); }),
             "an answer names arms that are there", {bytes});
    }
  }
}

void read_pieces(const std::string& bytes) {
  const auto timeline = read_timeline("timeline.json", bytes);
  if (!timeline) return;
  const auto printed = write_json(*timeline);
  const auto again = read_timeline("timeline.json", printed);
  expect(again && write_json(*again) == printed, "a timeline reads as it is printed",
         {bytes, printed});
  (void)write_text(*timeline, {});
  if (!timeline->shard) return;
  // A piece that goes on where this one ends.
  auto next = *timeline;
  ++next.shard->index;
  next.shard->from = timeline->shard->to;
  for (auto& rule : next.rules) {
    rule.start = rule.end();
    rule.changes.clear();
  }
  const auto whole = merge_timelines({{"a.json", *timeline}, {"b.json", next}});
  if (whole) expect(!whole->shard, "pieces become a whole", {bytes});
}

void read_git_index(const std::string& bytes) { (void)read_index(bytes); }

void read_git_config(const std::string& bytes) {
  (void)config_value(bytes, "branch", "main", "remote");
  (void)config_value(bytes, "extensions", "", "objectformat");
}

void print_text(const std::string& bytes) {
  const auto shown = printable(bytes);
  expect(
      std::ranges::none_of(
          shown, [](unsigned char c) { return (c < ' ' && c != '\t' && c != '\n') || c == 0x7f; }),
      "what is printed has no control bytes", {shown});
  for (std::size_t at = 0; at + 1 < shown.size(); ++at)
    expect(shown[at] != '\xc2' || static_cast<unsigned char>(shown[at + 1]) >= 0xa0,
           "what is printed has no control characters", {shown});
  for (const auto* turned :
       {"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"})
    expect(!shown.contains(turned), "what is printed keeps its order", {shown});
  expect(!nlohmann::json(shown).dump().empty(), "what is printed is UTF-8", {shown});
  expect(printable(shown) == shown, "what is printed can be printed", {shown});
  (void)display_width(bytes);
  (void)shell_word(bytes);
  const auto half = bytes.size() / 2;
  (void)glob_matches(bytes.substr(0, half), bytes.substr(half));
  const auto value = parse_toml("a.toml", "a = " + toml_string(bytes));
  expect(value && value->find("a") != nullptr, "any text can stand in TOML", {bytes});
}

struct Reader {
  std::string_view name;
  void (*read)(const std::string& bytes);
};

constexpr Reader kReaders[] = {
    {"lock", read_lock},
    {"settings", read_settings},
    {"manifest", read_manifest},
    {"journal", read_run_journal},
    {"pull-journal", read_pull_journal},
    {"memory", read_memory},
    {"clang", read_places},
    {"timeline", read_pieces},
    {"index", read_git_index},
    {"git-config", read_git_config},
    {"text", print_text},
};

}  // namespace

void run_document(const Parts& parts) {
  if (parts.size() != 2) return;
  const auto* reader = std::ranges::find(kReaders, parts[0], &Reader::name);
  if (reader != std::end(kReaders)) reader->read(parts[1]);
}

}  // namespace portpatch::fuzz
