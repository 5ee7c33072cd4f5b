// What build files build for which cc.
#include "inventory/build_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace portpatch::test {
namespace {

/// A line for each place: its lines, scope, name, guard and keys, then which cc it serves and how.
std::string built(const std::string& path, const std::string& text) {
  const auto& files = BuildFiles::instance();
  if (!files.owns(path)) return "no build file";
  std::string out;
  for (const auto& place : files.read(path, text).places) {
    out += fmt::format("{}-{} {}{}{}", place.line, place.end_line, place.function,
                       place.function.empty() ? "" : ": ", place.name);
    for (const auto& arm : place.arms) {
      const auto guard = arm.condition.find(" if ");
      out += " " + arm.keys[0].key +
             (guard == std::string::npos ? "" : "[" + arm.condition.substr(guard + 4) + "]");
    }
    out += " |";
    for (const auto& cc : {Cc{8, 0}, Cc{8, 6}, Cc{9, 0}, Cc{10, 0}, Cc{12, 0}, Cc{12, 1}})
      out += fmt::format(" {}.{} {}", cc.major, cc.minor, taken_name(answer(place, cc).taken));
    out += "\n";
  }
  return out;
}

TEST(BuildFiles, FlagsInCMakeUnderTheirGuards) {
  EXPECT_EQ(built("sgl/CMakeLists.txt",
                  "list(APPEND CUDA_FLAGS\n  \"-O3\"\n  \"-gencode=arch=compute_80,code=sm_80\"\n  "
                  "# \"-gencode=arch=compute_86,code=sm_86\"\n"
                  "  \"-gencode=arch=compute_90a,code=sm_90a\"\n)\n"
                  "if(\"${CUDA_VERSION}\" VERSION_GREATER_EQUAL \"12.8\" OR ENABLE_SM100A)\n"
                  "  list(APPEND CUDA_FLAGS \"-gencode=arch=compute_120a,code=sm_120a\")\n"
                  "else()\n  if(ENABLE_PTX)\n    list(APPEND CUDA_FLAGS -gencode "
                  "arch=compute_90,code=compute_90)\n  endif()\nendif()\n"),
            "1-11 CUDA_FLAGS sm_120a[\"${CUDA_VERSION}\" VERSION_GREATER_EQUAL \"12.8\" OR "
            "ENABLE_SM100A] sm_90a "
            "compute_90[NOT (\"${CUDA_VERSION}\" VERSION_GREATER_EQUAL \"12.8\" OR ENABLE_SM100A) "
            "AND ENABLE_PTX] sm_80 "
            "| 8.0 exact 8.6 range 9.0 exact 10.0 unknown 12.0 exact 12.1 unknown\n");
}

TEST(BuildFiles, PtxOfOneArchitectureRunsOnThatAlone) {
  EXPECT_EQ(built("a.cmake",
                  "list(APPEND FLAGS -gencode arch=compute_120a,code=compute_120a\n"
                  "  -gencode arch=compute_90,code=sm_90)\n"),
            "1-2 FLAGS compute_120a sm_90 "
            "| 8.0 none 8.6 none 9.0 exact 10.0 none 12.0 exact 12.1 none\n");
}

TEST(BuildFiles, ListsInCMake) {
  EXPECT_EQ(built("a.cmake",
                  "function(build)\n  set(CMAKE_CUDA_ARCHITECTURES \"80-real;90a;100f\" CACHE "
                  "STRING \"x\")\nendfunction()\n"
                  "set_property(TARGET t PROPERTY CUDA_ARCHITECTURES 80 "
                  "90)\nif(CMAKE_CUDA_ARCHITECTURES VERSION_LESS 90)\nendif()\n"),
            "2-2 build: CMAKE_CUDA_ARCHITECTURES 100f 90a 80-real | 8.0 exact 8.6 range 9.0 exact "
            "10.0 exact 12.0 none 12.1 none\n"
            "4-4 CUDA_ARCHITECTURES 90 80 | 8.0 exact 8.6 range 9.0 exact 10.0 range 12.0 range "
            "12.1 range\n");
}

TEST(BuildFiles, VariablesOfCMakeThatAreAddedTo) {
  EXPECT_EQ(
      built("CMakeLists.txt",
            "project(x LANGUAGES CUDA)\nset(ARCHS\n  80  # Ampere\n  \"90a;100a\"\n)\n"
            "list(APPEND ARCHS \"120a\")\nlist(REMOVE_ITEM ARCHS 75)\n"
            "set(TARGETS 86)\nif(NEW)\n  list(APPEND TARGETS 12.0a)\nendif()\n"
            "list(APPEND CUDA_ARCHS 12.0a)\nset(SIZES 64 80)\nset(HIP_ARCHS 90)\n"
            "set(ARCHS_TEXT ${ARCHS})\n"),
      "2-6 ARCHS 120a 100a 90a 80 | 8.0 exact 8.6 range 9.0 exact 10.0 exact 12.0 exact 12.1 none\n"
      "8-10 TARGETS 12.0a[NEW] 86 | 8.0 none 8.6 exact 9.0 none 10.0 none 12.0 unknown 12.1 none\n"
      "12-12 CUDA_ARCHS 12.0a | 8.0 none 8.6 none 9.0 none 10.0 none 12.0 exact 12.1 none\n");
}

TEST(BuildFiles, LoopsOfCMakeOverArchitectures) {
  EXPECT_EQ(
      built("CMakeLists.txt",
            "set(NUMBERS 75)\nforeach(arch IN ITEMS 80 90)\n"
            "  list(APPEND FLAGS -gencode=arch=compute_${arch},code=sm_${arch})\nendforeach()\n"
            "foreach(arch IN LISTS NUMBERS)\n  list(APPEND FLAGS "
            "-gencode=arch=compute_${arch},code=compute_${arch})\nendforeach()\n"
            "foreach(size 64 80)\n  foo(${size})\nendforeach()\n"),
      "1-1 NUMBERS 75 | 8.0 range 8.6 range 9.0 range 10.0 range 12.0 range 12.1 range\n"
      "2-4 arch 90 80 | 8.0 exact 8.6 range 9.0 exact 10.0 none 12.0 none 12.1 none\n");
}

TEST(BuildFiles, ShellAndDockerfiles) {
  EXPECT_EQ(
      built(
          "scripts/build.sh",
          "#!/bin/sh\nexport TORCH_CUDA_ARCH_LIST=\"8.0 9.0a 12.0+PTX\"  # all\n# "
          "TORCH_CUDA_ARCH_LIST=7.5\n"
          ": ${FLASHINFER_CUDA_ARCH_LIST:-9.0a 12.0f}\ncmake -DCMAKE_CUDA_ARCHITECTURES=120 ..\n"),
      "2-2 TORCH_CUDA_ARCH_LIST 12.0+PTX 9.0a 8.0 | 8.0 exact 8.6 range 9.0 exact 10.0 none 12.0 "
      "exact 12.1 range\n"
      "4-4 FLASHINFER_CUDA_ARCH_LIST 12.0f 9.0a | 8.0 none 8.6 none 9.0 exact 10.0 none 12.0 exact "
      "12.1 exact\n"
      "5-5 CMAKE_CUDA_ARCHITECTURES 120 | 8.0 none 8.6 none 9.0 none 10.0 none 12.0 exact 12.1 "
      "range\n");
  EXPECT_EQ(
      built("docker/Dockerfile.cu12",
            "FROM x\nENV TORCH_CUDA_ARCH_LIST=\"9.0;10.0\"\nARG CUDA_ARCH_LIST 8.0\n"),
      "2-2 TORCH_CUDA_ARCH_LIST 10.0 9.0 | 8.0 none 8.6 none 9.0 exact 10.0 exact 12.0 none 12.1 "
      "none\n"
      "3-3 CUDA_ARCH_LIST 8.0 | 8.0 exact 8.6 range 9.0 none 10.0 none 12.0 none 12.1 none\n");
}

TEST(BuildFiles, Makefiles) {
  EXPECT_EQ(built("Makefile",
                  "NVCC_GENCODE = -gencode=arch=compute_80,code=sm_80 \\\n               "
                  "-gencode=arch=compute_90,code=\\\"sm_90,compute_90\\\"\nMORE += "
                  "-gencode=arch=compute_75,code=sm_75\nSMS ?= 90 120\n"
                  "ARCH = -arch=sm_90\n"),
            "1-2 NVCC_GENCODE sm_90 compute_90 sm_80 | 8.0 exact 8.6 range 9.0 exact 10.0 range "
            "12.0 range 12.1 range\n"
            "3-3 MORE sm_75 | 8.0 none 8.6 none 9.0 none 10.0 none 12.0 none 12.1 none\n"
            "4-4 SMS 120 90 | 8.0 none 8.6 none 9.0 exact 10.0 none 12.0 exact 12.1 range\n"
            "5-5 ARCH sm_90 | 8.0 none 8.6 none 9.0 exact 10.0 range 12.0 range 12.1 range\n");
}

TEST(BuildFiles, OtherNumbersAreNone) {
  EXPECT_EQ(
      built("a.sh",
            "CUDA_ARCH=native\nPORT_ARCH_LIST=8080\nCUDA_VERSION=12.8\nUSE_CUDA_ARCH_LIST 999\n"),
      "");
  EXPECT_EQ(built("a.py", ""), "no build file");
}

// Each is compared with the others, and looked for in its line.
TEST(BuildFiles, RefusesAFileOfTooManyArchitectures) {
  std::string line = "nvcc", list;
  for (int i = 0; i < 3'001; ++i) line += " -arch=sm_90";
  for (int i = 0; i < 3'001; ++i) list += fmt::format("set(CUDA_ARCHS_{} 90)\n", i);
  for (const auto& [path, text] :
       {std::pair("setup.sh", line), std::pair("CMakeLists.txt", list)}) {
    const auto file = BuildFiles::instance().read(path, text);
    EXPECT_EQ(file.reason, "it names architectures more than 3000 times; split it");
    EXPECT_TRUE(file.places.empty());
  }
}

}  // namespace
}  // namespace portpatch::test
