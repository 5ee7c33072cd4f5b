#!/usr/bin/env python3
"""What portpatch-cc costs beside Clang itself: cc_speed.py PORTPATCH_CC CLANG SHIM FILE... [--runs 3]

Each file is read by portpatch-cc, and by `CLANG -fsyntax-only` with the same hermetic flags (SHIM is matchers/shim),
one after the other in the same minute; the best of the runs counts. Its #include lines are blanked for both: clang
ends at the first header that is missing. Prints the median and worst seconds of a file,
the parses, and the ratio of one parse (portpatch-cc's time over its parses, its start-up in it) to Clang's.
"""
import argparse
import json
import re
import statistics
import subprocess
import tempfile
import time
from collections import namedtuple
from pathlib import Path

Row = namedtuple("Row", "seconds parses ratio file")


def seconds(command, runs):
    best = None
    for _ in range(runs):
        begun = time.perf_counter()
        out = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        best = min(best or 1e9, time.perf_counter() - begun)
    return best, out


def measure(portpatch_cc, clang, shim, files, runs):
    """A Row for each file."""
    headers = sorted(Path(shim).resolve().iterdir(), reverse=True)
    flags = ["-fsyntax-only", "-x", "cuda", "--cuda-host-only", "-nocudalib", "-std=c++20", "-ferror-limit=0", "-w", "-fno-spell-checking",
             "--target=x86_64-linux-gnu", "-nocudainc", "-nostdinc", "-nostdinc++", *(f"-include{header}" for header in headers)]
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for file in files:
            alone = Path(scratch) / Path(file).name
            alone.write_bytes(re.sub(rb"(?m)^[ \t]*#[ \t]*include\b.*$", b"", Path(file).read_bytes()))
            ours, out = seconds([portpatch_cc, "--cc", "12.0", "-j", "1", alone], runs)
            theirs, _ = seconds([clang, *flags, alone], runs)
            parses = json.loads(out)["files"][0].get("parses") or 1
            rows.append(Row(ours, parses, ours / parses / theirs, file))
    return rows


def summary(rows):
    times, parses, ratios, _ = zip(*rows)
    return (f"{len(rows)} files: median {statistics.median(times):.2f} s, worst {max(times):.2f} s; parses: median {statistics.median(parses):.0f}, "
            f"worst {max(parses)}; a parse is {statistics.median(ratios):.2f} of clang -fsyntax-only's in the median, worst {max(ratios):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("portpatch_cc", "clang", "shim"):
        parser.add_argument(name)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    rows = measure(**vars(options))
    for row in sorted(rows):
        print(f"{row.seconds:6.2f} s  {row.parses} parses  {row.ratio:5.2f} of clang's  {row.file}")
    print(summary(rows))


if __name__ == "__main__":
    main()
