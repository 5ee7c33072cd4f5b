#!/usr/bin/env python3
"""The real case: rules/sm120 on SGLang, commit by commit.

    sglang_history.py [CHECKOUT] [--program build/portpatch] [--pack rules/sm120] [--sample N] [--full N]

CHECKOUT is any clone of SGLang with its history (default: $PORTPATCH_SGLANG); it is only read. Each
commit is laid out in a scratch repository, most with the Python files of a few folders, some whole.
What the right answer is comes from upstream's own text through Python's ast, never from portpatch:
the files that an edit must give are known byte for byte before it runs.
"""
import argparse
import ast
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
OLDEST, MIDDLE, NEWEST = "590f2da05", "f8d4eb702", "526af1584"
COMMUNICATORS = "python/sglang/srt/distributed/device_communicators"
# Where the files of the sites were in the whole history, and other Python files beside them.
SITE_FILES = [f"{COMMUNICATORS}/{name}" for name in ("all_reduce_utils.py", "symm_mem.py", "torch_symm_mem.py")]
FOLDERS = ["python/sglang/srt/distributed", "python/sglang/srt/layers", "python/sglang/srt/utils"]

MIB = 1024 * 1024
SIZES = ("python/all-reduce-max-sizes", ("TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES", "SYMM_MEM_ALL_REDUCE_MAX_SIZES"), (None,),
         {2: 256 * MIB, 4: 256 * MIB, 6: 128 * MIB, 8: 128 * MIB})
WORLDS = ("python/multimem-world-sizes", ("_WORLD_SIZES_MULTIMEM",), ("TorchSymmMemCommunicator", "SymmMemCommunicator"), [6, 8])


class Wrong(Exception):
    """portpatch did something that it must not."""


def run(*command, cwd=None, check=True, text=True, stdin=None):
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=text, input=stdin, env=ENVIRONMENT)
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr}")
    return done


ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | {
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "NO_COLOR": "1",
    "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@t", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@t",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}


# ---- the independent judge: Python's ast --------------------------------------------------------

def constants(tree):
    names = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            try:
                names[node.targets[0].id] = evaluate(node.value, names)
            except ValueError:
                pass
    return names


def evaluate(node, names):
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return evaluate(node.left, names) * evaluate(node.right, names)
    if isinstance(node, ast.List):
        return [evaluate(x, names) for x in node.elts]
    if isinstance(node, ast.Dict) and None not in node.keys:
        return {evaluate(k, names): evaluate(v, names) for k, v in zip(node.keys, node.values)}
    raise ValueError(ast.dump(node)[:60])


def find_tables(tree, names, scopes):
    """The dict displays assigned to one of the names, in the module or in one of the classes."""
    bodies = [tree.body] if None in scopes else [n.body for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name in scopes]
    for body in bodies:
        for node in body:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
            if any(isinstance(t, ast.Name) and t.id in names for t in targets):
                yield node.value


@dataclasses.dataclass
class Expected:
    """What must become of one rule at one commit."""
    rule: str
    outcome: str            # edited, upstreamed, conflict, lost, ambiguous
    path: str = ""
    after_line: int = 0     # the added lines stand behind this line (1-based)
    lines: tuple = ()


def added_lines(rule, table):
    """The new entry as a person would write it below the last one."""
    pad = " " * table.keys[-1].col_offset
    value = table.values[-1]
    if rule == WORLDS[0]:
        return (f"{pad}12: [6, 8],",)
    inner = " " * value.keys[-1].col_offset
    rows = tuple(f"{inner}{gpus}: {size} * MiB," for gpus, size in ((2, 256), (4, 256), (6, 128), (8, 128)))
    return (f"{pad}12: {{", *rows, f"{pad}}},")


def expect_for(rule, names, scopes, wanted, texts):
    found = []
    for path, text in texts.items():
        if not any(name in text for name in names):
            continue
        tree = ast.parse(text)
        found += [(path, table, constants(tree)) for table in find_tables(tree, names, scopes)]
    if not found:
        return Expected(rule, "lost")
    if len(found) > 1:
        return Expected(rule, "ambiguous")
    path, table, known = found[0]
    value = evaluate(table, known)
    if 12 in value:
        return Expected(rule, "upstreamed" if value[12] == wanted else "conflict", path)
    lines = texts[path].split("\n")
    last = table.values[-1].end_lineno
    if lines[last - 1][table.values[-1].end_col_offset:].split("#")[0].strip() != ",":
        raise RuntimeError(f"{path}: the judge knows only tables with a trailing comma")
    return Expected(rule, "edited", path, last, added_lines(rule, table))


def judge_edit(expected, before, after, wanted, names, scopes):
    """ast's view of one edited file: the table has key 12 with the right value, nothing else changed."""
    old, new = ast.parse(before), ast.parse(after)
    old_table, new_table = (next(find_tables(t, names, scopes)) for t in (old, new))
    if evaluate(new_table, constants(new)) != {**evaluate(old_table, constants(old)), 12: wanted}:
        raise Wrong(f"{expected.rule}: the table is {ast.unparse(new_table)}")
    place = [k.value for k in new_table.keys].index(12)
    del new_table.keys[place], new_table.values[place]
    if ast.dump(old) != ast.dump(new):
        raise Wrong(f"{expected.rule}: something else changed")


# ---- scratch repositories ------------------------------------------------------------------------

class SmallTree:
    """A repository that shares the checkout's objects and holds some folders of one commit."""

    def __init__(self, checkout, folder):
        self.checkout, self.folder = checkout, folder
        run("git", "init", "-q", "-b", "main", folder)
        objects = run("git", "-C", checkout, "rev-parse", "--path-format=absolute", "--git-path", "objects").stdout.strip()
        (folder / ".git/objects/info/alternates").write_text(objects + "\n")

    def show(self, commit):
        listing = run("git", "-C", self.checkout, "ls-tree", "-r", "-z", commit, "--", *FOLDERS).stdout
        entries = [e for e in listing.split("\0") if e.endswith(".py") and e.startswith("100")]
        for child in self.folder.iterdir():
            if child.name != ".git":
                shutil.rmtree(child)
        run("git", "read-tree", "--empty", cwd=self.folder)
        run("git", "update-index", "-z", "--index-info", cwd=self.folder, stdin="".join(e + "\0" for e in entries))
        run("git", "checkout-index", "-a", "-f", "-u", cwd=self.folder)
        tree = run("git", "write-tree", cwd=self.folder).stdout.strip()
        upstream = run("git", "commit-tree", "-m", commit, tree, cwd=self.folder).stdout.strip()
        set_upstream(self.folder, upstream)


class WholeTree:
    """A shared clone of the checkout with everything of one commit checked out."""

    def __init__(self, checkout, folder):
        self.folder = folder
        run("git", "clone", "-q", "--shared", "--no-checkout", checkout, folder)

    def show(self, commit):
        run("git", "checkout", "-q", "-f", "-B", "main", commit, cwd=self.folder)
        run("git", "clean", "-q", "-f", "-d", "-x", cwd=self.folder)
        set_upstream(self.folder, run("git", "rev-parse", commit + "^{commit}", cwd=self.folder).stdout.strip())


def set_upstream(folder, commit):
    run("git", "update-ref", "refs/heads/main", commit, cwd=folder)
    run("git", "update-ref", "refs/remotes/origin/main", commit, cwd=folder)
    run("git", "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main", cwd=folder)


# ---- one commit ----------------------------------------------------------------------------------

class Case:
    def __init__(self, program, pack, folder):
        self.program, self.pack, self.folder = program, pack, folder

    def portpatch(self, *words):
        done = run(self.program, "-C", self.folder, "--format", "json", *words, check=False)
        try:
            report = json.loads(done.stdout)
        except ValueError:
            raise Wrong(f"{' '.join(map(str, words))}: exit {done.returncode}, no JSON: {done.stderr or done.stdout}") from None
        if done.returncode not in (0, 1) or report.get("errors"):
            raise Wrong(f"{' '.join(map(str, words))}: exit {done.returncode}: {report.get('errors')} {done.stderr}")
        return done.returncode, {rule["rule"]: rule["outcome"] for rule in report.get("rules", [])}, report

    def changed(self):
        return {line[3:] for line in run("git", "status", "--porcelain", "-uall", cwd=self.folder).stdout.splitlines()}

    def require(self, condition, what):
        if not condition:
            raise Wrong(what)

    def bytes_of(self, paths):
        return {path: (self.folder / path).read_bytes() for path in paths}

    def stamps(self, paths):
        return {path: (os.stat(self.folder / path).st_mtime_ns, os.stat(self.folder / path).st_ino) for path in paths}

    def texts(self):
        """Every tracked Python file that names a table."""
        names = [n for rule in (SIZES, WORLDS) for n in rule[1]]
        words = [w for name in names for w in ("-e", name)]
        listed = run("git", "grep", "-l", "--cached", *words, "--", "*.py", cwd=self.folder, check=False).stdout.split()
        return {path: (self.folder / path).read_text() for path in listed}

    def try_commit(self):
        """'right', what the right answer was, or 'asked' and why; raises Wrong."""
        texts = self.texts()
        expected = [expect_for(*rule, texts) for rule in (SIZES, WORLDS)]
        outcomes = {e.rule: e.outcome for e in expected}
        if set(outcomes.values()) - {"edited", "upstreamed"}:
            return self.expect_nothing_written(outcomes)
        edits = [e for e in expected if e.outcome == "edited"]
        before = self.bytes_of({e.path for e in edits})
        wanted = {}
        for path, old in before.items():
            lines = old.decode().split("\n")
            for edit in sorted((e for e in edits if e.path == path), key=lambda e: -e.after_line):
                lines[edit.after_line:edit.after_line] = edit.lines
            wanted[path] = "\n".join(lines).encode()

        status, got, report = self.portpatch("apply", self.pack)
        if status == 1:
            self.require(not self.changed(), f"exit 1, and yet it wrote {self.changed()}")
            return "asked", f"{got}: {[r['reason'] for r in report['rules']]}"
        self.require(got == outcomes, f"outcomes are {got}, must be {outcomes}")
        self.check_edited(edits, before, wanted, "apply")
        for rule, names, scopes, value in (SIZES, WORLDS):
            for edit in edits:
                if edit.rule == rule:
                    judge_edit(edit, before[edit.path].decode(), (self.folder / edit.path).read_text(), value, names, scopes)
        stamps = self.stamps(before)
        held = {rule: "held" if outcome == "edited" else outcome for rule, outcome in outcomes.items()}
        for words in (["apply", self.pack], ["apply", "--no-memory", self.pack], ["status", "--check", self.pack]):
            status, got, _ = self.portpatch(*words)
            self.require((status, got) == (0, held), f"again, {words[:-1]}: {status} {got}")
        self.require(self.stamps(before) == stamps, "the second run wrote a file that holds")
        self.check_edited(edits, before, wanted, "the second run")
        if edits:
            self.go_back_both_ways(edits, before, wanted)
        return "right", "edited" if len(edits) == 2 else str(outcomes)

    def check_edited(self, edits, before, wanted, step):
        self.require(self.changed() == {e.path for e in edits}, f"{step}: changed files are {self.changed()}")
        for path, text in wanted.items():
            got = (self.folder / path).read_bytes()
            self.require(got == text, f"{step}: {path} is not as it must be:\n{diff(before[path], got)}")

    def go_back_both_ways(self, edits, before, wanted):
        self.portpatch("undo")
        self.require(self.bytes_of(before) == before and not self.changed(), "undo does not give back the bytes")
        self.portpatch("apply", self.pack)
        self.check_edited(edits, before, wanted, "apply after undo")
        status, got, _ = self.portpatch("unapply", self.pack)
        self.require(status == 0 and self.bytes_of(before) == before, f"unapply does not give back the bytes: {status} {got}\n" +
                     "".join(diff(before[p], b) for p, b in self.bytes_of(before).items()))
        self.require(not self.changed(), f"unapply left {self.changed()}")

    def expect_nothing_written(self, outcomes):
        status, got, _ = self.portpatch("apply", self.pack)
        self.require(not self.changed(), f"{outcomes} and yet it wrote {self.changed()}")
        self.require(status == 1, f"{outcomes} and yet exit {status}")
        for rule, outcome in outcomes.items():
            # The rules stand in one group: the certain one waits for the other.
            allowed = {"blocked"} if outcome in ("edited", "upstreamed") else {outcome}
            self.require(got[rule] in allowed | {"upstreamed"} & {outcome}, f"{rule} is {got[rule]}, must be {outcome}")
        return "right", f"nothing written: {outcomes}"


def diff(before, after):
    import difflib
    return "".join(difflib.unified_diff(before.decode(errors="replace").splitlines(True), after.decode(errors="replace").splitlines(True), n=1))


# ---- the runs ------------------------------------------------------------------------------------

def spaced(items, count):
    if count >= len(items):
        return list(items)
    return [items[round(i * (len(items) - 1) / max(1, count - 1))] for i in range(count)]


def commits_between(checkout, first, last, sample):
    """First parents, oldest first: those that touch the files, both ends, and evenly spaced others."""
    log = lambda *words: run("git", "-C", checkout, "rev-list", "--first-parent", "--reverse", *words).stdout.split()
    every = log(last, f"^{first}^@")
    touching = set(log(last, f"^{first}^@", "--", *SITE_FILES))
    others = spaced([c for c in every if c not in touching], sample)
    chosen = touching | set(others) | {every[0], every[-1]}
    return [c for c in every if c in chosen], len(touching)


def try_all(make_tree, program, pack, commits, workers, scratch, title):
    """Counts of one run; each worker has its own tree."""
    local, made, lock = threading.local(), [], threading.Lock()

    def one(commit):
        if not hasattr(local, "tree"):
            with lock:
                made.append(None)
                folder = scratch / f"{title}-{len(made)}"
            local.tree = make_tree(folder)
        local.tree.show(commit)
        try:
            return commit, *Case(program, pack, local.tree.folder).try_commit()
        except Wrong as wrong:
            return commit, "wrong", str(wrong)

    counts = {"tried": 0, "right": 0, "asked": 0, "wrong": 0}
    kinds = {}
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for commit, verdict, why in pool.map(one, commits):
            counts["tried"] += 1
            counts[verdict] += 1
            kinds[(verdict, why)] = kinds.get((verdict, why), 0) + 1
            if verdict != "right":
                print(f"{verdict}: {commit[:12]} ({title}): {why}", flush=True)
            if sys.stderr.isatty():
                print(f"\r{title}: {counts['tried']} of {len(commits)}", end="", file=sys.stderr)
    return counts, {why: n for (verdict, why), n in kinds.items() if verdict == "right" and why != "edited"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkout", nargs="?", default=os.environ.get("PORTPATCH_SGLANG"))
    parser.add_argument("--program", default=ROOT / "build/portpatch")
    parser.add_argument("--pack", default=ROOT / "rules/sm120")
    parser.add_argument("--sample", type=int, default=200, help="evenly spaced commits of the newer half (the older half: half as many)")
    parser.add_argument("--full", type=int, default=14, help="commits to try on whole checkouts")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if not options.checkout:
        print("skipped: no SGLang checkout (give its path, or set PORTPATCH_SGLANG)")
        return 0
    checkout = pathlib.Path(options.checkout).resolve()
    if run("git", "-C", checkout, "cat-file", "-e", f"{OLDEST}^{{commit}}", check=False).returncode != 0:
        print(f"skipped: {checkout} does not have the commit {OLDEST}")
        return 0
    program = pathlib.Path(options.program).resolve()
    with tempfile.TemporaryDirectory(prefix="portpatch-history-") as folder:
        return run_all(checkout, program, pathlib.Path(options.pack).resolve(), pathlib.Path(folder), options)


def run_all(checkout, program, pack, scratch, options):
    locked, bare = scratch / "locked" / pack.name, scratch / "bare" / pack.name
    for copy in (locked, bare):
        shutil.copytree(pack, copy)
    (bare / "pack.lock").unlink(missing_ok=True)
    small = lambda folder: SmallTree(checkout, folder)
    whole = lambda folder: WholeTree(checkout, folder)
    if not (locked / "pack.lock").exists():
        print(f"the pack has no pack.lock: recorded at {NEWEST} for this run")
        tree = whole(scratch / "record")
        tree.show(NEWEST)
        run(program, "-C", tree.folder, "refresh", locked)
        shutil.rmtree(tree.folder)
    newer, newer_touching = commits_between(checkout, MIDDLE, NEWEST, options.sample)
    older, older_touching = commits_between(checkout, OLDEST, MIDDLE, options.sample // 2)
    runs = [
        (f"{MIDDLE}..{NEWEST}, locked", small, locked, newer, options.workers),
        (f"{MIDDLE}..{NEWEST}, no lock", small, bare, spaced(newer, len(newer) // 4), options.workers),
        (f"{OLDEST}..{MIDDLE}, no lock", small, bare, older, options.workers),
        ("whole checkouts, locked", whole, locked, spaced(newer, options.full - options.full // 2), 1),
        ("whole checkouts, no lock", whole, bare, spaced(older, options.full // 2), 1),
    ]
    print(f"{newer_touching} commits touch the files in {MIDDLE}..{NEWEST}, {older_touching} in {OLDEST}..{MIDDLE}; all are tried")
    rows = []
    for title, make_tree, which, commits, workers in runs:
        counts, others = try_all(make_tree, program, which, commits, workers, scratch, title.replace(" ", "-").replace(",", ""))
        rows.append((title, counts, others))
    print(f"\n{'run':34} {'commits':>8} {'right':>6} {'asked':>6} {'wrong':>6}")
    for title, counts, others in rows:
        print(f"{title:34} {counts['tried']:8} {counts['right']:6} {counts['asked']:6} {counts['wrong']:6}")
        for why, count in others.items():
            print(f"    {count} of them right otherwise: {why}")
    return 1 if any(counts["wrong"] for _, counts, _ in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
