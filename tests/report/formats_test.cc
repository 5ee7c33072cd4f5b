#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/format/format.h"

namespace portpatch::test {
namespace {

/// Names and sources as a stranger's pull request may hold them.
FindingReport hostile() {
  FindingReport report{.command = "check rules/sm120", .root = "/tree"};
  report.exit_status = 1;
  report.findings.push_back({.type = "rule-lost",
                             .severity = Severity::kError,
                             .subject = "rules/sm120/python/sizes",
                             .place = {.path = "a,b:c%\n.py", .line = 3},
                             .message = "gone\n::error file=x::y \x1b[31mred\x1b[0m \xff\xfe <img "
                                        "src=x onerror=alert(1)> @everyone",
                             .remedy = "portpatch explain ```x```",
                             .fingerprint = "0123456789abcdef"});
  report.findings.push_back(
      {.type = "rule-pending",
       .severity = Severity::kWarning,
       .subject = "rules/sm120/python/other",
       .place = {.path = "b.py", .line = 2},
       .message = "not there",
       .remedy = "portpatch apply rules/sm120",
       .edits = {{.place = {.path = "b.py", .line = 2, .column = 1, .end_line = 3, .end_column = 1},
                  .text = "X = 12\n"}},
       .fingerprint = "fedcba9876543210"});
  report.passed.push_back({"rules/sm120/python/well", "held"});
  report.notes.push_back("one note]]>");
  return report;
}

TEST(Formats, AreTextWithoutControlCharactersWhateverTheTreeHolds) {
  for (const auto& format : finding_formats()) {
    const auto text = format.write(hostile());
    EXPECT_EQ(text, format.write(hostile())) << format.name;
    EXPECT_TRUE(std::ranges::none_of(
        text, [](unsigned char c) { return (c < ' ' && c != '\n' && c != '\t') || c == 0x7f; }))
        << format.name << text;
    EXPECT_NO_THROW((void)nlohmann::json(text).dump()) << format.name << ": not UTF-8";
    EXPECT_TRUE(text.contains("not there")) << format.name << text;
    EXPECT_TRUE(text.ends_with('\n')) << format.name;
  }
}

TEST(Formats, GithubTakesNoCommandFromATree) {
  const auto text = write_github(hostile());
  std::size_t lines = 0;
  for (const auto line : split_lines(text)) {
    if (line.empty()) continue;
    ++lines;
    EXPECT_TRUE(line.starts_with("::error file=a%2Cb%3Ac%25") ||
                line.starts_with("::warning file=b.py,line=2,") || line.starts_with("::notice "))
        << line;
  }
  EXPECT_EQ(lines, 3u) << text;
}

TEST(Formats, MarkdownAndXmlHoldNoMarkupOfATree) {
  EXPECT_FALSE(write_junit(hostile()).contains("<img"));
  EXPECT_FALSE(write_junit(hostile()).contains("<![CDATA["));
  // In Markdown it stands in a block of code, whose fence is longer than any run of backticks in
  // it.
  const auto text = write_markdown(hostile());
  const auto fence = text.find("````");
  ASSERT_NE(fence, std::string::npos) << text;
  EXPECT_LT(fence, text.find("<img")) << text;
  EXPECT_LT(text.find("<img"), text.find("````", fence + 5)) << text;
}

TEST(Formats, JsonOnesSayWhereAndWhatInstead) {
  const auto sarif = nlohmann::json::parse(write_sarif(hostile()));
  EXPECT_EQ(sarif["version"], "2.1.0");
  const auto& results = sarif["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0]["ruleId"], "rule-lost");
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(
      sarif["runs"][0]["tool"]["driver"]["rules"][results[0]["ruleIndex"].get<std::size_t>()]["id"],
      "rule-lost");
  EXPECT_EQ(results[1]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
  // A region of whole lines ends in front of its last line break, and so does what replaces it.
  const auto& replacement = results[1]["fixes"][0]["artifactChanges"][0]["replacements"][0];
  EXPECT_EQ(replacement["insertedContent"]["text"], "X = 12");
  EXPECT_EQ(replacement["deletedRegion"]["startLine"], 2);
  const auto gitlab = nlohmann::json::parse(write_gitlab(hostile()));
  ASSERT_EQ(gitlab.size(), 2u);
  EXPECT_NE(gitlab[0]["fingerprint"], gitlab[1]["fingerprint"]);
  EXPECT_EQ(gitlab[1]["location"]["path"], "b.py");
  EXPECT_EQ(gitlab[1]["location"]["lines"]["begin"], 2);
  const auto rdjson = nlohmann::json::parse(write_rdjson(hostile()));
  ASSERT_EQ(rdjson["diagnostics"].size(), 2u);
  EXPECT_EQ(rdjson["diagnostics"][1]["location"]["path"], "b.py");
  EXPECT_EQ(rdjson["diagnostics"][1]["suggestions"][0]["range"]["start"]["line"], 2);
}

TEST(Formats, WhatLiesOutsideOfTheDiffIsNoSuggestion) {
  auto report = hostile();
  report.findings[1].is_in_diff = false;
  EXPECT_FALSE(write_rdjson(report).contains("suggestions"));
}

TEST(Formats, AnEmptyLineIsNoSuggestionSinceItWouldTakeTheLinesOut) {
  auto report = hostile();
  report.findings[1].edits[0].text = "\n";
  EXPECT_FALSE(write_rdjson(report).contains("suggestions"));
  EXPECT_TRUE(write_sarif(report).contains("insertedContent"));
  report.findings[1].edits[0].text = "";
  EXPECT_TRUE(write_rdjson(report).contains("suggestions"));
}

}  // namespace
}  // namespace portpatch::test
