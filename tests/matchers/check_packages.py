"""portpatch-cc on real sources of this machine: Debian's libcub-dev, whose tuning policies are keyed by architecture.

check_packages.py PROGRAM
"""
import pathlib
import re
import sys

from findings import run

PROGRAM = sys.argv[1]
CUB = pathlib.Path("/usr/include/cub")
if not (CUB / "device/dispatch/dispatch_radix_sort.cuh").exists():
    print("skipped: libcub-dev is not installed")
    sys.exit(77)

files = sorted(map(str, CUB.glob("**/*.cuh")))
document = run(PROGRAM, "--cc", "8.0,12.0", *files)
wrong = []
chains = conditions = 0
for file in document["files"]:
    text = pathlib.Path(file["path"]).read_text(errors="replace")
    if not file["depth"].startswith("clang"):
        wrong.append(f"{file['path']}: {file['depth']}: {file.get('reason')}")
    # The independent judge: plain text searches.
    keys = [key["key"] for place in file["places"] if place["form"] == "policy chain" for arm in place["arms"] for key in arm["keys"]]
    spelled = re.findall(r"struct \w+\s*:\s*(?:cub::)?ChainedPolicy<(\d+),", text)
    chains += len(spelled)
    if sorted(keys) != sorted(spelled):
        wrong.append(f"{file['path']}: policies {spelled}, found {keys}")
    lines = {place["line"] for place in file["places"] if place["form"] == "#if"}
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"\s*#\s*if\b.*\b(CUB_PTX_ARCH|__CUDA_ARCH__)\b\)?\s*(>=|<=|==|<)\s*[1-9]", line):
            conditions += 1
            if number not in lines:
                wrong.append(f"{file['path']}:{number}: not found: {line.strip()}")
    for place in file["places"]:
        for arm in place["arms"]:
            for key in arm["keys"]:
                if key["unit"] not in ("100x", "major", "minor"):
                    wrong.append(f"{file['path']}:{place['line']}: CUB counts in hundreds: {key}")
radix = next(file for file in document["files"] if file["path"].endswith("dispatch_radix_sort.cuh"))
chain = next(place for place in radix["places"] if place["form"] == "policy chain")
taken = {answer["cc"]: (answer["arm"], [chain["arms"][i]["text"] for i in answer["arms"]]) for answer in chain["answers"]}
if taken != {"8.0": ("range", ["Policy800"]), "12.0": ("range", ["Policy800"])}:
    wrong.append(f"radix sort takes {taken}")
if not chains or not conditions:
    wrong.append("nothing was looked at")
print("\n".join(wrong))
print(f"{len(files)} files, {chains} policies, {conditions} conditions, {len(wrong)} wrong")
sys.exit(1 if wrong else 0)
