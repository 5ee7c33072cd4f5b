#!/usr/bin/env python3
"""Reports of real runs by schemas of their forms, by what a schema cannot say, and by other readers: check_formats.py PORTPATCH

The tree holds rules with every outcome, companions, gates, edits at odd places of odd files, and names that are markup elsewhere.
What is not installed is named as skipped; 77 where nothing can be judged.
"""
import html.parser
import json
import os
import re
import shutil
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program_check import expect, finish, must, run
from report.workflow_commands import workflow_commands

try:
    import jsonschema
except ImportError:
    jsonschema = None

PORTPATCH = Path(sys.argv[1]).resolve()
SCHEMAS = Path(__file__).resolve().parent / "schemas"
ODD = "<img src=x onerror=alert(1)>|`x`](javascript:x) @all ##[error]%0A, ::notice::#1.py"
WORST = "a\n::error file=x::y\x1b[31m\u202e</script>.py"
TREE = "tree %20 <b>&'\"#"
# Of SGLang's kind, each with something that an edit by lines must get right.
FILES = {
    "engine/limits.py": "MiB = 1024 * 1024\nSIZES = {\n    9: 64 * MiB,\n    10: 64 * MiB,\n}\nBATCH = {9: 32}\nUNTOUCHED = 1\nCONFLICT = {12: 1}  # ]]> ## [x](y) @all #1\n",
    "engine/windows.py": "# CRLF\r\nWINDOWS = {\r\n    9: 1,\r\n}\r\n\r\nLAST = [90]\r\n",
    "engine/no_break.py": "NO_BREAK = [\n    90,\n]\nEND = 1",
    "engine/no_break_here.py": "HERE = [90]",
    "engine/latin.py": "# \udce4\udcf6\nLATIN = {9: 1}\n",
    "engine/wide.py": "# \U0001f600 \u00e4 \u4e2d\nWIDE = {  # \U0001f600\n    9: 1,\n}\n",
    "engine/top.py": "import os\n\n\ndef f(x):\n    assert x < 12\n    return os.path.join(x)\n",
    "engine/taken.py": "ARCHS = [90, 100]\nGONE = [\"a\"]\nMOVES = {\n    9: {2: 64, 4: 32},\n    10: {2: 64, 8: 16},\n}\n",
    "engine/twice.py": "TWICE = {9: 1}\n\n\nclass Two:\n    TWICE = {9: 2}\n",
    ODD: "ODD = {9: 1}  # ]]> <b> ``` | @all #1\n",
    WORST: "WORST = {\n    9: 1,\n}\ndef get(x):\n    if get_device_sm() == 90:\n        return 1\n    elif get_device_sm() == 100:\n        return 2\n",
    "csrc/batch.h": "#include <map>\ninline const std::map<int, int> kBatch = {\n    {9, 16},\n};\n",
    "engine/kept.py": "KEPT = {9: 1}\n",
    "engine/held.py": "HELD = {\n    9: 1,\n}\n",
    "csrc/kernel.cu": "int run_kernel(int sm_version) {\n  if (sm_version == 90) {\n    f();\n  } else if (sm_version == 100) {\n    g();\n  }\n}\nint n(int sm) { return sm >= 90 ? 2 : sm == 120 ? 1 : 0; }\n",
    "gate.py": "def f(x):\n    assert get_device_sm() == 120\n    return run_kernel(x)\n",
}
PORT = {"engine/kept.py": "KEPT = {9: 1, 12: 256}\n", "engine/held.py": "HELD = {\n    9: 1,\n    12: 256,\n}\n", "csrc/kept.h": "#include <map>\ninline const std::map<int, int> kKept = {\n    {9, 1},\n    {12, 256},\n};\n"}
DROPPED = {"engine/held.py": "HELD = {\n    9: 1,\n}\n", "csrc/kept.h": "#include <map>\ninline const std::map<int, int> kKept = {\n    {9, 1},\n};\n"}
AFTERWARDS = {"engine/taken.py": "ARCHS = [90, 100, 120]\nMOVED_LIMITS = {\n    9: {2: 64, 4: 32},\n    10: {2: 64, 8: 16},\n}\n",
              "fresh.py": "def pick(sm_version):\n    if sm_version == 90:\n        return 1\n    elif sm_version == 100:\n        return 2\n"}
ENTRY, ELEMENT = '#ensure-entry! @x "12" "256"', '#ensure-element! @x "120"'
RULES = {"sizes": ("SIZES", ENTRY), "batch": ("BATCH", ENTRY), "conflict": ("CONFLICT", ENTRY), "windows": ("WINDOWS", ENTRY), "last": ("LAST", ELEMENT), "no-break": ("NO_BREAK", ELEMENT),
         "here": ("HERE", ELEMENT), "latin": ("LATIN", ENTRY), "wide": ("WIDE", ENTRY), "taken": ("ARCHS", ELEMENT), "gone": ("GONE", ELEMENT), "moves": ("MOVES", ENTRY), "twice": ("TWICE", ENTRY),
         "held": ("HELD", ENTRY), "kept": ("KEPT", ENTRY), "odd": ("ODD", ENTRY), "worst": ("WORST", ENTRY)}
RULE = '; Why <b>|`it`</b> is ]]> there, @all #1\n((assignment left: (identifier) @name right: (_) @x)\n (#eq? @name "{}")\n ({}))\n'
REMOVE = """((function_definition name: (identifier) @name body: (block (assert_statement) @assertion)) (#eq? @name "f") (#in-path? "engine/top.py") (#remove! @assertion))
((function_definition name: (identifier) @name body: (block) @body) (#eq? @name "f") (#in-path? "engine/top.py") (#lacks? @body "assert x < 12") (#held! @body))
"""
IMPORT = '((function_definition name: (identifier) @name) (#eq? @name "f") (#in-path? "engine/top.py") (#ensure-import! "import logging"))\n'
SETTINGS = """format = 1
upstream = "upstream"
[defaults]
owner = "A & B <ab@example.org>"
[rules."python/sizes"]
after-edit = "restart"
[[companion]]
name = "batch <i>|`sizes`]]>"
files = ["csrc/batch.h"]
table = "kBatch"
mirrors = "python/batch"
[[companion]]
files = ["csrc/kept.h"]
table = "kKept"
mirrors = "python/kept"
[[companion]]
files = ["csrc/kernel.cu"]
function = "run_kernel"
covers = ["12.0"]
[[companion]]
files = ["none/*.cu"]
table = "kNone"
covers = ["12.0"]
"""
LEVELS = {"note": ("INFO", "info", "notice"), "warning": ("WARNING", "minor", "warning"), "error": ("ERROR", "major", "error")}
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(errors="surrogateescape"))


def make_world(temp):
    """A port on the branch main whose upstream has gone on since the pack was recorded. Between `base` and HEAD upstream was
    merged, and what the port had of its own was dropped.
    """
    tree, pack = temp / TREE, temp / "pa'&<i>"
    for name, text in FILES.items():
        write(tree / name, text)
    for name, (variable, directive) in RULES.items():
        write(pack / f"python/{name}.scm", RULE.format(variable, directive))
    write(pack / "python/removed.scm", REMOVE)
    write(pack / "python/imported.scm", IMPORT)
    write(pack / "pack.toml", SETTINGS)

    def commit(subject):
        must("git", "-C", tree, "add", "-A")
        must("git", "-C", tree, "commit", "-q", "--cleanup=verbatim", "-m", subject)
    def change(files):
        for name, text in files.items():
            write(tree / name, text)
    must("git", "init", "-q", "-b", "upstream", tree)
    commit("Begin")
    run(PORTPATCH, "-C", tree, "refresh", pack)  # `twice` needs a person by now
    must("git", "-C", tree, "checkout", "-q", "-b", "main")
    change(PORT)
    commit("Port")
    must("git", "-C", tree, "tag", "base")
    must("git", "-C", tree, "checkout", "-q", "upstream")
    change(AFTERWARDS)
    commit("Rename </td> | `x` @all\x1b[31m ##[error]x")
    must("git", "-C", tree, "checkout", "-q", "main")
    must("git", "-C", tree, "merge", "-q", "--no-commit", "--no-ff", "upstream")
    change(DROPPED)
    commit("Merge upstream")
    return tree, pack


class Lines:
    """A file by its lines, as a reader counts them: 1-based, with their breaks."""

    def __init__(self, text):
        self.lines = re.findall(rb"[^\n]*\n|[^\n]+", text)

    def replace(self, first, last, text, keeps_break):
        """Lines first..last by text; with `keeps_break` the last one's break stays."""
        end = re.search(rb"\r?\n\Z|\Z", self.lines[last - 1]).group() if keeps_break else b""
        self.lines[first - 1:last] = [text.encode() + end] + [b""] * (last - first)

    def text(self):
        return b"".join(self.lines)


class Judge:
    """One command's reports against each other, the tree, and what the tree becomes."""

    def __init__(self, command, reports, files, becomes):
        self.command, self.reports, self.files, self.becomes = command, reports, files, becomes
        self.edited = {}  # format -> path -> text after its edits

    def expect(self, is_true, what):
        expect(is_true, f"{self.command}: {what}")

    def lines_of(self, path):
        return len(Lines(self.files[path]).lines) if path in self.files else 0

    def schema(self, name):
        schema = json.loads((SCHEMAS / f"{name}.json").read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        for error in jsonschema.Draft7Validator(schema).iter_errors(json.loads(self.reports[name])):
            self.expect(False, f"{name}, {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")

    def sarif(self):
        log = json.loads(self.reports["sarif"])["runs"][0]
        rules = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
        self.expect(len(rules) == len(set(rules)), "sarif: a rule stands twice")
        prints = [result["partialFingerprints"]["portpatch/v1"] for result in log["results"]]
        self.expect(len(prints) == len(set(prints)), "sarif: a fingerprint stands twice")
        texts = {}
        for result in log["results"]:
            self.expect(rules[result["ruleIndex"]] == result["ruleId"], f"sarif: the rule of {result['ruleId']}")
            self.expect("](" not in result["message"]["text"].replace("\\](", ""), "sarif: a link in a message")
            places = [one["physicalLocation"] for one in result["locations"] + result.get("relatedLocations", [])]
            for place in places:
                if "region" in place:
                    self.inside("sarif", path_of(place["artifactLocation"]), place["region"]["startLine"], place["region"].get("endLine"))
            for change in (change for fix in result.get("fixes", []) for change in fix["artifactChanges"]):
                path = path_of(change["artifactLocation"])
                lines, taken = texts.setdefault(path, Lines(self.files[path])), set()
                for one in change["replacements"]:
                    region = one["deletedRegion"]
                    last = region["endLine"] - 1 if region.get("endColumn") == 1 else region["endLine"]
                    self.inside("sarif", path, region["startLine"], last)
                    self.expect(set(region) == {"startLine", "endLine"} or (region["startColumn"], region["endColumn"]) == (1, 1), f"sarif: no whole lines {region}")
                    self.expect(not taken & set(range(region["startLine"], last + 1)), f"sarif: replacements meet in {path}")
                    taken |= set(range(region["startLine"], last + 1))
                    lines.replace(region["startLine"], last, one["insertedContent"]["text"], "endColumn" not in region)
        self.edited["sarif"] = {path: lines.text() for path, lines in texts.items()}
        return log["results"]

    def rdjson(self):
        texts = {}
        for one in json.loads(self.reports["rdjson"])["diagnostics"]:
            for place in [one["location"]] + [also["location"] for also in one.get("related_locations", [])]:
                if "range" in place:
                    self.inside("rdjson", printed(place["path"]), place["range"]["start"]["line"], place["range"]["end"]["line"])
            for suggestion in one.get("suggestions", []):
                # reviewdog refuses others. An empty text takes the lines out; else it stands for them without the last break.
                self.expect(suggestion["range"] == one["location"]["range"], f"rdjson: a suggestion beside its diagnostic: {one}")
                path, first, last = printed(one["location"]["path"]), suggestion["range"]["start"]["line"], suggestion["range"]["end"]["line"]
                texts.setdefault(path, Lines(self.files[path])).replace(first, last, suggestion["text"], suggestion["text"] != "")
        self.edited["rdjson"] = {path: lines.text() for path, lines in texts.items()}

    def inside(self, name, path, first, last):
        last = last or first
        self.expect(path in self.files and 1 <= first <= last <= self.lines_of(path), f"{name}: {path!r} has no lines {first} to {last}")

    def edits(self):
        """Both formats' edits are what portpatch itself writes. A file that lines cannot change exactly has none."""
        for name, texts in self.edited.items():
            for path, text in texts.items():
                self.expect(text == self.becomes[path], f"{name}: {path!r} becomes {text!r}, not {self.becomes[path]!r}")
        changed = {path for path, text in self.becomes.items() if self.files.get(path) != text}
        self.expect(set(self.edited["sarif"]) == set(self.edited["rdjson"]) <= changed, f"edits of {set(self.edited['sarif'])} and {set(self.edited['rdjson'])}, of {changed}")
        return changed - set(self.edited["sarif"])

    def gitlab(self):
        found = json.loads(self.reports["gitlab"])
        for one in found:
            one["location"]["path"] = printed(one["location"]["path"])
        prints = [one["fingerprint"] for one in found]
        self.expect(len(prints) == len(set(prints)), "gitlab: a fingerprint stands twice")
        for one in found:
            path, line = one["location"]["path"], one["location"]["lines"]["begin"]
            self.expect(path not in self.files or line <= max(self.lines_of(path), 1), f"gitlab: {path} has no line {line}")
        return found

    def junit(self, folder):
        if not shutil.which("xmllint"):
            return
        path = folder / "junit.xml"
        path.write_text(self.reports["junit"])
        done = run("xmllint", "--noout", "--nonet", "--schema", SCHEMAS / "junit.xsd", path)
        self.expect(done.returncode == 0, f"junit: {done.stderr[:500]}")

    def junit_counts(self):
        suites = ElementTree.fromstring(self.reports["junit"])
        cases = suites.findall("./testsuite/testcase")
        counts = {"tests": len(cases), "failures": len(suites.findall(".//failure")), "errors": 0, "skipped": len(suites.findall(".//skipped"))}
        for element in (suites, suites[0]):
            self.expect({key: int(element.get(key)) for key in counts} == counts, f"junit: {element.attrib}, not {counts}")
        return cases

    def markdown(self):
        text = run_with_input("cmark-gfm", "--unsafe", *(word for name in ("table", "autolink", "strikethrough", "tasklist") for word in ("-e", name)), text=self.reports["markdown"])
        page = Page()
        page.feed(text)
        self.expect(not page.wrong, f"markdown: {page.wrong[:3]}")
        self.expect(not re.search(r"[@<>`|]|#\d|://", page.outside), f"markdown: what the tree says stands outside of code: {page.outside[:300]}")
        return page

    def github(self):
        found, wrong = workflow_commands(self.reports["github"])
        self.expect(not wrong, f"github: {wrong[:3]}")
        self.expect(len(found) == self.reports["github"].count("\n") == len(self.reports["github"].splitlines()), "github: there is more than commands")
        return found


class Page(html.parser.HTMLParser):
    """The rendered summary: its tags, the table's cells, the text outside of code."""
    TAGS = {"h2", "h3", "p", "code", "pre", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"}
    LANGUAGES = {("class", "language-text"), ("class", "language-diff")}

    def __init__(self):
        super().__init__()
        self.wrong, self.rows, self.outside, self.open = [], [], "", []

    def handle_starttag(self, tag, attributes):
        if tag not in self.TAGS or not set(attributes) <= (self.LANGUAGES if tag == "code" else set()):
            self.wrong.append(self.get_starttag_text())
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}>")

    def handle_data(self, data):
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data
        if "code" not in self.open:
            self.outside += data

    def handle_comment(self, data):
        self.wrong.append(f"<!--{data}-->")

    handle_decl = handle_pi = unknown_decl = handle_comment


def run_with_input(*command, text):
    import subprocess
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def contents(tree):
    """path as portpatch prints it -> bytes."""
    return {printed(str(path.relative_to(tree))): path.read_bytes() for path in sorted(tree.rglob("*")) if path.is_file() and ".git" not in path.relative_to(tree).parts}


def path_of(location):
    return printed(urllib.parse.unquote(location["uri"], errors="surrogateescape"))


def printed(path):
    return CONTROL.sub(lambda found: "".join(f"\\x{byte:02x}" for byte in found[0].encode(errors="surrogateescape")), path)


def look(words, tree, becomes, temp, status=1):
    """Every format of one command; the kinds of findings, and the files that are changed without a suggestion."""
    command, reports = " ".join(map(str, words)).replace(f"{temp}/", ""), {}
    for name in ("sarif", "rdjson", "github", "markdown", "gitlab", "junit"):
        done = run(PORTPATCH, "-C", tree, "--format", name, *words)
        expect(done.returncode == status and done.stderr == "", f"{command} --format {name} ended with {done.returncode}: {done.stderr}")
        expect(not CONTROL.search(done.stdout), f"{command} --format {name}: control characters")
        reports[name] = done.stdout
    judge = Judge(command, reports, contents(tree), becomes)
    if jsonschema:
        for name in ("sarif", "rdjson", "gitlab"):
            judge.schema(name)
    results, found, cases, commands = judge.sarif(), judge.gitlab(), judge.junit_counts(), judge.github()
    judge.rdjson()
    judge.junit(temp)
    left = judge.edits()

    # Each says the same findings.
    names = [result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] for result in results]
    judge.expect([result["ruleId"] for result in results] == [one["check_name"] for one in found], "sarif and gitlab differ")
    judge.expect([LEVELS[result["level"]][1] for result in results] == [one["severity"] for one in found], "the severities of sarif and gitlab differ")
    judge.expect([LEVELS[result["level"]][2] for result in results] == [one["command"] for one in commands[:len(results)]], "sarif and github differ")
    judge.expect(all(one["title"].endswith(f": {name}") for one, name in zip(commands, names)), "the titles of github")
    judge.expect({case.get("name") for case in cases if len(case)} == set(names), "sarif and junit differ")
    if shutil.which("cmark-gfm"):
        page = judge.markdown()
        rows = [row for row in page.rows if row[0]]
        judge.expect([(row[0], row[2].strip()) for row in rows] == [(result["level"], name.replace("\n", " ")) for result, name in zip(results, names)], f"sarif and markdown differ: {rows}")
        places = [one["location"] for one in found]
        judge.expect(all(row[3].strip() in ("", place["path"].replace("\n", " "), f"{place['path']}:{place['lines']['begin']}".replace("\n", " ")) for row, place in zip(rows, places)), f"the places of markdown: {rows}")
    return {result["ruleId"] for result in results}, left


def after(tree, temp, *words):
    """Files as portpatch writes them, in a copy."""
    copy = temp / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(tree, copy, symlinks=True)
    done = run(PORTPATCH, "-C", copy, *words)
    expect(done.returncode < 2, f"{words[0]} ended with {done.returncode}: {done.stderr}")
    return contents(copy)


def main():
    for name in [name for name in os.environ if name.startswith(("GIT_", "PORTPATCH_"))]:
        del os.environ[name]
    for who in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{who}_NAME": "u", f"GIT_{who}_EMAIL": "u@example.org", f"GIT_{who}_DATE": "2026-01-05T12:00:00Z"}
    os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
    for is_there, what in ((jsonschema, "the JSON schemas, since python3-jsonschema is not installed"), (shutil.which("xmllint"), "the XML schema, since libxml2-utils is not installed"),
                           (shutil.which("cmark-gfm"), "the rendering of Markdown, since cmark-gfm is not installed")):
        if not is_there:
            print(f"skipped: {what}")
    with tempfile.TemporaryDirectory(prefix="portpatch-formats.") as folder:
        temp = Path(folder).resolve()
        tree, pack = make_world(temp)
        ruled, fixed = after(tree, temp, "apply", pack), after(tree, temp, "check", "--fix", "--syntax-only", pack)
        kinds, left = look(["status", "--check", pack], tree, ruled, temp)
        expect(kinds == {f"rule-{one}" for one in ("pending", "lost", "conflict", "ambiguous", "moved", "upstreamed")}, f"status has the kinds {kinds}")
        expect(left == {"engine/latin.py"}, f"without a suggestion are {left}")
        kinds, left = look(["check", "--fix", "--dry-run", "--syntax-only", pack], tree, fixed, temp)
        expect({"companion-no-arm", "companion-other-value", "companion-not-found"} <= kinds and not left, f"check has the kinds {kinds}, and {left}")
        kinds, left = look(["audit", "--cc", "12.0", "--syntax-only"], tree, contents(tree), temp)
        expect({"cc-gate-disagrees", "cc-unreachable-rung", "cc-leaves-out-sibling"} <= kinds, f"audit has the kinds {kinds}")
        kinds, left = look(["audit", "--cc", "12.0", "--since", "base", "--syntax-only"], tree, contents(tree), temp, status=0)
        expect(kinds == {"cc-not-covered"}, f"audit --since has the kinds {kinds}")
        files = contents(tree)
        both = {path: ruled[path] if ruled[path] != text else fixed[path] for path, text in files.items()}
        kinds, left = look(["review", pack, "--base", "base", "--cc", "12.0", "--syntax-only"], tree, both, temp)
        wanted = {"rule-moved", "rule-lost", "rule-upstreamed", "rule-pending", "companion-missing-key", "cc-not-covered"}
        expect(kinds == wanted and not left & {"engine/held.py", "csrc/kept.h"}, f"review has the kinds {kinds}, and without a suggestion are {left}")


if __name__ == "__main__":
    finish(main)
