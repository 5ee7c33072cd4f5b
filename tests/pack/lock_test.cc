#include "pack/lock.h"

#include <gtest/gtest.h>

#include "tests/pack/pack_folder.h"

namespace portpatch::test {
namespace {

std::string mistakes_of_lock(const std::string& lock) {
  return mistakes(
      {{"pack.lock", lock}, {"python/a.scm", dict_rule("(#ensure-entry! @d \"1\" \"2\")")}});
}

TEST(PackLock, IsWrittenAsItIsRead) {
  const PackLock lock{{{"python/b", {{"", "b.py", "", "b"}}},
                       {"python/a",
                        {{"0123", "dir \"x\"/a.py", "C.f", "{\n    1: '''2''',\n}"},
                         {"", "\xc3\xa4.py", "", "tab\there \\ \x01"}}}}};
  const auto text = write_lock(lock);
  EXPECT_EQ(
      text,
      R"(# The base of this pack: where each site was when it was last confirmed, and what upstream
# said there. Written by `portpatch refresh`; commit it with the pack.
format = 1

[[rules."python/a"]]
commit = "0123"
path = "dir \"x\"/a.py"
scope = "C.f"
text = "{\n    1: '''2''',\n}"

[[rules."python/a"]]
path = "ä.py"
scope = ""
text = "tab\there \\ \u0001"

[[rules."python/b"]]
path = "b.py"
scope = ""
text = "b"
)");
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

// Source text and names are bytes: Latin-1 in a string of upstream's, say.
TEST(PackLock, KeepsWhatIsNotUtf8) {
  for (const std::string bytes : {"x = '\xe9'", "\xed\xa0\x80", "a\nb", "hex:41", "hex:"}) {
    const PackLock lock{{{bytes, {{"", bytes + ".py", bytes, bytes}}}}};
    const auto again = parse_lock("pack.lock", write_lock(lock));
    ASSERT_TRUE(again) << write_lock(lock);
    const auto& site = again->rules.at(bytes).at(0);
    EXPECT_EQ(site.path + "|" + site.scope + "|" + site.text, bytes + ".py|" + bytes + "|" + bytes);
  }
}

TEST(PackLock, RefusesPathsThatLeaveTheTree) {
  EXPECT_EQ(mistakes_of_lock(
                "format = 1\n[[rules.\"python/a\"]]\nscope = \"\"\npath = \"../../etc/passwd\"\n"),
            R"(pack/pack.lock:4:8: error: `../../etc/passwd` is no path inside a tree [bad-lock]
  4 | path = "../../etc/passwd"
    |        ^^^^^^^^^^^^^^^^^^
  help: remove this table, then record the base again with `portpatch refresh`
)");
  for (const auto* path :
       {"/etc/passwd", "", "a/../b", ".", "a//b", ".git/hooks/post-merge", "a/.GIT/x", "a/"}) {
    EXPECT_NE(mistakes_of_lock("format = 1\n[[rules.\"python/a\"]]\npath = \"" + std::string(path) +
                               "\"\n"),
              "")
        << path;
  }
}

TEST(PackLock, SaysWhatIsDamagedAndWhatToDo) {
  EXPECT_EQ(
      mistakes_of_lock("<<<<<<< HEAD\nformat = 1\n"),
      R"(pack/pack.lock:1:1: error: Error while parsing root table: expected keys, tables, whitespace or comments, saw '<' [bad-toml]
  1 | <<<<<<< HEAD
    | ^
  help: mend it, or remove the file and record the base again with `portpatch refresh`
)");
  EXPECT_EQ(mistakes_of_lock("format = 1\n[rules.\"python/a\"]\npath = \"a.py\"\n"),
            R"(pack/pack.lock:2:8: error: this must be an array of tables [bad-value]
  2 | [rules."python/a"]
    |        ^^^^^^^^^^
  help: write [[...]] above each of its tables
)");
  EXPECT_EQ(mistakes_of_lock("format = 1\nrules = 3\n"),
            R"(pack/pack.lock:2:9: error: `rules` is an integer, not a table [bad-value]
  2 | rules = 3
    |         ^
  help: make it a table
)");
  EXPECT_EQ(mistakes_of_lock("format = 1\n[[rules.\"python/a\"]]\nscop = \"\"\ncommit = 3\n"),
            R"(pack/pack.lock:2:1: error: the site has no `path` [bad-lock]
  2 | [[rules."python/a"]]
    | ^^^^^^^^^^^^^^^^^^
  help: remove this table, then record the base again with `portpatch refresh`
pack/pack.lock:3:1: error: unknown key `scop` [unknown-key]
  3 | scop = ""
    | ^^^^
  help: did you mean `scope`?
pack/pack.lock:4:10: error: `commit` is an integer, not a string [bad-value]
  4 | commit = 3
    |          ^
  help: make it a string
)");
  EXPECT_EQ(
      mistakes_of_lock("format = 7\n[[rules.\"python/a\"]]\nelsewhere = \"\"\n"),
      R"(pack/pack.lock:1:10: error: format 7 is not known to this portpatch, which knows format 1 [newer-format]
  1 | format = 7
    |          ^
  help: update portpatch, or use the pack's version for format 1
)");
  EXPECT_EQ(mistakes_of_lock(""), R"(pack/pack.lock:1:1: error: `format = 1` is missing [bad-value]
  1 | 
    | ^
  help: write `format = 1` as its first line
)");
}

TEST(PackLock, OfARuleThatIsGoneIsKept) {
  EXPECT_EQ(mistakes_of_lock("format = 1\n[[rules.\"python/gone\"]]\npath = \"a.py\"\n"), "");
}

}  // namespace
}  // namespace portpatch::test
