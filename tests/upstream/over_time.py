#!/usr/bin/env python3
"""Ports captured commits to upstream weeks before and after them, beside what git and wiggle do.

    over_time.py REPOSITORY [--commits 40] [--seed 1] [--before 2026-05-20] [--weeks -12 -4 -1 1 4 12] [--show] [--json FILE]

Small commits (see round_trip.py) are drawn from the first-parent history that ends at the date. Each
is captured as rules on its parent, in the groups that capture makes. The rules go onto upstream as it was weeks before and after; where
upstream has the commit's own change by then, it is taken out first by a three-way merge, in a history
that never had it (what upstream had and took out again would be a conflict), and a case whose change
cannot be taken out is left out. The truth is then what upstream has; for older trees it
is git's merge, where that is clean.

Judged is each file that the commit changed: `right` equals the truth as code; `part` has some of the
truth's changes and no other; `kept` was left alone with the reason said; `wrong` has a change that
the truth has not. Where git has a conflict there is no truth: a file that was edited there is `alike`
when its changes read as the commit's own did, else `unlike`; where they stand is not judged.
The others are git cherry-pick's merge, which is what `git stash pop` does, `git apply --3way`, and
wiggle where it is installed. Each says which cases it refuses by its exit status.
PORTPATCH names the program.
"""
import argparse
import collections
import difflib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import round_trip

WHO = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]


class Clone:
    """A clone to work in, with what git does to trees without checking them out."""

    def __init__(self, repository, folder):
        self.folder = folder
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", repository, folder], check=True)

    def git(self, *arguments, check=True, text=True, **options):
        return subprocess.run(["git", "-C", self.folder, *WHO, *arguments], check=check, text=text, capture_output=True, **options)

    def id_of(self, revision):
        return self.git("rev-parse", "--verify", revision).stdout.strip()

    def show(self, revision, path):
        shown = self.git("show", f"{revision}:{path}", check=False, text=False)
        return shown.stdout if shown.returncode == 0 else None

    def merged(self, base, ours, theirs):
        """(tree, is it clean) of a three-way merge of commits or trees."""
        one = self.git("commit-tree", f"{ours}^{{tree}}", "-p", base, "-m", "ours").stdout.strip()
        two = self.git("commit-tree", f"{theirs}^{{tree}}", "-p", base, "-m", "theirs").stdout.strip()
        done = self.git("merge-tree", "--write-tree", one, two, check=False)
        return done.stdout.split("\n")[0], done.returncode == 0

    def at(self, start, seconds):
        """The first-parent commit at that time."""
        return self.git("rev-list", "-1", "--first-parent", f"--before={seconds}", start).stdout.strip()


def commits_between(clone, head, count):
    """(commit, paths, time) of small commits, the newest first."""
    found = []
    for commit, paths in round_trip.commits_of(clone.folder, head, count):
        found.append((commit, paths, int(clone.git("show", "-s", "--format=%ct", commit).stdout)))
    return found


def tokens_of(text):
    return [m.group(0) for m in re.finditer(rb"\w+|\n[ \t]*|[^\w\s]", text or b"")]


def changes(before, after):
    """Token changes with their place: (where, what went, what came)."""
    one, two = tokens_of(before), tokens_of(after)
    blocks = difflib.SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
    code = lambda tokens: tuple(t for t in tokens if t.strip() and t != b",")
    found = []
    for kind, i, j, k, l in blocks:
        if kind != "equal" and (code(one[i:j]) or code(two[k:l])):
            found.append((i, code(one[i:j]), code(two[k:l])))
    return found


def is_part(before, after, truth):
    """Is every change of `after` one of the truth's, or a piece of one?"""
    wanted = changes(before, truth)
    within = lambda small, large: " ".join(map(repr, small)) in " ".join(map(repr, large))
    return all(any(abs(i - k) <= 60 and within(gone, out) and within(came, new) for k, out, new in wanted) for i, gone, came in changes(before, after))


def verdict(path, before, after, truth, own):
    """`own`: the commit's two versions of the file."""
    if after is None or before is None:
        return "kept" if after == before else "wrong"
    if truth is None:
        if round_trip.same_code(path, before, after):
            return "kept"
        pieces = lambda one, two: [(gone, came) for _, gone, came in changes(one, two)]
        return "alike" if set(pieces(before, after)) <= set(pieces(*own)) else "unlike"
    if round_trip.same_code(path, after, truth):
        return "right"
    if round_trip.same_code(path, before, after):
        return "kept"
    return "part" if is_part(before, after, truth) else "wrong"


class Case:
    def __init__(self, clone, commit, paths, start, truth):
        """`start` is the tree to port to, as a commit; `truth` a tree or None."""
        self.clone, self.commit, self.paths, self.start, self.truth = clone, commit, paths, start, truth
        # Where upstream calls the files something else, the judge follows git's renames.
        names = clone.git("diff", "--name-status", "-M60%", "--diff-filter=R", f"{commit}^", start).stdout
        renames = {old: new for _, old, new in (line.split("\t") for line in names.splitlines())}
        self.now = {path: renames.get(path, path) for path in paths}
        self.before = {path: clone.show(start, self.now[path]) for path in paths}
        self.own = {path: (clone.show(f"{commit}^", path), clone.show(commit, path)) for path in paths}
        self.wanted = {path: clone.show(truth, self.now[path]) if truth else None for path in paths}

    def judge(self, texts):
        return {path: verdict(path, self.before[path], texts[path], self.wanted[path], self.own[path]) for path in self.paths if self.before[path] is not None}

    def refused(self):
        return self.judge(self.before)

    def by_merge(self):
        tree, clean = self.clone.merged(f"{self.commit}^", self.start, self.commit)
        return self.judge({path: self.clone.show(tree, self.now[path]) for path in self.paths}) if clean else self.refused()

    def by_apply(self, scratch):
        patch = self.clone.git("diff", "--binary", f"{self.commit}^", self.commit, "--", *self.paths, text=False).stdout
        index = dict(os.environ, GIT_INDEX_FILE=str(scratch / "index"))
        self.clone.git("read-tree", self.start, env=index)
        done = self.clone.git("apply", "--cached", "--3way", "-", check=False, text=False, input=patch, env=index)
        if done.returncode != 0:
            return self.refused()
        tree = self.clone.git("write-tree", env=index).stdout.strip()
        return self.judge({path: self.clone.show(tree, self.now[path]) for path in self.paths})

    def by_wiggle(self, scratch):
        texts = {}
        for path in self.paths:
            texts[path] = self.before[path]
            sides = [self.before[path], self.clone.show(f"{self.commit}^", path), self.clone.show(self.commit, path)]
            if any(side is None for side in sides):
                continue
            names = []
            for number, side in enumerate(sides):
                (scratch / f"wiggle{number}").write_bytes(side)
                names.append(str(scratch / f"wiggle{number}"))
            done = subprocess.run(["wiggle", "--merge", *names], capture_output=True)
            if done.returncode == 0:
                texts[path] = done.stdout
        return self.judge(texts)

    def by_portpatch(self, program, pack, scratch):
        """The verdicts, and how many rules had which outcome."""
        shutil.rmtree(scratch / "pack", ignore_errors=True)
        shutil.copytree(pack, scratch / "pack")
        self.clone.git("checkout", "-q", "-f", "--detach", self.start)
        done = subprocess.run([*program, "apply", "--accept-moves", str(scratch / "pack"), "-C", self.clone.folder, "--format", "json"], capture_output=True, timeout=300)
        report = json.loads(done.stdout or b"{}")
        changed = self.clone.git("status", "--porcelain", "-uno").stdout.splitlines()
        texts = {}
        for path in self.paths:
            file = pathlib.Path(self.clone.folder) / self.now[path]
            texts[path] = file.read_bytes() if file.exists() else None
        verdicts = self.judge(texts)
        elsewhere = [line[3:] for line in changed if line[3:] not in self.now.values()]
        outcomes = collections.Counter(rule["outcome"] for rule in report.get("rules", []))
        self.clone.git("checkout", "-q", "-f", "--detach", self.start)
        return verdicts, outcomes, elsewhere, report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository")
    parser.add_argument("--commits", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--before", default="2026-05-20", help="the newest commit that is drawn")
    parser.add_argument("--pool", type=int, default=1500, help="of so many small commits")
    parser.add_argument("--weeks", type=int, nargs="*", default=[-12, -4, -1, 1, 4, 12])
    parser.add_argument("--only", nargs="*", help="these commits")
    parser.add_argument("--show", action="store_true", help="name what is wrong, and the rules that need a person")
    parser.add_argument("--json")
    options = parser.parse_args()
    program = os.environ.get("PORTPATCH", "build/portpatch").split()
    program[0] = os.path.abspath(program[0])
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="over-time-"))
    clone = Clone(options.repository, str(scratch / "clone"))
    main_line = clone.id_of("HEAD")
    head = clone.git("rev-list", "-1", "--first-parent", f"--before={options.before}", main_line).stdout.strip()
    pool = commits_between(clone, head, options.pool)
    drawn = random.Random(options.seed).sample(pool, min(options.commits, len(pool)))
    if options.only:
        drawn = [one for one in pool if any(one[0].startswith(wanted) for wanted in options.only)]
    tools = ["portpatch", "git merge", "git apply -3"] + (["wiggle"] if shutil.which("wiggle") else [])
    counts = {week: {tool: collections.Counter() for tool in tools} for week in options.weeks}
    outcomes = {week: collections.Counter() for week in options.weeks}
    records, skipped = [], collections.Counter()
    for commit, paths, when in drawn:
        pack = scratch / "rules"
        shutil.rmtree(pack, ignore_errors=True)
        captured = subprocess.run([*program, "capture", commit, *paths, "-C", clone.folder, "--pack", str(pack), "--format", "json"], capture_output=True)
        if not (pack / "pack.toml").exists():
            skipped["nothing captured"] += 1
            continue
        whole = not json.loads(captured.stdout)["uncaptured"]
        for week in options.weeks:
            target = clone.at(main_line, when + week * 7 * 86400)
            if not target or target == commit:
                skipped["no such time"] += 1
                continue
            start, truth = target, None
            if week > 0:
                tree, clean = clone.merged(commit, target, f"{commit}^")
                if not clean:
                    skipped["its change cannot be taken out"] += 1
                    continue
                start, truth = clone.git("commit-tree", tree, "-p", f"{commit}^", "-m", "without it").stdout.strip(), target
            else:
                tree, clean = clone.merged(f"{commit}^", target, commit)
                truth = tree if clean else None
            # What upstream has already, or has no more, is no case.
            left = [p for p in paths if truth is None or clone.show(start, p) != clone.show(truth, p)]
            if not left:
                skipped["upstream has it, or has it no more"] += 1
                continue
            case = Case(clone, commit, left, start, truth)
            verdicts, said, elsewhere, report = case.by_portpatch(program, pack, scratch)
            outcomes[week].update(said)
            by_tool = {"portpatch": verdicts, "git merge": case.by_merge(), "git apply -3": case.by_apply(scratch)}
            if "wiggle" in tools:
                by_tool["wiggle"] = case.by_wiggle(scratch)
            for tool, judged in by_tool.items():
                counts[week][tool].update(judged.values())
            records.append({"commit": commit, "week": week, "target": target, "start": start, "whole": whole, "verdicts": by_tool, "outcomes": said, "elsewhere": elsewhere})
            if options.show:
                for path, judged in verdicts.items():
                    if judged in ("wrong", "unlike"):
                        print(f"{commit[:9]} {week:+} weeks ({start[:9]}): {judged.upper()} {case.now[path]}")
                for path in elsewhere:
                    print(f"{commit[:9]} {week:+} weeks ({start[:9]}): edited elsewhere: {path}")
                for rule in report.get("rules", []):
                    if rule["needs_person"]:
                        print(f"{commit[:9]} {week:+} weeks: {rule['outcome']} {rule['rule']}: {rule['sites'][0].get('reason') if rule['sites'] else ''}")
            sys.stdout.flush()
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(records))
    shutil.rmtree(scratch, ignore_errors=True)
    kinds = ["right", "part", "kept", "alike", "unlike", "wrong"]
    print(f"\n{len(drawn)} commits; cases left out: {dict(skipped)}")
    print(f"files, {' / '.join(kinds)}:")
    for week in options.weeks:
        print(f"  {week:+} weeks")
        for tool in tools:
            row = counts[week][tool]
            print(f"    {tool:14} {' / '.join(str(row[kind]) for kind in kinds)}")
        print(f"    rules: {', '.join(f'{n} {o}' for o, n in outcomes[week].most_common())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
