#include "syntax/highlight.h"

#include <gtest/gtest.h>

#include "syntax/language.h"

namespace portpatch::test {
namespace {

/// The text with `kind(...)` around what has one.
std::string coloured(std::string_view language, std::string_view text) {
  Highlighter highlighter;
  std::string out, whole;
  for (const auto& [range, kind] : highlighter.spans(*find_language(language), text)) {
    const auto piece = std::string(range.of(text));
    whole += piece;
    out += kind.empty() ? piece : std::string(kind) + "(" + piece + ")";
  }
  EXPECT_EQ(whole, text) << "no gap, nothing twice";
  return out;
}

TEST(Highlight, EveryLanguageHasPatterns) {
  for (const auto& name : language_names()) {
    Highlighter highlighter;
    EXPECT_NE(highlighter.patterns(*find_language(name)), nullptr) << name;
  }
}

TEST(Highlight, ColoursPython) {
  EXPECT_EQ(coloured("python", "def f(x):  # why\n    return Table(x)[\"a\\n\"] + 12\n"),
            "keyword(def) function(f)(x):  comment(# why)\n    keyword(return) "
            "function(Table)(x)[string(\"a)constant(\\n)string(\")] operator(+) number(12)\n");
}

TEST(Highlight, ColoursCudaByCAndCppAndItself) {
  EXPECT_EQ(
      coloured("cpp", "namespace a {\n__global__ void run(int sm) { if (sm == 90) f(); }\n}\n"),
      "keyword(namespace) a {\nkeyword(__global__) type(void) function(run)(type(int) sm) { "
      "keyword(if) (sm operator(==) number(90)) function(f)(); }\n}\n");
}

TEST(Highlight, ColoursData) {
  EXPECT_EQ(coloured("json", "{\"a\": [1, true, \"b\"]}\n"),
            "{property(\"a\"): [number(1), constant(true), string(\"b\")]}\n");
  EXPECT_EQ(coloured("toml", "a = 1 # b\n"),
            "type(a)property( )operator(=)property( )number(1)property( )comment(# b)\n")
      << "the package captures the whole pair";
  EXPECT_EQ(coloured("yaml", "a: 1\n"), "property(a): number(1)\n");
  EXPECT_EQ(coloured("cmake", "set(ARCHS \"80;90\" 120) # b\n"),
            "function(set)(constant(ARCHS) string(\"80;90\") number(120)) comment(# b)\n");
}

TEST(Highlight, ColoursAPartOfAFile) {
  EXPECT_EQ(coloured("python", "{2: 64 * MiB,\n        4: 1}"),
            "{number(2): number(64) operator(*) type(MiB),\n        number(4): number(1)}");
  EXPECT_EQ(coloured("cpp", "  {12, {1, true}},"), "  {number(12), {number(1), true}},");
  EXPECT_EQ(coloured("python", "if ( \"not whole"), "keyword(if) ( \"operator(not) whole")
      << "as far as the grammar makes sense of it";
  EXPECT_EQ(coloured("python", ""), "");
}

}  // namespace
}  // namespace portpatch::test
