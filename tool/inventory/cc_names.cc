#include "inventory/cc_names.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/literal_finder.h"
#include "base/toml.h"

namespace portpatch {

namespace {

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// getSMVersion, __CUDA_ARCH__: get_sm_version, cuda_arch.
std::string words_of(std::string_view identifier) {
  std::string words;
  for (std::size_t i = 0; i < identifier.size(); ++i) {
    const char c = identifier[i];
    const bool begins = is_upper(c) && i > 0 &&
                        (is_lower(identifier[i - 1]) ||
                         (is_upper(identifier[i - 1]) && i + 1 < identifier.size() &&
                          is_lower(identifier[i + 1])));
    if (begins || c == '_') {
      if (!words.empty() && words.back() != '_') words += '_';
    }
    if (c != '_') words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (words.ends_with('_')) words.pop_back();
  return words;
}

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

struct AskRow {
  RE2 name;
  AskedCc says;
  bool is_upper = false;  ///< the unit holds for names in capitals alone
};
struct CompareRow {
  RE2 name;
  ComparingCall says;
};
struct ListRow {
  RE2 name;
  KeyUnit unit;
};

}  // namespace

struct CcNames::State {
  std::vector<LiteralFinder> hints;
  std::unique_ptr<RE2> anchors, speaks, other, neutral, helper, check, devices, foreign;
  std::vector<std::unique_ptr<AskRow>> asks;
  std::vector<std::unique_ptr<CompareRow>> compares;
  std::vector<std::unique_ptr<ListRow>> lists;
};

CcNames::CcNames() : state_(std::make_unique<State>()) {}
CcNames::~CcNames() = default;

namespace {

/// The data is part of the program: a mistake in it is a broken build, found by
/// CcNames.EveryTableLoads.
[[noreturn]] void broken_build(std::string_view language, std::string_view what) {
  std::fputs(fmt::format("{}/cc.toml: {}\n", language, what).c_str(), stderr);
  std::abort();
}

}  // namespace

const CcNames* CcNames::of(const Language& language) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<CcNames>> loaded;
  const std::scoped_lock lock(mutex);
  if (const auto found = loaded.find(language.name()); found != loaded.end())
    return found->second.get();
  auto& slot = loaded[language.name()];
  const auto text = language_data(language.name(), "cc.toml");
  if (text.empty()) return nullptr;
  const auto toml = parse_toml(language.name() + "/cc.toml", text);
  if (!toml) broken_build(language.name(), toml.error().message);
  slot.reset(new CcNames);
  auto& state = *slot->state_;
  const auto string = [](const TomlValue& table, std::string_view key) {
    const auto* value = table.find(key);
    return value ? value->text : std::string();
  };
  const auto pattern = [&](std::string_view key) {
    auto made = std::make_unique<RE2>(string(*toml, key));
    if (!made->ok()) broken_build(language.name(), made->error());
    return made;
  };
  for (const auto& hint : toml->find("hints")->strings()) state.hints.emplace_back(hint);
  state.anchors = pattern("anchors"), state.speaks = pattern("speaks"),
  state.other = pattern("not");
  state.neutral = pattern("neutral"), state.helper = pattern("helper"),
  state.check = pattern("check"), state.devices = pattern("devices"),
  state.foreign = pattern("foreign");
  const auto rows = [&](std::string_view key, const auto& add) {
    if (const auto* table = toml->find(key)) std::ranges::for_each(table->items, add);
  };
  rows("asks", [&](const TomlValue& row) {
    const auto flag = [&](std::string_view key) {
      return row.find(key) != nullptr && row.find(key)->boolean;
    };
    state.asks.emplace_back(new AskRow{
        RE2(string(row, "name")), {find_unit(string(row, "unit")), flag("weak")}, flag("upper")});
  });
  rows("compares", [&](const TomlValue& row) {
    state.compares.emplace_back(new CompareRow{
        RE2(string(row, "name")), {string(row, "op"), string(row, "unit") == "family"}});
  });
  rows("lists", [&](const TomlValue& row) {
    state.lists.emplace_back(new ListRow{RE2(string(row, "name")),
                                         find_unit(string(row, "unit")).value_or(KeyUnit::kTens)});
  });
  return slot.get();
}

bool CcNames::may_concern(std::string_view text) const {
  return std::ranges::any_of(state_->hints, [&](const auto& hint) { return hint.occurs_in(text); });
}

bool CcNames::is_anchor(std::string_view identifier, bool speaks) const {
  static const RE2 kSpelled(R"((?i)k?_?(sm|compute|cc)_?\d{2,4}[af]?)");
  if (RE2::FullMatch(piece(identifier), kSpelled) || identifier.contains("_CC_")) return true;
  if (const auto says = asked(identifier)) return !says->is_weak || speaks;
  return is_helper(identifier) || lists(identifier) || comparing(identifier);
}

std::vector<ByteRange> CcNames::anchors(std::string_view text, bool is_about_gpus) const {
  std::vector<ByteRange> found;
  std::map<std::string_view, bool> known;
  re2::StringPiece rest = piece(text), hit;
  while (state_->anchors->Match(rest, 0, rest.size(), RE2::UNANCHORED, &hit, 1)) {
    const std::string_view identifier(hit.data(), std::max<std::size_t>(hit.size(), 1));
    const auto begin = static_cast<std::size_t>(hit.data() - text.data());
    rest = piece(text.substr(begin + identifier.size()));
    const auto [one, is_new] = known.try_emplace(identifier, false);
    if (is_new) one->second = is_anchor(identifier, is_about_gpus);
    if (one->second) found.push_back({begin, begin + identifier.size()});
  }
  return found;
}

std::string_view last_identifier(std::string_view expression) {
  std::string_view best;
  int depth = 0;
  for (std::size_t i = 0; i < expression.size();) {
    const char c = expression[i];
    if (c == '(' || c == '<' || c == '[') ++depth;
    if (c == ')' || c == ']' || (c == '>' && (i == 0 || expression[i - 1] != '-'))) --depth;
    if (!is_word(c)) {
      ++i;
      continue;
    }
    auto end = i;
    while (end < expression.size() && is_word(expression[end])) ++end;
    if (depth == 0 && std::isdigit(static_cast<unsigned char>(c)) == 0)
      best = expression.substr(i, end - i);
    i = end;
  }
  return best;
}

std::optional<AskedCc> CcNames::asked(std::string_view expression) const {
  const auto name = last_identifier(expression);
  if (name.empty()) return std::nullopt;
  // capability.as_combined_number(): a number of what stands before it.
  if (name.starts_with("as_") || name == "value" || name == "to_int") {
    const auto before = static_cast<std::size_t>(name.data() - expression.data());
    return before > 1 ? asked(expression.substr(0, before - 1)) : std::nullopt;
  }
  const auto words = words_of(name);
  if (RE2::PartialMatch(words, *state_->other)) return std::nullopt;
  for (const auto& row : state_->asks) {
    if (!RE2::PartialMatch(words, row->name)) continue;
    auto says = row->says;
    if (row->is_upper && std::ranges::any_of(name, is_lower)) continue;
    // `runtime.major` says that it is something else.
    std::string all(expression);
    std::ranges::replace_if(all, [](char c) { return !is_word(c); }, '_');
    if (says.is_weak && RE2::PartialMatch(words_of(all), *state_->other)) return std::nullopt;
    says.is_weak = says.is_weak && !RE2::PartialMatch(piece(expression), *state_->devices);
    if (expression.ends_with("[0]")) says.unit = KeyUnit::kMajor;
    if (expression.ends_with("[1]")) says.unit = KeyUnit::kMinor;
    return says;
  }
  return std::nullopt;
}

bool CcNames::is_helper(std::string_view expression) const {
  return RE2::FullMatch(words_of(last_identifier(expression)), *state_->helper) &&
         !asked(expression);
}

std::optional<ComparingCall> CcNames::comparing(std::string_view callee) const {
  const auto words = words_of(last_identifier(callee));
  for (const auto& row : state_->compares) {
    if (RE2::PartialMatch(words, row->name)) return row->says;
  }
  return std::nullopt;
}

bool CcNames::is_check(std::string_view callee) const {
  return RE2::FullMatch(words_of(last_identifier(callee)), *state_->check);
}

bool CcNames::is_neutral(std::string_view condition) const {
  return RE2::PartialMatch(piece(condition), *state_->neutral);
}

bool CcNames::is_foreign(std::string_view condition) const {
  return RE2::PartialMatch(piece(condition), *state_->foreign);
}

bool CcNames::speaks(std::string_view text) const {
  return RE2::PartialMatch(piece(text), *state_->speaks);
}

std::optional<KeyUnit> CcNames::lists(std::string_view name) const {
  const auto words = words_of(last_identifier(name));
  for (const auto& row : state_->lists) {
    if (RE2::PartialMatch(words, row->name)) return row->unit;
  }
  return std::nullopt;
}

}  // namespace portpatch
