// The pages: that all of a report stands there, and that nothing in it can become markup.
#include <functional>

#include <gtest/gtest.h>

#include "report/page/page.h"

namespace portpatch::test {
namespace {

constexpr const char*
    kHostile = "</script></style><script>x</script>\"onmouseover='y \xE2\x80\xAE\x1B[31m\xFF<!--";

/// The tags of a page in order, with the names of their attributes, without the head: "p class",
/// "/p".
std::vector<std::string> tags_of(const std::string& page) {
  std::vector<std::string> tags;
  const auto body = page.substr(page.find("</style>"));
  for (std::size_t at = 0; (at = body.find('<', at)) != std::string::npos;) {
    std::string tag;
    bool is_quoted = false;
    for (++at; at < body.size() && (is_quoted || body[at] != '>'); ++at) {
      if (body[at] == '"')
        is_quoted = !is_quoted;
      else if (!is_quoted && body[at] != '=')
        tag += body[at];
    }
    tags.push_back(tag);
    if (tag == "script") at = body.find("</script>", at);
  }
  return tags;
}

/// How often `text` stands in the page.
std::size_t count(std::string_view page, std::string_view text) {
  std::size_t found = 0;
  for (auto at = page.find(text); at != std::string_view::npos;
       at = page.find(text, at + text.size()))
    ++found;
  return found;
}

/// Makes the text of each field of a report.
using Texts = std::function<std::string()>;

Report status(const Texts& text) {
  const CommitInfo commit{text(), text(), text()};
  const PlaceReport place{text(), text(), text(), 3};
  const TraceStep step{commit, place, place, {text()}, {text()}, 72, 8};
  RuleReport rule{.pack = text(),
                  .rule = text(),
                  .outcome = Outcome::kConflict,
                  .reason = text(),
                  .expect = text(),
                  .sites = {},
                  .notes = {text()},
                  .after_edit = text(),
                  .owner = text(),
                  .group = text(),
                  .traces = {},
                  .homes = {},
                  .query_diff = {},
                  .brought = commit};
  rule.sites.push_back({.outcome = Outcome::kConflict,
                        .path = text(),
                        .line = 1,
                        .column = 1,
                        .scope = text(),
                        .code = text(),
                        .reason = text(),
                        .remedy = text(),
                        .ours = text(),
                        .theirs = "x",
                        .base = "y"});
  rule.traces.push_back({.verdict = text(),
                         .base = place,
                         .steps = {step},
                         .vanished = commit,
                         .survivors = {step},
                         .unknown = {text()}});
  rule.homes.push_back({text(), place, text()});
  return {.command = text(),
          .root = text(),
          .revision = text(),
          .revision_name = text(),
          .upstream_name = text(),
          .upstream_commit = text(),
          .rules = {rule},
          .resting = {text()},
          .skipped = {{text(), text()}},
          .notes = {text()}};
}

Timeline timeline(const Texts& text) {
  Timeline line{.command = text(),
                .root = text(),
                .range = text(),
                .from = {text(), text(), "2026-01-01"},
                .to = {text(), text(), "2026-03-01"},
                .commits = 9,
                .shard = {},
                .packs = {},
                .rules = {},
                .resting = {text()},
                .skipped = {{text(), text()}}};
  line.rules.push_back({text(),
                        text(),
                        {Outcome::kHeld, {{text(), text()}}, text()},
                        {{{text(), text(), text()}, {Outcome::kLost, {}, text()}}}});
  return line;
}

CheckReport check(const Texts& text) {
  CompanionReport companion{.pack = text(),
                            .name = text(),
                            .demand = text(),
                            .agreement = Agreement::kDisagrees,
                            .places = {{text(), 1, text()}},
                            .depth = {{text(), text()}},
                            .findings = {}};
  companion.findings.push_back({.kind = FindingKind::kOtherValue,
                                .here = {text(), 1, text()},
                                .there = {text(), 2, text()},
                                .says = text(),
                                .remedy = text(),
                                .added_key = text(),
                                .added_value = text()});
  return {.command = text(),
          .root = text(),
          .revision = text(),
          .companions = {companion},
          .diffs = {},
          .diff = "+++ b/" + text() + "\n@@ -1 +1 @@\n-" + text() + "\n+" + text() + "\n",
          .notes = {text()}};
}

AuditReport audit(const Texts& text) {
  const Cc cc{12, 0};
  AuditPlace one;
  one.place = {
      .path = text(), .form = text(), .function = text(), .name = text(), .line = 1, .end_line = 1};
  one.place.arms.push_back(
      {.line = 1,
       .end_line = 1,
       .condition = text(),
       .keys = {{.expression = text(), .op = "==", .key = text(), .cc = cc, .line = 1}}});
  one.answers = {{.cc = cc, .taken = ArmTaken::kNone, .arms = {}, .value = CcValue(text())}};
  one.coverage = {Coverage::kNone};
  one.subsystem = text();
  one.risk = 5;
  return {.command = text(),
          .root = text(),
          .revision = text(),
          .since = "",
          .cc = {cc},
          .asked_of = text(),
          .clang_reason = text(),
          .places = {one},
          .files = {},
          .bugs = {{"swallows", 0, cc, cc, 1, text()}},
          .disagreements = {{cc, 0, 0, {text()}}},
          .skipped = {{text(), text()}},
          .files_read = 1,
          .files_parsed = 1};
}

std::vector<std::string> pages(const Texts& text) {
  return {write_page(status(text)), write_page(timeline(text)), write_page(check(text)),
          write_page(audit(text))};
}
std::vector<std::string> pages(const std::string& text) {
  return pages([&] { return text; });
}

TEST(Page, HostileTextStaysText) {
  const auto harmless = pages("z"), hostile = pages(kHostile);
  for (std::size_t i = 0; i < harmless.size(); ++i) {
    auto tags = tags_of(hostile[i]);
    std::erase(tags, "mark");  // of words that differ, which are others here
    std::erase(tags, "/mark");
    std::erase_if(tags, [](const std::string& tag) {
      return tag.starts_with("span class") || tag == "/span";
    });
    auto wanted = tags_of(harmless[i]);
    std::erase_if(wanted, [](const std::string& tag) {
      return tag == "mark" || tag == "/mark" || tag.starts_with("span class") || tag == "/span";
    });
    EXPECT_EQ(tags, wanted) << "page " << i;
    EXPECT_EQ(count(hostile[i], "</script>"), 1u);
    EXPECT_EQ(count(hostile[i], "</style>"), 1u);
    EXPECT_EQ(count(hostile[i], "\x1B"), 0u);
    EXPECT_EQ(count(hostile[i], "\xE2\x80\xAE"), 0u);
    EXPECT_EQ(count(hostile[i], "\xFF"), 0u);
  }
}

/// Which of the fields, in the order of the functions above, are not seen on the page.
template <typename Make>
std::string unseen(const Make& make) {
  int fields = 0;
  const auto page = write_page(make([&] { return "q" + std::to_string(fields++) + "q"; }));
  std::string out;
  for (int i = 0; i < fields; ++i) {
    if (count(page, "q" + std::to_string(i) + "q") == 0)
      out += (out.empty() ? "" : " ") + std::to_string(i);
  }
  return out;
}

TEST(Page, ShowsEveryTextOfTheReport) {
  EXPECT_EQ(unseen(status), "18") << "the code, which is for programs";
  EXPECT_EQ(unseen(timeline), "2") << "the range, which stands in the command";
  EXPECT_EQ(unseen(check), "");
  EXPECT_EQ(unseen(audit), "4 5") << "an arm's condition and what it asks: seen of bugs alone";
}

TEST(Page, LoadsNothingAndRunsNothingButItsScript) {
  for (const auto& page : pages("z")) {
    EXPECT_EQ(count(page,
                    "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                    "style-src 'sha256-"),
              1u);
    EXPECT_EQ(count(page, "<script"), 1u);
    EXPECT_EQ(count(page, " src="), 0u);
    EXPECT_EQ(count(page, "url("), 0u);
    EXPECT_EQ(count(page, "://"), 0u);
    EXPECT_EQ(count(page, " style="), 0u);
    EXPECT_EQ(count(page, "href=\""), count(page, "href=\"#"));
    EXPECT_EQ(page.find_first_of("<"), 0u);
    EXPECT_TRUE(page.starts_with(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"));
  }
}

TEST(Page, ShowsTheWorstRuleFirstAndOpen) {
  Report report{
      .command = "status p",
      .root = "/t",
      .rules = {{.pack = "p", .rule = "a"}, {.pack = "p", .rule = "b", .outcome = Outcome::kLost}}};
  const auto page = write_page(report);
  EXPECT_NE(page.find("<h1 class=\"verdict bad\">1 of 2 rules needs a person</h1>"),
            std::string::npos);
  EXPECT_NE(page.find("<article data-kind=\"lost\" class=\"bad\"><details open=\"\"><summary><span "
                      "class=\"badge bad\">lost</span><span class=\"title\"><strong>p/b</strong>"
                      "<span class=\"place\">no place in the tree</span></span></summary><div "
                      "class=\"body\"><dl class=\"facts\"></dl><p class=\"run\"><code>portpatch "
                      "explain p/b</code>"
                      "<button type=\"button\" class=\"copy scripted\" aria-label=\"Copy: "
                      "portpatch explain p/b\">Copy</button></p></div></details></article>"
                      "<article data-kind=\"held\" class=\"good\"><details><summary>"),
            std::string::npos);
}

TEST(Page, DrawsALaneForEachRuleAndAMarkForEachChange) {
  Timeline line{.command = "timeline p a..b",
                .root = "/t",
                .range = "a..b",
                .from = {"a", "A", "2026-01-01"},
                .to = {"b", "B", "2026-01-04"},
                .commits = 3,
                .shard = {},
                .packs = {},
                .rules = {},
                .resting = {},
                .skipped = {}};
  line.rules.push_back({"p",
                        "x",
                        {Outcome::kHeld, {{"f.py", ""}}, ""},
                        {{{"c", "Drop it", "2026-01-02"}, {Outcome::kLost, {}, "gone"}},
                         {{"d", "Bring it", "2026-01-02"}, {Outcome::kHeld, {{"f.py", ""}}, ""}}}});
  line.rules.push_back({"p", "y", {Outcome::kHeld, {}, ""}, {}});
  const auto page = write_page(line);
  EXPECT_EQ(count(page, "<div class=\"lane\">"), 2u);
  EXPECT_EQ(count(page, "<circle "), 2u);
  // Two commits of one day share it: a day is a quarter of the picture.
  EXPECT_NE(page.find("<a href=\"#rule-0-0\" class=\"mark o-lost\" aria-label=\"held to lost: "
                      "2026-01-02, Drop it\"><circle cx=\"33.33%\" cy=\"16\" r=\"7\">"),
            std::string::npos);
  EXPECT_NE(page.find("<a href=\"#rule-0-1\" class=\"mark o-held\" aria-label=\"lost to held: "
                      "2026-01-02, Bring it\"><circle cx=\"41.67%\" cy=\"16\" r=\"7\">"),
            std::string::npos);
  EXPECT_NE(page.find("aria-label=\"p/y: held throughout\""), std::string::npos);
  EXPECT_EQ(count(page, "<tr id=\"rule-"), 4u);
}

TEST(Page, ShowsACellForEachPlaceAndCc) {
  auto report = audit([] { return std::string("z"); });
  report.cc.push_back({12, 1});
  report.places[0].answers.push_back({.cc = {12, 1}, .taken = ArmTaken::kExact});
  report.places[0].coverage.push_back(Coverage::kExact);
  const auto page = write_page(report);
  EXPECT_NE(page.find("<tr data-kind=\"exact none risky\"><td data-cc=\"12.0\"><span class=\"badge "
                      "bad\">none</span><span class=\"value\">z</span></td>"
                      "<td data-cc=\"12.1\"><span class=\"badge good\">exact</span></td>"),
            std::string::npos);
}

TEST(Page, MarksTheLinesOfADiff) {
  CheckReport report{.command = "check",
                     .root = "/t",
                     .diff =
                         "diff --git a/f.py b/f.py\n--- a/f.py\n+++ b/f.py\n@@ -1,2 +1,2 @@\n a = "
                         "1\n-b = 2\n+b = 3\n"};
  EXPECT_NE(write_page(report).find(
                "<p class=\"path\">f.py</p><pre class=\"diff\"><span class=\"line\"><span "
                "class=\"sign\"> </span>a <span class=\"c-operator\">=</span> <span "
                "class=\"c-number\">1</span></span>"
                "<span class=\"line removed\"><span class=\"sign\">-</span>b <span "
                "class=\"c-operator\">=</span> <span class=\"c-number\">2</span></span>"
                "<span class=\"line added\"><span class=\"sign\">+</span>b <span "
                "class=\"c-operator\">=</span> <span class=\"c-number\">3</span></span></pre>"),
            std::string::npos);
}

}  // namespace
}  // namespace portpatch::test
