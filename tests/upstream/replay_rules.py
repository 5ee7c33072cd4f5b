#!/usr/bin/env python3
"""Runs a replay benchmark with rules written as their author would after looking at BASE only.

    replay_rules.py REPLAY.py [arguments of REPLAY.py]

REPLAY.py makes one small local edit at an older revision of a repository and scores tools that must
bring it to a newer one. This adapter writes each case's rule from the edit's scope, name, key and
value (never from the newer revision), records the base with `portpatch refresh`, and applies it
with --accept-moves. PORTPATCH names the program.
"""
import ast
import importlib.util
import json
import os
import shlex
import shutil
import sys


def load(path):
    spec = importlib.util.spec_from_file_location("replay", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["replay"] = module
    spec.loader.exec_module(module)
    return module


def quoted(text):
    """A string of query notation."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{text}"'


def names_in(source, frame):
    tree = ast.parse(frame % source)
    return sorted({n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} - {"_"})


def segment(source, node):
    return ast.get_source_segment(source, node)


def dedent(edit, text):
    lines = text.split("\n")
    return "\n".join([lines[0]] + [x[edit.indent:] if not x[:edit.indent].strip() else x for x in lines[1:]])


def rule_for(edit):
    """(text of the rule, names that it takes for granted)"""
    scope = f"(#in-scope? @name {quoted(edit.scope)})"
    note = "  " + edit.comment.strip() if edit.comment else ""
    new = dedent(edit, edit.new)
    if edit.family == "kw":
        source = f"_({new}\n)"
        keyword = ast.parse(source).body[0].value.keywords[0]
        value = segment(source, keyword.value)
        directive = f"(#ensure-argument! @call {quoted(keyword.arg)} {quoted(value + note)})"
        if edit.kind == "dictcall":
            pattern = "(assignment left: (_) @name right: (call function: (identifier) @f) @call)"
            checks = f'(#eq? @name {quoted(edit.name)}) (#eq? @f "dict")'
        else:
            pattern = "(call function: (_) @name arguments: (argument_list (keyword_argument))) @call"
            checks = f"(#eq? @name {quoted(edit.name[:-2])})"
        return f"; the local edit\n({pattern}\n {checks}\n {scope}\n {directive})\n", names_in(value, "(%s)")
    checks = f"(#eq? @name {quoted(edit.name)})"
    if edit.family == "dict":
        source = f"_ = {{{new}\n}}"
        display = ast.parse(source).body[0].value
        key, value = segment(source, display.keys[0]), segment(source, display.values[0])
        directive = f"(#ensure-entry! @value {quoted(key)} {quoted(value + note)})"
        names = names_in(new, "{%s\n}")
    else:
        directive = f"(#ensure-element! @value {quoted(new + note)})"
        names = names_in(new, "[%s\n]")
    # The display as it is now, then what it may be wrapped in or turned into.
    display = {"dict": "(dictionary)", "list": "(list)", "tuple": "[(tuple) (expression_list)]", "set": "(set)"}
    shapes = [display[edit.kind]] if edit.kind in display else []
    shapes += ["[(dictionary) (list) (tuple) (set)]", "(call)"]
    rule = "; the local edit\n"
    for shape in shapes:
        rule += f"((assignment left: (_) @name right: {shape} @value)\n {checks}\n {scope}\n {directive})\n"
    return rule, names


def tool_portpatch(work):
    program = shlex.split(os.environ.get("PORTPATCH", "build/portpatch"))
    work.at("base")
    pack = work.dir / "rules" / "local"
    shutil.rmtree(work.dir / ".git" / "portpatch", ignore_errors=True)
    (pack / "python").mkdir(parents=True, exist_ok=True)
    settings = ["format = 1"]
    places = []
    for number, edit in enumerate(work.edits):
        places.append((f"rules/local/python/edit-{number}", edit.path))
        rule, names = rule_for(edit)
        (pack / "python" / f"edit-{number}.scm").write_text(rule)
        settings.append(f'[rules."python/edit-{number}"]\nnames = {json.dumps(names)}')
        work.log += rule
    (pack / "pack.toml").write_text("\n".join(settings) + "\n")
    for rule, path in places:
        if work.run(*program, "refresh", rule, "--at", path) != 0:
            work.note = "refresh failed"
            work.git("checkout", "-q", "--detach", "head")
            return False
    work.git("checkout", "-q", "--detach", "head")
    return work.run(*program, "apply", "--accept-moves", "rules/local") == 0


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    replay = load(sys.argv[1])
    replay.TOOLS["portpatch"] = tool_portpatch
    sys.argv = sys.argv[1:]
    return replay.main()


if __name__ == "__main__":
    sys.exit(main())
