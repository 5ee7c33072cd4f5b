#include "inventory/idle_bodies.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/files.h"
#include "inventory/cc_names.h"
#include "tests/inventory/shown.h"

namespace portpatch {
namespace {

const std::string kLong =
    "# a comment that is long enough for the body to be worth it, and then some more of it until "
    "it is: 160 bytes are the least that counts, this line has them, surely";

std::string idle(const char* language, const std::string& text, std::string_view name) {
  std::vector<ByteRange> names;
  for (const auto at : whole_words(text, name)) names.push_back({at, at + name.size()});
  auto result = without_idle_bodies(*find_language(language), text, names);
  EXPECT_EQ(result.size(), text.size());
  EXPECT_EQ(split_lines(result).size(), split_lines(text).size());
  std::string shown;
  for (const auto line : split_lines(result)) {
    const auto kept = line.substr(0, line.find_last_not_of(' ') + 1);
    if (!kept.empty()) shown += std::string(kept) + "\n";
  }
  return shown;
}

TEST(IdleBodies, GoInPythonAndLeaveAStatement) {
  EXPECT_EQ(
      idle("python",
           "def f(a,\n      b):\n    \"\"\"\n  Text.\n\"\"\"\n    x = [\n1]\n    " + kLong +
               "\n    g()\n\nclass C:\n    def h(self):\n        " + kLong + "\n        sm()\n",
           "sm"),
      "def f(a,\n      b):\n    0\nclass C:\n    def h(self):\n        " + kLong +
          "\n        sm()\n");
}

TEST(IdleBodies, GoInCppWhereTheirBracesPair) {
  const auto comment = "  // " + kLong.substr(2) + "\n";
  EXPECT_EQ(idle("cpp",
                 "namespace n {\nvoid f(int a) {\n" + comment +
                     "  if (a) {\n    g();\n  }\n}\nvoid h() {\n" + comment + "  sm();\n}\n}\n",
                 "sm"),
            "namespace n {\nvoid f(int a) {\n}\nvoid h() {\n" + comment + "  sm();\n}\n}\n");
  const auto cut = "void f() {\n" + comment +
                   "#if A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}\n";
  EXPECT_EQ(idle("cpp", cut, "sm"), cut) << "braces that the preprocessor counts otherwise";
}

/// Without names: where macros leave errors, the grammar recovers now in this one, now in that.
std::string all_places(const std::string& path, const std::string& text, bool keep) {
  std::string out;
  for (auto place :
       extract_facts(*find_language("cpp"), path, text, {.keep_idle_bodies = keep}).file.places) {
    place.function.clear(), place.name.clear();
    out += test::shown(place, {{12, 0}}) + "\n";
  }
  return out;
}

TEST(IdleBodies, AreNotMissedInRealHeaders) {
  namespace fs = std::filesystem;
  std::size_t files = 0, with_places = 0;
  for (const auto* folder :
       {"/usr/include/cub", "/usr/include/thrust", "/usr/local/cuda/include"}) {
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
      const auto path = entry.path().string();
      if (!find_language("cpp")->owns(path) || !entry.is_regular_file() ||
          entry.file_size() > 200'000)
        continue;
      const auto text = read_file(path);
      if (!text || !CcNames::of(*find_language("cpp"))->may_concern(*text)) continue;
      if (++files > 150) break;
      const auto seen = all_places(path, *text, false);
      EXPECT_EQ(seen, all_places(path, *text, true)) << path;
      with_places += !seen.empty();
    }
  }
  if (files == 0) GTEST_SKIP() << "there are no CUDA headers here (libcub-dev)";
  EXPECT_GT(with_places, 0);
}

}  // namespace
}  // namespace portpatch
