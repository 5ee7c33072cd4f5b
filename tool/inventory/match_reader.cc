#include "inventory/match_reader.h"

#include <algorithm>
#include <ranges>

namespace portpatch {

namespace {

using Kind = CcTest::Kind;

std::vector<Node> items_of(const Node& node) {
  auto items = node.named_children();
  std::erase_if(items, [](const Node& item) { return item.is_extra(); });
  return items;
}

/// Patterns of a case, side by side; the guard and the body stand in fields.
std::vector<Node> patterns_of(const Node& clause) {
  std::vector<Node> patterns;
  for (const auto& [node, field] : fields_of(clause)) {
    if (node.is_named() && field.empty()) patterns.push_back(node);
  }
  return patterns;
}

Node guard_of(const Node& clause) {
  const auto items = items_of(clause.field("guard"));
  return items.empty() ? Node() : items[0];
}

}  // namespace

MatchReader::MatchReader(CcTestReader& reader, const Node& statement) : reader_(reader) {
  for (const auto& child : statement.named_children()) {
    if (is(child, Role::kSubject)) subject_.parts.push_back(subject_of(child));
  }
  if (subject_.parts.empty()) return;
  subject_.range = {subject_.parts.front().range.begin, subject_.parts.back().range.end};
  if (subject_.parts.size() == 1) subject_ = Subject(subject_.parts[0]);
}

bool MatchReader::is_case(const Node& clause) {
  return static_cast<bool>(clause.field("consequence"));
}

MatchReader::Subject MatchReader::subject_of(const Node& node) {
  Subject subject{.range = node.range(), .says = reader_.asked(node)};
  if (!is(node, Role::kTuple)) return subject;
  for (const auto& item : items_of(node)) subject.parts.push_back(subject_of(item));
  return subject;
}

CcTest MatchReader::with_key(std::vector<CcKey>& keys, const Subject& subject, ByteRange key,
                             const KeyMeaning& means) const {
  keys.push_back({.expression = spelled(subject),
                  .op = "==",
                  .key = folded(key.of(reader_.tree().text())),
                  .unit = means.unit,
                  .cc = means.cc,
                  .line = reader_.line_of(key.begin)});
  return {.kind = Kind::kKey, .key = keys.size() - 1};
}

void MatchReader::bind(const Node& name, const Subject& subject) {
  std::string spelled(text(name));
  auto before = reader_.set_variable(spelled, subject.says);
  bound_.emplace_back(std::move(spelled), before);
}

CcTest MatchReader::literal(const Node& node, const Subject& subject, std::vector<CcKey>& keys) {
  if (!subject.says || subject.says->unit == KeyUnit::kTuple) return {};
  auto& evaluator = reader_.evaluator();
  if (const auto means = read_key(reader_.tree(), evaluator, node, subject.says->unit))
    return with_key(keys, subject, node.range(), *means);
  // A number that is no cc, None: never taken. A text or a name may be one of a cc all the same.
  const auto constant = evaluator.evaluate(reader_.tree(), node);
  const bool is_other = constant && !std::holds_alternative<std::string>(constant->value);
  return is_other ? CcTest{.kind = Kind::kFalse} : CcTest{};
}

std::optional<KeyMeaning> MatchReader::number(Node node, KeyUnit unit) const {
  for (auto items = items_of(node); items.size() == 1 && items[0].range() == node.range();
       items = items_of(node))
    node = items[0];
  return is(node, Role::kInteger) ? read_key(reader_.tree(), reader_.evaluator(), node, unit)
                                  : std::nullopt;
}

CcTest MatchReader::sequence(std::vector<Node> items, const Subject& subject,
                             std::vector<CcKey>& keys) {
  const auto unit = subject.says ? subject.says->unit : std::nullopt;
  auto parts = subject.parts;
  if (parts.empty() && subject.says && (!unit || unit == KeyUnit::kTuple)) {
    const bool is_weak = subject.says->is_weak;
    parts = {{subject.range, AskedCc{KeyUnit::kMajor, is_weak}},
             {subject.range, AskedCc{KeyUnit::kMinor, is_weak}}};
  }
  if (parts.empty()) return {};
  if (!items.empty() && text(items.back()).starts_with('*')) {
    items.pop_back();
    if (items.size() < parts.size()) parts.resize(items.size());
  }
  if (items.size() != parts.size()) return {.kind = Kind::kFalse};
  // (12, 0)
  if (parts.size() == 2 && parts[0].says && parts[1].says &&
      parts[0].says->unit == KeyUnit::kMajor && parts[1].says->unit == KeyUnit::kMinor) {
    const auto major = number(items[0], KeyUnit::kMajor), minor = number(items[1], KeyUnit::kMinor);
    if (major && minor)
      return with_key(keys, subject, ByteRange{items[0].range().begin, items[1].range().end},
                      {KeyUnit::kTuple, {major->cc.major, minor->cc.minor}});
  }
  CcTest all{.kind = Kind::kAll};
  for (std::size_t i = 0; i < items.size(); ++i)
    all.parts.push_back(pattern(items[i], parts[i], keys));
  return all.parts.empty() ? CcTest{.kind = Kind::kTrue} : all;
}

CcTest MatchReader::pattern(const Node& node, const Subject& subject, std::vector<CcKey>& keys) {
  const auto spelled = text(node);
  if (spelled == "_") return {.kind = Kind::kTrue};
  const auto items = items_of(node);
  if (is(node, Role::kAlternatives)) {
    CcTest any{.kind = Kind::kAny};
    for (const auto& item : node.children()) {
      if (item.is_named() ? !item.is_extra() : text(item) == "_")
        any.parts.push_back(pattern(item, subject, keys));
    }
    return any;
  }
  if (is(node, Role::kDefinition)) {
    bind(node, subject);
    return {.kind = Kind::kTrue};
  }
  if (is(node, Role::kValuePattern) || is(node, Role::kString)) return literal(node, subject, keys);
  if (items.size() == 1 && items[0].range() == node.range())
    return pattern(items[0], subject, keys);
  if (items.size() == 2 && text(node.children()[1]) == "as") {
    auto test = pattern(items[0], subject, keys);
    bind(items[1], subject);
    return test;
  }
  if (spelled.starts_with('-')) return {.kind = Kind::kFalse};
  if (spelled.starts_with('(') || spelled.starts_with('[')) {
    const bool is_group = items.size() == 1 && spelled[0] == '(' &&
                          node.children().size() == 3;  // no comma
    return is_group ? pattern(items[0], subject, keys) : sequence(items, subject, keys);
  }
  return items.empty() ? literal(node, subject, keys) : CcTest{};
}

CcTest MatchReader::read(const Node& clause, std::vector<CcKey>& keys) {
  const auto patterns = patterns_of(clause);
  const auto guard = guard_of(clause);
  bound_.clear();
  CcTest test = patterns.size() == 1 ? pattern(patterns[0], subject_, keys)
                                     : sequence(patterns, subject_, keys);
  if (guard) {
    auto holds = reader_.read(guard, keys);
    test = test.kind == Kind::kTrue
               ? std::move(holds)
               : CcTest{.kind = Kind::kAll, .parts = {std::move(test), std::move(holds)}};
  }
  for (const auto& [name, before] : bound_ | std::views::reverse)
    reader_.set_variable(name, before);
  return test;
}

std::string MatchReader::condition(const Node& clause) const {
  const auto patterns = patterns_of(clause);
  const auto guard = guard_of(clause);
  if (patterns.empty()) return {};
  const auto end = guard ? guard.range().end : patterns.back().range().end;
  return folded(ByteRange{patterns.front().range().begin, end}.of(reader_.tree().text()));
}

}  // namespace portpatch
