// What one file says of cc: its places, and what other files may need of it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "inventory/place.h"

namespace portpatch {

/// A function or variable that is true for some cc: `is_sm120_supported`.
struct HelperDefinition {
  std::string name;
  std::size_t line = 0;
  std::string path = {};  ///< set when it has been followed
  std::vector<CcKey> keys = {};
  CcTest test = {};
  bool is_function = false;  ///< else a variable, which its last assignment defines
};

/// Where an imported name comes from.
struct ImportOrigin {
  std::string module, name;
};

struct FileFacts {
  CcFile file;
  std::vector<HelperDefinition> helpers;
  std::map<std::string, ImportOrigin, std::less<>> imports;  ///< by the name that it has here
  std::set<std::string> wanted_tables;  ///< names that are looked up by a cc and defined elsewhere
};

}  // namespace portpatch
