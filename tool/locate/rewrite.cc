#include "locate/rewrite.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "locate/sites.h"
#include "syntax/query_text.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

constexpr std::size_t kLongestAnchor = 200;

/// How much of a pattern's own shape is given up to find it at the new place.
enum class Slack {
  kNone,      ///< only the anchors
  kTarget,    ///< the kind of the directive's node as well
  kCaptures,  ///< the kinds of all captured nodes
};

/// A captured node in a pattern's text: `(identifier) @name`.
struct CapturedItem {
  std::string capture;
  ByteRange node;  ///< without the capture
};

void collect_captured(const std::vector<QueryItem>& items, std::vector<CapturedItem>& out) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto& item = items[i];
    if (item.is_predicate()) continue;
    const bool is_node = item.kind == QueryItem::Kind::kList ||
                         item.kind == QueryItem::Kind::kAlternation ||
                         (item.kind == QueryItem::Kind::kWord && item.text == "_");
    for (auto k = i + 1; is_node && k < items.size(); ++k) {
      if (items[k].kind == QueryItem::Kind::kQuantifier) continue;
      if (items[k].kind == QueryItem::Kind::kCapture) out.push_back({items[k].text, item.range});
      break;
    }
    collect_captured(item.items, out);
  }
}

/// The place itself, and what it is wrapped in: a directive finds its container in either.
std::set<ByteRange> meanings(const SourceTree& tree, const Footprint& place) {
  std::set<ByteRange> ranges{place.range};
  constexpr int kDeepest = 4;
  auto at = tree.node_at(place.range, place.kind);
  for (int i = 0; at && i < kDeepest; ++i) {
    at = at.parent();
    if (at && has_role(tree, at, Role::kWrapper)) ranges.insert(at.range());
  }
  return ranges;
}

/// The architectures that a text names: "120" of `is_sm120_supported()` and of `SM_120`.
std::set<std::string_view> architectures_in(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::set<std::string_view> found;
  for (std::size_t at = 0; at + 2 < text.size(); ++at) {
    if ((text[at] != 's' && text[at] != 'S') || (text[at + 1] != 'm' && text[at + 1] != 'M'))
      continue;
    const auto begin = text[at + 2] == '_' ? at + 3 : at + 2;
    auto end = begin;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end - begin == 2 || end - begin == 3) found.insert(text.substr(begin, end - begin));
  }
  return found;
}

/// May a site with this target be the place? A text that #held! matches may hold what the base
/// said: then it is in the same statement.
bool is_meant(const Shape& shape, const ByteRange& target, const SourceTree& tree,
              const Footprint& place, const std::set<ByteRange>& ranges) {
  if (ranges.contains(target)) return true;
  if (!shape.is_held() || !target.contains(place.range)) return false;
  const auto statement = enclosing_statement(tree, tree.node_at(place.range, place.kind));
  return statement.range().contains(target);
}

class Rewriter {
 public:
  Rewriter(const Rule& rule, const ParsedFile& file, const Footprint& place)
      : rule_(rule),
        file_(file),
        tree_(file.readings()[place.reading].tree),
        place_(place),
        meanings_(meanings(tree_, place)) {}

  /// The rule's new text; nullopt when no pattern fits, with `why` set.
  std::optional<std::string> rewrite() {
    // What reads as #held! says stays what it is: only where it stands may be another.
    for (std::size_t pattern = 0; pattern < rule_.shapes.size(); ++pattern) {
      if (rule_.shapes[pattern].is_held() && fit(pattern, Slack::kNone))
        return apply_edits(rule_.source, sorted_edits());
    }
    for (const auto slack : {Slack::kNone, Slack::kTarget, Slack::kCaptures}) {
      for (std::size_t pattern = 0; pattern < rule_.shapes.size(); ++pattern) {
        if (rule_.shapes[pattern].is_held()) continue;
        if (fit(pattern, slack)) return apply_edits(rule_.source, sorted_edits());
      }
    }
    if (why_.empty()) why_ = "none of its patterns has a shape that fits there";
    return std::nullopt;
  }

  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  const PatternText& text_of(std::size_t pattern) const {
    return rule_.query->text().patterns[pattern];
  }

  /// Which captured nodes of the pattern may be of any kind.
  std::vector<CapturedItem> loosened(std::size_t pattern, Slack slack) const {
    std::vector<CapturedItem> all, out;
    collect_captured(text_of(pattern).items, all);
    for (auto& item : all) {
      const bool is_target = item.capture == rule_.shapes[pattern].target();
      // A node with others inside, and the pattern's own root, stay what they are.
      const bool holds_others = std::ranges::any_of(all, [&](const auto& other) {
        return other.node != item.node && item.node.contains(other.node);
      });
      if (holds_others || item.node == text_of(pattern).items[0].range) continue;
      if (slack == Slack::kCaptures || (slack == Slack::kTarget && is_target))
        out.push_back(std::move(item));
    }
    return out;
  }

  /// Looks for the pattern without its anchors at the place; sets `edits_` and returns true when
  /// its anchors can be rewritten.
  bool fit(std::size_t pattern, Slack slack) {
    const auto loose = loosened(pattern, slack);
    if (slack != Slack::kNone && loose.empty()) return false;
    std::vector<TextEdit> blanks;
    for (const auto* predicate : predicates_of(text_of(pattern)))
      blanks.push_back({predicate->range, ""});
    for (const auto& item : loose) blanks.push_back({item.node, "(_)"});
    std::ranges::sort(blanks);
    const auto begin = text_of(pattern).range.begin, end = text_of(pattern).range.end;
    for (auto& blank : blanks) blank.range = {blank.range.begin - begin, blank.range.end - begin};
    const auto relaxed = CompiledQuery::compile(
        *rule_.language, rule_.path, apply_edits(ByteRange{begin, end}.of(rule_.source), blanks));
    if (!relaxed) return false;
    const auto matches = relaxed->run(tree_, tree_.root(), file_.path());
    if (!matches) return false;
    for (const auto& match : *matches) {
      const auto target = match.find(rule_.shapes[pattern].target());
      if (!target || !is_meant(rule_.shapes[pattern], target.range(), tree_, place_, meanings_))
        continue;
      edits_.clear();
      renamed_.clear();
      if (!rewrite_anchors(pattern, match)) continue;
      for (const auto& item : loose) {
        const auto node = match.find(item.capture);
        if (node) edits_.push_back({item.node, fmt::format("({})", node.kind())});
      }
      rename_in_other_patterns(pattern);
      return true;
    }
    return false;
  }

  bool rewrite_anchors(std::size_t pattern, const Match& match) {
    const auto& predicates = rule_.query->predicates(pattern);
    for (const auto index : rule_.query->failing(pattern, tree_, match, file_.path())) {
      const bool tells_where = predicates[index].name == "in-path?" ||
                               predicates[index].name == "in-scope?";
      if (rule_.shapes[pattern].is_held() && !tells_where) return false;
      if (!rewrite_anchor(predicates[index], match)) {
        why_ = fmt::format("#{} does not hold there, and what is there does not say the same",
                           predicates[index].name);
        return false;
      }
    }
    return true;
  }

  bool rewrite_anchor(const Predicate& predicate, const Match& match) {
    const auto& arguments = predicate.arguments;
    if (predicate.name == "in-path?") {
      edits_.push_back(
          {predicate.place, fmt::format("(#in-path? {})", query_string(file_.path()))});
      return true;
    }
    const auto node = arguments.empty() ? Node() : match.find(arguments[0].text);
    if (!node || arguments.size() < 2 || arguments[1].is_capture) return false;
    if (predicate.name == "in-scope?") {
      const auto scope = scope_path(tree_, node);
      edits_.push_back({predicate.place, fmt::format("(#in-scope? @{} {})", arguments[0].text,
                                                     query_string(scope))});
      renamed_[{predicate.name, arguments[1].text}] = scope;
      return true;
    }
    const auto text = std::string(node.text(tree_.text()));
    if (text.size() > kLongestAnchor || text.contains('\n')) return false;
    const auto asked = architectures_in(arguments[1].text), there = architectures_in(text);
    if (!asked.empty() && !there.empty() && asked != there)
      return false;  // a branch for another one is another branch
    if (predicate.name == "eq?" || predicate.name == "any-eq?") {
      edits_.push_back({arguments[1].place, query_string(text)});
      renamed_[{predicate.name, arguments[1].text}] = text;
      return true;
    }
    if (predicate.name == "any-of?" || predicate.name == "any-any-of?") {
      const auto end = arguments.back().place.end;
      edits_.push_back({{end, end}, " " + query_string(text)});
      return true;
    }
    if (predicate.name == "match?" || predicate.name == "any-match?") {
      edits_.push_back(
          {predicate.place, fmt::format("(#eq? @{} {})", arguments[0].text, query_string(text))});
      return true;
    }
    return false;
  }

  /// The other patterns of the rule name the same things; they follow.
  void rename_in_other_patterns(std::size_t pattern) {
    for (std::size_t other = 0; other < rule_.shapes.size(); ++other) {
      if (other == pattern) continue;
      for (const auto& predicate : rule_.query->predicates(other)) {
        if (predicate.arguments.size() < 2 || predicate.arguments[1].is_capture) continue;
        const auto found = renamed_.find({predicate.name, predicate.arguments[1].text});
        if (found != renamed_.end() && predicate.arguments.size() == 2)
          edits_.push_back({predicate.arguments[1].place, query_string(found->second)});
      }
    }
  }

  std::vector<TextEdit> sorted_edits() {
    std::ranges::sort(edits_);
    return edits_;
  }

  const Rule& rule_;
  const ParsedFile& file_;
  const SourceTree& tree_;
  const Footprint& place_;
  std::set<ByteRange> meanings_;
  std::vector<TextEdit> edits_;
  /// Predicate and old string to the new one.
  std::map<std::pair<std::string, std::string>, std::string> renamed_;
  std::string why_;
};

bool matches_there(const Rule& rule, const ParsedFile& file, const Footprint& place,
                   const std::set<ByteRange>& ranges) {
  const auto sites = find_sites(rule, file);
  const auto& tree = file.readings()[place.reading].tree;
  return sites && std::ranges::any_of(*sites, [&](const Site& site) {
           return is_meant(rule.shapes[site.shape], site.target, tree, place, ranges);
         });
}

}  // namespace

Result<std::optional<Rule>> rewrite_rule(const Rule& rule, const std::string& pack_folder,
                                         const ParsedFile& file, const Footprint& place) {
  const auto ranges = meanings(file.readings()[place.reading].tree, place);
  if (matches_there(rule, file, place, ranges)) return std::nullopt;
  const auto fail = [&](const std::string& why) {
    return failure("no-rewrite",
                   fmt::format("the rule's query cannot be rewritten for {}: {}", place.path, why),
                   "write a pattern for the new place into the rule, then run `portpatch refresh`");
  };
  Rewriter rewriter(rule, file, place);
  auto source = rewriter.rewrite();
  if (!source) return fail(rewriter.why());
  auto rewritten = with_source(rule, std::move(*source), pack_folder);
  if (!rewritten) return fail(rewritten.error()[0].message);
  if (!matches_there(*rewritten, file, place, ranges))
    return fail("the new query does not match there");
  return std::optional(std::move(*rewritten));
}

}  // namespace portpatch
