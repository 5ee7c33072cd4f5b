#include "capability.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"

namespace portpatch::matchers {
namespace {

constexpr int kLastMajor = 15, kLastMinor = 9;

std::vector<std::string> words_of(std::string_view identifier) {
  std::vector<std::string> words;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  for (std::size_t i = 0; i < identifier.size(); ++i) {
    const auto c = static_cast<unsigned char>(identifier[i]);
    if (!std::isalnum(c)) {
      end();
      continue;
    }
    const bool was_lower = i > 0 && std::islower(static_cast<unsigned char>(identifier[i - 1]));
    const bool next_lower = i + 1 < identifier.size() &&
                            std::islower(static_cast<unsigned char>(identifier[i + 1]));
    const bool was_upper = i > 0 && std::isupper(static_cast<unsigned char>(identifier[i - 1]));
    if (std::isupper(c) && (was_lower || (was_upper && next_lower))) end();
    word += static_cast<char>(std::tolower(c));
  }
  end();
  return words;
}

/// The last identifier outside of parentheses and template arguments: `kMin` of `Arch<T>::kMin(x)`.
std::string_view last_identifier(std::string_view text) {
  std::string_view best;
  int depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '(' || c == '<' || c == '[') ++depth;
    if (c == ')' || c == ']' || (c == '>' && (i == 0 || text[i - 1] != '-'))) --depth;
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
      auto end = i;
      while (end < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
        ++end;
      if (depth == 0) best = text.substr(i, end - i);
      i = end;
    } else {
      ++i;
    }
  }
  return best;
}

bool has_any(const std::vector<std::string>& words,
             std::initializer_list<std::string_view> wanted) {
  return std::ranges::any_of(
      words, [&](const auto& word) { return std::ranges::find(wanted, word) != wanted.end(); });
}

bool has_pair(const std::vector<std::string>& words, std::string_view first,
              std::string_view second) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == first && words[i + 1] == second) return true;
  }
  return false;
}

/// Counts, sizes and other programs' versions, whose names look alike.
bool is_something_else(const std::vector<std::string>& words) {
  return has_any(words, {"per",    "count",  "counts",  "num",       "nums",   "n",     "sms",
                         "cpu",    "driver", "runtime", "nvcc",      "cudart", "cudnn", "cublas",
                         "nccl",   "size",   "id",      "idx",       "index",  "clock", "ver",
                         "cudacc", "cta",    "ctas",    "occupancy", "gcc",    "clang", "rocm",
                         "hip",    "gfx",    "row",     "col",       "column", "mma",   "usage",
                         "margin", "limit",  "budget",  "max",       "total",  "scale", "layout"});
}

}  // namespace

std::string_view unit_name(CcUnit unit) {
  constexpr std::array<std::string_view, 6> kNames{"major", "minor", "10x", "100x", "hex", "arch"};
  return kNames[static_cast<std::size_t>(unit)];
}

std::optional<Capability> parse_capability(std::string_view text) {
  Capability cc;
  const auto dot = text.find('.');
  if (dot == std::string_view::npos || text.size() != dot + 2) return std::nullopt;
  const auto major = std::from_chars(text.data(), text.data() + dot, cc.major);
  const auto minor = std::from_chars(text.data() + dot + 1, text.data() + text.size(), cc.minor);
  if (major.ec != std::errc() || major.ptr != text.data() + dot || minor.ec != std::errc())
    return std::nullopt;
  if (cc.major < 1 || cc.major > kLastMajor) return std::nullopt;
  return cc;
}

std::string capability_text(Capability cc, CcUnit unit) {
  if (unit == CcUnit::kMajor) return fmt::format("{}", cc.major);
  if (unit == CcUnit::kMinor) return fmt::format("x.{}", cc.minor);
  return fmt::format("{}.{}", cc.major, cc.minor);
}

long long number_of(Capability cc, CcUnit unit) {
  switch (unit) {
    case CcUnit::kMajor:
      return cc.major;
    case CcUnit::kMinor:
      return cc.minor;
    case CcUnit::kTens:
    case CcUnit::kArch:
      return cc.major * 10 + cc.minor;
    case CcUnit::kHundreds:
      return cc.major * 100 + cc.minor * 10;
    case CcUnit::kHex:
      return cc.major * 16 + cc.minor;
  }
  return 0;
}

std::optional<Capability> capability_of(long long number, CcUnit unit) {
  Capability cc;
  const auto value = static_cast<int>(std::clamp(number, -1LL, 100'000LL));
  switch (unit) {
    case CcUnit::kMajor:
      cc = {value, 0};
      break;
    case CcUnit::kMinor:
      cc = {2, value};
      break;
    case CcUnit::kTens:
    case CcUnit::kArch:
      cc = {value / 10, value % 10};
      break;
    case CcUnit::kHundreds:
      if (value % 10 != 0) return std::nullopt;
      cc = {value / 100, value / 10 % 10};
      break;
    case CcUnit::kHex:
      cc = {value / 16, value % 16};
      break;
  }
  const int first = unit == CcUnit::kMajor ? 1 : 2;
  if (number < 0 || cc.major < first || cc.major > kLastMajor || cc.minor < 0 ||
      cc.minor > kLastMinor)
    return std::nullopt;
  return cc;
}

std::optional<Capability> spelled_capability(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  if (const auto cc = parse_capability(text)) return cc;
  const auto colons = text.rfind("::");
  if (colons != std::string_view::npos) text.remove_prefix(colons + 2);
  std::string lower;
  for (const char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::string_view rest = lower;
  if (rest.starts_with('k')) rest.remove_prefix(1);
  bool has_prefix = false;
  for (const std::string_view prefix : {"sm", "compute", "cc", "arch"}) {
    if (!has_prefix && rest.starts_with(prefix)) {
      rest.remove_prefix(prefix.size());
      has_prefix = true;
    }
  }
  if (rest.starts_with('_')) rest.remove_prefix(1);
  int number = 0;
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (!has_prefix || read.ec != std::errc()) return std::nullopt;
  const std::string_view suffix(read.ptr,
                                static_cast<std::size_t>(rest.data() + rest.size() - read.ptr));
  if (!suffix.empty() && suffix != "a" && suffix != "f") return std::nullopt;
  if (number >= 20 && number < 160) return capability_of(number, CcUnit::kTens);
  if (number >= 200) return capability_of(number, CcUnit::kHundreds);
  return std::nullopt;
}

std::optional<CcName> cc_name(std::string_view text) {
  const auto last = last_identifier(text);
  const auto words = words_of(last);
  if (words.empty() || is_something_else(words)) return std::nullopt;
  // cc.as_combined_number(), capability.value: a number of what stands before it.
  const bool is_conversion = std::ranges::all_of(words, [](const auto& word) {
    return word == "as" || word == "combined" || word == "number" || word == "value" ||
           word == "to" || word == "int";
  });
  if (is_conversion) {
    const auto before = text.substr(0, static_cast<std::size_t>(last.data() - text.data()));
    if (before.ends_with('.')) return cc_name(before.substr(0, before.size() - 1));
    if (before.ends_with("->")) return cc_name(before.substr(0, before.size() - 2));
    return std::nullopt;
  }
  const bool has_digits = std::ranges::any_of(
      last, [](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
  if (has_digits) return std::nullopt;
  const auto all = words_of(text);
  const auto& end = words.back();
  const bool is_device = has_any(
      all, {"prop", "props", "properties", "deviceprop", "device", "dprops", "gpu", "sm", "cc",
            "arch", "capability", "cap", "cuda"});
  if (end == "minor" || end == "major") {
    // `arch_major` says it alone; `runtime.major` says that it is something else.
    const bool is_named = has_any(words,
                                  {"sm", "cc", "arch", "capability", "cap", "compute", "cuda"});
    if (!is_named && is_something_else(all)) return std::nullopt;
    return CcName{end == "major" ? CcUnit::kMajor : CcUnit::kMinor, !is_device && !is_named};
  }
  if (has_pair(words, "is", "major")) return CcName{CcUnit::kMajor, false};
  if (has_pair(words, "compute", "capability") || has_pair(words, "comp", "cap") ||
      has_pair(words, "compute", "cap"))
    return CcName{std::nullopt, false};
  if (has_pair(words, "cuda", "arch") || has_pair(words, "device", "arch") ||
      has_pair(words, "gpu", "arch") || has_pair(words, "compiled", "arch")) {
    return CcName{last.contains("CUDA_ARCH") ? std::optional(CcUnit::kHundreds) : std::nullopt,
                  false};
  }
  if (has_pair(words, "ptx", "arch") || has_pair(words, "ptx", "version"))
    return CcName{CcUnit::kHundreds, false};
  if (has_pair(words, "sm", "version") || has_pair(words, "sm", "arch") ||
      has_pair(words, "arch", "version") || has_pair(words, "sm", "ver") ||
      has_pair(words, "sm", "value")) {
    return CcName{std::nullopt, false};
  }
  if (words.size() == 1 &&
      (end == "smversion" || end == "smarch" || end == "compcap" || end == "cudaarch"))
    return CcName{std::nullopt, false};
  if (end == "sm" && words.size() <= 3) return CcName{std::nullopt, false};
  if (end == "cc" || end == "arch" || end == "capability")
    return has_any(all, {"cpu", "host", "driver", "runtime", "nvcc", "cudnn", "amd", "rocm", "hip"})
               ? std::nullopt
               : std::optional(CcName{std::nullopt, true});
  return std::nullopt;
}

bool mentions_cc(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (!std::isalpha(static_cast<unsigned char>(text[at])) && text[at] != '_') {
      ++at;
      continue;
    }
    auto end = at;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      ++end;
    const auto words = words_of(text.substr(at, end - at));
    if (has_any(words, {"cc", "sm", "arch", "architecture", "archs", "capability", "cap", "compcap",
                        "major", "smversion"}))
      return true;
    at = end;
  }
  return false;
}

bool speaks_of_cc(std::string_view text) {
  for (const std::string_view word : {"ComputeCapability",
                                      "compute_capability",
                                      "COMPUTE_CAPABILITY",
                                      "CUDA_ARCH",
                                      "getSMVersion",
                                      "get_arch_major",
                                      "cudaDeviceProp",
                                      "getDeviceProperties",
                                      "getCurrentDeviceProperties",
                                      "cudaGetDeviceProperties",
                                      "deviceProp",
                                      "device_prop",
                                      "compCap",
                                      "CompCap",
                                      "computeMajor",
                                      "sm_version",
                                      "smVersion",
                                      "SMVersion",
                                      "sm_arch",
                                      "dprops",
                                      "get_device_capability",
                                      "GetCudaComputeCapability",
                                      "SM version",
                                      "sm_major",
                                      "cuda_arch",
                                      "compute capability",
                                      "::Sm",
                                      "SM_",
                                      "sm_",
                                      "SM1",
                                      "SM9",
                                      "SM8",
                                      "SM7",
                                      "SM 1",
                                      "SM 9",
                                      "_CC_",
                                      "Hopper",
                                      "Blackwell"}) {
    if (text.contains(word)) return true;
  }
  return false;
}

}  // namespace portpatch::matchers
