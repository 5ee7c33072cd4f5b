#!/usr/bin/env python3
"""Does `timeline` say at each commit what `status --rev` says there? On a real history, with many rules.

    timeline_history.py REPOSITORY A..B [--program build/portpatch] [--rules 20] [--commits 40] [--seed 1]

REPOSITORY may be bare; it is only read. The rules are drawn from Python dicts, lists and calls of A (some with
a base recorded there, some without), so that many move, vanish and come back on the way to B. Compared at
commits drawn from the range and at every change that the timeline names, and at the commit before it.
"""
import argparse
import ast
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}


def git(repository, *words):
    return subprocess.run(["git", "-C", repository, *words], check=True, capture_output=True, text=True, errors="replace", env=ENVIRONMENT).stdout


def targets(source):
    """(name, scope, kind of node, directive) of assignments that a rule could speak of."""
    kinds = {ast.Dict: ("dictionary", '(#ensure-entry! @x "\\"portpatch\\"" "1")'), ast.List: ("list", '(#ensure-element! @x "\\"portpatch\\"")')}

    def walk(body, scope):
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from walk(node.body, [*scope, node.name])
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) and type(node.value) in kinds:
                yield node.targets[0].id, scope, *kinds[type(node.value)]

    try:
        yield from walk(ast.parse(source).body, [])
    except (SyntaxError, ValueError):
        return


def make_pack(repository, commit, pack, wanted, seed, most_files):
    draw = random.Random(seed)
    files = [line.split("\t")[1] for line in git(repository, "ls-tree", "-r", commit).splitlines() if line.startswith("100") and line.endswith(".py")]
    draw.shuffle(files)
    (pack / "python").mkdir(parents=True)
    count = 0
    for path in files:
        found = list(targets(git(repository, "show", f"{commit}:{path}")))
        if not found:
            continue
        name, scope, kind, directive = draw.choice(found)
        grep = ["git", "-C", repository, "grep", "-lw", name, commit, "--", "*.py"]
        if len(subprocess.run(grep, capture_output=True, text=True, env=ENVIRONMENT).stdout.splitlines()) > most_files:
            continue
        checks = f'(#eq? @n "{name}")' + (f' (#in-scope? @n "{".".join(scope)}")' if scope and draw.random() < 0.7 else "")
        rule = f"r{count:03}"
        (pack / f"python/{rule}.scm").write_text(f"((assignment left: (identifier) @n right: ({kind}) @x)\n {checks}\n {directive})\n")
        count += 1
        if count == wanted:
            break
    groups = [f'[rules."python/r{i:03}"]\ngroup = "g"\n' for i in range(0, count, 7)]
    (pack / "pack.toml").write_text("format = 1\n" + "".join(groups))
    return count


def record_base(program, repository, commit, pack, seed):
    """pack.lock as `refresh` writes it in a clone at `commit`; every fourth rule or so is left out of it."""
    with tempfile.TemporaryDirectory(prefix="portpatch-timeline-") as folder:
        git(".", "clone", "-q", "--shared", "--no-checkout", repository, folder)
        git(folder, "checkout", "-q", "-f", "-B", "main", commit)
        git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
        git(folder, "branch", "-q", "--set-upstream-to=origin/main")
        subprocess.run([program, "-C", folder, "refresh", pack], stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    draw = random.Random(seed)
    head, *tables = re.split(r"^(?=\[\[rules)", (pack / "pack.lock").read_text(), flags=re.M)
    (pack / "pack.lock").write_text(head + "".join(table for table in tables if draw.random() < 0.75))
    return sum(1 for _ in tables)


def states(timeline, commits):
    """For each commit of the line: {rule: (outcome, places)}."""
    form = lambda state: (state["outcome"], tuple((p["path"], p["scope"]) for p in state["places"]))
    now = {rule["rule"]: form(rule["start"]) for rule in timeline["rules"]}
    changes = {}
    for rule in timeline["rules"]:
        for change in rule["changes"]:
            changes.setdefault(change["commit"], {})[rule["rule"]] = form(change)
    result = [dict(now)]
    for commit in commits:
        now |= changes.get(commit, {})
        result.append(dict(now))
    return result, changes


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("repository", nargs="?", default=os.environ.get("PORTPATCH_SGLANG"))
    parser.add_argument("range", nargs="?", default="f8d4eb702..526af1584")
    parser.add_argument("--program", default=ROOT / "build/portpatch")
    parser.add_argument("--rules", type=int, default=20)
    parser.add_argument("--commits", type=int, default=40)
    parser.add_argument("--changes", type=int, default=40, help="at most so many of the timeline's changes are looked at")
    parser.add_argument("--most-files", type=int, default=12, help="names that more files hold are not drawn")
    parser.add_argument("--pack", help="this pack instead of drawn rules")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not options.repository:
        print("skipped: no repository (give its path, or set PORTPATCH_SGLANG)")
        return 0
    program = pathlib.Path(options.program).resolve()
    first, last = options.range.split("..")
    with tempfile.TemporaryDirectory(prefix="portpatch-timeline-") as folder:
        pack = pathlib.Path(options.pack).resolve() if options.pack else pathlib.Path(folder) / "pack"
        if not options.pack:
            count = make_pack(options.repository, first, pack, options.rules, options.seed, options.most_files)
            print(f"{count} rules, {record_base(program, options.repository, first, pack, options.seed)} places of them at {first}")
        call = lambda *words: subprocess.run([program, "-C", options.repository, "--format", "json", *words], capture_output=True, text=True, env=ENVIRONMENT)
        done = call("timeline", pack, options.range)
        timeline = json.loads(done.stdout)
        if "errors" in timeline:
            sys.exit(done.stderr)
        line = git(options.repository, "rev-list", "--reverse", "--first-parent", options.range).split()
        expected, changes = states(timeline, line)
        draw = random.Random(options.seed)
        at = set(draw.sample(range(len(line) + 1), min(options.commits, len(line) + 1))) | {0, len(line)}
        changed = [i for i, commit in enumerate(line, 1) if commit in changes]
        for i in draw.sample(changed, min(options.changes, len(changed))):
            at |= {i - 1, i}
        base = git(options.repository, "rev-parse", f"{first}^{{commit}}").strip()

        def compare(i):
            commit = line[i - 1] if i else base
            report = json.loads(call("status", "--no-memory", "--rev", commit, pack).stdout)
            wrong = []
            for rule in report["rules"]:
                # Without an upstream ref `status` cannot tell whose a rule that holds is; the timeline's commits are upstream's.
                outcome = "upstreamed" if rule["outcome"] == "held" else rule["outcome"]
                said = (outcome, tuple((s["path"], s["scope"]) for s in rule["sites"]))
                if said != expected[i][rule["rule"]]:
                    wrong.append(f"{commit[:12]} {rule['rule']}: status says {said}, the timeline {expected[i][rule['rule']]}")
            return wrong

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            wrong = [one for found in pool.map(compare, sorted(at)) for one in found]
    outcomes = {}
    for state in (expected[i] for i in at):
        for outcome, _ in state.values():
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    print("\n".join(wrong[:40]))
    print(f"{len(line)} commits, {sum(len(c) for c in changes.values())} changes; compared at {len(at)} commits: "
          f"{', '.join(f'{n} {o}' for o, n in sorted(outcomes.items()))}; {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
