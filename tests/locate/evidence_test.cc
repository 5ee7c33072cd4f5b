// What speaks for two places being one, in points.
#include "locate/evidence.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "locate/place_index.h"
#include "syntax/language.h"

namespace portpatch::test {
namespace {

/// The footprint of the first node of `kind` in `text` that begins with `beginning`.
Footprint place_of(const std::string& text, std::string_view kind, std::string_view beginning,
                   const std::string& path = "a.py") {
  const auto file = ParsedFile::parse(*find_language("python"), path, text);
  if (!file) throw std::runtime_error(file.error().message);
  Node found;
  walk(file->tree().root(), [&](const Node& node) {
    if (!found && node.kind() == kind && node.text(text).starts_with(beginning)) found = node;
    return !found;
  });
  if (!found) throw std::runtime_error("no such node");
  return footprint_of(*file, 0, found);
}

std::string clues_of(const Evidence& evidence) {
  std::string text = evidence.may_be_certain ? "" : "never certain\n";
  for (const auto& clue : evidence.clues) text += fmt::format("{} ({})\n", clue.what, clue.points);
  return text;
}

TEST(Evidence, AFunctionCutOutOfTheScopeIsInsideIt) {
  const auto was = place_of(
      "def stream(model):\n    event = Event(message=Response(id=1, content=[], model=model, "
      "usage=count(model)))\n    return event\n",
      "call", "Response");
  const auto now = place_of(
      "def stream(model):\n    def start(n):\n        return StartEvent(message=Response(id=1, "
      "content=[], model=model, usage=usage_of(n)))\n    return start(3)\n",
      "call", "Response");
  EXPECT_EQ(clues_of(compare(was, now, 1)),
            "the same name (12)\n"
            "it is `[message]`, as before (6)\n"
            "78 % of its items are there (23)\n"
            "inside the same scope (12)\n"
            "what is around it is 63 % alike (9)\n"
            "the same file (12)\n");
  // The other way round: a function that dissolved into the one around it.
  EXPECT_TRUE(clues_of(compare(now, was, 1)).contains("inside the same scope (12)\n"));
}

TEST(Evidence, AScopeWithALongerNameIsNotInside) {
  const auto was = place_of("def start(a):\n    return call(a)\n", "call", "call");
  const auto now = place_of("def start_all(a):\n    return call(a)\n", "call", "call");
  EXPECT_FALSE(clues_of(compare(was, now, 1)).contains("inside"));
}

TEST(Evidence, AParameterStaysWithItsFunction) {
  const auto text = [](const std::string& first, const std::string& second) {
    return "class C:\n    def " + first +
           ":\n        self.size = size\n        self.kinds = [1, 2, 3]\n        self.ready = "
           "False\n\n    def " +
           second + ":\n        for row in table(layer):\n            yield row.cut(4)\n";
  };
  const auto kind = "typed_default_parameter", beginning = "bias";
  const auto was = place_of(text("__init__(self, size, bias: bool = True)", "create(self, layer)"),
                            kind, beginning);
  const auto others = place_of(
      text("__init__(self, size)", "create(self, layer, bias: bool = True)"), kind, beginning);
  EXPECT_FALSE(compare(was, others, 1).may_be_certain);
  const auto renamed = place_of(text("start(self, size, bias: bool = True)", "create(self, layer)"),
                                kind, beginning);
  EXPECT_TRUE(compare(was, renamed, 1).may_be_certain);
}

TEST(Evidence, WhatACallIsForCounts) {
  const auto was = place_of("def f():\n    result = make(1)\n", "call", "make");
  const auto same = place_of("def g():\n    result = make(2)\n", "call", "make");
  const auto member = place_of("def g(self):\n    self.result = make(2)\n", "call", "make");
  const auto other = place_of("def g():\n    table = make(2)\n", "call", "make");
  const auto argument = place_of("def g():\n    return show(make(2))\n", "call", "make");
  EXPECT_TRUE(clues_of(compare(was, same, 1)).contains("it is `result`, as before (6)\n"));
  EXPECT_TRUE(clues_of(compare(was, member, 1)).contains("it is `result`, as before (6)\n"));
  EXPECT_FALSE(clues_of(compare(was, other, 1)).contains("as before"));
  EXPECT_FALSE(clues_of(compare(argument, argument, 1))
                   .contains("as before"));  // it is for nothing with a name
}

TEST(Evidence, AFunctionMayBecomeTheVariableOfWhatItReturned) {
  const auto function = place_of(
      "def match(self):\n    def empty_result():\n        return Result(1, 2)\n    return "
      "empty_result()\n",
      "call", "Result");
  const auto variable = place_of("def reset(self):\n    self._empty_result = Result(1, 2)\n",
                                 "call", "Result");
  const auto other = place_of("def reset(self):\n    self._result = Result(1, 2)\n", "call",
                              "Result");
  EXPECT_TRUE(clues_of(compare(function, variable, 1))
                  .contains("the variable and the function have one name (6)\n"));
  EXPECT_TRUE(clues_of(compare(variable, function, 1))
                  .contains("the variable and the function have one name (6)\n"));
  EXPECT_FALSE(clues_of(compare(function, other, 1)).contains("one name"));
}

TEST(Evidence, InAnotherFileACopyHasTheSameUseAndKeys) {
  const auto was = place_of(
      "def test(self):\n    process = launch(model, url=1, timeout=2, key=3)\n", "call", "launch");
  const auto now = place_of("def run(self):\n    process = launch(path, url=4, timeout=5, key=6)\n",
                            "call", "launch", "b.py");
  EXPECT_EQ(clues_of(compare(was, now, 0)),
            "never certain\nthe same name (12)\n50 % of its items are there (15)\nwhat is around "
            "it is 58 % alike (8)\n");
}

TEST(Evidence, KeysCountThoughTheirValuesChanged) {
  const auto was = place_of("SIZES = {8: 1, 9: 2, 10: 3, 12: 4}\n", "dictionary", "{");
  const auto now = place_of("LIMITS = {8: 5, 9: 6, 10: 7, 12: 8}\n", "dictionary", "{");
  const auto fewer = place_of("LIMITS = {8: 5, 9: 6}\n", "dictionary", "{");
  EXPECT_TRUE(clues_of(compare(was, now, 1)).contains("100 % of its keys are there (6)\n"));
  EXPECT_FALSE(clues_of(compare(was, fewer, 1)).contains("keys"));
  // Two keys may be anywhere.
  EXPECT_FALSE(clues_of(compare(fewer, fewer, 1)).contains("keys"));
}

}  // namespace
}  // namespace portpatch::test
