#!/usr/bin/env python3
"""Captures real commits as rules and replays the rules on each commit's parent.

    round_trip.py REPOSITORY [--commits 400] [--skip 0] [--head REV] [--show] [--only ID...] [--json FILE]

Takes the last non-merge commits that change at most 60 lines of Python, C++ or CUDA files outside of
tests. Each is captured into a pack of its own; the pack is applied to the files as they were before
the commit, in a plain folder. Judges: Python's `ast` for Python, for C++ the tokens without comments.
A file with pieces that were not captured must differ from the commit only by these: it is not judged.
PORTPATCH names the program.
"""
import argparse
import ast
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ENDINGS = (".py", ".cu", ".cuh", ".h", ".cpp")
MOST_LINES = 60
TOKEN = re.compile(
    rb'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.\'])*|<<=|>>=|\.\.\.|->\*|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|##|\S',
    re.S)


def git(repository, *arguments):
    return subprocess.run(["git", "-C", repository, *arguments], capture_output=True, check=True).stdout


def is_code(path):
    parts = path.split("/")
    name = parts[-1]
    in_tests = any(part in ("test", "tests", "testing") for part in parts) or name.startswith("test_")
    return path.endswith(ENDINGS) and not in_tests


def commits_of(repository, head, count):
    """(commit, paths) of the last commits that are small enough."""
    log = subprocess.Popen(["git", "-C", repository, "log", "--no-merges", "--no-renames", "--format=%x00%H", "--numstat", head],
                           stdout=subprocess.PIPE, text=True, errors="replace")
    found, commit, rows = [], None, []

    def finish():
        changed = [(a, d, p) for a, d, p in rows if a != "-" and is_code(p)]
        lines = sum(int(a) + int(d) for a, d, _ in changed)
        if commit and changed and lines <= MOST_LINES:
            found.append((commit, [p for _, _, p in changed]))

    for line in log.stdout:
        line = line.rstrip("\n")
        if line.startswith("\0"):
            finish()
            if len(found) >= count:
                break
            commit, rows = line[1:], []
        elif line.strip():
            rows.append(line.split("\t"))
    else:
        finish()
    log.kill()
    return found[:count]


def same_code(path, one, two):
    if path.endswith(".py"):
        try:
            return ast.dump(ast.parse(one)) == ast.dump(ast.parse(two))
        except SyntaxError:
            return one == two
    tokens = lambda text: [m.group(0) for m in TOKEN.finditer(text) if not m.group(0).startswith((b"//", b"/*"))]
    return tokens(one) == tokens(two)


def try_commit(program, repository, commit, paths, scratch):
    """The capture's report with the verdict of each file: exact, partial, WRONG."""
    shutil.rmtree(scratch, ignore_errors=True)
    tree = scratch / "tree"
    pack = scratch / "pack"
    before, after = {}, {}
    for path in paths:
        for side, revision in ((before, commit + "^"), (after, commit)):
            shown = subprocess.run(["git", "-C", repository, "show", f"{revision}:{path}"], capture_output=True)
            if shown.returncode == 0:
                side[path] = shown.stdout
    captured = subprocess.run([*program, "capture", commit, *paths, "-C", repository, "--pack", str(pack), "--format", "json", "--explain"], capture_output=True)
    report = json.loads(captured.stdout or b"{}")
    report["stderr"] = captured.stderr.decode(errors="replace")
    report["files_judged"] = {}
    if captured.returncode == 2 or not (pack / "pack.toml").exists():
        return report
    for path, text in before.items():
        target = tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text)
    applied = subprocess.run([*program, "apply", str(pack), "-C", str(tree), "--format", "json"], capture_output=True)
    outcome = json.loads(applied.stdout or b"{}")
    report["apply"] = outcome
    report["stderr"] += applied.stderr.decode(errors="replace")
    open_files = {piece["path"] for piece in report["uncaptured"]}
    for path in before:
        if path not in after:
            continue
        now = (tree / path).read_bytes()
        if same_code(path, now, after[path]):
            report["files_judged"][path] = "exact"
        else:
            report["files_judged"][path] = "partial" if path in open_files else "WRONG"
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository")
    parser.add_argument("--commits", type=int, default=400)
    parser.add_argument("--skip", type=int, default=0, help="leave out the newest ones: a long run in parts")
    parser.add_argument("--head", default="HEAD")
    parser.add_argument("--show", action="store_true", help="name what was not captured and what did not replay")
    parser.add_argument("--only", nargs="*", help="these commits only; their packs are kept")
    parser.add_argument("--json", help="write all reports")
    options = parser.parse_args()
    program = os.environ.get("PORTPATCH", "build/portpatch").split()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="round-trip-"))
    commits = commits_of(options.repository, options.head, options.commits)[options.skip:]
    if options.only:
        commits = [(c, [p for p in git(options.repository, "diff-tree", "-r", "--no-commit-id", "--no-renames", "--name-only", c).decode().split("\n") if is_code(p)]) for c in options.only]
    kinds, tokens = collections.Counter(), collections.defaultdict(list)
    captured = refused = whole_files = structural = 0
    judged = collections.Counter()
    reports, reasons = {}, collections.Counter()
    for number, (commit, paths) in enumerate(commits):
        report = try_commit(program, options.repository, commit, paths, scratch / ("pack-" + commit[:9] if options.only else "work"))
        reports[commit] = report
        for rule in report.get("rules", []):
            kinds[rule["directive"]] += 1
            captured += 1
            changed = max(1, rule["changed_tokens"])
            tokens[rule["directive"]].append(rule["payload_tokens"] / changed)
            large = rule["directive"] in ("replace!", "ensure-definition!") and rule["payload_tokens"] > 2 * changed
            structural += rule["directive"] == "merge!" or large
        for piece in report.get("uncaptured", []):
            if piece["line"] == 0:
                whole_files += 1
                continue
            refused += 1
            reasons[re.sub(r"`[^`]*`|\d+", "_", piece["reason"])] += 1
            if options.show:
                print(f"{commit[:9]} {piece['path']}:{piece['line']} ({piece['changed_tokens']}): {piece['text'][:90]}\n    {piece['reason']}")
        for path, verdict in report.get("files_judged", {}).items():
            judged[verdict] += 1
            if verdict == "WRONG" or (options.show and verdict == "partial" and options.only):
                print(f"{commit[:9]} {verdict} {path}")
        if "apply" in report and options.show:
            for rule in report["apply"].get("rules", []):
                if rule["needs_person"]:
                    print(f"{commit[:9]} {rule['outcome']} {rule['rule']}: {[s.get('reason') for s in rule['sites']]} {rule['notes']}")
        if "rules" not in report:
            print(f"{commit[:9]} FAILED {report['stderr'].strip()[:400]}")
            judged["FAILED"] += 1
        sys.stdout.flush()
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(reports))
    ratios = sorted(r for rs in tokens.values() for r in rs)
    print(f"\n{len(commits)} commits, {captured + refused} atomic edits: {captured} captured ({100 * captured / max(1, captured + refused):.1f} %), {refused} refused; {whole_files} files not of a kind to capture")
    for kind, count in kinds.most_common():
        rs = sorted(tokens[kind])
        print(f"  {kind:20} {count:5}  payload/changed tokens, median {rs[len(rs) // 2]:.2f}")
    if ratios:
        print(f"  structural {structural} ({100 * structural / captured:.1f} % of edits); payload/changed tokens, median {ratios[len(ratios) // 2]:.2f}")
    print("  files:", ", ".join(f"{count} {verdict}" for verdict, count in judged.most_common()))
    for reason, count in reasons.most_common(25):
        print(f"  {count:4} {reason}")
    if options.only:
        print("kept:", scratch)
    else:
        shutil.rmtree(scratch, ignore_errors=True)
    return 1 if judged["WRONG"] or judged["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
