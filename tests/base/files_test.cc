#include "base/files.h"

#include <gtest/gtest.h>

#include "base/digest.h"
#include "tests/repo/scratch.h"

namespace portpatch::test {
namespace {

TEST(Files, AreReadWhole) {
  const Scratch scratch;
  const std::string bytes = std::string("a\0b\r\n\xff", 6) + std::string(10000, 'x');
  scratch.write("a", bytes);
  EXPECT_EQ(read_file(scratch.path("a")), bytes);
  scratch.write("empty", "");
  EXPECT_EQ(read_file(scratch.path("empty")), "");
  EXPECT_TRUE(read_file("/proc/self/status")->contains("Pid:"));  // its size reads 0
}

TEST(Files, ThatCannotBeReadSayWhy) {
  const Scratch scratch;
  scratch.run("mkfifo pipe; mkdir folder");
  const auto reason = [&](const std::string& name) {
    return read_file(scratch.path(name)).error().message.substr(scratch.path().size() + 13);
  };
  EXPECT_EQ(reason("nowhere"), "nowhere: No such file or directory");
  EXPECT_EQ(reason("pipe"), "pipe: not a regular file");
  EXPECT_EQ(reason("folder"), "folder: not a regular file");
}

TEST(Files, ThatCannotBeReadAreNotAbsent) {
  const Scratch scratch;
  scratch.run("mkdir folder; echo text >file; ln -s nowhere link");
  EXPECT_EQ(read_file_if_there(scratch.path("nowhere")).value(), std::nullopt);
  EXPECT_EQ(read_file_if_there(scratch.path("file/below")).value(), std::nullopt);
  EXPECT_EQ(read_file_if_there(scratch.path("file")).value(), "text\n");
  EXPECT_EQ(read_file_if_there(scratch.path("folder")).error().code, "unreadable-file");
  EXPECT_EQ(kind_of_path(scratch.path("nowhere")).value(), PathKind::kNothing);
  EXPECT_EQ(kind_of_path(scratch.path("link")).value(), PathKind::kNothing);
  EXPECT_EQ(kind_of_path(scratch.path("folder")).value(), PathKind::kFolder);
  EXPECT_EQ(kind_of_path(scratch.path("file")).value(), PathKind::kFile);
}

TEST(Files, HashesAreSha256) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Paths, InsideATreeHaveNoWayOut) {
  for (const auto* good : {"a", "a/b.py", "..a", "a..", ".gitignore", "a/.github/b"})
    EXPECT_TRUE(is_inside_path(good)) << good;
  for (const auto* bad : {"", "/a", "..", "../a", "a/..", "a/../b", "a//b", "./a", "a/.", "a/",
                          ".git", ".git/hooks", "a/.GIT/b"}) {
    EXPECT_FALSE(is_inside_path(bad)) << bad;
  }
  EXPECT_FALSE(is_inside_path(std::string_view("a\0b", 3)));
}

TEST(Paths, AreMadeAbsoluteAsText) {
  EXPECT_EQ(absolute_path("/a/./b/../c/"), "/a/c");
  EXPECT_EQ(absolute_path("/"), "/");
  EXPECT_EQ(absolute_path(""), absolute_path("."));
}

}  // namespace
}  // namespace portpatch::test
