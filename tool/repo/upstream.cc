#include "repo/upstream.h"

#include <fmt/format.h>

#include "repo/history.h"

namespace portpatch {
namespace {

/// Why there can be no merge base, from the refs alone; empty when there can be one.
std::string reason_without(const UpstreamRefs& refs) {
  if (refs.head.empty()) return "HEAD has no commit yet";
  if (refs.upstream.empty()) return "there is no upstream ref";
  return "";
}

}  // namespace

struct Upstream::State {
  std::optional<History> history;
  std::string commit;
  std::string unknown_because;
};

Upstream::Upstream() : state_(std::make_unique<State>()) {}
Upstream::Upstream(Upstream&&) noexcept = default;
Upstream& Upstream::operator=(Upstream&&) noexcept = default;
Upstream::~Upstream() = default;

Result<Upstream> Upstream::open(const WorkTree& tree, const UpstreamRefs& refs) {
  Upstream upstream;
  auto& state = *upstream.state_;
  if (!tree.is_git()) {
    state.unknown_because = "the folder is no git work tree";
    return upstream;
  }
  auto history = History::open(tree);
  if (!history) return std::unexpected(history.error());
  state.history = std::move(*history);
  state.unknown_because = reason_without(refs);
  if (!state.unknown_because.empty()) return upstream;

  const auto head = state.history->resolve(refs.head);
  if (!head) return std::unexpected(head.error());
  const auto other = state.history->resolve(
      refs.upstream);  // the id may be that of an annotated tag
  if (!other) return std::unexpected(other.error());
  auto base = state.history->merge_base(*head, *other);
  if (!base) return std::unexpected(base.error());
  if (*base) {
    state.commit = std::move(**base);
  } else {
    state.unknown_because = fmt::format(
        "the histories of HEAD and {} do not meet in this repository",
        refs.name.empty() ? refs.upstream : refs.name);
  }
  return upstream;
}

const std::string& Upstream::commit() const { return state_->commit; }
const std::string& Upstream::unknown_because() const { return state_->unknown_because; }
const History* Upstream::history() const { return state_->history ? &*state_->history : nullptr; }

Result<std::optional<std::string>> Upstream::read(std::string_view path) const {
  if (state_->commit.empty()) {
    return failure("no-upstream-commit",
                   "upstream's version is not known: " + state_->unknown_because);
  }
  return state_->history->read(state_->commit, path);
}

}  // namespace portpatch
