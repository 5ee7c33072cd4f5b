#include "locate/piece_search.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/parallel.h"
#include "base/text.h"
#include "repo/tree_reader.h"
#include "syntax/code_form.h"
#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

constexpr std::size_t kMostWords = 6;  ///< of a piece that are looked for

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Calls `visit(offset, word)` for each run of letters, digits and underscores.
template <typename Visit>
void for_each_word(std::string_view text, Visit&& visit) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_word(text[at])) continue;
    const auto begin = at;
    while (at < text.size() && is_word(text[at])) ++at;
    visit(begin, text.substr(begin, at - begin));
  }
}

/// The pieces by their longest word.
class Search {
 public:
  explicit Search(const std::vector<Piece>& pieces) : pieces_(pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (!pieces[i].words.empty()) by_word_[pieces[i].words[0]].push_back(i);
    }
  }

  /// Where pieces of `language` may stand in the text: offsets of their longest words.
  std::map<std::size_t, std::vector<std::size_t>> hints(const Language& language,
                                                        std::string_view text) const {
    std::map<std::size_t, std::vector<std::size_t>> found;
    for_each_word(text, [&](std::size_t at, std::string_view word) {
      const auto known = by_word_.find(word);
      for (const auto i : known == by_word_.end() ? std::vector<std::size_t>() : known->second) {
        if (pieces_[i].language == &language) found[i].push_back(at);
      }
    });
    std::erase_if(found, [&](const auto& one) {
      return !std::ranges::all_of(pieces_[one.first].words,
                                  [&](const std::string& word) { return text.contains(word); });
    });
    return found;
  }

  std::vector<PiecePlace> find(const ParsedFile& file) const {
    std::vector<PiecePlace> places;
    for (const auto& [index, offsets] : hints(file.language(), file.text())) {
      std::set<ByteRange> seen;
      for (const auto& reading : file.readings()) {
        for (const auto at : offsets) {
          const auto node = around(pieces_[index], reading.tree, at);
          if (node && seen.insert(node.range()).second) {
            places.push_back({index, file.path(), scope_path(reading.tree, node), node.range(),
                              line_column(file.text(), node.range().begin).line});
          }
        }
      }
    }
    return places;
  }

 private:
  /// The piece around its word at `at`; a null node when it is not there.
  static Node around(const Piece& piece, const SourceTree& tree, std::size_t at) {
    const auto longest = 3 * piece.text.size() + 100;  // the layout may be another
    for (auto node = tree.root().smallest_around({at, at + piece.words[0].size()});
         node && node.range().size() <= longest; node = node.parent()) {
      if (node.kind() == piece.kind && exact_form(tree, node) == piece.form) return node;
    }
    return {};
  }

  const std::vector<Piece>& pieces_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_word_;
};

}  // namespace

Piece piece_of(const SourceTree& tree, const Node& node) {
  Piece piece{.language = &tree.language(),
              .kind = std::string(node.kind()),
              .text = std::string(node.text(tree.text())),
              .form = exact_form(tree, node),
              .words = {}};
  walk(node, [&](const Node& one) {
    if (one.is_extra()) return false;
    if (one.child_count() > 0 && !has_role(tree, one, Role::kString)) return true;
    for_each_word(one.text(tree.text()), [&](std::size_t, std::string_view word) {
      ++piece.word_count;
      if (std::ranges::find(piece.words, word) == piece.words.end()) piece.words.emplace_back(word);
    });
    return false;
  });
  std::ranges::stable_sort(piece.words, std::ranges::greater(), &std::string::size);
  if (piece.words.size() > kMostWords) piece.words.resize(kMostWords);
  return piece;
}

std::vector<PiecePlace> find_pieces(const std::vector<Piece>& pieces, const ParsedFile& file) {
  return Search(pieces).find(file);
}

Result<std::vector<PiecePlace>> find_pieces(const std::vector<Piece>& pieces,
                                            const WorkTree& tree) {
  std::vector<PiecePlace> places;
  if (pieces.empty()) return places;
  std::set<const Language*> languages;
  for (const auto& piece : pieces) languages.insert(piece.language);
  auto files = list_tree(tree);
  if (!files) return std::unexpected(files.error());
  const auto workers = worker_count(0);
  auto readers = TreeReader::open_several(tree, kMaxSourceBytes, workers);
  if (!readers) return std::unexpected(readers.error());
  const Search search(pieces);
  std::vector<std::vector<PiecePlace>> found(files->size());
  constexpr std::size_t kBatch = 16;
  for_each_in_parallel(files->size(), workers, kBatch, [&](unsigned worker, std::size_t i) {
    for (const auto* language : languages) {
      if (!language->owns((*files)[i].path)) continue;
      const auto text = (*readers)[worker].read((*files)[i]);
      if (!text || search.hints(*language, *text).empty()) continue;
      const auto file = ParsedFile::parse(*language, (*files)[i].path, std::string(*text));
      if (file) std::ranges::move(search.find(*file), std::back_inserter(found[i]));
    }
  });
  for (auto& one : found) std::ranges::move(one, std::back_inserter(places));
  return places;
}

}  // namespace portpatch
