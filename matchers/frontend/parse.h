// One parse of one file by Clang, hermetic unless told otherwise. Nothing of Clang is seen outside.
#pragma once

#include <string>
#include <vector>

#include "facts.h"
#include "looked_at.h"

namespace portpatch::matchers {

struct ParseRequest {
  std::string path;  ///< absolute
  std::string text;  ///< what stands there, or stands for it, with the same length
  std::vector<std::string> arguments;  ///< of the compiler: -I, -D
  std::string matcher;                 ///< clang-query expression to be run as well; empty: none
  bool is_hermetic = true;             ///< our own headers instead of the system's and CUDA's
  LookedAt* looked_at = nullptr;       ///< takes the paths that Clang asked for, there or not
};

/// A node that the matcher bound.
struct MatchedNode {
  std::string binding;
  ByteRange range = {};
  auto operator<=>(const MatchedNode&) const = default;
};

struct ParseResult {
  Facts facts;
  std::vector<ByteRange> skipped;  ///< of the file: in branches of #if that were not taken
  std::vector<MatchedNode> matches;
  std::string failure;  ///< why there is nothing: Clang crashed; empty otherwise
};

[[nodiscard]] ParseResult parse(const ParseRequest& request);

/// What is wrong with a matcher expression; empty when it is fine.
[[nodiscard]] std::string matcher_error(const std::string& expression);

/// `handler`, which must not return, is called where memory ends.
void set_out_of_memory_handler(void (*handler)());

/// The version of Clang that is linked: "22.1.8".
[[nodiscard]] std::string clang_version();

}  // namespace portpatch::matchers
