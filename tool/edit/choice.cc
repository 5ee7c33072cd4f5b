// A branch of a chain of conditional expressions: `a if c else b if d else e`, `c ? a : d ? b : e`.
#include <algorithm>

#include <fmt/format.h>

#include "edit/branch.h"
#include "edit/tree_compare.h"
#include "syntax/code_form.h"

namespace portpatch {

namespace {

/// The text of a branch: condition and what it gives, in the language's order.
struct Link {
  std::string first, second;
};

class Chain {
 public:
  Chain(const SourceTree& tree, const Ladder& ladder) : tree_(tree), ladder_(ladder) {
    const auto& rung = ladder.rungs[0];
    body_first_ = rung.body.range().begin < rung.condition.range().begin;
    for (const auto& one : ladder.rungs)
      links.push_back(link(std::string(one.condition.text(tree.text())),
                           std::string(one.body.text(tree.text()))));
  }

  Link link(std::string condition, std::string body) const {
    return body_first_ ? Link{std::move(body), std::move(condition)}
                       : Link{std::move(condition), std::move(body)};
  }

  /// What stands between the parts of branch number `index`; with `else` or `:` for `behind`.
  std::string_view gap(std::size_t index, bool behind) const {
    const auto& rung = ladder_.rungs[index];
    const auto& first = body_first_ ? rung.body : rung.condition;
    const auto& second = body_first_ ? rung.condition : rung.body;
    const auto begin = behind ? second.range().end : first.range().end;
    return tree_.text().substr(begin, (behind ? rest_of(index) : second).range().begin - begin);
  }

  Node rest_of(std::size_t index) const {
    return child_with(tree_, ladder_.rungs[index].node, Role::kRungRest);
  }

  /// The word or sign in a gap.
  std::string token(bool behind) const {
    std::string word;
    for (const auto& child : ladder_.rungs[0].node.children()) {
      const auto
          first = (body_first_ ? ladder_.rungs[0].body : ladder_.rungs[0].condition).range().end;
      const auto
          second = (body_first_ ? ladder_.rungs[0].condition : ladder_.rungs[0].body).range().end;
      if (!child.is_named() && child.range().begin >= (behind ? second : first) && word.empty())
        word = child.text(tree_.text());
    }
    return word;
  }

  /// A gap without comments, for another branch.
  std::string gap_style(std::size_t index, bool behind) const {
    const auto raw = gap(index, behind);
    std::string bare(raw);
    std::erase_if(bare, [](char c) { return std::string_view(" \t\r\n\\").contains(c); });
    return bare == token(behind) ? std::string(raw) : fmt::format(" {} ", token(behind));
  }

  /// The form that the chain has with `links`. The line breaks end comments.
  Result<std::string> form() const {
    auto text = std::string(ladder_.otherwise.text(tree_.text()));
    for (auto one = links.rbegin(); one != links.rend(); ++one) {
      text = fmt::format("({}\n) {} ({}\n) {} ({}\n)", one->first, token(false), one->second,
                         token(true), text);
    }
    auto fragment = Fragment::parse(tree_.language(), "expression", text);
    if (!fragment) return std::unexpected(fragment.error());
    return exact_form(fragment->tree(), fragment->nodes()[0]);
  }

  std::vector<Link> links;

 private:
  const SourceTree& tree_;
  const Ladder& ladder_;
  bool body_first_ = false;
};

/// A part with the parentheses that it needs, or that all others of its kind have.
std::string part(const SourceTree& tree, const Fragment& fragment, const Ladder& ladder,
                 Node Rung::* which) {
  const auto& node = fragment.nodes()[0];
  const bool house = std::ranges::all_of(
      ladder.rungs, [&](const Rung& rung) { return has_role(tree, rung.*which, Role::kGroup); });
  const bool wrapped = has_role(fragment.tree(), node, Role::kGroup);
  const bool needed = has_role(fragment.tree(), node, Role::kLoose) ||
                      has_role(fragment.tree(), node, Role::kChoice);
  return !wrapped && (house || needed) ? fmt::format("({})", fragment.text())
                                       : std::string(fragment.text());
}

Step rewrite(const EditContext& context, const Ladder& ladder, const Chain& chain,
             std::vector<TextEdit> edits) {
  auto form = chain.form();
  if (!form)
    return Step::blocked("no-room", "the chain of conditions is not understood as a whole",
                         "edit this place by hand", ladder.head.range());
  const auto differs = difference_of_edits(context.tree, edits,
                                           {.parent = ladder.head.range(), .becomes = *form});
  if (differs)
    return Step::blocked("no-room", fmt::format("the branch cannot be written there: {}", *differs),
                         "edit this place by hand", ladder.head.range());
  return Step::rewrite(std::move(edits), ladder.head.range(), std::move(*form));
}

}  // namespace

Step add_choice(const EditContext& context, const Wanted& wanted) {
  const auto& ladder = wanted.ladder;
  const auto index = wanted.place.index;
  if (!wanted.condition.comments().empty() || !wanted.body.comments().empty()) {
    return Step::blocked("comment-in-code", "a comment cannot come along into an expression",
                         "take it out of the rule", context.node.range());
  }
  Chain chain(context.tree, ladder);
  const auto link = chain.link(part(context.tree, wanted.condition, ladder, &Rung::condition),
                               part(context.tree, wanted.body, ladder, &Rung::body));
  const auto model = index > 0 ? index - 1 : 0;
  const auto text = link.first + chain.gap_style(model, false) + link.second +
                    chain.gap_style(model, true);
  chain.links.insert(chain.links.begin() + static_cast<std::ptrdiff_t>(index), link);
  const auto at = (index < ladder.rungs.size() ? ladder.rungs[index].node : ladder.otherwise)
                      .range()
                      .begin;
  return rewrite(context, ladder, chain, {{{at, at}, text}});
}

Step take_choice_out(const EditContext& context, const Ladder& ladder, std::size_t index) {
  Chain chain(context.tree, ladder);
  const ByteRange range{ladder.rungs[index].node.range().begin, chain.rest_of(index).range().begin};
  chain.links.erase(chain.links.begin() + static_cast<std::ptrdiff_t>(index));
  return rewrite(context, ladder, chain, {{range, ""}});
}

}  // namespace portpatch
