#include "repo/git_config.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"

namespace portpatch {
namespace {

struct Section {
  std::string name;
  std::string subsection;
  auto operator<=>(const Section&) const = default;
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// The section of a header's text between the brackets: `branch "x"`, or the old `branch.x`.
Section parse_header(std::string_view header) {
  const auto quote = header.find('"');
  if (quote == std::string_view::npos) {
    const auto dot = std::min(header.find('.'), header.size());
    return {.name = lower(trim(header.substr(0, dot))),
            .subsection = dot < header.size() ? lower(trim(header.substr(dot + 1))) : ""};
  }
  Section section{.name = lower(trim(header.substr(0, quote))), .subsection = ""};
  for (auto i = quote + 1; i < header.size() && header[i] != '"'; ++i) {
    if (header[i] == '\\' && i + 1 < header.size()) ++i;
    section.subsection += header[i];
  }
  return section;
}

/// The end of a header that begins at `line[0] == '['`: its `]` outside quotes.
std::size_t header_end(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ']' && !quoted)
      return i;
  }
  return line.size();
}

char escaped(char c) { return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'b' ? '\b' : c; }

/// The value that begins at `at`, which is moved behind its line. Quotes, escapes, comments and
/// lines continued by a backslash are read as git does.
std::string parse_value(std::string_view text, std::size_t& at) {
  std::string value;
  std::size_t kept = 0;  // trailing blanks outside quotes do not count
  bool quoted = false;
  for (; at < text.size() && text[at] != '\n'; ++at) {
    const char c = text[at];
    if (c == '"') {
      quoted = !quoted;
    } else if (c == '\\' && at + 1 < text.size()) {
      if (text.substr(at + 1).starts_with("\r\n")) ++at;
      if (text[++at] != '\n') value += escaped(text[at]);
      kept = value.size();
    } else if ((c == '#' || c == ';') && !quoted) {
      at = std::min(text.find('\n', at), text.size());
      break;
    } else if (quoted || !std::isspace(static_cast<unsigned char>(c))) {
      value += c;
      kept = value.size();
    } else if (!value.empty()) {
      value += c;
    }
  }
  value.resize(kept);
  return value;
}

}  // namespace

std::optional<std::string> config_value(std::string_view text, std::string_view section,
                                        std::string_view subsection, std::string_view key) {
  const Section wanted{.name = std::string(section), .subsection = std::string(subsection)};
  Section current;
  std::optional<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      ++at;
      continue;
    }
    const auto line = line_at(text, at).substr(at - line_begin(text, at));
    if (line.starts_with('[')) {
      const auto end = header_end(line);
      current = parse_header(line.substr(1, std::max<std::size_t>(end, 1) - 1));
      at += std::min(end + 1, line.size());
      continue;
    }
    const auto name_end = std::min(line.find_first_of("=#;"), line.size());
    const bool has_value = name_end < line.size() && line[name_end] == '=';
    at += name_end + (has_value ? 1 : 0);
    auto value = parse_value(text, at);
    if (current == wanted && lower(trim(line.substr(0, name_end))) == key) {
      result = has_value ? std::move(value) : "true";
    }
  }
  return result;
}

Result<void> check_repository_format(const std::string& common_dir) {
  const auto read = read_file_if_there(common_dir + "/config");
  if (!read) return std::unexpected(read.error());
  // A repository without this file is one of format 0.
  if (!*read) return {};
  const auto& config = *read;
  const auto hash = config_value(*config, "extensions", "", "objectformat");
  if (hash && lower(*hash) != "sha1") {
    return failure("sha256-repository",
                   fmt::format("{} names its objects by {}", common_dir, *hash),
                   "portpatch reads SHA-1 repositories only; use it on a SHA-1 clone, or on a "
                   "plain copy of the folder");
  }
  const auto refs = config_value(*config, "extensions", "", "refstorage");
  if (refs && lower(*refs) != "files") {
    return failure("reftable-repository", fmt::format("{} keeps its refs as {}", common_dir, *refs),
                   "convert it by `git refs migrate --ref-format=files`");
  }
  return {};
}

}  // namespace portpatch
