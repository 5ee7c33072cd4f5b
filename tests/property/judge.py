#!/usr/bin/env python3
"""Edits on the files of this machine, judged by other eyes than ours: each is right, blocked or WRONG.

    judge.py PROGRAM --sample N     some edits in N files of each language, the same ones every time
    judge.py PROGRAM --all          every container, and many calls and statements

PROGRAM is build/property_edit. Exit status 1 when an edit is wrong, or too many are blocked."""
import argparse
import collections
import contextlib
import importlib
import multiprocessing
import random
import re
import signal
import sys
import time
import traceback

from engine import Engine

MODULES = {"python": "python_judge", "json": "data_judge", "toml": "data_judge", "yaml": "data_judge", "cpp": "cpp_judge",
           "merge": "merge_judge"}
GRAMMARS = {"merge": "python"}
MOST_BLOCKED = 0.01
# Not counted among the blocked: what the grammar cannot read (a macro without a comma behind it among C's
# initialisers), and one element more in an array that is declared without room for it.
REFUSED_RIGHTLY = ("syntax-error", "fixed-size")

Verdict = collections.namedtuple("Verdict", "family kind verdict code place detail")


def judge_file(task):
    """All verdicts on one file."""
    language, path, options = task
    engine = Engine.of(options.program, GRAMMARS.get(language, language))
    try:
        return list(importlib.import_module(MODULES[language]).verdicts(engine, language, path, options))
    except Exception:  # the judge's own mistake must not pass for a right edit
        return [Verdict(language, "judge", "WRONG", "judge", path, traceback.format_exc())]


def tasks_of(language, options):
    files = importlib.import_module(MODULES[language]).files(language)
    random.Random(options.seed).shuffle(files)
    if options.sample:
        files = files[:options.sample]
    return [(language, path, options) for path in files]


def print_table(verdicts, seconds):
    kinds = collections.defaultdict(collections.Counter)
    codes = collections.defaultdict(collections.Counter)
    examples = {}
    for v in verdicts:
        kinds[v.family, v.kind][v.verdict] += 1
        if v.verdict != "right":
            key = (v.verdict, v.code, re.sub(r"`[^`]*`", "`...`", v.detail))
            codes[v.family, v.kind][v.code] += 1
            examples.setdefault((v.family, v.kind, *key), []).append(v.place)
    print(f"{'family':10} {'kind':26} {'cases':>7} {'right':>7} {'blocked':>7} {'WRONG':>6}  edited   blocked by")
    for (family, kind), count in sorted(kinds.items()):
        total = sum(count.values())
        why = ", ".join(f"{code} {n}" for code, n in codes[family, kind].most_common())
        print(f"{family:10} {kind:26} {total:7} {count['right']:7} {count['blocked']:7} {count['WRONG']:6}"
              f"  {100 * count['right'] / total:5.1f} %  {why}")
    print(f"{len(verdicts)} edits in {seconds:.0f} s\n")
    for (family, kind, verdict, code, detail), places in sorted(examples.items(), key=lambda e: (e[0][2] != "WRONG", e[0])):
        print(f"{verdict} {family} {kind}: {code}: {detail} ({len(places)}, such as {', '.join(places[:3])})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--sample", type=int, default=0, help="so many files of each language")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--languages", default=",".join(MODULES))
    parser.add_argument("--families", default="", help="only these kinds of edits, by family")
    parser.add_argument("--only", default="", help="only files whose path contains this")
    options = parser.parse_args()
    if not options.sample and not options.all:
        parser.error("say --sample N or --all")
    started = time.monotonic()
    verdicts = []
    with contextlib.suppress(KeyboardInterrupt), multiprocessing.Pool() as pool:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # a run that is ended prints what it has
        for language in options.languages.split(","):
            tasks = [t for t in tasks_of(language, options) if options.only in t[1]]
            if not tasks:
                print(f"skipped: this machine has no {language} files", file=sys.stderr)
            for done, found in enumerate(pool.imap_unordered(judge_file, tasks, chunksize=1), 1):
                verdicts += found
                if options.all and done % 100 == 0:
                    print(f"{language}: {done} of {len(tasks)} files, {len(verdicts)} edits", file=sys.stderr, flush=True)
                for v in found:
                    if v.verdict == "WRONG":
                        print(f"WRONG {v.family} {v.kind} {v.place}: {v.detail}", file=sys.stderr, flush=True)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    verdicts.sort()
    print_table(verdicts, time.monotonic() - started)
    wrong = sum(v.verdict == "WRONG" for v in verdicts)
    blocked = sum(v.verdict == "blocked" and v.code not in REFUSED_RIGHTLY for v in verdicts)
    sys.exit(1 if wrong or blocked > MOST_BLOCKED * len(verdicts) else 0)


if __name__ == "__main__":
    main()
