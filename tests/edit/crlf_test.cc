// Files with CRLF line ends, where grammars take the carriage return for part of a comment or row.
#include <gtest/gtest.h>

#include "tests/edit/applied.h"

namespace portpatch::test {
namespace {

TEST(Crlf, AnEntryBehindATrailingComment) {
  EXPECT_EQ(applied("python", "a.py",
                    "((assignment left: (_) @n right: (dictionary) @t) (#eq? @n \"A\") "
                    "(#ensure-entry! @t \"12\" \"3\"))\n",
                    "A = {\r\n    9: 1,\r\n    10: 2,  # last\r\n}\r\n"),
            "A = {\r\n    9: 1,\r\n    10: 2,  # last\r\n    12: 3,\r\n}\r\n");
}

TEST(Crlf, AnArgumentBehindATrailingComment) {
  EXPECT_EQ(
      applied("python", "a.py",
              "((call function: (_) @f) @c (#eq? @f \"f\") (#ensure-argument! @c \"c\" \"3\"))\n",
              "f(\r\n    a=1,\r\n    b=2,  # x\r\n)\r\n"),
      "f(\r\n    a=1,\r\n    b=2,  # x\r\n    c=3,\r\n)\r\n");
}

TEST(Crlf, AStatementBehindATrailingComment) {
  EXPECT_EQ(
      applied("python", "a.py",
              "((expression_statement) @s (#eq? @s \"a()\") (#insert-after! @s \"print()\"))\n",
              "def f():\r\n    a()  # x\r\n    c()\r\n"),
      "def f():\r\n    a()  # x\r\n    print()\r\n    c()\r\n");
}

TEST(Crlf, AnElementOfACppArray) {
  EXPECT_EQ(applied("cpp", "a.cu",
                    "((init_declarator declarator: (array_declarator declarator: (_) @n) value: "
                    "(_) @v) (#eq? @n \"k\") (#ensure-element! @v \"120\"))\n",
                    "int k[] = {\r\n    80,\r\n    90,  // b\r\n};\r\n"),
            "int k[] = {\r\n    80,\r\n    90,  // b\r\n    120,\r\n};\r\n");
}

TEST(Crlf, ARowOfToml) {
  const auto
      rule = "((table (bare_key) @k) @t (#eq? @k \"sizes\") (#ensure-entry! @t \"c\" \"3\"))\n";
  EXPECT_EQ(applied("toml", "a.toml", rule, "[sizes]\r\na = 1\r\nb = 2\r\n"),
            "[sizes]\r\na = 1\r\nb = 2\r\nc = 3\r\n");
  EXPECT_EQ(applied("toml", "a.toml", rule, "[sizes]\r\na = 1\r\nb = 2  # x\r\n\r\n[other]\r\n"),
            "[sizes]\r\na = 1\r\nb = 2  # x\r\nc = 3\r\n\r\n[other]\r\n");
}

}  // namespace
}  // namespace portpatch::test
