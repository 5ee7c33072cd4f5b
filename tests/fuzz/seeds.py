#!/usr/bin/env python3
"""Writes the inputs that fuzzing starts from: seeds.py FOLDER makes FOLDER/TARGET/NUMBER.

They are the examples of rules/README.md, the packs and cases of this repository, and pieces of this machine's own
Python and C++ files under rules that match wherever they can. The form of an input: target.h.
"""
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/docs"))
from check_docs import ENDINGS, examples  # noqa: E402

MOST = 400  # inputs a target
PIECE = 40  # lines of a machine's file
LANGUAGES = {".py": "python", ".cu": "cpp", ".h": "cpp", ".cuh": "cpp", ".cc": "cpp", ".cpp": "cpp", ".json": "json",
             ".toml": "toml", ".yaml": "yaml", ".yml": "yaml", ".cmake": "cmake"}

# Where a directive can stand at all, in each language.
ANYWHERE = {
    "python": [
        '((dictionary) @n {} (#ensure-entry! @n "cc:12.0" "[6, 8]"))',
        '([(list) (tuple) (set)] @n {} (#ensure-element! @n "12"))',
        '((string) @n {} (#ensure-element! @n "12.0a"))',
        '((call) @n {} (#ensure-argument! @n "arch" "120"))',
        '((function_definition) @n {} (#ensure-argument! @n "arch" "None"))',
        '((if_statement condition: (_) @n) {} (#widen! @n "True"))',
        '((if_statement condition: (_) @n) {} (#narrow! @n "not None"))',
        '((return_statement) @n {} (#replace! @n "return 12"))\n((return_statement "return") @n {} (#held! @n))',
        '((expression_statement) @n {} (#wrap! @n "if True:\\n    ${{n}}"))\n((if_statement) @n {} (#held! @n))',
        '((return_statement) @n {} (#remove! @n))\n((block) @n {} (#held! @n))',
        '((pair) @n {} (#remove! @n))\n((dictionary) @n {} (#held! @n))',
        '((return_statement) @n {} (#insert-before! @n "# Ours.\\nprint(12)"))',
        '((expression_statement) @n {} (#insert-after! @n "if True:\\n    print(12)"))',
        '((function_definition body: (_) @n) {} (#append! @n "print(12)"))',
        '((module) @n {} (#ensure-import! "from a.b import c"))',
        '((module) @n {} (#ensure-definition! @n "def ours(x):\\n    return x"))',
        '((class_definition body: (_) @n) {} (#ensure-definition! @n "ours = 12"))',
        '((if_statement) @n {} (#ensure-branch! @n "True" "pass"))',
        '((function_definition) @n {} (#merge! @n "def f(x):\\n    return x\\n" "def f(x):\\n    return 12\\n"))',
    ],
    "cpp": [
        '((initializer_list) @n {} (#ensure-entry! @n "12" "6"))',
        '((initializer_list) @n {} (#ensure-element! @n "12"))',
        '((enumerator_list) @n {} (#ensure-entry! @n "k12" "12"))',
        '((template_argument_list) @n {} (#ensure-element! @n "12"))',
        '((string_literal) @n {} (#ensure-element! @n "12.0a"))',
        '((if_statement condition: (_) @n) {} (#widen! @n "sm == 120"))',
        '((if_statement condition: (_) @n) {} (#narrow! @n "sm != 120"))',
        '((preproc_if condition: (_) @n) {} (#widen! @n "defined(SM120)"))',
        '((return_statement) @n {} (#replace! @n "return 12;"))\n((return_statement "return") @n {} (#held! @n))',
        '((expression_statement) @n {} (#wrap! @n "if (sm) {{\\n  ${{n}}\\n}}"))\n((if_statement) @n {} (#held! @n))',
        '((return_statement) @n {} (#remove! @n))\n((compound_statement) @n {} (#held! @n))',
        '((return_statement) @n {} (#insert-before! @n "log(12);"))',
        '((expression_statement) @n {} (#insert-after! @n "#if 1\\nlog(12);\\n#endif"))',
        '((function_definition body: (_) @n) {} (#append! @n "log(12);"))',
        '((translation_unit) @n {} (#ensure-import! "#include <ours.h>"))',
        '((translation_unit) @n {} (#ensure-definition! @n "constexpr int kOurs = 12;"))',
        '((if_statement) @n {} (#ensure-branch! @n "sm == 120" "return 12;"))',
        '((preproc_if) @n {} (#ensure-branch! @n "SM == 120" "#define OURS 12"))',
        '((switch_statement body: (_) @n) {} (#ensure-branch! @n "12" "return 12;"))',
    ],
    "json": ['((object) @n {} (#ensure-entry! @n "\\"12\\"" "[6, 8]"))', '((array) @n {} (#ensure-element! @n "12"))',
             '((pair) @n {} (#remove! @n))\n((object) @n {} (#held! @n))'],
    "toml": ['((inline_table) @n {} (#ensure-entry! @n "ours" "12"))', '((table) @n {} (#ensure-entry! @n "ours" "12"))',
             '((document) @n {} (#ensure-entry! @n "ours" "12"))', '((array) @n {} (#ensure-element! @n "12"))'],
    "yaml": ['((block_mapping) @n {} (#ensure-entry! @n "ours" "12"))', '((flow_mapping) @n {} (#ensure-entry! @n "ours" "12"))',
             '((block_sequence) @n {} (#ensure-element! @n "12"))', '((flow_sequence) @n {} (#ensure-element! @n "12"))'],
    "cmake": ['((argument_list) @n {} (#ensure-element! @n "120a"))', '((quoted_argument) @n {} (#ensure-element! @n "120a"))',
              '((if_block condition: (_) @n) {} (#widen! @n "OURS"))', '((command) @n {} (#insert-after! @n "set(OURS 12)"))',
              '((file) @n {} (#append! @n "set(OURS 12)"))', '((if_block) @n {} (#ensure-branch! @n "OURS" "set(OURS 12)"))'],
}


def notation(text):
    return json.dumps(text, ensure_ascii=False)


def with_side_files(rule, files):
    """The rule with the texts that stand beside it inside of it."""
    for name, text in files.items():
        rule = rule.replace(f'"file:{name}"', notation(text))
    return rule


def text_of(path):
    try:
        return path.read_text(errors="surrogateescape")
    except OSError:
        return ""


def packs():
    """Folders of packs with the folders of trees that they are for."""
    for case in sorted(ROOT.glob("tests/fixtures/*")):
        if (case / "pack").is_dir():
            yield case / "pack", [case / "before", case / "after"]
    for pack in sorted(ROOT.glob("rules/*/pack.toml")):
        yield pack.parent, sorted(pack.parent.glob("tests/*/before"))
    yield ROOT / "samples/pack", sorted(ROOT.glob("samples/upstream/*"))


def rules_of(pack):
    for path in sorted(pack.glob("*/*.scm")):
        beside = {p.name.split(".")[1]: text_of(p) for p in pack.glob(f"{path.parent.name}/{path.stem}.*.*")}
        yield path.parent.name, with_side_files(text_of(path), beside)


def files_of(tree):
    for path in sorted(p for p in tree.rglob("*") if p.is_file()):
        if path.suffix in LANGUAGES or path.name == "CMakeLists.txt":
            yield path, LANGUAGES.get(path.suffix, "cmake")


def machine_pieces(chance):
    """(language, text) of this machine's own files."""
    for pattern, language in (("lib/python3*/**/*.py", "python"), ("include/**/*.h", "cpp"), ("include/c++/**/*", "cpp"),
                              ("share/cmake*/**/*.cmake", "cmake"), ("lib/python3/**/*.toml", "toml"),
                              ("share/**/*.json", "json"), ("share/**/*.yaml", "yaml")):
        paths = sorted(p for p in Path("/usr").glob(pattern) if p.is_file())
        for path in chance.sample(paths, min(40, len(paths))):
            lines = text_of(path).splitlines(keepends=True)
            at = 0 if language in ("json", "toml") else chance.randrange(max(1, len(lines) - PIECE))
            if language == "python":  # a whole definition
                at = next((i for i in range(at, len(lines)) if re.match(r"(def|class|if|[A-Z_]+ =)\b", lines[i])), at)
            yield language, "".join(lines[at:at + PIECE])[:4000]


def changed(text, chance):
    """`text` with a small change, as a person might make one."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text + "x = 1\n"
    at = chance.randrange(len(lines))
    kind = chance.randrange(4)
    if kind == 0:
        del lines[at:at + chance.randrange(1, 4)]
    elif kind == 1:
        lines.insert(at, lines[chance.randrange(len(lines))])
    elif kind == 2:
        lines[at] = re.sub(r"\d+", "120", lines[at])
    else:
        lines[at] = re.sub(r"\b(\w+)\b", r"\1_ours", lines[at], count=1)
    return "".join(lines)


def documents():
    """(reader, text) of files that the readers of document.cc read."""
    for pack, _ in packs():
        yield "settings", text_of(pack / "pack.toml")
        if (pack / "pack.lock").exists():
            yield "lock", text_of(pack / "pack.lock")
    manifest = {"format": 1, "run": "20260101-000000-1", "command": "apply rules",
                "files": [{"path": "a.py", "kind": "changed", "before": "00", "after": "01", "mode": "644", "stored": "tree/a.py"}],
                "folders": ["/tmp/x", "hex:ff00"]}
    position = {"branch": "refs/heads/main", "head": "0" * 40, "index": "00"}
    state = {"before": position, "stored_index": "index", "parents": ["0" * 40], "complete": True, "after": position,
             "files_after": [{"path": "a.py", "hash": None}, {"path": "b.py", "hash": "00"}]}
    yield "manifest", json.dumps(manifest)
    yield "manifest", json.dumps({**manifest, "format": 2, "state": state})
    yield "journal", json.dumps({"format": 1, "stage": "renaming", "run": manifest, "targets": ["/t/a.py"],
                                 "temporaries": ["/t/.a.py.tmp"], "superseded": ""})
    yield "pull-journal", json.dumps({"format": 1, "run": "20260101-000000-1", "command": "pull", "changing": True,
                                      "git_process": "12 34", "commits": ["0" * 40]})
    version = re.search(r"^project\(portpatch VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]
    yield "memory", json.dumps({
        "format": 1, "version": version, "packs": ["pack"], "hashes": ["00"], "configured": [""], "refs": ["0" * 40],
        "files": [["a.py", "00"], ["b.py", "absent"]],
        "report": {"command": "apply pack", "root": "/t", "upstream_name": "main", "upstream_commit": "0" * 40,
                   "upstream_unknown": "", "resting": ["pack/python/b"],
                   "rules": [{"pack": "pack", "rule": "python/a", "outcome": "held", "reason": "Ours.", "expect": "1",
                              "notes": ["note"], "after_edit": "", "owner": "",
                              "sites": [["held", "a.py", 1, 2, "A.f", False]]}]}})
    commit = {"commit": "0" * 40, "date": "2026-01-01", "subject": "one"}
    held = {"outcome": "held", "places": [{"path": "a.py", "scope": "A.f"}]}
    yield "timeline", json.dumps({
        "format": 1, "command": "timeline p A..B", "tree": "/t", "exit_status": 0,
        "range": {"name": "A..B", "from": commit, "to": commit, "commits": 2}, "resting": ["python/b"],
        "shard": {"index": 1, "count": 2, "from": "0" * 40, "to": "1" * 40, "commits": 1},
        "packs": [{"pack": "p", "hash": "00"}], "skipped": [{"path": "c.py", "reason": "too large"}],
        "rules": [{"pack": "p", "rule": "python/a", "start": held, "outcome": "lost", "needs_person": True,
                   "changes": [{**commit, "before": "held", "outcome": "lost", "places": [], "reason": "gone"}]}]})
    key = {"expression": "sm", "op": ">=", "key": "120", "unit": "10x", "cc": "12.0", "line": 3}
    span = {"line": 3, "end_line": 4, "begin": 10, "end": 20}
    yield "clang", json.dumps({"format": 1, "files": [{
        "path": "a.cu", "depth": "clang", "architectures": ["sm_120"], "places": [{
            **span, "form": "else-if chain", "function": "f", "name": "x",
            "arms": [{**span, "condition": "sm >= 120", "text": "1", "value": 1, "keys": [key]},
                     {**span, "else": True, "value": 0.5, "keys": []}],
            "answers": [{"cc": "12.0", "arm": "range", "arms": [0], "value": True}]}]}]})
    yield "git-config", '[branch "main"]\n\tremote = origin # x\n[extensions]\n\tobjectFormat = "sha1"\n'
    yield "text", "\x1b[31mred\u202e \u00e9\udcff\n'''\n"
    with tempfile.TemporaryDirectory(prefix="portpatch-seeds.") as folder:
        for version in ("2", "4"):
            subprocess.run("git init -q . && mkdir -p a/b && touch a/b/c a/d e && git add -A && "
                           f"git update-index --index-version {version}", shell=True, cwd=folder, check=True)
            yield "index", (Path(folder) / ".git/index").read_bytes().decode(errors="surrogateescape")


def seeds():
    """(target, parts) of every input."""
    chance = random.Random(0)
    texts, rules = {}, {}
    for example in examples((ROOT / "rules/README.md").read_text()):
        language, rule = example["language"], with_side_files(example["rule"], example["files"])
        rules.setdefault(language, []).append(rule)
        texts.setdefault(language, []).append(example["before"])
        yield "edit", [language, rule, example["before"]]
        yield "query", [language, rule, example["before"]]
        yield "capture", [language, example["before"], example["after"]]
        ending = ENDINGS[language]
        yield "pack", ["pack.toml", "format = 1\n" + example["pack"], f"{language}/rule.scm", example["rule"],
                       *(part for name, code in example["files"].items() for part in (f"{language}/{name}", code))]
        yield "inventory", [f"a.{ending}", example["before"]]
    for pack, trees in packs():
        files = {path: language for tree in trees for path, language in files_of(tree)}
        for language, rule in rules_of(pack):
            rules.setdefault(language, []).append(rule)
            for path in (path for path, of in files.items() if of == language):
                yield "edit", [language, rule, text_of(path)]
                yield "query", [language, rule, text_of(path)]
        for path, language in files.items():
            texts.setdefault(language, []).append(text_of(path))
            yield "inventory", [path.name, text_of(path)]
            other = Path(str(path).replace("/before/", "/after/").replace("/base/", "/moved/"))
            if other != path and other.exists():
                yield "capture", [language, text_of(path), text_of(other)]
                yield "capture", [language, text_of(other), text_of(path)]
        yield "pack", [part for path in sorted(pack.glob("*")) + sorted(pack.glob("*/*"))
                       if path.is_file() and path.parent.name != "tests"
                       for part in (str(path.relative_to(pack)), text_of(path))]
    for reader, text in documents():
        yield "document", [reader, text]
    for name, text in (("Dockerfile", 'ENV TORCH_CUDA_ARCH_LIST="9.0a;10.0 12.0+PTX"\n'),
                       ("setup.sh", "nvcc -gencode arch=compute_90a,code=sm_90a -arch=sm_120\n"),
                       ("CMakeLists.txt", "foreach(arch IN ITEMS 80 90)\n  list(APPEND FLAGS "
                                          "-gencode=arch=compute_${arch},code=sm_${arch})\nendforeach()\n"),
                       ("CMakeLists.txt", 'set(CMAKE_CUDA_ARCHITECTURES 80 90a)\nlist(APPEND A "100f")\n'),
                       ("a.py", "def f():\n    if torch.cuda.get_device_capability() >= (9, 0):\n        return 1\n"),
                       ("a.cu", "int f(int sm) { if (sm >= 90) return 1; else if (sm == 80) return 2; return 0; }\n")):
        yield "inventory", [name, text]
    for path in sorted(ROOT.glob("tests/matchers/cases/*")):
        yield "inventory", [path.name, text_of(path)]
    for language, name in (("python", "a.py"), ("cpp", "a.cu")):
        test = text_of(ROOT / f"tests/inventory/{language}_places_test.cc")
        for code in re.findall(r'R"\((.*?)\)"', test, re.S):
            yield "inventory", [name, code]
    for language, text in machine_pieces(chance):
        texts.setdefault(language, []).append(text)
        yield "inventory", [f"a.{ENDINGS[language]}", text]
        yield "capture", [language, text, changed(changed(text, chance), chance)]
    for language, patterns in ANYWHERE.items():
        for pattern in patterns:
            rule = pattern.replace("{}", '(#in-path? "*")', 2).replace("{{", "{").replace("}}", "}")
            for text in chance.sample(texts[language], min(5, len(texts[language]))):
                yield "edit", [language, rule, text]


def main():
    folder, chance = Path(sys.argv[1]), random.Random(0)
    made = {}
    for target, parts in seeds():
        made.setdefault(target, []).append("\n%%\n".join(parts))
    for target, inputs in made.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(sorted(chance.sample(inputs, min(MOST, len(inputs))), key=len)):
            (folder / target / f"{number:04}").write_bytes(text.encode(errors="surrogateescape"))
        print(f"seeds: {target} {min(MOST, len(inputs))} of {len(inputs)}")


if __name__ == "__main__":
    main()
