#include <gtest/gtest.h>

#include "tests/pack/pack_folder.h"

namespace portpatch::test {
namespace {

const std::string kRule = dict_rule("(#ensure-entry! @d \"1\" \"2\")");

std::string mistakes_of_settings(const std::string& toml) {
  return mistakes({{"pack.toml", toml}, {"python/a.scm", kRule}});
}

TEST(PackSettings, ReadsEveryKey) {
  const Scratch scratch;
  write_pack(scratch,
             {{"python/a.scm", kRule},
              {"python/b.scm", kRule},
              {"python/c.scm", kRule},
              {"pack.toml",
               "format = 1\nname = \"mine\"\nupstream = \"origin/main\"\nafter-edit = \"restart\"\n"
               "[defaults]\ngroup = \"g\"\nowner = \"me\"\nhardware = \"h\"\n"
               "[rules.\"python/a\"]\nexpect = \"1..3\"\non-conflict = \"keep-upstream\"\nrelocate "
               "= \"auto\"\n"
               "names = [\"MiB\"]\nupstream-pull-request = \"#1\"\nafter-edit = \"rebuild\"\nowner "
               "= \"you\"\n"
               "[rules.\"python/b\"]\nenabled = false\n[rules.\"python/c\"]\nexpect = \"all\"\n"}});
  const auto pack = load_pack(scratch.path("pack"));
  ASSERT_TRUE(pack);
  EXPECT_EQ(pack->name, "mine");
  EXPECT_EQ(pack->upstream, "origin/main");
  EXPECT_EQ(pack->after_edit, "restart");
  EXPECT_EQ(pack->resting, std::vector<std::string>{"python/b"});
  ASSERT_EQ(pack->rules.size(), 2u);
  const auto& settings = pack->rules[0].settings;
  EXPECT_EQ(describe(settings.expect), "1..3");
  EXPECT_EQ(settings.group, "g");
  EXPECT_EQ(settings.on_conflict, OnConflict::kKeepUpstream);
  EXPECT_EQ(settings.relocate, Relocate::kAuto);
  EXPECT_EQ(settings.names, std::vector<std::string>{"MiB"});
  EXPECT_EQ(settings.owner, "you");
  EXPECT_EQ(settings.hardware, "h");
  EXPECT_EQ(settings.upstream_pull_request, "#1");
  EXPECT_EQ(settings.after_edit, "rebuild");
  EXPECT_EQ(describe(pack->rules[1].settings.expect), "all");
}

TEST(PackSettings, NamesAPackByItsFolderWhenItHasNoName) {
  const Scratch scratch;
  write_pack(scratch, {{"python/a.scm", kRule}});
  EXPECT_EQ(load_pack(scratch.path("pack"))->name, "pack");
}

TEST(PackSettings, BadTomlIsShownAtItsPlace) {
  EXPECT_EQ(
      mistakes_of_settings("format = 1\nname = \n"),
      R"(pack/pack.toml:2:8: error: Error while parsing key-value pair: expected value, saw '\n' [bad-toml]
  2 | name = 
    |        ^
  help: mend the TOML syntax here
)");
  EXPECT_EQ(mistakes_of_settings("format = 1\nname = \"\xff\"\n"),
            R"(pack/pack.toml:2:8: error: Encountered invalid utf-8 sequence [bad-toml]
  2 | name = "\xff"
    |        ^
  help: mend the TOML syntax here
)");
  EXPECT_EQ(
      mistakes_of_settings("format = 1\nname = \"a\"\nname = \"b\"\n"),
      R"(pack/pack.toml:3:8: error: Error while parsing key-value pair: cannot redefine existing string 'name' [bad-toml]
  3 | name = "b"
    |        ^
  help: mend the TOML syntax here
)");
}

TEST(PackSettings, AMissingOrWrongFormatIsAMistake) {
  EXPECT_EQ(mistakes_of_settings("name = \"x\"\n"),
            R"(pack/pack.toml:1:1: error: `format = 1` is missing [bad-value]
  1 | name = "x"
    | ^^^^
  help: write `format = 1` as its first line
)");
  EXPECT_EQ(mistakes_of_settings("format = \"1\"\n"),
            R"(pack/pack.toml:1:10: error: `format` is no format's number [bad-value]
  1 | format = "1"
    |          ^^^
  help: write `format = 1`
)");
  EXPECT_EQ(mistakes_of_settings("format = 0\n"),
            R"(pack/pack.toml:1:10: error: `format` is no format's number [bad-value]
  1 | format = 0
    |          ^
  help: write `format = 1`
)");
}

TEST(PackSettings, ANewerFormatIsAllThatIsSaid) {
  EXPECT_EQ(
      mistakes({{"pack.toml", "format = 2\nunheard-of = 1\n"}, {"python/a.scm", "("}}),
      R"(pack/pack.toml:1:10: error: format 2 is not known to this portpatch, which knows format 1 [newer-format]
  1 | format = 2
    |          ^
  help: update portpatch, or use the pack's version for format 1
)");
}

TEST(PackSettings, UnknownKeysAreNamedWithTheNearestOne) {
  EXPECT_EQ(mistakes_of_settings("format = 1\nnam = \"x\"\n[defaults]\nexpct = "
                                 "1\n[rules.\"python/a\"]\nsomething-else = 1\n"),
            R"(pack/pack.toml:2:1: error: unknown key `nam` [unknown-key]
  2 | nam = "x"
    | ^^^
  help: did you mean `name`?
pack/pack.toml:4:1: error: unknown key `expct` [unknown-key]
  4 | expct = 1
    | ^^^^^
  help: did you mean `expect`?
pack/pack.toml:6:1: error: unknown key `something-else` [unknown-key]
  6 | something-else = 1
    | ^^^^^^^^^^^^^^
  help: known keys are: enabled, expect, group, on-conflict, relocate, names, helpers, owner, hardware, upstream-pull-request, after-edit
)");
}

TEST(PackSettings, ValuesOfAWrongKindAreNamed) {
  EXPECT_EQ(mistakes_of_settings("format = 1\nname = 1\nupstream = [\"a\"]\nafter-edit = "
                                 "true\ndefaults = 1\nrules = \"x\"\n"),
            R"(pack/pack.toml:2:8: error: `name` is an integer, not a string [bad-value]
  2 | name = 1
    |        ^
  help: make it a string
pack/pack.toml:3:12: error: `upstream` is an array, not a string [bad-value]
  3 | upstream = ["a"]
    |            ^^^^
  help: make it a string
pack/pack.toml:4:14: error: `after-edit` is true or false, not a string [bad-value]
  4 | after-edit = true
    |              ^^^^
  help: make it a string
pack/pack.toml:5:12: error: `defaults` is an integer, not a table [bad-value]
  5 | defaults = 1
    |            ^
  help: make it a table
pack/pack.toml:6:9: error: `rules` is a string, not a table [bad-value]
  6 | rules = "x"
    |         ^^^
  help: make it a table
)");
  EXPECT_EQ(
      mistakes_of_settings(
          "format = 1\n[rules.\"python/a\"]\nenabled = \"yes\"\ngroup = 3\non-conflict = \"keep\"\n"
          "relocate = 1\nnames = \"x\"\nowner = 2026-01-01\nhardware = {}\n"),
      R"(pack/pack.toml:3:11: error: `enabled` is a string, not true or false [bad-value]
  3 | enabled = "yes"
    |           ^^^^^
  help: make it true or false
pack/pack.toml:4:9: error: `group` is an integer, not a string [bad-value]
  4 | group = 3
    |         ^
  help: make it a string
pack/pack.toml:5:15: error: `keep` is no value of `on-conflict` [bad-value]
  5 | on-conflict = "keep"
    |               ^^^^^^
  help: one of: stop, keep-upstream, override
pack/pack.toml:6:12: error: `relocate` is an integer, not a string [bad-value]
  6 | relocate = 1
    |            ^
  help: make it a string
pack/pack.toml:7:9: error: `names` is a string, not an array [bad-value]
  7 | names = "x"
    |         ^^^
  help: make it an array
pack/pack.toml:8:9: error: `owner` is a value of another kind, not a string [bad-value]
  8 | owner = 2026-01-01
    |         ^^^^^^^^^^
  help: make it a string
pack/pack.toml:9:12: error: `hardware` is a table, not a string [bad-value]
  9 | hardware = {}
    |            ^^
  help: make it a string
)");
  EXPECT_EQ(mistakes_of_settings("format = 1\n[defaults]\nnames = [\"\xc3\xa4\", 1]\n"),
            R"(pack/pack.toml:3:16: error: `names` holds an integer, not a string [bad-value]
  3 | names = ["ä", 1]
    |               ^
  help: make it an array of strings: ["NAME"]
)");
  EXPECT_EQ(mistakes_of_settings("format = 1\n[rules]\n\"python/a\" = 1\n"),
            R"(pack/pack.toml:3:1: error: `python/a` must be a table [bad-value]
  3 | "python/a" = 1
    | ^^^^^^^^^^
  help: write [rules."LANGUAGE/RULE"] above its settings
)");
}

TEST(PackSettings, ExpectIsANumberARangeOrAll) {
  for (const auto* good : {"1", "12", "\"2\"", "\"1..3\"", "\"3..3\"", "\"all\""}) {
    EXPECT_EQ(mistakes_of_settings(std::string("format = 1\n[defaults]\nexpect = ") + good + "\n"),
              "")
        << good;
  }
  for (const auto* bad : {"0", "-1", "\"\"", "\"3..1\"", "\"0..1\"", "\"1...3\"", "\"1..\"",
                          "\"some\"", "1.5", "[1]", "99999999999999999999"}) {
    EXPECT_NE(mistakes_of_settings(std::string("format = 1\n[defaults]\nexpect = ") + bad + "\n"),
              "")
        << bad;
  }
  EXPECT_EQ(
      mistakes_of_settings("format = 1\n[defaults]\nexpect = \"3..1\"\n"),
      R"(pack/pack.toml:3:10: error: `expect` is no number of sites that a rule can have [bad-value]
  3 | expect = "3..1"
    |          ^^^^^^
  help: write 1, 2, "1..3" or "all"
)");
}

TEST(PackSettings, SettingsOfARuleThatIsNotThereAreAMistake) {
  EXPECT_EQ(
      mistakes_of_settings(
          "format = 1\n[rules.\"python/aa\"]\nexpect = 2\n[rules.\"cpp/something\"]\nexpect = 2\n"),
      R"(pack/pack.toml:2:8: error: the pack has no rule `python/aa` [unknown-rule]
  2 | [rules."python/aa"]
    |        ^^^^^^^^^
  help: did you mean `python/a`?
pack/pack.toml:4:8: error: the pack has no rule `cpp/something` [unknown-rule]
  4 | [rules."cpp/something"]
    |        ^^^^^^^^^^^^^
  help: remove the table, or add the rule
)");
}

TEST(PackSettings, MistakesOfSeveralFilesComeTogether) {
  EXPECT_EQ(
      mistakes(
          {{"pack.toml", "format = 1\nnam = \"x\"\n[rules.\"python/q\"]\n"},
           {"pack.lock", "format = 1\n[[rules.\"python/a\"]]\npath = \"/etc/passwd\"\n"},
           {"python/a.scm", "((identifer) @n (#eq? @n \"a\") (#ensure-element! @n \"1\" \"2\"))\n"},
           {"python/b.scm", "(identifier"},
           {"cpp/c.scm", "((identifier) @n (#eq? @n \"a\"))\n"}}),
      R"(pack/cpp/c.scm:1:1: error: the pattern has no directive: it would find a place and do nothing [no-directive]
  1 | ((identifier) @n (#eq? @n "a"))
    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  help: add a directive such as (#ensure-entry! @map "KEY" "VALUE"), or (#held! @node)
pack/pack.lock:3:8: error: `/etc/passwd` is no path inside a tree [bad-lock]
  3 | path = "/etc/passwd"
    |        ^^^^^^^^^^^^^
  help: remove this table, then record the base again with `portpatch refresh`
pack/pack.toml:2:1: error: unknown key `nam` [unknown-key]
  2 | nam = "x"
    | ^^^
  help: did you mean `name`?
pack/pack.toml:3:8: error: the pack has no rule `python/q` [unknown-rule]
  3 | [rules."python/q"]
    |        ^^^^^^^^
  help: did you mean `python/a`?
pack/python/a.scm:1:3: error: Python has no node type `identifer` [unknown-node-type]
  1 | ((identifer) @n (#eq? @n "a") (#ensure-element! @n "1" "2"))
    |   ^^^^^^^^^
  help: did you mean `identifier`?
pack/python/a.scm:1:31: error: `#ensure-element!` takes 2 arguments, not 3 [wrong-arguments]
  1 | ((identifer) @n (#eq? @n "a") (#ensure-element! @n "1" "2"))
    |                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  help: (#ensure-element! @sequence ELEMENT) means: the list, tuple, set, brace list or delimited string has the element
pack/python/b.scm:1:1: error: this bracket is never closed [query-syntax]
  1 | (identifier
    | ^
  help: add the missing `)`
)");
}

}  // namespace
}  // namespace portpatch::test
