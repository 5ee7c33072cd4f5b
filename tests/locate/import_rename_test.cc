// Modules that upstream renamed, proved by the imports of a file; and rules that follow.
#include "locate/import_rename.h"

#include <gtest/gtest.h>

#include "tests/report/world.h"
#include "tests/syntax/tree.h"

namespace portpatch::test {
namespace {

std::string renames(const std::string& before, const std::string& after) {
  const auto one = ParsedFile::parse(language("python"), "a.py", before),
             two = ParsedFile::parse(language("python"), "a.py", after);
  std::string text;
  for (const auto& [from, to] : renamed_modules(*one, *two)) text += from + " -> " + to + "\n";
  return text;
}

TEST(ImportRename, TheSameNamesFromAnotherModule) {
  EXPECT_EQ(renames("from kit.details.flags import a, b\n", "from kit.info.flags import b, a\n"),
            "kit.details -> kit.info\n");
  EXPECT_EQ(renames("import kit.details.flags as flags\n", "import kit.info.flags as flags\n"),
            "kit.details -> kit.info\n");
  EXPECT_EQ(renames("def f():\n    from kit import a\n", "def f():\n    from tool import a\n"),
            "kit -> tool\n");
}

TEST(ImportRename, WhatIsNotCertainIsNone) {
  EXPECT_EQ(renames("from kit import a, b\n", "from kit import a\nfrom tool import b\n"),
            "");  // a name moved
  EXPECT_EQ(renames("from kit import a\n", "from tool import a\nfrom kit import c\n"),
            "");  // the module is still there
  EXPECT_EQ(
      renames("from kit import a\nfrom kit import b\n", "from one import a\nfrom two import b\n"),
      "");  // it was split
  EXPECT_EQ(renames("from kit import a\n", "from kit import a\n"), "");
}

TEST(ImportRename, OnlyWholeComponents) {
  const ModuleRenames map{{"kit.details", "kit.info"}, {"kit", "tool"}};
  EXPECT_EQ(renamed("kit.details.flags", map), "kit.info.flags");
  EXPECT_EQ(renamed("kit.details", map), "kit.info");
  EXPECT_EQ(renamed("kit.detailsx", map), "tool.detailsx");
  EXPECT_EQ(renamed("kitx.details", map), "kitx.details");
}

TEST(ImportRename, ARuleFollowsWhatOtherFilesProve) {
  const World world({{"pack.toml", "format = 1\n"},
                     {"python/flags.scm",
                      "; Ours.\n((module) @file (#in-path? \"a.py\") (#ensure-import! \"from "
                      "kit.details.flags import use\"))\n"}},
                    {{"a.py", "import os\n"}, {"b.py", "import kit.details.flags as flags\n"}},
                    true);
  ASSERT_TRUE(refresh(world.request("refresh")));
  world.scratch().write("up/b.py", "import kit.info.flags as flags\n");
  world.scratch().run("cd up; git commit -q -a -m rename; git -C ../tree pull -q --ff-only 2>&1");
  EXPECT_EQ(world.outcomes("apply"), "python/flags moved");
  EXPECT_EQ(world.file("a.py"), "import os\n");
  auto request = world.request("apply");
  request.accept_moves = true;
  EXPECT_EQ(world.outcomes(request), "python/flags edited");
  EXPECT_EQ(world.file("a.py"), "import os\n\nfrom kit.info.flags import use\n");
  EXPECT_TRUE(
      world.scratch().read("pack/python/flags.scm").contains("\"from kit.info.flags import use\""));
}

TEST(ImportRename, WhileAFileStillNamesTheModuleNothingFollows) {
  const World world({{"pack.toml", "format = 1\n"},
                     {"python/flags.scm",
                      "; Ours.\n((module) @file (#in-path? \"a.py\") (#ensure-import! \"from "
                      "kit.details.flags import use\"))\n"}},
                    {{"a.py", "import os\n"},
                     {"b.py", "import kit.details.flags as flags\n"},
                     {"c.py", "from kit.details.flags import x\n"}},
                    true);
  ASSERT_TRUE(refresh(world.request("refresh")));
  world.scratch().write("up/b.py", "import kit.info.flags as flags\n");
  world.scratch().run("cd up; git commit -q -a -m rename; git -C ../tree pull -q --ff-only 2>&1");
  EXPECT_EQ(world.outcomes("apply"), "python/flags edited");
  EXPECT_TRUE(world.file("a.py").contains("from kit.details.flags import use"));
}

/// A rule that imports from a module which upstream then renames.
World renamed_world(const std::map<std::string, std::string>& others) {
  std::map<std::string, std::string> files{
      {"a.py", "SIZES = {\n    8: 1,\n    9: 4,\n    10: 6,\n}\n"},
      {"b.py", "import kit.details.flags as flags\n"}};
  files.insert(others.begin(), others.end());
  return World({{"pack.toml", "format = 1\n[defaults]\nrelocate = \"auto\"\n"},
                {"python/flags.scm",
                 "; Ours.\n((assignment left: (_) @name right: (dictionary) @map)\n (#eq? @name "
                 "\"SIZES\")\n (#ensure-import! \"from kit.details.flags import use\")\n "
                 "(#ensure-entry! @map \"12\" \"use\"))\n"}},
               files, true);
}

TEST(ImportRename, ARuleThatIsNotFoundStaysSo) {
  const World world = renamed_world({});
  ASSERT_TRUE(refresh(world.request("refresh")));
  world.scratch().write("up/b.py", "import kit.info.flags as flags\n");
  world.scratch().run(
      "cd up; printf 'SIZES = {\\n    1: 1,\\n}\\n' >>a.py; git commit -q -a -m rename; git -C "
      "../tree pull -q --ff-only 2>&1");
  EXPECT_EQ(world.outcomes("apply"), "python/flags ambiguous");
}

TEST(ImportRename, AFileThatCannotBeReadProvesNothing) {
  const World world = renamed_world({{"c.py", "from kit.details.flags import x\n"}});
  ASSERT_TRUE(refresh(world.request("refresh")));
  world.scratch().write("up/b.py", "import kit.info.flags as flags\n");
  world.scratch().run(
      "cd up; git commit -q -a -m rename; cd ../tree; git pull -q --ff-only 2>&1; blob=$(git "
      "rev-parse HEAD:c.py); rm -f .git/objects/$(echo $blob | cut -c 1-2)/$(echo $blob | cut -c "
      "3-)");
  EXPECT_EQ(world.outcomes("apply"), "python/flags edited");
  EXPECT_TRUE(world.file("a.py").contains("from kit.details.flags import use"));
}

}  // namespace
}  // namespace portpatch::test
