// What build files build for which cc: -gencode flags and lists of architectures in CMake,
// Makefiles, Dockerfiles, shell and the like (rules/languages/build/archs.toml). Python's own are
// read as Python.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "inventory/place.h"

namespace portpatch {

class BuildFiles {
 public:
  [[nodiscard]] static const BuildFiles& instance();
  ~BuildFiles();

  /// Is it a build file by its name?
  [[nodiscard]] bool owns(std::string_view path) const;
  /// May a file of this text have a place at all? Looks for literals only.
  [[nodiscard]] bool may_concern(std::string_view text) const;
  /// Its places, of the form "architecture list", an arm each entry. Machine code serves its own
  /// cc, later ones of the major number as a range, PTX all that follow as a range; `90a` serves
  /// 9.0 alone, `100f` its family. In CMake what is added to one variable in several commands is
  /// one list. Under a guard that a current toolkit does not settle, whether it is built is
  /// unknown.
  [[nodiscard]] CcFile read(const std::string& path, const std::string& text) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  BuildFiles();
};

}  // namespace portpatch
