#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace portpatch::fuzz {

namespace {

constexpr std::string_view kSeparator = "\n%%\n";

}  // namespace

const Target* find_target(std::string_view name) {
  const auto* found = std::ranges::find(kTargets, name, &Target::name);
  return found == std::end(kTargets) ? nullptr : found;
}

Parts split_parts(std::string_view input) {
  Parts parts;
  for (auto at = input.find(kSeparator); at != std::string_view::npos;
       at = input.find(kSeparator)) {
    parts.emplace_back(input.substr(0, at));
    input.remove_prefix(at + kSeparator.size());
  }
  parts.emplace_back(input);
  return parts;
}

std::string join_parts(const Parts& parts) {
  std::string input;
  for (const auto& part : parts) {
    if (&part != parts.data()) input += kSeparator;
    input += part;
  }
  return input;
}

void run_input(const Target& target, std::string_view input) { target.run(split_parts(input)); }

void broken(std::string_view property, std::initializer_list<std::string_view> shown) {
  std::cerr << "\nbroken: " << property << '\n';
  for (const auto text : shown) std::cerr << "----\n" << text << '\n';
  std::cerr << "----" << std::endl;
  std::abort();
}

}  // namespace portpatch::fuzz
