// The inventory of some files finds of them what that of the whole tree finds, whatever they need
// of others.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "inventory/inventory.h"
#include "pipeline.h"
#include "tests/inventory/shown.h"
#include "tests/report/world.h"

namespace portpatch::test {
namespace {

/// Helpers behind helpers, imports under other names, namesakes, tables and macros of other files.
const std::map<std::string, std::string> kTree{
    {"eng/utils/common.py",
     "def is_sm90_supported():\n    return get_device_capability() == (9, 0)\n\n\ndef "
     "is_sm120_supported():\n    return is_blackwell_supported()\n\n\ndef "
     "is_blackwell_supported():\n    return get_device_capability()[0] == 12\n"},
    {"eng/utils/__init__.py",
     "from eng.utils.common import is_sm90_supported, is_sm120_supported\n"},
    {"eng/layers/alias.py",
     "from eng.utils import is_sm120_supported as is_sm_new\n\n\ndef f():\n    if is_sm_new():\n   "
     "     return 1\n"},
    {"eng/layers/plain.py",
     "from eng.utils import is_sm90_supported\n\n\ndef g():\n    if is_sm90_supported() or "
     "get_device_capability() == (10, 0):\n        return 1\n    return 2\n"},
    {"eng/layers/star.py",
     "from eng.gates import *\n\n\ndef h():\n    assert is_sm100_supported()\n"},
    {"eng/gates.py",
     "is_sm100_supported = get_device_capability() == (10, 0)\nis_sm110_supported = "
     "is_sm100_supported and not is_hip()\n"},
    {"eng/layers/doubtful.py", "def k():\n    if is_sm80_supported():\n        return 1\n"},
    {"eng/a.py", "def is_sm80_supported():\n    return get_device_capability() == (8, 0)\n"},
    {"eng/b.py", "def is_sm80_supported():\n    return get_device_capability() >= (8, 0)\n"},
    {"eng/layers/own.py",
     "def is_sm90_supported():\n    return get_device_capability() >= (9, 0)\n\n\ndef m():\n    if "
     "is_sm90_supported():\n        return 1\n"},
    {"eng/tables.py",
     "WORLD_SIZES: dict[int, list[int]] = {\n    9: [2, 4],\n    10: [6, 8],\n}\nOTHER_SIZES = {1: "
     "2}\n"},
    {"eng/use.py",
     "from eng.tables import WORLD_SIZES, OTHER_SIZES\n\n\ndef n(x):\n    return "
     "WORLD_SIZES[get_device_capability()[0]], OTHER_SIZES[x]\n"},
    {"csrc/arch.h", "#define GPU_CC_VOLTA 700\n#define GPU_CC_HOPPER 900\n"},
    {"csrc/use.cu",
     "#include \"arch.h\"\nint f() {\n  if (getSMVersion() * 10 >= GPU_CC_HOPPER) return 1;\n  "
     "return is_sm90_device() ? 2 : 0;\n}\n"},
    {"csrc/helper.cu", "bool is_sm90_device() { return getSMVersion() == 90; }\n"},
    {"CMakeLists.txt", "list(APPEND FLAGS \"-gencode=arch=compute_90a,code=sm_90a\")\n"},
};

std::map<std::string, std::string> places(const Inventory& inventory) {
  std::map<std::string, std::string> by_path;
  for (const auto& file : inventory.files) {
    for (const auto& place : file.places)
      by_path[file.path] += shown(place, {{12, 0}, {9, 0}}) + "\n";
  }
  return by_path;
}

TEST(SomeFiles, HaveThePlacesOfTheWhole) {
  const World world({{"pack.toml", "format = 1\n"}}, kTree);
  const auto tree = portpatch::open_tree(world.scratch().path("tree"), "");
  ASSERT_TRUE(tree);
  const auto whole = take_inventory(*tree, {});
  ASSERT_TRUE(whole);
  const auto wanted = places(*whole);
  EXPECT_GE(wanted.size(), 11U);
  EXPECT_TRUE(wanted.contains("eng/tables.py"));
  for (const auto& [path, text] : kTree) {
    const auto some = take_inventory(
        *tree, {.is_wanted = [&, only = path](const std::string& one) { return one == only; }});
    ASSERT_TRUE(some);
    const auto found = places(*some);
    std::map<std::string, std::string> here;
    if (const auto known = wanted.find(path); known != wanted.end()) here.insert(*known);
    EXPECT_EQ(found, here) << path;
  }
}

TEST(SomeFiles, HelpersAloneAreFound) {
  const World world({{"pack.toml", "format = 1\n"}}, kTree);
  const auto tree = portpatch::open_tree(world.scratch().path("tree"), "");
  const auto some = take_inventory(*tree, {.helpers = {"is_sm120_supported"}});
  ASSERT_TRUE(some);
  EXPECT_TRUE(some->files.empty());
  const auto found = std::ranges::find(some->helpers, "is_sm120_supported",
                                       &HelperDefinition::name);
  ASSERT_NE(found, some->helpers.end());
  ASSERT_EQ(found->keys.size(), 1U);
  EXPECT_EQ(key_cc_text(found->keys[0]), "12");
}

TEST(SomeFiles, OneMemoryServesTwoRevisions) {
  const World world({{"pack.toml", "format = 1\n"}}, kTree);
  world.scratch().run(
      "cd tree; git init -q -b main; git config user.email a@b.c; git config user.name n; git add "
      "-A; git commit -q -m one; sed -i 's/== 12/== 10/' eng/utils/common.py; sed -i "
      "'s/HOPPER 900/HOPPER 1000/' csrc/arch.h; git rm -q eng/b.py; git commit -q -a -m two");
  InventoryMemory memory;
  for (const std::string rev : {"HEAD", "HEAD~1", "HEAD"}) {
    const auto tree = portpatch::open_tree(world.scratch().path("tree"), rev);
    ASSERT_TRUE(tree);
    for (const auto& [path, text] : kTree) {
      const auto is_wanted = [&, only = path](const std::string& one) { return one == only; };
      const auto alone = take_inventory(*tree, {.is_wanted = is_wanted}),
                 shared = take_inventory(*tree, {.is_wanted = is_wanted, .memory = &memory});
      ASSERT_TRUE(alone && shared);
      EXPECT_EQ(places(*shared), places(*alone)) << rev << " " << path;
    }
    const auto alone = take_inventory(*tree, {}),
               shared = take_inventory(*tree, {.memory = &memory});
    ASSERT_TRUE(alone && shared);
    EXPECT_EQ(places(*shared), places(*alone)) << rev;
  }
}

TEST(PossibleTables, TellApartWhatIsWrittenOfThem) {
  const std::string one = "WORLD_SIZES = {\n    9: [2],\n}\n";
  const auto tables = possible_tables("a.py", one + "OTHER_SIZES = {1: 2}\nx = {1: 2}\n");
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables.begin()->first, "OTHER_SIZES");
  EXPECT_EQ(possible_tables("b.py", one + "y = 1\n"), possible_tables("a.py", "x = 1\n" + one));
  EXPECT_NE(possible_tables("a.py", one),
            possible_tables("a.py", "WORLD_SIZES = {\n    9: [4],\n}\n"));
  const auto long_one = [](std::string_view last) {
    std::string text = "WORLD_SIZES = {\n";
    for (int i = 0; i < 2'000; ++i) text += fmt::format("    {}: [{:08}],\n", 10 + i, i);
    return fmt::format("{}    9: [{}],\n}}\n", text, last);
  };
  EXPECT_NE(possible_tables("a.py", long_one("2")), possible_tables("a.py", long_one("4")));
  // As many beginnings as lines, and no end: not all of them are kept.
  std::string open;
  for (int i = 0; i < 2'000; ++i) open += fmt::format("SIZES_{:04} = {{1\n", i);
  for (const auto& [name, digest] : possible_tables("a.py", open)) EXPECT_EQ(digest.size(), 64U);
}

}  // namespace
}  // namespace portpatch::test
