#include "syntax/source_tree.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "syntax/language.h"
#include "syntax/node_access.h"
#include "syntax/parse_budget.h"
#include "syntax/role_table.h"

namespace portpatch {

namespace {

/// Nested nodes below `root`, up to one more than `most`.
std::size_t depth_of(TSNode root, std::size_t most) {
  std::size_t depth = 1, deepest = 1;
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  for (bool is_more = true; is_more && deepest <= most;) {
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      deepest = std::max(deepest, ++depth);
      continue;
    }
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (!ts_tree_cursor_goto_parent(&cursor)) {
        is_more = false;
        break;
      }
      --depth;
    }
  }
  ts_tree_cursor_delete(&cursor);
  return deepest;
}

const char* read_text(void* text, std::uint32_t at, TSPoint, std::uint32_t* size) {
  const auto& all = *static_cast<const std::string*>(text);
  *size = at < all.size() ? static_cast<std::uint32_t>(all.size() - at) : 0;
  return *size > 0 ? all.data() + at : "";
}

}  // namespace

Result<SourceTree> SourceTree::parse(const Language& language, std::string text) {
  if (text.size() > kFileSize.most) return beyond(kFileSize, fmt::format("{} bytes", text.size()));
  SourceTree result;
  result.language_ = &language;
  result.text_ = std::make_unique<std::string>(std::move(text));
  const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(),
                                                                      &ts_parser_delete);
  if (!ts_parser_set_language(parser.get(), static_cast<const TSLanguage*>(language.grammar()))) {
    return failure("grammar-mismatch",
                   fmt::format("the grammar of {} does not fit this tree-sitter", language.name()));
  }
  ParseBudget budget;
  const auto must_stop = [](TSParseState* state) {
    return !static_cast<ParseBudget*>(state->payload)->take_step();
  };
  TSTree* tree = ts_parser_parse_with_options(parser.get(), nullptr,
                                              {.payload = result.text_.get(),
                                               .read = read_text,
                                               .encoding = TSInputEncodingUTF8,
                                               .decode = nullptr},
                                              {.payload = &budget, .progress_callback = must_stop});
  if (tree != nullptr) result.tree_ = std::make_unique<NodeTree>(tree);
  if (budget.exceeded() != nullptr) return beyond(*budget.exceeded());
  if (result.tree_ == nullptr) return failure("parse-failed", "tree-sitter made no tree");
  // A text of so few bytes cannot be nested deeply.
  if (result.text_->size() > kDepth.most / 2 &&
      depth_of(ts_tree_root_node(tree), kDepth.most) > kDepth.most)
    return beyond(kDepth);
  return result;
}

SourceTree::SourceTree() : roles_(std::make_unique<RoleTable>()) {}

SourceTree::SourceTree(SourceTree&&) noexcept = default;
SourceTree& SourceTree::operator=(SourceTree&&) noexcept = default;
SourceTree::~SourceTree() = default;

Node SourceTree::root() const { return NodeAccess::wrap(ts_tree_root_node(tree_->tree()), *tree_); }

Node SourceTree::node_at(ByteRange range, std::string_view kind) const {
  Node node = root().smallest_around(range);
  while (node && node.range() == range && node.kind() != kind) node = node.parent();
  return node && node.range() == range ? node : Node();
}

std::vector<Node> error_nodes(const Node& node) {
  std::vector<Node> found;
  walk(node, [&](const Node& current) {
    const auto broken = [](const Node& child) { return child.has_error() || child.is_missing(); };
    // What is missing may be a token without a node: the end of a line.
    const bool is_own = current.has_error() && std::ranges::none_of(current.children(), broken);
    if (current.is_error() || current.is_missing() || is_own) found.push_back(current);
    return current.has_error();
  });
  return found;
}

}  // namespace portpatch
