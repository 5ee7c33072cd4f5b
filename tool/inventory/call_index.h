// Who calls whom in Python files, by names alone: what a gate guards is behind such calls. Read
// from the text, line by line, so that a whole tree takes no longer than reading it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace portpatch {

/// A function and the calls in it.
struct CallingFunction {
  std::string path;
  std::string name, class_name;  ///< the class is empty for a plain function
  std::size_t line = 0, end_line = 0;
};

class CallIndex {
 public:
  struct Call {
    std::uint64_t callee = 0;  ///< hash of its name
    std::uint32_t function = 0, line = 0;
  };

  void add_file(const std::string& path, std::string_view text);
  /// Takes the other's functions over.
  void join(CallIndex other);
  /// To be called before any question, and after join().
  void sort();

  /// The calls of anything that is called `name`; none where that is shorter than six letters,
  /// since such names are anybody's.
  [[nodiscard]] std::vector<Call> calls_of(std::string_view name) const;
  [[nodiscard]] const CallingFunction& function(const Call& call) const {
    return functions_[call.function];
  }
  /// How many functions have that name.
  [[nodiscard]] std::size_t count_of(std::string_view name) const;

 private:
  std::vector<CallingFunction> functions_;
  std::vector<Call> calls_;
};

}  // namespace portpatch
