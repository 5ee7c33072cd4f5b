// What to type next about a rule that needs a person: the same in every report.
#pragma once

#include <string>

#include "report/report.h"

namespace portpatch {

struct NextCommand {
  std::string command;
  std::string remark;  ///< to be read behind it, with the blank or comma that it begins with; may be empty
};
[[nodiscard]] NextCommand next_command(const Report& report, const RuleReport& rule);

}  // namespace portpatch
