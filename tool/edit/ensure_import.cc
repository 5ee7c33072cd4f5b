#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "edit/blocks.h"
#include "edit/import_bindings.h"
#include "edit/import_writer.h"
#include "edit/layout.h"
#include "edit/step.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

/// One name that the rule wants, and what the file makes of it.
struct WantedName {
  const ImportStatement* statement;
  const ImportedName* name;
  ImportState state;
};

struct Wanted {
  Fragment fragment;
  std::vector<ImportStatement> statements;
  std::vector<WantedName> names;
};

Result<Wanted> look_up(const EditContext& context) {
  auto fragment = Fragment::parse(context.language(), "statement", context.directive.texts[0]);
  if (!fragment) return std::unexpected(fragment.error());
  Wanted wanted{.fragment = std::move(*fragment), .statements = {}, .names = {}};
  auto statements = imports_of_text(wanted.fragment);
  if (!statements)
    return failure("bad-code", "the text holds more than imports",
                   "write only statements that import");
  wanted.statements = std::move(*statements);
  const auto present = present_imports(context.file);
  for (const auto& statement : wanted.statements) {
    for (const auto& name : statement.names)
      wanted.names.push_back({&statement, &name, state_of(context.file, present, statement, name)});
  }
  return wanted;
}

std::string text_of(const Wanted& wanted, const WantedName& name) {
  return std::string(name.statement->node.text(wanted.fragment.tree().text()));
}

/// A name that the file has otherwise stops the whole directive.
std::optional<Step> obstacle(const EditContext& context, const Wanted& wanted) {
  for (const auto& one : wanted.names) {
    const auto place = one.state.node.range();
    const auto what = one.name->bound.empty() ? one.name->name : one.name->bound;
    if (one.state.kind == ImportState::Kind::kTaken) {
      return Step::conflict(fmt::format("`{}` is something else in the file", what),
                            text_of(wanted, one), std::string(trim(place.of(context.file.text()))),
                            place);
    }
    if (one.state.kind == ImportState::Kind::kConditional) {
      return Step::blocked(
          "conditional-import",
          fmt::format("`{}` is imported only under a condition, or inside of another block", what),
          "decide whether it may be imported always, and write that import by hand", place);
    }
  }
  return std::nullopt;
}

ByteRange held_place(const EditContext& context, const Wanted& wanted) {
  const auto held = std::ranges::find_if(
      wanted.names, [](const WantedName& one) { return static_cast<bool>(one.state.node); });
  return held == wanted.names.end() ? context.node.range() : held->state.node.range();
}

}  // namespace

Step plan_ensure_import(const EditContext& context) {
  const auto wanted = look_up(context);
  if (!wanted) return Step::blocked(wanted.error(), context.node.range());
  if (auto step = obstacle(context, *wanted)) return std::move(*step);
  ImportWriter writer(context.file, wanted->fragment);
  bool any = false;
  for (const auto& statement : wanted->statements) {
    std::vector<const ImportedName*> missing;
    for (const auto& one : wanted->names) {
      if (one.statement == &statement && one.state.kind == ImportState::Kind::kMissing)
        missing.push_back(one.name);
    }
    if (missing.empty()) continue;
    any = true;
    if (const auto why = writer.add(statement, missing))
      return Step::blocked(*why, context.node.range());
  }
  if (!any) return Step::holds(held_place(context, *wanted));
  auto step = writer.finish();
  return step ? std::move(*step) : Step::blocked(step.error(), context.node.range());
}

namespace {

/// Names of one statement that the rule put there, by their number in it.
using Taken = std::map<std::size_t, std::pair<ImportStatement, std::vector<std::size_t>>>;

Taken find_own(const EditContext& context, const Wanted& wanted) {
  Taken taken;
  for (const auto& present : present_imports(context.file)) {
    for (std::size_t i = 0; i < present.statement.names.size(); ++i) {
      const auto& has = present.statement.names[i];
      const bool is_ours = std::ranges::any_of(wanted.names, [&](const WantedName& one) {
        const auto reach = one.statement->for_types ? ImportReach::kTypes : ImportReach::kAlways;
        return present.reach == reach && has.name == one.name->name &&
               same_import(context.file.path(), present.statement, has, *one.statement, *one.name);
      });
      if (!is_ours) continue;
      auto& slot = taken[present.statement.node.range().begin];
      slot.first = present.statement;
      slot.second.push_back(i);
    }
  }
  return taken;
}

/// The block for type checkers that would be left empty goes with its statement.
Node what_goes(const SourceTree& tree, const Node& statement, const Taken& taken) {
  const auto block = statement.parent();
  if (!block || !has_role(tree, block, Role::kImportTypes) ||
      block.parent().named_children().back() != block)
    return statement;
  for (const auto& child : block.named_children()) {
    const auto found = taken.find(child.range().begin);
    if (found == taken.end() || found->second.first.names.size() != found->second.second.size())
      return statement;
  }
  return block.parent();
}

/// Deletions of whole lines that touch become one, and take blank lines along.
std::vector<TextEdit> tidy(std::string_view text, std::vector<TextEdit> edits) {
  std::ranges::sort(edits);
  std::vector<TextEdit> joined;
  for (auto& edit : edits) {
    const bool lines = edit.text.empty() && starts_line(text, edit.range.begin);
    if (!joined.empty() && lines && joined.back().text.empty() &&
        joined.back().range.end >= edit.range.begin) {
      joined.back().range.end = std::max(joined.back().range.end, edit.range.end);
    } else {
      joined.push_back(std::move(edit));
    }
  }
  std::size_t done = 0;
  for (auto& edit : joined) {
    const auto range = edit.range;
    const bool lines = edit.text.empty() && line_begin(text, range.begin) == range.begin &&
                       range.end > 0 && text[range.end - 1] == '\n';
    if (lines) edit.range = with_blank_lines(text, range);
    edit.range.begin = std::max(edit.range.begin, done);  // blank lines between two of them go once
    done = edit.range.end;
  }
  return joined;
}

}  // namespace

Step revert_ensure_import(const EditContext& context) {
  const auto wanted = look_up(context);
  if (!wanted) return Step::blocked(wanted.error(), context.node.range());
  const auto& tree = context.file.tree();
  const auto taken = find_own(context, *wanted);
  if (taken.empty()) return Step::holds(context.node.range());
  std::vector<TextEdit> edits;
  std::vector<ByteRange> parents;
  bool unfinished = false;
  for (const auto& [begin, one] : taken) {
    const auto& [statement, indices] = one;
    const bool whole = indices.size() == statement.names.size();
    const auto gone = whole ? what_goes(tree, statement.node, taken) : statement.node;
    // Items side by side cannot be taken out at once.
    unfinished |= !whole && indices.size() > 1;
    const auto removal = whole ? remove_statement(tree, gone)
                               : remove_item(tree, names_of(tree, statement), indices[0]);
    if (!removal) return Step::blocked(removal.error(), statement.node.range());
    edits.insert(edits.end(), removal->begin(), removal->end());
    parents.push_back(whole ? gone.parent().range() : statement.node.range());
  }
  auto step = Step::edit(tidy(context.file.text(), std::move(edits)), parents[0]);
  step.more_parents.assign(parents.begin() + 1, parents.end());
  step.unfinished = unfinished;
  step.takes_names = true;
  return step;
}

}  // namespace portpatch
