#include "syntax/predicates.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <ranges>
#include <span>

#include <fmt/format.h>
#include <re2/re2.h>

#include "syntax/code_value.h"
#include "syntax/fragment.h"
#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// What a row's function makes of a predicate's arguments: a test of one match.
using Test = std::function<bool(const PredicateContext&)>;

struct Row {
  PredicateInfo info;
  Result<Test> (*prepare)(const Language&, const Predicate&);
};

std::vector<Node> nodes_of(const PredicateContext& context, std::string_view capture) {
  std::vector<Node> nodes;
  for (const auto& one : context.match.captures) {
    if (one.name == capture) nodes.push_back(one.node);
  }
  return nodes;
}

bool has_prefix(const Predicate& predicate, std::string_view prefix) {
  return predicate.name.starts_with(prefix) ||
         predicate.name.starts_with(fmt::format("any-{}", prefix));
}

/// Holds when every node of the capture passes, with the "any-" form when one does. A capture that
/// an optional part did not bind passes, as in tree-sitter's own hosts.
Test for_nodes(const Predicate& predicate,
               std::function<bool(const PredicateContext&, const Node&)> passes) {
  const bool any = predicate.name.starts_with("any-") && predicate.name != "any-of?";
  return [any, capture = predicate.arguments[0].text,
          passes = std::move(passes)](const PredicateContext& context) {
    const auto nodes = nodes_of(context, capture);
    const auto one = [&](const Node& node) { return passes(context, node); };
    return any && !nodes.empty() ? std::ranges::any_of(nodes, one)
                                 : std::ranges::all_of(nodes, one);
  };
}

std::string_view text_of(const PredicateContext& context, const Node& node) {
  return node.text(context.tree.text());
}

/// Two captures are compared node by node, as tree-sitter's Rust host does: the first of one with
/// the first of the other and so on; when one has more nodes than the other, it does not hold.
Test compare_captures(const Predicate& predicate, bool wanted) {
  const bool any = predicate.name.starts_with("any-");
  return [any, wanted, first = predicate.arguments[0].text,
          second = predicate.arguments[1].text](const PredicateContext& context) {
    const auto a = nodes_of(context, first), b = nodes_of(context, second);
    const auto fits = [&](std::size_t i) {
      return (text_of(context, a[i]) == text_of(context, b[i])) == wanted;
    };
    const auto pairs = std::views::iota(std::size_t{0}, std::min(a.size(), b.size()));
    if (any && !pairs.empty()) return std::ranges::any_of(pairs, fits);
    return a.size() == b.size() && std::ranges::all_of(pairs, fits);
  };
}

Result<Test> prepare_equal(const Language&, const Predicate& predicate) {
  const bool wanted = !has_prefix(predicate, "not-");
  const auto other = predicate.arguments[1];
  if (other.is_capture) return compare_captures(predicate, wanted);
  return for_nodes(predicate, [=](const PredicateContext& context, const Node& node) {
    return (text_of(context, node) == other.text) == wanted;
  });
}

Result<Test> prepare_match(const Language&, const Predicate& predicate) {
  const bool wanted = !has_prefix(predicate, "not-");
  RE2::Options options;
  options.set_log_errors(false);
  options.set_encoding(RE2::Options::EncodingLatin1);  // sources are bytes
  auto regex = std::make_shared<RE2>(predicate.arguments[1].text, options);
  if (!regex->ok()) {
    return failure("bad-regex",
                   fmt::format("the regular expression does not compile: {}", regex->error()),
                   "regular expressions are RE2's: no back-references, no look-around");
  }
  return for_nodes(predicate, [=](const PredicateContext& context, const Node& node) {
    const auto text = text_of(context, node);
    return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *regex) == wanted;
  });
}

Result<Test> prepare_any_of(const Language&, const Predicate& predicate) {
  const bool wanted = !predicate.name.starts_with("not-");
  std::vector<std::string> texts;
  for (const auto& argument : std::span(predicate.arguments).subspan(1))
    texts.push_back(argument.text);
  return for_nodes(predicate, [=](const PredicateContext& context, const Node& node) {
    return (std::ranges::find(texts, text_of(context, node)) != texts.end()) == wanted;
  });
}

/// tree-sitter's hosts keep these as properties of a pattern; they decide nothing.
Result<Test> prepare_property(const Language&, const Predicate&) {
  return Test([](const PredicateContext&) { return true; });
}

/// `pattern` against the dotted scope path: dots stand for slashes, so that `*` is one scope and
/// `**` any number of them.
bool scope_matches(std::string pattern, std::string path) {
  for (auto at = pattern.find("::"); at != std::string::npos; at = pattern.find("::"))
    pattern.replace(at, 2, ".");
  std::ranges::replace(pattern, '.', '/');
  std::ranges::replace(path, '.', '/');
  if (pattern.empty() || path.empty()) return pattern == path || pattern == "**";
  return glob_matches("./" + pattern, "./" + path);
}

Result<Test> prepare_in_scope(const Language&, const Predicate& predicate) {
  std::vector<std::string> patterns;
  for (const auto& argument : std::span(predicate.arguments).subspan(1))
    patterns.push_back(argument.text);
  return for_nodes(predicate, [=](const PredicateContext& context, const Node& node) {
    const auto path = scope_path(context.tree, node);
    return std::ranges::any_of(patterns,
                               [&](const auto& pattern) { return scope_matches(pattern, path); });
  });
}

Result<Test> prepare_in_path(const Language&, const Predicate& predicate) {
  std::vector<std::string> globs;
  for (const auto& argument : predicate.arguments) globs.push_back(argument.text);
  return Test([=](const PredicateContext& context) {
    return std::ranges::any_of(globs,
                               [&](const auto& glob) { return glob_matches(glob, context.path); });
  });
}

/// The code that a predicate names. As it is written: what the file's names stand for is not looked
/// at.
struct Code {
  Fragment fragment;
  std::string form;  ///< canonical
  // A scan evaluates one rule in several threads, and a tree works out its roles lazily.
  std::mutex mutex = {};
};

/// A test against the code of the second argument.
Result<Test> for_code(const Language& language, const Predicate& predicate,
                      bool (*passes)(const SourceTree&, const Node&, const Code&)) {
  auto fragment = Fragment::parse_any(language, predicate.arguments[1].text);
  if (!fragment) return std::unexpected(fragment.error());
  auto form = CodeEvaluator(fragment->tree()).canonical(*fragment);
  auto shared = std::make_shared<Code>(std::move(*fragment), std::move(form));
  return for_nodes(predicate, [=](const PredicateContext& context, const Node& node) {
    const std::scoped_lock lock(shared->mutex);
    return passes(context.tree, node, *shared);
  });
}

Result<Test> prepare_lacks(const Language& language, const Predicate& predicate) {
  return for_code(language, predicate,
                  [](const SourceTree& tree, const Node& container, const Code& code) {
                    return !find_equal(tree, container, code.fragment);
                  });
}

Result<Test> prepare_reads(const Language& language, const Predicate& predicate) {
  return for_code(language, predicate,
                  [](const SourceTree& tree, const Node& node, const Code& code) {
                    return CodeEvaluator(code.fragment.tree()).canonical(tree, node) == code.form;
                  });
}

// Arguments: "@" a capture, "s" a string, "a" either, "s+" one string or more.
const Row kRows[] = {
    {{"eq?", "@ a", "every node of the capture reads the string, or the same as the other capture"},
     prepare_equal},
    {{"not-eq?", "@ a", "none does"}, prepare_equal},
    {{"any-eq?", "@ a", "one of the nodes does"}, prepare_equal},
    {{"any-not-eq?", "@ a", "one of the nodes does not"}, prepare_equal},
    {{"match?", "@ s", "the regular expression (RE2) matches in every node of the capture"},
     prepare_match},
    {{"not-match?", "@ s", "it matches in none"}, prepare_match},
    {{"any-match?", "@ s", "it matches in one of the nodes"}, prepare_match},
    {{"any-not-match?", "@ s", "one of the nodes does not match"}, prepare_match},
    {{"any-of?", "@ s+", "every node of the capture reads one of the strings"}, prepare_any_of},
    {{"not-any-of?", "@ s+", "none does"}, prepare_any_of},
    {{"is?", "s*", "a property, kept and not evaluated"}, prepare_property},
    {{"is-not?", "s*", "a property, kept and not evaluated"}, prepare_property},
    {{"in-scope?", "@ s+",
      "the named scopes around the node are these: \"Class.method\", \"\" at module level, * one "
      "scope, ** any"},
     prepare_in_scope},
    {{"in-path?", "s+", "the file's path matches one of the globs"}, prepare_in_path},
    {{"reads?", "@ s", "every node of the capture reads the text, in any layout"}, prepare_reads},
    {{"lacks?", "@ s", "nothing at or below the node is equal as code to the text"}, prepare_lacks},
};

std::optional<std::string> wrong_arguments(const Predicate& predicate, std::string_view spec) {
  const auto& given = predicate.arguments;
  std::size_t at = 0;
  for (const auto part : split(spec, ' ')) {
    const auto fits = [&](std::size_t i) {
      return part[0] == 'a' || given[i].is_capture == (part[0] == '@');
    };
    if (part.ends_with('*') || part.ends_with('+')) {
      if (part.ends_with('+') && at == given.size()) return "one string at least is missing";
      for (; at < given.size(); ++at) {
        if (!fits(at)) return fmt::format("argument {} must be a string", at + 1);
      }
    } else {
      if (at == given.size()) return fmt::format("argument {} is missing", at + 1);
      if (!fits(at))
        return fmt::format("argument {} must be {}", at + 1,
                           part[0] == '@' ? "a capture" : "a string");
      ++at;
    }
  }
  if (at < given.size()) return fmt::format("{} arguments are too many", given.size());
  return std::nullopt;
}

class PreparedTest : public ReadyPredicate {
 public:
  explicit PreparedTest(Test test) : test_(std::move(test)) {}
  [[nodiscard]] bool holds(const PredicateContext& context) const override {
    return test_(context);
  }

 private:
  Test test_;
};

}  // namespace

std::vector<PredicateInfo> predicate_table() {
  std::vector<PredicateInfo> table;
  for (const auto& row : kRows) table.push_back(row.info);
  return table;
}

Result<std::unique_ptr<ReadyPredicate>> make_ready(const Language& language,
                                                   const Predicate& predicate,
                                                   std::string_view path, std::string_view text) {
  const auto fail = [&](Diagnostic diagnostic, ByteRange range) {
    diagnostic.place = place_of(path, text, range);
    return std::unexpected(std::move(diagnostic));
  };
  const auto* row = std::ranges::find(kRows, predicate.name,
                                      [](const Row& r) { return r.info.name; });
  if (row == std::end(kRows)) {
    std::vector<std::string> names;
    for (const auto& known : kRows) names.emplace_back(known.info.name);
    const auto near = nearest(predicate.name, names);
    return fail({.code = "unknown-predicate",
                 .message = fmt::format("unknown predicate `#{}`", predicate.name),
                 .remedy = near ? fmt::format("did you mean `#{}`?", *near)
                                : fmt::format("predicates are: {}", join(names, ", "))},
                predicate.name_place);
  }
  if (const auto wrong = wrong_arguments(predicate, row->info.arguments)) {
    return fail({.code = "wrong-arguments",
                 .message = fmt::format("`#{}`: {}", predicate.name, *wrong),
                 .remedy = fmt::format("`#{}` means: {}", predicate.name, row->info.summary)},
                predicate.place);
  }
  auto test = row->prepare(language, predicate);
  if (!test) return fail(test.error(), predicate.arguments.back().place);
  return std::make_unique<PreparedTest>(std::move(*test));
}

}  // namespace portpatch
