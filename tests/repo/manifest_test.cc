#include "repo/manifest.h"

#include <gtest/gtest.h>

namespace portpatch::test {
namespace {

TEST(Manifest, WithAStateIsReadAsItWasWritten) {
  const Manifest manifest{
      .id = "20260818T112721-0001",
      .command = "pull rules/sm120",
      .entries = {{.path = "a\xff",
                   .before = "1",
                   .after = std::nullopt,
                   .mode = 0640,
                   .stored = "tree/a\xff"}},
      .folders = {},
      .state = GitState{.before = {.branch = "refs/heads/main", .head = "2", .index = "3"},
                        .stored_index = "index",
                        .parents = {"2", "4"},
                        .is_complete = true,
                        .after = {.branch = "", .head = "5", .index = "6"},
                        .files_after = {{"b\xff", "7"}, {"c", std::nullopt}}}};
  const auto read = parse_manifest(print_manifest(manifest));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, manifest);
  EXPECT_TRUE(print_manifest(manifest).contains("\"format\": 2"))
      << "an older portpatch must not undo half of it";
  auto plain = manifest;
  plain.state = std::nullopt;
  EXPECT_TRUE(print_manifest(plain).contains("\"format\": 1"));
  EXPECT_EQ(*parse_manifest(print_manifest(plain)), plain);
}

}  // namespace
}  // namespace portpatch::test
