#include "syntax/query.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "syntax/pattern_set.h"
#include "tests/syntax/tree.h"

namespace portpatch::test {
namespace {

TEST(Query, MatchesComeByPatternAndPlace) {
  EXPECT_EQ(matches("python", "((string) @s) ((identifier) @n)", "b = 'x'\na = 'y'\n"),
            "0: @s 'x'\n0: @s 'y'\n1: @n b\n1: @n a\n");
}

TEST(Query, AlternationsAndStringsArePatternsToo) {
  EXPECT_EQ(matches("python", "[(integer) (float)] @n", "1\n2.0\n"), "0: @n 1\n0: @n 2.0\n");
  EXPECT_EQ(matches("python", "\"=\" @e", "a = 1\n"), "0: @e =\n");
}

TEST(Query, PredicatesOfOnePatternDoNotTouchAnother) {
  EXPECT_EQ(matches("python", "((identifier) @n (#eq? @n \"a\")) ((identifier) @n (#eq? @n \"b\"))",
                    "a\nb\n"),
            "0: @n a\n1: @n b\n");
}

TEST(Query, DirectivesAreKeptInOrder) {
  const auto query = query_of("python",
                              "((identifier) @n (#eq? @n \"a\") (#one! @n \"x\") (#two! \"y\"))");
  ASSERT_EQ(query.directives(0).size(), 2u);
  EXPECT_EQ(query.directives(0)[0].name, "one!");
  EXPECT_EQ(query.directives(0)[1].arguments[0].text, "y");
  EXPECT_EQ(query.predicates(0)[0].name, "eq?");
}

TEST(Query, AnExceededMatchLimitIsNoticed) {
  // Every pair of elements is a match in progress: more than the limit for a long list.
  std::string text = "[";
  for (int i = 0; i < 90; ++i) text += "a, ";
  text += "b]\n";
  const auto found = matches(
      "python", "((list (identifier) @a (identifier) @b (identifier) @c (string)) (#eq? @a \"a\"))",
      text);
  EXPECT_EQ(found,
            "[limit-matches] limit-matches: more than 1024 matches in progress; anchor the pattern "
            "closer to its place, or use fewer open quantifiers");
}

TEST(Query, AFileOverTheLimitIsRefused) {
  const auto tree = SourceTree::parse(language("python"), std::string(kMaxSourceBytes + 1, '\n'));
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().message,
            "limit-file-size: 67108865 bytes, and 67108864 bytes are the most; take it out of the "
            "tree, or split it");
}

std::string text_of_file(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

using Found = std::vector<std::tuple<std::size_t, std::string, ByteRange, std::string>>;

void add(Found& found, const Match& match) {
  for (const auto& capture : match.captures) {
    found.emplace_back(match.pattern, std::string(capture.name), capture.node.range(),
                       std::string(capture.node.kind()));
  }
}

/// What tree-sitter's own query engine finds with a language's description, and what ours finds.
class Descriptions : public testing::TestWithParam<std::string> {};

void compare_engines(const std::string& name, const std::string& file, const PatternSet& ours,
                     const std::string& text) {
  const auto path = name + "/" + file;
  const auto query_text = text_of_file(PORTPATCH_SOURCE_DIR "/rules/languages/" + path);
  const auto theirs = CompiledQuery::compile(language(name), path, query_text);
  ASSERT_TRUE(theirs) << render(theirs.error()[0], false);
  const auto tree = tree_of(name, text);
  Found expected, found;
  const auto all = theirs->run(tree, tree.root(), "");
  ASSERT_TRUE(all);
  for (const auto& match : *all) add(expected, match);
  walk(tree.root(), [&](const Node& node) {
    ours.match_at(tree, node, [&](const Match& match) { add(found, match); });
    return true;
  });
  for (auto* list : {&expected, &found}) {
    std::ranges::sort(*list);
    list->erase(std::ranges::unique(*list).begin(), list->end());
  }
  EXPECT_FALSE(file == "roles.scm" && expected.empty());
  Found missing, extra;
  std::ranges::set_difference(expected, found, std::back_inserter(missing));
  std::ranges::set_difference(found, expected, std::back_inserter(extra));
  const auto show = [&](const Found& list) {
    std::string out;
    for (const auto& [pattern, capture, range, kind] : list) {
      out += std::to_string(pattern) + " @" + capture + " " + kind + " " +
             std::string(range.of(text).substr(0, 60)) + "\n";
      if (out.size() > 2000) break;
    }
    return out;
  };
  EXPECT_EQ(show(missing), "") << "tree-sitter finds these, ours not: " << path;
  EXPECT_EQ(show(extra), "") << "ours finds these, tree-sitter not: " << path;
}

std::string sample_of(const std::string& name) {
  const std::string root = PORTPATCH_SOURCE_DIR;
  if (name == "python") return text_of_file(root + "/tests/syntax/samples/roles.py");
  if (name == "cpp")
    return text_of_file(root + "/tests/syntax/samples/roles.cu") +
           text_of_file(root + "/tool/syntax/cc.cc");
  if (name == "cmake")
    return text_of_file(root + "/tests/syntax/samples/roles.cmake") +
           text_of_file(root + "/CMakeLists.txt");
  if (name == "json")
    return text_of_file(root + "/package.json") + text_of_file(root + "/CMakePresets.json");
  if (name == "toml")
    return text_of_file(root + "/tests/syntax/samples/roles.toml") +
           text_of_file(root + "/rules/languages/python/language.toml");
  return text_of_file(root + "/tests/syntax/samples/roles." + name);
}

TEST_P(Descriptions, RolesAndChecksAreReadAsTreeSitterReadsThem) {
  const auto sample = sample_of(GetParam());
  ASSERT_NE(sample, "");
  compare_engines(GetParam(), "roles.scm", language(GetParam()).roles(), sample);
  compare_engines(GetParam(), "checks.scm", language(GetParam()).checks(), sample);
}

TEST_P(Descriptions, CapturesAreRolesOrHelpers) {
  const std::vector<std::string> known = {
#define PORTPATCH_ROLE(name, capture, meaning) capture,
      PORTPATCH_ROLES(PORTPATCH_ROLE)
#undef PORTPATCH_ROLE
  };
  const auto text = read_query_text(
      "roles.scm",
      text_of_file(PORTPATCH_SOURCE_DIR "/rules/languages/" + GetParam() + "/roles.scm"));
  ASSERT_TRUE(text);
  for (const auto& pattern : text->patterns) {
    for (const auto& capture : captures_of(pattern)) {
      EXPECT_TRUE(capture.starts_with('_') || std::ranges::find(known, capture) != known.end())
          << capture;
    }
  }
}

TEST_P(Descriptions, ChecksSayWhatIsWrong) {
  const auto text = read_query_text(
      "checks.scm",
      text_of_file(PORTPATCH_SOURCE_DIR "/rules/languages/" + GetParam() + "/checks.scm"));
  ASSERT_TRUE(text);
  for (std::size_t i = 0; i < text->patterns.size(); ++i) {
    const auto& directives = language(GetParam()).checks().directives(i);
    ASSERT_FALSE(directives.empty());
    EXPECT_EQ(directives.back().name, "set!");
    ASSERT_EQ(directives.back().arguments.size(), 1u);
    EXPECT_FALSE(directives.back().arguments[0].text.empty());
  }
}

TEST_P(Descriptions, FramesAreWholeFilesAroundNothing) {
  for (const auto* kind : {"expression", "entry", "statement", "argument"}) {
    for (const auto& frame : language(GetParam()).frames(kind)) {
      EXPECT_TRUE(frame.before.empty() || frame.before.ends_with('\n') ||
                  frame.before.ends_with(' '))
          << frame.before;
      EXPECT_TRUE(frame.after.starts_with('\n')) << frame.after;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Languages, Descriptions, testing::ValuesIn(language_names()),
                         [](const auto& name) { return name.param; });

TEST(Language, IsFoundByNameAndAlias) {
  EXPECT_EQ(find_language("cuda"), find_language("cpp"));
  EXPECT_EQ(find_language("py"), find_language("python"));
  EXPECT_EQ(find_language("fortran"), nullptr);
  EXPECT_TRUE(language("python").owns("a/b.pyi"));
  EXPECT_FALSE(language("python").owns("a/b.pyc"));
  EXPECT_TRUE(language("cpp").owns("a/b.cuh"));
}

TEST(Language, FillsTemplatesOnce) {
  EXPECT_EQ(fill_template("{table}[{key}] = {value}", "T", "{value}", "{key}"),
            "T[{value}] = {key}");
}

}  // namespace
}  // namespace portpatch::test
