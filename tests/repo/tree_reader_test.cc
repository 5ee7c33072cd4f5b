#include "repo/tree_reader.h"

#include <gtest/gtest.h>

#include "tests/repo/scratch.h"

namespace portpatch::test {
namespace {

/// A work tree whose files on disk differ from its commit, and its bare clone.
class TreeReaderTest : public testing::Test {
 protected:
  TreeReaderTest() {
    scratch_.write("tree/a/b.py", "committed\n");
    scratch_.write("tree/c.py", "c\r\n");
    scratch_.write("tree/gone.py", "gone\n");
    scratch_.run(
        "cd tree; ln -s c.py link.py; git init -q -b main; git add .; git commit -q -m one; git "
        "clone -q --bare . ../bare");
    scratch_.write("tree/a/b.py", "on disk\n");
    scratch_.write("tree/new.py", "new\n");
    scratch_.run("cd tree; rm gone.py; git add new.py");
  }

  WorkTree tree(const std::string& folder, const std::string& revision) const {
    auto tree = open_repository_tree(scratch_.path(folder));
    if (!tree) throw std::runtime_error(tree.error().message);
    if (!revision.empty()) tree->revision = History::open(*tree)->resolve(revision).value();
    return *tree;
  }

  static std::vector<std::string> paths(const WorkTree& tree) {
    std::vector<std::string> paths;
    const auto files = list_tree(tree);
    if (!files) return {"failed: " + files.error().message};
    for (const auto& file : *files) paths.push_back(file.path);
    return paths;
  }

  static std::vector<TreeFile> files_of(const WorkTree& tree) { return list_tree(tree).value(); }

  Scratch scratch_;
};

using Paths = std::vector<std::string>;

TEST_F(TreeReaderTest, ListsTheIndexOrTheRevision) {
  EXPECT_EQ(paths(tree("tree", "")), (Paths{"a/b.py", "c.py", "gone.py", "new.py"}));
  EXPECT_EQ(paths(tree("tree", "HEAD")), (Paths{"a/b.py", "c.py", "gone.py"}));
  EXPECT_EQ(paths(tree("bare", "HEAD")), (Paths{"a/b.py", "c.py", "gone.py"}));
}

TEST_F(TreeReaderTest, ReadsFromDiskOrFromTheRevision) {
  for (const auto* folder : {"tree", "bare"}) {
    const auto at = tree(folder, "HEAD");
    auto reader = TreeReader::open(at, 100);
    ASSERT_TRUE(reader);
    for (const auto& file : files_of(at))
      EXPECT_EQ(reader->read(file).value(), reader->read(file.path).value().value()) << file.path;
    EXPECT_EQ(reader->read("a/b.py").value(), "committed\n");
    EXPECT_EQ(reader->read("c.py").value(), "c\r\n");
    EXPECT_EQ(reader->read("gone.py").value(), "gone\n");
    for (const auto* path : {"new.py", "a", "a/none.py", "link.py"})
      EXPECT_EQ(reader->read(path).value(), std::nullopt) << path;
  }
  const auto disk = tree("tree", "");
  auto reader = TreeReader::open(disk, 100);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->read(TreeFile{"a/b.py", ""}).value(), "on disk\n");
  EXPECT_EQ(reader->read("new.py").value(), "new\n");
  EXPECT_EQ(reader->read("link.py").value(), "c\r\n") << "a link that is named is followed";
  EXPECT_FALSE(reader->read(TreeFile{"link.py", ""})) << "one of the list is not";
  EXPECT_FALSE(reader->read(TreeFile{"gone.py", ""}));
  EXPECT_EQ(reader->read("gone.py").value(), std::nullopt);
}

TEST_F(TreeReaderTest, RefusesWhatIsTooLarge) {
  for (const auto* revision : {"", "HEAD"}) {
    const auto at = tree("tree", revision);
    auto reader = TreeReader::open(at, 4);
    ASSERT_TRUE(reader);
    for (const auto& file : files_of(at)) {
      if (file.path != "a/b.py") continue;
      const auto text = reader->read(file);
      ASSERT_FALSE(text);
      EXPECT_TRUE(text.error().message.ends_with(
          " bytes, and 4 bytes are the most; take it out of the tree, or split it"))
          << text.error().message;
    }
  }
}

TEST_F(TreeReaderTest, SaysThatABlobIsAbsent) {
  scratch_.run(
      "git -C tree config uploadpack.allowFilter true; git clone -q --bare --filter=blob:none "
      "file://$PWD/tree blobless");
  const auto at = tree("blobless", "HEAD");
  auto reader = TreeReader::open(at, 100);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->read(files_of(at)[0]).error().code, "absent-blob");
  EXPECT_EQ(reader->read("c.py").error().code, "absent-blob");
  EXPECT_EQ(reader->read("none.py").value(), std::nullopt);
}

}  // namespace
}  // namespace portpatch::test
