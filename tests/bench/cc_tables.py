#!/usr/bin/env python3
"""How many known places that depend on a compute capability are found, and are they read right?

cc_tables.py PORTPATCH TABLES.tsv TREES [--clang]: TABLES has rows `id path lo hi form expr unit keys sm120 note`
(tabs, # comments), path = TREE/path of a file; TREES holds a folder for each TREE. A place is right when the
places that overlap its lines have all keys of the row, in its units. Without --clang by syntax alone, with it
together with portpatch-cc. Rows whose file is not there are listed and not counted.
"""
import argparse
import json
import re
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

UNITS = {"NN": {"10x"}, "NNN": {"100x"}, "major": {"major"}, "0xMm": {"hex"}, "Sm tag": {"arch"}, "enum SmNNa": {"arch"}, "sm_NNa string": {"arch"},
         "NNN and /100": {"100x", "major"}, "major and NN": {"major", "10x"}, "index": set()}


def meant(key, units):
    """The cc that a key of the table means, as portpatch writes it; None where it is no number."""
    key = key.strip()
    if match := re.fullmatch(r"0x([0-9a-f])([0-9a-f])", key):
        return f"{int(match[1], 16)}.{int(match[2], 16)}"
    if match := re.fullmatch(r"(?:Sm)?(\d+)([af]?)", key):
        number = int(match[1])
        if "major" in units and number < 20:
            return str(number)
        if "100x" in units and number >= 200:
            number //= 10
        return f"{number // 10}.{number % 10}{match[2]}"
    return None


def expected(keys, units):
    """The cc that must be there, and how many in all."""
    count = re.search(r"\((\d+)\)|^(\d+) (?:keys|entries)", keys)
    names = re.sub(r"\(\d+\)|^\d+ keys to |^\d+ entries", "", keys)
    found = {cc for part in re.split(r",|\.\.", names) if (cc := meant(part, units))}
    return found, int(next(one for one in count.groups() if one)) if count else len(found)


def audit(portpatch, folder, paths, clang):
    command = [portpatch, "-C", str(folder), "--format", "json", "audit", "--cc", "12.0", *paths] + ([] if clang else ["--syntax-only"])
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode == 2:
        sys.exit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def judge(row, places):
    number, path, low, high, form, _, unit, keys = row[:8]
    low, high = int(low), int(high)
    units = UNITS.get(unit, set())
    wanted, count = expected(keys, units)
    near = [place for place in places if place["path"] == path and place["line"] <= high and place["end_line"] >= low]
    found, arms = defaultdict(set), 0
    for place in near:
        for arm in place["arms"]:
            arms += 1
            for key in arm["keys"]:
                if low <= key["line"] <= high or place["line"] >= low:
                    found[key["cc"].rstrip("af")].add(key["unit"])
    wanted = {cc.rstrip("af") for cc in wanted}
    missing = sorted(wanted - set(found))
    few = arms < count if not wanted else len(found) < min(count, len(wanted))
    wrong = sorted(cc for cc in wanted & set(found) if units and not found[cc] & units)
    answers = sorted({f"{place['form']}:{place['answers'][0]['coverage']}" + ("" if place["by"] == "clang" else "*") for place in near})
    verdict = "right" if near and not missing and not few and not wrong else "wrong unit" if wrong and not missing else "keys missing" if near else "not found"
    return verdict, ", ".join(missing or wrong), ", ".join(answers)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("portpatch", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("tables", type=Path)
    parser.add_argument("trees", type=Path)
    parser.add_argument("--clang", action="store_true", help="with portpatch-cc, and $PORTPATCH_CC")
    options = parser.parse_args()
    rows = [line.split("\t") for line in options.tables.read_text().splitlines() if line and not line.startswith("#")]
    by_tree, absent = defaultdict(list), []
    for row in rows:
        tree, _, path = row[1].partition("/")
        if (options.trees / tree / path).is_file():
            by_tree[tree].append(row[:1] + [path] + row[2:])
        else:
            absent.append(row[1])
    counts, begun = defaultdict(int), time.monotonic()
    for tree, some in sorted(by_tree.items()):
        report = audit(options.portpatch, options.trees / tree, sorted({row[1] for row in some}), options.clang)
        for row in some:
            verdict, detail, answers = judge(row, report["places"])
            counts[verdict] += 1
            print(f"{row[0]:>3}  {verdict:<13}{tree}/{row[1]}:{row[2]} [{row[7]}] {detail}  {answers}")
    for path in absent:
        print(f"     not there    {path}")
    total = sum(counts.values())
    print(f"{counts['right']} of {total} right; " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()) if verdict != "right") + f"; {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    main()
