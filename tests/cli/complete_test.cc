#include "cli/complete.h"

#include <gtest/gtest.h>

#include "cli/command.h"
#include "tests/cli/program.h"

namespace portpatch::test {
namespace {

/// What may follow on `words`, as one text: the words, then what the shell adds.
std::string offered(const std::vector<std::string>& words) {
  const auto completion = complete(words);
  std::string text;
  for (const auto& [word, help] : completion.words) {
    EXPECT_FALSE(help.empty()) << word;
    text += word + " ";
  }
  return text + std::string(completion.files);
}

TEST(Complete, OffersCommandsThenWhatTheyTake) {
  EXPECT_EQ(offered({"a"}), "apply audit ");
  EXPECT_EQ(offered({"apply", ""}), "packs");
  EXPECT_EQ(offered({"apply", "one", ""}), "packs");
  EXPECT_EQ(offered({"explain", "one", ""}), "");
  EXPECT_EQ(offered({"query", ""}), "");
  EXPECT_EQ(offered({"query", "(x)", ""}), "files");
  EXPECT_EQ(offered({"hook", ""}), "install uninstall status ");
  EXPECT_EQ(offered({"hook", "install", ""}), "packs");
  EXPECT_EQ(offered({"nonsense", ""}), "");
  EXPECT_EQ(offered({}), "");
}

TEST(Complete, NamesEveryCommandAndNoneThatIsHidden) {
  std::string names;
  for (const auto& command : command_table()) names += command.is_hidden ? "" : command.name + " ";
  EXPECT_EQ(offered({""}), names);
  EXPECT_FALSE(names.contains("complete"));
}

TEST(Complete, OffersOptionsOnce) {
  EXPECT_EQ(offered({"-"}), "-C --format --help --version ");
  EXPECT_EQ(offered({"unapply", "-"}), "--dry-run --diff --all-or-nothing -C --format --help ");
  EXPECT_EQ(offered({"unapply", "--diff", "--d"}), "--dry-run ");
  EXPECT_EQ(offered({"-C", "somewhere", "unapply", "--a"}), "--all-or-nothing ");
  EXPECT_EQ(offered({"check", "-I", "one", "-I"}), "-I ");
}

TEST(Complete, OffersTheValuesOfAnOption) {
  EXPECT_EQ(offered({"--format", ""}), "text json sarif rdjson github markdown gitlab junit html ");
  EXPECT_EQ(offered({"status", "--format=j"}), "--format=json --format=junit ");
  EXPECT_EQ(offered({"-C", ""}), "folders");
  EXPECT_EQ(offered({"audit", "--cc", ""}), "auto ");
  EXPECT_EQ(offered({"capture", "--pack", ""}), "packs");
  EXPECT_EQ(offered({"timeline", "--shard", ""}), "");
  EXPECT_EQ(offered({"refresh", "--at", ""}), "files");
  EXPECT_EQ(offered({"refresh", "--at", "file:1", ""}), "packs");
}

TEST(Complete, LeavesWhatIsHandedOnToItsOwnProgram) {
  EXPECT_EQ(offered({"pull", "pack", "--", "-"}), "");
}

TEST(Complete, OffersTheRunsThatCanBeUndone) {
  const World world({{"python/table.scm",
                      "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n "
                      "\"TABLE\")\n (#ensure-entry! @d \"12\" \"1\"))\n"}},
                    {{"a.py", "TABLE = {9: 1}\n"}});
  EXPECT_EQ(portpatch(world.scratch(), "-C tree apply pack").status, 0);
  EXPECT_EQ(portpatch(world.scratch(), "complete -- -C tree undo ''").out, "RUN\tapply pack\n");
  EXPECT_EQ(portpatch(world.scratch(), "complete -- undo ''").out, "");
}

TEST(Manual, HasEveryCommandAndOption) {
  const Scratch scratch;
  const auto page = portpatch(scratch, "man").out;
  const auto roff = [](std::string text) {
    for (std::size_t at = 0; (at = text.find('-', at)) != std::string::npos; at += 2)
      text.insert(at, "\\");
    return text;
  };
  for (const auto& command : command_table()) {
    EXPECT_NE(page.contains("\n.SS portpatch " + roff(command.name) + " "), command.is_hidden)
        << command.name;
    for (const auto& option : options_of(command))
      EXPECT_TRUE(page.contains("\n.B " + roff(option.name) + " ")) << option.name;
  }
  EXPECT_TRUE(
      page.starts_with(".TH PORTPATCH 1 \"\" \"portpatch 0.1.0\" \"User Commands\"\n.SH NAME\n"))
      << page;
}

}  // namespace
}  // namespace portpatch::test
