// Does a literal occur in a text? Asked of every file of a tree, so it looks for the literal's
// rarest byte with memchr, which runs at the speed of memory, and compares only there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace portpatch {

/// How rare a byte is in source code; 0 is the commonest.
[[nodiscard]] std::size_t byte_rarity(char byte);

class LiteralFinder {
 public:
  explicit LiteralFinder(std::string literal);

  [[nodiscard]] bool occurs_in(std::string_view text) const;
  [[nodiscard]] const std::string& literal() const { return literal_; }

 private:
  std::string literal_;
  std::size_t rarest_ = 0;  ///< index of the byte that is looked for
};

}  // namespace portpatch
