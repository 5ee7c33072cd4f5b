#include "apply/hooks.h"

#include <array>
#include <filesystem>
#include <functional>

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
  const auto kept_path = hook.path + std::string(kKept);
  const auto kept = read_if_there(files, kept_path);
  if (!kept) return write_failure(kept.error(), "read", kept_path);
  if (*kept) hook.kept = kept_path;
  if (!*text) return hook;
  hook.state = state_of(**text);
  // An install that was killed has only given it the second name.
  if (hook.state == HookState::kForeign && *kept == *text) hook.kept.clear();
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

std::string temporary_of(const Hook& hook) { return hook.path + ".portpatch.tmp"; }
std::string kept_of(const Hook& hook) { return hook.path + std::string(kKept); }

/// Steps that take back what was done, run newest first once a later one has failed.
using WayBack = std::vector<std::function<void()>>;

void go(const WayBack& back) {
  for (auto step = back.rbegin(); step != back.rend(); ++step) (*step)();
}

/// Puts the hook from before back in its place. Where both are one file (a link), there is nothing
/// to rename, and the second name goes.
void put_kept_back(FileSystem& files, const Hook& hook) {
  (void)files.rename(kept_of(hook), hook.path);
  (void)remove_if_there(files, kept_of(hook));
}

/// Keeps the hook that is there under its second name; it stays in its place, too, until ours takes
/// that, so that at no time there is none.
SystemResult<void> keep(FileSystem& files, const Hook& hook) {
  auto result = remove_if_there(files, kept_of(hook));  // of an install that was killed here
  if (result) result = files.link(hook.path, kept_of(hook));
  const bool has_no_links = !result && (result.error() == std::errc::operation_not_permitted ||
                                        result.error() == std::errc::operation_not_supported ||
                                        result.error() == std::errc::function_not_supported);
  return has_no_links ? files.rename(hook.path, kept_of(hook)) : result;
}

/// Puts our hook, which waits in its temporary, in place.
SystemResult<void> put_in(FileSystem& files, const Hook& hook, WayBack& back) {
  if (hook.state == HookState::kForeign) {
    if (auto kept = keep(files, hook); !kept) return kept;
    back.emplace_back([&files, hook] { put_kept_back(files, hook); });
  }
  auto result = files.rename(temporary_of(hook), hook.path);
  if (result && hook.state == HookState::kAbsent)
    back.emplace_back([&files, hook] { (void)files.remove(hook.path); });
  return result;
}

/// Puts back what take_out() took: our text, in place of the hook from before.
void put_ours_back(FileSystem& files, const Hook& hook, const std::string& text,
                   const FileStatus& like) {
  if (!hook.kept.empty()) (void)files.link(hook.path, hook.kept);
  if (write_new_file(files, temporary_of(hook), text, like, kExecutable))
    (void)files.rename(temporary_of(hook), hook.path);
  (void)remove_if_there(files, temporary_of(hook));
}

SystemResult<void> take_out(FileSystem& files, const Hook& hook, WayBack& back) {
  // An install that was killed may have left it.
  auto result = remove_if_there(files, temporary_of(hook));
  if (!result) return result;
  if (hook.state == HookState::kInstalled) {
    const auto text = files.read(hook.path);
    const auto status = files.status(hook.path);
    if (!text || !status) return std::unexpected(text ? status.error() : text.error());
    back.emplace_back([&files, hook, text, status] { put_ours_back(files, hook, *text, *status); });
  }
  // The rename puts the hook from before in place of ours at once.
  result = !hook.kept.empty()                    ? files.rename(hook.kept, hook.path)
           : hook.state == HookState::kInstalled ? files.remove(hook.path)
                                                 : result;
  if (!result && hook.state == HookState::kInstalled) back.pop_back();
  return result;
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
  WayBack back;
  const auto fail = [&](const Hook& hook, std::error_code error) {
    go(back);
    return write_failure(error, "write the hook", hook.path);
  };
  for (const auto& hook : *hooks) {
    auto result = remove_if_there(files, temporary_of(hook));
    back.emplace_back([&files, hook] { (void)remove_if_there(files, temporary_of(hook)); });
    if (result)
      result = write_new_file(files, temporary_of(hook),
                              text_of(body_of(hook.name, program, packs)), std::nullopt,
                              kExecutable);
    if (!result) return fail(hook, result.error());
  }
  for (const auto& hook : *hooks) {
    auto result = put_in(files, hook, back);
    if (result) result = files.sync_folder(folder);
    if (!result) return fail(hook, result.error());
  }
  auto now = read_hooks(tree, files);
  if (!now) go(back);
  return now;
}

Result<std::vector<Hook>> uninstall_hooks(const WorkTree& tree, FileSystem& files) {
  const auto hooks = read_hooks(tree, files);
  if (!hooks) return hooks;
  for (const auto& hook : *hooks) {
    if (hook.state == HookState::kChanged) return changed(hook);
  }
  WayBack back;
  for (const auto& hook : *hooks) {
    if (hook.state == HookState::kForeign) continue;
    if (auto out = take_out(files, hook, back); !out) {
      go(back);
      return write_failure(out.error(), "take out the hook", hook.path);
    }
  }
  auto now = read_hooks(tree, files);
  if (!now) go(back);
  return now;
}

std::string hook_path_of(const WorkTree& tree, const std::string& pack) {
  std::error_code error;
  const auto real = fs::weakly_canonical(absolute_path(pack), error).string();
  const auto full = error ? absolute_path(pack) : real;
  return full.starts_with(tree.root + "/") ? full.substr(tree.root.size() + 1) : full;
}

Result<std::string> in_the_way_of_hook(const WorkTree& tree, const std::string& name,
                                       const std::vector<std::string>& arguments) {
  for (const auto* file : {"MERGE_AUTOSTASH", "rebase-merge/autostash", "rebase-apply/autostash"}) {
    const auto kind = kind_of_path(tree.git_dir + "/" + file);
    if (!kind) return std::unexpected(kind.error());
    if (*kind != PathKind::kNothing) return "autostash";
  }
  const auto operation = operation_in_progress(tree);
  if (!operation) return std::unexpected(operation.error());
  // Git calls it when all commits are made and the branch is moved, before it removes its notes.
  const bool is_end_of_rebase = *operation == "rebase" && name == "post-rewrite" &&
                                !arguments.empty() && arguments[0] == "rebase";
  return is_end_of_rebase ? "" : operation->value_or("");
}

}  // namespace portpatch
