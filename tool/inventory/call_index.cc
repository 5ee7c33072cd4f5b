#include "inventory/call_index.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace portpatch {

namespace {

constexpr std::size_t kLeastName = 6;  ///< bytes of a callee's name; shorter ones are anybody's

std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

struct Open {
  std::size_t indent = 0;
  bool is_class = false;
  std::string name;
  std::size_t function = 0;
};

/// The name behind `def ` or `class `; empty when the line defines nothing.
std::string_view defined_name(std::string_view code, std::string_view keyword) {
  if (code.starts_with("async ")) code.remove_prefix(6);
  if (!code.starts_with(keyword)) return {};
  code.remove_prefix(keyword.size());
  std::size_t end = 0;
  while (end < code.size() && is_word(code[end])) ++end;
  return code.substr(0, end);
}

}  // namespace

void CallIndex::add_file(const std::string& path, std::string_view text) {
  std::vector<Open> open;
  std::size_t number = 0;
  for (const auto line : split_lines(text)) {
    ++number;
    const auto indent = line.find_first_not_of(" \t");
    if (indent == std::string_view::npos || line[indent] == '#' || line[indent] == ')') continue;
    const auto code = line.substr(indent);
    while (!open.empty() && indent <= open.back().indent) open.pop_back();
    if (const auto name = defined_name(code, "class "); !name.empty()) {
      open.push_back({indent, true, std::string(name), 0});
      continue;
    }
    if (const auto name = defined_name(code, "def "); !name.empty()) {
      const auto owner = std::ranges::find_if(open.rbegin(), open.rend(), &Open::is_class);
      functions_.push_back({.path = path,
                            .name = std::string(name),
                            .class_name = owner == open.rend() ? "" : owner->name,
                            .line = number,
                            .end_line = number});
      open.push_back({indent, false, std::string(name), functions_.size() - 1});
      continue;
    }
    const auto inner = std::ranges::find_if(open.rbegin(), open.rend(),
                                            [](const Open& one) { return !one.is_class; });
    if (inner == open.rend()) continue;
    functions_[inner->function].end_line = number;
    for (std::size_t i = 1; i < code.size(); ++i) {
      if (code[i] != '(' || !is_word(code[i - 1])) continue;
      auto begin = i;
      while (begin > 0 && is_word(code[begin - 1])) --begin;
      if (i - begin >= kLeastName)
        calls_.push_back({hash_of(code.substr(begin, i - begin)),
                          static_cast<std::uint32_t>(inner->function),
                          static_cast<std::uint32_t>(number)});
    }
  }
}

void CallIndex::join(CallIndex other) {
  const auto shift = static_cast<std::uint32_t>(functions_.size());
  std::ranges::move(other.functions_, std::back_inserter(functions_));
  for (auto call : other.calls_) {
    call.function += shift;
    calls_.push_back(call);
  }
}

void CallIndex::sort() {
  const auto is_before = [this](const Call& a, const Call& b) {
    if (a.callee != b.callee) return a.callee < b.callee;
    const auto& one = functions_[a.function].path;
    const auto& two = functions_[b.function].path;
    return one != two ? one < two : a.line < b.line;
  };
  if (!std::ranges::is_sorted(calls_, is_before)) std::ranges::sort(calls_, is_before);
}

std::vector<CallIndex::Call> CallIndex::calls_of(std::string_view name) const {
  const auto [begin, end] = std::ranges::equal_range(calls_, hash_of(name), {}, &Call::callee);
  return {begin, end};
}

std::size_t CallIndex::count_of(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count(functions_, name, &CallingFunction::name));
}

}  // namespace portpatch
