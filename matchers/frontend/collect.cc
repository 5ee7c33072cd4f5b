#include "frontend/collect.h"

#include <algorithm>

#include <fmt/format.h>

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "directives.h"
#include "expression_text.h"
#include "statement_text.h"

namespace portpatch::matchers {
namespace {

using clang::dyn_cast;
using clang::dyn_cast_or_null;
using clang::isa;
using Kind = Expression::Kind;

constexpr int kDeepest = 200;  // of nested expressions; a table of 10,000 entries is wide, not deep

/// Where things are in the main file, and how they are spelled there.
class SourceReader {
 public:
  SourceReader(clang::ASTContext& context, const std::vector<ByteRange>& skipped)
      : context_(context),
        sources_(context.getSourceManager()),
        text_(sources_.getBufferData(sources_.getMainFileID())) {
    for (const auto range : skipped) {
      for (auto i = range.begin; i < std::min(range.end, text_.size()); ++i) {
        if (text_[i] != '\n') text_[i] = ' ';
      }
    }
    code_ = blank_comments(text_);
  }

  [[nodiscard]] bool in_main_file(clang::SourceLocation at) const {
    return at.isValid() && sources_.isInMainFile(sources_.getExpansionLoc(at));
  }

  [[nodiscard]] ByteRange range(clang::SourceRange range) const {
    if (range.isInvalid()) return {};
    const auto characters = clang::Lexer::makeFileCharRange(
        clang::CharSourceRange::getTokenRange(range), sources_, context_.getLangOpts());
    if (characters.isValid() && sources_.isInMainFile(characters.getBegin())) {
      return {sources_.getFileOffset(characters.getBegin()),
              sources_.getFileOffset(characters.getEnd())};
    }
    const auto whole = sources_.getExpansionRange(range);
    if (!sources_.isInMainFile(whole.getBegin()) || !sources_.isInMainFile(whole.getEnd()))
      return {};
    const auto end = clang::Lexer::getLocForEndOfToken(whole.getEnd(), 0, sources_,
                                                       context_.getLangOpts());
    const auto begin = sources_.getFileOffset(whole.getBegin());
    return {begin,
            std::max<std::size_t>(begin, end.isValid() ? sources_.getFileOffset(end) : begin)};
  }

  [[nodiscard]] std::string spelled(const clang::Expr& expression) const {
    const auto characters = clang::Lexer::makeFileCharRange(
        clang::CharSourceRange::getTokenRange(expression.getSourceRange()), sources_,
        context_.getLangOpts());
    if (characters.isValid()) {
      bool is_invalid = false;
      const auto text = clang::Lexer::getSourceText(characters, sources_, context_.getLangOpts(),
                                                    &is_invalid);
      if (!is_invalid) return fold_space(std::string_view(text.data(), text.size()));
    }
    std::string text;
    llvm::raw_string_ostream stream(text);
    expression.printPretty(stream, nullptr, context_.getPrintingPolicy());
    return fold_space(text);
  }

  /// The macro that `at` comes from; empty for what stands in the file itself.
  [[nodiscard]] std::string macro(clang::SourceLocation at) const {
    if (!at.isMacroID() || sources_.isMacroArgExpansion(at)) return {};
    while (sources_.getImmediateMacroCallerLoc(at).isMacroID())
      at = sources_.getImmediateMacroCallerLoc(at);
    return clang::Lexer::getImmediateMacroName(at, sources_, context_.getLangOpts()).str();
  }

  /// The file, branches of #if that are not taken blanked.
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::string_view code() const { return code_; }
  [[nodiscard]] clang::ASTContext& context() const { return context_; }

 private:
  clang::ASTContext& context_;
  clang::SourceManager& sources_;
  std::string text_, code_;
};

std::optional<Constant> constant(const clang::Expr& expression, clang::ASTContext& context) {
  const auto type = expression.getType();
  if (expression.isValueDependent() || expression.containsErrors() || type.isNull())
    return std::nullopt;
  if (const auto* string = dyn_cast<clang::StringLiteral>(expression.IgnoreParenImpCasts())) {
    return string->isOrdinary() ? std::optional<Constant>(string->getString().str()) : std::nullopt;
  }
  if (!type->isIntegralOrEnumerationType() && !type->isRealFloatingType()) return std::nullopt;
  clang::Expr::EvalResult result;
  if (!expression.EvaluateAsRValue(result, context) || result.HasSideEffects) return std::nullopt;
  if (result.Val.isInt()) {
    if (type->isBooleanType()) return result.Val.getInt() != 0;
    const auto number = result.Val.getInt().tryExtValue();
    return number ? std::optional<Constant>(static_cast<long long>(*number)) : std::nullopt;
  }
  if (!result.Val.isFloat()) return std::nullopt;
  // The shortest number that means the same in its own precision: 0.85f is 0.85.
  auto real = result.Val.getFloat();
  if (&real.getSemantics() == &llvm::APFloat::IEEEsingle())
    return std::stod(fmt::format("{}", real.convertToFloat()));
  bool loses = false;
  real.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses);
  return real.convertToDouble();
}

class Expressions {
 public:
  explicit Expressions(const SourceReader& source) : source_(source) {}

  Expression convert(const clang::Expr* given, int depth = 0) const {
    const auto* bare = strip(given);
    Expression result{.range = source_.range(given->getSourceRange())};
    if (depth > kDeepest) return result;
    result.text = source_.spelled(*bare);
    shape(*bare, depth, result);
    if (result.kind != Kind::kAnd && result.kind != Kind::kOr && result.kind != Kind::kList) {
      // A float that becomes a double keeps the digits it is spelled with.
      const bool is_widened = !bare->getType().isNull() && bare->getType()->isRealFloatingType() &&
                              given->getType()->isRealFloatingType();
      result.value = constant(is_widened ? *bare : *given, source_.context());
    }
    const bool is_number = isa<clang::IntegerLiteral, clang::FloatingLiteral,
                               clang::CXXBoolLiteralExpr>(bare);
    if (is_number) result.kind = Kind::kNumber;
    if (isa<clang::StringLiteral>(bare)) result.kind = Kind::kText;
    return result;
  }

  /// A condition or value: read from its text where Clang has given it up.
  Expression convert_whole(const clang::Expr* given) const {
    auto result = convert(given);
    if (!given->containsErrors() || result.range.empty()) return result;
    auto read = read_expression(result.range.of(source_.text()), result.range.begin);
    return read.kind == Kind::kOpaque ? result : read;
  }

 private:
  static const clang::Expr* strip(const clang::Expr* expression) {
    for (;;) {
      const auto* next = expression->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
      if (const auto* construct = dyn_cast<clang::CXXConstructExpr>(next);
          construct != nullptr && construct->getNumArgs() == 1 &&
          !construct->isListInitialization()) {
        next = construct->getArg(0);
      } else if (const auto* unresolved = dyn_cast<clang::CXXUnresolvedConstructExpr>(next);
                 unresolved != nullptr && unresolved->getNumArgs() == 1) {
        next = unresolved->getArg(0);
      }
      if (next == expression) return expression;
      expression = next;
    }
  }

  void parts_of(const clang::Stmt& statement, int depth, Expression& result) const {
    for (const auto* child : statement.children()) {
      if (const auto* part = dyn_cast_or_null<clang::Expr>(child))
        result.parts.push_back(convert(part, depth + 1));
    }
  }

  void binary(llvm::StringRef op, const clang::Expr* left, const clang::Expr* right, int depth,
              Expression& result) const {
    result.name = op.str();
    if (op == "&&")
      result.kind = Kind::kAnd;
    else if (op == "||")
      result.kind = Kind::kOr;
    else if (op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=")
      result.kind = Kind::kCompare;
    else
      result.kind = Kind::kArithmetic;
    // `check(a) << "text" << b`: a stream, of which each part is looked at.
    result.parts = {convert(left, depth + 1), convert(right, depth + 1)};
  }

  void shape(const clang::Expr& expression, int depth, Expression& result) const {
    if (const auto* op = dyn_cast<clang::BinaryOperator>(&expression)) {
      return binary(op->getOpcodeStr(), op->getLHS(), op->getRHS(), depth, result);
    }
    if (const auto* rewritten = dyn_cast<clang::CXXRewrittenBinaryOperator>(&expression)) {
      const auto form = rewritten->getDecomposedForm();
      return binary(clang::BinaryOperator::getOpcodeStr(form.Opcode), form.LHS, form.RHS, depth,
                    result);
    }
    if (const auto* op = dyn_cast<clang::UnaryOperator>(&expression);
        op != nullptr && op->getOpcode() == clang::UO_LNot) {
      result.kind = Kind::kNot;
      result.parts = {convert(op->getSubExpr(), depth + 1)};
      return;
    }
    if (const auto* choice = dyn_cast<clang::ConditionalOperator>(&expression)) {
      result.kind = Kind::kConditional;
      result.parts = {convert(choice->getCond(), depth + 1),
                      convert(choice->getTrueExpr(), depth + 1),
                      convert(choice->getFalseExpr(), depth + 1)};
      return;
    }
    if (const auto* call = dyn_cast<clang::CXXOperatorCallExpr>(&expression)) {
      if (call->isInfixBinaryOp())
        return binary(clang::getOperatorSpelling(call->getOperator()), call->getArg(0),
                      call->getArg(1), depth, result);
      if (call->getOperator() == clang::OO_Exclaim) {
        result.kind = Kind::kNot;
        result.parts = {convert(call->getArg(0), depth + 1)};
        return;
      }
    }
    if (const auto* call = dyn_cast<clang::CallExpr>(&expression)) {
      if (call->getBuiltinCallee() == clang::Builtin::BI__builtin_expect &&
          call->getNumArgs() == 2) {
        auto condition = convert(call->getArg(0), depth + 1);
        result = std::move(condition);
        return;
      }
      result.kind = Kind::kCall;
      result.name = source_.spelled(*call->getCallee());
      for (const auto* argument : call->arguments())
        result.parts.push_back(convert(argument, depth + 1));
      return;
    }
    if (const auto* recovery = dyn_cast<clang::RecoveryExpr>(&expression))
      return recovered(*recovery, depth, result);
    if (isa<clang::InitListExpr, clang::CXXStdInitializerListExpr, clang::CXXConstructExpr,
            clang::ParenListExpr>(expression))
      return list(expression, depth, result);
    if (isa<clang::DeclRefExpr, clang::MemberExpr, clang::CXXDependentScopeMemberExpr,
            clang::DependentScopeDeclRefExpr, clang::UnresolvedLookupExpr,
            clang::UnresolvedMemberExpr>(expression)) {
      result.kind = Kind::kName;
      if (const auto* reference = dyn_cast<clang::DeclRefExpr>(&expression))
        result.origin = origin_of(*reference);
      return;
    }
    if (isa<clang::LambdaExpr>(expression)) return;
    parts_of(expression, depth, result);
  }

  /// An unknown macro or function, `TORCH_CHECK(sm == 100, "...")`: its name and what is passed.
  void recovered(const clang::RecoveryExpr& recovery, int depth, Expression& result) const {
    parts_of(recovery, depth, result);
    if (result.parts.size() == 1 && result.parts[0].kind == Kind::kList) {
      auto only = std::move(result.parts[0]);
      result = std::move(only);
      return;
    }
    const auto open = result.text.find('(');
    const auto name = std::string_view(result.text).substr(0, open);
    const bool is_word = !name.empty() && std::ranges::all_of(name, [](char c) {
      return clang::isAsciiIdentifierContinue(c) || c == ':';
    });
    if (open == std::string::npos) {
      if (is_word) result.kind = Kind::kName;
      return;
    }
    auto read = read_expression(result.range.of(source_.text()), result.range.begin);
    if ((result.parts.empty() || !is_word) && read.kind != Kind::kOpaque) {
      result = std::move(read);
    } else if (is_word) {
      result.kind = Kind::kCall;
      result.name = name;
      std::erase_if(result.parts, [&](const auto& part) { return part.text == name; });
    }
  }

  void list(const clang::Expr& expression, int depth, Expression& result) const {
    result.kind = Kind::kList;
    const auto* given = &expression;
    if (const auto* initialiser = dyn_cast<clang::InitListExpr>(given);
        initialiser != nullptr && initialiser->isSemanticForm() &&
        initialiser->getSyntacticForm() != nullptr) {
      given = initialiser->getSyntacticForm();
    }
    parts_of(*given, depth, result);
    // std::vector<T>{...} holds one list.
    while (result.parts.size() == 1 && result.parts[0].kind == Kind::kList) {
      auto inner = std::move(result.parts[0].parts);
      result.parts = std::move(inner);
    }
  }

  /// What a variable that is not a parameter was initialised with, as spelled.
  [[nodiscard]] std::string origin_of(const clang::DeclRefExpr& reference) const {
    const clang::ValueDecl* declared = reference.getDecl();
    // auto [major, minor] = ...
    if (const auto* binding = dyn_cast<clang::BindingDecl>(declared))
      declared = binding->getDecomposedDecl();
    const auto* variable = dyn_cast_or_null<clang::VarDecl>(declared);
    if (variable == nullptr || isa<clang::ParmVarDecl>(variable) || !variable->hasInit()) return {};
    const auto text = source_.spelled(*variable->getInit()->IgnoreParenImpCasts());
    return text.size() < 200 ? text : std::string();
  }

  const SourceReader& source_;
};

class Statements {
 public:
  Statements(const SourceReader& source, const Expressions& expressions)
      : source_(source), expressions_(expressions) {}

  Statement convert(const clang::Stmt* given) const {
    using K = Statement::Kind;
    Statement result{.range = source_.range(given->getSourceRange()),
                     .macro = source_.macro(given->getBeginLoc())};
    if (const auto* block = dyn_cast<clang::CompoundStmt>(given)) {
      result.kind = K::kBlock;
      add_block(*block, result);
    } else if (const auto* condition = dyn_cast<clang::IfStmt>(given)) {
      result.kind = K::kIf;
      result.is_constexpr = condition->isConstexpr();
      if (condition->getCond() != nullptr)
        result.expressions.push_back(expressions_.convert_whole(condition->getCond()));
      result.parts.push_back(convert(condition->getThen()));
      if (condition->getElse() != nullptr) result.parts.push_back(convert(condition->getElse()));
    } else if (const auto* choice = dyn_cast<clang::SwitchStmt>(given)) {
      result.kind = K::kSwitch;
      result.expressions.push_back(expressions_.convert_whole(choice->getCond()));
      add_cases(choice->getBody(), result);
      // Labels that name what is unknown are dropped: then the text has more of them.
      const auto labels = whole_words(result.range.of(source_.code()), "case").size();
      const auto labels_seen = [](const Statement& one) {
        std::size_t count = 0;
        for (const auto& arm : one.parts) count += arm.expressions.size();
        return count;
      };
      if (result.macro.empty() && labels_seen(result) < labels) {
        if (auto read = read_statements(source_.text(), result.range);
            read.size() == 1 && labels_seen(read[0]) > labels_seen(result))
          result = std::move(read[0]);
      }
    } else if (const auto* back = dyn_cast<clang::ReturnStmt>(given)) {
      result.kind = K::kReturn;
      if (back->getRetValue() != nullptr)
        result.expressions.push_back(expressions_.convert_whole(back->getRetValue()));
    } else if (isa<clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt>(given)) {
      result.kind = K::kLeave;
    } else if (const auto* declarations = dyn_cast<clang::DeclStmt>(given)) {
      return variables(*declarations, std::move(result));
    } else if (const auto* expression = dyn_cast<clang::Expr>(given)) {
      add_expression(*expression, result);
    } else {
      result.kind = K::kLoop;
      for (const auto* child : given->children()) {
        if (const auto* value = dyn_cast_or_null<clang::Expr>(child))
          result.expressions.push_back(expressions_.convert_whole(value));
        else if (child != nullptr)
          result.parts.push_back(convert(child));
      }
    }
    return result;
  }

  [[nodiscard]] Statement variable(const clang::VarDecl& declared) const {
    Statement result{.kind = Statement::Kind::kVariable,
                     .range = source_.range(declared.getSourceRange()),
                     .name = declared.getNameAsString()};
    if (declared.hasInit())
      result.expressions.push_back(expressions_.convert_whole(declared.getInit()));
    else if (auto read = read_statements(source_.text(), result.range); read.size() == 1)
      result.expressions = std::move(read[0].expressions);
    return result;
  }

 private:
  void add_expression(const clang::Expr& expression, Statement& result) const {
    const auto* bare = expression.IgnoreUnlessSpelledInSource();
    if (isa<clang::CXXThrowExpr>(bare)) result.kind = Statement::Kind::kLeave;
    const auto* op = dyn_cast<clang::BinaryOperator>(bare);
    if (op != nullptr && op->getOpcode() == clang::BO_Assign) {
      result.kind = Statement::Kind::kAssign;
      result.name = source_.spelled(*op->getLHS());
      result.expressions.push_back(expressions_.convert_whole(op->getRHS()));
      return;
    }
    auto converted = expressions_.convert(&expression);
    // A call of what is unknown: Clang has kept nothing of the lambda that is passed.
    const bool is_lost = converted.kind == Kind::kOpaque && converted.parts.empty() &&
                         expression.containsErrors() && converted.text.contains('{');
    if (is_lost && result.macro.empty())
      result.parts = read_statements(source_.text(), result.range);
    result.expressions.push_back(std::move(converted));
  }

  Statement variables(const clang::DeclStmt& declarations, Statement result) const {
    for (const auto* declared : declarations.decls()) {
      if (const auto* one = dyn_cast<clang::VarDecl>(declared)) {
        result.parts.push_back(variable(*one));
      } else if (const auto* check = dyn_cast<clang::StaticAssertDecl>(declared)) {
        Expression call{.kind = Kind::kCall,
                        .text = "static_assert",
                        .range = result.range,
                        .name = "static_assert"};
        call.parts.push_back(expressions_.convert(check->getAssertExpr()));
        result.expressions.push_back(std::move(call));
      }
    }
    if (result.parts.size() == 1 && result.expressions.empty()) {
      auto only = std::move(result.parts[0]);
      return only;
    }
    return result;
  }

  /// Clang drops statements that it cannot make sense of; what stands between its own is read from
  /// the text.
  void add_block(const clang::CompoundStmt& block, Statement& result) const {
    const auto braces = source_.range({block.getLBracLoc(), block.getRBracLoc()});
    auto at = braces.begin + 1;
    const bool in_file = result.macro.empty() && braces.size() >= 2;
    for (const auto* child : block.body()) {
      auto part = convert(child);
      if (in_file && part.range.begin > at) add_lost({at, part.range.begin}, result);
      at = std::max(at, part.range.end);
      result.parts.push_back(std::move(part));
    }
    if (in_file && braces.end - 1 > at) add_lost({at, braces.end - 1}, result);
  }

  void add_lost(ByteRange gap, Statement& result) const {
    const auto first = gap.of(source_.code()).find_first_not_of("; \t\r\n");
    if (first == std::string_view::npos) return;
    gap.begin += first;
    for (auto& statement : read_statements(source_.text(), gap))
      result.parts.push_back(std::move(statement));
  }

  void add_cases(const clang::Stmt* body, Statement& result) const {
    const auto* block = dyn_cast_or_null<clang::CompoundStmt>(body);
    if (block == nullptr) return;
    auto at = std::string::npos;  // where the statement before ends
    for (const auto* child : block->body()) {
      const auto range = source_.range(child->getSourceRange());
      if (at != std::string::npos && range.begin > at && result.macro.empty() &&
          whole_words(ByteRange{at, range.begin}.of(source_.code()), "case").empty()) {
        add_lost({at, range.begin}, result.parts.back());
      }
      at = range.end;
      const auto* labelled = dyn_cast<clang::SwitchCase>(child);
      if (labelled == nullptr) {
        if (result.parts.empty()) {
          at = std::string::npos;
        } else {
          result.parts.back().parts.push_back(convert(child));
          result.parts.back().range.end = result.parts.back().parts.back().range.end;
        }
        continue;
      }
      Statement arm{.kind = Statement::Kind::kCase,
                    .range = source_.range(child->getSourceRange())};
      const clang::Stmt* inner = child;
      bool has_default = false;
      while (const auto* one = dyn_cast_or_null<clang::SwitchCase>(inner)) {
        if (const auto* label = dyn_cast<clang::CaseStmt>(one))
          arm.expressions.push_back(expressions_.convert_whole(label->getLHS()));
        else
          has_default = true;
        inner = one->getSubStmt();
      }
      if (has_default) arm.expressions.clear();
      if (inner != nullptr) arm.parts.push_back(convert(inner));
      result.parts.push_back(std::move(arm));
    }
  }

  const SourceReader& source_;
  const Expressions& expressions_;
};

class Visitor : public clang::RecursiveASTVisitor<Visitor> {
 public:
  Visitor(clang::ASTContext& context, const std::vector<ByteRange>& skipped, Facts& facts)
      : source_(context, skipped),
        expressions_(source_),
        statements_(source_, expressions_),
        facts_(facts) {}

  // NOLINTBEGIN(readability-identifier-naming): Clang's names.
  bool TraverseDecl(clang::Decl* declared) {
    if (declared != nullptr && !isa<clang::TranslationUnitDecl>(declared) &&
        !source_.in_main_file(declared->getBeginLoc()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(declared);
  }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (function->doesThisDeclarationHaveABody())
      add_function(function->getQualifiedNameAsString(), function->getSourceRange(),
                   function->getBody());
    return true;
  }

  bool VisitLambdaExpr(clang::LambdaExpr* lambda) {
    add_function("", lambda->getSourceRange(), lambda->getBody());
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) {
    const bool is_outside = variable->getParentFunctionOrMethod() == nullptr &&
                            !isa<clang::ParmVarDecl>(variable);
    if (is_outside) facts_.loose.push_back(statements_.variable(*variable));
    if (variable->hasInit())
      add_initialiser(*variable, variable->getInit(), variable->getType());
    else if (is_outside && !facts_.loose.back().expressions.empty())
      add_rows(*variable, facts_.loose.back().expressions[0], variable->getType());
    return true;
  }

  bool VisitFieldDecl(clang::FieldDecl* field) {
    if (field->hasInClassInitializer() && field->getInClassInitializer() != nullptr) {
      add_initialiser(*field, field->getInClassInitializer(), field->getType());
      Statement loose{.kind = Statement::Kind::kVariable,
                      .range = source_.range(field->getSourceRange()),
                      .name = field->getNameAsString()};
      loose.expressions.push_back(expressions_.convert_whole(field->getInClassInitializer()));
      facts_.loose.push_back(std::move(loose));
    }
    return true;
  }

  bool VisitStaticAssertDecl(clang::StaticAssertDecl* check) {
    if (check->getDeclContext()->isFunctionOrMethod()) return true;
    Statement loose{.range = source_.range(check->getSourceRange())};
    Expression call{.kind = Kind::kCall,
                    .text = "static_assert",
                    .range = loose.range,
                    .name = "static_assert"};
    call.parts.push_back(expressions_.convert(check->getAssertExpr()));
    loose.expressions.push_back(std::move(call));
    facts_.loose.push_back(std::move(loose));
    return true;
  }

  // NOLINTEND(readability-identifier-naming)

 private:
  void add_function(std::string name, clang::SourceRange range, const clang::Stmt* body) {
    if (body == nullptr) return;
    Function function{
        .name = std::move(name), .range = source_.range(range), .body = statements_.convert(body)};
    if (!function.range.empty()) facts_.functions.push_back(std::move(function));
  }

  void add_initialiser(const clang::ValueDecl& declared, const clang::Expr* given,
                       clang::QualType type) {
    add_rows(declared, expressions_.convert(given), type);
  }

  void add_rows(const clang::ValueDecl& declared, Expression list, clang::QualType type) {
    if (list.kind != Kind::kList || list.parts.size() < 2) return;
    Initialiser result{.name = declared.getNameAsString(),
                       .type = type.getAsString(),
                       .range = source_.range(declared.getSourceRange()),
                       .rows = std::move(list.parts)};
    const auto code = result.range.of(source_.text());
    const auto open = code.find('['),
               close = code.find(']', open == std::string_view::npos ? 0 : open);
    if (open != std::string_view::npos && close != std::string_view::npos && open < code.find('='))
      result.size = fold_space(code.substr(open + 1, close - open - 1));
    facts_.initialisers.push_back(std::move(result));
  }

  SourceReader source_;
  Expressions expressions_;
  Statements statements_;
  Facts& facts_;
};

}  // namespace

void collect_facts(clang::ASTContext& context, const std::vector<ByteRange>& skipped,
                   Facts& facts) {
  Visitor visitor(context, skipped, facts);
  visitor.TraverseDecl(context.getTranslationUnitDecl());
  // A lambda has the name of what it stands in.
  for (auto& function : facts.functions) {
    if (!function.name.empty()) continue;
    const Function* best = nullptr;
    for (const auto& other : facts.functions) {
      if (!other.name.empty() && other.range.contains(function.range) &&
          (best == nullptr || best->range.contains(other.range)))
        best = &other;
    }
    if (best != nullptr) function.name = best->name;
  }
}

}  // namespace portpatch::matchers
