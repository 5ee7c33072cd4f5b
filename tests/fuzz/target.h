// Fuzz targets: each reads bytes that nobody vouches for, and says what must be true of what comes
// of them. The same code runs under libFuzzer (fuzz_main.cc) and on the inputs of past findings in
// the normal build (replay_main.cc).
//
// An input is text in parts, so that seeds and findings can be read and written by hand: the parts
// stand between lines that read `%%`. What they are is said by each target's row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace portpatch::fuzz {

using Parts = std::vector<std::string>;

struct Target {
  std::string_view name;
  std::string_view parts;  ///< "LANGUAGE, RULE, TEXT"
  void (*run)(const Parts& parts);
};

void run_pack(const Parts& parts);
void run_query(const Parts& parts);
void run_edit(const Parts& parts);
void run_capture(const Parts& parts);
void run_document(const Parts& parts);
void run_inventory(const Parts& parts);

inline constexpr Target kTargets[] = {
    {"pack", "NAME, CONTENT, NAME, CONTENT...", run_pack},
    {"query", "LANGUAGE, QUERY, TEXT", run_query},
    {"edit", "LANGUAGE, RULE, TEXT", run_edit},
    {"capture", "LANGUAGE, BEFORE, AFTER", run_capture},
    {"document", "READER, BYTES", run_document},
    {"inventory", "PATH, TEXT", run_inventory},
};

/// The target called `name`; nullptr when there is none.
[[nodiscard]] const Target* find_target(std::string_view name);

[[nodiscard]] Parts split_parts(std::string_view input);
[[nodiscard]] std::string join_parts(const Parts& parts);

/// Runs `target` on one input.
void run_input(const Target& target, std::string_view input);

/// Another input made of this one: a part changed token by token, doubled, or put in place of
/// another. `change_bytes` makes other bytes of a text, of `most` bytes at most (libFuzzer's own
/// mutations); the result is no longer than `most` either.
using ChangeBytes = std::string (*)(std::string text, std::size_t most);
[[nodiscard]] std::string mutated(std::string_view input, std::size_t most, std::uint32_t seed,
                                  ChangeBytes change_bytes);

/// Ends the process, saying which property does not hold and what shows it.
[[noreturn]] void broken(std::string_view property, std::initializer_list<std::string_view> shown);

/// Unless `holds`.
inline void expect(bool holds, std::string_view property,
                   std::initializer_list<std::string_view> shown) {
  if (!holds) broken(property, shown);
}

}  // namespace portpatch::fuzz
