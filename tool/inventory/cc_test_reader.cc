#include "inventory/cc_test_reader.h"

#include <algorithm>
#include <cctype>

#include <re2/re2.h>

#include "syntax/code_form.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

using Kind = CcTest::Kind;

const CcTest kOpen{};

std::string_view turned(std::string_view op) {
  return op == "<" ? ">" : op == "<=" ? ">=" : op == ">" ? "<" : op == ">=" ? "<=" : op;
}

CcTest denied(CcTest test) {
  CcTest result{.kind = Kind::kNot};
  result.parts.push_back(std::move(test));
  return result;
}

std::string without_blanks(std::string_view text) {
  std::string result(text);
  std::erase_if(result, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  return result;
}

}  // namespace

LineIndex::LineIndex(std::string_view text) : begins_{0} {
  for (auto at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    begins_.push_back(at + 1);
}

std::size_t LineIndex::line_of(std::size_t offset) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(begins_, offset) - begins_.begin());
}

bool has_keys(const CcTest& test) {
  return test.kind == Kind::kKey || !test.helper.empty() ||
         std::ranges::any_of(test.parts, has_keys);
}

CcTestReader::CcTestReader(const SourceTree& tree, const CcNames& names, bool file_speaks,
                           const Constants& constants)
    : tree_(tree),
      names_(names),
      evaluator_(tree),
      class_constants_(tree),
      lines_(tree.text()),
      file_speaks_(file_speaks),
      constants_(constants) {}

std::optional<AskedCc> CcTestReader::set_variable(const std::string& name,
                                                  std::optional<AskedCc> says) {
  const auto known = variables_.find(name);
  auto before = known == variables_.end() ? std::nullopt : std::optional(known->second);
  if (says)
    variables_[name] = *says;
  else
    variables_.erase(name);
  return before;
}

std::optional<KeyMeaning> CcTestReader::key_of(const Node& node, std::optional<KeyUnit> unit) {
  if (const auto known = constants_.find(text(node)); known != constants_.end())
    return meaning_of(known->second, KeyUnit::kHundreds, false);
  if (const auto value = class_constants_.value_of(node))
    return read_key(tree_, evaluator_, value, unit);
  return read_key(tree_, evaluator_, node, unit);
}

/// A weak name is a cc where what it was given speaks of one, or all that surrounds it does.
bool CcTestReader::is_gpus(const Node& node, std::string_view name) {
  const auto scope = ancestor_with(tree_, node.parent(), Role::kScope);
  const auto [known, is_new] = weak_.try_emplace({scope.id(), std::string(name)}, false);
  if (is_new) known->second = is_gpus_in(scope ? text(scope) : tree_.text(), name);
  return known->second;
}

bool CcTestReader::is_gpus_in(std::string_view around, std::string_view name) const {
  for (const auto at : whole_words(around, name)) {
    const auto line = line_at(around, at);
    const auto rest = line.substr(static_cast<std::size_t>(around.data() + at - line.data()));
    const auto sign = rest.find('=');
    if (sign == std::string_view::npos || sign + 1 >= rest.size() || rest[sign + 1] == '=' ||
        std::string_view("!<>=").contains(rest[sign - 1]))
      continue;
    // `arch = `, `major, minor = `, `cap: int = `.
    static const RE2 kTargets(R"(\s*(,\s*\w+\s*)*(:[^=(]*)?)");
    const auto between = rest.substr(name.size(), sign - name.size());
    if (!RE2::FullMatch(re2::StringPiece(between.data(), between.size()), kTargets)) continue;
    const auto value = trim(rest.substr(sign + 1));
    if (value.empty() || std::isdigit(static_cast<unsigned char>(value[0])) != 0)
      continue;  // `int major = 0;` to be filled in
    if (names_.asked(value.substr(0, value.find(';'))) && file_speaks_)
      return true;  // devices[id].cc
    return names_.speaks(value.size() < 4 || value.ends_with('(') ? around.substr(at + sign, 200)
                                                                  : value);
  }
  return file_speaks_;
}

std::optional<AskedCc> CcTestReader::asked(const Node& in) {
  const auto node = inside_groups(tree_, in);
  if (!node) return std::nullopt;
  if (has_role(tree_, node, Role::kBinary)) {
    const auto sign = text(node.field("operator"));
    const auto left = asked(node.field("left"));
    const auto by = left ? evaluator_.evaluate(tree_, node.field("right")) : std::nullopt;
    const auto* number = by ? std::get_if<std::int64_t>(&by->value) : nullptr;
    if (number != nullptr && (sign == "/" || sign == "//") && (*number == 10 || *number == 100))
      return AskedCc{KeyUnit::kMajor, left->is_weak};
    if (number != nullptr && sign == "%" && *number == 10)
      return AskedCc{KeyUnit::kMinor, left->is_weak};
    if (number != nullptr && sign == "*" && left->unit == KeyUnit::kMajor &&
        (*number == 10 || *number == 100)) {
      return AskedCc{*number == 10 ? KeyUnit::kTens : KeyUnit::kHundreds, left->is_weak};
    }
    return sign == "+" && left && (left->unit == KeyUnit::kTens || left->unit == KeyUnit::kHundreds)
               ? left
               : std::nullopt;
  }
  if (has_role(tree_, node, Role::kTuple)) {  // (major, minor) >= (9, 0)
    const auto items = node.named_children();
    const auto first = items.empty() ? std::nullopt : asked(items[0]);
    return items.size() == 2 && first && first->unit == KeyUnit::kMajor
               ? std::optional(AskedCc{KeyUnit::kTuple, first->is_weak})
               : std::nullopt;
  }
  const auto spelled = without_blanks(text(node));
  static const RE2 kPostfix(
      R"([A-Za-z_][\w.:>\-]*(\(.*\))?(<[\w:,]*>)?(\[[\w:\-]*\])?(\.\w+(\(\))?)?)");
  if (spelled.size() > 160 || !RE2::FullMatch(spelled, kPostfix)) return std::nullopt;
  auto bare = std::string_view(spelled).substr(0, spelled.find('['));
  if (const auto known = variables_.find(bare); known != variables_.end()) {
    auto says = known->second;
    if (spelled.ends_with("[0]")) says.unit = KeyUnit::kMajor;
    if (spelled.ends_with("[1]")) says.unit = KeyUnit::kMinor;
    return says;
  }
  auto says = names_.asked(spelled);
  if (says && says->is_weak && !is_gpus(node, bare)) return std::nullopt;
  return says;
}

CcTest CcTestReader::with_key(std::vector<CcKey>& keys, const Node& asks, std::string op,
                              const Node& key, const KeyMeaning& means) const {
  keys.push_back({.expression = folded(text(asks)),
                  .op = std::move(op),
                  .key = folded(text(key)),
                  .unit = means.unit,
                  .cc = means.cc,
                  .line = lines_.line_of(key.range().begin)});
  return {.kind = Kind::kKey, .key = keys.size() - 1};
}

CcTest CcTestReader::membership(const AskedCc& says, const Node& left, const Node& list,
                                std::vector<CcKey>& keys) {
  CcTest any{.kind = Kind::kAny};
  for (const auto& item : list.named_children()) {
    if (item.is_extra()) continue;
    const auto means = read_key(tree_, evaluator_, item,
                                says.unit == KeyUnit::kTuple ? std::nullopt : says.unit);
    if (!means)
      any.parts.push_back(kOpen);
    else
      any.parts.push_back(with_key(keys, left, "==", item, *means));
  }
  return any;
}

/// {90, 120} of frozenset({90, 120}).
Node CcTestReader::inside_wrapper(const Node& node) const {
  const bool is_wrapper = has_role(tree_, node, Role::kWrapper) &&
                          !has_role(tree_, node, Role::kSequence);
  return is_wrapper ? descendant_with(tree_, node, Role::kInner) : node;
}

CcTest CcTestReader::compare(const Node& left, std::string op, const Node& right,
                             std::vector<CcKey>& keys) {
  if (op == "in" || op == "not in") {
    const auto says = asked(left);
    const auto value = class_constants_.value_of(right);
    const auto list = value ? inside_wrapper(value) : right;
    if (!says || !has_role(tree_, list, Role::kSequence)) return kOpen;
    auto any = membership(*says, left, list, keys);
    return op == "in" ? any : denied(std::move(any));
  }
  for (const bool is_turned : {false, true}) {
    const auto& subject = is_turned ? right : left;
    const auto& key = is_turned ? left : right;
    const auto says = asked(subject);
    if (!says || (!class_constants_.value_of(key) && asked(key))) continue;
    const auto unit = says->unit == KeyUnit::kTuple ? std::nullopt : says->unit;
    if (const auto means = key_of(key, unit))
      return with_key(keys, subject, std::string(is_turned ? turned(op) : op), key, *means);
  }
  // arch == "sm_90a": a text that says itself which cc it is.
  for (const bool is_turned : {false, true}) {
    const auto& key = is_turned ? left : right;
    const auto constant = op == "==" || op == "!=" ? evaluator_.evaluate(tree_, key) : std::nullopt;
    const auto plain = constant ? plain_string(*constant) : std::nullopt;
    if (const auto means = plain ? named_cc(*plain) : std::nullopt)
      return with_key(keys, is_turned ? right : left, op, key, *means);
  }
  // arch == Sm100f, cubinArch == ArchTag::Sm90: the name on the right says itself which cc it is.
  if ((op == "==" || op == "!=") && text(right).find_first_of("\"'0123456789") != 0) {
    if (const auto means = named_cc(text(right))) return with_key(keys, left, op, right, *means);
  }
  return kOpen;
}

CcTest CcTestReader::read_comparison(const Node& node, std::vector<CcKey>& keys) {
  static const std::vector<std::string_view> kOps{"==", "!=", "<", "<=", ">", ">=", "in", "not in"};
  std::vector<Node> parts;
  for (const auto& child : node.children()) {
    if (!child.is_extra()) parts.push_back(child);
  }
  CcTest all{.kind = Kind::kAll};
  for (std::size_t i = 0; i + 2 < parts.size(); i += 2) {
    const auto op = folded(text(parts[i + 1]));
    all.parts.push_back(std::ranges::find(kOps, op) == kOps.end()
                            ? kOpen
                            : compare(inside_groups(tree_, parts[i]), op,
                                      inside_groups(tree_, parts[i + 2]), keys));
  }
  if (all.parts.size() != 1) return all.parts.empty() ? kOpen : all;
  return std::move(all.parts[0]);
}

CcTest CcTestReader::read_call(const Node& node, std::vector<CcKey>& keys) {
  const auto callee = child_with(tree_, node, Role::kCallee),
             arguments = child_with(tree_, node, Role::kArguments);
  const auto items = arguments ? arguments.named_children() : std::vector<Node>();
  if (const auto says = names_.comparing(text(callee)); says && !items.empty()) {
    auto means = read_key(tree_, evaluator_, items[0], std::nullopt);
    if (!means) return kOpen;
    if (says->is_family) means->unit = KeyUnit::kMajor;
    return with_key(keys, callee, says->op, items[0], *means);
  }
  return names_.is_helper(text(callee))
             ? CcTest{.helper = std::string(last_identifier(text(callee)))}
             : kOpen;
}

CcTest CcTestReader::read_defined(std::string_view macro) const {
  if (names_.is_foreign(macro)) return {.kind = Kind::kFalse};
  const auto says = names_.asked(macro);
  return says || names_.is_neutral(macro) ? CcTest{.kind = Kind::kTrue} : kOpen;
}

/// A version of the toolkit, which is taken for new: `>= 12080` holds, `< 13000` does not.
CcTest CcTestReader::of_version(const Node& node) const {
  std::vector<Node> parts;
  for (const auto& child : node.children()) {
    if (!child.is_extra()) parts.push_back(child);
  }
  if (parts.size() != 3) return kOpen;
  const bool is_turned = has_role(tree_, parts[0], Role::kInteger);
  const auto op = is_turned ? turned(text(parts[1])) : text(parts[1]);
  return op.starts_with('>')   ? CcTest{.kind = Kind::kTrue}
         : op.starts_with('<') ? CcTest{.kind = Kind::kFalse}
                               : kOpen;
}

CcTest CcTestReader::read(const Node& condition, std::vector<CcKey>& keys) {
  const auto node = inside_groups(tree_, condition);
  if (!node) return kOpen;
  if (has_role(tree_, node, Role::kNegation)) return denied(read(node.field("argument"), keys));
  const bool is_all = has_role(tree_, node, Role::kConjunction);
  if (is_all || has_role(tree_, node, Role::kDisjunction)) {
    CcTest test{.kind = is_all ? Kind::kAll : Kind::kAny};
    test.parts.reserve(2);  // a long chain is as deep as it is long: no part is copied
    test.parts.push_back(read(node.field("left"), keys));
    test.parts.push_back(read(node.field("right"), keys));
    return test;
  }
  if (has_role(tree_, node, Role::kDefined)) {
    const auto name = descendant_with(tree_, node, Role::kReference);
    return name ? read_defined(text(name)) : kOpen;
  }
  if (has_role(tree_, node, Role::kComparison)) {
    auto test = read_comparison(node, keys);
    return has_keys(test) || !names_.is_neutral(folded(text(node))) ? test : of_version(node);
  }
  if (has_role(tree_, node, Role::kTrue)) return {.kind = Kind::kTrue};
  if (has_role(tree_, node, Role::kFalse)) return {.kind = Kind::kFalse};
  if (has_role(tree_, node, Role::kString))
    return {.kind = Kind::kTrue};  // assert(sm >= 90 && "needs Hopper")
  const auto spelled = folded(text(node));
  if (names_.is_foreign(spelled)) return {.kind = Kind::kFalse};
  if (has_role(tree_, node, Role::kCall)) {
    auto test = read_call(node, keys);
    return has_keys(test) || !names_.is_neutral(spelled) ? test : CcTest{.kind = Kind::kTrue};
  }
  static const RE2 kMajor(R"((?:\w+::)*is_major_v\s*<\s*(\d+)\s*>)"),
      kSame(R"((?:\w+::)*is_same(?:_v)?\s*<([^,<>]*),\s*([^,<>]*)>(?:::value)?)");
  int major = 0;
  if (RE2::FullMatch(spelled, kMajor, &major)) {
    keys.push_back({.expression = "is_major_v",
                    .op = "==",
                    .key = std::to_string(major),
                    .unit = KeyUnit::kMajor,
                    .cc = {major, 0},
                    .line = lines_.line_of(node.range().begin)});
    return {.kind = Kind::kKey, .key = keys.size() - 1};
  }
  std::string one, other;
  if (RE2::FullMatch(spelled, kSame, &one, &other)) {
    if (const auto means = named_cc(other)) {
      keys.push_back({.expression = one,
                      .op = "==",
                      .key = other,
                      .unit = means->unit,
                      .cc = means->cc,
                      .line = lines_.line_of(node.range().begin)});
      return {.kind = Kind::kKey, .key = keys.size() - 1};
    }
  }
  if (names_.is_neutral(spelled)) return {.kind = Kind::kTrue};
  if (names_.is_helper(spelled)) return {.helper = std::string(last_identifier(spelled))};
  return kOpen;
}

}  // namespace portpatch
