// ensure-import!: blocks, sections and orders; lists that are there; what counts as imported.
#include <gtest/gtest.h>

#include "tests/edit/apply_rule.h"
#include "tests/edit/taken_back.h"

namespace portpatch::test {
namespace {

std::string rule(std::string_view module, std::string_view text) {
  return fmt::format("(({}) @node (#in-path? \"file\") (#ensure-import! {}))", module,
                     quoted(text));
}
std::string python(std::string_view text, const std::string& source) {
  return apply_rule("python", rule("module", text), source);
}
std::string cpp(std::string_view text, const std::string& source) {
  return apply_rule("cpp", rule("translation_unit", text), source);
}

/// The text without the import again.
std::string without(std::string_view language, std::string_view text, const std::string& source) {
  return taken_back(language, rule(language == "python" ? "module" : "translation_unit", text),
                    source);
}

TEST(EnsureImport, JoinsTheListOfItsModule) {
  EXPECT_EQ(python("from x import b", "from x import a, c\n"), "from x import a, b, c\n");
  EXPECT_EQ(python("from x import b", "from x import a  # noqa: F401\n"),
            "from x import a, b  # noqa: F401\n");
  EXPECT_EQ(python("from x import b", "from x import (\n    a,  # first\n    c,\n)\n"),
            "from x import (\n    a,  # first\n    b,\n    c,\n)\n");
  EXPECT_EQ(python("from x import b, d", "from x import (\n    a,\n    c\n)\n"),
            "from x import (\n    a,\n    b,\n    c,\n    d\n)\n");
}

TEST(EnsureImport, KnowsTheOrdersOfNames) {
  EXPECT_EQ(python("from x import Beta", "from x import MAX, Alpha, alpha\n"),
            "from x import MAX, Alpha, Beta, alpha\n");
  EXPECT_EQ(python("from x import sm9", "from x import sm8, sm10\n"),
            "from x import sm8, sm9, sm10\n");
  EXPECT_EQ(python("from x import b", "from x import Z, c, a\n"), "from x import Z, c, a, b\n");
}

TEST(EnsureImport, BreaksALineThatGetsTooLong) {
  const std::string a(40, 'a'), b(40, 'b');
  EXPECT_EQ(
      python("from x import " + std::string(20, 'c'), "from x import " + a + ", " + b + "\n"),
      "from x import (\n    " + a + ",\n    " + b + ",\n    " + std::string(20, 'c') + ",\n)\n");
}

TEST(EnsureImport, GoesToItsSection) {
  const std::string file =
      "\"\"\"Doc.\"\"\"\n\nfrom __future__ import annotations\n\nimport os\nfrom typing import "
      "Any\n\nimport torch\n\nfrom .near import n\n\n\ndef f():\n    pass\n";
  EXPECT_EQ(
      python("import logging", file),
      "\"\"\"Doc.\"\"\"\n\nfrom __future__ import annotations\n\nimport logging\nimport os\nfrom "
      "typing import Any\n\nimport torch\n\nfrom .near import n\n\n\ndef f():\n    pass\n");
  EXPECT_EQ(python("from flashinfer.x import y", file),
            "\"\"\"Doc.\"\"\"\n\nfrom __future__ import annotations\n\nimport os\nfrom typing "
            "import Any\n\nimport torch\nfrom flashinfer.x import y\n\nfrom .near import "
            "n\n\n\ndef f():\n    pass\n");
  EXPECT_EQ(python("from __future__ import division", file),
            "\"\"\"Doc.\"\"\"\n\nfrom __future__ import annotations, division\n\nimport os\nfrom "
            "typing import Any\n\nimport torch\n\nfrom .near import n\n\n\ndef f():\n    pass\n");
}

TEST(EnsureImport, MakesASectionBetweenItsNeighbours) {
  EXPECT_EQ(python("import torch", "import os\n\nfrom .near import n\n"),
            "import os\n\nimport torch\n\nfrom .near import n\n");
  EXPECT_EQ(python("import os", "import torch\n\nx = 1\n"), "import os\n\nimport torch\n\nx = 1\n");
  EXPECT_EQ(python("import torch\nimport os", "from .near import n\n"),
            "import os\n\nimport torch\n\nfrom .near import n\n");
}

TEST(EnsureImport, SortsAsTheFileDoes) {
  EXPECT_EQ(python("import b", "from a import x\nimport c\nfrom d import y\n"),
            "from a import x\nimport b\nimport c\nfrom d import y\n");
  EXPECT_EQ(python("import b", "import a\nimport c\nfrom a import x\n"),
            "import a\nimport b\nimport c\nfrom a import x\n");
  EXPECT_EQ(python("import b", "from a import x\nfrom c import y\nimport a\nimport d\n"),
            "from a import x\nfrom c import y\nimport a\nimport b\nimport d\n");
  EXPECT_EQ(python("import b", "import d\nimport a\nimport c\n"),
            "import d\nimport a\nimport c\nimport b\n");
}

TEST(EnsureImport, StandsAtTheTopOfAFileWithoutImports) {
  EXPECT_EQ(python("import os", ""), "import os\n");
  EXPECT_EQ(python("import os", "x = 1\n"), "import os\n\nx = 1\n");
  EXPECT_EQ(python("import os", "#!/usr/bin/env python\n# License\n\nx = 1\n"),
            "#!/usr/bin/env python\n# License\n\nimport os\n\nx = 1\n");
  EXPECT_EQ(python("import os", "#!/usr/bin/env python\nx = 1\n"),
            "#!/usr/bin/env python\n\nimport os\n\nx = 1\n");
  EXPECT_EQ(python("import os", "\"\"\"Doc.\"\"\"\n\n\ndef f():\n    pass\n"),
            "\"\"\"Doc.\"\"\"\n\nimport os\n\n\ndef f():\n    pass\n");
  EXPECT_EQ(python("import os", "\"\"\"Doc.\"\"\"\nx = 1\n"),
            "\"\"\"Doc.\"\"\"\n\nimport os\n\nx = 1\n");
  EXPECT_EQ(python("from __future__ import annotations", "\"\"\"Doc.\"\"\"\n\nX = 1\nimport os\n"),
            "\"\"\"Doc.\"\"\"\n\nfrom __future__ import annotations\n\nX = 1\nimport os\n");
}

TEST(EnsureImport, KeepsToCrlf) {
  EXPECT_EQ(python("import sys", "import os\r\n\r\nx = 1\r\n"),
            "import os\r\nimport sys\r\n\r\nx = 1\r\n");
  EXPECT_EQ(python("import torch", "import os\r\n\r\nx = 1\r\n"),
            "import os\r\n\r\nimport torch\r\n\r\nx = 1\r\n");
}

TEST(EnsureImport, HoldsWhereTheNameIsImported) {
  EXPECT_EQ(python("from x import b", "from x import (a, b)\n"), "holds");
  EXPECT_EQ(python("import x as y", "import z, x as y\n"), "holds");
  EXPECT_EQ(python("import os", "import os.path\n"), "holds");
  EXPECT_EQ(python("import tomllib",
                   "try:\n    import tomllib\nexcept ImportError:\n    tomllib = None\n"),
            "holds");
  EXPECT_EQ(python("if TYPE_CHECKING:\n    from x import a",
                   "from typing import TYPE_CHECKING\nfrom x import a\n"),
            "holds");
}

TEST(EnsureImport, DoesNotCountWhatIsNotAlwaysThere) {
  EXPECT_EQ(python("import os", "import re\n\n\ndef f():\n    import os\n"),
            "import os\nimport re\n\n\ndef f():\n    import os\n");
  EXPECT_EQ(python("from x import a",
                   "from typing import TYPE_CHECKING\n\nimport torch\n\nif TYPE_CHECKING:\n    "
                   "from x import a\n"),
            "from typing import TYPE_CHECKING\n\nimport torch\nfrom x import a\n\nif "
            "TYPE_CHECKING:\n    from x import a\n");
  EXPECT_EQ(python("from x import a", "import c\n\nif c.ok():\n    from x import a\n"),
            "blocked: conditional-import: `a` is imported only under a condition, or inside of "
            "another block");
}

TEST(EnsureImport, ANameThatIsSomethingElseIsAConflict) {
  EXPECT_EQ(python("from x import a", "from y import a\n"),
            "conflict: differs: `a` is something else in the file");
  EXPECT_EQ(python("from x import a", "import b\n\n\ndef a():\n    pass\n"),
            "conflict: differs: `a` is something else in the file");
  EXPECT_EQ(python("import a.b", "import a.c\n"), "import a.b\nimport a.c\n");
}

TEST(EnsureImport, TypeCheckersHaveTheirBlock) {
  const std::string text = "if TYPE_CHECKING:\n    from x import b";
  EXPECT_EQ(
      python(text, "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from x import a\n"),
      "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from x import a, b\n");
  EXPECT_EQ(
      python(text, "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import z\n"),
      "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import z\n    from x import b\n");
  EXPECT_EQ(
      python(text, "from typing import TYPE_CHECKING\n\nx = 1\n"),
      "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from x import b\n\nx = 1\n");
}

TEST(EnsureImport, LeavesOtherStatementsAlone) {
  EXPECT_EQ(python("from x import b", "from x import *\n"), "from x import *\nfrom x import b\n");
  EXPECT_EQ(python("from x import b as c", "from x import a\n"),
            "from x import a\nfrom x import b as c\n");
  EXPECT_EQ(python("from x import b",
                   "try:\n    from x import a\nexcept ImportError:\n    a = None\n\nimport os\n"),
            "try:\n    from x import a\nexcept ImportError:\n    a = None\n\nimport os\n\nfrom x "
            "import b\n");
}

TEST(EnsureImport, RefusesWhatIsNoImport) {
  EXPECT_EQ(python("x = 1", "x = 1\n").substr(0, 8), "bad rule");
  EXPECT_EQ(python("import os\nx = 1", "x = 1\n").substr(0, 8), "bad rule");
}

TEST(EnsureImport, NamesAreSeenByTheOthersOfTheRule) {
  EXPECT_EQ(
      apply_rule("python",
                 "((assignment left: (_) @name right: (list) @list) (#eq? @name \"X\") "
                 "(#ensure-element! @list \"sm120()\") (#ensure-import! \"from u import sm120\"))",
                 "import torch\n\nX = [1]\n"),
      "import torch\nfrom u import sm120\n\nX = [1, sm120()]\n");
}

TEST(EnsureImport, IncludesGoBesideTheirKind) {
  EXPECT_EQ(cpp("#include <b.h>", "#include <a.h>\n#include <c.h>\n\n#include \"x.h\"\nint i;\n"),
            "#include <a.h>\n#include <b.h>\n#include <c.h>\n\n#include \"x.h\"\nint i;\n");
  EXPECT_EQ(
      cpp("#include \"y.h\"", "#include <a.h>\n\n#include \"x.h\"\n#include \"z.h\"\nint i;\n"),
      "#include <a.h>\n\n#include \"x.h\"\n#include \"y.h\"\n#include \"z.h\"\nint i;\n");
  EXPECT_EQ(cpp("#include \"y.h\"", "#include <a.h>\nint i;\n"),
            "#include <a.h>\n\n#include \"y.h\"\nint i;\n");
  EXPECT_EQ(cpp("#include <b.h>", "#include <c.h>\n#include <a.h>\nint i;\n"),
            "#include <c.h>\n#include <a.h>\n#include <b.h>\nint i;\n");
}

TEST(EnsureImport, IncludesStandUnderNoCondition) {
  EXPECT_EQ(cpp("#include <b.h>", "#include <a.h>\n#ifdef A\n#include <c.h>\n#endif\nint i;\n"),
            "#include <a.h>\n#include <b.h>\n#ifdef A\n#include <c.h>\n#endif\nint i;\n");
  EXPECT_EQ(cpp("#include <c.h>", "#include <a.h>\n#ifdef A\n#include <c.h>\n#endif\nint i;\n"),
            "blocked: conditional-import: `<c.h>` is imported only under a condition, or inside of "
            "another block");
  EXPECT_EQ(cpp("#include <b.h>", "#ifndef X_H\n#define X_H\n#include <a.h>\nint i;\n#endif\n"),
            "#ifndef X_H\n#define X_H\n#include <a.h>\n#include <b.h>\nint i;\n#endif\n");
  EXPECT_EQ(cpp("#include <a.h>", "#ifndef X_H\n#define X_H\n#include <a.h>\n#endif\n"), "holds");
}

TEST(EnsureImport, IncludesAtTheTopStandBehindTheGuard) {
  EXPECT_EQ(cpp("#include <a.h>", "// License\n#pragma once\n\nint i;\n"),
            "// License\n#pragma once\n\n#include <a.h>\n\nint i;\n");
  EXPECT_EQ(cpp("#include <a.h>", "#ifndef X_H\n#define X_H\n\nint i;\n#endif\n"),
            "#ifndef X_H\n#define X_H\n\n#include <a.h>\n\nint i;\n#endif\n");
  EXPECT_EQ(cpp("#include <a.h>", "int i;\n"), "#include <a.h>\n\nint i;\n");
  EXPECT_EQ(cpp("#include <a.h>", "#include \"a.h\"\nint i;\n"),
            "conflict: differs: `<a.h>` is something else in the file");
}

TEST(EnsureImport, IsTakenBack) {
  for (const std::string file :
       {"from x import a, c\n", "import os\n\nfrom .near import n\n", "x = 1\n",
        "\"\"\"Doc.\"\"\"\n\nx = 1\n", "from x import (\n    a,\n)\n",
        "import torch\nfrom x import c\n\n\ndef f():\n    pass\n"}) {
    EXPECT_EQ(without("python", "from x import b\nimport y.z", file), file);
  }
  EXPECT_EQ(without("python", "if TYPE_CHECKING:\n    from x import b",
                    "from typing import TYPE_CHECKING\n\nx = 1\n"),
            "from typing import TYPE_CHECKING\n\nx = 1\n");
  EXPECT_EQ(without("python", "from x import b, d", "from x import a, c\n"),
            "from x import a, c\n");
  for (const std::string file :
       {"#include <a.h>\n#include <c.h>\nint i;\n", "#pragma once\n\nint i;\n",
        "#include <a.h>\n\n#include \"x.h\"\nint i;\n"}) {
    EXPECT_EQ(without("cpp", "#include <b.h>", file), file);
  }
}

}  // namespace
}  // namespace portpatch::test
