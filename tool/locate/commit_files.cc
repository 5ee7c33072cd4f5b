#include "locate/commit_files.h"

#include <algorithm>

#include "syntax/language.h"

namespace portpatch {

Result<std::string_view> CommitFiles::text(const std::string& blob) {
  // Each place that vanished is looked for in all files that differ.
  constexpr std::size_t kMostKeptBytes = 128u << 20;
  if (const auto known = texts_.find(blob); known != texts_.end()) return known->second;
  auto read = history_.read(blob, kMaxSourceBytes);
  if (!read) return std::unexpected(read.error());
  if (text_bytes_ + read->size() > kMostKeptBytes) return text_ = std::move(*read);
  text_bytes_ += read->size();
  return texts_.emplace(blob, std::move(*read)).first->second;
}

Result<PlacesPointer> CommitFiles::places(const Language& language, const std::string& blob,
                                          const std::string& path) {
  // A commit that touches hundreds of files is matched again for each rule of a pack.
  constexpr std::size_t kKeptBytes = 16u << 20;
  const auto key = blob + " " + language.name() + " " + path;
  if (const auto found = std::ranges::find(parsed_, key, &Parsed::key); found != parsed_.end()) {
    parsed_.splice(parsed_.begin(), parsed_, found);
    return parsed_.front().places;
  }
  const auto read = text(blob);
  if (!read) return std::unexpected(read.error());
  auto parsed = ParsedFile::parse(language, path, std::string(*read));
  if (!parsed) return std::unexpected(parsed.error());
  parsed_.push_front(
      {key, std::make_shared<PlaceIndex>(std::make_shared<const ParsedFile>(std::move(*parsed)))});
  parsed_bytes_ += read->size();
  for (; parsed_bytes_ > kKeptBytes && parsed_.size() > 2; parsed_.pop_back())
    parsed_bytes_ -= parsed_.back().places->file().text().size();
  return parsed_.front().places;
}

Result<PlacesPointer> CommitFiles::places_at(const Language& language, const std::string& commit,
                                             const std::string& path) {
  const auto blob = history_.blob(commit, path);
  if (!blob) return std::unexpected(blob.error());
  if (!*blob) return PlacesPointer();
  return places(language, **blob, path);
}

Result<FilePointer> CommitFiles::file_at(const Language& language, const std::string& commit,
                                         const std::string& path) {
  const auto found = places_at(language, commit, path);
  if (!found) return std::unexpected(found.error());
  return *found ? (*found)->pointer() : FilePointer();
}

Result<std::vector<std::string>> CommitFiles::line(const std::string& from, const std::string& to) {
  constexpr std::size_t kMostLines = 8;
  const auto known = std::ranges::find_if(
      lines_, [&](const Line& line) { return line.from == from && line.to == to; });
  if (known != lines_.end()) return known->commits;
  auto line = longer_line(from, to);
  if (!line) {
    auto found = new_line(from, to);
    if (!found) return std::unexpected(found.error());
    line = std::move(*found);
  }
  if (lines_.size() == kMostLines) lines_.erase(lines_.begin());
  lines_.push_back(std::move(*line));
  return lines_.back().commits;
}

/// A known line that only goes forward, and ends shortly before `to` on its first parents, goes on
/// to it.
std::optional<CommitFiles::Line> CommitFiles::longer_line(const std::string& from,
                                                          const std::string& to) const {
  constexpr std::size_t kMostSteps = 64;
  std::vector<std::string> more{to};
  while (!lines_.empty() && more.size() <= kMostSteps) {
    const auto parent = history_.first_parent(more.back());
    if (!parent || !*parent) break;
    for (const auto& known : lines_) {
      if (known.from != from || known.to != **parent || !known.is_forward) continue;
      auto line = known;
      line.to = to;
      line.commits.insert(line.commits.end(), more.rbegin(), more.rend());
      return line;
    }
    more.push_back(**parent);
  }
  return std::nullopt;
}

Result<CommitFiles::Line> CommitFiles::new_line(const std::string& from,
                                                const std::string& to) const {
  Line line{.from = from, .to = to};
  const auto base = history_.merge_base(from, to);
  if (!base) return std::unexpected(base.error());
  if (!*base) return line;
  auto back = history_.first_parents(**base, from);
  if (!back) return std::unexpected(back.error());
  auto forward = history_.first_parents(**base, to);
  if (!forward) return std::unexpected(forward.error());
  if (!*back || !*forward) return line;
  line.is_forward = **base == from;
  line.commits.assign((*back)->rbegin(), (*back)->rend());
  line.commits.push_back(**base);
  line.commits.insert(line.commits.end(), (*forward)->begin(), (*forward)->end());
  return line;
}

}  // namespace portpatch
