// What portpatch-cc has said of files: where a file, the question, and all else that the answer
// hangs on are byte for byte the same, so is the answer, and Clang need not read it again.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "inventory/place.h"

namespace portpatch {

/// For one run of one program with one set of options. What cannot be remembered costs time later
/// and nothing else, and is not reported.
class ClangMemory {
 public:
  /// `kept` is the folder of what is remembered (made when missing). The files
  /// asked about are below `folder`; `is_frozen`: nobody but this process writes there.
  /// `question` is the command line without the files, the program first.
  ClangMemory(std::string kept, std::string folder, bool is_frozen, std::string_view question);

  /// What was said of the file as it stands; nothing where something is not as it was.
  [[nodiscard]] std::optional<CcFile> recall(const std::string& path);
  /// Takes the answers of a document of portpatch-cc; those that failed, and those that hang on a
  /// file that was written while Clang was at work, are left out.
  void remember(std::string_view document);

 private:
  [[nodiscard]] std::string place_of(const std::string& path, std::string_view bytes) const;
  [[nodiscard]] std::string whole_path(const std::string& path) const;
  [[nodiscard]] const std::string& state_of(const std::string& path);
  [[nodiscard]] bool is_settled(const std::string& path) const;

  std::string kept_, folder_, question_;
  bool is_frozen_;
  std::filesystem::file_time_type begun_ = std::filesystem::file_time_type::clock::now();
  std::map<std::string, std::string> states_;  ///< by path, as they are when recall() asks
};

}  // namespace portpatch
