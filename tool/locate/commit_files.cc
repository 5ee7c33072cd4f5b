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
  if (const auto known = lines_.find({from, to}); known != lines_.end()) return known->second;
  auto& line = lines_[{from, to}];
  const auto base = history_.merge_base(from, to);
  if (!base) return std::unexpected(base.error());
  if (!*base) return line;
  auto back = history_.first_parents(**base, from);
  if (!back) return std::unexpected(back.error());
  auto forward = history_.first_parents(**base, to);
  if (!forward) return std::unexpected(forward.error());
  if (!*back || !*forward) return line;
  line.assign((*back)->rbegin(), (*back)->rend());
  line.push_back(**base);
  line.insert(line.end(), (*forward)->begin(), (*forward)->end());
  return line;
}

}  // namespace portpatch
