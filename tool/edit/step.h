// What a directive makes of one site: it holds, it wants edits, or it says why it cannot.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "edit/container.h"
#include "locate/parsed_file.h"
#include "pack/directives.h"
#include "pack/pack.h"
#include "syntax/code_value.h"
#include "syntax/source_tree.h"

namespace portpatch {

/// The plan of one directive at one site.
struct Step {
  enum class Kind { kHolds, kEdit, kConflict, kBlocked };

  Kind kind = Kind::kBlocked;
  std::vector<TextEdit> edits = {};  ///< sorted, for kEdit
  ByteRange parent = {};             ///< of the node that the inserted nodes become children of
  /// When given, the nodes in `parent` become others, of this form (Allowance::becomes).
  std::optional<std::string> becomes = std::nullopt;
  bool drops_comments = false;  ///< as Allowance's
  std::string code = {};        ///< stable reason code of a conflict or a block
  std::string reason = {};      ///< in words
  std::string remedy = {};
  std::string ours = {}, theirs = {};  ///< both texts of a conflict
  ByteRange place = {};                ///< what holds, conflicts or blocks; else the site
  bool inside_token = false;  ///< the edit changes the inside of a token (a string's content)
  std::vector<ByteRange> more_parents = {};  ///< of further insertions
  bool unfinished = false;                   ///< more is to be done once this has been made
  bool takes_names = false;  ///< the edit takes definitions away: nothing may use them any longer

  static Step holds(ByteRange place) { return {.kind = Kind::kHolds, .place = place}; }
  static Step edit(std::vector<TextEdit> edits, ByteRange parent) {
    return {.kind = Kind::kEdit, .edits = std::move(edits), .parent = parent};
  }
  static Step rewrite(std::vector<TextEdit> edits, ByteRange nodes, std::string becomes) {
    return {.kind = Kind::kEdit,
            .edits = std::move(edits),
            .parent = nodes,
            .becomes = std::move(becomes)};
  }
  static Step conflict(std::string reason, std::string ours, std::string theirs, ByteRange place);
  static Step blocked(std::string code, std::string reason, std::string remedy, ByteRange place);
  static Step blocked(const Diagnostic& diagnostic, ByteRange place);
};

/// What a directive may look at.
struct EditContext {
  const SourceTree& tree;  ///< the reading that the site was found in
  const Rule& rule;
  const Directive& directive;
  Node node;                                                    ///< the directive's captured node
  std::function<std::vector<Node>(std::string_view)> nodes_of;  ///< all nodes of another capture
  IsStable is_stable;
  bool is_target = true;  ///< the node is the one that the base has a copy of
  const ParsedFile& file;

  [[nodiscard]] std::string_view text() const { return tree.text(); }
  [[nodiscard]] const Language& language() const { return tree.language(); }
};

/// For each row of the table of directives: what it wants here, and how its work is taken back.
#define PORTPATCH_DIRECTIVE(id, name, arguments, summary)   \
  [[nodiscard]] Step plan_##id(const EditContext& context); \
  [[nodiscard]] Step revert_##id(const EditContext& context);
PORTPATCH_DIRECTIVES(PORTPATCH_DIRECTIVE)
#undef PORTPATCH_DIRECTIVE

enum class Direction { kApply, kRevert };
/// The function of the directive's row.
[[nodiscard]] Step plan_directive(const EditContext& context, Direction direction);

}  // namespace portpatch
