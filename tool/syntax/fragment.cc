#include "syntax/fragment.h"

#include <fmt/format.h>

#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// The beginning of a text, for a message.
std::string shorten(std::string_view text) {
  constexpr std::size_t kMost = 40;
  const auto line = line_at(text, 0).substr(0, kMost);
  return std::string(line) + (line.size() < text.size() ? "..." : "");
}

}  // namespace

/// Finds the nodes that make up the body; false when one of them sticks out of it.
bool Fragment::take_nodes() {
  // A line of the preprocessor is one with its line break, which the body has not.
  const auto range_of = [&](const Node& node) {
    auto range = node.range();
    while (range.end > range.begin &&
           std::string_view(" \t\r\n").contains(tree_.text()[range.end - 1]))
      --range.end;
    return range;
  };
  Node node = tree_.root().smallest_around(body_);
  if (range_of(node) == body_ && !node.is_extra()) {
    while (node.parent() && range_of(node.parent()) == body_) node = node.parent();
    if (!node.parent() && node.named_children().size() != 1) {
      // The root itself spans the body: its children are the fragment.
    } else {
      nodes_ = {!node.parent() ? node.named_children()[0] : node};
      return true;
    }
  }
  for (const auto& child : node.children()) {
    if (!child.range().overlaps(body_)) continue;
    if (!body_.contains(range_of(child))) return false;
    (child.is_extra() ? comments_ : nodes_).push_back(child);
  }
  return true;
}

Result<Fragment> Fragment::parse(const Language& language, std::string_view kind,
                                 std::string_view text) {
  const auto body = trim(text);
  if (body.empty()) return failure("bad-code", "there is no code in this text");
  std::string why = fmt::format("{} has no {}s", language.title(), kind);
  for (const auto& frame : language.frames(kind)) {
    auto tree = SourceTree::parse(language, frame.before + std::string(body) + frame.after);
    if (!tree) return std::unexpected(tree.error());
    Fragment fragment(std::move(*tree), {frame.before.size(), frame.before.size() + body.size()});
    fragment.first_indent_ = indent_at(text, static_cast<std::size_t>(body.data() - text.data()))
                                 .size();
    const auto errors = error_nodes(fragment.tree_.root());
    // Some frame may take `a = 1` for an assignment where an entry is meant.
    const bool fits = kind != "entry" ||
                      descendant_with(fragment.tree_, fragment.tree_.root(), Role::kEntry);
    if (fits && errors.empty() && fragment.take_nodes() && !fragment.nodes_.empty() &&
        (kind == "statement" || fragment.nodes_.size() == 1)) {
      return fragment;
    }
    const auto at = errors.empty() ? 0
                                   : std::max(errors[0].range().begin, frame.before.size()) -
                                         frame.before.size();
    why = errors.empty() ? fmt::format("it is not one {}", kind)
          : at == 0 || at >= body.size()
              ? std::string("it is not whole")
              : fmt::format("it breaks at `{}`", shorten(body.substr(at)));
  }
  return failure("bad-code",
                 fmt::format("`{}` is no {} {}: {}", shorten(body), language.title(), kind, why),
                 "write it as it would stand in the file");
}

Result<Fragment> Fragment::parse_any(const Language& language, std::string_view text) {
  for (const auto* kind : {"expression", "argument"}) {
    if (auto fragment = parse(language, kind, text)) return fragment;
  }
  return parse(language, "statement", text);
}

Result<Fragment> parse_item(const Language& language, std::string_view text) {
  for (const auto* kind : {"expression", "argument"}) {
    if (auto fragment = Fragment::parse(language, kind, text)) return fragment;
  }
  return Fragment::parse(language, "entry", text);
}

}  // namespace portpatch
