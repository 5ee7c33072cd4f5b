#include <gtest/gtest.h>
#include <unistd.h>

#include "pack/pack_files.h"
#include "tests/pack/pack_folder.h"

namespace portpatch::test {
namespace {

const std::string kRule = dict_rule("(#ensure-entry! @d \"1\" \"2\")");

TEST(LoadPack, ReadsReasonShapesAndLiterals) {
  const Scratch scratch;
  write_pack(scratch,
             {{"python/a.scm", "; Why it is there.\n;; Two lines.\n\n; of the pattern\n" + kRule +
                                   "((identifier) @b (#any-of? @b \"B\" \"C\") (#held! @b))\n"}});
  const auto pack = load_pack(scratch.path("pack/"));
  ASSERT_TRUE(pack);
  EXPECT_EQ(pack->path, scratch.path("pack"));
  ASSERT_EQ(pack->rules.size(), 1u);
  const auto& rule = pack->rules[0];
  EXPECT_EQ(rule.name, "python/a");
  EXPECT_EQ(rule.path, scratch.path("pack/python/a.scm"));
  EXPECT_EQ(rule.reason, "Why it is there.\nTwo lines.");
  ASSERT_EQ(rule.shapes.size(), 2u);
  EXPECT_EQ(rule.shapes[0].literals, (std::vector<std::vector<std::string>>{{"A"}}));
  EXPECT_EQ(rule.shapes[0].directives[0].texts, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(rule.shapes[1].literals, (std::vector<std::vector<std::string>>{{"B", "C"}}));
  EXPECT_EQ(rule.shapes[1].held, "b");
}

TEST(LoadPack, ManyRulesHaveTheMistakesOfEach) {
  const Scratch scratch;
  PackText files;
  for (int i = 0; i < 40; ++i) files["python/r" + std::to_string(i) + ".scm"] = kRule;
  write_pack(scratch, files);
  const auto all = load_pack(scratch.path("pack"));
  ASSERT_TRUE(all);
  EXPECT_EQ(all->rules.size(), 40u);
  EXPECT_EQ(all->rules[1].name, "python/r1");
  files["python/r7.scm"] =
      "((assignmen left: (identifier) @name) (#eq? @name \"A\") (#remove! @name))\n";
  files["python/r33.scm"] =
      "((assignment left: (dictionary_splat) @name) (#eq? @nam \"A\") (#held! @name))\n";
  // A predicate in front of its capture is tree-sitter's to refuse.
  files["python/r36.scm"] =
      "((assignment (#eq? @name \"A\") left: (identifier) @name right: (_) @v) (#replace! @v "
      "\"7\"))\n";
  write_pack(scratch, files);
  const auto said = [&](const std::string& path) {
    std::string text;
    const auto pack = load_pack(scratch.path(path));
    if (pack) return text;
    for (const auto& error : pack.error()) text += error.code + " " + error.message + "\n";
    return text;
  };
  EXPECT_EQ(said("pack"),
            said("pack/python/r33") + said("pack/python/r36") + said("pack/python/r7"));
  EXPECT_NE(said("pack/python/r36"), "");
  EXPECT_NE(said("pack/python/r33"), "");
}

TEST(LoadPack, TakesOneRuleByItsNameOrFile) {
  const Scratch scratch;
  write_pack(scratch, {{"python/a.scm", kRule}, {"python/b.scm", kRule}});
  for (const auto* name : {"pack/python/b", "pack/python/b.scm", "pack/./python/b"}) {
    const auto pack = load_pack(scratch.path(name));
    ASSERT_TRUE(pack) << name;
    ASSERT_EQ(pack->rules.size(), 1u);
    EXPECT_EQ(pack->rules[0].name, "python/b");
  }
}

TEST(LoadPack, ARuleIsNamedOnce) {
  const Scratch scratch;
  write_pack(scratch, {{"python/a.scm", kRule}, {"python/b.scm", kRule}});
  EXPECT_TRUE(load_packs({scratch.path("pack/python/a"), scratch.path("pack/python/b")}));
  for (const auto* name : {"pack", "pack/", "pack/python/b"}) {
    const auto packs = load_packs({scratch.path("pack"), scratch.path(name)});
    ASSERT_FALSE(packs) << name;
    EXPECT_EQ(packs.error()[0].code, "named-twice");
  }
}

TEST(LoadPack, LeavesOutTestsHiddenFilesAndOtherFiles) {
  const Scratch scratch;
  write_pack(scratch, {{"python/a.scm", kRule},
                       {"python/.b.scm", "("},
                       {"tests/python/c.scm", "("},
                       {"python/d.txt", "("},
                       {"README.md", "("},
                       {".git/python/e.scm", "("}});
  const auto pack = load_pack(scratch.path("pack"));
  ASSERT_TRUE(pack);
  EXPECT_EQ(pack->rules.size(), 1u);
}

TEST(LoadPack, ReadsALanguageFolderThatIsALink) {
  const Scratch scratch;
  write_pack(scratch, {{"elsewhere/a.scm", "("}});
  scratch.write("rules/a.scm", kRule);
  scratch.run("rm -r pack/elsewhere; ln -s ../rules pack/python");
  const auto pack = load_pack(scratch.path("pack"));
  ASSERT_TRUE(pack);
  EXPECT_EQ(pack->rules.size(), 1u);
}

TEST(LoadPack, HashChangesWithEveryFile) {
  const Scratch scratch;
  write_pack(scratch, {{"python/a.scm", kRule}, {"python/a.body.py", "1"}});
  const auto hash = [&] { return read_pack_files(scratch.path("pack"))->hash; };
  const auto before = hash();
  scratch.write("pack/python/a.body.py", "2");
  const auto after = hash();
  EXPECT_NE(before, after);
  scratch.write("pack/pack.lock", "format = 1\n");
  EXPECT_NE(hash(), after);
}

TEST(LoadPack, SaysWhereThereIsNoPack) {
  const Scratch scratch;
  scratch.write("folder/a.py", "");
  const auto pack = load_pack(scratch.path("folder"));
  ASSERT_FALSE(pack);
  ASSERT_EQ(pack.error().size(), 1u);
  EXPECT_EQ(
      without_folder(render(pack.error()[0], false), scratch),
      R"(error: folder is no rule pack: neither it nor a folder above it has a pack.toml [no-pack]
  help: name a folder such as rules/sm120, or one rule of it as rules/sm120/python/RULE
)");
}

TEST(LoadPack, ARuleThatIsNotThereIsNamedWithTheNearest) {
  EXPECT_EQ(mistakes({{"python/abc.scm", kRule}}, "/python/abd"),
            R"(error: the pack pack has no rule `python/abd` [unknown-rule]
  help: did you mean `python/abc`?
)");
  EXPECT_EQ(mistakes({{"python/abc.scm", kRule}, {"python/def.scm", kRule}}, "/cpp/x"),
            R"(error: the pack pack has no rule `cpp/x` [unknown-rule]
  help: its rules are: python/abc, python/def
)");
}

TEST(LoadPack, AnEmptyPackIsAMistake) {
  EXPECT_EQ(mistakes({{"python/a.txt", ""}}),
            R"(error: the pack pack has no rules, companions or cc [no-rules]
  help: a rule is a file LANGUAGE/NAME.scm in the pack; see rules/README.md
)");
}

TEST(LoadPack, RulesAtTheWrongPlaceAreAMistake) {
  EXPECT_EQ(
      mistakes({{"a.scm", kRule}, {"python/deeper/b.scm", kRule}, {"python/c.scm", kRule}}),
      R"(pack/a.scm: error: a rule stands at PACK/LANGUAGE/RULE.scm, neither higher nor deeper [misplaced-rule]
  help: move it to pack/LANGUAGE/a.scm
pack/python/deeper/b.scm: error: a rule stands at PACK/LANGUAGE/RULE.scm, neither higher nor deeper [misplaced-rule]
  help: move it to pack/LANGUAGE/b.scm
)");
}

TEST(LoadPack, AnUnknownLanguageFolderIsNamed) {
  EXPECT_EQ(
      mistakes({{"pyton/a.scm", kRule}, {"fortran/b.scm", kRule}}),
      R"(pack/fortran/b.scm: error: `fortran` is no language that portpatch knows [unknown-language]
  help: languages are: cmake, cpp, json, python, toml, yaml
pack/pyton/a.scm: error: `pyton` is no language that portpatch knows [unknown-language]
  help: did you mean the folder `python`?
)");
}

TEST(LoadPack, ARuleThatCannotBeReadIsNamed) {
  if (::geteuid() == 0) {
    const Scratch scratch;
    write_pack(scratch, {{"python/b.scm", kRule}});
    scratch.run("ln -s nowhere pack/python/a.scm");
    const auto pack = load_pack(scratch.path("pack"));
    ASSERT_FALSE(pack);
    EXPECT_EQ(without_folder(render(pack.error()[0], false), scratch),
              R"(error: cannot read pack/python/a.scm: No such file or directory [unreadable-file]
)");
  } else {
    const Scratch scratch;
    write_pack(scratch, {{"python/a.scm", kRule}});
    scratch.run("chmod 0 pack/python/a.scm");
    EXPECT_FALSE(load_pack(scratch.path("pack")));
  }
}

}  // namespace
}  // namespace portpatch::test
