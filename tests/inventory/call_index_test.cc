#include "inventory/call_index.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace portpatch {
namespace {

TEST(CallIndex, KnowsWhoCallsWhom) {
  CallIndex index, other;
  index.add_file("a.py",
                 "class Layer:\n    def __init__(self):\n        assert ready()\n\n    def "
                 "apply(self, x):\n        return fused_kernel(\n            x,\n        )\n\ndef "
                 "plain():\n    m.fused_kernel(1)\n\nfused_kernel(2)\n");
  other.add_file("b.py", "async def fused_kernel(x):\n    return run_it(x)\n");
  index.join(std::move(other));
  index.sort();
  std::string shown;
  for (const auto* name : {"fused_kernel", "run_it"}) {
    for (const auto& call : index.calls_of(name)) {
      const auto& function = index.function(call);
      shown += fmt::format("{} by {}:{} {}.{} at {}\n", name, function.path, function.line,
                           function.class_name, function.name, call.line);
    }
  }
  EXPECT_EQ(shown,
            "fused_kernel by a.py:5 Layer.apply at 6\nfused_kernel by a.py:10 .plain at 11\nrun_it "
            "by b.py:1 .fused_kernel at 2\n");
  EXPECT_EQ(index.count_of("fused_kernel"), 1);
}

}  // namespace
}  // namespace portpatch
