// What was worked out once and is asked for again, by a key.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace portpatch {

/// For several threads. A value stays where it is, and as it was first put in.
template <typename Value>
class Kept {
 public:
  /// nullptr when nothing was put in for `key`.
  [[nodiscard]] const Value* find(const std::string& key) const {
    const std::lock_guard lock(guard_);
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }
  /// Keeps `value`, unless there is one for `key`; returns the one that is kept.
  const Value& put(const std::string& key, Value value) {
    const std::lock_guard lock(guard_);
    return values_.try_emplace(key, std::move(value)).first->second;
  }

 private:
  mutable std::mutex guard_;
  std::map<std::string, Value> values_;
};

}  // namespace portpatch
