#include "capability.h"

#include <gtest/gtest.h>

namespace portpatch::matchers::test {
namespace {

std::string name_text(std::string_view text) {
  const auto name = cc_name(text);
  if (!name) return "no";
  return std::string(name->unit ? unit_name(*name->unit) : "any") + (name->is_weak ? ", weak" : "");
}

TEST(CcName, TellsWhatIsAGpusCapability) {
  for (const auto* text : {"sm", "sm_", "sm_version", "getSMVersion()", "comm->minCompCap",
                           "Arch::kMinComputeCapability", "cudaCompCap", "sm_arch_"}) {
    EXPECT_EQ(name_text(text), "any") << text;
  }
  EXPECT_EQ(name_text("prop.major"), "major");
  EXPECT_EQ(name_text("device_runtime->get_arch_major()"), "major");
  EXPECT_EQ(name_text("computeMajor"), "major");
  EXPECT_EQ(name_text("deviceProp.minor"), "minor");
  EXPECT_EQ(name_text("__CUDA_ARCH__"), "100x");
  EXPECT_EQ(name_text("CUB_PTX_ARCH"), "100x");
  EXPECT_EQ(name_text("cc.as_combined_number()"), "any, weak");
}

TEST(CcName, LeavesAmbiguousNamesToWhatSurroundsThem) {
  EXPECT_EQ(name_text("major"), "major, weak");
  EXPECT_EQ(name_text("arch"), "any, weak");
  EXPECT_EQ(name_text("ggml_cuda_info().devices[id].cc"), "any, weak");
}

TEST(CcName, LeavesCountsAndOtherVersionsAlone) {
  for (const auto* text :
       {"num_sms", "sm_count", "blocks_per_sm", "driver.major", "runtime_version.major",
        "cudnn_version", "nvcc_arch", "SM90_BANDWIDTH", "smem_size", "cpu_arch", "node->cpu.arch",
        "x", "prop.multiProcessorCount", "as_number()", "sms_per_gpu"}) {
    EXPECT_EQ(name_text(text), "no") << text;
  }
}

TEST(Capability, IsReadInEveryUnit) {
  EXPECT_EQ(capability_of(120, CcUnit::kTens), (Capability{12, 0}));
  EXPECT_EQ(capability_of(1210, CcUnit::kHundreds), (Capability{12, 1}));
  EXPECT_EQ(capability_of(0xc0, CcUnit::kHex), (Capability{12, 0}));
  EXPECT_EQ(capability_of(12, CcUnit::kMajor), (Capability{12, 0}));
  EXPECT_EQ(capability_of(12, CcUnit::kTens), std::nullopt);
  EXPECT_EQ(capability_of(1205, CcUnit::kHundreds), std::nullopt);
  EXPECT_EQ(capability_of(-1, CcUnit::kMajor), std::nullopt);
}

TEST(Capability, IsReadFromNames) {
  for (const auto* text : {"Sm120", "arch::Sm120a", "SM120", "kSm120f", "sm_120", "\"sm_120a\"",
                           "compute_120", "\"12.0\"", "SM_1200"}) {
    EXPECT_EQ(spelled_capability(text), (Capability{12, 0})) << text;
  }
  for (const auto* text : {"SM120_BANDWIDTH", "Sm12", "\"120\"", "sm_", "Smart", "x120", ""})
    EXPECT_EQ(spelled_capability(text), std::nullopt) << text;
}

TEST(Capability, IsReadFromTheCommandLine) {
  EXPECT_EQ(parse_capability("12.0"), (Capability{12, 0}));
  for (const auto* text : {"12", "12.", ".0", "12.0a", "0.0", "99.0", "a.b", ""})
    EXPECT_EQ(parse_capability(text), std::nullopt) << text;
}

}  // namespace
}  // namespace portpatch::matchers::test
