// Which of many literals occur in a text? One pass over the text answers for all of them, where a
// LiteralFinder would take a pass for each: at a thousand literals the pass is the quicker way by
// far, below a dozen the finder is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace portpatch {

class LiteralSet {
 public:
  /// Bytes that a literal must have.
  static constexpr std::size_t kLeast = 5;

  /// `owner` is what find() gives for it; several literals may have one.
  void add(std::string_view literal, std::size_t owner);
  /// The owners of the literals that occur in `text`, sorted, each once.
  [[nodiscard]] std::vector<std::size_t> find(std::string_view text) const;

 private:
  /// A literal is looked for by two windows of four bytes that overlap by three: of these one
  /// stands at an even place of the text, and only such places are looked at.
  struct Entry {
    std::string literal;
    std::size_t begin;  ///< of the window in it
    std::size_t owner;
  };

  static std::size_t slot(std::uint32_t window);

  static constexpr std::size_t kSlots = 1 << 14;
  std::vector<std::vector<Entry>> slots_ = std::vector<std::vector<Entry>>(kSlots);
  std::vector<char> is_used_ = std::vector<char>(kSlots);  ///< small enough to stay in the cache
  std::size_t owners_ = 0;
};

}  // namespace portpatch
