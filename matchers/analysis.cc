#include "analysis.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "compile_commands.h"
#include "directives.h"
#include "forms/form.h"
#include "frontend/parse.h"
#include "function_heads.h"
#include "include_roots.h"
#include "macro_values.h"
#include "merge.h"

namespace portpatch::matchers {
namespace {

constexpr std::size_t kBranchPasses = 3, kIncludeRounds = 3;

bool asks_device_macro(const std::string& text, const Facts& facts) {
  if (text.contains("CUDA_ARCH") || text.contains("COMPUTE_CAPABILITY")) return true;
  return std::ranges::any_of(facts.macros, [&](const auto& macro) {
    return macro.second.contains("CUDA_ARCH") && text.contains(macro.first);
  });
}

class Analysis {
 public:
  Analysis(const std::string& path, const std::string& text, const AnalysisOptions& options)
      : text_(text), code_(blank_comments(text)), options_(options) {
    report_.path = path;
    request_ = {.path = path,
                .text = text,
                .arguments = options.arguments,
                .matcher = options.matcher,
                .is_hermetic = options.cuda_path.empty(),
                .looked_at = &report_.looked_at};
    if (!options.cuda_path.empty())
      request_.arguments.push_back("--cuda-path=" + options.cuda_path);
    if (!options.build.empty()) {
      auto command = compile_command(options.build, path, report_.looked_at);
      request_.arguments.insert(request_.arguments.end(), command.arguments.begin(),
                                command.arguments.end());
      report_.architectures = std::move(command.architectures);
    }
  }

  FileReport run() && {
    if (!parse_plain()) return std::move(report_);
    recover_functions(text_);
    take_other_branches();
    answer_all();
    return std::move(report_);
  }

 private:
  struct Parsed {
    Facts facts;
    bool is_for_cc = false;
  };

  ParseResult run_parse(const std::string& text, const std::vector<std::string>& more = {}) {
    auto request = request_;
    request.text = text;
    request.arguments.insert(request.arguments.end(), more.begin(), more.end());
    request_.matcher.clear();  // the file as it stands, once
    ++report_.parses;
    return parse(request);
  }

  bool parse_plain() {
    auto matcher = request_.matcher;
    auto result = run_parse(text_);
    for (std::size_t round = 0; round < kIncludeRounds && result.failure.empty(); ++round) {
      const auto before = request_.arguments.size();
      for (const auto& root :
           include_roots(report_.path, result.facts.missing_includes, report_.looked_at)) {
        if (std::ranges::find(request_.arguments, "-I" + root) == request_.arguments.end())
          request_.arguments.push_back("-I" + root);
      }
      if (request_.arguments.size() == before) break;
      request_.matcher = matcher;
      auto again = run_parse(text_);
      if (!again.failure.empty()) {
        request_.arguments.resize(before);  // what the headers bring makes Clang fail: without them
        break;
      }
      result = std::move(again);
    }
    report_.failure = result.failure;
    report_.unresolved = result.facts.unresolved;
    if (!result.failure.empty()) return false;
    take(std::move(result));
    return true;
  }

  /// Finds the places of one parse and keeps its facts.
  void take(ParseResult result) {
    bind_macros(result.facts);
    unseen_ = is_first_ ? result.skipped : both_skipped(unseen_, result.skipped);
    is_first_ = false;
    for (const auto& match : result.matches) {
      if (match.binding != "root") continue;
      found_.push_back({{.form = "matcher", .function = {}, .range = match.range}, parsed_.size()});
    }
    parsed_.push_back({std::move(result.facts)});
    merge_places(found_, find_places({parsed_.back().facts, text_}), parsed_.size() - 1);
  }

  static std::vector<ByteRange> both_skipped(const std::vector<ByteRange>& one,
                                             const std::vector<ByteRange>& other) {
    std::vector<ByteRange> both;
    for (const auto& mine : one) {
      for (const auto& theirs : other) {
        if (mine.overlaps(theirs))
          both.push_back({std::max(mine.begin, theirs.begin), std::min(mine.end, theirs.end)});
      }
    }
    return both;
  }

  /// Functions whose heads Clang could not read: their bodies, under a head of ours.
  void recover_functions(const std::string& text) {
    const auto heads = unread_heads(text);
    if (!heads) return;
    auto result = run_parse(heads->text, heads->arguments);
    if (!result.failure.empty()) return;
    for (auto& function : result.facts.functions) {
      if (const auto* name = original_name(*heads, function.name)) function.name = *name;
    }
    take(std::move(result));
  }

  [[nodiscard]] std::optional<ReplacedHeads> unread_heads(const std::string& text) const {
    std::vector<ByteRange> read;
    for (const auto& parsed : parsed_) {
      for (const auto& function : parsed.facts.functions) read.push_back(function.range);
    }
    return replace_heads(text, read, [&](ByteRange body) { return mentions_cc(body.of(code_)); });
  }

  void take_other_branches() {
    for (std::size_t choice = 0; choice < kBranchPasses; ++choice) {
      const bool is_needed = std::ranges::any_of(
          unseen_, [&](ByteRange range) { return mentions_cc(range.of(code_)); });
      if (!is_needed) return;
      const auto text = take_branches(text_, choice);
      auto result = run_parse(text);
      if (!result.failure.empty()) continue;
      take(std::move(result));
      recover_functions(text);
    }
  }

  void answer_all() {
    std::ranges::stable_sort(found_, {}, [](const SeenPlace& one) {
      return std::tuple(one.place.range.begin, one.place.range.end, one.place.form);
    });
    for (auto& [place, parse] : found_) {
      const auto reader = reader_at({parsed_[parse].facts, text_}, place.range);
      for (const auto cc : options_.capabilities)
        place.answers.push_back(answer(place, cc, reader));
    }
    const bool is_per_cc = asks_device_macro(text_, parsed_[0].facts);
    for (std::size_t i = 0; is_per_cc && i < options_.capabilities.size(); ++i) ask_for(i);
    for (auto& [place, parse] : found_) report_.places.push_back(std::move(place));
  }

  /// The file as it is compiled for one cc: values, and conditions that are constant there.
  void ask_for(std::size_t which) {
    const auto cc = options_.capabilities[which];
    auto result = run_parse(text_,
                            {fmt::format("-D__CUDA_ARCH__={}", number_of(cc, CcUnit::kHundreds))});
    if (!result.failure.empty()) return;
    bind_macros(result.facts);
    const FormInput input{result.facts, text_, true};
    for (const auto& seen : find_places(input)) {
      const auto mine = std::ranges::find_if(
          found_, [&](const auto& one) { return is_same_place(one.place, seen); });
      if (mine == found_.end() || mine->place.arms.size() != seen.arms.size()) continue;
      auto now = answer(seen, cc, reader_at(input, seen.range));
      if (now.taken == ArmTaken::kUnknown) continue;
      mine->place.answers[which] = std::move(now);
    }
  }

  const std::string& text_;
  std::string code_;
  const AnalysisOptions& options_;
  ParseRequest request_;
  FileReport report_;
  std::vector<Parsed> parsed_;
  std::vector<SeenPlace> found_;
  std::vector<ByteRange> unseen_;
  bool is_first_ = true;
};

}  // namespace

FileReport analyse(const std::string& path, const std::string& text,
                   const AnalysisOptions& options) {
  return Analysis(path, text, options).run();
}

}  // namespace portpatch::matchers
