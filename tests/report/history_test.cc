// What upstream's history says of a rule: since when it is needless or in conflict, and `retire`.
#include <gtest/gtest.h>

#include "apply/transaction.h"
#include "tests/report/world.h"

namespace portpatch::test {
namespace {

constexpr const char* kRule =
    "; Measured on our machines.\n((assignment left: (identifier) @n right: (dictionary) @t)\n "
    "(#eq? @n \"TABLE\")\n (#ensure-entry! @t \"12\" \"[6, 8]\"))\n";

class UpstreamWorld {
 public:
  UpstreamWorld()
      : world_({{"pack.toml",
                 "format = 1\n\n[rules.\"python/table\"]\nowner = "
                 "\"me\"\n\n[rules.\"python/other\"]\nowner = \"you\"\n"},
                {"python/table.scm", kRule},
                {"python/other.scm",
                 "; Other.\n((assignment left: (identifier) @n right: (dictionary) @t)\n "
                 "(#eq? @n \"OTHER\")\n (#ensure-entry! @t \"1\" \"2\"))\n"}},
               {{"a.py", "TABLE = {9: [2]}\nOTHER = {}\n"}}, true) {
    if (!refresh(world_.request("refresh"))) throw std::runtime_error("refresh failed");
  }
  void upstream(const std::string& subject, const std::string& text) const {
    world_.scratch().write("up/a.py", text);
    world_.scratch().run("cd up; git add -A; git commit -q -m '" + subject + "'");
  }
  void pull() const { world_.scratch().run("git -C tree pull -q --ff-only 2>&1"); }
  [[nodiscard]] const World& world() const { return world_; }
  [[nodiscard]] Request of_table(const std::string& command) const {
    auto request = world_.request(command);
    request.packs = {world_.scratch().path("pack/python/table")};
    return request;
  }

 private:
  World world_;
};

TEST(History, NamesTheCommitThatTookARuleOver) {
  const UpstreamWorld up;
  up.upstream("Before", "TABLE = {9: [2], 10: [4]}\nOTHER = {}\n");
  up.upstream("Support SM120", "TABLE = {9: [2], 10: [4], 12: [6, 8]}\nOTHER = {}\n");
  up.upstream("After", "TABLE = {9: [2, 4], 10: [4], 12: [6, 8]}\nOTHER = {}\n");
  up.pull();
  const auto report = run(up.of_table("status"));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->rules[0].outcome, Outcome::kUpstreamed);
  ASSERT_TRUE(report->rules[0].brought);
  EXPECT_EQ(report->rules[0].brought->subject, "Support SM120");
}

TEST(History, NamesTheCommitOfAConflict) {
  const UpstreamWorld up;
  up.upstream("Other sizes", "TABLE = {9: [2], 12: [4]}\nOTHER = {}\n");
  up.upstream("After", "x = 1\nTABLE = {9: [2], 12: [4]}\nOTHER = {}\n");
  up.pull();
  const auto report = run(up.of_table("status"));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->rules[0].outcome, Outcome::kConflict);
  ASSERT_TRUE(report->rules[0].brought);
  EXPECT_EQ(report->rules[0].brought->subject, "Other sizes");
  EXPECT_EQ(report->rules[0].sites[0].base, "(nothing of it)");
}

TEST(Retire, TakesAnUpstreamedRuleOutWithARecord) {
  const UpstreamWorld up;
  up.upstream("Support SM120", "TABLE = {9: [2], 12: [6, 8]}\nOTHER = {}\n");
  up.pull();
  const auto report = retire(up.of_table("retire"));
  ASSERT_TRUE(report) << report.error()[0].message;
  const auto& scratch = up.world().scratch();
  EXPECT_FALSE(fs::exists(scratch.path("pack/python/table.scm")));
  EXPECT_EQ(scratch.read("pack/pack.toml"),
            "format = 1\n\n[rules.\"python/other\"]\nowner = \"you\"\n");
  EXPECT_FALSE(scratch.read("pack/pack.lock").contains("python/table"));
  EXPECT_TRUE(scratch.read("pack/pack.lock").contains("python/other"));
  const auto record = scratch.read("pack/retired.toml");
  EXPECT_TRUE(record.contains("rule = \"python/table\"\nreason = \"Measured on our machines.\"\n"))
      << record;
  EXPECT_TRUE(record.contains("subject = \"Support SM120\"\nsource = '''\n" + std::string(kRule)))
      << record;
  EXPECT_EQ(up.world().outcomes("status"), "python/other pending");  // the pack still loads
  // And back again.
  ASSERT_TRUE(undo_run(open_tree(scratch.path("tree")), real_file_system(), "", false));
  EXPECT_EQ(scratch.read("pack/python/table.scm"), kRule);
  EXPECT_FALSE(fs::exists(scratch.path("pack/retired.toml")));
}

TEST(Retire, RefusesWhatUpstreamDoesNotSay) {
  const UpstreamWorld up;
  const auto report = retire(up.of_table("retire"));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error()[0].code, "not-upstreamed");
  EXPECT_TRUE(fs::exists(up.world().scratch().path("pack/python/table.scm")));
  auto request = up.of_table("retire");
  request.force = true;
  ASSERT_TRUE(retire(request));
  EXPECT_FALSE(fs::exists(up.world().scratch().path("pack/python/table.scm")));
}

TEST(Retire, LeavesWhatIsAnotherRules) {
  const UpstreamWorld up;
  const auto& scratch = up.world().scratch();
  scratch.write("pack/pack.toml",
                "format = 1\n\n[rules.\"python/table\"]\nowner = \"me\"  # alone\n# mine\n\n# "
                "Ask first.\n[rules.\"python/table.2\"]\nowner = \"you\"\n");
  scratch.write("pack/python/table.body.py", "1\n");
  scratch.write("pack/python/table.2.scm",
                "; Second.\n((assignment left: (identifier) @n right: (dictionary) @t)\n (#eq? @n "
                "\"OTHER\")\n (#ensure-entry! @t \"3\" \"file:body\"))\n");
  scratch.write("pack/python/table.2.body.py", "4\n");
  auto request = up.of_table("retire");
  request.force = true;
  const auto report = retire(request);
  ASSERT_TRUE(report) << report.error()[0].message;
  EXPECT_FALSE(fs::exists(scratch.path("pack/python/table.scm")));
  EXPECT_FALSE(fs::exists(scratch.path("pack/python/table.body.py")));
  EXPECT_EQ(scratch.read("pack/pack.toml"),
            "format = 1\n\n# Ask first.\n[rules.\"python/table.2\"]\nowner = \"you\"\n");
  EXPECT_EQ(up.world().outcomes("status"), "python/other pending, python/table.2 pending");
  for (const auto& diff : report->diffs) EXPECT_TRUE(diff.path.starts_with(scratch.path("pack/")));
}

TEST(Retire, RefusesSettingsThatItCannotTakeOut) {
  const UpstreamWorld up;
  up.world().scratch().write("pack/pack.toml",
                             "format = 1\nrules = {\"python/table\" = {owner = \"me\"}}\n");
  auto request = up.of_table("retire");
  request.force = true;
  const auto report = retire(request);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error()[0].code, "hand-work");
  EXPECT_TRUE(fs::exists(up.world().scratch().path("pack/python/table.scm")));
}

}  // namespace
}  // namespace portpatch::test
