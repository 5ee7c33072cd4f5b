// Places out of what the syntax tree shows: ladders, conditions, lists and tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edit/blocks.h"
#include "edit/ladder.h"
#include "inventory/cc_test_reader.h"
#include "syntax/roles.h"

namespace portpatch {

class PlaceBuilder {
 public:
  /// `blocks`: of the reader's tree; both outlive the builder.
  PlaceBuilder(CcTestReader& reader, BlockIndex& blocks, std::string path)
      : reader_(reader), blocks_(blocks), path_(std::move(path)) {}

  /// A ladder of branches: if, else-if chain, if-return sequence, conditional, switch, #if.
  [[nodiscard]] std::optional<CcPlace> ladder(const Ladder& ladder);
  /// A `match` with the cases in `block`.
  [[nodiscard]] std::optional<CcPlace> match(const Node& statement, const Node& block);
  /// One condition that is no branch's: a check, a variable's value, a function's result.
  [[nodiscard]] std::optional<CcPlace> condition(const Node& condition, std::string form,
                                                 std::string name);
  /// The entries or elements of `container`, those that are no cc left out; `unit` as the name says
  /// it.
  [[nodiscard]] std::optional<CcPlace> table(const Node& container, const Node& whole,
                                             std::string name, KeyUnit unit);
  /// One key that stands for itself: an architecture's name.
  [[nodiscard]] CcPlace single(const Node& node, std::string form, std::string name,
                               std::string key, const KeyMeaning& means);

 private:
  [[nodiscard]] CcPlace place_at(const Node& node, std::string form, std::string name) const;
  [[nodiscard]] CcArm rung(const Ladder& ladder, const Rung& one, const std::vector<Node>& body);
  void add_body(CcArm& arm, const std::vector<Node>& body, const Node& around);
  void add_value(CcArm& arm, const Node& value);
  void set_lines(CcArm& arm, ByteRange range) const;
  [[nodiscard]] std::string_view text(const Node& node) const {
    return node.text(reader_.tree().text());
  }
  [[nodiscard]] bool is(const Node& node, Role role) const {
    return has_role(reader_.tree(), node, role);
  }

  CcTestReader& reader_;
  BlockIndex& blocks_;
  std::string path_;
};

}  // namespace portpatch
