#include "capture/capture_file.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "capture/grouping.h"
#include "capture/payload_text.h"
#include "capture/query_writer.h"
#include "capture/rung.h"
#include "capture/saying.h"
#include "edit/plan.h"
#include "locate/sites.h"
#include "syntax/code_value.h"
#include "syntax/imports.h"
#include "syntax/language.h"
#include "syntax/query_text.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

std::size_t size_of(const TreeContent& content, const std::vector<Node>& nodes) {
  std::size_t sum = 0;
  for (const auto& node : nodes) sum += content.size(node);
  return sum;
}

class Capturer {
 public:
  Capturer(const Language& language, const FileVersions& file, const ParsedFile& before,
           const ParsedFile& after)
      : language_(language),
        file_(file),
        old_file_(before),
        new_file_(after),
        before_(before.tree()),
        after_(after.tree()),
        versions_{file_.path, before_, after_},
        diff_(compare_trees(before_, after_)),
        text_(file.before) {}

  FileCapture take() && {
    FileCapture result;
    result.only_layout = diff_.changes.empty();
    for (const auto& change : diff_.changes)
      std::ranges::move(pieces_of(versions_, change), std::back_inserter(pieces_));
    is_done_.resize(pieces_.size());
    left_ = distance_now();
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (!is_done_[i] && !capture_rung(i) && !capture_piece(i)) capture_around(i);
    }
    leave_out_halves();
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (!is_done_[i]) result.refused.push_back(refusal(pieces_[i], reasons_[i]));
    }
    for (auto& one : done_) add_edit(std::move(one.edit), result.edits);
    for (auto& edit : result.edits) {
      add_siblings(language_, old_file_, edit);
      settle(edit);
    }
    fold_imports(result.edits);
    name_comments(result);
    result.text = text_;
    return result;
  }

 private:
  /// An edit that was captured, and the pieces of the change that it says.
  struct Done {
    CapturedEdit edit;
    std::shared_ptr<const Rule> rule;
    std::vector<std::size_t> pieces;
  };

  /// An import goes into the rules that use its names, so that it follows them into other files.
  void fold_imports(std::vector<CapturedEdit>& edits) const {
    for (auto import = edits.begin(); import != edits.end();) {
      if (import->directive != "ensure-import!" || !import->beside.empty() ||
          import->patterns.size() != 1) {
        ++import;
        continue;
      }
      auto folded = edits;
      folded.erase(folded.begin() + (import - edits.begin()));
      bool any = false;
      for (auto& edit : folded) any |= fold(*import, edit);
      std::vector<const Rule*> rules;
      for (const auto& edit : folded) rules.push_back(edit.rule.get());
      if (any && replays(file_, rules, text_)) {
        const auto at = import - edits.begin();
        edits = std::move(folded);
        import = edits.begin() + at;
      } else {
        ++import;
      }
    }
  }

  /// Adds the import to an edit that uses what it brings. False when it does not.
  bool fold(const CapturedEdit& import, CapturedEdit& edit) const {
    const auto& directive = import.patterns[0].directives[0];
    const auto brings = [&](const std::string& name) {
      return std::ranges::find(import.brings, name) != import.brings.end();
    };
    if (std::ranges::none_of(edit.names, brings)) return false;
    auto with = edit;
    for (auto& pattern : with.patterns) {
      if (pattern.directives[0].starts_with("(#held!")) continue;
      pattern.directives.push_back(directive);
    }
    with.words.insert(import.words.begin(), import.words.end());
    with.changed_tokens += import.changed_tokens;
    with.payload_tokens += import.payload_tokens;
    settle(with);
    if (!with.rule || std::ranges::any_of(with.names, brings)) return false;
    edit = std::move(with);
    return true;
  }

  /// Rules bring the comments of new code; all other comments stay as upstream has them.
  void name_comments(FileCapture& result) const {
    const auto made = SourceTree::parse(language_, text_);
    if (!made || result.edits.empty()) return;
    const auto first_line = [](const SourceTree& tree, const Node& comment) {
      const auto text = comment.text(tree.text());
      return trim(text.substr(0, text.find('\n')));
    };
    for (const auto& comment : own_comments(after_.tree(), *made)) {
      result.comments.push_back(
          fmt::format("line {}: {}", line_column(after_.tree().text(), comment.range().begin).line,
                      first_line(after_.tree(), comment)));
    }
    for (const auto& comment : own_comments(*made, after_.tree()))
      result.comments.push_back(fmt::format("gone: {}", first_line(*made, comment)));
  }

  [[nodiscard]] std::size_t distance_now() const {
    const auto tree = SourceTree::parse(language_, text_);
    return tree ? tokens_between(TreeContent(*tree), after_) : 0;
  }

  /// A branch that came to a ladder: the difference of nested branches may be told in pieces that
  /// make no sense one by one.
  bool capture_rung(std::size_t index) {
    const auto& piece = pieces_[index];
    const auto came = rung_came(versions_, diff_,
                                piece.removed.empty() ? piece.old_parent : piece.removed[0]);
    if (!came) return false;
    const auto inside = pieces_inside(came->whole.removed[0]);
    std::size_t all = 0;
    for (const auto one : inside) {
      if (is_done_[one]) return false;
      all += cost(pieces_[one]);
    }
    const auto saved = std::tuple(text_, left_, done_, is_done_);
    for (const auto& saying : came->sayings) {
      if (attempt(came->whole, saying, inside) && left_ + all <= std::get<1>(saved)) return true;
      std::tie(text_, left_, done_, is_done_) = saved;
    }
    return false;
  }

  [[nodiscard]] std::vector<std::size_t> pieces_inside(const Node& node) const {
    std::vector<std::size_t> inside;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (node.range().contains(place_of(pieces_[i]))) inside.push_back(i);
    }
    return inside;
  }

  bool capture_piece(std::size_t index) {
    reason_ = "no directive says such a change";
    const auto& piece = pieces_[index];
    for (const auto& saying : sayings_for(versions_, diff_, piece)) {
      if (attempt(piece, saying, {index})) return true;
    }
    reasons_[index] = reason_;
    return false;
  }

  /// Says a piece with what is around it: by the expression or simple statement that it is part of,
  /// else by a structural patch of the statement or definition. Whatever was captured inside is
  /// said anew.
  void capture_around(std::size_t index) {
    for (auto node = pieces_[index].old_parent; node && node.parent(); node = node.parent()) {
      const auto after = diff_.match_of(node);
      const bool is_body = has_role(before_.tree(), node, Role::kBlock) &&
                           !has_role(before_.tree(), node, Role::kConditional);
      if (!after || is_body) continue;
      const TreeChange whole{node.parent(), after.parent(), {node}, {after}};
      const auto inside = pieces_inside(node);
      const auto saved = std::tuple(text_, left_, done_);
      const auto says_it = [&](const Saying& saying) { return attempt(whole, saying, inside); };
      if (take_back(inside) && std::ranges::any_of(sayings_for_whole(versions_, whole), says_it))
        return;
      std::tie(text_, left_, done_) = saved;
    }
  }

  /// Undoes the edits that say one of `pieces`; the others are made again. False when these do not
  /// go without them.
  bool take_back(const std::vector<std::size_t>& pieces) {
    std::erase_if(done_, [&](const Done& one) {
      return std::ranges::any_of(one.pieces, [&](std::size_t piece) {
        return std::ranges::find(pieces, piece) != pieces.end();
      });
    });
    return make_again();
  }

  /// Makes the edits that are left of the old file's text. False when one of them does not go.
  bool make_again() {
    text_ = file_.before;
    for (const auto& one : done_) {
      auto text = applied(*one.rule);
      if (!text) return false;
      text_ = std::move(*text);
    }
    left_ = distance_now();
    return true;
  }

  /// An edit that belongs together with a piece which no rule says is left out: half of a move
  /// would double the code or lose it, half of what changed in a function was never meant to run.
  void leave_out_halves() {
    const auto leave_out = [&](const Done& one, const std::string& why) {
      for (const auto piece : one.pieces) {
        is_done_[piece] = false;
        reasons_[piece] = why;
      }
    };
    std::string why;
    for (std::size_t i = 0; i < pieces_.size();) {
      const auto other = is_done_[i] ? done_.end() : half_of(i, why);
      if (other == done_.end()) {
        ++i;
        continue;
      }
      leave_out(*other, why);
      done_.erase(other);
      i = 0;  // from the start: what was left out may belong with another
    }
    if (why.empty() || make_again()) return;
    for (const auto& one : done_) leave_out(one, why);
    done_.clear();
    text_ = file_.before;
  }

  /// An edit that piece `index` belongs together with, and `why` it cannot be captured without.
  std::vector<Done>::iterator half_of(std::size_t index, std::string& why) {
    const auto& piece = pieces_[index];
    const auto around = homes_of(before_.tree(), file_.path, piece.old_parent);
    bool is_moved = false;
    const auto found = std::ranges::find_if(done_, [&](const Done& one) {
      is_moved = std::ranges::any_of(one.pieces, [&](std::size_t other) {
        return are_halves(piece, pieces_[other]) || are_halves(pieces_[other], piece);
      });
      return is_moved || std::ranges::any_of(around, [&](const std::string& home) {
               return one.edit.around.contains(home);
             });
    });
    if (found != done_.end())
      why = fmt::format(
          "{}: line {}{} cannot be captured",
          is_moved ? "it is half of a move" : "it changes the same function or conditional",
          line_of(piece), piece.inserted.empty() ? " (as it was)" : "");
    return found;
  }

  [[nodiscard]] bool are_halves(const TreeChange& one, const TreeChange& other) const {
    return !one.removed.empty() &&
           std::ranges::equal(one.removed, other.inserted, [&](const Node& gone, const Node& came) {
             return same_content(before_, gone, after_, came);
           });
  }

  /// Where a piece is in the old file: siblings that only came stand within their parent.
  [[nodiscard]] static ByteRange place_of(const TreeChange& piece) {
    return piece.removed.empty()
               ? piece.old_parent.range()
               : ByteRange{piece.removed.front().range().begin, piece.removed.back().range().end};
  }

  bool attempt(const TreeChange& piece, const Saying& saying, std::vector<std::size_t> pieces) {
    auto anchor = saying.together.empty() ? find_anchor(versions_, saying.target)
                                          : run_anchor(versions_, saying.together);
    if (anchor && saying.neighbour)
      anchor = with_neighbour(versions_, *anchor, saying.target, saying.neighbour);
    if (!anchor) {
      reason_ = fmt::format("#{}: nothing tells the place from others like it", saying.directive);
      return false;
    }
    CapturedEdit edit{.directive = saying.directive,
                      .topic = saying.topic,
                      .patterns = {},
                      .beside = {},
                      .names = {},
                      .brings = brought_by(saying),
                      .base = {},
                      .why = anchor->why,
                      .line = line_of(piece),
                      .changed_tokens = 0,
                      .payload_tokens = 0,
                      .rule = nullptr};
    for (const auto& argument : saying.arguments) edit.payload_tokens += count_tokens(argument);
    add_pattern(edit, *anchor, saying.capture, {}, saying.directive, saying.arguments);
    if (saying.target.after && anchor->reads_old_text) {
      const auto held = held_anchor(versions_, *anchor, saying.target);
      if (!held) {
        reason_ = fmt::format("#{}: nothing tells the changed place from others like it",
                              saying.directive);
        return false;
      }
      add_pattern(edit, *held, saying.capture, {}, "held!", {});
    }
    auto done = saying.target.after ? run(piece, saying, std::move(edit))
                                    : run_removal(piece, saying, edit);
    if (!done) return false;
    done->edit.changed_tokens = 0;
    for (const auto index : pieces) {
      is_done_[index] = true;
      done->edit.changed_tokens += cost(pieces_[index]);
    }
    for (const auto index : pieces) note_ties(pieces_[index], done->edit);
    done->pieces = std::move(pieces);
    done_.push_back(std::move(*done));
    return true;
  }

  /// What ties the edit to others: the names in it, and the function that it is part of.
  void note_ties(const TreeChange& piece, CapturedEdit& edit) const {
    for (const auto& [side, nodes] :
         {std::pair(&before_, &piece.removed), std::pair(&after_, &piece.inserted)}) {
      for (const auto& node : *nodes) {
        walk(node, [&](const Node& one) {
          const auto text = one.text(side->tree().text());
          const bool is_name = one.child_count() == 0 && one.is_named() && !one.is_extra() &&
                               !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0]));
          if (is_name) edit.words.emplace(text);
          return true;
        });
      }
    }
    edit.around.merge(homes_of(before_.tree(), file_.path, piece.old_parent));
  }

  /// The names that an import makes known.
  [[nodiscard]] std::vector<std::string> brought_by(const Saying& saying) const {
    std::vector<std::string> names;
    const auto fragment = saying.directive == "ensure-import!"
                              ? Fragment::parse(language_, "statement", saying.arguments[0])
                              : Result<Fragment>(failure("", ""));
    const auto imports = fragment ? imports_of_text(*fragment) : std::nullopt;
    for (const auto& import : imports.value_or(std::vector<ImportStatement>())) {
      for (const auto& name : import.names) names.push_back(name.bound);
    }
    return names;
  }

  /// A rule that takes something out: afterwards what is around it lacks it, or what was beside it
  /// stands side by side.
  std::optional<Done> run_removal(const TreeChange& piece, const Saying& saying,
                                  const CapturedEdit& edit) {
    if (const auto around = find_anchor(versions_, saying.container)) {
      auto lacking = edit;
      add_pattern(lacking, *around, "around",
                  {fmt::format("(#lacks? @around {})", query_string(saying.gone))}, "held!", {});
      if (auto done = run(piece, saying, std::move(lacking))) return done;
    } else {
      reason_ = fmt::format("#{}: nothing tells what is around it from others like it",
                            saying.directive);
    }
    if (!saying.in_front.after || !saying.behind.after) return std::nullopt;
    const auto gap = gap_anchor(versions_, saying.in_front, saying.behind);
    if (!gap) return std::nullopt;
    auto closed = edit;
    add_pattern(closed, *gap, "before", {}, "held!", {});
    return run(piece, saying, std::move(closed));
  }

  std::optional<Done> run(const TreeChange& piece, const Saying& saying, CapturedEdit edit) {
    auto rule = compile_edit(language_, edit, visible_names());
    if (!rule) {
      reason_ = fmt::format("#{}: {}", saying.directive, rule.error());
      return std::nullopt;
    }
    auto base = run_rule(piece, *rule);
    if (!base) {
      reason_ = fmt::format("#{}: {}", saying.directive, base.error());
      return std::nullopt;
    }
    edit.base = std::move(*base);
    return Done{.edit = std::move(edit),
                .rule = std::make_shared<const Rule>(std::move(*rule)),
                .pieces = {}};
  }

  /// Applies the rule to the text as it is by now, and keeps the result when it is nearer to the
  /// changed file by just this piece. Gives the base; else why not.
  std::expected<LockedSite, std::string> run_rule(const TreeChange& piece, const Rule& rule) {
    const auto at_base = find_sites(rule, old_file_);
    if (!at_base) return std::unexpected(at_base.error().message);
    if (at_base->size() != 1)
      return std::unexpected(
          fmt::format("the rule matches {} places in the old file", at_base->size()));
    if (text_ != file_.before) {
      const auto alone = plan_file(rule, old_file_, *at_base, Direction::kApply);
      if (!alone || !alone->text)
        return std::unexpected(std::string("without the other edits it cannot be made"));
    }
    auto text = applied(rule);
    if (!text) return std::unexpected(text.error());
    auto made = ParsedFile::parse(language_, file_.path, *text);
    if (!made) return std::unexpected(made.error().message);
    const auto left = tokens_between(TreeContent(made->tree()), after_);
    const bool nearer = is_merged(piece) ? left < left_ : left + cost(piece) <= left_;
    if (!nearer) return std::unexpected(std::string("does not give what the changed file reads"));
    if (const auto wrong = not_held(rule)) return std::unexpected(*wrong);
    text_ = std::move(*text);
    current_ = std::move(*made);
    left_ = left;
    const auto& site = (*at_base)[0];
    return LockedSite{file_.commit, file_.path, site.scope,
                      std::string(site.target.of(file_.before))};
  }

  /// The text as it is by now with the rule's edit, or why it cannot be made.
  [[nodiscard]] std::expected<std::string, std::string> applied(const Rule& rule) {
    if (!current_ || current_->text() != text_) {
      auto file = ParsedFile::parse(language_, file_.path, text_);
      if (!file) return std::unexpected(file.error().message);
      current_ = std::move(*file);
    }
    const auto sites = find_sites(rule, *current_);
    if (!sites) return std::unexpected(sites.error().message);
    if (sites->size() != 1)
      return std::unexpected(
          fmt::format("beside the other edits the rule matches {} places", sites->size()));
    auto plan = plan_file(rule, *current_, *sites, Direction::kApply);
    if (!plan) return std::unexpected(plan.error().message);
    if (!plan->text)
      return std::unexpected(plan->sites[0].step.reason.empty() ? std::string("nothing to do")
                                                                : plan->sites[0].step.reason);
    return std::move(*plan->text);
  }

  /// Why the rule does not hold in the changed file; nothing when it does.
  [[nodiscard]] std::optional<std::string> not_held(const Rule& rule) const {
    const auto sites = find_sites(rule, new_file_);
    if (!sites || sites->size() != 1)
      return fmt::format("in the changed file the rule matches {} places",
                         sites ? sites->size() : 0);
    const auto plan = plan_file(rule, new_file_, *sites, Direction::kApply);
    if (!plan || plan->sites[0].step.kind != Step::Kind::kHolds)
      return "in the changed file the rule does not hold";
    return std::nullopt;
  }

  /// A node that is said by what is around the change counts for what differs inside it.
  [[nodiscard]] bool is_merged(const TreeChange& piece) const {
    return std::ranges::none_of(pieces_, [&](const TreeChange& one) {
      return one.removed == piece.removed && one.inserted == piece.inserted;
    });
  }

  [[nodiscard]] std::size_t cost(const TreeChange& piece) const {
    const auto kept = piece.kept ? before_.size(piece.removed[0]) + after_.size(piece.kept) : 0;
    return size_of(before_, piece.removed) + size_of(after_, piece.inserted) - kept;
  }

  [[nodiscard]] std::size_t count_tokens(const std::string& text) const {
    const auto tree = SourceTree::parse(language_, text);
    return tree ? TreeContent(*tree).size(tree->root()) : 0;
  }

  [[nodiscard]] std::size_t line_of(const TreeChange& piece) const {
    return piece.inserted.empty()
               ? line_column(before_.tree().text(), piece.removed[0].range().begin).line
               : line_column(after_.tree().text(), piece.inserted[0].range().begin).line;
  }

  [[nodiscard]] UncapturedPiece refusal(const TreeChange& piece, const std::string& reason) const {
    const bool gone = piece.inserted.empty();
    const auto text = gone ? piece.removed[0].text(before_.tree().text())
                           : piece.inserted[0].text(after_.tree().text());
    UncapturedPiece refused{file_.path, line_of(piece),
                            gone,       std::string(text.substr(0, text.find('\n'))),
                            reason,     cost(piece)};
    for (const auto& node : piece.inserted) {
      walk(node, [&](const Node& one) {
        const bool is_name = has_role(after_.tree(), one, Role::kScopeName) ||
                             has_role(after_.tree(), one, Role::kDefinition);
        const auto name = std::string(one.text(after_.tree().text()));
        if (is_name && one.child_count() == 0 && definitions_of(before_.tree(), name).empty())
          refused.defines.push_back(name);
        return true;
      });
    }
    return refused;
  }

  /// Names that the changed file defines or takes for granted: other edits bring them.
  [[nodiscard]] std::vector<std::string> visible_names() {
    if (visible_) return *visible_;
    std::set<std::string> names;
    for (const auto& change : diff_.changes) {
      for (const auto& node : change.inserted) {
        walk(node, [&](const Node& one) {
          if (one.child_count() == 0 && has_role(after_.tree(), one, Role::kReference))
            names.insert(std::string(one.text(after_.tree().text())));
          return true;
        });
      }
    }
    visible_ = std::vector<std::string>(names.begin(), names.end());
    return *visible_;
  }

  /// Compiles the edit as it will be read from the pack, with the names that it takes for granted:
  /// those that another edit brings, and those that the changed file itself does not show.
  void settle(CapturedEdit& edit) const {
    auto rule = compile_edit(language_, edit, {});
    if (!rule) return;
    const auto sites = find_sites(*rule, old_file_);
    auto& names = rule->settings.names;
    for (std::size_t tries = 0;
         language_.checks_names() && tries < 16 && sites && sites->size() == 1; ++tries) {
      const auto plan = plan_file(*rule, old_file_, *sites, Direction::kApply);
      if (!plan || plan->text || plan->sites[0].step.code != "unseen-name") break;
      const auto reason = plan->sites[0].step.reason;
      const auto end = reason.find('`', 1);
      names.push_back(reason.substr(1, end - 1));
    }
    std::ranges::sort(names);
    edit.names = names;
    edit.rule = std::make_shared<const Rule>(std::move(*rule));
  }

  const Language& language_;
  const FileVersions& file_;
  const ParsedFile& old_file_;
  const ParsedFile& new_file_;
  std::optional<ParsedFile> current_;  ///< `text_` parsed, once it was asked for
  TreeContent before_, after_;
  Versions versions_;
  TreeDiff diff_;
  std::string text_;      ///< the old file with what has been captured so far
  std::size_t left_ = 0;  ///< how far it is from the changed one
  std::vector<TreeChange> pieces_;
  std::vector<bool> is_done_;
  std::vector<Done> done_;
  std::map<std::size_t, std::string> reasons_;  ///< why a piece cannot be said by itself
  std::string reason_;                          ///< why the last saying failed
  std::optional<std::vector<std::string>> visible_;
};

}  // namespace

Result<FileCapture> capture_file(const Language& language, const FileVersions& file) {
  const auto before = ParsedFile::parse(language, file.path, file.before);
  if (!before) return std::unexpected(before.error());
  const auto after = ParsedFile::parse(language, file.path, file.after);
  if (!after) return std::unexpected(after.error());
  if (!before->tree().root().has_error() && after->tree().root().has_error()) {
    Node error;
    walk(after->tree().root(), [&](const Node& node) {
      if (!error && node.is_error()) error = node;
      return !error && node.has_error();
    });
    const auto at = error ? error.range().begin : 0;
    FileCapture refused;
    refused.text = file.before;
    refused.refused.push_back(
        {file.path, line_column(file.after, at).line, false,
         std::string(trim(line_at(file.after, at))),
         "the changed file has a syntax error here: mend it, then capture again", 0});
    return refused;
  }
  return Capturer(language, file, *before, *after).take();
}

}  // namespace portpatch
