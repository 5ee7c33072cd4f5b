#include "pack/lock.h"

#include <gtest/gtest.h>

#include "tests/pack/pack_folder.h"

namespace portpatch::test {
namespace {

std::string mistakes_of_lock(const std::string& lock) {
  return mistakes({{"pack.lock", lock}, {"python/a.scm", dict_rule("(#ensure-entry! @d \"1\" \"2\")")}});
}

TEST(PackLock, IsWrittenAsItIsRead) {
  const PackLock lock{{{"python/b", {{"", "b.py", "", "b"}}},
                       {"python/a", {{"0123", "dir \"x\"/a.py", "C.f", "{\n    1: '''2''',\n}"}, {"", "\xc3\xa4.py", "", "tab\there \\ \x01"}}}}};
  const auto text = write_lock(lock);
  EXPECT_EQ(text, R"(?)");
  const auto again = parse_lock("pack.lock", text);
  ASSERT_TRUE(again);
  EXPECT_EQ(write_lock(*again), text);
  EXPECT_EQ(again->rules.at("python/a")[0].text, "{\n    1: '''2''',\n}");
  EXPECT_EQ(again->rules.at("python/a")[1].text, "tab\there \\ \x01");
}

TEST(PackLock, KeepsCarriageReturnsAndALeadingNewline) {
  for (const auto* text : {"a\r\nb", "\na", "a\n", "", "'''", "\"\"\"", "a\nb'", "\\"}) {
    const PackLock lock{{{"python/a", {{"", "a.py", "", text}}}}};
    const auto again = parse_lock("pack.lock", write_lock(lock));
    ASSERT_TRUE(again) << write_lock(lock);
    EXPECT_EQ(again->rules.at("python/a")[0].text, text);
  }
}

TEST(PackLock, RefusesPathsThatLeaveTheTree) {
  EXPECT_EQ(mistakes_of_lock("format = 1\n[[rules.\"python/a\"]]\nscope = \"\"\npath = \"../../etc/passwd\"\n"), R"(?)");
  for (const auto* path : {"/etc/passwd", "", "a/../b", ".", "a//b", ".git/hooks/post-merge", "a/.GIT/x", "a/"}) {
    EXPECT_NE(mistakes_of_lock("format = 1\n[[rules.\"python/a\"]]\npath = \"" + std::string(path) + "\"\n"), "") << path;
  }
}

TEST(PackLock, SaysWhatIsDamagedAndWhatToDo) {
  EXPECT_EQ(mistakes_of_lock("<<<<<<< HEAD\nformat = 1\n"), R"(?)");
  EXPECT_EQ(mistakes_of_lock("format = 1\n[rules.\"python/a\"]\npath = \"a.py\"\n"), R"(?)");
  EXPECT_EQ(mistakes_of_lock("format = 1\nrules = 3\n"), R"(?)");
  EXPECT_EQ(mistakes_of_lock("format = 1\n[[rules.\"python/a\"]]\nscop = \"\"\ncommit = 3\n"), R"(?)");
  EXPECT_EQ(mistakes_of_lock("format = 7\n[[rules.\"python/a\"]]\nelsewhere = \"\"\n"), R"(?)");
  EXPECT_EQ(mistakes_of_lock(""), R"(?)");
}

TEST(PackLock, OfARuleThatIsGoneIsKept) {
  EXPECT_EQ(mistakes_of_lock("format = 1\n[[rules.\"python/gone\"]]\npath = \"a.py\"\n"), "");
}

}  // namespace
}  // namespace portpatch::test
