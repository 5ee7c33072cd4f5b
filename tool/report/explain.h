// `portpatch explain`: what each stage made of a rule, for the one who wrote it.
#pragma once

#include <string>

#include "edit/plan_tree.h"
#include "locate/locate.h"
#include "report/report.h"

namespace portpatch {

/// The explanation of every rule of `located`, stage by stage.
[[nodiscard]] Result<std::string> write_explanation(const LocateResult& located, const TreePlan& plan,
                                                    const Report& report, const FileStore& store);

}  // namespace portpatch
