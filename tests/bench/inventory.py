#!/usr/bin/env python3
"""What an inventory costs: inventory.py PORTPATCH TREE... [--runs 5] [--clang]

Runs `portpatch audit --cc 12.0 --syntax-only` over each whole tree, and prints the best wall and CPU time of the
runs, memory, and places; with --clang once more with portpatch-cc. Targets on two idle cores: SGLang under 2 s,
flashinfer under 3 s. CPU time is what can be compared on a machine that others use too.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def run(command):
    with tempfile.TemporaryFile("w+") as out:
        begun = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        out.seek(0)
        text = out.read()
    if os.waitstatus_to_exitcode(status) == 2:
        sys.exit(text)
    seen = next((line for line in text.splitlines() if line.startswith("seen")), "")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, seen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("portpatch", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("trees", nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--clang", action="store_true")
    options = parser.parse_args()
    for tree in options.trees:
        command = [options.portpatch, "-C", tree, "audit", "--cc", "12.0"]
        done = [run(command + ["--syntax-only"]) for _ in range(options.runs)]
        print(f"{tree}: {min(one[0] for one in done):.2f} s, CPU {min(one[1] for one in done):.2f} s, {max(one[2] for one in done):.0f} MB; {done[0][3]}")
        if options.clang:
            wall, cpu, memory, seen = run(command)
            print(f"  with portpatch-cc: {wall:.2f} s, CPU {cpu:.2f} s, {memory:.0f} MB; {seen}")


if __name__ == "__main__":
    main()
