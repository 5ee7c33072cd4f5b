// The kinds of findings, as data: what bots list, and what a person reads who has never heard of
// portpatch.
#include "base/limits.h"
#include "report/findings.h"

namespace portpatch {

namespace {

using enum Severity;

constexpr FindingType kTypes[] = {
    {"rule-lost", kError, "A rule's place is gone",
     "A rule keeps a local change alive on top of upstream. The code that it changes is not there "
     "any more, or nothing shows for certain where it went, so nothing was edited and "
     "the local change is missing. Look at the commit that took the place away and at what is left "
     "that looks like it; then give the rule a new place (portpatch refresh PACK/RULE --at "
     "FILE:LINE), rewrite it, or take it out of the pack."},
    {"rule-conflict", kError, "Upstream says something else at a rule's place",
     "The place was found, but upstream has other code there than the rule wants: both are shown. "
     "Nothing was edited. Decide which is right: change the rule, take it out, or set on-conflict "
     "(keep-upstream or override) for it in pack.toml."},
    {"rule-ambiguous", kError, "A rule matches at more or fewer places than it expects",
     "Which place is meant cannot be told, so nothing was edited. Name the place (portpatch "
     "refresh PACK/RULE --at FILE:LINE), make the pattern narrower, or set expect in pack.toml "
     "when all of them "
     "are meant."},
    {"rule-blocked", kError, "A rule's edit is not safe",
     "The place was found, but an edit there could not be proved right: syntax errors around it, a "
     "name that is not defined there, a file that could not be read, or a rule of the same "
     "group that needs a person. Nothing was edited. portpatch explain PACK/RULE shows what each "
     "stage makes of it."},
    {"rule-moved", kWarning, "A rule's place has moved",
     "The rule's query does not match any more, but the history shows with certainty where its "
     "place is now and which commit moved it. Look at it once, then accept it: portpatch apply "
     "--accept-moves PACK."},
    {"rule-pending", kWarning, "A rule does not hold",
     "The place was found and the edit is certain and verified, but the tree does not have it: it "
     "was pulled, or checked out, without portpatch apply. Run portpatch apply PACK."},
    {"rule-brought", kNote, "The change says what a rule wants",
     "Before the reviewed change the rule was not fulfilled, and the change itself says now what "
     "the rule wants. If the change is upstream's own, the rule is not needed behind it: "
     "portpatch retire PACK/RULE. If it is the local port, all is well."},
    {"rule-upstreamed", kNote, "Upstream has taken a rule over",
     "Upstream says by now what the rule wants, so it is not needed any more. portpatch retire "
     "PACK/RULE takes it out of the pack, with a record."},

    {"companion-no-arm", kError, "C++ code has no arm for a compute capability that is let in",
     "A gate in Python, or the pack, says that GPUs of this compute capability (cc) get here, and "
     "the ladder has no arm for them: they fail at run time or do nothing. Add the arm, or close "
     "the gate."},
    {"companion-refused", kError, "C++ code refuses a compute capability that is let in",
     "A gate in Python, or the pack, says that GPUs of this compute capability (cc) get here, and "
     "the arm that takes them does nothing but fail. Let them pass, or close the gate."},
    {"companion-range", kWarning, "Only an open-ended arm takes a compute capability",
     "An arm such as >= 90 takes this compute capability (cc) without naming it; perhaps nobody "
     "has thought of it. See whether that is right, then say so with range-ok = true at the "
     "companion in pack.toml."},
    {"companion-else", kWarning, "Only the else takes a compute capability",
     "No arm names this compute capability (cc), so it is left to the else or the default. See "
     "whether that is right, then say so with else-ok = true at the companion in pack.toml."},
    {"companion-unreachable", kError, "An arm for a compute capability is never reached",
     "An arm in front of it takes everything that it names. Put the narrower arm in front."},
    {"companion-never-let-in", kWarning,
     "C++ code has an arm for a compute capability that the gate keeps out",
     "The code behind the gate is ready for this compute capability (cc), and the gate in Python "
     "does not let it in: an arm without use, or a gate that was forgotten."},
    {"companion-missing-key", kError, "A C++ table lacks a row that the rule's table has",
     "The two tables must say the same. portpatch check --fix writes the row where its value is "
     "certain."},
    {"companion-extra-key", kError, "A C++ table has a row that the rule's table lacks",
     "The two tables must say the same: take the row out, or bring it into the rule's table."},
    {"companion-other-value", kError, "A C++ table has another value than the rule's table",
     "The two tables must say the same. portpatch check --fix writes the value where it is "
     "certain."},
    {"companion-other-unit", kError,
     "A C++ table's keys mean other GPUs than those of the rule's table",
     "A key such as 12 stands for a whole family, one such as 120 for a single compute capability "
     "(cc), so the two tables are not about the same GPUs. Spell the keys alike."},
    {"companion-depends", kWarning, "Whether a compute capability is taken depends on more",
     "The arm stands under a further condition that could not be evaluated. Look at it; a narrower "
     "companion (matcher, query) in pack.toml leaves it out."},
    {"companion-not-seen", kWarning, "Part of a companion could not be read",
     "A key, a value or a gate is written in a way that could not be evaluated, so it was not "
     "compared. It is never counted as equal."},
    {"companion-not-found", kError, "A companion, or what it must agree with, is not there",
     "No file, function or table of that name was found, or the rule that it mirrors is not in "
     "place. Correct the companion in pack.toml, or see where the code went."},

    {"cc-gate-disagrees", kWarning,
     "A gate lets a compute capability in that the code behind it has no arm for",
     "Python lets GPUs of this compute capability (cc) in, and the C++ code that it seems to call "
     "names other architectures only. The way is guessed by the names of calls, over at most three "
     "functions: follow it, then add the arm or close the gate."},
    {"cc-unreachable-rung", kWarning, "An arm for a compute capability is never reached",
     "An open-ended test (>= 90) in front of the arm that names the compute capability (cc) takes "
     "it. Put the narrower test in front."},
    {"cc-leaves-out-sibling", kWarning,
     "An exact test leaves out the family's other compute capability",
     "12.0 and 12.1, or 10.0 and 10.3, run the same code; a test for one of them alone mostly "
     "means both. Compare the major number, or name both."},
    {"cc-swallows", kWarning,
     "An open-ended test for an older architecture takes a compute capability",
     "In a ladder that tells architectures apart, an arm written for an older one (>= 90) takes "
     "this compute capability (cc) too; perhaps nobody has thought of it."},
    {"cc-not-covered", kWarning, "A new or changed place has no arm for a compute capability",
     "A ladder, check or table that came or changed with this change names other architectures, "
     "and this compute capability (cc) is left to the else, or to nothing. Add an arm where the "
     "GPU must work."},
    {"cc-coverage-lost", kError, "A place does not take a compute capability any more",
     "Before this change the ladder, check or table took this compute capability (cc), by naming "
     "it or by a range; now it is left to the else, or to nothing. Keep an arm for it, or see that "
     "none is needed any more."},
    {"cc-coverage-untold", kWarning,
     "What a place does with a compute capability cannot be told now",
     "Before this change the ladder, check or table took this compute capability (cc); now that "
     "depends on a condition that could not be evaluated. Look at it."},
    {"cc-place-gone", kNote, "Places that named a compute capability are gone",
     "Code that named this compute capability (cc) went away, and nothing that looks like it has "
     "come for it. See that the GPU is served without."},

    {"file-skipped", kNote, "A file was not read",
     "It cannot be read. Whatever stands in it was not judged."},
    {"limit-file-size", kWarning, kFileSize.title,
     "The file has more bytes than are read. Whatever stands in it was not judged. Take it out of "
     "the tree, or split it."},
    {"limit-parse-time", kWarning, kParseWork.title,
     "The parser was stopped after a fixed number of steps, which does not depend on the machine, "
     "or after a minute of processor time. Whatever stands in the file was not judged. "
     "Lines that the grammar cannot read cost most: mend them, or split the file."},
    {"limit-memory", kWarning, kParseMemory.title,
     "The syntax tree would hold more memory than one file is given. Whatever stands in the file "
     "was not judged. Split the file."},
    {"limit-depth", kWarning, kDepth.title,
     "Brackets, blocks, branches or operators stand within each other more often than is followed. "
     "Whatever stands in the file was not judged. Break them into parts."},
    {"limit-matches", kWarning, kMatches.title,
     "The rule's or the query's pattern fits so often in this file, or leaves so many matches open "
     "at once, that its matches there were not taken at all. Anchor the pattern closer to its "
     "place."},
    {"limit-query-time", kWarning, kQuerySeconds.title,
     "The rule's or the query's pattern was stopped after a minute of processor time in this file, "
     "and its matches there were not taken at all. Anchor the pattern closer to its place."},
};

}  // namespace

std::span<const FindingType> finding_types() { return kTypes; }

}  // namespace portpatch
