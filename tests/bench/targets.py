#!/usr/bin/env python3
"""All targets of speed: portpatch as a whole process on SGLang, against rg, ast-grep and Clang in the same minutes.

    targets.py [CHECKOUT] [--program build/portpatch] [--pack rules/sm120] [--runs 15] [--slow-runs 3] [--check]

CHECKOUT is a clone of SGLang with its history (default: $PORTPATCH_SGLANG); it is only read. portpatch-cc is looked
for beside the program, ast-grep in $AST_GREP and the PATH, Clang in $CLANG and the PATH. Every round runs each case
once, so that whatever else the machine does falls on all of them; ratios are medians of the rounds' own ratios. With
--check a missed target is exit 1.
"""
import argparse
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import cc_speed
import scale

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMIT = "526af1584"
RANGE = "f8d4eb702..526af1584"
RULES = 1_000
CC_FILES = 20
CC_WORDS = "__CUDA_ARCH__|sm_version|getSMVersion|compute_capability|SM[0-9]{2}"
NAME = "TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES"
AST_GREP_RULES = f"""\
id: sizes
language: python
severity: info
rule:
  pattern: {NAME} = $TABLE
---
id: worlds
language: python
severity: info
rule:
  pattern: _WORLD_SIZES_MULTIMEM = $TABLE
  inside:
    kind: class_definition
    stopBy: end
    has: {{field: name, regex: ^(Torch)?SymmMemCommunicator$}}
"""

ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | {"NO_COLOR": "1"}


class Case:
    """One command that is run again and again, what it must find, and how long it took."""

    def __init__(self, title, command, cwd, expect=b"", before=None, status=0):
        self.title, self.command, self.cwd, self.expect = title, [str(c) for c in command], cwd, expect
        self.before, self.status = before or (lambda: None), status
        self.wall, self.cpu, self.peak = [], [], None
        self.runs = sys.maxsize

    def run(self, keep):
        """Not through subprocess: to fork this program takes longer than the shortest case."""
        self.before()
        os.chdir(self.cwd)
        with tempfile.TemporaryFile() as out, open(os.devnull, "r+b") as nothing:
            to = [(os.POSIX_SPAWN_DUP2, file.fileno(), fd) for fd, file in ((0, nothing), (1, out), (2, nothing))]
            start = time.perf_counter()
            process = os.posix_spawnp(self.command[0], self.command, ENVIRONMENT, file_actions=to)
            _, status, usage = os.wait4(process, 0)
            wall = time.perf_counter() - start
            out.seek(0)
            text = out.read()
        code = os.waitstatus_to_exitcode(status)
        if code != self.status or self.expect not in text:
            sys.exit(f"{self.title}: exit {code}, and its output is\n{text.decode(errors='replace')[:2000]}")
        if keep:
            self.wall.append(wall * 1000)
            self.cpu.append((usage.ru_utime + usage.ru_stime) * 1000)

    def measure_peak(self, time_program):
        """In MB. A child of this process would report this process's own peak, a child of `time` does not."""
        self.before()
        with tempfile.NamedTemporaryFile("r") as out:
            subprocess.run([time_program, "-f", "%M", "-o", out.name, *self.command], cwd=self.cwd, env=ENVIRONMENT,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.peak = max(self.peak or 0, int(out.read().split()[-1]) / 1024)


def git(tree, *words):
    return subprocess.run(["git", "-C", str(tree), *words], env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout.strip()


def make_tree(checkout, folder):
    subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", checkout, folder], env=ENVIRONMENT, check=True)
    git(folder, "checkout", "-q", "-f", "-B", "main", COMMIT)
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(folder, "branch", "-q", "--set-upstream-to=origin/main")
    return folder


def upstream_flip(tree):
    """Each call moves upstream's ref to another commit: both are in HEAD's history, so only the memory is out of date."""
    commits = [git(tree, "rev-parse", f"HEAD~{n}") for n in (0, 1)]

    def flip():
        commits.reverse()
        git(tree, "update-ref", "refs/remotes/origin/main", commits[0])

    return flip


def make_cases(program, pack, scratch, tree, ast_grep, slow_runs):
    locked, bare = scratch / "locked" / pack.name, scratch / "bare" / pack.name
    for copy in (locked, bare):
        shutil.copytree(pack, copy)
    (bare / "pack.lock").unlink(missing_ok=True)
    call = lambda *words: subprocess.run([program, *words], cwd=tree, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
    if not (locked / "pack.lock").exists():
        call("refresh", locked)
    call("apply", locked)  # the edit
    call("apply", locked)  # the first run in which all holds is remembered
    # The memory case has its own tree: the other one's ref moves.
    still = make_tree(tree, scratch / "still")
    for _ in range(2):
        subprocess.run([program, "-C", still, "apply", locked], env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
    held = b"2 rules: 2 held"
    names = [f"TORCH_SYMM_MEM_SIZES_{number}" for number in range(RULES)]
    one, many = (scale.make_pack(scratch / f"rules{size}", names[:size]) for size in (1, RULES))
    scan = lambda rules: [program, "status", "--no-memory", rules]
    cases = {
        "true": Case("true, what any process takes here", ["true"], still),
        "memory": Case("apply, upstream the same", [program, "apply", locked], still, held),
        "locked": Case("apply, upstream moved", [program, "apply", locked], tree, held, before=upstream_flip(tree)),
        "scan": Case("status, no lock, no hints", scan(bare), still, held),
        "one": Case("status of 1 rule, a scan", scan(one), still, b"1 rule: ", status=1),
        "many": Case(f"status of {RULES:,} rules, a scan", scan(many), still, b"rules: ", status=1),
    }
    if rg := shutil.which("rg"):
        cases["rg"] = Case(f"rg -l {NAME[:16]}... -t py", [rg, "-l", NAME, "-t", "py"], still, b"all_reduce_utils.py")
    else:
        print("skipped: rg is not installed")
    if ast_grep:
        rules = scratch / "rules.yml"
        rules.write_text(AST_GREP_RULES)
        cases["ast-grep"] = Case("ast-grep scan", [ast_grep, "scan", "--rule", rules, "--json=compact"], still, b"torch_symm_mem.py")
    else:
        print("skipped: ast-grep is not installed (set AST_GREP, or put it on the PATH)")
    commits = git(tree, "rev-list", "--count", "--first-parent", RANGE)
    cases["timeline"] = Case(f"timeline, {commits} commits", [program, "timeline", pack, RANGE], tree, b"2 rules, ")
    audit = [program, "audit", "--cc", "12.0"]
    if program.with_name("portpatch-cc").exists():
        forget = lambda: shutil.rmtree(still / ".git/portpatch/clang", ignore_errors=True)
        cases["clang"] = Case("audit, Clang's answers unknown", audit, still, b"seen", before=forget, status=1)
        cases["again"] = Case("audit, nothing changed", audit, still, b"seen", status=1)
        cases["syntax"] = Case("audit --syntax-only", [*audit, "--syntax-only"], still, b"seen", status=1)
    else:
        print("skipped: portpatch-cc is not built")
    for slow in ("ast-grep", "timeline", "clang", "again", "syntax"):
        if slow in cases:
            cases[slow].runs = slow_runs
    return cases, still


def compare_with_clang(program, tree, runs):
    """cc_speed's rows for some of the tree's CUDA files that name compute capabilities."""
    clang = os.environ.get("CLANG") or next(filter(None, map(shutil.which, ("clang++-22", "clang++"))), None)
    if not program.with_name("portpatch-cc").exists() or not clang:
        print("skipped: a parse of portpatch-cc beside Clang's (it needs both)")
        return []
    files = git(tree, "grep", "-lE", CC_WORDS, "--", "*.cu", "*.cuh").splitlines()
    chosen = random.Random(1).sample(files, min(CC_FILES, len(files)))
    return cc_speed.measure(program.with_name("portpatch-cc"), clang, ROOT / "matchers/shim", [tree / file for file in chosen], runs)


def measure(cases, runs, warm_up):
    for round_ in range(warm_up + runs):
        for case in cases.values():
            if len(case.wall) < case.runs:
                case.run(keep=round_ >= warm_up)
        if sys.stderr.isatty():
            print(f"\rround {round_ + 1} of {warm_up + runs}", end="", file=sys.stderr)
    time_program = shutil.which("time")
    if not time_program:
        print("skipped: peak memory (GNU time is not installed)")
        return
    for case in cases.values():
        for _ in range(3):
            case.measure_peak(time_program)


def ratio(over, under):
    """The median of the rounds' ratios: two runs of one round see the same machine."""
    return statistics.median(a / b for a, b in zip(over.wall, under.wall))


def print_cases(cases):
    print(f"\n{'case':40} {'median ms':>10} {'least ms':>9} {'CPU ms':>8} {'peak MB':>8}")
    for case in cases.values():
        peak = f"{case.peak:8.1f}" if case.peak else f"{'-':>8}"
        print(f"{case.title:40} {statistics.median(case.wall):10.1f} {min(case.wall):9.1f} {statistics.median(case.cpu):8.1f} {peak}")


def print_targets(targets):
    """Rows of (what, measured, limit, unit), a limit below 0 being the least; whether all are met."""
    met = [value <= limit if limit > 0 else value >= -limit for _, value, limit, _ in targets]
    print(f"\n{'target':60} {'measured':>9}")
    for (what, value, limit, unit), good in zip(targets, met):
        bound = f"{what}: at {'most' if limit > 0 else 'least'} {abs(limit):g} {unit}".rstrip()
        print(f"{bound:60} {value:9.2f} {'met' if good else 'MISSED'}")
    return all(met)


def report(cases, rows):
    print_cases(cases)
    median = lambda name: statistics.median(cases[name].wall)
    targets = [("apply, upstream the same", median("memory"), 5, "ms"), ("apply, upstream moved", median("locked"), 40, "ms"),
               (f"{RULES:,} rules / 1 rule, a scan", ratio(cases["many"], cases["one"]), 3, ""),
               ("timeline", median("timeline") / 1000, 5, "s")]
    if cases["memory"].peak:
        targets.insert(1, ("apply, upstream the same", cases["memory"].peak, 30, "MB"))
    if "rg" in cases:
        targets.append(("scan / rg", ratio(cases["scan"], cases["rg"]), 1, ""))
    if "ast-grep" in cases:
        targets.append(("ast-grep / scan", ratio(cases["ast-grep"], cases["scan"]), -20, ""))
    if "clang" in cases:
        first, again, none = (median(name) for name in ("clang", "again", "syntax"))
        targets.append(("Clang's share of audit, nothing changed / first", max(0, again - none) / (first - none), 0.05, ""))
    if rows:
        print(f"\n{cc_speed.summary(rows)}")
        targets += [("a parse of portpatch-cc / clang -fsyntax-only", statistics.median(row.ratio for row in rows), 1.3, ""),
                    ("parses of a file in the median", statistics.median(row.parses for row in rows), 6, "")]
    met = print_targets(targets)
    load = " ".join(f"{x:.1f}" for x in os.getloadavg())
    print(f"\n{len(cases['memory'].wall)} rounds; {os.cpu_count()} cores, load {load}: on a busy machine the ratios and the CPU time tell more than the medians.")
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkout", nargs="?", default=os.environ.get("PORTPATCH_SGLANG"))
    parser.add_argument("--program", default=ROOT / "build/portpatch")
    parser.add_argument("--pack", default=ROOT / "rules/sm120")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--slow-runs", type=int, default=3, help="rounds of what takes seconds")
    parser.add_argument("--warm-up", type=int, default=2)
    parser.add_argument("--check", action="store_true", help="exit 1 when a target is missed")
    options = parser.parse_args()
    if not options.checkout:
        print("skipped: no SGLang checkout (give its path, or set PORTPATCH_SGLANG)")
        return 0
    program = pathlib.Path(options.program).resolve()
    ast_grep = os.environ.get("AST_GREP") or shutil.which("ast-grep")
    with tempfile.TemporaryDirectory(prefix="portpatch-bench-") as folder:
        scratch = pathlib.Path(folder)
        tree = make_tree(pathlib.Path(options.checkout).resolve(), scratch / "tree")
        cases, still = make_cases(program, pathlib.Path(options.pack).resolve(), scratch, tree, ast_grep, options.slow_runs)
        measure(cases, options.runs, options.warm_up)
        good = report(cases, compare_with_clang(program, still, options.slow_runs))
    return 1 if options.check and not good else 0


if __name__ == "__main__":
    sys.exit(main())
