// Nodes of a tree among themselves.
#include "syntax/node.h"

#include <gtest/gtest.h>

#include "syntax/language.h"
#include "syntax/source_tree.h"

namespace portpatch::test {
namespace {

/// How many nodes there are whose parent is not the node that they are a child of.
std::size_t orphans(const std::string& language, const std::string& text) {
  const auto tree = SourceTree::parse(*find_language(language), text);
  std::size_t count = tree->root().parent() ? 1 : 0;
  walk(tree->root(), [&](const Node& node) {
    for (const auto& child : node.children()) count += child.parent() == node ? 0 : 1;
    return true;
  });
  return count;
}

TEST(Node, IsTheParentOfItsChildren) {
  EXPECT_EQ(orphans("python", ""), 0u);
  EXPECT_EQ(orphans("python", "if a:\n    # b\n    c = [1, (2), f'{x}']\nelse:\n    pass\n\nx = 1"),
            0u);
  EXPECT_EQ(orphans("python", "def f(:\n  ( [ class ) ] } = : ; else\nx = = 1\n"), 0u);
  EXPECT_EQ(orphans("cpp", "#if A\nint f() { if (a) b(); else if (c) {} }\n#endif\nint x = ;;\n}"),
            0u);
  EXPECT_EQ(orphans("yaml", "a:\n- b\n-\n  c: |\n    d\n"), 0u);
  EXPECT_EQ(orphans("cmake", "if(A)\n  set(B \"c;d\")\nendif()\nset("), 0u);
}

}  // namespace
}  // namespace portpatch::test
