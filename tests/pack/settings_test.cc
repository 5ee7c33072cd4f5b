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
  write_pack(scratch, {{"python/a.scm", kRule},
                       {"python/b.scm", kRule},
                       {"python/c.scm", kRule},
                       {"pack.toml",
                        "format = 1\nname = \"mine\"\nupstream = \"origin/main\"\nafter-edit = \"restart\"\n"
                        "[defaults]\ngroup = \"g\"\nowner = \"me\"\nhardware = \"h\"\n"
                        "[rules.\"python/a\"]\nexpect = \"1..3\"\non-conflict = \"keep-upstream\"\nrelocate = \"auto\"\n"
                        "names = [\"MiB\"]\nupstream-pull-request = \"#1\"\nafter-edit = \"rebuild\"\nowner = \"you\"\n"
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
  EXPECT_EQ(mistakes_of_settings("format = 1\nname = \n"), R"(?)");
  EXPECT_EQ(mistakes_of_settings("format = 1\nname = \"\xff\"\n"), R"(?)");
  EXPECT_EQ(mistakes_of_settings("format = 1\nname = \"a\"\nname = \"b\"\n"), R"(?)");
}

TEST(PackSettings, AMissingOrWrongFormatIsAMistake) {
  EXPECT_EQ(mistakes_of_settings("name = \"x\"\n"), R"(?)");
  EXPECT_EQ(mistakes_of_settings("format = \"1\"\n"), R"(?)");
  EXPECT_EQ(mistakes_of_settings("format = 0\n"), R"(?)");
}

TEST(PackSettings, ANewerFormatIsAllThatIsSaid) {
  EXPECT_EQ(mistakes({{"pack.toml", "format = 2\nunheard-of = 1\n"}, {"python/a.scm", "("}}), R"(?)");
}

TEST(PackSettings, UnknownKeysAreNamedWithTheNearestOne) {
  EXPECT_EQ(mistakes_of_settings("format = 1\nnam = \"x\"\n[defaults]\nexpct = 1\n[rules.\"python/a\"]\nsomething-else = 1\n"), R"(?)");
}

TEST(PackSettings, ValuesOfAWrongKindAreNamed) {
  EXPECT_EQ(mistakes_of_settings("format = 1\nname = 1\nupstream = [\"a\"]\nafter-edit = true\ndefaults = 1\nrules = \"x\"\n"), R"(?)");
  EXPECT_EQ(mistakes_of_settings("format = 1\n[rules.\"python/a\"]\nenabled = \"yes\"\ngroup = 3\non-conflict = \"keep\"\n"
                                 "relocate = 1\nnames = \"x\"\nowner = 2026-01-01\nhardware = {}\n"),
            R"(?)");
  EXPECT_EQ(mistakes_of_settings("format = 1\n[defaults]\nnames = [\"\xc3\xa4\", 1]\n"), R"(?)");
  EXPECT_EQ(mistakes_of_settings("format = 1\n[rules]\n\"python/a\" = 1\n"), R"(?)");
}

TEST(PackSettings, ExpectIsANumberARangeOrAll) {
  for (const auto* good : {"1", "12", "\"2\"", "\"1..3\"", "\"3..3\"", "\"all\""}) {
    EXPECT_EQ(mistakes_of_settings(std::string("format = 1\n[defaults]\nexpect = ") + good + "\n"), "") << good;
  }
  for (const auto* bad : {"0", "-1", "\"\"", "\"3..1\"", "\"0..1\"", "\"1...3\"", "\"1..\"", "\"some\"", "1.5", "[1]",
                          "99999999999999999999"}) {
    EXPECT_NE(mistakes_of_settings(std::string("format = 1\n[defaults]\nexpect = ") + bad + "\n"), "") << bad;
  }
  EXPECT_EQ(mistakes_of_settings("format = 1\n[defaults]\nexpect = \"3..1\"\n"), R"(?)");
}

TEST(PackSettings, SettingsOfARuleThatIsNotThereAreAMistake) {
  EXPECT_EQ(mistakes_of_settings("format = 1\n[rules.\"python/aa\"]\nexpect = 2\n[rules.\"cpp/something\"]\nexpect = 2\n"), R"(?)");
}

TEST(PackSettings, MistakesOfSeveralFilesComeTogether) {
  EXPECT_EQ(mistakes({{"pack.toml", "format = 1\nnam = \"x\"\n[rules.\"python/q\"]\n"},
                      {"pack.lock", "format = 1\n[[rules.\"python/a\"]]\npath = \"/etc/passwd\"\n"},
                      {"python/a.scm", "((identifer) @n (#eq? @n \"a\") (#ensure-element! @n \"1\" \"2\"))\n"},
                      {"python/b.scm", "(identifier"},
                      {"cpp/c.scm", "((identifier) @n (#eq? @n \"a\"))\n"}}),
            R"(?)");
}

}  // namespace
}  // namespace portpatch::test
