#include "inventory/clang_reader.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/scratch_folder.h"

namespace portpatch {
namespace {

/// A program that stands for portpatch-cc.
std::string program_of(const ScratchFolder& scratch, std::string_view script) {
  const auto path = scratch.path("portpatch-cc");
  EXPECT_FALSE(write_scratch_file(path, fmt::format("#!/bin/sh\n{}", script)));
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

std::string depths(const Result<std::vector<CcFile>>& files) {
  if (!files) return files.error().code + ": " + files.error().message;
  std::string text;
  for (const auto& file : *files)
    text += fmt::format("{}: {}{}{}, {} places\n", file.path, file.depth,
                        file.reason.empty() ? "" : ", ", file.reason, file.places.size());
  return text;
}

constexpr std::string_view kDocument =
    R"({"format":1,"cc":["12.0"],"files":[{"path":"a.cu","depth":"clang, 2 names unresolved","unresolved":["x","y"],"architectures":["sm_90a"],"parses":1,"places":[
 {"form":"else-if chain","function":"f","name":"n","line":3,"end_line":5,"begin":10,"end":90,"arms":[
  {"line":3,"end_line":4,"begin":20,"end":30,"condition":"sm >= 90","keys":[{"line":3,"expression":"sm","unit":"10x","op":">=","key":"90","cc":"9.0"}],"text":"1 << 3","value":8},
  {"line":5,"end_line":5,"begin":40,"end":50,"else":true,"keys":[],"value":0.5}],
  "answers":[{"cc":"12.0","arm":"range","arms":[0],"value":8}]}]}]})";

TEST(ClangReader, ReadsWhatPortpatchCcSays) {
  const auto files = read_clang_json(kDocument);
  ASSERT_TRUE(files) << files.error().message;
  const auto& place = files->at(0).places.at(0);
  EXPECT_EQ(files->at(0).depth, "clang, 2 names unresolved");
  EXPECT_EQ(files->at(0).architectures, std::vector<std::string>{"sm_90a"});
  EXPECT_EQ(fmt::format("{} {} {} {} {} {}-{}", place.path, place.form, place.function, place.name,
                        place.by_clang, place.line, place.end_line),
            "a.cu else-if chain f n true 3-5");
  EXPECT_EQ(place.range, (ByteRange{10, 90}));
  EXPECT_EQ(place.arms[0].keys.at(0), (CcKey{.expression = "sm",
                                             .op = ">=",
                                             .key = "90",
                                             .unit = KeyUnit::kTens,
                                             .cc = {9, 0},
                                             .line = 3}));
  EXPECT_EQ(
      place.arms[0].condition + "; " + place.arms[0].text + "; " + value_text(*place.arms[0].value),
      "sm >= 90; 1 << 3; 8");
  EXPECT_TRUE(place.arms[1].is_else);
  EXPECT_EQ(std::get<double>(*place.arms[1].value), 0.5);
  const auto at = answer(place, {12, 0});
  EXPECT_EQ(at.taken, ArmTaken::kRange);
  EXPECT_EQ(std::get<long long>(*at.value), 8);
}

TEST(ClangReader, RefusesAnotherFormatAndHalfADocument) {
  EXPECT_EQ(read_clang_json(R"({"format":2,"files":[]})").error().message,
            "portpatch-cc answers in format 2, not 1");
  EXPECT_EQ(read_clang_json(kDocument.substr(0, 300)).error().code, "clang-output");
}

TEST(ClangReader, HandsItsOptionsOn) {
  const auto scratch = ScratchFolder::make();
  const auto program = program_of(
      *scratch,
      "echo \"$@\" > \"$0.said\"\necho "
      "'{\"format\":1,\"files\":[{\"path\":\"b.cu\",\"depth\":\"clang\",\"places\":[]}]}'\n");
  const auto files = read_with_clang(scratch->path(""), {"b.cu"},
                                     {.cc = {{12, 0}, {12, 1}},
                                      .build = "/b",
                                      .includes = {"/i"},
                                      .cuda_path = "/c",
                                      .matcher = "m()",
                                      .program = program});
  EXPECT_EQ(depths(files), "b.cu: clang, 0 places\n");
  std::string said;
  if (auto* file = std::fopen((program + ".said").c_str(), "r")) {
    char buffer[256] = {};
    said.assign(buffer, std::fread(buffer, 1, sizeof buffer, file));
    std::fclose(file);
  }
  EXPECT_EQ(said, "--cc 12.0,12.1 -p /b -I /i --cuda-path /c --matcher m() -- b.cu\n");
}

TEST(ClangReader, FindsTheFileThatTheProgramDiesOf) {
  const auto scratch = ScratchFolder::make();
  const auto program = program_of(*scratch, R"sh(while [ "$1" != -- ]; do shift; done; shift
files=
for f in "$@"; do
  [ "$f" = bad.cu ] && kill -9 $$
  files="$files${files:+,}{\"path\":\"$f\",\"depth\":\"clang\",\"places\":[]}"
done
echo "{\"format\":1,\"files\":[$files]}"
)sh");
  EXPECT_EQ(depths(read_with_clang(scratch->path(""), {"a.cu", "bad.cu", "c.cu"},
                                   {.cc = {{12, 0}}, .program = program})),
            "a.cu: clang, 0 places\nbad.cu: syntax only, portpatch-cc ended with status 137, 0 "
            "places\nc.cu: clang, 0 places\n");
}

TEST(ClangReader, SaysWhatItWasNotToldOf) {
  const auto scratch = ScratchFolder::make();
  const auto program = program_of(
      *scratch,
      "echo '{\"format\":1,\"files\":[{\"path\":\"a.cu\",\"depth\":\"failed\",\"reason\":\"took "
      "longer than 60 s\",\"places\":[]}]}'\n");
  EXPECT_EQ(depths(read_with_clang(scratch->path(""), {"a.cu", "b.cu"},
                                   {.cc = {{12, 0}}, .program = program})),
            "a.cu: syntax only, took longer than 60 s, 0 places\nb.cu: syntax only, portpatch-cc "
            "says nothing of it, 0 places\n");
}

TEST(ClangReader, TakesASilentFailureForOneOfTheFile) {
  const auto scratch = ScratchFolder::make();
  const auto program = program_of(*scratch, "exit 2\n");
  EXPECT_EQ(
      depths(read_with_clang(scratch->path(""), {"a.cu"}, {.cc = {{12, 0}}, .program = program})),
      "a.cu: syntax only, portpatch-cc ended with status 2, 0 places\n");
}

TEST(ClangReader, FailsWhereTheOptionsAreAtFault) {
  const auto scratch = ScratchFolder::make();
  const auto program = program_of(*scratch, "echo 'error: no such matcher' >&2\nexit 2\n");
  EXPECT_EQ(depths(read_with_clang(scratch->path(""), {"a.cu"},
                                   {.cc = {{12, 0}}, .matcher = "x", .program = program})),
            "clang-options: portpatch-cc refuses its options: error: no such matcher");
}

/// A folder with files of an hour ago, and a program that counts how often it is asked: a.cu hangs
/// on what stands at a.h.
class Remembering : public testing::Test {
 protected:
  Remembering() { write("a.cu", "int a;\n"); }

  void write(const std::string& name, std::string_view text) {
    EXPECT_FALSE(write_scratch_file(scratch_->path(name), text));
    std::filesystem::last_write_time(
        scratch_->path(name),
        std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  }
  /// How often Clang has been asked so far, behind one more look at the file.
  std::size_t asked(std::vector<Cc> cc = {{12, 0}}) {
    const ClangOptions options{
        .cc = std::move(cc), .program = program_, .memory = scratch_->path("kept")};
    EXPECT_EQ(depths(read_with_clang(scratch_->path("").string(), {"a.cu"}, options)), said_);
    std::error_code none;
    const auto size = std::filesystem::file_size(scratch_->path("calls"), none);
    return none ? 0 : size;
  }
  std::vector<std::filesystem::path> kept() const {
    std::vector<std::filesystem::path> files;
    for (const auto& one : std::filesystem::recursive_directory_iterator(scratch_->path("kept")))
      if (one.is_regular_file()) files.push_back(one.path());
    return files;
  }

  Result<ScratchFolder> scratch_ = ScratchFolder::make();
  std::string program_ = program_of(*scratch_, R"sh(printf x >>calls
state=absent; [ -f a.h ] && state=$(sha256sum <a.h | cut -d' ' -f1)
[ -f touch ] && echo later >a.cu
echo "{\"format\":1,\"files\":[{\"path\":\"a.cu\",\"depth\":\"${DEPTH:-clang}\",\"places\":[],
\"reads\":{\"$PWD/a.h\":\"$state\"}}]}"
)sh");
  std::string said_ = "a.cu: clang, 0 places\n";
};

TEST_F(Remembering, AsksOnceForWhatIsAsItWas) {
  EXPECT_EQ(asked(), 1U);
  EXPECT_EQ(asked(), 1U);
  EXPECT_EQ(kept().size(), 1U);
}

TEST_F(Remembering, AsksAnewForAnotherTextOrQuestion) {
  EXPECT_EQ(asked(), 1U);
  EXPECT_EQ(asked({{12, 1}}), 2U);
  write("a.cu", "int b;\n");
  EXPECT_EQ(asked(), 3U);
  write("a.cu", "int a;\n");
  EXPECT_EQ(asked(), 3U) << "as at first";
}

TEST_F(Remembering, AsksAnewWhereAHeaderCameChangedOrWent) {
  EXPECT_EQ(asked(), 1U);
  write("a.h", "1\n");
  EXPECT_EQ(asked(), 2U);
  EXPECT_EQ(asked(), 2U);
  write("a.h", "2\n");
  EXPECT_EQ(asked(), 3U);
  std::filesystem::remove(scratch_->path("a.h"));
  EXPECT_EQ(asked(), 4U);
}

TEST_F(Remembering, AsksAnewOfAnotherProgram) {
  EXPECT_EQ(asked(), 1U);
  std::filesystem::last_write_time(
      program_, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_EQ(asked(), 2U);
}

TEST_F(Remembering, KeepsNoFailure) {
  ::setenv("DEPTH", "failed", 1);
  said_ = "a.cu: syntax only, 0 places\n";
  EXPECT_EQ(asked(), 1U);
  ::unsetenv("DEPTH");
  said_ = "a.cu: clang, 0 places\n";
  EXPECT_EQ(asked(), 2U);
}

TEST_F(Remembering, KeepsNothingOfAFileThatIsWrittenMeanwhile) {
  write("touch", "");
  EXPECT_EQ(asked(), 1U);
  EXPECT_EQ(asked(), 2U);
}

TEST_F(Remembering, AsksWhereWhatIsKeptIsDamaged) {
  EXPECT_EQ(asked(), 1U);
  const auto place = kept().at(0);
  std::string text;
  std::ifstream(place) >> text;
  for (const auto& damaged : {std::string("{"), std::string("{\"reads\":{}}"), text.substr(0, 60),
                              std::string(text).replace(text.find("places"), 6, "plazes")}) {
    EXPECT_FALSE(write_scratch_file(place, damaged));
    const auto before = std::filesystem::file_size(scratch_->path("calls"));
    EXPECT_EQ(asked(), before + 1) << damaged;
  }
  EXPECT_EQ(asked(), 5U) << "and keeps the new answer";
}

TEST_F(Remembering, NeedsNoFolderThatCanBeWritten) {
  write("kept", "a file\n");
  EXPECT_EQ(asked(), 1U);
  EXPECT_EQ(asked(), 2U);
}

TEST(ClangReader, IsOfNoUseWhereItIsNotThere) {
  ::setenv("PORTPATCH_CC", "/nowhere/portpatch-cc", 1);
  const auto files = read_with_clang("/", {"a.cu"}, {.cc = {{12, 0}}});
  ::unsetenv("PORTPATCH_CC");
  EXPECT_EQ(
      depths(files),
      "a.cu: syntax only, PORTPATCH_CC is /nowhere/portpatch-cc, which is no program, 0 places\n");
}

}  // namespace
}  // namespace portpatch
