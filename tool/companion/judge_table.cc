#include "companion/judge_table.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include <fmt/format.h>

#include "syntax/fragment.h"

namespace portpatch {

namespace {

bool same_key(const KeyMeaning& one, const KeyMeaning& other) {
  return describe(one) == describe(other);
}

/// A constant as C++ writes it.
std::optional<std::string> code_of(const Constant& constant) {
  if (const auto* flag = std::get_if<bool>(&constant.value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&constant.value))
    return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&constant.value)) {
    const auto text = fmt::format("{}", *real);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  }
  return std::nullopt;
}

class MirrorJudge {
 public:
  MirrorJudge(const PlacedTable& ours, const PlacedTable& theirs, const SourceTree& module,
              const std::vector<CcPlace>& places)
      : ours_(ours), theirs_(theirs), module_(module), evaluator_(module), places_(places) {}

  /// One cc that both must know.
  void judge(const Cc& cc) {
    const auto* there = theirs_.table.find(cc);
    const auto* here = ours_.table.find(cc);
    if (there == nullptr && here == nullptr) return;
    if (there == nullptr)
      extra(*here, cc);
    else if (here == nullptr)
      missing(*there, cc);
    else
      compare_values(*here, *there, cc);
  }

  /// Row by row.
  void judge_all() {
    for (const auto& there : theirs_.table.rows) {
      const auto here = std::ranges::find_if(
          ours_.table.rows, [&](const CcRow& row) { return same_key(row.key, there.key); });
      if (here != ours_.table.rows.end())
        compare_values(*here, there, there.key.cc);
      else if (const auto* other = ours_.table.find(there.key.cc))
        other_unit(*other, there);
      else
        missing(there, there.key.cc);
    }
    for (const auto& here : ours_.table.rows) {
      const bool is_there = std::ranges::any_of(theirs_.table.rows, [&](const CcRow& row) {
        return same_key(row.key, here.key) || row.key.cc == here.key.cc;
      });
      if (!is_there) extra(here, here.key.cc);
    }
  }

  void tell_unread() {
    for (const auto* table : {&ours_, &theirs_}) add_unread(*table, findings);
  }

  std::vector<CheckFinding> findings;

 private:
  void missing(const CcRow& there, const Cc& cc) {
    CheckFinding finding{
        .kind = FindingKind::kMissingKey,
        .cc = {cc},
        .here = ours_.at(ours_.table.line),
        .there = theirs_.at(there.line),
        .says = fmt::format("{} has no row for {}; {} says {}: {}", ours_.name, describe(there.key),
                            theirs_.name, there.key_text, there.value.text),
        .remedy = "add the row"};
    offer(finding, there, cc);
    findings.push_back(std::move(finding));
  }

  void extra(const CcRow& here, const Cc& cc) {
    findings.push_back({.kind = FindingKind::kExtraKey,
                        .cc = {cc},
                        .here = ours_.at(here.line),
                        .there = theirs_.at(theirs_.table.line),
                        .says = fmt::format("{} has a row for {}, {} has none", ours_.name,
                                            describe(here.key), theirs_.name),
                        .remedy = "add it there, or name with covers what is to be compared"});
  }

  void other_unit(const CcRow& here, const CcRow& there) {
    findings.push_back(
        {.kind = FindingKind::kOtherUnit,
         .cc = {there.key.cc},
         .here = ours_.at(here.line),
         .there = theirs_.at(there.line),
         .says = fmt::format("the key {} here means {}, {} there means {}", here.key_text,
                             describe(here.key), there.key_text, describe(there.key)),
         .remedy = "give both the same keys, or name with covers what is to be compared"});
    compare_values(here, there, there.key.cc);
  }

  void compare_values(const CcRow& here, const CcRow& there, const Cc& cc) {
    if (ours_.table.is_list || theirs_.table.is_list) return;  // its elements are keys
    auto same = compare(here.value, there.value);
    if (same == Same::kUnknown) {
      if (const auto seen = clangs_value(here)) same = compare(*seen, there.value);
    }
    if (same == Same::kYes) return;
    const auto texts = fmt::format("{} here, {} there", here.value.text, there.value.text);
    if (same == Same::kUnknown) {
      findings.push_back({.kind = FindingKind::kNotSeen,
                          .cc = {cc},
                          .here = ours_.at(here.line),
                          .there = theirs_.at(there.line),
                          .says = fmt::format("the values for {} could not be compared: {}",
                                              describe(there.key), texts),
                          .remedy = "look at both"});
      return;
    }
    CheckFinding finding{
        .kind = FindingKind::kOtherValue,
        .cc = {cc},
        .here = ours_.at(here.line),
        .there = theirs_.at(there.line),
        .says = fmt::format("the values for {} differ: {}", describe(there.key), texts),
        .remedy = "give both the same value"};
    offer(finding, there, cc);
    findings.push_back(std::move(finding));
  }

  /// What Clang made of the row's value.
  [[nodiscard]] std::optional<Datum> clangs_value(const CcRow& row) const {
    for (const auto& place : places_) {
      for (const auto& arm : place.arms) {
        if (!place.by_clang || place.name != ours_.name || !arm.value || arm.keys.empty() ||
            arm.keys[0].line != row.line || arm.keys[0].key != row.key_text)
          continue;
        Datum datum{.text = value_text(*arm.value)};
        std::visit([&](const auto& value) { datum.constant = constant_of(value); }, *arm.value);
        return datum;
      }
    }
    return std::nullopt;
  }

  static Constant constant_of(bool value) { return {value}; }
  static Constant constant_of(long long value) { return {static_cast<std::int64_t>(value)}; }
  static Constant constant_of(double value) { return {value}; }
  static Constant constant_of(const std::string& value) { return {":" + value}; }

  void offer(CheckFinding& finding, const CcRow& there, const Cc& cc) {
    const bool is_whole = ours_.table.unread.empty() && theirs_.table.unread.empty();
    if (!is_whole || (theirs_.table.is_list && !ours_.table.is_list)) return;
    // A row of the whole family is not for one of its members to change, nor a suffix to be lost.
    const auto* here = ours_.table.find(cc);
    if (!cc.suffix.empty() || (here != nullptr && !same_key(here->key, there.key))) return;
    auto value = ours_.table.is_list ? std::optional<std::string>("") : in_cpp(there.value);
    if (!value) return;
    finding.added_key = "cc:" + cc_text({cc.major, cc.minor});
    finding.added_value = std::move(*value);
    finding.remedy += "; --fix does";
  }

  /// The value as C++ code: by the same words where they mean the same here.
  [[nodiscard]] std::optional<std::string> in_cpp(const Datum& datum) {
    if (datum.is_list) {
      std::vector<std::string> items;
      for (const auto& item : datum.items) {
        auto code = in_cpp(item);
        if (!code) return std::nullopt;
        items.push_back(std::move(*code));
      }
      return "{" + join(items, ", ") + "}";
    }
    if (!datum.constant) return std::nullopt;
    if (plain_string(*datum.constant))
      return datum.text.starts_with('"') && !datum.text.contains('\\') ? std::optional(datum.text)
                                                                       : std::nullopt;
    return is_usual_here(datum) ? datum.text : code_of(*datum.constant);
  }

  /// Do the words mean the same here, use no name that other rows do not, and stay within an int?
  [[nodiscard]] bool is_usual_here(const Datum& datum) {
    const auto* integer = std::get_if<std::int64_t>(&datum.constant->value);
    if (integer == nullptr || *integer > INT32_MAX || *integer < INT32_MIN ||
        datum.text.contains("//"))
      return false;
    const auto words = Fragment::parse(module_.language(), "expression", datum.text);
    if (!words || words->nodes().size() != 1) return false;
    bool is_known = true;
    walk(words->nodes()[0], [&](const Node& node) {
      const auto name = node.text(words->tree().text());
      const bool is_name = node.child_count() == 0 && !name.empty() &&
                           (std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_');
      if (is_name && whole_words(ours_.table.range.of(module_.text()), name).empty())
        is_known = false;
      return is_known;
    });
    const auto here = evaluator_.evaluate(words->tree(), words->nodes()[0]);
    return is_known && here && compare({.constant = here}, datum) == Same::kYes;
  }

  const PlacedTable& ours_;
  const PlacedTable& theirs_;
  const SourceTree& module_;
  CodeEvaluator evaluator_;
  const std::vector<CcPlace>& places_;
};

}  // namespace

std::vector<CheckFinding> judge_mirror(const Companion& companion, const PlacedTable& ours,
                                       const PlacedTable& theirs, const SourceTree& module,
                                       const std::vector<CcPlace>& places) {
  MirrorJudge judge(ours, theirs, module, places);
  if (companion.covers.empty()) judge.judge_all();
  for (const auto& cc : companion.covers) judge.judge(cc);
  judge.tell_unread();
  return std::move(judge.findings);
}

void add_unread(const PlacedTable& table, std::vector<CheckFinding>& findings) {
  if (table.table.unread.empty()) return;
  findings.push_back({.kind = FindingKind::kNotSeen,
                      .here = table.at(table.table.line),
                      .says = fmt::format("these keys of {} could not be read: {}", table.name,
                                          join(table.table.unread, ", ")),
                      .remedy = "look at them"});
}

std::vector<CheckFinding> judge_list(const Companion& companion, const PlacedTable& ours,
                                     const std::optional<Gate>& gate) {
  std::vector<std::string> present;
  for (const auto& row : ours.table.rows) present.push_back(describe(row.key));
  std::vector<CheckFinding> findings;
  for (const auto& cc : asked_of(companion)) {
    const auto is_in = gate ? gate->lets_in(cc) : std::optional(true);
    if (is_in == false || ours.table.find(cc) != nullptr) continue;
    CheckFinding finding{.kind = is_in ? FindingKind::kMissingKey : FindingKind::kNotSeen,
                         .cc = {cc},
                         .here = ours.at(ours.table.line),
                         .there = gate ? gate->place : NamedPlace{},
                         .says = fmt::format("{} has no {}; there is {}", ours.name, cc_text(cc),
                                             join(present, ", ")),
                         .remedy = "add it"};
    if (!is_in)
      finding.says += fmt::format("; whether {} lets it in {}", gate->place.text,
                                  gate->why_untold());
    else
      finding.added_key = "cc:" + cc_text({cc.major, cc.minor}), finding.remedy += "; --fix does";
    findings.push_back(std::move(finding));
  }
  return findings;
}

CcPlace as_place(const PlacedTable& table) {
  CcPlace place{.path = table.path,
                .form = "table",
                .name = table.name,
                .line = table.table.line,
                .end_line = table.table.line,
                .range = table.table.range};
  for (const auto& row : table.table.rows) {
    place.arms.push_back({.line = row.line,
                          .end_line = row.line,
                          .is_row = true,
                          .keys = {{.expression = table.name,
                                    .op = "==",
                                    .key = row.key_text,
                                    .unit = row.key.unit,
                                    .cc = row.key.cc,
                                    .line = row.line}},
                          .text = row.value.text});
  }
  return place;
}

}  // namespace portpatch
