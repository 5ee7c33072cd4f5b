#include "edit/step.h"

namespace portpatch {

Step Step::conflict(std::string reason, std::string ours, std::string theirs, ByteRange place) {
  return {.kind = Kind::kConflict, .code = "differs", .reason = std::move(reason),
          .remedy = "decide which one is right: change the rule, or set on-conflict in pack.toml",
          .ours = std::move(ours), .theirs = std::move(theirs), .place = place};
}

Step Step::blocked(std::string code, std::string reason, std::string remedy, ByteRange place) {
  return {.kind = Kind::kBlocked, .code = std::move(code), .reason = std::move(reason),
          .remedy = std::move(remedy), .place = place};
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
#define PORTPATCH_DIRECTIVE(id, name, arguments, summary) {DirectiveKind::id, plan_##id, revert_##id},
    PORTPATCH_DIRECTIVES(PORTPATCH_DIRECTIVE)
#undef PORTPATCH_DIRECTIVE
};

}  // namespace

Step plan_directive(const EditContext& context, Direction direction) {
  const auto& row = kRows[static_cast<std::size_t>(context.directive.kind())];
  return direction == Direction::kApply ? row.plan(context) : row.revert(context);
}

}  // namespace portpatch
