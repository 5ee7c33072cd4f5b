#include "pack/directives.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "base/files.h"
#include "syntax/cc.h"
#include "syntax/fragment.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

constexpr DirectiveInfo kTable[] = {
#define PORTPATCH_DIRECTIVE(id, name, arguments, summary) {DirectiveKind::id, name, arguments, summary},
    PORTPATCH_DIRECTIVES(PORTPATCH_DIRECTIVE)
#undef PORTPATCH_DIRECTIVE
};

void collect_captures(const std::vector<QueryItem>& items, std::vector<std::string>& out) {
  for (const auto& item : items) {
    if (item.is_predicate()) continue;
    if (item.kind == QueryItem::Kind::kCapture) out.push_back(item.text);
    collect_captures(item.items, out);
  }
}

/// Builds diagnostics that point into the rule's file.
struct Reporter {
  const std::string& path;
  std::string_view text;

  std::unexpected<Diagnostic> fail(std::string code, std::string message, ByteRange place,
                                   std::string remedy) const {
    return std::unexpected(Diagnostic{.code = std::move(code),
                                      .message = std::move(message),
                                      .place = place_of(path, text, place),
                                      .remedy = std::move(remedy)});
  }
};

/// The file RULE.NAME.* beside the rule RULE.scm; there must be exactly one.
Result<std::string> read_side_file(const std::string& rule_path, std::string_view name) {
  const std::filesystem::path rule(rule_path);
  const auto prefix = fmt::format("{}.{}.", rule.stem().string(), name);
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(rule.parent_path(), error)) {
    const auto file = entry.path().filename().string();
    if (file.starts_with(prefix) && !file.substr(prefix.size()).contains('.')) found.push_back(entry.path());
  }
  if (name.empty() || name.contains('/') || found.size() != 1) {
    return failure("no-side-file",
                   fmt::format("{} file {}* stands beside the rule", found.size() > 1 ? "more than one" : "no", prefix),
                   fmt::format("put the code into {}py (or the language's own ending)", prefix));
  }
  return read_file(found[0]);
}

/// What kind of code an argument of this word must be, in the words of Fragment::parse.
std::string_view fragment_kind(std::string_view word) {
  return word == "STATEMENT" ? "statement" : word == "TEXT" ? "any" : "expression";
}

std::optional<std::string> wrong_code(const Language& language, std::string_view word,
                                      const std::string& text) {
  if (word == "PART" || word == "NAME") return std::nullopt;
  if ((word == "KEY" || word == "ELEMENT") && parse_cc(text)) return std::nullopt;
  if ((word == "KEY" || word == "ELEMENT") && text.starts_with("cc:")) {
    return "a cc is written as cc:MAJOR.MINOR, such as cc:12.0 or cc:12.0a";
  }
  const auto kind = fragment_kind(word);
  const auto expanded = expand_captures(text, [](std::string_view) { return "portpatch_capture"; });
  const auto fragment = kind == "any" ? Fragment::parse_any(language, *expanded)
                                      : Fragment::parse(language, kind, *expanded);
  if (fragment || kind != "expression") return fragment ? std::nullopt : std::optional(fragment.error().message);
  // An element may be an argument (`*rest`); a key may be a word that is only code as a key.
  if (Fragment::parse(language, "argument", *expanded)) return std::nullopt;
  const auto is_key = [&](const auto& row) {
    return Fragment::parse(language, "entry", fill_template(row.second, "_", *expanded, "0")).has_value();
  };
  if (word == "KEY" && std::ranges::any_of(language.entry_templates(), is_key)) return std::nullopt;
  return fragment.error().message;
}

std::vector<std::string_view> words_of(std::string_view arguments, std::size_t given) {
  auto words = split(arguments, ' ');
  const auto is_optional = [](std::string_view word) { return word.starts_with('['); };
  if (words.size() > given) std::erase_if(words, is_optional);
  for (auto& word : words) {
    if (is_optional(word)) word = word.substr(1, word.size() - 2);
  }
  return words;
}

}  // namespace

std::span<const DirectiveInfo> directive_table() { return kTable; }

std::vector<std::string> captures_of(const PatternText& pattern) {
  std::vector<std::string> captures;
  collect_captures(pattern.items, captures);
  std::ranges::sort(captures);
  captures.erase(std::ranges::unique(captures).begin(), captures.end());
  return captures;
}

std::expected<std::string, std::string> expand_captures(
    std::string_view text, const std::function<std::optional<std::string>(std::string_view)>& value_of) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto close = text.substr(at).starts_with("${") ? text.find('}', at) : std::string_view::npos;
    const auto name = close == std::string_view::npos ? "" : text.substr(at + 2, close - at - 2);
    const bool is_name = !name.empty() && std::ranges::all_of(name, [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
    });
    if (!is_name) {
      out += text[at++];
      continue;
    }
    const auto value = value_of(name);
    if (!value) return std::unexpected(std::string(name));
    out += *value;
    at = close + 1;
  }
  return out;
}

Result<Directive> read_directive(const Language& language, const PatternText& pattern,
                                 const Predicate& predicate, const std::string& path,
                                 std::string_view text) {
  const Reporter report{path, text};
  const auto* info = std::ranges::find(kTable, predicate.name, &DirectiveInfo::name);
  if (info == std::end(kTable)) {
    std::vector<std::string> names{"held!"};
    for (const auto& row : kTable) names.emplace_back(row.name);
    const auto near = nearest(predicate.name, names);
    return report.fail("unknown-directive", fmt::format("unknown directive `#{}`", predicate.name),
                       predicate.name_place,
                       near ? fmt::format("did you mean `#{}`?", *near)
                            : fmt::format("directives are: {}", join(names, ", ")));
  }
  const auto words = words_of(info->arguments, predicate.arguments.size());
  const auto usage = fmt::format("(#{} {}): {}", info->name, info->arguments, info->summary);
  if (words.size() != predicate.arguments.size()) {
    return report.fail("wrong-arguments",
                       fmt::format("`#{}` takes {} arguments, not {}", info->name, words.size(),
                                   predicate.arguments.size()),
                       predicate.place, usage);
  }
  Directive directive{.info = info, .capture = {}, .texts = {}, .place = predicate.place};
  const auto captures = captures_of(pattern);
  const auto is_bound = [&](std::string_view name) { return std::ranges::find(captures, name) != captures.end(); };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& argument = predicate.arguments[i];
    if (argument.is_capture != (words[i][0] == '@')) {
      return report.fail("wrong-arguments",
                         fmt::format("argument {} of `#{}` must be {}", i + 1, info->name,
                                     argument.is_capture ? "a string" : "a capture"),
                         argument.place, usage);
    }
    if (argument.is_capture) {
      if (!is_bound(argument.text)) {
        return report.fail("unknown-capture", fmt::format("the pattern defines no capture `@{}`", argument.text),
                           argument.place, fmt::format("it defines @{}", join(captures, ", @")));
      }
      directive.capture = argument.text;
      continue;
    }
    auto code = argument.text;
    if (code.starts_with("file:")) {
      auto content = read_side_file(path, code.substr(5));
      if (!content) return report.fail(content.error().code, content.error().message, argument.place, content.error().remedy);
      code = std::move(*content);
    }
    if (auto expanded = expand_captures(code, [&](std::string_view name) {
          return is_bound(name) ? std::optional<std::string>(name) : std::nullopt;
        }); !expanded && words[i] == "TEXT") {
      return report.fail("unknown-capture", fmt::format("the pattern defines no capture `@{}` for ${{{}}}", expanded.error(), expanded.error()),
                         argument.place, fmt::format("it defines @{}", join(captures, ", @")));
    }
    if (const auto wrong = wrong_code(language, words[i], code)) {
      return report.fail("bad-code", *wrong, argument.place,
                         fmt::format("{} is {} code, written as it would stand in the file", words[i], language.title()));
    }
    directive.texts.push_back(std::move(code));
  }
  return directive;
}

}  // namespace portpatch
