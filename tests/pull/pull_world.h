// An upstream, its bare repository, a clone that carries the port, and the pack: what pull is for.
#pragma once

#include <string>

#include "tests/cli/program.h"

namespace portpatch::test {

using namespace std::string_literals;

/// Upstream's `tables.py` and `limits.py` hold a table each; the rules add the key 12 to both.
class PullWorld {
 public:
  PullWorld() {
    for (const auto* name : {"tables", "limits"}) {
      std::string upper(name);
      for (auto& c : upper) c = static_cast<char>(std::toupper(c));
      scratch_.write(std::string("pack/python/") + name + ".scm",
                     "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n \"" +
                         upper + "\")\n (#ensure-entry! @d \"12\" \"[6, 8]\"))\n");
    }
    scratch_.write("pack/pack.toml", "format = 1\n");
    scratch_.write("work/tables.py", tables());
    scratch_.write("work/limits.py", "LIMITS = {\n    9: [1],\n    10: [2],\n}\n");
    scratch_.write("work/other.txt", other());
    scratch_.write("work/removed.txt", "removed\n");
    scratch_.run(R"(git init -q -b main work; cd work; git add -A; git commit -q -m base; cd ..
git clone -q --bare work up.git; git -C work remote add origin ../up.git; git clone -q up.git tree 2>&1)");
  }

  /// Upstream's next commit: edits beside both places, a new file, a changed one, one removed.
  void advance() const {
    push(
        R"(sed -i 's/10: \[4\]/10: [4, 8]/' tables.py; sed -i 's/10: \[2\]/10: [2, 4]/' limits.py; sed -i 's/^line 9$/line nine/' other.txt
mkdir -p sub; echo new >sub/new.txt; git rm -q removed.txt)");
  }
  void push(const std::string& commands, const std::string& message = "next") const {
    run("cd work; " + commands + "; git add -A; git commit -q -m '" + message +
        "'; git push -q origin HEAD:main 2>&1");
  }

  Ran portpatch(const std::string& arguments, const std::string& environment = "") const {
    return test::portpatch(scratch_, "-C tree " + arguments, ".", environment);
  }
  std::string run(const std::string& commands) const { return scratch_.run(commands); }
  std::string in_tree(const std::string& commands) const {
    return scratch_.run("cd tree; " + commands);
  }
  [[nodiscard]] const Scratch& scratch() const { return scratch_; }
  [[nodiscard]] std::string file(const std::string& path) const {
    return scratch_.read("tree/" + path);
  }
  void write(const std::string& path, std::string_view text) const {
    scratch_.write("tree/" + path, text);
  }

  /// HEAD, branch, index, every file with its mode, and what git has under way.
  [[nodiscard]] std::string state() const {
    return in_tree(
        R"(git rev-parse HEAD; git symbolic-ref -q HEAD || true; git ls-files -s; git --no-optional-locks status --porcelain=v2 --ignored
find . -name .git -prune -o \( -type f -o -type l \) -printf '%m %p ' -exec sha256sum {} \; | sort
dir=$(git rev-parse --git-dir); ls $dir | grep -E 'MERGE|rebase|lock$|state.json' | grep -v packed || true; git stash list)");
  }

  static std::string tables() { return "TABLES = {\n    9: [4],\n    10: [4],\n}\n"; }
  static std::string other() {
    std::string text;
    for (int i = 1; i <= 20; ++i) text += "line " + std::to_string(i) + "\n";
    return text;
  }
  static constexpr const char*
      kPulledTables = "TABLES = {\n    9: [4],\n    10: [4, 8],\n    12: [6, 8],\n}\n";
  static constexpr const char*
      kPulledLimits = "LIMITS = {\n    9: [1],\n    10: [2, 4],\n    12: [6, 8],\n}\n";

 private:
  Scratch scratch_;
};

}  // namespace portpatch::test
