#include "inventory/cmake_values.h"

#include "syntax/roles.h"

namespace portpatch {

namespace {

void add_items(std::string_view text, ByteRange range, std::vector<ByteRange>& items) {
  const auto quoted = range.of(text);
  if (quoted.size() > 1 && quoted.front() == '"' && quoted.back() == '"')
    range = {range.begin + 1, range.end - 1};
  for (auto begin = range.begin; begin < range.end;) {
    const auto end = std::min(text.find(';', begin), range.end);
    if (end > begin) items.push_back({begin, end});
    begin = end + 1;
  }
}

}  // namespace

std::vector<CMakeValues> cmake_values(const SourceTree& tree) {
  std::vector<CMakeValues> found;
  const auto text = tree.text();
  walk(tree.root(), [&](const Node& node) {
    if (!has_role(tree, node, Role::kArguments) || !has_role(tree, node, Role::kSequence))
      return true;
    CMakeValues values{.body = node.parent().field("body")};
    bool is_variable = static_cast<bool>(values.body);
    for (const auto& child : node.named_children()) {
      const auto word = child.text(text);
      if (child.is_extra() || has_role(tree, child, Role::kTrailer)) continue;
      const bool is_name = values.body ? values.name.empty() : has_role(tree, child, Role::kName);
      is_variable |= is_name && has_role(tree, child, Role::kHeader);
      if (is_name)
        values.name = word;
      else if (has_role(tree, child, Role::kHeader))
        values.how = word;
      else if (values.body && (word == "IN" || word == "ITEMS" || word == "LISTS"))
        values.how += (values.how.empty() ? "" : " ") + std::string(word);
      else
        add_items(text, child.range(), values.items);
    }
    if (is_variable && !values.items.empty()) found.push_back(std::move(values));
    return true;
  });
  return found;
}

}  // namespace portpatch
