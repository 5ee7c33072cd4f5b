#!/usr/bin/env python3
"""Checks rules/README.md: check_docs.py PORTPATCH [--update]

Every example (a block ```scm example with the blocks behind it) is run: rule and `before` in, `after` out,
byte for byte, and a second run changes nothing. Every predicate, directive, outcome, role and key of the
C++ tables must be named. The patterns that README.md offers as a start must load. --update rewrites the
table of roles.

Blocks of an example: ```scm example [path=FILE], ```LANGUAGE before, ```LANGUAGE after [outcome=NAME],
```LANGUAGE file=NAME for a side file, ```toml pack for more lines of pack.toml.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "rules/README.md"
ENDINGS = {"python": "py", "cpp": "cu", "json": "json", "toml": "toml", "yaml": "yaml", "cmake": "cmake"}


def read(path):
    return (ROOT / path).read_text()


def blocks(text):
    """Fenced blocks as (line, language, set of words, {key: value}, code)."""
    for match in re.finditer(r"^```(\S+)([^\n]*)\n(.*?)^```$", text, re.M | re.S):
        words = match[2].split()
        named = dict(word.split("=", 1) for word in words if "=" in word)
        yield text.count("\n", 0, match.start()) + 1, match[1], set(words), named, match[3]


def examples(text):
    """Examples as dicts with line, rule, path, before, after, language, outcome, files, pack."""
    current = None
    for line, language, words, named, code in blocks(text):
        if language == "scm" and "example" in words:
            if current:
                yield current
            current = {"line": line, "rule": code, "path": named.get("path"), "files": {}, "pack": ""}
        elif current and "before" in words:
            current.update(before=code, language=language)
        elif current and "after" in words:
            current.update(after=code, outcome=named.get("outcome", "edited"))
        elif current and "file" in named:
            current["files"][named["file"]] = code
        elif current and "pack" in words:
            current["pack"] = code
    if current:
        yield current


def outcome_of(portpatch, tree, pack):
    done = subprocess.run([portpatch, "-C", tree, "--format", "json", "apply", pack],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    report = json.loads(done.stdout) if done.stdout else {}
    if done.returncode == 2 or "rules" not in report:
        return done.stderr.strip() or "no report"
    rule = report["rules"][0]
    reasons = [site["reason"] for site in rule["sites"] if "reason" in site]
    return rule["outcome"] + "".join(f" ({reason})" for reason in [*rule["notes"], *reasons])


def run_example(portpatch, example):
    """What is wrong with the example, one string each."""
    for part in ("before", "after"):
        if part not in example:
            return [f"no `{part}` block"]
    with tempfile.TemporaryDirectory(prefix="portpatch-docs.") as temp:
        tree, pack = Path(temp) / "tree", Path(temp) / "pack"
        path = tree / (example["path"] or f"example.{ENDINGS[example['language']]}")
        path.parent.mkdir(parents=True)
        path.write_bytes(example["before"].encode())
        rules = pack / example["language"]
        rules.mkdir(parents=True)
        (pack / "pack.toml").write_text("format = 1\n" + example["pack"])
        (rules / "rule.scm").write_text(example["rule"])
        for name, code in example["files"].items():
            (rules / name).write_text(code)
        errors = []
        for run, wanted in (("first", example["outcome"]), ("second", example["outcome"].replace("edited", "held"))):
            outcome = outcome_of(portpatch, tree, pack)
            if outcome.split(" ")[0] != wanted:
                errors.append(f"the {run} run ends as {outcome}, not {wanted}")
            got = path.read_bytes().decode()
            if got != example["after"]:
                errors.append(f"after the {run} run the file reads\n{got}")
                break
        return errors


def names_in(pattern, path):
    """Of a C++ source, as it would read on one line."""
    joined = re.sub(r'"\s*\\?\n\s*"', "", read(path))
    found = re.findall(pattern, re.sub(r"\s*\\?\n\s*", " ", joined))
    if not found:
        raise SystemExit(f"nothing in {path} looks like {pattern}: change check_docs.py")
    return found


def keys_in(path):
    """The strings of every check_keys(..., {...})."""
    keys = []
    for block in names_in(r"check_keys\([^{}]*\{([^}]*)\}", path):
        keys += re.findall(r'"([^"]+)"', block)
    return keys


def role_table():
    rows = names_in(r'X\(k\w+,\s*"([^"]+)",\s*"([^"]*)"\)', "tool/syntax/roles.h")
    lines = ["| role | meaning |", "| --- | --- |"]
    lines += [f"| `{name}` | {meaning or 'a literal of that kind'} |" for name, meaning in rows]
    return "<!-- roles -->\n" + "\n".join(lines) + "\n<!-- /roles -->"


def check_names(text):
    rules = "\n".join(code for _, language, words, _, code in blocks(text) if language == "scm" and "example" in words)
    errors = []
    predicates = names_in(r'\{\{"([a-z-]+\?)", "[^"]*", "', "tool/syntax/predicates.cc")
    directives = names_in(r'X\(\w+, "([a-z-]+!)"', "tool/pack/directives.h")
    for name in [*predicates, *directives, "held!"]:
        if f"#{name}" not in text:
            errors.append(f"`#{name}` is not described")
        elif not re.search(rf"#{re.escape(name)}[ )]", rules) and name not in ("is?", "is-not?"):
            errors.append(f"`#{name}` has no example")
    for name in re.findall(r"#([a-z-]+[!?])", text):
        if name not in (*predicates, *directives, "held!", "set!"):
            errors.append(f"`#{name}` is unknown to the program")
    outcomes = names_in(r'X\(k\w+, "(\w+)", (true|false)\)', "tool/report/report.h")
    table = re.findall(r"^\| `(\w+)` \| .* \| (yes|no) \|$", text, re.M)
    if table != [(name, "yes" if person == "true" else "no") for name, person in outcomes]:
        errors.append(f"the table of outcomes is {table}, the program's is {outcomes}")
    language_keys = names_in(r'(?:text|strings|flag|toml->find)\("([^"]+)"\)', "tool/syntax/language.cc")
    for key in [*keys_in("tool/pack/settings.cc"), *keys_in("tool/pack/lock.cc"), *language_keys]:
        if f"`{key}`" not in text:
            errors.append(f"the key `{key}` is not described")
    if role_table() not in text:
        errors.append("the table of roles is not that of tool/syntax/roles.h: run with --update")
    return errors


def check_starting_patterns(portpatch):
    """The patterns that README.md offers as a start must load: `...` becomes a directive on @x."""
    rows = re.findall(r"^ *\| (C\+\+|JSON)?.* \| `(\(\(.*\.\.\.\))` \|$", read("README.md"), re.M)
    errors = [] if rows else ["README.md: no patterns to start from"]
    for title, pattern in rows:
        with tempfile.TemporaryDirectory(prefix="portpatch-docs.") as temp:
            rule = Path(temp) / "pack" / {"C++": "cpp", "JSON": "json", "": "python"}[title] / "rule.scm"
            rule.parent.mkdir(parents=True)
            (rule.parent.parent / "pack.toml").write_text("format = 1\n")
            rule.write_text(pattern.replace("...", '(#replace! @x "1")'))
            (Path(temp) / "tree").mkdir()
            done = subprocess.run([portpatch, "-C", f"{temp}/tree", "status", rule.parent.parent],
                                  capture_output=True, text=True, stdin=subprocess.DEVNULL)
            if done.returncode != 1:
                errors.append(f"README.md: {pattern}: {done.stderr}")
    return errors


def main(arguments):
    update = "--update" in arguments
    arguments = [one for one in arguments if one != "--update"]
    portpatch = str(Path(arguments[0]).resolve())
    text = README.read_text()
    if update:
        text = re.sub(r"<!-- roles -->.*?<!-- /roles -->", lambda _: role_table(), text, flags=re.S)
        README.write_text(text)
    errors = [f"rules/README.md: {error}" for error in check_names(text)]
    count = 0
    for example in examples(text):
        count += 1
        errors += [f"rules/README.md:{example['line']}: {error}" for error in run_example(portpatch, example)]
    errors += check_starting_patterns(portpatch)
    for error in errors:
        print(error)
    print(f"{count} examples, {len(errors)} mistakes")
    return 1 if errors or not count else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
