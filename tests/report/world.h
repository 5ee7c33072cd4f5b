// A tree and packs beside it, and what portpatch says of them: the stages in one process.
#pragma once

#include <map>
#include <regex>
#include <string>

#include "pipeline.h"
#include "tests/pack/pack_folder.h"

namespace portpatch::test {

/// Takes out of a text what differs from run to run: the scratch folder, commit and run ids.
inline std::string normalised(std::string text, const Scratch& scratch) {
  text = without_folder(std::move(text), scratch);
  static const std::regex kRun("[0-9]{8}T[0-9]{6}Z?-[0-9a-f]+|[0-9]{8}-[0-9]{6}-[0-9a-z-]+"),
      kId("\\b[0-9a-f]{40}\\b|\\b[0-9a-f]{12}\\b"), kBlobs("index [0-9a-f]{7}\\.\\.[0-9a-f]{7}");
  text = std::regex_replace(text, kRun, "RUN");
  return std::regex_replace(std::regex_replace(text, kBlobs, "index BLOBS"), kId, "COMMIT");
}

/// Files under `tree/` and a pack under `pack/` of one scratch folder.
class World {
 public:
  explicit World(const PackText& pack, const std::map<std::string, std::string>& files = {},
                 bool is_clone = false) {
    write_pack(scratch_, pack);
    fs::create_directories(scratch_.path("tree"));
    for (const auto& [path, text] : files) scratch_.write("tree/" + path, text);
    if (is_clone) clone();
  }

  /// Makes the tree a clone of an upstream that holds the files as they are now.
  void clone() const {
    scratch_.run(
        "mv tree up; cd up; git init -q -b main; git add -A; git commit -q -m base; cd ..; git "
        "clone -q up tree 2>&1");
  }

  [[nodiscard]] const Scratch& scratch() const { return scratch_; }
  [[nodiscard]] std::string file(const std::string& path) const {
    return scratch_.read("tree/" + path);
  }
  void write(const std::string& path, std::string_view text) const {
    scratch_.write("tree/" + path, text);
  }

  [[nodiscard]] Request request(const std::string& command) const {
    Request request{.command = command + " pack",
                    .folder = scratch_.path("tree"),
                    .packs = {scratch_.path("pack")}};
    request.write = command == "apply" || command == "unapply";
    if (command == "unapply") request.direction = Direction::kRevert;
    return request;
  }

  /// What a run says, normalised; the diagnostics when it fails.
  [[nodiscard]] std::string said(const Request& request) const {
    const auto report = run(request);
    if (report) return normalised(write_text(*report, {}), scratch_);
    std::string text;
    for (const auto& error : report.error()) text += render(error, false);
    return normalised(text, scratch_);
  }
  [[nodiscard]] std::string said(const std::string& command) const {
    return said(request(command));
  }

  /// Only the outcomes: "python/a held, python/b lost".
  [[nodiscard]] std::string outcomes(const Request& request) const {
    const auto report = run(request);
    if (!report) return "failed: " + report.error()[0].message;
    std::string text;
    for (const auto& rule : report->rules) {
      text += (text.empty() ? "" : ", ") + rule.rule + " " + std::string(name_of(rule.outcome));
    }
    return text;
  }
  [[nodiscard]] std::string outcomes(const std::string& command) const {
    return outcomes(request(command));
  }

 private:
  Scratch scratch_;
};

}  // namespace portpatch::test
