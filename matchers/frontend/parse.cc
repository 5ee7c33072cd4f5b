#include "frontend/parse.h"

#include <algorithm>
#include <new>
#include <set>

#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"
#include "frontend/collect.h"
#include "frontend/matcher.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace portpatch::matchers {
namespace {

constexpr std::size_t kStackBytes = 64UL << 20, kLongestMacro = 8;
constexpr std::string_view kShimFolder = "/portpatch-shim/";

struct ShimFile {
  const char* name;
  const char* text;
};
constexpr ShimFile kShim[] = {
#include "shim_files.inc"
};

/// Counts the names that were not known, and prints nothing.
class NameCounter : public clang::DiagnosticConsumer {
 public:
  explicit NameCounter(std::set<std::string>& names) : names_(names) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override {
    if (level < clang::DiagnosticsEngine::Error) return;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    const llvm::StringRef message(text);
    for (const llvm::StringRef start :
         {"use of undeclared identifier '", "unknown type name '", "no template named '",
          "no type named '", "no member named '", "unknown class name '"}) {
      if (message.starts_with(start))
        names_.insert(message.drop_front(start.size()).split('\'').first.str());
    }
  }

 private:
  std::set<std::string>& names_;
};

class Recorder : public clang::PPCallbacks {
 public:
  Recorder(clang::Preprocessor& preprocessor, ParseResult& result)
      : preprocessor_(preprocessor), result_(result) {}

  bool FileNotFound(llvm::StringRef name) override {
    result_.facts.missing_includes.push_back(name.str());
    return true;
  }

  void MacroDefined(const clang::Token& name, const clang::MacroDirective* directive) override {
    const auto* info = directive->getMacroInfo();
    if (!info->isObjectLike() || info->getNumTokens() == 0 || info->getNumTokens() > kLongestMacro)
      return;
    const auto spelled = name.getIdentifierInfo()->getName();
    std::string body;
    for (const auto& token : info->tokens()) {
      if (!body.empty()) body += ' ';
      body += preprocessor_.getSpelling(token);
    }
    const bool is_ours = !spelled.starts_with("__") || llvm::StringRef(body).contains("ARCH") ||
                         spelled.contains("ARCH");
    if (is_ours) result_.facts.macros.insert_or_assign(spelled.str(), std::move(body));
  }

  void SourceRangeSkipped(clang::SourceRange range, clang::SourceLocation) override {
    auto& sources = preprocessor_.getSourceManager();
    if (!sources.isInMainFile(range.getBegin())) return;
    result_.skipped.push_back(
        {sources.getFileOffset(range.getBegin()), sources.getFileOffset(range.getEnd())});
  }

 private:
  clang::Preprocessor& preprocessor_;
  ParseResult& result_;
};

class FactsConsumer : public clang::ASTConsumer {
 public:
  FactsConsumer(const ParseRequest& request, ParseResult& result)
      : request_(request), result_(result) {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    collect_facts(context, result_.skipped, result_.facts);
    if (!request_.matcher.empty()) run_matcher(context, request_.matcher, result_.matches);
  }

 private:
  const ParseRequest& request_;
  ParseResult& result_;
};

/// The files of the machine, and which of them the compiler asked for: what the driver looks for
/// before, other compilers and toolkits, says nothing of a hermetic parse.
class WatchedFiles : public llvm::vfs::ProxyFileSystem {
 public:
  WatchedFiles() : ProxyFileSystem(llvm::vfs::getRealFileSystem()) {}

  void note_in(LookedAt* looked_at) { looked_at_ = looked_at; }

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    note(path);
    return ProxyFileSystem::status(path);
  }
  bool exists(const llvm::Twine& path) override {
    note(path);
    return ProxyFileSystem::exists(path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(
      const llvm::Twine& path) override {
    note(path);
    return ProxyFileSystem::openFileForRead(path);
  }

 private:
  void note(const llvm::Twine& path) {
    if (looked_at_ != nullptr) looked_at_->insert(path.str());
  }

  LookedAt* looked_at_ = nullptr;
};

class FactsAction : public clang::ASTFrontendAction {
 public:
  FactsAction(const ParseRequest& request, ParseResult& result, WatchedFiles& files)
      : request_(request), result_(result), files_(files) {}

  bool PrepareToExecuteAction(clang::CompilerInstance&) override {
    files_.note_in(request_.looked_at);
    return true;
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    auto& preprocessor = compiler.getPreprocessor();
    preprocessor.SetSuppressIncludeNotFoundError(true);
    compiler.getDiagnostics().setFatalsAsError(true);
    preprocessor.addPPCallbacks(std::make_unique<Recorder>(preprocessor, result_));
    return std::make_unique<FactsConsumer>(request_, result_);
  }

 private:
  const ParseRequest& request_;
  ParseResult& result_;
  WatchedFiles& files_;
};

std::vector<std::string> command_line(const ParseRequest& request) {
  std::vector<std::string> line{"clang",
                                "-fsyntax-only",
                                "-x",
                                "cuda",
                                "--cuda-host-only",
                                "-nocudalib",
                                "-std=c++20",
                                "-ferror-limit=0",
                                "-w",
                                "-fno-spell-checking",
                                "--target=x86_64-linux-gnu"};
  if (request.is_hermetic) {
    for (const char* one : {"-nocudainc", "-nostdinc", "-nostdinc++"}) line.emplace_back(one);
    for (const auto& file : kShim) {
      line.emplace_back("-include");
      line.push_back(std::string(kShimFolder) + file.name);
    }
  }
  line.insert(line.end(), request.arguments.begin(), request.arguments.end());
  line.push_back(request.path);
  return line;
}

void run(const ParseRequest& request, ParseResult& result) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto& file : kShim)
    memory->addFile(std::string(kShimFolder) + file.name, 0,
                    llvm::MemoryBuffer::getMemBuffer(file.text));
  memory->addFile(request.path, 0, llvm::MemoryBuffer::getMemBuffer(request.text));
  auto machine = llvm::makeIntrusiveRefCnt<WatchedFiles>();
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(machine);
  overlay->pushOverlay(memory);
  auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), overlay);
  std::set<std::string> names;
  NameCounter counter(names);
  clang::tooling::ToolInvocation invocation(
      command_line(request), std::make_unique<FactsAction>(request, result, *machine), files.get());
  invocation.setDiagnosticConsumer(&counter);
  invocation.run();
  result.facts.unresolved.assign(names.begin(), names.end());
}

}  // namespace

ParseResult parse(const ParseRequest& request) {
  llvm::CrashRecoveryContext::Enable();
  ParseResult result;
  llvm::CrashRecoveryContext guard;
  const bool is_whole = guard.RunSafelyOnThread([&] { run(request, result); }, kStackBytes);
  if (!is_whole) {
    result = {};
    result.failure = "Clang crashed";
  }
  auto& missing = result.facts.missing_includes;
  std::ranges::sort(missing);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return result;
}

void set_out_of_memory_handler(void (*handler)()) {
  static void (*kept)() = nullptr;
  kept = handler;
  std::set_new_handler(handler);
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { kept(); });
}

std::string clang_version() { return CLANG_VERSION_STRING; }

}  // namespace portpatch::matchers
