#!/usr/bin/env python3
"""Measures the trace's thresholds: calibrate.py REPLAY.py --repo REPOSITORY --base REV --head REV

REPLAY.py mines what became of each named container between two revisions, from the syntax trees
alone. For places that went elsewhere, and places that are gone, a rule is locked at BASE and looked
for at HEAD with `status --rev`; what the trace found best, its points and its lead are compared with
the truth. The table says, for each pair of thresholds (least points, least lead), how many would be
taken rightly and wrongly. Run it on other revisions than the replay itself is run on: kCertainScore
and kCertainMargin in tool/locate/evidence.h are chosen here.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from replay_rules import load

MOVED = ("rescoped", "moved-file", "moved-elsewhere")
GONE = ("gone-site", "gone-file")


def node_text(replay, text, site):
    t = replay.Text(text)
    begin, end = t.span(site.node)
    return t.text[begin:end]


def rule_of(case):
    if case.family == "kw" and case.kind != "dictcall":
        pattern = "(call function: (_) @name arguments: (argument_list (keyword_argument))) @value"
        name, directive = case.name[:-2], '(#ensure-argument! @value "portpatch" "1")'
    else:
        pattern = "(assignment left: (_) @name right: (_) @value)"
        name = case.name
        directive = '(#ensure-entry! @value "\\"portpatch\\"" "1")' if case.family == "dict" else '(#ensure-element! @value "\\"portpatch\\"")'
    return f'; probe\n({pattern}\n (#eq? @name "{name}") (#in-scope? @name "{case.scope}")\n {directive})\n'


def outcome(program, repo, base, head, case, text):
    with tempfile.TemporaryDirectory(prefix="portpatch-calibrate.") as folder:
        pack = pathlib.Path(folder)
        (pack / "python").mkdir()
        (pack / "pack.toml").write_text("format = 1\n")
        (pack / "python/probe.scm").write_text(rule_of(case))
        (pack / "pack.lock").write_text(f'format = 1\n[[rules."python/probe"]]\ncommit = "{base}"\npath = {json.dumps(case.path)}\nscope = {json.dumps(case.scope)}\ntext = {json.dumps(text)}\n')
        ran = subprocess.run([program, "-C", repo, "status", folder, "--rev", head, "--format", "json"], capture_output=True, text=True)
        return json.loads(ran.stdout)["rules"][0] if ran.returncode < 2 else None


def best_of(rule):
    """(points, lead, path, scope, taken) of what the trace holds for best; None without a trace."""
    if not rule or not rule.get("traces"):
        return None
    trace = rule["traces"][0]
    if trace["verdict"] == "certain" and trace["steps"]:
        weakest = min(trace["steps"], key=lambda step: (step["score"], step["margin"]))
        last = trace["steps"][-1]["to"]
        return weakest["score"], weakest["margin"], last["path"], last["scope"], True
    if trace["survivors"]:
        first, rest = trace["survivors"][0], trace["survivors"][1:]
        return first["score"], first["score"] - max((one["score"] for one in rest), default=0), first["place"]["path"], first["place"]["scope"], False
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("replay")
    parser.add_argument("--repo", required=True)
    parser.add_argument("--base", required=True)
    parser.add_argument("--head", required=True)
    parser.add_argument("--program", default="build/portpatch")
    parser.add_argument("--limit", type=int, default=150, help="cases of each class")
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    replay = load(options.replay)
    replay.SCRATCH.mkdir(parents=True, exist_ok=True)
    repo = replay.Repo(options.repo)
    base, head = repo.rev(options.base), repo.rev(options.head)
    mine = replay.Mine(repo, base, head)
    cases, _ = mine.cases()
    rng = random.Random(options.seed)
    samples = []
    for kind in MOVED + GONE:
        of_kind = [case for case in cases if case.cls == kind and case.variant == "add" and case.kind != "elif"]
        samples += rng.sample(of_kind, min(options.limit, len(of_kind)))
    rows = []  # (points, lead, is it right, taken now, kind)
    for number, case in enumerate(samples):
        text = repo.blob(mine.base[case.path]).decode("utf-8")
        sites = replay.find_site(text, case.scope, case.name, case.family)
        if len(sites) != 1:
            continue
        rule = outcome(program, options.repo, base, head, case, node_text(replay, text, sites[0]))
        best = best_of(rule)
        if best is None:
            rows.append((0, 0, False, False, case.cls))
            continue
        points, lead, path, scope, taken = best
        right = case.cls in MOVED and path == case.target and (scope == case.tscope or case.tscope == "")
        rows.append((points, lead, right, taken, case.cls))
        if taken and not right:
            print(f"taken and not right: {case.cls} {case.id} {case.path} {case.scope} {case.name} -> {path} {scope}, {points} points, {lead} ahead")
        if number % 100 == 99:
            print(f"{number + 1} of {len(samples)}", file=sys.stderr)
    for kind in MOVED + GONE:
        of_kind = [row for row in rows if row[4] == kind]
        print(f"{kind:16} {len(of_kind):4} cases, {sum(row[3] and row[2] for row in of_kind):4} taken rightly, {sum(row[3] and not row[2] for row in of_kind):3} wrongly")
    print("\nleast points, least lead: taken rightly / wrongly")
    leads = (4, 8, 12, 16, 20)
    print("points   " + "".join(f"{lead:>12}" for lead in leads))
    for points in (45, 50, 55, 60, 65, 70, 75):
        cells = []
        for lead in leads:
            taken = [row for row in rows if row[0] >= points and row[1] >= lead]
            cells.append(f"{sum(row[2] for row in taken)} / {sum(not row[2] for row in taken)}")
        print(f"{points:<9}" + "".join(f"{cell:>12}" for cell in cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())
