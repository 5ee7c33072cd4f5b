#include "edit/import_writer.h"

#include <algorithm>

#include <fmt/format.h>

#include "edit/blocks.h"
#include "edit/layout.h"
#include "edit/line_tail.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

/// Lines longer than this are broken, unless the file's imports already have longer ones.
constexpr std::size_t kLineWidth = 88;

std::string statement_text(const Language& language, const ImportStatement& wanted,
                           const std::vector<std::string>& names) {
  auto text = language.import_template(wanted.is_from ? "from" : "plain");
  for (const auto& [mark, part] : {std::pair<std::string, std::string>{"{module}", wanted.module},
                                   {"{names}", join(names, ", ")}}) {
    if (const auto at = text.find(mark); at != std::string::npos)
      text.replace(at, mark.size(), part);
  }
  return text + (wanted.comment.empty() ? "" : "  " + wanted.comment);
}

}  // namespace

std::optional<Diagnostic> ImportWriter::add(const ImportStatement& wanted,
                                            const std::vector<const ImportedName*>& names) {
  const auto* zone = zone_for(wanted.for_types);
  if (zone == nullptr) return add_types_block(wanted);
  std::vector<const ImportedName*> alone;
  std::map<const ImportStatement*, std::vector<const ImportedName*>> merged;
  for (const auto* name : names) {
    const auto* target = wanted.is_from ? target_of(*zone, wanted, *name) : nullptr;
    (target == nullptr ? alone : merged[target]).push_back(name);
  }
  for (const auto& [target, some] : merged) {
    if (auto why = merge(*target, some)) return why;
  }
  if (alone.empty()) return std::nullopt;
  if (wanted.is_from) {
    put(*zone, wanted, alone);
    return std::nullopt;
  }
  for (const auto* name : alone) {
    auto one = wanted;
    one.names = {*name};
    put(*zone, one, {name});
  }
  return std::nullopt;
}

Result<Step> ImportWriter::finish() {
  for (const auto& group : groups_) {
    if (auto why = place(group)) return std::unexpected(*why);
  }
  std::ranges::stable_sort(edits_, {}, &TextEdit::range);
  Edits joined;
  for (auto& edit : edits_) {
    if (!joined.empty() && joined.back().range == edit.range)
      joined.back().text += edit.text;
    else
      joined.push_back(std::move(edit));
  }
  auto step = Step::edit(std::move(joined), parents_[0]);
  step.more_parents.assign(parents_.begin() + 1, parents_.end());
  return step;
}

const ImportZone* ImportWriter::zone_for(bool for_types) {
  auto& slot = for_types ? types_zone_ : zone_;
  if (!slot) slot = ImportZone::find(file_, for_types);
  return slot ? &*slot : nullptr;
}

std::string ImportWriter::written_name(const ImportedName& name) const {
  return std::string(name.node.text(fragment_.tree().text()));
}

/// The statement of the file that the name may be added to. A name with an alias goes beside others
/// with one, or into a statement of its own.
const ImportStatement* ImportWriter::target_of(const ImportZone& zone,
                                               const ImportStatement& wanted,
                                               const ImportedName& name) const {
  for (const auto& block : zone.blocks) {
    for (const auto& statement : block.statements) {
      if (!statement.is_from || statement.is_open ||
          !same_module(file_.path(), statement.module, wanted.module))
        continue;
      if (std::ranges::any_of(statement.names, [&](const ImportedName& one) {
            return one.has_alias == name.has_alias;
          }))
        return &statement;
    }
  }
  return nullptr;
}

/// Adds names to a list, each at its place in the list's order.
std::optional<Diagnostic> ImportWriter::merge(const ImportStatement& target,
                                              const std::vector<const ImportedName*>& names) {
  const auto container = names_of(tree(), target);
  std::vector<std::string> present;
  for (const auto& item : target.names) present.push_back(item.name);
  std::map<std::size_t, std::vector<const ImportedName*>> places;
  for (const auto* name : names) {
    auto& here = places[place_of_name(present, name->name)];
    std::vector<std::string> before;
    for (const auto* one : here) before.push_back(one->name);
    here.insert(here.begin() + static_cast<std::ptrdiff_t>(place_of_name(before, name->name)),
                name);
  }
  NamesByPlace at;
  for (const auto& [index, some] : places) {
    for (const auto* name : some) at[index].push_back(written_name(*name));
  }
  allow(target.node);
  if (auto broken = break_list(target, container, at)) return take(std::move(*broken));
  for (const auto& [index, some] : at) {
    const bool vertical = is_vertical(tree(), container, index);
    const auto gap = vertical ? fmt::format(",{}{}", line_break_of(text()),
                                            indent_for(tree(), container, index))
                              : std::string(", ");
    if (auto why = take(insert_item(tree(), container, index, {.code = join(some, gap)})))
      return why;
  }
  return std::nullopt;
}

std::size_t ImportWriter::width() const {
  std::size_t longest = kLineWidth;
  for (const auto* zone : {&zone_, &types_zone_}) {
    if (!*zone) continue;
    for (const auto& block : (*zone)->blocks) {
      for (const auto& statement : block.statements) {
        for (const auto line : split_lines(statement.node.text(text())))
          longest = std::max(longest, display_width(line));
      }
    }
  }
  return longest;
}

/// A list without brackets that would be too long for its line gets them, a name on each line.
std::optional<std::vector<TextEdit>> ImportWriter::break_list(const ImportStatement& target,
                                                              const Container& container,
                                                              const NamesByPlace& at) const {
  const auto& open = tree().language().import_template("open");
  const auto tail = line_tail(tree(), target.node.range().end);
  auto size = display_width(line_at(text(), target.node.range().begin));
  for (const auto& [index, some] : at) size += display_width(join(some, ", ")) + 2;
  const bool is_one_line = tail.is_empty() && !target.node.text(text()).contains('\n');
  if (container.has_brackets || open.empty() || size <= width() || !is_one_line)
    return std::nullopt;
  const auto outer = std::string(line_break_of(text())) +
                     std::string(indent_at(text(), target.node.range().begin));
  const auto inner = outer + indent_unit(text());
  const auto lines = [&](std::size_t index) {
    std::string out;
    if (const auto found = at.find(index); found != at.end()) {
      for (const auto& name : found->second) out += inner + name + ",";
    }
    return out;
  };
  Edits edits;
  const auto& items = container.items;
  edits.push_back({{items[0].range().begin, items[0].range().begin}, open + lines(0) + inner});
  for (std::size_t i = 1; i < items.size(); ++i)
    edits.push_back({{*items[i - 1].comma + 1, items[i].range().begin}, lines(i) + inner});
  const auto end = items.back().range().end;
  edits.push_back(
      {{end, end}, "," + lines(items.size()) + outer + tree().language().import_template("close")});
  return edits;
}

/// Notes the statement, to be written at its place together with others that go there.
void ImportWriter::put(const ImportZone& zone, const ImportStatement& wanted,
                       const std::vector<const ImportedName*>& names) {
  auto key = key_of(tree().language(), file_.path(), wanted);
  auto place = place_of_import(file_, zone, key);
  std::vector<std::string> written;
  for (const auto* name : names) written.push_back(written_name(*name));
  NewStatement statement{key, statement_text(tree().language(), wanted, written)};
  const auto group = std::ranges::find_if(groups_, [&](const Group& one) {
    return one.place.anchor == place.anchor && one.place.is_behind == place.is_behind;
  });
  if (group == groups_.end()) {
    groups_.push_back({place, {std::move(statement)}});
    return;
  }
  auto& all = group->statements;
  const auto behind = std::ranges::find_if(all, [&](const NewStatement& one) {
    if (group->place.is_own_block && one.key.section != key.section)
      return key.section < one.key.section;
    return group->place.order && group->place.order->before(key, one.key);
  });
  all.insert(behind, std::move(statement));
}

std::optional<Diagnostic> ImportWriter::place(const Group& group) {
  CodeLines lines;
  const auto& place = group.place;
  const bool leads_block = place.is_own_block && place.anchor;
  if (leads_block &&
      (place.is_behind || blank_lines_above(text(), place.anchor.range().begin) == 0))
    lines.emplace_back();
  for (std::size_t i = 0; i < group.statements.size(); ++i) {
    if (i > 0 && place.is_own_block &&
        group.statements[i].key.section != group.statements[i - 1].key.section)
      lines.emplace_back();
    lines.push_back({group.statements[i].text});
  }
  const int blanks = leads_block && !place.is_behind ? std::max(1, place.blanks_after)
                                                     : place.blanks_after;
  for (int i = 0; i < blanks; ++i) lines.emplace_back();
  if (!place.anchor) {
    allow(tree().root());
    return take(insert_into_empty(tree(), tree().root(), lines));
  }
  allow(place.anchor.parent());
  allow_in_variants(place.anchor);
  return take(place.is_behind ? insert_behind(tree(), place.anchor, lines)
                              : insert_in_front(tree(), place.anchor, lines));
}

/// The block for type checkers as the rule writes it, behind the imports.
std::optional<Diagnostic> ImportWriter::add_types_block(const ImportStatement& wanted) {
  const auto* zone = zone_for(false);
  if (zone->blocks.empty()) {
    return Diagnostic{
        .code = "no-place",
        .message = "the file has no imports that a block for type checkers could stand behind",
        .remedy = "write that block into the file by hand"};
  }
  const auto whole = ancestor_with(fragment_.tree(), wanted.node, Role::kImportTypes).parent();
  if (std::ranges::find(written_blocks_, whole.range()) != written_blocks_.end())
    return std::nullopt;
  written_blocks_.push_back(whole.range());
  const auto fragment = Fragment::parse(tree().language(), "statement",
                                        whole.text(fragment_.tree().text()));
  if (!fragment) return fragment.error();
  auto lines = statement_lines(*fragment, indent_unit(text()));
  lines.insert(lines.begin(), CodeLine{});
  const auto& anchor = zone->blocks.back().statements.back().node;
  allow(anchor.parent());
  return take(insert_behind(tree(), anchor, lines));
}

std::optional<Diagnostic> ImportWriter::take(Result<Edits> edits) {
  if (!edits) return edits.error();
  edits_.insert(edits_.end(), edits->begin(), edits->end());
  return std::nullopt;
}

void ImportWriter::allow(const Node& parent) {
  if (std::ranges::find(parents_, parent.range()) == parents_.end())
    parents_.push_back(parent.range());
}

/// Where a conditional around the file is masked, the statement has another parent.
void ImportWriter::allow_in_variants(const Node& anchor) {
  for (std::size_t i = 1; i < file_.readings().size(); ++i) {
    const auto node = file_.readings()[i].tree.node_at(anchor.range(), anchor.kind());
    if (node && node.parent()) allow(node.parent());
  }
}

}  // namespace portpatch
