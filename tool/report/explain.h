// `portpatch explain`: what each stage made of a rule, for the one who wrote it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edit/plan_tree.h"
#include "locate/locate.h"
#include "locate/near_miss.h"
#include "report/report.h"

namespace portpatch {

/// The explanation of every rule of `located`, stage by stage. `near` has for each rule that
/// nothing matches where most of its patterns does.
[[nodiscard]] Result<std::string> write_explanation(
    const LocateResult& located, const TreePlan& plan, const Report& report, const FileStore& store,
    const std::vector<std::optional<NearMisses>>& near);

}  // namespace portpatch
