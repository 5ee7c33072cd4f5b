// Which compute capability the GPUs of this machine have.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "syntax/cc.h"

namespace portpatch {

struct GpuCapabilities {
  std::vector<Cc> cc;   ///< sorted, each once
  std::string told_by;  ///< "NVML", "nvidia-smi"
};

/// Asks NVML, which is loaded for it, else nvidia-smi. Fails with "no-gpu".
[[nodiscard]] Result<GpuCapabilities> ask_gpus();

/// "12.0", "12.0,12.1". Fails with "bad-cc".
[[nodiscard]] Result<std::vector<Cc>> parse_cc_list(std::string_view text);

}  // namespace portpatch
