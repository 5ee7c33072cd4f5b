#include "inventory/gpu.h"

#include <algorithm>

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/process.h"

namespace portpatch {

namespace {

/// The few functions of NVML that are needed; their types as nvml.h has them, status 0 being
/// success.
class Nvml {
 public:
  Nvml() : library_(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {}
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml() {
    if (library_ != nullptr) ::dlclose(library_);
  }

  std::vector<Cc> capabilities() const {
    using Simple = int (*)();
    using Count = int (*)(unsigned*);
    using Handle = int (*)(unsigned, void**);
    using Capability = int (*)(void*, int*, int*);
    const auto start = find<Simple>("nvmlInit_v2"), stop = find<Simple>("nvmlShutdown");
    const auto count = find<Count>("nvmlDeviceGetCount_v2");
    const auto handle = find<Handle>("nvmlDeviceGetHandleByIndex_v2");
    const auto capability = find<Capability>("nvmlDeviceGetCudaComputeCapability");
    std::vector<Cc> found;
    if (!start || !stop || !count || !handle || !capability || start() != 0) return found;
    unsigned devices = 0;
    if (count(&devices) != 0) devices = 0;
    for (unsigned i = 0; i < devices; ++i) {
      void* device = nullptr;
      Cc cc;
      if (handle(i, &device) == 0 && capability(device, &cc.major, &cc.minor) == 0)
        found.push_back(cc);
    }
    stop();
    return found;
  }

 private:
  template <typename Function>
  Function find(const char* name) const {
    return library_ == nullptr ? nullptr : reinterpret_cast<Function>(::dlsym(library_, name));
  }
  void* library_;
};

std::vector<Cc> by_program() {
  std::vector<Cc> found;
  const auto ran = run_process(
      {.arguments = {"nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"}});
  if (!ran || ran->status != 0) return found;
  for (const auto line : split_lines(ran->out)) {
    if (const auto cc = parse_cc(fmt::format("cc:{}", trim(line)))) found.push_back(*cc);
  }
  return found;
}

}  // namespace

Result<GpuCapabilities> ask_gpus() {
  GpuCapabilities answer{.cc = Nvml().capabilities(), .told_by = "NVML"};
  if (answer.cc.empty()) answer = {.cc = by_program(), .told_by = "nvidia-smi"};
  if (answer.cc.empty())
    return failure("no-gpu", "neither NVML nor nvidia-smi knows of a GPU here",
                   "name the compute capability: --cc 12.0");
  std::ranges::sort(answer.cc);
  const auto same = std::ranges::unique(answer.cc);
  answer.cc.erase(same.begin(), same.end());
  return answer;
}

Result<std::vector<Cc>> parse_cc_list(std::string_view text) {
  std::vector<Cc> found;
  for (const auto one : split(text, ',')) {
    const auto cc = parse_cc(fmt::format("cc:{}", trim(one)));
    if (!cc || !cc->suffix.empty() || cc->major < 2 || cc->major > 15) {
      return failure("bad-cc", fmt::format("`{}` is no compute capability", printable(one)),
                     "write it as 12.0; several as 12.0,12.1");
    }
    found.push_back(*cc);
  }
  std::ranges::sort(found);
  const auto same = std::ranges::unique(found);
  found.erase(same.begin(), same.end());
  return found;
}

}  // namespace portpatch
