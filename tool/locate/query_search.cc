#include "locate/query_search.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/literal_finder.h"
#include "base/parallel.h"
#include "syntax/code_value.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// Could a pattern of the query match in the text? A literal of each group of one of them occurs.
class Prefilter {
 public:
  Prefilter(const Language& language, const QueryText& query) {
    const auto name_in_code = [&](std::string_view code) { return required_name(language, code); };
    for (const auto& pattern : query.patterns) {
      auto& groups = patterns_.emplace_back();
      for (const auto& group : required_literals(pattern, name_in_code))
        groups.emplace_back(group.begin(), group.end());
    }
  }
  [[nodiscard]] bool passes(std::string_view text) const {
    return std::ranges::any_of(patterns_, [&](const auto& groups) {
      return std::ranges::all_of(groups, [&](const auto& group) {
        return std::ranges::any_of(group,
                                   [&](const auto& literal) { return literal.occurs_in(text); });
      });
    });
  }

 private:
  std::vector<std::vector<std::vector<LiteralFinder>>> patterns_;
};

struct Partial {
  std::vector<QueryMatch> matches;
  std::vector<SkippedFile> skipped;
};

QueryMatch to_match(const ParsedFile& file, const SourceTree& tree, const Match& match) {
  QueryMatch shown{
      .path = file.path(), .place = {}, .scope = {}, .pattern = match.pattern, .captures = {}};
  for (const auto& capture : match.captures) {
    shown.captures.push_back({std::string(capture.name), std::string(capture.node.kind()),
                              on_one_line(capture.node.text(tree.text())),
                              line_column(tree.text(), capture.node.range().begin)});
  }
  if (match.captures.empty()) return shown;
  shown.place = shown.captures[0].place;
  shown.scope = scope_path(tree, match.captures[0].node);
  return shown;
}

void search(const CompiledQuery& query, const ParsedFile& file, Partial& partial) {
  std::set<std::vector<ByteRange>> seen;
  for (const auto& reading : file.readings()) {
    const auto matches = query.run(reading.tree, reading.tree.root(), file.path());
    if (!matches) {
      partial.skipped.push_back({file.path(), matches.error().message});
      return;
    }
    for (const auto& match : *matches) {
      std::vector<ByteRange> ranges{{match.pattern, match.pattern}};
      for (const auto& capture : match.captures) ranges.push_back(capture.node.range());
      if (seen.insert(std::move(ranges)).second)
        partial.matches.push_back(to_match(file, reading.tree, match));
    }
  }
}

}  // namespace

Result<std::vector<std::string>> paths_in(const WorkTree& tree, const std::string& in,
                                          const std::vector<std::string>& typed) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  std::error_code error;
  const auto folder = fs::weakly_canonical(in, error);
  for (const auto& path : typed) {
    auto relative = (folder / path)
                        .lexically_normal()
                        .lexically_relative(tree.root)
                        .generic_string();
    if (relative == ".." || relative.starts_with("../")) {
      return failure("outside-tree",
                     fmt::format("{} is not in the tree {}", printable(path), printable(tree.root)),
                     "name files or folders of the tree, relative to -C");
    }
    if (tree.revision.empty() && !fs::exists(folder / path, error)) {
      return failure("no-such-path", fmt::format("{} is not there", printable(path)),
                     "name files or folders of the tree, relative to -C");
    }
    if (relative.ends_with('/')) relative.pop_back();
    paths.push_back(relative == "." ? "" : relative);
  }
  return paths;
}

std::string on_one_line(std::string_view text, std::size_t longest) {
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
    if (line.size() > longest) return printable(line.substr(0, longest)) + " ...";
  }
  return printable(line);
}

bool QueryScope::takes(const std::string& path) const {
  return language->owns(path) && is_under(path, paths);
}

bool is_under(std::string_view path, const std::vector<std::string>& paths) {
  return paths.empty() || std::ranges::any_of(paths, [&](const std::string& under) {
           return under.empty() || under == "." || path == under ||
                  path.starts_with(under.ends_with('/') ? under : under + "/");
         });
}

Result<QueryResult> search_query(const WorkTree& tree, const CompiledQuery& query,
                                 const QueryScope& scope) {
  auto files = list_tree(tree);
  if (!files) return std::unexpected(files.error());
  std::erase_if(*files, [&](const TreeFile& file) { return !scope.takes(file.path); });
  const auto workers = worker_count(0);
  auto readers = TreeReader::open_several(tree, kMaxSourceBytes, workers);
  if (!readers) return std::unexpected(readers.error());
  const Prefilter prefilter(*scope.language, query.text());
  std::vector<Partial> partials(workers);
  for_each_in_parallel(files->size(), workers, 16, [&](unsigned worker, std::size_t i) {
    if (worker == 0 && scope.progress) scope.progress(i, files->size());
    const auto& file = (*files)[i];
    auto& partial = partials[worker];
    const auto text = (*readers)[worker].read(file);
    if (!text) {
      partial.skipped.push_back({file.path, text.error().message});
      return;
    }
    if (!prefilter.passes(*text)) return;
    const auto parsed = ParsedFile::parse(*scope.language, file.path, std::string(*text));
    if (parsed)
      search(query, *parsed, partial);
    else
      partial.skipped.push_back({file.path, parsed.error().message});
  });
  QueryResult result{.matches = {}, .skipped = {}, .files = files->size()};
  for (auto& partial : partials) {
    std::ranges::move(partial.matches, std::back_inserter(result.matches));
    std::ranges::move(partial.skipped, std::back_inserter(result.skipped));
  }
  std::ranges::stable_sort(result.matches, {}, [](const QueryMatch& match) {
    return std::tuple(match.path, match.place.line, match.place.column, match.pattern);
  });
  std::ranges::sort(result.skipped, {}, &SkippedFile::path);
  return result;
}

}  // namespace portpatch
