
#include "apply/transaction.h"
#include "cli/output.h"
#include "report/report.h"

namespace portpatch {

namespace {

int list(const Options& options, const WorkTree& tree) {
  const auto runs = list_runs(tree);
  if (!runs) return report_errors(options, {runs.error()});
  std::vector<RunLine> lines;
  for (const auto& one : *runs) lines.push_back({one.id, one.command, one.backup, one.paths});
  print(options.format == "json" ? write_json(lines) : write_text(lines));
  return 0;
}

}  // namespace

int run_undo(const Options& options) {
  const auto tree = open_work_tree(options.folder);
  if (!tree) return report_errors(options, {tree.error()});
  if (options.list) return list(options, *tree);
  const auto id = options.arguments.empty() ? std::string() : options.arguments[0];
  const auto undone = undo_run(*tree, real_file_system(), id, options.force);
  if (!undone) return report_errors(options, {undone.error()});
  std::vector<std::string> notes = undone->notes;
  const RunLine line{undone->id, undone->command, undone->backup, undone->paths};
  print(options.format == "json" ? write_json({line}) : write_text(line, notes));
  return 0;
}

}  // namespace portpatch
