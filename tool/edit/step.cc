#include "edit/step.h"

#include "edit/respell.h"

namespace portpatch {

Step Step::conflict(std::string reason, std::string ours, std::string theirs, ByteRange place) {
  return {.kind = Kind::kConflict,
          .code = "differs",
          .reason = std::move(reason),
          .remedy = "decide which one is right: change the rule, or set on-conflict in pack.toml",
          .ours = std::move(ours),
          .theirs = std::move(theirs),
          .place = place};
}

Step Step::blocked(std::string code, std::string reason, std::string remedy, ByteRange place) {
  return {.kind = Kind::kBlocked,
          .code = std::move(code),
          .reason = std::move(reason),
          .remedy = std::move(remedy),
          .place = place};
}

Step Step::blocked(const Diagnostic& diagnostic, ByteRange place) {
  return blocked(diagnostic.code, diagnostic.message, diagnostic.remedy, place);
}

namespace {

using Function = Step (*)(const EditContext&);

struct Row {
  DirectiveKind kind;
  Function plan, revert;
};

constexpr Row kRows[] = {
#define PORTPATCH_DIRECTIVE(id, name, arguments, summary) \
  {DirectiveKind::id, plan_##id, revert_##id},
    PORTPATCH_DIRECTIVES(PORTPATCH_DIRECTIVE)
#undef PORTPATCH_DIRECTIVE
};

}  // namespace

Step plan_directive(const EditContext& context, Direction direction) {
  const auto kind = context.directive.kind();
  const auto& row = kRows[static_cast<std::size_t>(kind)];
  const auto function = direction == Direction::kApply ? row.plan : row.revert;
  if (kind != DirectiveKind::ensure_entry && kind != DirectiveKind::ensure_element)
    return function(context);
  const auto respelled = respell(context);
  if (!respelled) return Step::blocked(respelled.error(), context.node.range());
  if (!*respelled) return function(context);
  return function({context.tree, context.rule, **respelled, context.node, context.nodes_of,
                   context.is_stable, context.is_target, context.file});
}

}  // namespace portpatch
