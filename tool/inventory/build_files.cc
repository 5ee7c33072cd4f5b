#include "inventory/build_files.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/literal_finder.h"
#include "base/toml.h"
#include "inventory/cc_keys.h"
#include "inventory/cc_test_reader.h"
#include "inventory/cmake_values.h"
#include "syntax/language.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// Of a file; each is compared with others.
constexpr std::size_t kMostEntries = 3'000;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

struct FileRow {
  std::vector<std::string> names;
  const Language* language = nullptr;
};

/// Code for one architecture, as a file asks for it.
struct Entry {
  ByteRange range;
  std::string key;  ///< as spelled: `90a`, `compute_90`
  Cc cc;
  bool machine = true, ptx = false;
};

/// Entries that stand together: a list, or the flags of one command.
struct Group {
  std::string name;
  std::vector<Entry> entries;
  ByteRange range = {};  ///< of all of them
};

/// The driver takes machine code of the nearest cc below, then PTX of the nearest.
bool is_tried_before(const CcArm& a, const CcArm& b) {
  const auto rank = [](const CcArm& one) {
    const auto& key = one.keys[0];
    return std::tuple(key.cc.major, key.cc.minor, !key.cc.suffix.empty(), key.op == "==");
  };
  return rank(a) > rank(b);
}

/// What is appended to one variable here and there is one list.
void merge_places(std::vector<CcPlace>& places) {
  std::vector<CcPlace> merged;
  for (auto& place : places) {
    const auto same = std::ranges::find_if(merged, [&](const CcPlace& one) {
      return !place.name.empty() && one.name == place.name && one.function == place.function;
    });
    if (same == merged.end()) {
      merged.push_back(std::move(place));
      continue;
    }
    std::ranges::move(place.arms, std::back_inserter(same->arms));
    same->end_line = std::max(same->end_line, place.end_line);
    same->range.end = std::max(same->range.end, place.range.end);
  }
  places = std::move(merged);
}

/// Where a group stands in a file whose language is known.
struct Surroundings {
  ByteRange range;
  std::string name, function, guard;
  bool settled = true;  ///< the guard holds with a current toolkit
};

CcKey key_of(const Group& group, const Entry& entry, std::string op, KeyUnit unit) {
  return {.expression = group.name,
          .op = std::move(op),
          .key = entry.key,
          .unit = unit,
          .cc = unit == KeyUnit::kMajor ? Cc{entry.cc.major, 0} : entry.cc};
}

/// True for what the entry's code runs on.
CcTest test_of(const Group& group, const Entry& entry, std::vector<CcKey>& keys) {
  const auto key = [&](std::string op, KeyUnit unit) {
    keys.push_back(key_of(group, entry, std::move(op), unit));
    return CcTest{.kind = CcTest::Kind::kKey, .key = keys.size() - 1};
  };
  CcTest test{.kind = CcTest::Kind::kAny};
  // Code for one architecture or family, PTX as well, runs on that alone.
  if (entry.machine || !entry.cc.suffix.empty()) test.parts.push_back(key("==", KeyUnit::kArch));
  if (!entry.cc.suffix.empty()) return test;
  if (entry.ptx) {
    test.parts.push_back(key(">=", KeyUnit::kArch));
  } else {
    // Later ones of the family run it, without being named.
    const auto major = key("==", KeyUnit::kMajor);
    const CcTest not_major{.kind = CcTest::Kind::kNot, .parts = {major}};
    const CcTest unnamed{.kind = CcTest::Kind::kNot, .parts = {not_major}};
    test.parts.push_back(
        {.kind = CcTest::Kind::kAll, .parts = {key(">=", KeyUnit::kArch), unnamed}});
  }
  return test;
}

[[noreturn]] void broken_build(std::string_view what) {
  std::fputs(fmt::format("build/archs.toml: {}\n", what).c_str(), stderr);
  std::abort();
}

}  // namespace

struct BuildFiles::State {
  std::vector<LiteralFinder> hints;
  std::vector<FileRow> files;
  std::unique_ptr<RE2> codes, gencode, arch, assignment, list, entry, with_ptx, neutral;
  std::unique_ptr<RE2> adds, names, others, speaks, certain;

  [[nodiscard]] std::vector<Group> variables(const SourceTree& tree) const;
  [[nodiscard]] std::optional<Entry> entry_at(std::string_view text, ByteRange range,
                                              bool is_both) const;
};

BuildFiles::BuildFiles() : state_(std::make_unique<State>()) {
  const auto toml = parse_toml("build/archs.toml", language_data("build", "archs.toml"));
  if (!toml) broken_build(toml.error().message);
  const auto pattern = [&](std::string_view name) {
    const auto* value = toml->find(name);
    auto made = std::make_unique<RE2>(value ? value->text : "(");
    if (!made->ok()) broken_build(name);
    return made;
  };
  for (const auto& hint : toml->find("hints")->strings()) state_->hints.emplace_back(hint);
  state_->codes = pattern("codes");
  state_->gencode = pattern("gencode");
  state_->arch = pattern("arch");
  state_->assignment = pattern("assignment");
  state_->list = pattern("list");
  state_->entry = pattern("entry");
  state_->with_ptx = pattern("with-ptx");
  state_->neutral = pattern("neutral");
  state_->adds = pattern("adds");
  state_->names = pattern("names");
  state_->others = pattern("others");
  state_->speaks = pattern("speaks");
  state_->certain = pattern("certain");
  for (const auto& row : toml->find("files")->items) {
    const auto* language = row.find("language");
    state_->files.push_back({.names = row.find("names")->strings(),
                             .language = language ? find_language(language->text) : nullptr});
  }
}

BuildFiles::~BuildFiles() = default;

std::optional<Entry> BuildFiles::State::entry_at(std::string_view text, ByteRange range,
                                                 bool is_both) const {
  std::string number, how;
  if (!RE2::FullMatch(piece(range.of(text)), *entry, &number, &how)) return std::nullopt;
  const auto means = spelled_cc(number);
  if (!means) return std::nullopt;
  const bool only_ptx = how == "-virtual";
  return Entry{.range = range,
               .key = std::string(range.of(text)),
               .cc = means->cc,
               .machine = !only_ptx,
               .ptx = only_ptx || how == "+PTX" || (is_both && how.empty())};
}

/// What CMake's variables list.
std::vector<Group> BuildFiles::State::variables(const SourceTree& tree) const {
  const auto text = tree.text();
  const auto is = [](std::string_view name, const RE2& pattern) {
    return RE2::PartialMatch(piece(name), pattern);
  };
  const auto values = cmake_values(tree);
  const bool is_about_cuda = is(text, *speaks);
  const auto in_body = [&](const CMakeValues& loop, std::string_view word) {
    return loop.body.text(text).contains(fmt::format("{}_${{{}}}", word, loop.name));
  };
  const auto is_loop = [&](const CMakeValues& one) {
    return one.body && (in_body(one, "sm") || in_body(one, "compute"));
  };
  std::map<std::string_view, const CMakeValues*> known;  // with the loop over it, if there is one
  for (const auto& one : values) {
    if (is_loop(one)) {
      for (const auto item : one.items)
        known.insert_or_assign(item.of(text), &one);  // IN LISTS ARCHS
    } else if (std::ranges::any_of(one.items,
                                   [&](ByteRange item) {
                                     return RE2::FullMatch(piece(item.of(text)), *certain);
                                   }) ||
               (is_about_cuda && is(one.name, *names))) {
      known.try_emplace(one.name, nullptr);
    }
  }
  std::vector<Group> groups;
  for (const auto& one : values) {
    const auto* loop = is_loop(one) ? &one : nullptr;
    if (loop == nullptr) {
      const auto found = known.find(one.name);
      if (one.body || found == known.end() || is(one.name, *others) || !is(one.how, *adds))
        continue;
      loop = found->second;
    }
    Group group{.name = one.name, .entries = {}};
    for (const auto item : one.items) {
      auto made = entry_at(text, item, is(one.name, *with_ptx));
      if (!made) break;
      if (loop != nullptr) made->ptx = in_body(*loop, "code=compute");
      if (loop != nullptr) made->machine = !made->ptx || in_body(*loop, "code=sm");
      group.entries.push_back(std::move(*made));
    }
    if (group.entries.size() == one.items.size()) groups.push_back(std::move(group));
  }
  return groups;
}

const BuildFiles& BuildFiles::instance() {
  static const BuildFiles files;
  return files;
}

namespace {

const FileRow* row_of(const std::vector<FileRow>& rows, std::string_view path) {
  for (const auto& row : rows) {
    if (std::ranges::any_of(row.names, [&](const auto& glob) { return glob_matches(glob, path); }))
      return &row;
  }
  return nullptr;
}

/// A `#` in front, outside of quotes.
bool is_comment(std::string_view text, std::size_t at) {
  char quote = 0;
  for (auto i = line_begin(text, at); i < at; ++i) {
    const char c = text[i];
    if (quote == 0 && c == '#' && (i == 0 || std::string_view(" \t\n").contains(text[i - 1])))
      return true;
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = 0;
  }
  return false;
}

class BuildReader {
 public:
  BuildReader(const std::string& path, std::string_view text, const SourceTree* tree,
              const RE2& neutral, const RE2& assignment)
      : path_(path),
        text_(text),
        lines_(text),
        tree_(tree),
        neutral_(neutral),
        assignment_(assignment) {}

  [[nodiscard]] bool is_code(std::size_t at) const {
    if (tree_ == nullptr) return !is_comment(text_, at);
    const auto node = tree_->root().smallest_around({at, at + 1});
    return node && !node.is_extra();
  }

  /// Do the two stand in one statement, or on lines that a backslash joins?
  [[nodiscard]] bool stand_together(ByteRange first, ByteRange second) const {
    if (tree_ != nullptr) return statement_at(first.begin) == statement_at(second.begin);
    return logical_line(second.begin) <= first.begin;
  }

  [[nodiscard]] CcPlace place(const Group& group) const {
    const auto around = surroundings(group);
    CcPlace place{.path = path_,
                  .form = "architecture list",
                  .function = around.function,
                  .name = group.name.empty() ? around.name : group.name,
                  .range = around.range};
    place.line = lines_.line_of(place.range.begin);
    place.end_line = lines_.line_of(std::max(place.range.end, place.range.begin + 1) - 1);
    for (const auto& entry : group.entries) {
      CcArm arm{.range = entry.range,
                .condition = around.guard.empty()
                                 ? entry.key
                                 : fmt::format("{} if {}", entry.key, around.guard)};
      arm.line = arm.end_line = lines_.line_of(entry.range.begin);
      arm.test = test_of(group, entry, arm.keys);
      for (auto& key : arm.keys) {
        key.expression = place.name;
        key.line = arm.line;
      }
      if (!around.settled) arm.test = {.kind = CcTest::Kind::kAll, .parts = {arm.test, CcTest{}}};
      place.arms.push_back(std::move(arm));
    }
    return place;
  }

 private:
  /// Where the line begins that, over backslashes, goes on at `at`.
  [[nodiscard]] std::size_t logical_line(std::size_t at) const {
    auto begin = line_begin(text_, at);
    while (begin > 0) {
      const auto above = trim(
          text_.substr(line_begin(text_, begin - 1), begin - line_begin(text_, begin - 1)));
      if (!above.ends_with('\\')) break;
      begin = line_begin(text_, begin - 1);
    }
    return begin;
  }

  [[nodiscard]] Node statement_at(std::size_t at) const {
    auto node = tree_->root().smallest_around({at, at + 1});
    while (node && node.parent() && !has_role(*tree_, node.parent(), Role::kBlock))
      node = node.parent();
    return node;
  }

  [[nodiscard]] Surroundings surroundings(const Group& group) const {
    const auto own = group.range;
    if (tree_ == nullptr) {
      const auto begin = logical_line(own.begin);
      std::string name;
      RE2::PartialMatch(piece(text_.substr(begin, own.begin - begin)), assignment_, &name);
      return {.range = {line_begin(text_, own.begin), line_end(text_, own.end)}, .name = name};
    }
    const auto statement = statement_at(own.begin);
    Surroundings around{.range = statement.range()};
    around.name = folded(descendant_with(*tree_, statement, Role::kName).text(text_));
    around.function = scope_path(*tree_, statement);
    std::vector<std::string> guards;
    for (auto node = statement; node.parent(); node = node.parent()) {
      const auto above = node.parent();
      const auto condition = child_with(*tree_, above, Role::kRungCondition);
      if (!condition || condition == node) continue;
      const bool holds = has_role(*tree_, node, Role::kRungBody);
      const auto text = folded(condition.text(text_));
      guards.push_back(holds ? text : fmt::format("NOT ({})", text));
      around.settled &= holds && is_settled(condition);
    }
    std::ranges::reverse(guards);
    around.guard = join(guards, " AND ");
    return around;
  }

  /// Three-valued, true or not known.
  [[nodiscard]] bool is_settled(const Node& condition) const {
    const auto left = condition.field("left"), right = condition.field("right");
    if (has_role(*tree_, condition, Role::kDisjunction))
      return is_settled(left) || is_settled(right);
    if (has_role(*tree_, condition, Role::kConjunction))
      return is_settled(left) && is_settled(right);
    return RE2::PartialMatch(piece(condition.text(text_)), neutral_);
  }

  const std::string& path_;
  std::string_view text_;
  LineIndex lines_;
  const SourceTree* tree_;
  const RE2& neutral_;
  const RE2& assignment_;
};

}  // namespace

bool BuildFiles::owns(std::string_view path) const {
  return row_of(state_->files, path) != nullptr;
}

bool BuildFiles::may_concern(std::string_view text) const {
  return std::ranges::any_of(state_->hints,
                             [&](const LiteralFinder& hint) { return hint.occurs_in(text); });
}

CcFile BuildFiles::read(const std::string& path, const std::string& text) const {
  CcFile file{.path = path};
  const auto* row = row_of(state_->files, path);
  std::optional<SourceTree> tree;
  if (row != nullptr && row->language != nullptr) {
    auto parsed = SourceTree::parse(*row->language, text);
    if (!parsed) {
      file.reason = parsed.error().message;
      return file;
    }
    tree.emplace(std::move(*parsed));
  }
  const BuildReader reader(path, text, tree ? &*tree : nullptr, *state_->neutral,
                           *state_->assignment);
  const auto range_of = [&](re2::StringPiece part) {
    const auto begin = static_cast<std::size_t>(part.data() - text.data());
    return ByteRange{begin, begin + part.size()};
  };
  std::vector<Group> groups;
  std::size_t count = 0;  // of entries, in comments too
  const auto add = [&](const std::string& name, bool alone, std::vector<Entry> entries) {
    count += entries.size();
    if (count > kMostEntries) return;
    std::erase_if(entries, [&](const Entry& entry) { return !reader.is_code(entry.range.begin); });
    if (entries.empty()) return;
    const bool joins = !alone && !groups.empty() &&
                       reader.stand_together(groups.back().entries.back().range,
                                             entries.front().range);
    if (!joins) groups.push_back({.name = name, .entries = {}});
    std::ranges::move(entries, std::back_inserter(groups.back().entries));
  };
  const auto codes_in = [&](re2::StringPiece codes, bool both) {
    std::vector<Entry> entries;
    for (re2::StringPiece rest = codes, kind, number;
         RE2::FindAndConsume(&rest, *state_->codes, &kind, &number);) {
      const auto means = spelled_cc({number.data(), number.size()});
      const bool is_ptx = kind == "compute";
      const ByteRange range{range_of(kind).begin, range_of(number).end};
      if (means)
        entries.push_back({.range = range,
                           .key = std::string(range.of(text)),
                           .cc = means->cc,
                           .machine = !is_ptx,
                           .ptx = is_ptx || both});
    }
    return entries;
  };
  re2::StringPiece rest = piece(text), codes;
  while (RE2::FindAndConsume(&rest, *state_->gencode, &codes))
    add("", false, codes_in(codes, false));
  rest = piece(text);
  while (RE2::FindAndConsume(&rest, *state_->arch, &codes)) add("", true, codes_in(codes, true));
  re2::StringPiece name, list;
  for (rest = piece(text); RE2::FindAndConsume(&rest, *state_->list, &name, &list);) {
    const bool with_ptx = RE2::PartialMatch(name, *state_->with_ptx);
    std::vector<Entry> entries;
    for (re2::StringPiece items = list, number, how;
         RE2::FindAndConsume(&items, *state_->entry, &number, &how);) {
      const ByteRange range{range_of(number).begin, range_of(how.empty() ? number : how).end};
      if (auto entry = state_->entry_at(text, range, with_ptx))
        entries.push_back(std::move(*entry));
    }
    add(std::string(name), true, std::move(entries));
  }
  const auto is_known = [&](ByteRange range) {
    return std::ranges::any_of(groups, [&](const Group& group) {
      return std::ranges::any_of(group.entries,
                                 [&](const Entry& entry) { return entry.range.overlaps(range); });
    });
  };
  for (const auto& group : tree ? state_->variables(*tree) : std::vector<Group>()) {
    if (count > kMostEntries) break;
    if (!is_known(group.entries[0].range)) add(group.name, true, group.entries);
  }
  if (count > kMostEntries) {
    file.reason = fmt::format("it names architectures more than {} times; split it", kMostEntries);
    return file;
  }
  for (auto& group : groups) {
    group.range = {group.entries.front().range.begin, group.entries.back().range.end};
    file.places.push_back(reader.place(group));
  }
  std::ranges::sort(file.places, {}, [](const CcPlace& place) { return place.range.begin; });
  if (tree) merge_places(file.places);
  for (auto& place : file.places) std::ranges::stable_sort(place.arms, is_tried_before);
  return file;
}

}  // namespace portpatch
