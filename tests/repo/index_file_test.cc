#include "repo/index_file.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/repo/scratch.h"

namespace portpatch::test {
namespace {

/// The paths that portpatch should list, as git itself tells them.
std::vector<std::string> listed_by_git(const Scratch& scratch) {
  std::vector<std::string> paths;
  // "H 100644 ID 0<tab>PATH": `S` would be skip-worktree, `M` unmerged.
  const auto lines = scratch.run("git -C tree ls-files -v -s -z | tr '\\0' '\\n'");
  for (const auto line : split_lines(lines)) {
    if (line.starts_with("H 100") && line.contains(" 0\t")) {
      paths.emplace_back(line.substr(line.find('\t') + 1));
    }
  }
  return paths;
}

std::vector<std::string> listed(const Scratch& scratch) {
  const auto files = list_files(open_tree(scratch.path("tree")));
  if (!files) throw std::runtime_error(files.error().message);
  return *files;
}

/// A repository with regular and executable files, a link, a conflict, files that are not checked
/// out and one that is only intended to be added.
void make_repository(const Scratch& scratch) {
  for (int i = 0; i < 40; ++i) {
    scratch.write("tree/folder-" + std::to_string(i % 7) + "/file" + std::string(i * 5U, 'x'), "x");
  }
  scratch.write("tree/a.py", "base\n", 0755);
  scratch.write("tree/skipped.py", "");
  scratch.write("tree/intended.py", "");
  scratch.run(
      "git init -q tree; cd tree; ln -s a.py link.py; git add a.py skipped.py link.py folder-*;"
      "git commit -q -m one; git checkout -q -b other; echo other >a.py; git commit -q -a -m two;"
      "git checkout -q -; echo mine >a.py; git commit -q -a -m three; git merge -q other "
      ">/dev/null 2>&1 || true;"
      "git update-index --skip-worktree skipped.py; git add -N intended.py");
}

TEST(ReadIndex, ListsWhatGitListsInEachVersion) {
  Scratch scratch;
  make_repository(scratch);
  for (const auto* version : {"2", "3", "4"}) {
    // Version 2 has no room for these flags: git writes 3 as long as they are there.
    scratch.run("git -C tree update-index --index-version " + std::string(version));
    const auto files = listed(scratch);
    EXPECT_EQ(files, listed_by_git(scratch)) << version;
    EXPECT_EQ(files.size(), 41U);
    EXPECT_TRUE(std::ranges::is_sorted(files));
  }
  scratch.run(
      "cd tree; git update-index --no-skip-worktree skipped.py; git rm -q --cached intended.py;"
      "git update-index --index-version 2");
  EXPECT_EQ(scratch.read("tree/.git/index").substr(0, 8), std::string("DIRC\0\0\0\2", 8));
  EXPECT_EQ(listed(scratch), listed_by_git(scratch));
}

TEST(ReadIndex, ReadsASparseIndex) {
  Scratch scratch;
  for (const auto* name : {"a.py", "in/b.py", "out/c.py", "out/deep/d.py"}) {
    scratch.write(std::string("tree/") + name, "");
  }
  scratch.run(
      "git init -q tree; cd tree; git add .; git commit -q -m one;"
      "git sparse-checkout set --sparse-index in");
  EXPECT_TRUE(scratch.read("tree/.git/index").contains("sdir"));
  EXPECT_EQ(listed(scratch), (std::vector<std::string>{"a.py", "in/b.py"}));
}

TEST(ReadIndex, RefusesASplitIndexWithTheRemedy) {
  Scratch scratch;
  scratch.write("tree/a.py", "");
  scratch.run("git init -q tree; cd tree; git add .; git update-index --split-index");
  const auto files = list_files(open_tree(scratch.path("tree")));
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code, "unsupported-index");
  EXPECT_EQ(files.error().remedy, "run `git update-index --no-split-index`");
}

TEST(ReadIndex, OfAFreshRepositoryIsEmpty) {
  Scratch scratch;
  scratch.run("git init -q tree");
  EXPECT_EQ(listed(scratch), std::vector<std::string>{});
}

TEST(ReadIndex, RefusesEveryTruncation) {
  Scratch scratch;
  scratch.write("tree/a.py", "");
  scratch.write("tree/folder/b.py", "");
  scratch.run("git init -q tree; cd tree; git add .; git update-index --index-version 4");
  const auto bytes = scratch.read("tree/.git/index");
  ASSERT_TRUE(read_index(bytes));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto read = read_index(std::string_view(bytes).substr(0, size));
    // Without its last extension it is whole again.
    EXPECT_TRUE(!read || *read == read_index(bytes).value()) << size;
  }
  EXPECT_EQ(read_index(bytes.substr(0, 60)).error().code, "damaged-index");
}

}  // namespace
}  // namespace portpatch::test
