// That text can only be text: what the one way into a page makes of it.
#include "report/page/html.h"

#include <gtest/gtest.h>

namespace portpatch::test {
namespace {

TEST(Html, EscapesTextAndAttributesAlike) {
  const std::string hostile = "<script>&amp;\"'</style> \xE2\x80\xAEgnp \x1B[31m \xFFz\tq\r";
  const std::string shown =
      "&lt;script&gt;&amp;amp;&quot;&#39;&lt;/style&gt; \\xe2\\x80\\xaegnp \\x1b[31m "
      "\\xffz\tq\\x0d";
  EXPECT_EQ(escaped(hostile), shown);
  Html html;
  html.leaf("p", {{"title", hostile}}, hostile);
  EXPECT_EQ(html.take(), "<p title=\"" + shown + "\">" + shown + "</p>");
}

TEST(Html, KeepsLineBreaksAndDropsTheirCarriageReturn) {
  EXPECT_EQ(escaped("a\r\nb\n\nc\rd"), "a\nb\n\nc\\x0dd");
}

TEST(Html, NestsElements) {
  Html html;
  html.in("ul", {{"class", "x"}}, [&] {
    html.in("li", {},
            [&] { html.text("a ").leaf("b", {}, "c").lone("input", {{"type", "search"}}); });
    html.in("a", {Attribute::to("there")}, [&] { html.text("go"); });
  });
  EXPECT_EQ(
      html.take(),
      "<ul class=\"x\"><li>a <b>c</b><input type=\"search\"></li><a href=\"#there\">go</a></ul>");
}

TEST(Html, AnAttributeIsThereOrNot) {
  Html html;
  html.leaf("details", {{"open", true}}).leaf("details", {{"open", false}});
  EXPECT_EQ(html.take(), "<details open=\"\"></details><details></details>");
}

}  // namespace
}  // namespace portpatch::test
