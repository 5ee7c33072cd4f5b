// The timeline says at each commit what `status --rev` says there, however the pieces are cut.
#include "timeline.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/report/world.h"

namespace portpatch::test {
namespace {

std::string rule(const std::string& name,
                 const std::string& directive = "(#ensure-entry! @d \"12\" \"1\")",
                 const std::string& more = "") {
  return "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n \"" + name +
         "\") " + more + "\n " + directive + ")\n";
}

/// Rules with and without a base, in groups, in one file, that fight, that expect all.
PackText pack() {
  return {{"pack.toml", R"(format = 1
[rules."python/all"]
expect = "all"
[rules."python/grouped-a"]
group = "g"
[rules."python/grouped-b"]
group = "g"
[rules."python/kept"]
on-conflict = "keep-upstream"
[rules."python/pair-a"]
expect = 2
[rules."python/resting"]
enabled = false
)"},
          {"pack.lock", R"(format = 1
[[rules."python/locked"]]
path = "a/locked.py"
scope = ""
text = "{9: 1}"
[[rules."python/grouped-a"]]
path = "a/group.py"
scope = ""
text = "{}"
[[rules."python/kept"]]
path = "a/kept.py"
scope = ""
text = "{}"
)"},
          {"python/locked.scm", rule("LOCKED")},
          {"python/free.scm", rule("FREE")},
          {"python/scoped.scm",
           rule("FREE", "(#ensure-entry! @d \"13\" \"1\")", "(#in-scope? @n \"Class\")")},
          {"python/all.scm", rule("ALL")},
          {"python/grouped-a.scm", rule("GROUPED_A")},
          {"python/grouped-b.scm", rule("GROUPED_B")},
          {"python/fights-a.scm", rule("FIGHT", "(#ensure-entry! @d \"12\" \"1\")")},
          {"python/fights-b.scm", rule("FIGHT", "(#ensure-entry! @d \"12\" \"2\")")},
          {"python/pair-a.scm", rule("PAIR")},
          {"python/pair-b.scm",
           rule("PAIR", "(#ensure-entry! @d \"12\" \"2\")", "(#in-path? \"b/**\")")},
          {"python/kept.scm", rule("KEPT")},
          {"python/in-path.scm",
           rule("PLACED", "(#ensure-entry! @d \"12\" \"1\")", "(#in-path? \"in/**\")")},
          {"python/resting.scm", rule("RESTING")},
          {"json/entry.scm",
           "((pair key: (string) @k value: (object) @o) (#eq? @k \"\\\"sizes\\\"\") "
           "(#ensure-entry! @o \"\\\"12\\\"\" \"1\"))\n"}};
}

struct Commit {
  const char* subject;
  const char* commands;  // run in the upstream work tree
};

/// One kind of change each.
constexpr Commit kHistory[] = {
    {"one",
     "mkdir a b in; echo 'LOCKED = {9: 1}' >a/locked.py; echo 'FREE = {}' >b/free.py; echo 'ALL = "
     "{}' >a/all.py; echo 'GROUPED_A = {}' >a/group.py;"
     "echo 'GROUPED_B = {}' >b/group.py; echo 'KEPT = {}' >a/kept.py; echo 'PLACED = {}' >in/x.py; "
     "echo '{\"sizes\": {}}' >c.json; echo text >readme.txt"},
    {"nothing relevant", "echo more >>readme.txt"},
    {"lines above", "sed -i '1i import os' a/locked.py b/free.py"},
    {"another place of FREE", "echo 'FREE = {}' >b/twin.py"},
    {"the twin holds more", "echo 'x = 1' >>b/twin.py"},
    {"FREE in a class", "printf 'class Class:\\n    FREE = {}\\n' >>b/free.py"},
    {"the twin goes", "git rm -q b/twin.py"},
    {"LOCKED moves", "git mv a/locked.py b/moved.py"},
    {"LOCKED moves again", "git mv b/moved.py in/moved.py"},
    {"and comes back", "git mv in/moved.py a/locked.py"},
    {"a namesake of LOCKED", "echo 'LOCKED = {}' >b/namesake.py"},
    {"LOCKED goes, its namesake stays", "git rm -q a/locked.py"},
    {"LOCKED comes back elsewhere: two", "echo 'LOCKED = {9: 1}' >in/locked.py"},
    {"LOCKED all gone", "git rm -q in/locked.py b/namesake.py"},
    {"the word LOCKED alone", "echo '# LOCKED' >b/word.py"},
    {"upstream has it", "echo 'LOCKED = {12: 1}' >a/locked.py; echo 'FREE = {12: 1}' >b/free.py"},
    {"upstream says otherwise",
     "echo 'LOCKED = {12: 2}' >a/locked.py; echo 'KEPT = {12: 7}' >a/kept.py"},
    {"a syntax error", "echo 'LOCKED = {9: (1}' >a/locked.py"},
    {"mended", "echo 'LOCKED = {9: 1}' >a/locked.py"},
    {"one of the group goes", "git rm -q b/group.py"},
    {"the group is whole again, in one file", "echo 'GROUPED_B = {}' >>a/group.py"},
    {"the group moves", "git mv a/group.py b/group.py"},
    {"more of ALL", "for i in 1 2 3; do echo 'ALL = {}' >b/all$i.py; done"},
    {"fewer of ALL", "git rm -q b/all2.py a/all.py"},
    {"none of ALL", "git rm -q b/all1.py b/all3.py"},
    {"two rules over one place", "echo 'FIGHT = {}' >b/fight.py"},
    {"the place has a side", "echo 'FIGHT = {12: 1}' >b/fight.py"},
    {"the place moves to a file of another rule",
     "git rm -q b/fight.py; echo 'FIGHT = {}' >>b/free.py"},
    {"two rules over two files", "echo 'PAIR = {}' >a/pair.py; echo 'PAIR = {}' >b/pair.py"},
    {"the other file stops one of them", "echo 'PAIR = {12: 9}' >a/pair.py"},
    {"and lets it go", "echo 'PAIR = {}' >a/pair.py"},
    {"the other file goes", "git rm -q a/pair.py"},
    {"and comes back", "echo 'PAIR = {}' >in/pair.py"},
    {"the path no longer fits", "git mv in/x.py b/x.py"},
    {"the same blob fits elsewhere", "mkdir -p in/y; cp b/x.py in/y/z.py"},
    {"a file becomes a folder",
     "git rm -q a/locked.py; mkdir -p a/locked.py; echo 'LOCKED = {}' >a/locked.py/x.py"},
    {"and a file again", "git rm -rq a/locked.py; mkdir -p a; echo 'LOCKED = {}' >a/locked.py"},
    {"a link instead", "rm a/locked.py; ln -s ../b/free.py a/locked.py"},
    {"other languages", "echo '{\"sizes\": {\"12\": 2}}' >c.json"},
    {"a copy of the JSON", "cp c.json d.json"},
    {"a mode", "chmod +x b/free.py"},
    {"all at once",
     "rm a/locked.py; echo 'LOCKED = {}' >a/locked.py; echo 'FREE = {}' >b/free.py; echo 'ALL = "
     "{}' >a/all.py; git rm -q c.json"},
};

class TimelineTest : public testing::Test {
 protected:
  TimelineTest() : world_(pack()) {
    scratch().run("rmdir tree; git init -q -b main up");
    for (const auto& commit : kHistory) {
      scratch().run("cd up; " + std::string(commit.commands) + "; git add -A; git commit -q -m '" +
                    commit.subject + "'");
    }
    // A merge: what it brings counts at the merge, the side's own commits do not.
    scratch().run(
        "cd up; git checkout -q -b side; echo 'FREE = {}' >b/twin.py; git add -A; git commit -q -m "
        "side; git rm -q b/twin.py; echo 'x = {}' >b/free.py;"
        "git add -A; git commit -q -m side2; git checkout -q main; echo t >>readme.txt; git commit "
        "-q -a -m more; git merge -q --no-ff -m merge side 2>&1");
    scratch().run("git clone -q up tree; git clone -q --bare up bare");
  }

  const Scratch& scratch() const { return world_.scratch(); }

  TimelineRequest request(std::size_t piece = 1, std::size_t pieces = 0) const {
    const auto first = std::string(trim(scratch().run("git -C up rev-list --max-parents=0 main")));
    return {.command = "timeline pack",
            .folder = scratch().path("tree"),
            .packs = {scratch().path("pack")},
            .range = first + "..main",
            .piece = piece,
            .pieces = pieces};
  }

  Timeline timeline(const TimelineRequest& request) const {
    auto made = make_timeline(request);
    if (!made) throw std::runtime_error(render(made.error()[0], false));
    return std::move(*made);
  }

  static std::string said(const std::string& rule, Outcome outcome,
                          const std::vector<TimelinePlace>& places) {
    auto text = rule + " " + std::string(name_of(outcome));
    for (const auto& place : places)
      text += " " + place.path + (place.scope.empty() ? "" : ":" + place.scope);
    return text + "\n";
  }

  /// Every rule as the timeline has it after the commits up to `commit`.
  std::string after(const Timeline& timeline, const std::vector<std::string>& line,
                    std::size_t count) const {
    std::string text;
    for (const auto& one : timeline.rules) {
      const auto* state = &one.start;
      for (const auto& change : one.changes) {
        if (std::find(line.begin(), line.begin() + count, change.commit.id) != line.begin() + count)
          state = &change.after;
      }
      text += said(one.rule, state->outcome, state->places);
    }
    return text;
  }

  /// The same from `status --rev`.
  std::string status(const std::string& commit) const {
    auto request = world_.request("status");
    request.rev = commit;
    const auto report = run(request);
    if (!report) return render(report.error()[0], false);
    std::string text;
    for (const auto& one : report->rules) {
      std::vector<TimelinePlace> places;
      for (const auto& site : one.sites) places.push_back({site.path, site.scope});
      text += said(one.rule, one.outcome, places);
    }
    return text;
  }

  std::vector<std::string> line() const {
    std::vector<std::string> ids;
    const auto printed = scratch().run("git -C up rev-list --first-parent --reverse main");
    for (const auto id : split_lines(printed)) ids.emplace_back(id);
    return ids;
  }

  World world_;
};

TEST_F(TimelineTest, SaysAtEachCommitWhatStatusSays) {
  const auto made = timeline(request());
  auto ids = line();
  EXPECT_EQ(made.commits, ids.size() - 1);
  EXPECT_EQ(after(made, ids, 0), status(ids[0]));
  const std::vector<std::string> rest(ids.begin() + 1, ids.end());
  std::set<std::string> outcomes;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    EXPECT_EQ(after(made, rest, i + 1), status(rest[i]))
        << scratch().run("git -C up log -1 --format=%s " + rest[i]);
  }
  for (const auto& one : made.rules) {
    for (const auto& change : one.changes)
      outcomes.insert(std::string(name_of(change.after.outcome)));
  }
  EXPECT_EQ(outcomes, (std::set<std::string>{"ambiguous", "blocked", "conflict", "held", "lost",
                                             "moved", "pending", "upstreamed"}));
  EXPECT_EQ(made.resting.size(), 1u);
}

TEST_F(TimelineTest, BeginsAtAnyCommit) {
  const auto ids = line();
  for (std::size_t begin = 0; begin + 1 < ids.size(); begin += 5) {
    auto one = request();
    one.range = ids[begin] + ".." + ids[begin + 1];
    const auto made = timeline(one);
    EXPECT_EQ(after(made, {}, 0), status(ids[begin]));
    EXPECT_EQ(after(made, {ids[begin + 1]}, 1), status(ids[begin + 1]));
  }
}

TEST_F(TimelineTest, OfABareRepositoryIsTheSame) {
  auto bare = request();
  bare.folder = scratch().path("bare");
  auto one = timeline(request()), other = timeline(bare);
  other.root = one.root;
  EXPECT_EQ(write_json(one), write_json(other));
}

TEST_F(TimelineTest, ThePiecesMakeTheWholeByteForByte) {
  const auto whole = timeline(request());
  for (const std::size_t count : {1u, 2u, 7u, 50u}) {
    std::vector<TimelinePiece> pieces;
    std::size_t commits = 0;
    for (std::size_t i = count; i >= 1; --i) {
      const auto json = write_json(timeline(request(i, count)));
      auto piece = read_timeline("piece", json);
      ASSERT_TRUE(piece) << piece.error().message;
      EXPECT_EQ(write_json(*piece), json);
      commits += piece->shard->commits;
      pieces.push_back({std::to_string(i), std::move(*piece)});
    }
    EXPECT_EQ(commits, whole.commits);
    const auto merged = merge_timelines(pieces);
    ASSERT_TRUE(merged) << merged.error().message;
    EXPECT_EQ(write_json(*merged), write_json(whole)) << count;
    EXPECT_EQ(write_text(*merged, {}), write_text(whole, {})) << count;
  }
}

TEST_F(TimelineTest, PiecesThatDoNotMakeAWholeAreRefused) {
  const auto piece = [&](std::size_t i, std::size_t count) {
    return TimelinePiece{std::to_string(i) + ".json", timeline(request(i, count))};
  };
  const auto refusal = [](std::vector<TimelinePiece> pieces) {
    const auto merged = merge_timelines(pieces);
    return merged ? "merged" : render(merged.error(), false);
  };
  EXPECT_EQ(refusal({piece(1, 3), piece(3, 3)}), R"(error: piece 2 of 3 is not here [missing-shard]
  help: make it with --shard 2/3
)");
  EXPECT_EQ(refusal({piece(2, 4)}), R"(error: pieces 1, 3, 4 of 4 are not here [missing-shard]
  help: make it with --shard 1/4
)");
  auto one_of_many = piece(1, 2);
  one_of_many.timeline.shard->count = std::size_t{1} << 60;
  EXPECT_EQ(
      refusal({one_of_many}),
      R"(error: pieces 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21 and 1152921504606846955 more of 1152921504606846976 are not here [missing-shard]
  help: make it with --shard 2/1152921504606846976
)");
  EXPECT_EQ(refusal({piece(1, 2), piece(2, 2), piece(1, 2)}),
            R"(error: 1.json and 1.json both hold piece 1 [doubled-shard]
  help: name each piece once
)");
  EXPECT_EQ(
      refusal({piece(1, 2), piece(2, 3)}),
      R"(error: 2.json is no piece of the same timeline as 1.json: it is one of 3 pieces, not of 2 [foreign-shard]
  help: make every piece with the same packs, the same range and the same N of --shard I/N
)");
  EXPECT_EQ(refusal({{"whole.json", timeline(request())}}),
            R"(error: whole.json holds a whole timeline, not a piece of one [no-shard]
  help: there is nothing to join
)");
  auto other = piece(2, 2);
  other.timeline.to.id = other.timeline.from.id;
  EXPECT_TRUE(refusal({piece(1, 2), other}).contains("it is of another range"));
  other = piece(2, 2);
  other.timeline.packs[0].second = "0";
  EXPECT_TRUE(refusal({piece(1, 2), other})
                  .contains("it was made with other packs, or with other texts of them"));
  other = piece(2, 2);
  other.timeline.rules[0].start.outcome = Outcome::kReverted;
  EXPECT_EQ(refusal({piece(1, 2), other}),
            R"(error: 2.json does not begin as 1.json ends [torn-shards]
  help: make both again with one version of portpatch, from complete clones
)");
}

TEST_F(TimelineTest, WhatIsNoTimelineIsRefused) {
  const auto refusal = [](std::string_view text) {
    const auto read = read_timeline("x.json", text);
    return read ? "read" : read.error().message;
  };
  EXPECT_EQ(refusal(""), "x.json holds no timeline: it is no JSON");
  EXPECT_EQ(refusal("[1]"), "x.json holds no timeline: it is JSON of another kind");
  EXPECT_EQ(refusal("{\"format\": 1, \"runs\": []}"),
            "x.json holds no timeline: it is JSON of another kind");
  EXPECT_EQ(refusal("{\"format\": 2}"),
            "x.json holds no timeline: its format is not the one that this portpatch reads");
  auto piece = timeline(request(1, 2));
  piece.shard->index = 3;
  EXPECT_EQ(refusal(write_json(piece)),
            "x.json holds no timeline: its piece is none of those that it was cut into");
  EXPECT_EQ(
      refusal(write_json(std::vector<Diagnostic>{{.code = "c", .message = "no such commit"}})),
      "x.json holds no timeline: its run failed: no such commit");
  auto text = write_json(timeline(request(1, 2)));
  text.replace(text.find("\"lost\""), 6, "\"lots\"");
  EXPECT_EQ(refusal(text), "x.json holds no timeline: it has an unknown outcome");
}

TEST_F(TimelineTest, NamesFilesThatCouldNotBeSearched) {
  scratch().run(
      "cd up; git config uploadpack.allowFilter true; echo 'ALL = {}' >b/late.py; git add -A; git "
      "commit -q -m late; cd ..;"
      "git clone -q --bare --filter=blob:none file://$PWD/up blobless");
  auto one = request();
  one.folder = scratch().path("blobless");
  one.packs = {scratch().path("pack/python/free")};
  one.range = "main~1..main";
  const auto made = timeline(one);
  EXPECT_EQ(made.rules[0].start.outcome, Outcome::kLost);
  std::vector<std::string> skipped;
  for (const auto& [path, reason] : made.skipped) skipped.push_back(path);
  EXPECT_TRUE(std::ranges::find(skipped, "b/late.py") != skipped.end());
  EXPECT_TRUE(std::ranges::find(skipped, "b/free.py") != skipped.end());
}

}  // namespace
}  // namespace portpatch::test
