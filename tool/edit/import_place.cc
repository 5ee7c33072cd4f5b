#include "edit/import_place.h"

#include <algorithm>
#include <tuple>

#include "edit/blocks.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

Node first_types_block(const SourceTree& tree, const std::vector<Node>& statements) {
  for (const auto& statement : statements) {
    const auto block = child_with(tree, statement, Role::kImportTypes);
    if (block) return block;
  }
  return {};
}

/// Is there a blank line between the two, above or below the comments that stand there?
bool has_gap(const SourceTree& tree, const Node& above, const Node& below) {
  const auto text = tree.text();
  auto at = statement_range(tree, above).end;
  while ((at = text.find('\n', at)) != std::string_view::npos && at < below.range().begin) {
    if (trim(line_at(text, ++at)).empty() && at < below.range().begin) return true;
  }
  return false;
}

void read_blocks(const ParsedFile& file, ImportZone& zone) {
  const auto& tree = file.tree();
  bool is_leading = true, joins = false;
  for (std::size_t i = 0; i < zone.statements.size(); ++i) {
    const auto& node = zone.statements[i];
    if (is_leading && is_scope_statement(tree, node)) {
      is_leading = false;
      if (!zone.blocks.empty()) return;
    }
    const bool is_import = has_role(tree, node, Role::kImport) &&
                           is_always_shown(file, node.range()) && !node.has_error();
    auto statement = is_import ? read_import(tree, node) : ImportStatement();
    if (!is_import || (statement.names.empty() && !statement.is_from)) {
      joins = false;
      continue;
    }
    if (!joins || has_gap(tree, zone.statements[i - 1], node)) zone.blocks.emplace_back();
    auto& block = zone.blocks.back();
    block.keys.push_back(key_of(tree.language(), file.path(), statement));
    block.statements.push_back(std::move(statement));
    joins = true;
  }
}

const ImportBlock* best_block(const ImportZone& zone, const ImportKey& key) {
  const ImportBlock* best = nullptr;
  std::tuple<bool, bool, std::ptrdiff_t> most{};
  const bool is_path = key.target.starts_with('<') || key.target.starts_with('"');
  for (const auto& block : zone.blocks) {
    const auto any = [&](auto is) { return std::ranges::any_of(block.keys, is); };
    const auto same_section = std::ranges::count(block.keys, key.section, &ImportKey::section);
    const bool same_top = any(
        [&](const ImportKey& one) { return one.top() == key.top() && one.section == key.section; });
    const bool same_style = any([&](const ImportKey& one) {
      return one.section == key.section && one.is_from == key.is_from;
    });
    if (same_section == 0) continue;
    const std::tuple score{same_top && !is_path, same_style, is_path ? 0 : same_section};
    if (best != nullptr && (is_path ? score < most : score <= most)) continue;
    best = &block;
    most = score;
  }
  return best;
}

ImportPlace place_in_block(const ParsedFile& file, const ImportZone& zone, const ImportBlock& block,
                           const ImportKey& key) {
  std::vector<std::vector<ImportKey>> all;
  for (const auto& one : zone.blocks) all.push_back(one.keys);
  ImportPlace place{.anchor = block.statements.back().node,
                    .order = StatementOrder::shown_by(all, block.keys)};
  if (!place.order) {
    // In no order: behind its kin.
    for (std::size_t i = 0; i < block.keys.size(); ++i) {
      if (block.keys[i].top() == key.top()) place.anchor = block.statements[i].node;
    }
    return place;
  }
  for (std::size_t i = 0; i < block.keys.size(); ++i) {
    if (!place.order->before(key, block.keys[i])) continue;
    place.is_behind = i > 0;
    place.anchor = i > 0 ? block.statements[i - 1].node
                         : with_comments_above(file.tree(), block.statements[0].node);
    break;
  }
  return place;
}

/// `x.h` that is included first by `x.cc`.
bool is_own_header(std::string_view path, const ImportBlock& block) {
  const auto stem = [](std::string_view name) {
    name = name.substr(name.rfind('/') == std::string_view::npos ? 0 : name.rfind('/') + 1);
    return name.substr(0, name.find('.'));
  };
  const auto& target = block.keys[0].target;
  return block.keys.size() == 1 && target.starts_with('"') &&
         stem(std::string_view(target).substr(1)) == stem(path);
}

/// A block of its own among those that are there.
ImportPlace place_of_block(const ParsedFile& file, const ImportZone& zone, const ImportKey& key) {
  for (auto block = zone.blocks.rbegin(); block != zone.blocks.rend(); ++block) {
    if (StatementOrder::is_mixed(block->keys)) return place_in_block(file, zone, *block, key);
  }
  const ImportBlock* above = nullptr;
  for (const auto& block : zone.blocks) {
    if (block.keys[0].section < key.section) above = &block;
  }
  if (above == nullptr && is_own_header(file.path(), zone.blocks[0])) above = zone.blocks.data();
  if (above != nullptr)
    return {.anchor = above->statements.back().node, .is_behind = true, .is_own_block = true};
  return {.anchor = with_comments_above(file.tree(), zone.blocks[0].statements[0].node),
          .is_behind = false,
          .is_own_block = true};
}

/// In a file without imports.
ImportPlace place_at_top(const ParsedFile& file, const ImportZone& zone) {
  const auto& tree = file.tree();
  ImportPlace place{.anchor = {}, .is_own_block = true};
  std::size_t prologue = 0;
  while (prologue < zone.statements.size() &&
         has_role(tree, zone.statements[prologue], Role::kPrologue)) {
    place.anchor = zone.statements[prologue++];
    if (tree.language().blocks_by_indentation()) break;  // one docstring
  }
  const bool more = prologue < zone.statements.size();
  const int blanks = more && tree.language().blocks_by_indentation() &&
                             is_scope_statement(tree, zone.statements[prologue])
                         ? 2
                         : 1;
  if (place.anchor) {
    if (more && !has_gap(tree, place.anchor, with_comments_above(tree, zone.statements[prologue])))
      place.blanks_after = blanks;
    return place;
  }
  if (zone.statements.empty()) return place;
  place.anchor = with_comments_above(tree, zone.statements[0]);
  place.is_behind = false;
  place.blanks_after = blanks;
  return place;
}

}  // namespace

std::optional<ImportZone> ImportZone::find(const ParsedFile& file, bool for_types) {
  const auto& tree = file.tree();
  ImportZone zone{
      .container = file_block(tree), .statements = {}, .blocks = {}, .for_types = for_types};
  zone.statements = statements_of(tree, zone.container);
  if (for_types) {
    zone.container = first_types_block(tree, zone.statements);
    if (!zone.container) return std::nullopt;
    zone.statements = statements_of(tree, zone.container);
  }
  read_blocks(file, zone);
  return zone;
}

ImportPlace place_of_import(const ParsedFile& file, const ImportZone& zone, const ImportKey& key) {
  const auto* block = best_block(zone, key);
  if (block == nullptr && key.section == ImportSection::kFuture) return place_at_top(file, zone);
  if (block != nullptr) return place_in_block(file, zone, *block, key);
  if (zone.for_types) {
    if (zone.blocks.empty()) return {.anchor = zone.statements.back(), .is_behind = true};
    return place_in_block(file, zone, zone.blocks.back(), key);
  }
  return zone.blocks.empty() ? place_at_top(file, zone) : place_of_block(file, zone, key);
}

}  // namespace portpatch
