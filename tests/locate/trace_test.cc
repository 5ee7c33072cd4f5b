// A rule whose place moves, in a clone of an upstream with a history.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/report/world.h"

namespace portpatch::test {
namespace {

constexpr const char* kTable = "SIZES = {\n    9: [2, 4],\n    10: [2, 8],\n}\n";
constexpr const char* kUser = "\n\ndef choose(cc):\n    return SIZES[cc]\n";

/// An upstream, its clone, and a pack whose base was recorded in it.
class Port {
 public:
  explicit Port(std::map<std::string, std::string> files, std::string scope = "",
                const std::string& settings = "",
                const std::string& anchor = "(#eq? @name \"SIZES\")")
      : world_({{"pack.toml", "format = 1\n" + settings},
                {"python/sizes.scm",
                 "; Ours.\n((assignment left: (_) @name right: (dictionary) @table)\n " + anchor +
                     "\n (#in-scope? @name \"" + scope +
                     "\")\n (#ensure-entry! @table \"12\" \"[6, 8]\"))\n"}},
               std::move(files), true) {
    auto request = world_.request("refresh");
    request.at = "a.py";
    if (!fs::exists(world_.scratch().path("tree/a.py"))) request.at.clear();
    const auto report = refresh(request);
    if (!report) throw std::runtime_error(report.error()[0].message);
  }

  /// A commit of upstream: these files as they are to be; an empty text removes one.
  void upstream(const std::string& subject, const std::map<std::string, std::string>& files) const {
    for (const auto& [path, text] : files) {
      if (text.empty())
        world_.scratch().run("git -C up rm -q -f '" + path + "'");
      else
        world_.scratch().write("up/" + path, text);
    }
    world_.scratch().run("cd up; git add -A; git commit -q -m '" + subject + "'");
  }
  void pull() const { world_.scratch().run("git -C tree pull -q --ff-only 2>&1"); }

  const RuleReport& status() {
    pull();
    auto report = run(world_.request("status"));
    if (!report) throw std::runtime_error(report.error()[0].message);
    report_ = std::move(*report);
    return report_.rules[0];
  }
  Report apply(bool accept_moves) const {
    auto request = world_.request("apply");
    request.accept_moves = accept_moves;
    auto report = run(request);
    if (!report) throw std::runtime_error(report.error()[0].message);
    return std::move(*report);
  }
  [[nodiscard]] std::string file(const std::string& path) const { return world_.file(path); }
  [[nodiscard]] std::string rule() const { return world_.scratch().read("pack/python/sizes.scm"); }
  [[nodiscard]] const World& world() const { return world_; }

 private:
  World world_;
  Report report_;
};

std::string steps(const RuleReport& rule) {
  std::string text;
  for (const auto& trace : rule.traces) {
    for (const auto& step : trace.steps) {
      text += fmt::format("{}: {} {}.{} -> {} {}.{}\n", step.commit ? step.commit->subject : "?",
                          step.from.path, step.from.scope, step.from.name, step.to.path,
                          step.to.scope, step.to.name);
    }
  }
  return text;
}

TEST(Trace, AFileThatMovedIsFollowedWithoutAsking) {
  Port port({{"a/sizes.py", std::string(kTable) + kUser}});
  port.upstream("Move it", {{"a/sizes.py", ""},
                            {"b/tables.py", std::string("import os\n\n") + kTable + kUser}});
  const auto& rule = port.status();
  EXPECT_EQ(rule.outcome, Outcome::kPending);
  EXPECT_EQ(steps(rule), "Move it: a/sizes.py .SIZES -> b/tables.py .SIZES\n");
  EXPECT_EQ(port.apply(false).rules[0].outcome, Outcome::kEdited);
  EXPECT_TRUE(port.file("b/tables.py").contains("    12: [6, 8],\n"));
  EXPECT_EQ(port.apply(false).rules[0].outcome, Outcome::kHeld);
}

TEST(Trace, ANewNameIsAskedForOnceAndTheQueryRewritten) {
  Port port({{"a.py", std::string(kTable) + kUser}});
  port.upstream("Rename it", {{"a.py",
                               "ALL_REDUCE_SIZES = {\n    9: [2, 4],\n    10: [2, 8],\n}\n\n\ndef "
                               "choose(cc):\n    return ALL_REDUCE_SIZES[cc]\n"}});
  const auto& rule = port.status();
  EXPECT_EQ(rule.outcome, Outcome::kMoved);
  EXPECT_EQ(steps(rule), "Rename it: a.py .SIZES -> a.py .ALL_REDUCE_SIZES\n");
  EXPECT_TRUE(
      rule.query_diff.contains("\n- (#eq? @name \"SIZES\")\n+ (#eq? @name \"ALL_REDUCE_SIZES\")\n"))
      << rule.query_diff;
  EXPECT_EQ(port.apply(false).rules[0].outcome, Outcome::kMoved);
  EXPECT_FALSE(port.file("a.py").contains("12:"));
  EXPECT_EQ(port.apply(true).rules[0].outcome, Outcome::kEdited);
  EXPECT_TRUE(port.file("a.py").contains("    12: [6, 8],\n"));
  EXPECT_TRUE(port.rule().contains("(#eq? @name \"ALL_REDUCE_SIZES\")"));
  EXPECT_EQ(port.apply(false).rules[0].outcome, Outcome::kHeld);
}

/// The lines of the query that change where a.py becomes b.py and SIZES gets another name.
std::string rewritten(const std::string& anchor) {
  Port port({{"a.py", std::string(kTable) + kUser}}, "", "", anchor);
  port.upstream("Rename it", {{"a.py", ""},
                              {"b.py",
                               "ALL_REDUCE_SIZES = {\n    9: [2, 4],\n    10: [2, 8],\n}\n\n\ndef "
                               "choose(cc):\n    return ALL_REDUCE_SIZES[cc]\n"}});
  const auto& rule = port.status();
  std::string changed;
  for (const auto line : split_lines(rule.query_diff))
    if (line.starts_with("- ") || line.starts_with("+ ")) changed += std::string(line) + "\n";
  return std::string(name_of(rule.outcome)) + "\n" + changed;
}

TEST(Trace, EachAnchorIsRewrittenInItsWay) {
  EXPECT_EQ(rewritten("(#any-of? @name \"LIMITS\" \"SIZES\")"),
            "moved\n- (#any-of? @name \"LIMITS\" \"SIZES\")\n"
            "+ (#any-of? @name \"LIMITS\" \"SIZES\" \"ALL_REDUCE_SIZES\")\n");
  EXPECT_EQ(rewritten("(#match? @name \"^SIZES$\")"),
            "moved\n- (#match? @name \"^SIZES$\")\n+ (#eq? @name \"ALL_REDUCE_SIZES\")\n");
  EXPECT_EQ(rewritten("(#eq? @name \"SIZES\")\n (#in-path? \"a.py\")"),
            "moved\n- (#eq? @name \"SIZES\")\n- (#in-path? \"a.py\")\n"
            "+ (#eq? @name \"ALL_REDUCE_SIZES\")\n+ (#in-path? \"b.py\")\n");
}

TEST(Trace, AMoveThatOnlyALocalCommitMadeIsAppliedAndNotRecorded) {
  const Port port({{"a.py", std::string(kTable) + kUser}});
  const auto lock = port.world().scratch().read("pack/pack.lock");
  port.world().scratch().write("tree/a.py",
                               "ALL_REDUCE_SIZES = {\n    9: [2, 4],\n    10: [2, 8],\n}\n\n\ndef "
                               "choose(cc):\n    return ALL_REDUCE_SIZES[cc]\n");
  port.world().scratch().run("cd tree; git commit -q -a -m 'Rename it here'");
  const auto report = port.apply(true);
  EXPECT_EQ(report.rules[0].outcome, Outcome::kEdited);
  EXPECT_TRUE(port.file("a.py").contains("    12: [6, 8],\n"));
  ASSERT_FALSE(report.notes.empty());
  EXPECT_TRUE(
      report.notes.back().ends_with("/python/sizes: its move is not recorded in the pack: in "
                                    "upstream's version of a.py the rule matches nowhere"))
      << report.notes.back();
  EXPECT_EQ(port.world().scratch().read("pack/pack.lock"), lock);
  EXPECT_TRUE(port.rule().contains("(#eq? @name \"SIZES\")"));
  EXPECT_EQ(port.apply(true).rules[0].outcome, Outcome::kHeld);
}

TEST(Trace, AClassThatWasRenamedTakesItsScopeAlong) {
  const std::string body =
      ":\n    SIZES = {\n        9: [2, 4],\n        10: [2, 8],\n    }\n\n    def f(self):\n      "
      "  return self.SIZES\n";
  Port port({{"a.py", "class Communicator" + body}}, "Communicator");
  port.upstream("Rename the class",
                {{"a.py", ""}, {"torch_a.py", "class TorchCommunicator" + body}});
  const auto& rule = port.status();
  EXPECT_EQ(rule.outcome, Outcome::kMoved);
  EXPECT_EQ(steps(rule),
            "Rename the class: a.py Communicator.SIZES -> torch_a.py TorchCommunicator.SIZES\n");
  EXPECT_EQ(port.apply(true).rules[0].outcome, Outcome::kEdited);
  EXPECT_TRUE(port.rule().contains("(#in-scope? @name \"TorchCommunicator\")"));
}

TEST(Trace, ChainsAreFollowedStepByStep) {
  Port port({{"a.py", std::string(kTable) + kUser}});
  port.upstream("First", {{"a.py", ""}, {"b.py", std::string(kTable) + kUser}});
  port.upstream("Between", {{"c.txt", "x\n"}});
  port.upstream("Second", {{"b.py",
                            "NEW_SIZES = {\n    9: [2, 4],\n    10: [2, 8],\n}\n\n\ndef "
                            "choose(cc):\n    return NEW_SIZES[cc]\n"}});
  port.upstream("Third", {{"b.py", ""},
                          {"d.py",
                           "NEW_SIZES = {\n    9: [2, 4],\n    10: [2, 8],\n}\n\n\ndef "
                           "choose(cc):\n    return NEW_SIZES[cc]\n"}});
  const auto& rule = port.status();
  EXPECT_EQ(rule.outcome, Outcome::kMoved);
  EXPECT_EQ(steps(rule),
            "First: a.py .SIZES -> b.py .SIZES\nSecond: b.py .SIZES -> b.py .NEW_SIZES\nThird: "
            "b.py .NEW_SIZES -> d.py .NEW_SIZES\n");
}

TEST(Trace, ThereAndBackAgain) {
  Port port({{"a.py", std::string(kTable) + kUser}});
  port.upstream("There", {{"a.py", ""}, {"b.py", std::string(kTable) + kUser}});
  EXPECT_EQ(port.status().outcome, Outcome::kPending);
  port.upstream("Back", {{"b.py", ""}, {"a.py", std::string(kTable) + kUser}});
  EXPECT_EQ(port.status().outcome, Outcome::kPending);
  EXPECT_EQ(port.status().traces.size(), 0);  // it is at its base
}

TEST(Trace, WhatIsGoneIsLostAndTheCommitNamed) {
  Port port({{"a.py", std::string(kTable) + kUser}, {"b.py", "x = 1\n"}});
  port.upstream("Unrelated", {{"b.py", "x = 2\n"}});
  port.upstream("Remove it", {{"a.py", "x = 1\n"}});
  port.upstream("Go on", {{"b.py", "x = 3\n"}});
  const auto& rule = port.status();
  EXPECT_EQ(rule.outcome, Outcome::kLost);
  ASSERT_EQ(rule.traces.size(), 1);
  ASSERT_TRUE(rule.traces[0].vanished);
  EXPECT_EQ(rule.traces[0].vanished->subject, "Remove it");
}

TEST(Trace, ANamesakeIsNotTaken) {
  Port port({{"a.py", std::string(kTable) + kUser},
             {"other.py", "SIZES = {\n    1: [3],\n    2: [5],\n}\n"}});
  EXPECT_EQ(port.status().outcome, Outcome::kPending);  // there are two, and the base says which
  port.upstream("Remove ours", {{"a.py", "x = 1\n"}});
  const auto& rule = port.status();
  EXPECT_EQ(rule.outcome, Outcome::kLost);
  EXPECT_EQ(rule.sites.at(0).path, "other.py");  // shown, not taken
  EXPECT_EQ(port.apply(true).rules[0].outcome, Outcome::kLost);
  EXPECT_FALSE(port.file("other.py").contains("12"));
}

TEST(Trace, ANamesakeThatIsNewIsNotTakenEither) {
  Port port({{"a.py", std::string(kTable) + kUser}});
  port.upstream("Replace it", {{"a.py", ""},
                               {"unrelated.py",
                                "import os\n\nSIZES = {\n    \"small\": \"s\",\n    \"large\": "
                                "\"l\",\n}\n\n\ndef paint():\n    os.exit(1)\n"}});
  port.pull();
  EXPECT_EQ(port.apply(true).rules[0].outcome, Outcome::kLost);
}

TEST(Trace, TwoTablesThatMoveTogetherKeepTheirNames) {
  const std::string two =
      "class A:\n    SIZES = {\n        9: [2, 4],\n        10: [2, 8],\n    }\n\n\nclass B:\n    "
      "SIZES = {\n        9: [2, 4],\n        10: [2, 8],\n    }\n";
  Port port({{"a.py", two}}, "B");
  port.upstream("Move both", {{"a.py", ""}, {"b.py", two}});
  const auto& rule = port.status();
  EXPECT_EQ(rule.outcome, Outcome::kPending);
  EXPECT_EQ(steps(rule), "Move both: a.py B.SIZES -> b.py B.SIZES\n");
}

TEST(Trace, ALiteralThatWasWrappedIsFound) {
  Port port({{"a.py", std::string(kTable) + kUser}});
  port.upstream("Freeze it", {{"a.py",
                               "from types import MappingProxyType\n\nSIZES = MappingProxyType(\n  "
                               "  {\n        9: [2, 4],\n        10: [2, 8],\n    }\n)\n" +
                                   std::string(kUser)}});
  const auto& rule = port.status();
  EXPECT_EQ(rule.outcome, Outcome::kMoved);
  EXPECT_EQ(port.apply(true).rules[0].outcome, Outcome::kEdited);
  EXPECT_TRUE(port.file("a.py").contains("        12: [6, 8],\n"));
  EXPECT_EQ(port.apply(false).rules[0].outcome, Outcome::kHeld);
}

TEST(Trace, AnAttributeThatWasLiftedIsFound) {
  Port port({{"a.py",
              "class C:\n    SIZES = {\n        9: [2, 4],\n        10: [2, 8],\n    }\n\n    def "
              "f(self, cc):\n        return self.SIZES[cc]\n"}},
            "C");
  port.upstream("Lift it", {{"a.py",
                             "C_SIZES = {\n    9: [2, 4],\n    10: [2, 8],\n}\n\n\nclass C:\n    "
                             "def f(self, cc):\n        return C_SIZES[cc]\n"}});
  const auto& rule = port.status();
  EXPECT_EQ(rule.outcome, Outcome::kMoved) << steps(rule);
  EXPECT_EQ(port.apply(true).rules[0].outcome, Outcome::kEdited);
  EXPECT_TRUE(port.file("a.py").starts_with(
      "C_SIZES = {\n    9: [2, 4],\n    10: [2, 8],\n    12: [6, 8],\n}\n"));
}

TEST(Trace, CopiedFirstAndRemovedLaterIsComparedDirectly) {
  Port port({{"a.py", std::string(kTable) + kUser}});
  port.upstream("Copy it", {{"b.py", std::string("import os\n\n\n") + kTable + kUser}});
  port.upstream("Remove the old one", {{"a.py", ""}});
  const auto& rule = port.status();
  EXPECT_EQ(rule.outcome, Outcome::kPending);
  EXPECT_EQ(steps(rule), "Remove the old one: a.py .SIZES -> b.py .SIZES\n");
}

TEST(Trace, TwoCopiesAreAskedAbout) {
  Port port({{"a.py", std::string(kTable) + kUser}});
  port.upstream("Split it", {{"a.py", ""},
                             {"b/a.py", std::string(kTable) + kUser},
                             {"c/a.py", std::string(kTable) + kUser}});
  const auto& rule = port.status();
  EXPECT_EQ(rule.outcome, Outcome::kAmbiguous);
  EXPECT_EQ(rule.traces.at(0).survivors.size(), 2);
  EXPECT_EQ(port.apply(true).rules[0].outcome, Outcome::kAmbiguous);
}

TEST(Trace, RelocateAutoTakesAMoveAndLeavesThePackAlone) {
  Port port({{"a.py", std::string(kTable) + kUser}}, "", "[defaults]\nrelocate = \"auto\"\n");
  const auto before = port.rule();
  port.upstream("Rename it", {{"a.py",
                               "NEW_SIZES = {\n    9: [2, 4],\n    10: [2, 8],\n}\n\n\ndef "
                               "choose(cc):\n    return NEW_SIZES[cc]\n"}});
  port.pull();
  EXPECT_EQ(port.apply(false).rules[0].outcome, Outcome::kEdited);
  EXPECT_TRUE(port.file("a.py").contains("    12: [6, 8],\n"));
  EXPECT_EQ(port.rule(), before);
  EXPECT_EQ(port.apply(false).rules[0].outcome, Outcome::kHeld);
}

TEST(Trace, ADecoratorGoesWithItsFunction) {
  const auto three = [](const char* list) {
    std::string text;
    for (const auto* name : {"cudnn", "cutlass", "trtllm"})
      text += fmt::format("@supported([{}])\ndef {}(a, b):\n    return check(a, b)\n\n\n", list,
                          name);
    return text;
  };
  const World world(
      {{"pack.toml", "format = 1\n"},
       {"python/supported.scm",
        "; Ours.\n((decorated_definition\n   (decorator (call function: (_) @f "
        "arguments: (argument_list (list) @list)))\n"
        "   definition: (function_definition name: (_) @name))\n (#eq? @f \"supported\") "
        "(#eq? @name \"cutlass\")\n (#ensure-element! @list \"121\"))\n"}},
      {{"gemm.py", three("100, 103, 120")}}, true);
  ASSERT_TRUE(refresh(world.request("refresh")));
  world.scratch().run("git -C up rm -q gemm.py; mkdir up/gemm");
  world.scratch().write("up/gemm/base.py", three("100, 103, 107, 120"));
  world.scratch().run(
      "cd up; git add -A; git commit -q -m 'Make it a package'; git -C ../tree pull -q --ff-only "
      "2>&1");
  EXPECT_EQ(world.outcomes("apply"), "python/supported edited");
  EXPECT_TRUE(
      world.file("gemm/base.py").contains("@supported([100, 103, 107, 120, 121])\ndef cutlass("));
}

/// A class whose method holds the call of a rule; `body` is the method and what is beside it.
class CallPort {
 public:
  explicit CallPort(const std::string& body)
      : world_({{"pack.toml", "format = 1\n"},
                {"python/call.scm",
                 "; Ours.\n((call function: (identifier) @f arguments: (argument_list "
                 "(keyword_argument))) @call\n (#eq? @f \"transfer\")\n"
                 " (#in-scope? @f \"OldPool.backup\")\n (#ensure-argument! @call "
                 "\"stream\" \"None\"))\n"}},
               {{"pool.py", body}}, true) {
    if (!refresh(world_.request("refresh"))) throw std::runtime_error("refresh");
  }
  void upstream(const std::string& body) const {
    world_.scratch().write("up/pool.py", body);
    world_.scratch().run(
        "cd up; git add -A; git commit -q -m 'Split the pool'; git -C ../tree pull -q --ff-only "
        "2>&1");
  }
  [[nodiscard]] std::string apply() const {
    auto request = world_.request("apply");
    request.accept_moves = true;
    return world_.outcomes(request);
  }
  [[nodiscard]] std::string file() const { return world_.file("pool.py"); }

 private:
  World world_;
};

constexpr const char* kTransfer =
    "transfer(source=self.pages, target=host.pages, layers=self.layer_count, page_size=64)\n";
constexpr const char* kOldPool =
    "class OldPool:\n    def backup(self, host):\n        if not host.is_open:\n            raise "
    "ValueError(\"closed\")\n        started = clock.now()\n"
    "        with lock(host), profile(\"backup\", started) as span:\n            "
    "span.note(kind=\"old\", size=len(host))\n            for index, entry in "
    "enumerate(sorted(pending, key=age)):\n"
    "                queue.put((index, entry.first, entry.last))\n            waited = clock.now() "
    "- started\n            ";
constexpr const char* kToHost = "    def to_host(self, host):\n        log(self)\n        ";

TEST(Trace, ClassAndMethodRenamedTogetherButTheTextIsTheOnlyOneSuch) {
  const std::string other =
      "transfer(source=self.pages, target=host.states, layers=self.state_count, "
      "page_size=host.size)\n";
  const CallPort port(std::string(kOldPool) + kTransfer);
  port.upstream(std::string("class StatePool:\n") + kToHost + other + "\n\nclass PagePool:\n" +
                kToHost + kTransfer);
  EXPECT_EQ(port.apply(), "python/call edited");
  EXPECT_EQ(port.file(), std::string("class StatePool:\n") + kToHost + other +
                             "\n\nclass PagePool:\n" + kToHost +
                             "transfer(source=self.pages, target=host.pages, "
                             "layers=self.layer_count, page_size=64, stream=None)\n");
}

TEST(Trace, TwoNewTextsThatReadTheSameAreNotChosenFrom) {
  const CallPort port(std::string(kOldPool) + kTransfer);
  port.upstream(std::string("class StatePool:\n") + kToHost + kTransfer + "\n\nclass PagePool:\n" +
                kToHost + kTransfer);
  EXPECT_EQ(port.apply(), "python/call lost");
}

TEST(Trace, ATextThatStoodTwiceIsNoAddress) {
  const std::string other = std::string(
                                "\n\nclass Other:\n    def restore(self, host):\n        ") +
                            kTransfer;
  const CallPort port(std::string(kOldPool) + kTransfer + other);
  // Ours is gone, the other stays: what is new may be a copy of either.
  port.upstream(std::string("class PagePool:\n") + kToHost + kTransfer + other);
  EXPECT_EQ(port.apply(), "python/call lost");
}

/// The outcome for a rule on the table of the SM120 branch, after upstream made `now` of the file.
std::string branch_outcome(const std::string& base, const std::string& now) {
  const World world(
      {{"pack.toml", "format = 1\n"},
       {"python/limits.scm",
        "; Ours.\n((if_statement condition: (_) @condition consequence: (block "
        "(expression_statement (assignment left: (_) @name right: (dictionary) @table))))\n"
        " (#eq? @condition \"is_sm120()\")\n (#eq? @name \"limits\")\n (#in-scope? @table \"f\")\n "
        "(#ensure-entry! @table \"\\\"ours\\\"\" \"1\"))\n"}},
      {{"a.py", base}}, true);
  auto refreshed = world.request("refresh");
  refreshed.at = "a.py";
  if (!refresh(refreshed)) return "no base";
  world.scratch().write("up/a.py", now);
  world.scratch().run(
      "cd up; git add -A; git commit -q -m change; git -C ../tree pull -q --ff-only 2>&1");
  auto request = world.request("apply");
  request.accept_moves = true;
  return world.outcomes(request) + (world.file("a.py") == now ? "" : ", and the file is changed");
}

constexpr const char* kBranch120 =
    "    if is_sm120():\n        limits = {\"stages\": 1, \"warps\": 4, \"persistent\": False}\n   "
    "     use(limits)\n";
constexpr const char* kBranch100 =
    "    if is_sm100():\n        limits = {\"stages\": 1, \"warps\": 4, \"persistent\": True}\n    "
    "    use(limits)\n";

TEST(Trace, WhatIsLeftOfTwoOfOneNameIsNotTheOneThatWent) {
  EXPECT_EQ(branch_outcome(std::string("def f():\n") + kBranch120 + kBranch100,
                           std::string("def f():\n") + kBranch100),
            "python/limits lost");
}

TEST(Trace, ABranchForAnotherArchitectureIsAnotherBranch) {
  EXPECT_EQ(branch_outcome(std::string("def f():\n") + kBranch120,
                           std::string("def f():\n") + kBranch100),
            "python/limits blocked");
}

TEST(Trace, AnOlderTreeIsReachedBackwards) {
  Port port({{"n.py", "x = 1\n"}, {"b.py", std::string(kTable) + kUser}});
  const auto old = port.world().scratch().run("git -C up rev-parse HEAD");
  port.upstream("Rename it", {{"b.py", "x = 1\n"}, {"n.py", std::string(kTable) + kUser}});
  port.pull();
  ASSERT_TRUE(refresh([&] {
    auto request = port.world().request("refresh");
    request.at = "n.py";
    return request;
  }()));
  port.world().scratch().run("git -C tree checkout -q --detach " + old);
  const auto report = run(port.world().request("status"));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->rules[0].outcome, Outcome::kPending);
  EXPECT_EQ(report->rules[0].sites.at(0).path, "b.py");
}

TEST(Trace, WithoutTheBaseCommitTheCopyServes) {
  Port port({{"a.py", std::string(kTable) + kUser}});
  port.upstream("Move it", {{"a.py", ""}, {"b.py", std::string(kTable) + kUser}});
  port.world().scratch().run("rm -rf tree; git clone -q --depth 1 \"file://$PWD/up\" tree");
  const auto report = run(port.world().request("status"));
  ASSERT_TRUE(report);
  const auto& rule = report->rules[0];
  EXPECT_EQ(rule.outcome, Outcome::kMoved);  // asked about: whether b.py had it before is not known
  EXPECT_EQ(rule.sites.at(0).path, "b.py");
  EXPECT_TRUE(
      rule.traces.at(0).unknown.at(0).contains("is not in this repository (a shallow clone?)"));
}

TEST(Trace, OneMemoryServesSeveralTrees) {
  Port port({{"a/sizes.py", std::string(kTable) + kUser}});
  port.upstream("Move it", {{"a/sizes.py", ""},
                            {"b/tables.py", std::string("import os\n\n") + kTable + kUser}});
  port.upstream("Take it out", {{"b/tables.py", std::string("import os\n\n") + kUser}});
  port.pull();
  auto request = port.world().request("status");
  const auto packs = load_packs(request.packs);
  ASSERT_TRUE(packs);
  TraceMemory memory;
  LocateOptions shared;
  shared.traces = &memory;
  for (const std::string rev : {"HEAD", "HEAD~1", "HEAD~2", "HEAD"}) {
    request.rev = rev;
    const auto alone = run(request), other = run(request, *packs, shared);
    ASSERT_TRUE(alone && other) << rev;
    EXPECT_EQ(write_text(*other, {}), write_text(*alone, {})) << rev;
    EXPECT_EQ(steps(other->rules[0]), steps(alone->rules[0])) << rev;
  }
}

/// As many nameless places as before, but one of them is gone: which one is not told by their
/// order.
TEST(Trace, TheOrderOfWhatHasNoNameTellsNothingWhereItsScopeHasChanged) {
  const auto body = [](const std::string& first, const std::string& second) {
    return "def f(a, b):\n    if " + first + "(a):\n        return a\n    log(a)\n    if " +
           second + "(a):\n        return a\n    return a + b\n";
  };
  const World world(
      {{"pack.toml", "format = 1\n"},
       {"python/nan.scm",
        "; Ours.\n((if_statement condition: (call function: (identifier) @f) consequence: (block "
        "(return_statement (_) @v)))\n (#eq? @f \"is_nan\")\n (#replace! @v \"None\"))\n"}},
      {{"a.py", body("is_inf", "is_nan")}}, true);
  ASSERT_TRUE(refresh(world.request("refresh")));
  world.scratch().write("up/a.py", body("is_zero", "is_inf"));
  world.scratch().run(
      "cd up; git add -A; git commit -q -m 'No nan'; git -C ../tree pull -q --ff-only 2>&1");
  const auto report = run(world.request("status"));
  ASSERT_TRUE(report);
  EXPECT_EQ(name_of(report->rules[0].outcome), "lost");
}

}  // namespace
}  // namespace portpatch::test
