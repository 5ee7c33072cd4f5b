// One run over a tree and a pack beside it: a file changed, one removed, one created in a folder
// that is new, and the pack's lock changed.
#pragma once

#include <string>
#include <vector>

#include "apply/transaction.h"
#include "tests/repo/scratch.h"

namespace portpatch::test {

using namespace std::string_literals;

class Scenario {
 public:
  explicit Scenario(bool with_git) {
    ::umask(022);
    scratch_.write("tree/kept.txt", "kept\n");
    if (with_git) scratch_.run("git init -q tree");
    reset();
    old_ = state_of(scratch_.path());
    new_ = {{"tree/kept.txt", old_.at("tree/kept.txt")},
            {"tree/a.py", {"a = 2\r\n\0\xff"s, 0755}},
            {"tree/new/folder/made.py", {"made\n", 0644}},
            {"pack/pack.lock", {"format = 1\nnew\n", 0640}}};
  }

  /// Everything as before any run.
  void reset() {
    for (const auto* gone : {"tree/new", "tree/.portpatch", "tree/.git/portpatch",
                             "tree/.git/refs/portpatch", "tree/a.py", "pack/pack.lock"}) {
      fs::remove_all(scratch_.path(gone));
    }
    for (const auto& [path, file] : state()) {
      if (path.contains(".portpatch-")) fs::remove(scratch_.path(path));
    }
    scratch_.write("tree/a.py", "a = 1\r\n\0\xfe"s, 0755);
    scratch_.write("tree/gone.txt", "gone\n", 0600);
    scratch_.write("pack/pack.lock", "format = 1\n", 0640);
  }

  [[nodiscard]] WorkTree tree() const { return open_tree(scratch_.path("tree")); }
  [[nodiscard]] TreeState state() const { return state_of(scratch_.path()); }
  [[nodiscard]] const TreeState& old_state() const { return old_; }
  [[nodiscard]] const TreeState& new_state() const { return new_; }
  [[nodiscard]] const Scratch& scratch() const { return scratch_; }
  [[nodiscard]] std::string pack_lock() const { return scratch_.path("pack/pack.lock"); }

  [[nodiscard]] std::vector<FileChange> changes() const {
    return {{.path = "a.py", .before = "a = 1\r\n\0\xfe"s, .after = "a = 2\r\n\0\xff"s},
            {.path = "gone.txt", .before = "gone\n", .after = std::nullopt},
            {.path = "new/folder/made.py", .before = std::nullopt, .after = "made\n"},
            {.path = pack_lock(), .before = "format = 1\n", .after = "format = 1\nnew\n"}};
  }

  Result<Run> commit(FileSystem& files = real_file_system()) const {
    return commit_changes(tree(), files, changes(), "apply rules/sm120");
  }
  Result<Run> undo(FileSystem& files = real_file_system()) const {
    return undo_run(tree(), files, "", false);
  }

 private:
  Scratch scratch_;
  TreeState old_, new_;
};

}  // namespace portpatch::test
