#include "apply/hooks.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "apply/write_failure.h"
#include "base/digest.h"
#include "base/files.h"
#include "base/text.h"
#include "repo/git_program.h"

namespace portpatch {
namespace {

namespace fs = std::filesystem;

constexpr std::array kNames{"post-merge", "post-rewrite", "post-checkout"};
constexpr std::string_view kMark = "# portpatch hook, format 1, sum ", kPackMark = "# pack ",
                           kKept = ".before-portpatch";
constexpr unsigned kExecutable = 0777, kFolder = 0777;

/// The part of a hook behind its mark, which the mark has the sum of.
std::string body_of(const std::string& name, const std::string& program,
                    const std::vector<std::string>& packs) {
  std::string body =
      "# Written by `portpatch hook install`; `portpatch hook uninstall` takes it out again.\n";
  std::string words;
  for (const auto& pack : packs) {
    body += std::string(kPackMark) + pack + "\n";
    words += " " + shell_word(pack);
  }
  return body + fmt::format(R"(before="$0{}"
status=0
if [ -x "$before" ]; then
  "$before" "$@"
  status=$?
fi
# A pull by portpatch applies the rules itself.
[ -n "$PORTPATCH_PULL" ] && exit "$status"
portpatch={}
[ -x "$portpatch" ] || portpatch=$(command -v portpatch)
if [ -n "$portpatch" ]; then
  "$portpatch" hook run {} "$#" "$@"{}
else
  echo "portpatch is not found, so the rules were not applied; afterwards: portpatch apply"{} >&2
fi
# Git has done its work: nothing of portpatch's makes it fail.
exit "$status"
)",
                            kKept, shell_word(program), name, words, shell_word(words));
}

std::string text_of(const std::string& body) {
  return fmt::format("#!/bin/sh\n{}{}\n{}", kMark, sha256(body), body);
}

/// Is `text` a hook of portpatch's, and as it was written?
HookState state_of(const std::string& text) {
  const auto at = text.find(kMark);
  if (at == std::string::npos) return HookState::kForeign;
  const auto end = text.find('\n', at);
  return end != std::string::npos && text == text_of(text.substr(end + 1)) ? HookState::kInstalled
                                                                           : HookState::kChanged;
}

Result<std::string> hooks_folder(const WorkTree& tree) {
  if (!tree.is_git())
    return failure("no-repository",
                   fmt::format("{} is no git work tree, so it has no hooks", tree.root));
  // Not through git_output(), which turns hooks off by the very setting that is asked for.
  const auto printed = run_git(tree, {"rev-parse", "--git-path", "hooks"}, {.with_hooks = true});
  if (!printed) return std::unexpected(printed.error());
  if (printed->status != 0) return git_failed("rev-parse", *printed);
  const fs::path path(std::string(trim(printed->out)));
  return (path.is_absolute() ? path : fs::path(tree.root) / path).lexically_normal().string();
}

Result<Hook> read_hook(FileSystem& files, const std::string& folder, const std::string& name) {
  Hook hook{.name = name, .path = folder + "/" + name};
  const auto text = read_if_there(files, hook.path);
  if (!text) return write_failure(text.error(), "read", hook.path);
  if (files.status(hook.path + std::string(kKept))) hook.kept = hook.path + std::string(kKept);
  if (!*text) return hook;
  hook.state = state_of(**text);
  if (hook.state == HookState::kForeign) return hook;
  for (const auto line : split_lines(**text)) {
    if (line.starts_with(kPackMark)) hook.packs.emplace_back(line.substr(kPackMark.size()));
  }
  return hook;
}

std::unexpected<Diagnostic> changed(const Hook& hook) {
  return failure("changed-hook",
                 fmt::format("{} was written by portpatch and edited since", hook.path),
                 "take your edit out, or move the file away, then run the command again");
}

/// A folder of hooks that a setting outside of the repository names belongs to all repositories.
Result<void> check_own_folder(const WorkTree& tree) {
  const auto setting = run_git(tree, {"config", "--show-scope", "--get", "core.hooksPath"},
                               {.with_hooks = true});
  if (!setting) return std::unexpected(setting.error());
  if (setting->status != 0 || setting->out.starts_with("local") ||
      setting->out.starts_with("worktree"))
    return {};
  return failure(
      "shared-hooks",
      fmt::format(
          "the hooks of this repository are those of all: core.hooksPath is set outside of it ({})",
          trim(setting->out)),
      "give it hooks of its own: git config core.hooksPath \"$(git rev-parse "
      "--absolute-git-dir)/hooks\"");
}

Result<void> check_installable(const std::vector<Hook>& hooks) {
  for (const auto& hook : hooks) {
    if (hook.state == HookState::kChanged) return changed(hook);
    if (hook.state == HookState::kForeign && !hook.kept.empty()) {
      return failure(
          "two-hooks",
          fmt::format("{} took the place of portpatch's hook, and {} is the hook from before",
                      hook.path, hook.kept),
          "merge the two into one of them and remove the other, then run the command again");
    }
  }
  return {};
}

Result<void> install(FileSystem& files, const Hook& hook, const std::string& text) {
  const auto temporary = hook.path + ".portpatch.tmp";
  auto result = remove_if_there(files, temporary);
  if (result) result = write_new_file(files, temporary, text, std::nullopt, kExecutable);
  if (result && hook.state == HookState::kForeign)
    result = files.rename(hook.path, hook.path + std::string(kKept));
  if (result) result = files.rename(temporary, hook.path);
  if (result) result = files.sync_folder(fs::path(hook.path).parent_path().string());
  if (!result) return write_failure(result.error(), "write the hook", hook.path);
  return {};
}

}  // namespace

std::string_view name_of(HookState state) {
  switch (state) {
    case HookState::kAbsent:
      return "absent";
    case HookState::kInstalled:
      return "installed";
    case HookState::kChanged:
      return "changed";
    case HookState::kForeign:
      break;
  }
  return "foreign";
}

Result<std::vector<Hook>> read_hooks(const WorkTree& tree, FileSystem& files) {
  const auto folder = hooks_folder(tree);
  if (!folder) return std::unexpected(folder.error());
  std::vector<Hook> hooks;
  for (const auto* name : kNames) {
    auto hook = read_hook(files, *folder, name);
    if (!hook) return std::unexpected(hook.error());
    hooks.push_back(std::move(*hook));
  }
  return hooks;
}

Result<std::vector<Hook>> install_hooks(const WorkTree& tree, FileSystem& files,
                                        const std::string& program,
                                        const std::vector<std::string>& packs) {
  const auto hooks = read_hooks(tree, files);
  if (!hooks) return hooks;
  if (auto own = check_own_folder(tree); !own) return std::unexpected(own.error());
  if (auto checked = check_installable(*hooks); !checked) return std::unexpected(checked.error());
  for (const auto& pack : packs) {
    if (pack.contains('\n'))
      return failure("bad-pack-path",
                     "the path of a pack has a line break, which a hook cannot hold");
  }
  const auto folder = fs::path(hooks->front().path).parent_path().string();
  if (auto made = files.make_folder(folder, kFolder);
      !made && made.error() != std::errc::file_exists)
    return write_failure(made.error(), "make the folder", folder);
  for (const auto& hook : *hooks) {
    if (auto written = install(files, hook, text_of(body_of(hook.name, program, packs))); !written)
      return std::unexpected(written.error());
  }
  return read_hooks(tree, files);
}

Result<std::vector<Hook>> uninstall_hooks(const WorkTree& tree, FileSystem& files) {
  const auto hooks = read_hooks(tree, files);
  if (!hooks) return hooks;
  for (const auto& hook : *hooks) {
    if (hook.state == HookState::kChanged) return changed(hook);
  }
  for (const auto& hook : *hooks) {
    if (hook.state != HookState::kInstalled) continue;
    // The rename puts the hook from before in place of ours at once.
    const auto removed = hook.kept.empty() ? files.remove(hook.path)
                                           : files.rename(hook.kept, hook.path);
    if (!removed) return write_failure(removed.error(), "take out the hook", hook.path);
  }
  return read_hooks(tree, files);
}

std::string hook_path_of(const WorkTree& tree, const std::string& pack) {
  std::error_code error;
  const auto real = fs::weakly_canonical(absolute_path(pack), error).string();
  const auto full = error ? absolute_path(pack) : real;
  return full.starts_with(tree.root + "/") ? full.substr(tree.root.size() + 1) : full;
}

std::string in_the_way_of_hook(const WorkTree& tree, const std::string& name,
                               const std::vector<std::string>& arguments) {
  const auto is_there = [&](std::string_view file) {
    return fs::exists(fs::path(tree.git_dir) / file);
  };
  if (is_there("MERGE_AUTOSTASH") || is_there("rebase-merge/autostash") ||
      is_there("rebase-apply/autostash"))
    return "autostash";
  const auto operation = operation_in_progress(tree).value_or("");
  // Git calls it when all commits are made and the branch is moved, before it removes its notes.
  const bool is_end_of_rebase = operation == "rebase" && name == "post-rewrite" &&
                                !arguments.empty() && arguments[0] == "rebase";
  return is_end_of_rebase ? "" : operation;
}

}  // namespace portpatch
