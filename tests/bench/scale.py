#!/usr/bin/env python3
"""How time and memory grow with what a tree or a pack holds.

    scale.py PORTPATCH [--only DIMENSION...] [--part 1.0] [--check]

Each dimension is made at three sizes in a temporary folder, from this machine's own sources where it is a tree. A row
is one command at one size: wall and processor seconds, peak resident memory, the exponent with which processor time
grew from the size before (1 is linear), and what the tool said, or the limit that was met. --part scales every size.
With --check an exponent over 1.3, a killed run or a missed target is exit 1.
"""
import argparse
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")} | {
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "NO_COLOR": "1",
    "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@t", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@t"}
SOURCES = ("/usr/include", "/usr/lib/python3*", "/usr/lib/gcc/*", "/usr/lib/llvm-*")
ENDINGS = (".py", ".h", ".hpp", ".cpp", ".cu", ".cuh", ".cmake", ".json")
SECONDS = 600    # for one run
EXPONENT = 1.3   # linear, a logarithm, and what a shared machine adds
FLOOR = 0.2      # seconds: below it a ratio says nothing
RULES_FACTOR = 3

AUDIT = ("audit", "--cc", "12.0", "--syntax-only")
COMPANION = '\n[[companion]]\nfiles = ["**/kernel.cu"]\nfunction = "launch"\ncovers = ["12.0"]\n'
KERNEL = "int launch(int sm) {\n  if (sm == 90) return 1;\n  if (sm == 120) return 2;\n  return 0;\n}\n"


def rule(name):
    return (f'; A limit.\n((assignment left: (identifier) @name right: (dictionary) @table)\n (#eq? @name "{name}")\n'
            ' (#ensure-entry! @table "12" "1"))\n')


def make_pack(folder, names=("SCALE_TABLE",), more=""):
    (folder / "python").mkdir(parents=True)
    (folder / "pack.toml").write_text("format = 1\n" + more)
    for name in names:
        (folder / "python" / f"{name.lower()}.scm").write_text(rule(name))
    return folder


def git(tree, *words):
    return subprocess.run(["git", "-C", str(tree), *words], env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout


def commit(tree):
    if not (tree / ".git").exists():
        git(tree, "init", "-q")
        git(tree, "config", "gc.auto", "0")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "size")


class Bench:
    """The rows of the table; a command's growth is seen against its last row."""

    def __init__(self, program, part):
        self.program, self.part, self.last, self.faults = program, part, {}, []
        print(f"{'dimension':10} {'size':>10}  {'command':28} {'wall s':>8} {'CPU s':>8} {'peak MB':>8} {'grew':>6}  said")

    def sizes(self, most):
        return [max(1, int(most * self.part * share)) for share in (0.25, 0.5, 1)]

    def run(self, dimension, size, title, tree, *words, weight=None):
        """Processor seconds of a command; a child of `time` does not show this process's own peak. Growth is against
        `weight` where the input does not grow with `size`."""
        with tempfile.NamedTemporaryFile("r") as usage:
            begin = time.monotonic()
            try:
                done = subprocess.run(["time", "-f", "%U %S %M", "-o", usage.name, "timeout", str(SECONDS), self.program, "-C", tree, *words],
                                      env=ENVIRONMENT, capture_output=True, stdin=subprocess.DEVNULL)
            finally:
                wall = time.monotonic() - begin
            user, system, peak = map(float, usage.read().split()[-3:])
        cpu = user + system
        said = self.said(done)
        if done.returncode not in (0, 1, 2):
            self.faults.append(f"{dimension} {size}: {title} ended with {done.returncode}")
        grew = self.growth(dimension, title, weight or size, cpu)
        print(f"{dimension:10} {size:10}  {title:28} {wall:8.2f} {cpu:8.2f} {peak / 1024:8.0f} {grew:>6}  {said}", flush=True)
        return cpu

    def growth(self, dimension, title, size, cpu):
        before = self.last.get((dimension, title))
        self.last[dimension, title] = size, cpu
        if not before or before[1] < FLOOR or size == before[0]:
            return "-"
        exponent = math.log(cpu / before[1]) / math.log(size / before[0])
        if exponent > EXPONENT:
            self.faults.append(f"{dimension} {size}: {title} grew with exponent {exponent:.2f}")
        return f"{exponent:.2f}"

    @staticmethod
    def said(done):
        text = (done.stdout + done.stderr).decode(errors="replace")
        limits = sorted(set(re.findall(r"limit-[a-z]+(?:-[a-z]+)*|\d+ are the most", text)))
        counts = re.findall(r"^(?:\d+ rules?[: ].*|seen .*|no findings.*|undo .*restored|error: .*|\d+ findings?.*|\d+ compan.*)$", text, re.M)
        return f"{done.returncode}: " + "; ".join([*limits, *(one[:60] for one in counts[:1])])


def all_sources(endings):
    folders = [folder for pattern in SOURCES for folder in pathlib.Path("/").glob(pattern[1:])]
    found = {path for folder in folders for path in folder.rglob("*")
             if path.suffix in endings and path.is_file() and not path.is_symlink() and path.stat().st_size < 1 << 20}
    found = sorted(found)
    random.Random(1).shuffle(found)  # headers and Python, small and large, at every size
    return found


def make_files(tree, scratch, first, last, endings=ENDINGS):
    """Files `first` to `last` of an endless tree: the machine's sources over and over, as links to one copy each."""
    sources = all_sources(endings)
    for number in range(first, last):
        round_, index = divmod(number, len(sources))
        copy = scratch / "sources" / f"{index}{sources[index].suffix}"
        if not copy.exists():
            copy.parent.mkdir(exist_ok=True)
            shutil.copyfile(sources[index], copy)
        place = tree / f"copy{round_}" / f"part{index // 100}"
        place.mkdir(parents=True, exist_ok=True)
        os.link(copy, place / f"{index}_{sources[index].name}")


def measure_files(bench, scratch):
    tree = scratch / "tree"
    for path, content in (("engine/limits.py", "SCALE_TABLE = {\n    9: 1,\n}\n"), ("engine/kernel.cu", KERNEL)):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(content)
    bare, based = make_pack(scratch / "bare", more=COMPANION), make_pack(scratch / "based", more=COMPANION)
    made = 0
    for size in bench.sizes(100_000):
        make_files(tree, scratch, made, size)
        made = size
        commit(tree)
        run = lambda title, *words: bench.run("files", size, title, tree, *words)
        run("status, scan", "status", "--no-memory", bare)
        run("refresh", "refresh", based)
        run("status, base", "status", "--no-memory", based)
        run("status, held", "status", based)
        run("audit", *AUDIT)
        run("check", "check", "--syntax-only", bare)
        run("apply", "apply", bare)
        run("capture", "capture", "--dry-run", "--pack", scratch / "captured")
        run("undo", "undo")
        (tree / "engine/kernel.cu").write_text(KERNEL + f"int round{size};\n")
        commit(tree)
        run("review", "review", "--syntax-only", "--base", "HEAD~", bare)


def write_big(path, size):
    """Functions and tables as people write them, `size` bytes; the rule's table is in the middle."""
    block = ("def make_{0}(first, second=None):\n    '''Makes number {0}.'''\n    if first is None or second == {0}:\n"
             "        return [first, second, {{'name': 'make', 'number': {0}}}]\n    return make({0}, first=first) + second[{0}]\n\n\n")
    with open(path, "w") as file:
        for half in (size // 2, size):
            while file.tell() < half:
                file.write("".join(block.format(file.tell() + i) for i in range(100)))
            if half < size:
                file.write("SCALE_TABLE = {\n    9: 1,\n}\n\n\n")


def one_file(bench, scratch, dimension, most, write, audit=True, more=""):
    """A tree of one file, at three sizes: all that is done with its rule."""
    bare = make_pack(scratch / "pack", more=more)
    for size in bench.sizes(most):
        tree = scratch / f"tree{size}"
        tree.mkdir()
        write(tree / "big.py", size)
        commit(tree)
        run = lambda title, *words: bench.run(dimension, size, title, tree, *words)
        run("status", "status", "--no-memory", bare)
        run("apply", "apply", bare)
        run("status, held", "status", bare)
        run("capture", "capture", "--dry-run", "--pack", scratch / "captured")
        run("undo", "undo")
        run("query", "query", "--language", "python", '((dictionary) @d (#eq? @d "not there"))')
        if audit:
            run("audit", *AUDIT)
        shutil.rmtree(tree)


def measure_bytes(bench, scratch):
    one_file(bench, scratch, "bytes", 50_000_000, write_big)


def measure_over(bench, scratch):
    """What no limit lets in."""
    tree = scratch / "tree"
    tree.mkdir()
    write_big(tree / "big.py", int(70_000_000 * bench.part))
    commit(tree)
    bench.run("bytes", int(70_000_000 * bench.part), "status, too large", tree, "status", make_pack(scratch / "pack"))


def measure_entries(bench, scratch):
    def write(path, size):
        path.write_text("SCALE_TABLE = {\n" + "".join(f"    {2 * i + 13}: [{i}, {i}],\n" for i in range(size)) + "}\n")

    one_file(bench, scratch, "entries", 100_000, write)


def measure_sites(bench, scratch):
    def write(path, size):
        path.write_text("".join(f"class C{i}:\n    SCALE_TABLE = {{\n        9: {i},\n    }}\n\n\n" for i in range(size)))

    one_file(bench, scratch, "sites", 10_000, write, more='[defaults]\nexpect = "all"\n')


NESTED = {
    "brackets": ("py", lambda n: "SCALE_TABLE = {9: " + "[" * n + "]" * n + "}\n"),
    "ifs": ("py", lambda n: "SCALE_TABLE = {9: 1}\nif 1:\n" + "".join(" " * (i + 1) + "if sm >= 90:\n" for i in range(n)) + " " * (n + 1) + "pass\n"),
    "elifs": ("py", lambda n: "SCALE_TABLE = {9: 1}\nif a:\n    b\n" + "elif sm == 12:\n    c\n" * n),
    "braces": ("cu", lambda n: "int f(int sm) { if (sm == 90) " + "{" * n + "}" * n + " }\n"),
    "else ifs": ("cu", lambda n: "int f(int sm) {\n  " + "if (sm == 90) { } else " * n + "{ } }\n"),
}


def measure_nesting(bench, scratch):
    pack = make_pack(scratch / "pack")
    for form, (ending, write) in NESTED.items():
        for size in [20, 500, *bench.sizes(10_000), 200_000 if form != "ifs" else 15_000]:
            tree = scratch / f"{form}{size}"
            tree.mkdir()
            text = write(size)
            (tree / f"deep.{ending}").write_text(text)
            commit(tree)
            # Indentation makes the text grow with the square of the depth.
            if ending == "py":
                bench.run("nesting", size, f"status, {form}", tree, "status", pack, weight=len(text))
            bench.run("nesting", size, f"audit, {form}", tree, *AUDIT, weight=len(text))
            shutil.rmtree(tree)


def measure_rules(bench, scratch):
    """Scan time with many rules against ONE rule's: `scan` for names that the tree has not, so that no edit is planned;
    the others with 20 tables in a file."""
    tree = scratch / "tree"
    names = [f"SCALE_{chr(65 + i % 26)}{chr(65 + i // 26 % 26)}_TABLE_{i}" for i in range(1_000)]
    make_files(tree, scratch, 0, int(5_000 * bench.part), endings=(".py",))
    for i in range(0, len(names), 20):
        (tree / f"limits_{i}.py").write_text("".join(f"{name} = {{\n    9: 1,\n}}\n" for name in names[i:i + 20]))
    commit(tree)
    seconds = {}
    for size in (1, 100, 300, 1_000):
        pack = make_pack(scratch / f"pack{size}", names[:size])
        absent = make_pack(scratch / f"absent{size}", [f"{name}_GONE" for name in names[:size]])
        seconds[size] = bench.run("rules", size, "status, scan", tree, "status", "--no-memory", absent)
        bench.run("rules", size, "status, scan and plan", tree, "status", "--no-memory", pack)
        bench.run("rules", size, "refresh", tree, "refresh", pack)
        bench.run("rules", size, "status, base", tree, "status", "--no-memory", pack)
        bench.run("rules", size, "apply", tree, "apply", pack)
        bench.run("rules", size, "status, held", tree, "status", pack)
        bench.run("rules", size, "undo", tree, "undo")
    factor = seconds[1_000] / seconds[1]
    print(f"{'':21} 1,000 rules / 1 rule: {factor:.2f}, at most {RULES_FACTOR}")
    if factor > RULES_FACTOR:
        bench.faults.append(f"1,000 rules take {factor:.2f} times as long as one")


def measure_wide(bench, scratch):
    """One folder with all the files."""
    tree, pack = scratch / "tree", make_pack(scratch / "pack")
    tree.mkdir()
    (tree / "limits.py").write_text("SCALE_TABLE = {\n    9: 1,\n}\n")
    made = 0
    for size in bench.sizes(100_000):
        for i in range(made, size):
            (tree / f"module_{i}.py").write_text(f"VALUE_{i} = {i}\n")
        made = size
        commit(tree)
        run = lambda title, *words: bench.run("wide", size, title, tree, *words)
        run("status, scan", "status", "--no-memory", pack)
        run("apply", "apply", pack)
        run("capture", "capture", "--dry-run", "--pack", scratch / "captured")
        run("undo", "undo")
        run("status --rev", "status", "--rev", "HEAD", pack)
        run("audit", *AUDIT)


DIMENSIONS = {"files": measure_files, "wide": measure_wide, "bytes": measure_bytes, "over": measure_over, "entries": measure_entries,
              "sites": measure_sites, "nesting": measure_nesting, "rules": measure_rules}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", metavar="PORTPATCH")
    parser.add_argument("--only", nargs="+", choices=DIMENSIONS, default=list(DIMENSIONS))
    parser.add_argument("--part", type=float, default=1.0, help="of each size: 0.1 for a quick look")
    parser.add_argument("--check", action="store_true", help="exit 1 for growth, crashes and a missed target")
    options = parser.parse_args()
    if missing := [name for name in ("git", "time", "timeout") if not shutil.which(name)]:
        print(f"skipped: {', '.join(missing)} not installed")
        return 0
    bench = Bench(pathlib.Path(options.program).resolve(), options.part)
    for name in options.only:
        with tempfile.TemporaryDirectory(prefix="portpatch-scale-") as folder:
            DIMENSIONS[name](bench, pathlib.Path(folder))
    for fault in bench.faults:
        print(fault)
    print(f"{os.cpu_count()} cores, load {' '.join(f'{x:.1f}' for x in os.getloadavg())}")
    return 1 if options.check and bench.faults else 0


if __name__ == "__main__":
    sys.exit(main())
