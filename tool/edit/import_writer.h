// The edits that give a file the imports it lacks: into lists that are there, or as new statements.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "edit/container.h"
#include "edit/import_place.h"
#include "edit/step.h"

namespace portpatch {

/// Collects the edits of one step, all of them against the text as it is.
class ImportWriter {
 public:
  /// `fragment` is the directive's text, in which the wanted names stand.
  ImportWriter(const ParsedFile& file, const Fragment& fragment)
      : file_(file), fragment_(fragment) {}

  /// Adds `names` of the statement `wanted`, which the file lacks; says why where that cannot be.
  [[nodiscard]] std::optional<Diagnostic> add(const ImportStatement& wanted,
                                              const std::vector<const ImportedName*>& names);
  /// The step with all that was added, of which there must be something.
  [[nodiscard]] Result<Step> finish();

 private:
  using Edits = std::vector<TextEdit>;
  /// Names in front of item number ...
  using NamesByPlace = std::map<std::size_t, std::vector<std::string>>;

  struct NewStatement {
    ImportKey key;
    std::string text;
  };
  /// New statements at one place.
  struct Group {
    ImportPlace place;
    std::vector<NewStatement> statements;
  };

  [[nodiscard]] const SourceTree& tree() const { return file_.tree(); }
  [[nodiscard]] std::string_view text() const { return file_.text(); }
  [[nodiscard]] const ImportZone* zone_for(bool for_types);
  [[nodiscard]] std::string written_name(const ImportedName& name) const;
  [[nodiscard]] const ImportStatement* target_of(const ImportZone& zone,
                                                 const ImportStatement& wanted,
                                                 const ImportedName& name) const;
  [[nodiscard]] std::optional<Diagnostic> merge(const ImportStatement& target,
                                                const std::vector<const ImportedName*>& names);
  [[nodiscard]] std::size_t width() const;
  [[nodiscard]] std::optional<Edits> break_list(const ImportStatement& target,
                                                const Container& container,
                                                const NamesByPlace& at) const;
  void put(const ImportZone& zone, const ImportStatement& wanted,
           const std::vector<const ImportedName*>& names);
  [[nodiscard]] std::optional<Diagnostic> place(const Group& group);
  [[nodiscard]] std::optional<Diagnostic> add_types_block(const ImportStatement& wanted);
  [[nodiscard]] std::optional<Diagnostic> take(Result<Edits> edits);
  void allow(const Node& parent);
  void allow_in_variants(const Node& anchor);

  const ParsedFile& file_;
  const Fragment& fragment_;
  std::optional<ImportZone> zone_, types_zone_;
  std::vector<Group> groups_;
  std::vector<ByteRange> parents_, written_blocks_;
  Edits edits_;
};

}  // namespace portpatch
