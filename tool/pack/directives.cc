#include "pack/directives.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "base/files.h"
#include "pack/pack_files.h"
#include "syntax/cc.h"
#include "syntax/checks.h"
#include "syntax/definitions.h"
#include "syntax/fragment.h"
#include "syntax/imports.h"
#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

constexpr DirectiveInfo kTable[] = {
#define PORTPATCH_DIRECTIVE(id, name, arguments, summary) \
  {DirectiveKind::id, name, arguments, summary},
    PORTPATCH_DIRECTIVES(PORTPATCH_DIRECTIVE)
#undef PORTPATCH_DIRECTIVE
};

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
Result<std::string> read_side_file(const std::string& rule_path, std::string_view name,
                                   std::string_view ending) {
  const bool is_name = !name.empty() && std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  });
  if (!is_name) {
    return failure("no-side-file", fmt::format("`file:{}` names no file beside the rule", name),
                   fmt::format("NAME in \"file:NAME\" is made of letters, digits, - and _, and "
                               "means the file RULE.NAME.{}",
                               ending));
  }
  const std::filesystem::path rule(rule_path);
  const auto folder = rule.parent_path().string(),
             prefix = fmt::format("{}.{}.", rule.stem().string(), name);
  auto found = side_files(folder, rule.stem().string());
  if (!found) return std::unexpected(found.error());
  std::erase_if(*found, [&](const std::string& file) { return !file.starts_with(prefix); });
  if (found->size() == 1) return read_file(folder + "/" + found->front());
  return failure("no-side-file",
                 found->empty()
                     ? fmt::format("no file {}* stands beside the rule", prefix)
                     : fmt::format("more than one file {}* stands beside the rule", prefix),
                 found->empty() ? fmt::format("put the code into {}{}", prefix, ending)
                                : fmt::format("keep one of {}", join(*found, ", ")));
}

/// What kind of code an argument of this word must be, in the words of Fragment::parse.
std::string_view fragment_kind(std::string_view word) {
  constexpr std::string_view kStatements[] = {"STATEMENT", "CODE", "IMPORT", "DEFINITION", "BODY"};
  return std::ranges::find(kStatements, word) != std::end(kStatements) ? "statement"
         : word == "TEXT" || word == "BASE" || word == "OURS"          ? "any"
                                                                       : "expression";
}

/// What the language's own checks (rules/languages/*/checks.scm) object to in a fragment that its
/// grammar accepts.
std::optional<std::string> objection_to(const Fragment& fragment) {
  std::optional<std::string> found;
  walk(fragment.tree().root(), [&](const Node& node) {
    if (fragment.body().contains(node.range())) {
      run_checks(fragment.tree(), node,
                 [&](const std::string& words) { found = fmt::format("the code has {}", words); });
    }
    return !found;
  });
  return found;
}

/// Is `text` code as the key of an entry of one of the language's containers, in a frame of `kind`?
bool is_key(const Language& language, std::string_view kind, std::string_view text) {
  return std::ranges::any_of(language.entry_templates(), [&](const auto& row) {
    const auto fragment = Fragment::parse(language, kind,
                                          fill_template(row.second, "_", text, "0"));
    return fragment && has_role(fragment->tree(), fragment->nodes()[0], Role::kEntry);
  });
}

std::optional<std::string> wrong_code(const Language& language, std::string_view word,
                                      const std::string& text) {
  if (word == "PART") return std::nullopt;
  if (word == "PLACE") {
    const bool names_one = text.starts_with("before:") || text.starts_with("after:");
    if (names_one) return wrong_code(language, "CONDITION", text.substr(text.find(':') + 1));
    return text == "first" || text == "last"
               ? std::nullopt
               : std::optional(fmt::format("`{}` is no place: it is \"first\", \"last\", "
                                           "\"before:CONDITION\" or \"after:CONDITION\"",
                                           text));
  }
  if (word == "NAME")
    return is_key(language, "argument", text)
               ? std::nullopt
               : std::optional(fmt::format("`{}` is no name of an argument", text));
  if ((word == "KEY" || word == "ELEMENT") && parse_cc(text)) return std::nullopt;
  if ((word == "KEY" || word == "ELEMENT") && text.starts_with("cc:"))
    return fmt::format("`{}` is no compute capability", text);
  // A word such as 12.0a is no code, but may be an element of a delimited string.
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("._+-").contains(c);
  };
  if (word == "ELEMENT" && !text.empty() && std::ranges::all_of(text, is_word)) return std::nullopt;
  if (word == "CODE" && parse_item(language, text)) return std::nullopt;
  if (word == "BASE" ||
      word == "OURS") {  // whole lines, at the indentation that they have in the file
    const auto whole = std::ranges::any_of(
        language.frames("indented"), [&](const FragmentFrame& frame) {
          const auto tree = SourceTree::parse(language, frame.before + text + frame.after);
          return tree && !tree->root().has_error();
        });
    if (whole) return std::nullopt;
  }
  const auto kind = fragment_kind(word);
  const auto expanded = expand_captures(text, [](std::string_view) { return "portpatch_capture"; });
  const auto fragment = kind == "any" ? Fragment::parse_any(language, *expanded)
                                      : Fragment::parse(language, kind, *expanded);
  if (fragment && word == "IMPORT" && !imports_of_text(*fragment))
    return std::string(
        "there is more in it than statements that import, each with no comment but one behind it");
  if (fragment && word == "DEFINITION" && !definition_of_text(*fragment))
    return std::string("it is not one function, class or constant");
  if (fragment) return objection_to(*fragment);
  // A capture of a statement brings its own end along.
  const auto as_statements = expand_captures(text,
                                             [](std::string_view) { return "portpatch_capture;"; });
  if (word == "TEXT" && Fragment::parse(language, "statement", *as_statements)) return std::nullopt;
  // So does one of a definition: `@cached\n${definition}`.
  const auto as_definition = expand_captures(
      text, [&](std::string_view) { return language.definition_stand_in(); });
  if (word == "TEXT" && Fragment::parse(language, "statement", *as_definition)) return std::nullopt;
  // What a conditional expression gives is one.
  if (word == "BODY" && Fragment::parse(language, "expression", *expanded)) return std::nullopt;
  if (kind != "expression") return fragment.error().message;
  // An element may be an argument (`*rest`); a key may be a word that is only code as a key.
  if (Fragment::parse(language, "argument", *expanded)) return std::nullopt;
  if (word == "KEY" && is_key(language, "entry", *expanded)) return std::nullopt;
  // A condition may be one that only the preprocessor reads.
  if ((word == "EXPRESSION" || word == "CONDITION") &&
      Fragment::parse(language, "directive", *expanded))
    return std::nullopt;
  // ... or the pattern of a case.
  if (word == "CONDITION" && Fragment::parse(language, "pattern", *expanded)) return std::nullopt;
  return fragment.error().message;
}

/// "1 argument", "2 or 3 arguments".
std::string count_of_arguments(std::string_view arguments) {
  const auto words = split(arguments, ' ');
  const auto most = words.size();
  const auto least = most - std::ranges::count_if(
                                words, [](std::string_view word) { return word.starts_with('['); });
  if (least < most) return fmt::format("{} or {} arguments", least, most);
  return fmt::format("{} argument{}", most, most == 1 ? "" : "s");
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size()))
    ++count;
  return count;
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

std::expected<std::string, std::string> expand_captures(
    std::string_view text,
    const std::function<std::optional<std::string>(std::string_view)>& value_of) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto close = text.substr(at).starts_with("${") ? text.find('}', at)
                                                         : std::string_view::npos;
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
  const auto usage = fmt::format("(#{} {}) means: {}", info->name, info->arguments, info->summary);
  if (words.size() != predicate.arguments.size()) {
    return report.fail("wrong-arguments",
                       fmt::format("`#{}` takes {}, not {}", info->name,
                                   count_of_arguments(info->arguments), predicate.arguments.size()),
                       predicate.place, usage);
  }
  Directive directive{.info = info, .capture = {}, .texts = {}, .place = predicate.place};
  const auto captures = captures_of(pattern);
  const auto is_bound = [&](std::string_view name) {
    return std::ranges::find(captures, name) != captures.end();
  };
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
        return report.fail("unknown-capture",
                           fmt::format("the pattern defines no capture `@{}`", argument.text),
                           argument.place, fmt::format("it defines @{}", join(captures, ", @")));
      }
      (i == 0 ? directive.capture : directive.neighbour) = argument.text;
      continue;
    }
    auto code = argument.text;
    if (code.starts_with("file:")) {
      auto content = read_side_file(path, code.substr(5), language.file_ending());
      if (!content) {
        return report.fail(content.error().code, content.error().message, argument.place,
                           content.error().remedy);
      }
      code = std::move(*content);
    }
    if (auto expanded = expand_captures(code,
                                        [&](std::string_view name) {
                                          return is_bound(name) ? std::optional<std::string>(name)
                                                                : std::nullopt;
                                        });
        !expanded && words[i] == "TEXT") {
      return report.fail("unknown-capture",
                         fmt::format("the pattern defines no capture `@{}` for ${{{}}}",
                                     expanded.error(), expanded.error()),
                         argument.place, fmt::format("it defines @{}", join(captures, ", @")));
    }
    if (info->kind == DirectiveKind::wrap &&
        count_of(code, fmt::format("${{{}}}", directive.capture)) != 1) {
      return report.fail(
          "bad-code", fmt::format("TEXT does not have the mark ${{{}}} once", directive.capture),
          argument.place,
          fmt::format(
              "put ${{{}}} where the code that is wrapped shall stand, as in \"f(${{{}}})\"",
              directive.capture, directive.capture));
    }
    // Part of a string's content is no code.
    const bool is_part = std::ranges::find(words, "PART") != words.end();
    if (const auto wrong = is_part ? std::nullopt : wrong_code(language, words[i], code)) {
      return report.fail("bad-code", *wrong, argument.place,
                         code.starts_with("cc:")
                             ? "write it as cc:MAJOR.MINOR, such as cc:12.0 or cc:12.0a"
                             : fmt::format("{} is {} code, written as it would stand in the file",
                                           words[i], language.title()));
    }
    directive.texts.push_back(std::move(code));
  }
  return directive;
}

}  // namespace portpatch
