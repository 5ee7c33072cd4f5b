#include "capture/capture_file.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "capture/saying.h"
#include "edit/names.h"
#include "edit/plan.h"
#include "locate/sites.h"
#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// A longer argument stands in a file beside the rule.
constexpr std::size_t kLongestInline = 100;

std::size_t size_of(const TreeContent& content, const std::vector<Node>& nodes) {
  std::size_t sum = 0;
  for (const auto& node : nodes) sum += content.size(node);
  return sum;
}

/// How many tokens differ in all.
std::size_t distance(const TreeContent& before, const TreeContent& after) {
  std::size_t sum = 0;
  const auto diff = compare_trees(before, after);
  for (const auto& change : diff.changes) sum += size_of(before, change.removed) + size_of(after, change.inserted);
  return sum;
}

/// The query of a saying, in two ways of writing: as it is kept, with long texts beside it, and whole.
struct QueryText {
  std::string kept, whole;
  std::vector<SideFile> beside;
};

class QueryWriter {
 public:
  QueryWriter(std::string language_ending) : ending_(std::move(language_ending)) {}

  void add(Pattern pattern, const std::string& scope, const std::string& capture, const std::vector<std::string>& extra, const std::string& directive,
           const std::vector<std::string>& arguments) {
    name_captures(pattern, capture);
    auto head = "(" + print(pattern, 1);
    for (const auto& predicate : predicates_of(pattern)) head += "\n " + predicate;
    head += fmt::format("\n (#in-scope? @{} {})", capture, query_string(scope));
    for (const auto& predicate : extra) head += "\n " + predicate;
    std::string kept = fmt::format("\n (#{} @{}", directive, capture), whole = kept;
    for (const auto& argument : arguments) {
      whole += " " + query_string(argument);
      if (!argument.contains('\n') && argument.size() <= kLongestInline) {
        kept += " " + query_string(argument);
        continue;
      }
      const auto name = text_.beside.empty() ? std::string("text") : fmt::format("text-{}", text_.beside.size() + 1);
      kept += fmt::format(" \"file:{}\"", name);
      text_.beside.push_back({name, argument.ends_with('\n') ? argument : argument + "\n"});
    }
    const std::string separator = text_.kept.empty() ? "" : "\n";
    text_.kept += separator + head + kept + "))\n";
    text_.whole += separator + head + whole + "))\n";
  }
  [[nodiscard]] QueryText take() { return std::move(text_); }

 private:
  std::string ending_;
  QueryText text_;
};

class Capturer {
 public:
  Capturer(const Language& language, const FileVersions& file, const SourceTree& before, const SourceTree& after)
      : language_(language), file_(file), before_(before), after_(after), versions_{before_, after_}, diff_(compare_trees(before_, after_)), text_(file.before) {}

  FileCapture take() && {
    FileCapture result;
    result.only_layout = diff_.changes.empty();
    std::vector<TreeChange> pieces;
    for (const auto& change : diff_.changes) std::ranges::move(pieces_of(versions_, change), std::back_inserter(pieces));
    left_ = distance_now();
    for (const auto& piece : pieces) {
      if (auto edit = capture(piece)) result.edits.push_back(std::move(*edit));
      else result.refused.push_back(refusal(piece));
    }
    for (auto& edit : result.edits) edit.names = names_for(edit, result.edits);
    return result;
  }

 private:
  [[nodiscard]] std::size_t distance_now() const {
    const auto tree = SourceTree::parse(language_, text_);
    return tree ? distance(TreeContent(*tree), after_) : 0;
  }

  std::optional<CapturedEdit> capture(const TreeChange& piece) {
    reason_ = "no directive says such a change";
    for (const auto& saying : sayings_for(versions_, diff_, piece)) {
      if (auto edit = attempt(piece, saying)) return edit;
    }
    return std::nullopt;
  }

  std::optional<CapturedEdit> attempt(const TreeChange& piece, const Saying& saying) {
    const auto anchor = find_anchor(versions_, saying.target);
    if (!anchor) {
      reason_ = fmt::format("#{}: nothing tells the place from others like it", saying.directive);
      return std::nullopt;
    }
    QueryWriter writer(language_.file_ending());
    writer.add(anchor->pattern, anchor->scope, saying.capture, {}, saying.directive, saying.arguments);
    if (saying.target.after && anchor->reads_old_text) {
      const auto held = held_anchor(versions_, *anchor, saying.target);
      if (!held) {
        reason_ = fmt::format("#{}: nothing tells the changed place from others like it", saying.directive);
        return std::nullopt;
      }
      writer.add(held->pattern, held->scope, saying.capture, {}, "held!", {});
    }
    if (!saying.target.after) {
      const auto around = find_anchor(versions_, saying.container);
      if (!around) {
        reason_ = fmt::format("#{}: nothing tells what is around it from others like it", saying.directive);
        return std::nullopt;
      }
      writer.add(around->pattern, around->scope, "around", {fmt::format("(#lacks? @around {})", query_string(saying.gone))}, "held!", {});
    }
    auto query = writer.take();
    auto rule = compile(query.whole, visible_names());
    if (!rule) {
      reason_ = fmt::format("#{}: {}", saying.directive, rule.error());
      return std::nullopt;
    }
    auto base = run_rule(piece, *rule);
    if (!base) {
      reason_ = fmt::format("#{}: {}", saying.directive, base.error());
      return std::nullopt;
    }
    CapturedEdit edit{.directive = saying.directive, .topic = saying.topic, .query = std::move(query.kept), .beside = std::move(query.beside), .names = {}, .defines = defined_names(piece),
                      .base = std::move(*base), .why = anchor->why, .line = line_of(piece), .changed_tokens = cost(piece), .payload_tokens = 0};
    for (const auto& argument : saying.arguments) edit.payload_tokens += count_tokens(argument);
    return edit;
  }

  /// The rule from its query, or why it does not compile.
  [[nodiscard]] std::expected<Rule, std::string> compile(const std::string& source, std::vector<std::string> names) const {
    Rule rule{.name = "capture", .path = "capture.scm", .reason = {}, .source = source, .language = &language_, .settings = {}, .shapes = {}, .prefilter = {}, .query = std::nullopt, .locked = {}};
    rule.settings.names = std::move(names);
    auto compiled = compile_rule(std::move(rule), "/nonexistent");
    if (!compiled) return std::unexpected(compiled.error()[0].message);
    return std::move(*compiled);
  }

  /// Applies the rule to the text as it is by now, and keeps the result when it is nearer to the
  /// changed file by just this piece. Gives the base; else why not.
  std::expected<LockedSite, std::string> run_rule(const TreeChange& piece, const Rule& rule) {
    const auto old_file = ParsedFile::parse(language_, file_.path, file_.before);
    if (!old_file) return std::unexpected(old_file.error().message);
    const auto at_base = find_sites(rule, *old_file);
    if (!at_base) return std::unexpected(at_base.error().message);
    if (at_base->size() != 1) return std::unexpected(fmt::format("the rule matches {} places in the old file", at_base->size()));
    const auto file = ParsedFile::parse(language_, file_.path, text_);
    if (!file) return std::unexpected(file.error().message);
    const auto sites = find_sites(rule, *file);
    if (!sites) return std::unexpected(sites.error().message);
    if (sites->size() != 1) return std::unexpected(fmt::format("beside the other edits the rule matches {} places", sites->size()));
    const auto plan = plan_file(rule, *file, *sites, Direction::kApply);
    if (!plan) return std::unexpected(plan.error().message);
    if (!plan->text) return std::unexpected(plan->sites[0].step.reason.empty() ? std::string("nothing to do") : plan->sites[0].step.reason);
    const auto tree = SourceTree::parse(language_, *plan->text);
    if (!tree) return std::unexpected(tree.error().message);
    const auto left = distance(TreeContent(*tree), after_);
    if (left + cost(piece) > left_) return std::unexpected(std::string("does not give what the changed file reads"));
    text_ = *plan->text;
    left_ = left;
    const auto& site = (*at_base)[0];
    return LockedSite{file_.commit, file_.path, site.scope, std::string(site.target.of(file_.before))};
  }

  [[nodiscard]] std::size_t cost(const TreeChange& piece) const { return size_of(before_, piece.removed) + size_of(after_, piece.inserted); }

  [[nodiscard]] std::size_t count_tokens(const std::string& text) const {
    const auto tree = SourceTree::parse(language_, text);
    return tree ? TreeContent(*tree).size(tree->root()) : 0;
  }

  [[nodiscard]] std::size_t line_of(const TreeChange& piece) const {
    return piece.inserted.empty() ? line_column(before_.tree().text(), piece.removed[0].range().begin).line
                                  : line_column(after_.tree().text(), piece.inserted[0].range().begin).line;
  }

  [[nodiscard]] UncapturedPiece refusal(const TreeChange& piece) const {
    const bool gone = piece.inserted.empty();
    const auto text = gone ? piece.removed[0].text(before_.tree().text()) : piece.inserted[0].text(after_.tree().text());
    return {file_.path, line_of(piece), gone, std::string(text.substr(0, text.find('\n'))), reason_, cost(piece)};
  }

  /// Names that the changed file defines or takes for granted: other edits bring them.
  [[nodiscard]] std::vector<std::string> visible_names() {
    if (visible_) return *visible_;
    std::set<std::string> names;
    for (const auto& change : diff_.changes) {
      for (const auto& node : change.inserted) {
        walk(node, [&](const Node& one) {
          if (one.child_count() == 0 && has_role(after_.tree(), one, Role::kReference)) names.insert(std::string(one.text(after_.tree().text())));
          return true;
        });
      }
    }
    visible_ = std::vector<std::string>(names.begin(), names.end());
    return *visible_;
  }

  [[nodiscard]] std::vector<std::string> defined_names(const TreeChange& piece) const {
    std::set<std::string> names;
    for (const auto& node : piece.inserted) {
      walk(node, [&](const Node& one) {
        if (has_role(after_.tree(), one, Role::kDefinition)) names.insert(std::string(one.text(after_.tree().text())));
        return true;
      });
    }
    return {names.begin(), names.end()};
  }

  /// The names that `edit` takes for granted: those that another edit brings, and those that the
  /// changed file itself does not show.
  [[nodiscard]] std::vector<std::string> names_for(const CapturedEdit& edit, const std::vector<CapturedEdit>& edits) const {
    std::set<std::string> others;
    for (const auto& other : edits) {
      if (&other != &edit) others.insert(other.defines.begin(), other.defines.end());
    }
    if (!language_.checks_names()) return {};
    auto rule = compile(whole_text(edit), {});
    if (!rule) return {};
    std::vector<std::string> names;
    const auto file = ParsedFile::parse(language_, file_.path, file_.before);
    for (std::size_t tries = 0; file && tries < 16; ++tries) {
      const auto sites = find_sites(*rule, *file);
      if (!sites || sites->size() != 1) break;
      const auto plan = plan_file(*rule, *file, *sites, Direction::kApply);
      if (!plan || plan->text || plan->sites[0].step.code != "unseen-name") break;
      const auto& reason = plan->sites[0].step.reason;
      const auto end = reason.find('`', 1);
      names.push_back(reason.substr(1, end - 1));
      rule->settings.names = names;
    }
    std::ranges::sort(names);
    return names;
  }

  [[nodiscard]] static std::string whole_text(const CapturedEdit& edit) {
    auto text = edit.query;
    for (const auto& side : edit.beside) {
      const auto mark = fmt::format("\"file:{}\"", side.name);
      for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) text.replace(at, mark.size(), query_string(side.text));
    }
    return text;
  }

  const Language& language_;
  const FileVersions& file_;
  TreeContent before_, after_;
  Versions versions_;
  TreeDiff diff_;
  std::string text_;       ///< the old file with what has been captured so far
  std::size_t left_ = 0;   ///< how far it is from the changed one
  std::string reason_;     ///< why the last saying failed
  std::optional<std::vector<std::string>> visible_;
};

}  // namespace

Result<FileCapture> capture_file(const Language& language, const FileVersions& file) {
  const auto before = SourceTree::parse(language, file.before);
  if (!before) return std::unexpected(before.error());
  const auto after = SourceTree::parse(language, file.after);
  if (!after) return std::unexpected(after.error());
  return Capturer(language, file, *before, *after).take();
}

}  // namespace portpatch
