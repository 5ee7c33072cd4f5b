#include "inventory/extract.h"

#include <algorithm>

#include <fmt/format.h>
#include <re2/re2.h>

#include "inventory/class_constant.h"
#include "inventory/idle_bodies.h"
#include "inventory/tree_facts.h"
#include "syntax/preprocessor.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// Of a cc in a file; each is looked at with all its siblings.
constexpr std::size_t kMostNames = 3'000;
/// Of a file's conditionals; what later ones add are rare #elif branches.
constexpr std::size_t kMostVariants = 3;

void read_imports(const SourceTree& tree, FileFacts& facts) {
  static const RE2 kFrom(R"((?m)^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*))"),
      kName(R"((\w+)(?:\s+as\s+(\w+))?)");
  re2::StringPiece rest(tree.text().data(), tree.text().size()), names;
  std::string module;
  while (RE2::FindAndConsume(&rest, kFrom, &module, &names)) {
    std::string name, alias;
    while (RE2::FindAndConsume(&names, kName, &name, &alias))
      facts.imports[alias.empty() ? name : alias] = {module, name};
  }
}

bool is_within(const std::vector<CcKey>& few, const std::vector<CcKey>& many) {
  return std::ranges::all_of(
      few, [&](const auto& key) { return std::ranges::find(many, key) != many.end(); });
}

std::vector<CcKey> keys_of(const CcPlace& place) {
  std::vector<CcKey> keys;
  for (const auto& arm : place.arms) keys.insert(keys.end(), arm.keys.begin(), arm.keys.end());
  return keys;
}

/// Several readings show one place whole, in parts, or not: the one with most keys stays.
void join_readings(std::vector<CcPlace>& places) {
  std::ranges::stable_sort(places, [](const CcPlace& a, const CcPlace& b) {
    return keys_of(a).size() > keys_of(b).size();
  });
  std::vector<CcPlace> kept;
  for (auto& place : places) {
    const auto keys = keys_of(place);
    const bool is_told = std::ranges::any_of(kept, [&](const CcPlace& other) {
      if (keys.empty()) return other.range == place.range;
      return other.range.overlaps(place.range) && is_within(keys, keys_of(other));
    });
    if (!is_told) kept.push_back(std::move(place));
  }
  std::ranges::stable_sort(
      kept, {}, [](const CcPlace& place) { return std::pair(place.range.begin, place.range.end); });
  places = std::move(kept);
}

/// Is there nothing but blanks, comments and the preprocessor's lines?
bool is_bare(std::string_view between) {
  static const RE2 kBare(R"((?:\s|//[^\n]*|#[^\n]*|(?s:/\*.*?\*/))*)");
  return RE2::FullMatch(re2::StringPiece(between.data(), between.size()), kBare);
}

/// Ifs right behind each other that do not leave are tried one after the other.
void join_sequences(std::vector<CcPlace>& places, std::string_view text) {
  const auto is_alone = [](const CcPlace& place) {
    return place.form == "if sequence" || (place.form == "if" && place.arms.size() == 1);
  };
  std::vector<CcPlace> joined;
  for (auto& place : places) {
    auto* last = joined.empty() ? nullptr : &joined.back();
    const bool goes_on = last != nullptr && is_alone(*last) && place.form == "if" &&
                         place.arms.size() == 1 && last->function == place.function &&
                         last->range.end <= place.range.begin &&
                         is_bare(text.substr(last->range.end, place.range.begin - last->range.end));
    if (!goes_on) {
      joined.push_back(std::move(place));
      continue;
    }
    last->form = "if sequence";
    last->arms.push_back(std::move(place.arms[0]));
    last->range.end = place.range.end;
    last->end_line = place.end_line;
  }
  places = std::move(joined);
}

/// Is one of the places cut by the preprocessor, or hidden by it from the grammar?
bool needs_variants(const SourceTree& tree, const CcNames& names,
                    const std::vector<ByteRange>& anchors) {
  if (!tree.language().has_preprocessor() || !tree.text().contains("\n#if")) return false;
  for (const auto anchor : anchors) {
    if (!names.asked(anchor.of(tree.text()))) continue;
    bool is_code = false;
    for (auto above = tree.root().smallest_around(anchor); above; above = above.parent()) {
      if (above.is_extra()) break;
      if (above.is_error()) return true;
      if (has_role(tree, above, Role::kRung)) is_code = true;
      if (is_code && has_role(tree, above, Role::kConditional) &&
          !has_role(tree, above, Role::kImportGuard))
        return true;
      if (!has_role(tree, above, Role::kScope) || has_role(tree, above, Role::kModuleScope))
        continue;
      if (above.has_error() && above.text(tree.text()).contains("\n#if")) return true;
      break;
    }
  }
  return false;
}

}  // namespace

void add_constants(std::string_view text,
                   std::map<std::string, long long, std::less<>>& constants) {
  static const RE2 kDefine(R"((?m)^[ \t]*#[ \t]*define[ \t]+(\w*_CC_\w+)[ \t]+(\d{2,4})\b)");
  re2::StringPiece rest(text.data(), text.size());
  std::string name;
  long long value = 0;
  while (RE2::FindAndConsume(&rest, kDefine, &name, &value))
    constants.insert_or_assign(name, value);
}

std::vector<ByteRange> dead_arms_of(const Language& language, std::string_view text) {
  const auto* names = language.has_preprocessor() ? CcNames::of(language) : nullptr;
  if (names == nullptr) return {};
  return dead_arms(text, [&](std::string_view macro) { return names->is_foreign(macro); });
}

FileFacts extract_facts(const Language& language, const std::string& path, std::string text,
                        const ExtractContext& context) {
  FileFacts facts{.file = {.path = path}};
  const auto* names = CcNames::of(language);
  for (const auto dead : dead_arms_of(language, text)) {
    std::ranges::replace_if(
        text.begin() + static_cast<std::ptrdiff_t>(dead.begin),
        text.begin() + static_cast<std::ptrdiff_t>(dead.end),
        [](char c) { return c != '\n' && c != '\r'; }, ' ');
  }
  const bool speaks = names != nullptr && names->speaks(text);
  auto quiet = without_remarks(language, text);
  const auto found = names ? names->anchors(quiet, speaks) : std::vector<ByteRange>();
  // Elsewhere a comment helps the grammar to recover behind what it cannot read.
  if (!context.keep_idle_bodies && language.blocks_by_indentation()) text = std::move(quiet);
  if (names != nullptr && context.tables.empty() && found.empty()) return facts;
  if (found.size() > kMostNames) {
    facts.file.reason = fmt::format(
        "it names compute capabilities {} times, and {} are the most; split it", found.size(),
        kMostNames);
    return facts;
  }
  if (context.tables.empty() && !context.keep_idle_bodies) {
    auto needed = found;
    if (language.blocks_by_indentation()) {
      std::ranges::copy(possible_class_constants(text, found), std::back_inserter(needed));
      std::ranges::sort(needed, {}, &ByteRange::begin);
    }
    text = without_idle_bodies(language, text, needed);
  }
  auto whole = names ? SourceTree::parse(language, std::move(text))
                     : failure("no-cc-names", "nothing is known of cc in this language");
  if (!whole) {
    facts.file.reason = whole.error().message;
    return facts;
  }
  read_tree(*whole, *names, speaks, context, facts);
  if (!language.has_preprocessor()) read_imports(*whole, facts);
  if (needs_variants(*whole, *names, found)) {
    auto variants = mask_conditionals(whole->text());
    if (variants.size() > kMostVariants) variants.resize(kMostVariants);
    for (auto& variant : variants) {
      const auto masked = SourceTree::parse(language, std::move(variant.text));
      if (masked)
        read_tree(*masked, *names, speaks, context, facts);
      else
        facts.file.reason = masked.error().message;
    }
  }
  join_readings(facts.file.places);
  join_sequences(facts.file.places, whole->text());
  return facts;
}

}  // namespace portpatch
