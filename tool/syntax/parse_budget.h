// What the parser may spend on one text. tree-sitter asks after every hundred actions; its memory
// is counted as it is taken, so that neither measure depends on the machine.
#pragma once

#include <cstddef>

#include "base/limits.h"

namespace portpatch {

class ParseBudget {
 public:
  ParseBudget();

  /// Counts a step; false when a limit is exceeded and the parser must stop.
  [[nodiscard]] bool take_step();
  /// The limit that was; nullptr for none.
  [[nodiscard]] const Limit* exceeded() const { return exceeded_; }

 private:
  /// Bytes that were taken since the beginning and are still held.
  [[nodiscard]] std::size_t bytes() const;

  std::size_t steps_ = 0;
  std::ptrdiff_t begin_ = 0;  ///< what this thread held at the beginning
  double begin_seconds_ = 0;
  const Limit* exceeded_ = nullptr;
};

}  // namespace portpatch
