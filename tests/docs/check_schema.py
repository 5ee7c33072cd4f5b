#!/usr/bin/env python3
"""Checks tool/report/report.schema.json against what the program prints: check_schema.py PORTPATCH

Runs commands that end in every kind of object and validates each. The validator below knows the few
keywords that the schema uses, so that nothing needs to be installed.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "tool/report/report.schema.json").read_text())
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
KEYWORDS = {"$schema", "$defs", "$ref", "title", "description", "oneOf", "const", "enum", "type", "required",
            "additionalProperties", "properties", "items", "minItems", "minimum", "pattern"}


def mistakes(value, schema, where="$"):
    assert not set(schema) - KEYWORDS, f"the schema uses {set(schema) - KEYWORDS}, which this validator does not know"
    if "$ref" in schema:
        return mistakes(value, SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]], where)
    if "oneOf" in schema:
        found = [mistakes(value, one, where) for one in schema["oneOf"]]
        fitting = sum(not one for one in found)
        return [] if fitting == 1 else min(found, key=len) if not fitting else [f"{where}: fits {fitting} forms"]
    wrong = []
    if "const" in schema and value != schema["const"]:
        wrong.append(f"{where}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        wrong.append(f"{where}: {value!r} is none of {schema['enum']}")
    if "type" in schema and (not isinstance(value, TYPES[schema["type"]]) or schema["type"] == "integer" and isinstance(value, bool)):
        return [f"{where}: {value!r} is no {schema['type']}"]
    if "pattern" in schema and not re.search(schema["pattern"], value):
        wrong.append(f"{where}: {value!r} does not match {schema['pattern']}")
    if "minimum" in schema and value < schema["minimum"]:
        wrong.append(f"{where}: {value} is below {schema['minimum']}")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            wrong.append(f"{where}: too few items")
        for i, one in enumerate(value):
            wrong += mistakes(one, schema.get("items", {}), f"{where}[{i}]")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        wrong += [f"{where}: no `{key}`" for key in schema.get("required", []) if key not in value]
        for key, one in value.items():
            if key in properties:
                wrong += mistakes(one, properties[key], f"{where}.{key}")
            elif schema.get("additionalProperties") is False:
                wrong.append(f"{where}: `{key}` is not in the schema")
    return wrong


RULE = """; {reason}
((assignment left: (identifier) @name right: (dictionary) @table)
 (#eq? @name "{name}")
 (#ensure-entry! @table "12" "256"))
"""
TREE = {"a.py": "PENDING = {9: 64}\nHELD = {12: 256}\nCONFLICT = {12: 1}\nTWICE = {9: 1}\nKEPT = {12: 1}\n",
        "b.py": "TWICE = {9: 1}\nRESTING = {}\n"}
PACK = """format = 1
after-edit = "restart"
[defaults]
owner = "us"
[rules."python/kept"]
on-conflict = "keep-upstream"
[rules."python/resting"]
enabled = false
"""


def in_a_clone(portpatch, temp):
    """The objects that only a git work tree has."""
    environment = {**os.environ, "HOME": str(temp), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **{
        f"GIT_{who}_{what}": "u@localhost" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}
    (temp / "up").mkdir()
    (temp / "up/gate.py").write_text("def f(x):\n    assert get_device_sm() == 120\n    return run_kernel(x)\n")
    (temp / "up/kernel.cu").write_text("int run_kernel() {\n  if (getSMVersion() == 90) return 1;\n  return 0;\n}\nint n(int sm) { return sm >= 90 ? 2 : sm == 120 ? 1 : 0; }\n"
                                       "const int kTable[][2] = {{10, 1}};\nvoid run_kernel_2() { TORCH_CHECK(getSMVersion() == 90); }\n")
    subprocess.run(["bash", "-ec", """git init -q -b main up; echo 'TABLE = {9: 64}' >up/a.py; echo 1 >up/b; echo 1 >up/c; git -C up add -A; git -C up commit -qm one
git clone -q up clone; echo 2 >up/b; git -C up commit -qam two; echo 2 >clone/c; mkdir -p one/python; echo 'format = 1' >one/pack.toml"""],
                   cwd=temp, env=environment, check=True)
    (temp / "one/python/table.scm").write_text(RULE.format(reason="", name="TABLE"))
    (temp / "two/python").mkdir(parents=True)
    (temp / "two/python/table.scm").write_text(RULE.format(reason="", name="RENAMED_TABLE"))
    (temp / "two/pack.toml").write_text('format = 1\n[[companion]]\nfiles = ["*.cu"]\ntable = "kTable"\nmirrors = "python/table"\n[[companion]]\nfiles = ["*.cu"]\nfunction = "run_kernel"\ncovers = ["12.0"]\n'
                                        '[[companion]]\nfiles = ["*.cu"]\ntable = "kNone"\ncovers = ["12.0"]\n')
    (temp / "one/tests/a/before").mkdir(parents=True)
    (temp / "one/tests/a/before/a.py").write_text("TABLE = {}\n")
    errors = []
    subprocess.run([portpatch, "-C", "clone", "refresh", "one"], cwd=temp, env=environment, check=True, capture_output=True)
    subprocess.run(["bash", "-ec", """cd up; sed -i s/TABLE/RENAMED_TABLE/ a.py; git commit -qam three; git -C ../clone fetch -q; git checkout -q -b gone; git rm -q a.py; git commit -qm four
git checkout -q main"""], cwd=temp, env=environment, check=True)
    for command, key in (("status --rev origin/main one", "rules"), ("pull one", "pulled"), ("pull one", "pulled"), ("hook install one", "hooks"), ("hook status", "hooks"), ("query (assignment)", "matches"),
                         ("test one", "fixtures"), ("test --update one", "fixtures"), ("test --history HEAD~.. one", "range"), ("query (lambda)@l", "near"), ("query --rule one/python/table", "near"),
                         ("capture --dry-run --pack new", "captured"), ("capture --pack new HEAD", "captured"), ("audit --cc 12.0 --syntax-only", "places"), ("audit --cc 12.0,9.0 --since HEAD~ --syntax-only", "since"), ("audit --cc x", "errors"), ("check --syntax-only two", "companions"), ("check --fix --diff --syntax-only two", "diff"), ("check one", "errors"), ("review two --base HEAD --head origin/gone --cc 12.0 --syntax-only", "findings"), ("review two --base origin/gone --head origin/gone~2 --syntax-only", "passed"), ("pull nowhere", "errors")):
        done = subprocess.run([portpatch, "-C", "clone", "--format", "json", *command.split()], cwd=temp, env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)
        printed = json.loads(done.stdout)
        errors += [f"{command}: {one}" for one in mistakes(printed, SCHEMA)]
        if "--rev" in command and not printed["rules"][0].get("traces"):
            errors.append(f"{command}: no trace: {done.stdout}")
        if command.startswith("audit --cc 12.0 ") and not printed["bugs"]:
            errors.append(f"{command}: finds nothing: {done.stdout}")
        if key not in printed:
            errors.append(f"{command}: no `{key}`: {done.stdout}{done.stderr}")
    return errors


def main(portpatch):
    with tempfile.TemporaryDirectory(prefix="portpatch-schema.") as temp:
        tree, pack = Path(temp) / "tree", Path(temp) / "pack"
        (pack / "python").mkdir(parents=True)
        tree.mkdir()
        for name, text in TREE.items():
            (tree / name).write_text(text)
        (pack / "pack.toml").write_text(PACK)
        for name in ("pending", "held", "conflict", "twice", "kept", "lost", "resting"):
            (pack / "python" / f"{name}.scm").write_text(RULE.format(reason=f"Why {name}", name=name.upper()))
        commands = ["status pack", "status --diff pack", "status --check pack", "apply --dry-run pack", "apply pack", "status pack", "undo --list",
                    "undo", "undo --list", "unapply pack", "refresh pack/python/pending", "explain pack/python/pending",
                    "status nopack", "status pack/python/pendin", "undo 20000101T000000-0001", "broken"]
        environment = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        commit = "git add -A && git -c user.name=u -c user.email=u@localhost commit -qm"
        subprocess.run(["bash", "-ec", f"git init -q -b main up; cd up; cp ../tree/*.py .; {commit} one; git mv b.py c.py; "
                        f"sed -i s/64/32/ a.py; {commit} two; rm c.py; {commit} three; git clone -q . ../clone"], cwd=temp, check=True, env=environment)
        commands[-1:-1] = ["-C clone status --rev HEAD~ pack", "-C clone timeline pack HEAD~2..", "-C up timeline --shard 2/3 pack HEAD~2..HEAD",
                          "-C clone timeline pack HEAD~9..", "-C clone timeline pack HEAD"]
        errors, seen = [], set()
        for command in commands:
            if command == "broken":
                (pack / "python/held.scm").write_text(RULE.replace("ensure-entry", "ensure-entri").format(reason="", name="X"))
                command = "status pack"
            folder = [] if command.startswith("-C") else ["-C", "tree"]
            done = subprocess.run([portpatch, *folder, "--format", "json", *command.split()], cwd=temp,
                                  capture_output=True, text=True, stdin=subprocess.DEVNULL)
            try:
                printed = json.loads(done.stdout)
            except ValueError as error:
                errors.append(f"{command}: {error}: {done.stdout}{done.stderr}")
                continue
            errors += [f"{command}: {one}" for one in mistakes(printed, SCHEMA)]
            if printed.get("exit_status", done.returncode) != done.returncode:
                errors.append(f"{command}: exits with {done.returncode}, says {printed['exit_status']}")
            seen.update(rule["outcome"] for rule in printed.get("rules", []))
        (Path(temp) / "pulled").mkdir()
        errors += in_a_clone(portpatch, Path(temp) / "pulled")
    names = re.findall(r'X\(k\w+, "(\w+)", (?:true|false)\)', (ROOT / "tool/report/report.h").read_text())
    if SCHEMA["$defs"]["outcome"]["enum"] != names:
        errors.append(f"the schema's outcomes are not those of tool/report/report.h: {names}")
    written = "".join((ROOT / "tool/report" / name).read_text() for name in ("json.cc", "timeline_json.cc", "query_report.cc", "pack_test_report.cc", "capture.cc", "audit_json.cc", "check_report.cc"))
    text = json.dumps(SCHEMA)
    for key in sorted(set(re.findall(r'\{"(\w+)", |(?:json|entry)\["(\w+)"\]|put\(\w+, "(\w+)"|one\["(\w+)"\]', written))):
        name = next(part for part in key if part)
        if f'"{name}"' not in text:
            errors.append(f"the key `{name}` that the program writes is not in the schema")
    for error in errors:
        print(error)
    print(f"{len(commands)} objects, outcomes seen: {' '.join(sorted(seen))}; {len(errors)} mistakes")
    return 1 if errors else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(str(Path(sys.argv[1]).resolve())))
