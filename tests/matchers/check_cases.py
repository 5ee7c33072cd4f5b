"""Runs portpatch-cc on each file of cases/: what it must say stands as `// => ...` at the end of the place's first line.

check_cases.py PROGRAM [--update]     The first line of a case is its command line: // cc: 9.0,12.0 -D X
"""
import pathlib
import sys
import tempfile

from findings import place_text, run

MARK = "// => "


def expected(text):
    """The text as it should be found: without what is expected, and what is expected by line."""
    plain = [line.split(MARK)[0].rstrip() if MARK in line else line for line in text.split("\n")]
    return plain, {i + 1: line.split(MARK)[1] for i, line in enumerate(text.split("\n")) if MARK in line}


def main():
    program, update = sys.argv[1], "--update" in sys.argv
    cases = sorted((pathlib.Path(__file__).parent / "cases").glob("*.cu"))
    wrong = 0
    for case in cases:
        text = case.read_text()
        plain, wanted = expected(text)
        arguments = plain[0].removeprefix("// cc:").split()
        with tempfile.TemporaryDirectory() as folder:
            bare = pathlib.Path(folder) / case.name
            bare.write_text("\n".join(plain))
            file = run(program, "--cc", *arguments, str(bare))["files"][0]
        found = {}
        for place in file["places"]:
            found.setdefault(place["line"], []).append(place_text(place))
        found = {line: " | ".join(texts) for line, texts in found.items()}
        if update:
            case.write_text("\n".join(line + (f"  {MARK}{found[i + 1]}" if i + 1 in found else "") for i, line in enumerate(plain)))
            continue
        if not file["depth"].startswith("clang"):
            wrong += 1
            print(f"{case.name}: {file['depth']}: {file.get('reason')}")
        for line in sorted(found.keys() | wanted.keys()):
            if found.get(line) != wanted.get(line):
                wrong += 1
                print(f"{case.name}:{line}\n  wanted  {wanted.get(line)}\n  found   {found.get(line)}")
    print(f"{len(cases)} cases, {wrong} wrong")
    return 1 if wrong or not cases else 0


sys.exit(main())
