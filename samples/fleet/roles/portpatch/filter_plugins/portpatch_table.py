"""The reports of all servers as one table: a line a server, and one for each further thing to do there."""
import re
import shlex
from collections import Counter

STATES = {0: "ok", 1: "person", 2: "fault"}
# What would move the cursor, colour the terminal or turn the direction of text.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def todo(tree, report):
    """What a person does, or types, on the server."""
    rules = report.get("rules", [])
    here = f"portpatch -C {shlex.quote(tree)} "
    lines = ["; ".join(filter(None, [error.get("message"), error.get("remedy")])) for error in report.get("errors", [])]
    lines += [rule["next"].replace("portpatch ", here) for rule in rules if "next" in rule]
    lines += sorted({rule["after_edit"] for rule in rules if rule["outcome"] == "edited" and "after_edit" in rule})
    pending = sorted({shlex.quote(rule["pack"]) for rule in rules if rule["outcome"] == "pending"})
    return lines + ([f"{here}apply {' '.join(pending)}"] if pending else [])


def row_of(report):
    """State, counts and what is to do, of one server's report."""
    counts = Counter(rule["outcome"] for rule in report.get("rules", []))
    rules = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())) or "-"
    return STATES[report["exit_status"]], rules


def portpatch_table(reports):
    """`reports`: for each server host, tree, and portpatch's JSON report (or None)."""
    rows = [("server", "state", "rules", "to do there")]
    for one in reports:
        try:
            state, rules = row_of(one["report"])
            lines = todo(one["tree"], one["report"]) or [""]
        except (AttributeError, KeyError, TypeError) as error:
            state, rules, lines = "fault", "-", [f"its report cannot be read: {error!r}"]
        rows.append((one["host"], state, rules, lines[0]))
        rows += [("", "", "", line) for line in lines[1:]]
    rows = [[UNPRINTABLE.sub("?", str(cell)) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    return "\n".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]).rstrip() for row in rows) + "\n"


class FilterModule:
    def filters(self):
        return {"portpatch_table": portpatch_table}
