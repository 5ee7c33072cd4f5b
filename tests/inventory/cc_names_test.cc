#include "inventory/cc_names.h"

#include <gtest/gtest.h>

#include "inventory/cc_keys.h"

namespace portpatch {
namespace {

/// "major", "any", "weak major"; empty for no cc.
std::string asked(const char* language, std::string_view expression) {
  const auto says = CcNames::of(*find_language(language))->asked(expression);
  if (!says) return "";
  return std::string(says->is_weak ? "weak " : "") +
         std::string(says->unit ? unit_name(*says->unit) : "any");
}

TEST(CcNames, EveryTableLoads) {
  EXPECT_NE(CcNames::of(*find_language("python")), nullptr);
  EXPECT_NE(CcNames::of(*find_language("cpp")), nullptr);
  EXPECT_EQ(CcNames::of(*find_language("json")), nullptr);
}

TEST(CcNames, KnowsWhatAsksForACc) {
  EXPECT_EQ(asked("python", "torch.cuda.get_device_capability(device)[0]"), "major");
  EXPECT_EQ(asked("python", "get_device_sm()"), "any");
  EXPECT_EQ(asked("python", "major"), "weak major");
  EXPECT_EQ(asked("python", "props.major"), "major");
  EXPECT_EQ(asked("cpp", "getSMVersion()"), "any");
  EXPECT_EQ(asked("cpp", "__CUDA_ARCH__"), "100x");
  EXPECT_EQ(asked("cpp", "Kernel::ArchTag::kMinComputeCapability"), "any");
  EXPECT_EQ(asked("cpp", "comm->minCompCap"), "any");
  EXPECT_EQ(asked("cpp", "cc.as_combined_number()"), "weak any");
}

TEST(CcNames, KnowsWhatLooksAlike) {
  for (const auto* name : {"row_major", "driver_major", "cudnn.major", "num_sms", "sm_count",
                           "get_device_sm_count()", "blocks_per_sm", "torch_version", "model_arch"})
    EXPECT_EQ(asked("python", name), "") << name;
  for (const auto* name : {"numBlocksPerSm", "driverVersion", "__CUDACC_VER_MAJOR__", "cpuArch",
                           "runtimeMajor", "smCount"})
    EXPECT_EQ(asked("cpp", name), "") << name;
}

TEST(CcKeys, ReadsNumbersByTheirUnit) {
  const auto meant = [](long long number, std::optional<KeyUnit> unit, bool is_hex) {
    const auto means = meaning_of(number, unit, is_hex);
    return means ? std::string(unit_name(means->unit)) + " " +
                       key_cc_text({.unit = means->unit, .cc = means->cc})
                 : "";
  };
  EXPECT_EQ(meant(12, std::nullopt, false), "major 12");
  EXPECT_EQ(meant(121, std::nullopt, false), "10x 12.1");
  EXPECT_EQ(meant(1210, std::nullopt, false), "100x 12.1");
  EXPECT_EQ(meant(0xc1, std::nullopt, true), "hex 12.1");
  EXPECT_EQ(meant(0, KeyUnit::kMinor, false), "minor x.0");
  EXPECT_EQ(meant(16, KeyUnit::kMajor, false), "");
  EXPECT_EQ(meant(905, KeyUnit::kHundreds, false), "");
  EXPECT_EQ(meant(12080, std::nullopt, false), "") << "a version of the toolkit";
}

TEST(CcKeys, ReadsSpelledArchitectures) {
  const auto spelled = [](std::string_view text) {
    const auto means = spelled_cc(text);
    return means ? key_cc_text({.unit = means->unit, .cc = means->cc}) : "";
  };
  EXPECT_EQ(spelled("sm_120a"), "12.0a");
  EXPECT_EQ(spelled("arch::Sm100f"), "10.0f");
  EXPECT_EQ(spelled("9.0+PTX"), "9.0");
  EXPECT_EQ(spelled("compute_90"), "9.0");
  EXPECT_EQ(spelled("kSM_89"), "8.9");
  EXPECT_EQ(spelled("12.8.1"), "");
  EXPECT_EQ(spelled("x86_64"), "");
}

}  // namespace
}  // namespace portpatch
