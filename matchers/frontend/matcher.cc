#include "frontend/matcher.h"

#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/Dynamic/Diagnostics.h"
#include "clang/ASTMatchers/Dynamic/Parser.h"
#include "clang/Lex/Lexer.h"

namespace portpatch::matchers {
namespace {

using clang::ast_matchers::MatchFinder;
using clang::ast_matchers::dynamic::Diagnostics;
using clang::ast_matchers::dynamic::DynTypedMatcher;
using clang::ast_matchers::dynamic::Parser;

std::optional<DynTypedMatcher> read_matcher(llvm::StringRef expression, Diagnostics& problems) {
  auto matcher = Parser::parseMatcherExpression(expression, &problems);
  if (!matcher) return std::nullopt;
  // Named, so that the node itself is told as well as what it binds.
  if (auto bound = matcher->tryBind("root")) return bound;
  return matcher;
}

class Collector : public MatchFinder::MatchCallback {
 public:
  explicit Collector(std::vector<MatchedNode>& matches) : matches_(matches) {}

  void run(const MatchFinder::MatchResult& result) override {
    const auto& sources = *result.SourceManager;
    for (const auto& [name, node] : result.Nodes.getMap()) {
      const auto range = sources.getExpansionRange(node.getSourceRange());
      if (range.isInvalid() || !sources.isInMainFile(range.getBegin()) ||
          !sources.isInMainFile(range.getEnd()))
        continue;
      const auto end = clang::Lexer::getLocForEndOfToken(range.getEnd(), 0, sources,
                                                         result.Context->getLangOpts());
      const auto begin = sources.getFileOffset(range.getBegin());
      matches_.push_back({name, {begin, end.isValid() ? sources.getFileOffset(end) : begin}});
    }
  }

 private:
  std::vector<MatchedNode>& matches_;
};

}  // namespace

void run_matcher(clang::ASTContext& context, const std::string& expression,
                 std::vector<MatchedNode>& matches) {
  Diagnostics problems;
  const auto matcher = read_matcher(expression, problems);
  if (!matcher) return;
  Collector collector(matches);
  MatchFinder finder;
  if (finder.addDynamicMatcher(*matcher, &collector)) finder.matchAST(context);
  // Instances of a template stand where it stands.
  std::ranges::sort(matches);
  const auto doubled = std::ranges::unique(matches);
  matches.erase(doubled.begin(), doubled.end());
}

std::string matcher_error(const std::string& expression) {
  Diagnostics problems;
  const auto matcher = read_matcher(expression, problems);
  if (!matcher) return problems.toStringFull();
  std::vector<MatchedNode> none;
  Collector collector(none);
  MatchFinder finder;
  return finder.addDynamicMatcher(*matcher, &collector)
             ? ""
             : "the expression is no matcher of a node, such as ifStmt(...)";
}

}  // namespace portpatch::matchers
