#!/usr/bin/env python3
"""Runs the fixtures of every pack: check_pack_fixtures.py PORTPATCH [--update] [PACK...]

A fixture is a folder PACK/tests/NAME with `before/`, a small tree, `after/`, the same tree after
`portpatch apply`, and `outcomes`, one line "RULE OUTCOME" for each rule of the pack. The pack is used
without its lock, since its base is another tree. Checked as well: a second run changes nothing,
Python files still compile, and where all was edited `unapply` gives `before/` back.
"""
import ast
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def files_of(folder):
    """Path -> bytes of every file of a tree, without portpatch's own state."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*"))
            if p.is_file() and ".portpatch" not in p.relative_to(folder).parts}


def run(portpatch, tree, command, pack):
    done = subprocess.run([portpatch, "-C", tree, "--format", "json", command, pack],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        raise AssertionError(f"`{command}` exits with {done.returncode}: {done.stderr}{done.stdout}")
    return {rule["rule"]: rule["outcome"] for rule in json.loads(done.stdout)["rules"]}


def differences(name, wanted, got):
    return [f"{name}: {path} differs" for path in sorted({*wanted, *got}) if wanted.get(path) != got.get(path)]


def check(portpatch, pack, case, update):
    with tempfile.TemporaryDirectory(prefix="portpatch-fixture.") as temp:
        tree, copy = Path(temp) / "tree", Path(temp) / "pack"
        shutil.copytree(case / "before", tree)
        shutil.copytree(pack, copy, ignore=shutil.ignore_patterns("pack.lock", "tests"))
        before = files_of(tree)
        outcomes = run(portpatch, tree, "apply", copy)
        after = files_of(tree)
        lines = "".join(f"{rule} {outcome}\n" for rule, outcome in sorted(outcomes.items()))
        if update:
            shutil.rmtree(case / "after", ignore_errors=True)
            shutil.copytree(tree, case / "after", ignore=shutil.ignore_patterns(".portpatch"))
            (case / "outcomes").write_text(lines)
        errors = differences("after apply", files_of(case / "after"), after)
        wanted = (case / "outcomes").read_text()
        if lines != wanted:
            errors.append(f"outcomes are\n{lines}and not\n{wanted}")
        for path, text in after.items():
            if path.endswith(".py"):
                ast.parse(text, path)
        again = run(portpatch, tree, "apply", copy)
        errors += differences("after a second apply", after, files_of(tree))
        settled = {rule: "held" if outcome == "edited" else outcome for rule, outcome in outcomes.items()}
        if again != settled:
            errors.append(f"the second run says {again}")
        if set(outcomes.values()) == {"edited"}:
            run(portpatch, tree, "unapply", copy)
            errors += differences("after unapply", before, files_of(tree))
        return errors


def main(arguments):
    update = "--update" in arguments
    arguments = [one for one in arguments if one != "--update"]
    portpatch = str(Path(arguments[0]).resolve())
    packs = [Path(one).resolve() for one in arguments[1:]] or sorted(p.parent for p in (ROOT / "rules").glob("*/pack.toml"))
    failed = count = 0
    for pack in packs:
        for case in sorted(p.parent for p in pack.glob("tests/*/before")):
            count += 1
            try:
                errors = check(portpatch, pack, case, update)
            except (AssertionError, SyntaxError, OSError) as error:
                errors = [str(error)]
            failed += bool(errors)
            for error in errors:
                print(f"FAILED {case.relative_to(ROOT) if case.is_relative_to(ROOT) else case}: {error}")
    print(f"{count} fixtures, {failed} failed")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
