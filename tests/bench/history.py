#!/usr/bin/env python3
"""portpatch on git's objects: `timeline` along SGLang's history, `status --rev` beside a checkout and `git cat-file`.

    history.py [REPOSITORY] [--program build/portpatch] [--pack rules/sm120] [--runs 7] [--check]

REPOSITORY is SGLang with its history, bare or not (default: $PORTPATCH_SGLANG); it is only read. Every round runs
each case once; ratios are medians of the rounds' own ratios. With --check a missed target is exit 1.
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from targets import COMMIT, ENVIRONMENT, RANGE, ROOT, Case, git, make_tree, measure, print_cases, print_targets, ratio


class FedCase(Case):
    """A case whose command reads `text` from standard input."""

    def __init__(self, title, command, cwd, path, **more):
        super().__init__(title, ["sh", "-c", 'exec "$@" < "$0"', path, *command], cwd, **more)


def make_cases(program, pack, scratch, source):
    subprocess.run(["git", "clone", "-q", "--bare", "--shared", source, scratch / "bare"], env=ENVIRONMENT, check=True)
    bare, tree = scratch / "bare", make_tree(source, scratch / "tree")
    unlocked = scratch / "unlocked" / pack.name
    shutil.copytree(pack, unlocked)
    (unlocked / "pack.lock").unlink()
    paths = sorted(set(re.findall(r'^path = "(.*)"', (pack / "pack.lock").read_text(), re.M)))
    listing = [line.split() for line in git(bare, "ls-tree", "-r", COMMIT).splitlines()]
    blobs = scratch / "blobs"
    blobs.write_text("".join(f"{blob}\n" for mode, _, blob, *path in listing if mode != "120000" and path[0].endswith((".py", ".pyi"))))
    commits = git(bare, "rev-list", "--count", "--first-parent", RANGE)
    pending, summary = b"2 rules: 2 pending", b"2 rules, "
    print(f"{commits} commits along first parents; {len(blobs.read_text().splitlines())} Python files at {COMMIT}; {len(paths)} paths in pack.lock\n")
    return {
        "timeline": Case(f"timeline, {commits} commits", [program, "-C", bare, "timeline", pack, RANGE], bare, summary),
        "timeline-scan": Case("timeline, no lock: every blob is read", [program, "-C", bare, "timeline", unlocked, RANGE], bare, summary),
        "log": Case("git log --first-parent --format=%h -- PATHS", ["git", "log", "--first-parent", "--format=%h", RANGE, "--", *paths], bare),
        "log-raw": Case("git log --first-parent --raw", ["git", "log", "--first-parent", "--raw", "--no-renames", "--format=%h", RANGE], bare),
        "checkout": Case("status, in a checkout", [program, "status", "--no-memory", pack], tree, pending),
        "rev": Case("status --rev, bare", [program, "-C", bare, "status", "--rev", COMMIT, pack], bare, pending),
        "checkout-scan": Case("status, no lock, in a checkout", [program, "status", "--no-memory", unlocked], tree, pending),
        "rev-scan": Case("status --rev, no lock, bare", [program, "-C", bare, "status", "--rev", COMMIT, unlocked], bare, pending),
        "cat-file": FedCase("git cat-file --batch, the same blobs", ["git", "cat-file", "--batch"], bare, blobs),
    }


def report(cases):
    print_cases(cases)
    targets = [("timeline", statistics.median(cases["timeline"].wall) / 1000, 5, "s"),
               ("status --rev / status, at the base", ratio(cases["rev"], cases["checkout"]), 2, ""),
               ("status --rev / cat-file, full scan", ratio(cases["rev-scan"], cases["cat-file"]), 1.5, "")]
    if cases["timeline"].peak:
        targets[1:1] = [(cases[name].title, cases[name].peak, 200, "MB") for name in ("timeline", "timeline-scan")]
    met = print_targets(targets)
    load = " ".join(f"{x:.1f}" for x in os.getloadavg())
    print(f"\n{len(cases['log'].wall)} rounds; {os.cpu_count()} cores, load {load}")
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("repository", nargs="?", default=os.environ.get("PORTPATCH_SGLANG"))
    parser.add_argument("--program", default=ROOT / "build/portpatch")
    parser.add_argument("--pack", default=ROOT / "rules/sm120")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--warm-up", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="exit 1 when a target is missed")
    options = parser.parse_args()
    if not options.repository:
        print("skipped: no SGLang repository (give its path, or set PORTPATCH_SGLANG)")
        return 0
    with tempfile.TemporaryDirectory(prefix="portpatch-bench-") as folder:
        cases = make_cases(pathlib.Path(options.program).resolve(), pathlib.Path(options.pack).resolve(), pathlib.Path(folder),
                           pathlib.Path(options.repository).resolve())
        measure(cases, options.runs, options.warm_up)
        good = report(cases)
    return 1 if options.check and not good else 0


if __name__ == "__main__":
    sys.exit(main())
