#include "syntax/highlight.h"

#include <algorithm>

#include "base/text.h"
#include "syntax/fragment.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

struct KindRow {
  std::string_view capture, kind;
};

/// Names of captures, as editors know them, and the few kinds that are told apart here. The first
/// row whose name begins the capture's counts; a capture without a row is plain.
constexpr KindRow kKinds[] = {{"string.special.key", "property"},
                              {"string", "string"},
                              {"escape", "constant"},
                              {"keyword", "keyword"},
                              {"number", "number"},
                              {"comment", "comment"},
                              {"constant", "constant"},
                              {"boolean", "constant"},
                              {"constructor", "type"},
                              {"type", "type"},
                              {"function", "function"},
                              {"property", "property"},
                              {"operator", "operator"},
                              {"label", "constant"},
                              {"attribute", "function"}};

bool begins(std::string_view name, std::string_view part) {
  return name.starts_with(part) && (name.size() == part.size() || name[part.size()] == '.');
}

std::string_view kind_of(std::string_view capture) {
  const auto* row = std::ranges::find_if(
      kKinds, [&](const KindRow& one) { return begins(capture, one.capture); });
  return row == std::end(kKinds) ? std::string_view() : row->kind;
}

/// A tree of `text`, and where in it the text stands.
struct Parsed {
  const SourceTree* tree;
  std::ptrdiff_t shift;  ///< from the tree's offsets to the text's
};

class Painter {
 public:
  explicit Painter(std::size_t size) : kinds_(size) {}

  void paint(const Parsed& parsed, const PatternSet& patterns) {
    walk(parsed.tree->root(), [&](const Node& node) {
      patterns.match_at(*parsed.tree, node, [&](const Match& match) {
        for (const auto& capture : match.captures) {
          name(capture, match.pattern);
        }
      });
      return true;
    });
    std::vector<const Named*> order;
    for (const auto& [id, named] : names_) order.push_back(&named);
    // Outer nodes first, so that inner ones paint over them.
    std::ranges::sort(order, [](const Named* a, const Named* b) {
      return a->range.size() != b->range.size() ? a->range.size() > b->range.size()
                                                : a->order < b->order;
    });
    for (const auto* one : order) fill(one->range, parsed.shift, kind_of(one->name));
  }

  [[nodiscard]] std::vector<HighlightSpan> spans() const {
    std::vector<HighlightSpan> out;
    for (std::size_t at = 0; at < kinds_.size();) {
      auto end = at + 1;
      while (end < kinds_.size() && kinds_[end] == kinds_[at]) ++end;
      out.push_back({{at, end}, kinds_[at]});
      at = end;
    }
    return out;
  }

 private:
  struct Named {
    ByteRange range;
    std::string name;
    std::size_t pattern = 0, order = 0;  ///< the latter: in which they were found
  };

  /// A pattern may capture nodes far below the one that it begins at, so the last one found is not
  /// the last one.
  void name(const Capture& capture, std::size_t pattern) {
    auto& known = names_[capture.node.id()];
    if (known.order == 0) known.order = ++count_;
    const bool says_more = begins(capture.name, known.name) && capture.name != known.name;
    const bool says_less = begins(known.name, capture.name) && capture.name != known.name;
    if (!known.name.empty() && !says_more && (says_less || pattern < known.pattern)) return;
    known = {capture.node.range(), std::string(capture.name), pattern, known.order};
  }

  void fill(ByteRange range, std::ptrdiff_t shift, std::string_view kind) {
    const auto size = static_cast<std::ptrdiff_t>(kinds_.size());
    const auto begin = std::clamp(static_cast<std::ptrdiff_t>(range.begin) + shift,
                                  std::ptrdiff_t{0}, size);
    const auto end = std::clamp(static_cast<std::ptrdiff_t>(range.end) + shift, std::ptrdiff_t{0},
                                size);
    std::fill(kinds_.begin() + begin, kinds_.begin() + std::max(begin, end), kind);
  }

  std::vector<std::string_view> kinds_;  ///< of each byte
  std::map<const void*, Named> names_;   ///< by node
  std::size_t count_ = 0;
};

}  // namespace

const PatternSet* Highlighter::patterns(const Language& language) {
  if (const auto found = patterns_.find(language.name()); found != patterns_.end())
    return &found->second;
  const auto text = language_data(language.name(), "highlights.scm");
  if (text.empty()) return nullptr;
  auto set = PatternSet::read(language, language.name() + "/highlights.scm", text);
  return set ? &patterns_.emplace(language.name(), std::move(*set)).first->second : nullptr;
}

std::vector<HighlightSpan> Highlighter::spans(const Language& language, std::string_view text) {
  if (text.empty()) return {};
  Painter painter(text.size());
  const auto* set = patterns(language);
  const auto whole = SourceTree::parse(language, std::string(text));
  if (set == nullptr || !whole) return painter.spans();
  if (!whole->root().has_error()) {
    painter.paint({&*whole, 0}, *set);
  } else if (auto fragment = Fragment::parse_any(language, text);
             fragment || (fragment = parse_item(language, text))) {
    const auto leading = static_cast<std::ptrdiff_t>(trim(text).data() - text.data());
    painter.paint(
        {&fragment->tree(), leading - static_cast<std::ptrdiff_t>(fragment->body().begin)}, *set);
  } else {
    painter.paint({&*whole, 0}, *set);
  }
  return painter.spans();
}

}  // namespace portpatch
