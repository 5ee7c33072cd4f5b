// Drives the editing engine, verification included, on known nodes of real files. One JSON request
// a line on stdin, one JSON answer a line on stdout; judge.py decides what is right.
//
//   {"file": F, "kinds": [K...], "list": true}                     the nodes of these kinds
//   {"file": F, "kinds": [K...], "begin": B, "end": E,             the directive on one of them
//    "directive": "ensure-element!", "texts": ["1"]}
//   {"merge": true, "base": B, "ours": O, "theirs": T}              the three texts as trees
// With "item": I the directive is meant for item I of that container.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "edit/container.h"
#include "edit/merge_text.h"
#include "edit/plan.h"
#include "syntax/code_form.h"
#include "syntax/roles.h"

namespace portpatch {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kCapture = "node";

/// A rule with one shape that matches every node of `kinds`; the caller picks among its sites.
Result<Rule> make_rule(const Language& language, const std::vector<std::string>& kinds,
                       const Directive& directive) {
  std::string query = "[";
  for (const auto& kind : kinds) query += "(" + kind + ")";
  auto compiled = CompiledQuery::compile(language, "property.scm", query + "] @node");
  if (!compiled) return std::unexpected(compiled.error()[0]);
  Rule rule{.name = "property",
            .path = "property.scm",
            .reason = {},
            .source = {},
            .language = &language,
            .settings = {},
            .shapes = {},
            .query = std::move(*compiled),
            .locked = {}};
  rule.shapes.push_back({.directives = {directive}, .held = {}, .literals = {}});
  rule.shapes.push_back({.directives = {}, .held = std::string(kCapture), .literals = {}});
  return rule;
}

Directive make_directive(std::string_view name, std::vector<std::string> texts) {
  const auto* info = std::ranges::find(directive_table(), name, &DirectiveInfo::name).base();
  return {.info = info, .capture = std::string(kCapture), .texts = std::move(texts), .place = {}};
}

std::size_t depth_of(const Node& node) {
  std::size_t depth = 0;
  for (auto above = node.parent(); above; above = above.parent()) ++depth;
  return depth;
}

/// The same node in the edited text: of its kind and depth, where the edit must have left it.
class NodeFinder {
 public:
  NodeFinder(const ParsedFile& file, const Site& site, DirectiveKind kind)
      : site_(site),
        depth_(depth_of(node_of(file, site, kCapture))),
        size_(file.text().size()),
        kind_(kind) {}

  Result<std::vector<Site>> operator()(const Rule&, const ParsedFile& after) const {
    if (kind_ == DirectiveKind::remove) {  // gone, as the shape with #held! would say
      Site held = site_;
      held.shape = 1;
      return std::vector{held};
    }
    const auto begin = site_.target.begin +
                       (kind_ == DirectiveKind::insert_before ? after.text().size() - size_ : 0);
    if (after.readings().size() <= site_.reading) return std::vector<Site>();
    // Not by the query: its other matches would cost more than the edit.
    const auto& root = after.readings()[site_.reading].tree.root();
    auto node = node_at(root, begin);
    // An `if` of a run may have come in front of it, with the comments above it in between.
    if (!node && kind_ == DirectiveKind::ensure_branch)
      node = node_at(root, begin + after.text().size() - size_);
    if (!node) return std::vector<Site>();
    Site moved = site_;
    moved.captures[0].kind = node.kind();
    moved.target = moved.captures[0].range = node.range();
    return std::vector{moved};
  }

 private:
  Node node_at(const Node& root, std::size_t begin) const {
    auto node = root.smallest_around({begin, begin + 1});
    // What grows around a node is of another kind, and stands where the node stood.
    const bool grows = kind_ == DirectiveKind::widen || kind_ == DirectiveKind::narrow ||
                       kind_ == DirectiveKind::wrap;
    while (node && (node.range().begin != begin ||
                    (!grows && node.kind() != site_.captures[0].kind) || depth_of(node) != depth_))
      node = node.parent();
    return node;
  }

  Site site_;
  std::size_t depth_, size_;
  DirectiveKind kind_;
};

/// What differs between two texts, in whole lines.
Json difference_of(std::string_view before, std::string_view after) {
  const auto shorter = std::min(before.size(), after.size());
  std::size_t front = 0, back = 0;
  while (front < shorter && before[front] == after[front]) ++front;
  while (front > 0 && before[front - 1] != '\n') --front;
  while (back < shorter - front &&
         before[before.size() - 1 - back] == after[after.size() - 1 - back])
    ++back;
  const auto starts_line_at = [&](std::string_view text) {
    return back == text.size() || text[text.size() - back - 1] == '\n';
  };
  while (back > 0 && !(starts_line_at(before) && starts_line_at(after))) --back;
  return {{"at", front},
          {"cut", before.size() - back - front},
          {"text", after.substr(front, after.size() - back - front)}};
}

std::string_view name_of(Step::Kind kind) {
  constexpr std::string_view kNames[] = {"holds", "edited", "conflict", "blocked"};
  return kNames[static_cast<int>(kind)];
}

Json failure_of(const Diagnostic& diagnostic) {
  return {{"result", "error"}, {"code", diagnostic.code}, {"reason", diagnostic.message}};
}

/// The merge of three texts, as merge! does it, and whether the text is the merged tree.
Json merge_texts(const Language& language, const std::string& base_text,
                 const std::string& ours_text, const std::string& theirs_text) {
  const auto base = SourceTree::parse(language, base_text),
             ours = SourceTree::parse(language, ours_text),
             theirs = SourceTree::parse(language, theirs_text);
  if (!base || !ours || !theirs) return {{"result", "error"}, {"reason", "a text has no tree"}};
  const MatchTree base_tree(*base, base->root()), ours_tree(*ours, ours->root()),
      theirs_tree(*theirs, theirs->root());
  const auto merged = merge_trees(base_tree, ours_tree, theirs_tree);
  if (merged.conflict) return {{"result", "conflict"}, {"reason", merged.conflict->reason}};
  const auto edits = merge_edits(*base, *ours, *theirs, merged.changes);
  if (!edits)
    return {{"result", "blocked"}, {"reason", edits.error().code + ": " + edits.error().message}};
  auto text = apply_edits(theirs->text(), edits->edits);
  const auto after = SourceTree::parse(language, text);
  if (!after || exact_form(*after, after->root()) != merged.form)
    return {{"result", "blocked"}, {"reason", "the text is not the merged tree"}};
  return {{"result", "merged"}, {"text", std::move(text)}};
}

class Driver {
 public:
  explicit Driver(const Language& language) : language_(language) {}

  Json answer(const Json& request) {
    if (request.contains("merge"))
      return merge_texts(language_, request.at("base"), request.at("ours"), request.at("theirs"));
    const auto kinds = request.at("kinds").get<std::vector<std::string>>();
    const auto directive = make_directive(request.value("directive", "remove!"),
                                          request.value("texts", std::vector<std::string>()));
    const auto rule = make_rule(language_, kinds, directive);
    if (!rule) return failure_of(rule.error());
    const auto* sites = sites_of(*rule, request.at("file"), request.at("kinds").dump());
    if (sites == nullptr) return failure_of(*error_);
    if (request.contains("list")) return list(*sites);
    const ByteRange range{request.at("begin"), request.at("end")};
    for (const bool exact :
         {true, false}) {  // where a node ends is not everywhere as Python's ast sees it
      for (const auto& site : *sites) {
        if (site.target.begin != range.begin || (exact && site.target != range)) continue;
        return edit(*rule, request.contains("item") ? item_site(site, request["item"]) : site);
      }
    }
    // find_sites takes the rows of one table, TABLE[key] = value, for one site: here each is one.
    for (const auto& kind : kinds) {
      const auto node = file_->tree().node_at(range, kind);
      if (!node) continue;
      return edit(*rule, {.path = file_->path(),
                          .shape = 0,
                          .reading = 0,
                          .captures = {{std::string(kCapture), kind, range}},
                          .target = range,
                          .scope = {}});
    }
    return {{"result", "no-site"}};
  }

 private:
  const std::vector<Site>* sites_of(const Rule& rule, const std::string& path,
                                    const std::string& key) {
    if (!file_ || file_->path() != path) {
      sites_.clear();
      file_.reset();
      const auto text = read_file(path);
      if (!text) return fail(text.error());
      auto file = ParsedFile::parse(language_, path, *text);
      if (!file) return fail(file.error());
      file_ = std::move(*file);
    }
    if (!sites_.contains(key)) {
      auto sites = find_sites(rule, *file_);
      if (!sites) return fail(sites.error());
      sites_[key] = std::move(*sites);
    }
    return &sites_[key];
  }

  const std::vector<Site>* fail(const Diagnostic& diagnostic) {
    error_ = diagnostic;
    return nullptr;
  }

  std::vector<Node> items_of(const Site& site) const {
    const auto& tree = file_->readings()[site.reading].tree;
    const auto node = node_of(*file_, site, kCapture);
    const auto role = has_role(tree, node, Role::kSequence) ? Role::kSequence : Role::kMap;
    const auto container = find_container(tree, node, role,
                                          [](ByteRange, ByteRange) { return true; });
    std::vector<Node> items;
    if (container) std::ranges::transform(container->items, std::back_inserter(items), &Item::node);
    return items;
  }

  Site item_site(Site site, std::size_t index) const {
    const auto item = items_of(site).at(index);
    site.target = item.range();
    site.captures = {{std::string(kCapture), std::string(item.kind()), item.range()}};
    return site;
  }

  Json list(const std::vector<Site>& sites) const {
    auto nodes = Json::array();
    for (const auto& site : sites) {
      auto items = Json::array();
      for (const auto& item : items_of(site))
        items.push_back({item.kind(), item.range().begin, item.range().end});
      const auto& captured = site.captures[0];
      nodes.push_back({{"kind", captured.kind},
                       {"begin", captured.range.begin},
                       {"end", captured.range.end},
                       {"items", items}});
    }
    return {{"nodes", nodes}};
  }

  Json edit(const Rule& rule, const Site& site) const {
    const NodeFinder find_again(*file_, site, rule.shapes[0].directives[0].kind());
    const auto plan = plan_file(rule, *file_, {site}, Direction::kApply, find_again);
    if (!plan) return failure_of(plan.error());
    const auto& step = plan->sites[0].step;
    Json answer{{"result", name_of(step.kind)},
                {"code", step.code},
                {"reason", step.reason},
                {"edits", Json::array()}};
    for (const auto& one : step.edits)
      answer["edits"].push_back({one.range.begin, one.range.end, one.text});
    if (!plan->text) return answer;
    answer.update(difference_of(file_->text(), *plan->text));
    answer["second"] = second_run(rule, *plan->text, find_again);
    return answer;
  }

  std::string second_run(const Rule& rule, std::string text, const NodeFinder& find_again) const {
    const auto after = ParsedFile::parse(language_, file_->path(), std::move(text));
    if (!after) return after.error().message;
    const auto sites = find_again(rule, *after);
    if (!sites || sites->size() != 1) return "the place is not found again";
    const auto again = plan_file(rule, *after, *sites, Direction::kApply, find_again);
    return again ? std::string(name_of(again->sites[0].step.kind)) : again.error().message;
  }

  const Language& language_;
  std::optional<ParsedFile> file_;
  std::map<std::string, std::vector<Site>> sites_;
  std::optional<Diagnostic> error_;
};

}  // namespace
}  // namespace portpatch

int main(int argc, char** argv) {
  const auto* language = argc == 2 ? portpatch::find_language(argv[1]) : nullptr;
  if (language == nullptr) {
    std::cerr << "usage: property_edit LANGUAGE < requests\n";
    return 2;
  }
  portpatch::Driver driver(*language);
  for (std::string line; std::getline(std::cin, line);) {
    const auto answer = driver.answer(nlohmann::json::parse(line));
    std::cout << answer.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) << std::endl;
  }
}
