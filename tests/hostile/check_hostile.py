#!/usr/bin/env python3
"""A tree that nobody vouches for: every command that reads it ends in time, with status 0, 1 or 2, names each limit that was met as a
finding of its own, and sends nothing but text to a terminal.

usage: check_hostile.py PORTPATCH
"""
import json
import os
import pty
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from program_check import expect, finish, mistakes, must

SECONDS = 60  # for one run; the slowest takes a few on an idle machine
RULE = '((assignment left: (identifier) @name right: (dictionary) @table)\n (#eq? @name "TABLE")\n (#ensure-entry! @table "12" "1"))\n'
# A name and a source that speak to a terminal, to a browser, to Markdown and to a workflow.
SPEAKING = "\x1b[2J\x1b]8;;https://evil.example\x07click\x1b]8;;\x07\u202egnp\x9b31m::error::</script><img src=x onerror=alert(1)>](javascript:alert(1))"
DEEP = 5_000
BRIM = 1_900
STATUS_FORMATS = ("text", "json", "sarif", "rdjson", "github", "markdown", "gitlab", "junit", "html")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def text(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))


def make_tree(root):
    """Files whose names say what they do; `limits` has the finding that each must get."""
    limits = {}
    table = "TABLE = "

    def limited(name, content, kind):
        text(root / name, content)
        limits[name] = kind

    text(root / "good.py", "def f():\n    return {9: 1}\n")
    limited("deep_list.py", table + "[" * DEEP + "]" * DEEP + "\n{}\n", "limit-depth")
    limited("deep_dict.py", table + "{1: " * DEEP + "1" + "}" * DEEP + "\n", "limit-depth")
    limited("deep_not.py", table + "not " * DEEP + "1\n", "limit-depth")
    limited("deep_sum.py", table + "1" + " + 1" * DEEP + "\n", "limit-depth")
    text(root / "ladder.py", table + "1\nif a:\n    b\n" + "elif sm == 12:\n    c\n" * DEEP)
    text(root / "blocks.py", table + "1\n" + "".join(" " * i + "if sm >= 90:\n" for i in range(1_000)) + " " * 1_000 + "pass\n")
    text(root / "deep.cu", "int sm;\nint f() { if (sm == 90) " + "{" * DEEP + "}" * DEEP + " }\n")
    text(root / "else.cu", "int sm;\nint f() { " + "if (sm == 90) { } else " * DEEP + "{ } }\n")
    text(root / "deep.json", "[" * DEEP + "]" * DEEP)
    text(root / "CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES " + "(" * DEEP + ")" * DEEP + ")\n")
    # As deep as is still read: nothing that walks a tree may need more stack than there is.
    text(root / "brim.py", table + "{9: " + "[" * BRIM + "]" * BRIM + "}\n")
    text(root / "brim_sum.py", table + "{9: 1" + " + 1" * BRIM + "}\n")
    text(root / "brim.cu", "int sm;\nint f() { " + "if (sm == 90) { } else " * (BRIM // 3) + "{ } }\n")
    text(root / "brim_if.py", "def f(sm):\n" + "".join(" " * (i + 1) + "if sm >= 90:\n" for i in range(BRIM // 4)) + " " * (BRIM // 4 + 1) + "pass\n")
    text(root / "brim_or.py", "def f(sm):\n    if " + " or ".join(["sm == 90"] * BRIM) + ":\n        pass\n")
    text(root / "ifs.cu", "int f(int sm) {\n" + "  if (sm == 90) return 1;\n  b();\n" * 2_900 + "  c();\n" * 20_000 + "}\n")
    text(root / "broken.py", table + "{ ( [ def class ) ] } = : ; else\n" * 2_000)
    text(root / "one_line.py", table + "'" + "x" * 2_000_000 + "'\n")
    text(root / "nul.py", table + "\x00\x00{1: 2}\r\r\ufeff\udcff\udcfe\n")
    text(root / "speaks.py", f"# {SPEAKING}\n{table}{{9: '{SPEAKING}'}}\n".replace("\x07", "\\x07"))
    text(root / "speaks.cu", f"int f(int sm) {{ /* {SPEAKING} */ if (sm == 90) return 1; else return 0; }}\n")
    text(root / os.fsdecode(SPEAKING.replace("/", "|").encode() + b"\xff\nname.py"), table + "{9: 1}\n")
    with open(root / "large.py", "wb") as file:
        file.truncate(2 << 30)
    limits["large.py"] = "limit-file-size"
    text(root / "wide.py", table + "{\n" + "".join(f"    {i}: {i},\n" for i in range(5_000)) + "}\n")
    for link, to in (("loop.py", "loop.py"), ("out.py", "/etc/passwd"), ("folder", ".")):
        os.symlink(to, root / link)
    return limits


def make_special(root):
    os.mkfifo(root / "pipe.py")
    with socket.socket(socket.AF_UNIX) as server:
        here = os.getcwd()
        os.chdir(root)
        server.bind("socket.py")
        os.chdir(here)


def make_damaged(tree):
    """Commits whose folders have names that git itself would refuse: {what: commit}."""
    def write(kind, content):
        done = subprocess.run(["git", "-C", tree, "hash-object", "-t", kind, "-w", "--stdin", "--literally"], input=content, capture_output=True, check=True)
        return done.stdout.decode().strip()

    def folder(*entries):
        return write("tree", b"".join(mode + b" " + name + b"\0" + bytes.fromhex(id) for mode, name, id in entries))

    blob = write("blob", b"TABLE = {\n    9: 2,\n}\n")
    inner = folder((b"100644", b"evil.py", blob))
    folders = {name: folder((b"40000", name.encode(), inner)) for name in ("..", ".", ".git", ".GIT", "a/b")}
    folders["twice"] = folder((b"100644", b"a.py", blob), (b"100644", b"a.py", blob))
    folders["cut"] = write("tree", b"100644 a.py\0short")
    bomb = inner
    for _ in range(25):
        bomb = folder(*((b"40000", b"%d" % i, bomb) for i in range(10)))
    folders["bomb"] = bomb
    commit = ("git", "-C", tree, "-c", "user.name=a", "-c", "user.email=a@b", "commit-tree", "-m", "damaged", "-p", "HEAD")
    return {name: must(*commit, id).strip() for name, id in folders.items()}


def run(*command):
    begin = time.monotonic()
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        expect(False, f"{command[1:]} took more than {SECONDS} s")
        return None
    name = " ".join(map(str, command[1:]))
    expect(done.returncode in (0, 1, 2), f"{name} ended with {done.returncode}: {done.stderr[-300:]!r}")
    if os.environ.get("HOSTILE_VERBOSE"):
        print(f"{time.monotonic() - begin:6.2f} s, {done.returncode}: {name[:120]}", file=sys.stderr)
    return done


def on_terminal(*command):
    """What the command sends to a terminal that is both of its outputs."""
    outer, inner = pty.openpty()
    child = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=inner, stderr=inner, env=os.environ | {"NO_COLOR": "1", "TERM": "xterm"})
    os.close(inner)
    sent = b""
    while True:
        try:
            part = os.read(outer, 65536)
        except OSError:
            break
        if not part:
            break
        sent += part
    os.close(outer)
    child.wait()
    return sent.replace(b"\r\n", b"\n")


def check_terminal(*command):
    sent = on_terminal(*command)
    # Our own line of progress: a carriage return before it, and the order that wipes it.
    sent = re.sub(rb"\r(?:\x1b\[K|(?=[a-z ]+: \d+ of ))", b"", sent)
    name = " ".join(map(str, command[1:]))
    expect(sent, f"{name} says nothing on a terminal")
    try:
        decoded = sent.decode()
    except UnicodeDecodeError as error:
        expect(False, f"{name} sends bytes that are no UTF-8 to a terminal: {error}")
        return
    found = CONTROL.search(decoded)
    expect(not found, f"{name} sends {found.group() if found else ''!r} to a terminal: {decoded[max(0, found.start() - 60):found.start() + 20]!r}" if found else "")


def check_limits(name, sarif, limits):
    results = json.loads(sarif)["runs"][0]["results"]
    found = {(one["ruleId"], one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) for one in results if one.get("locations")}
    for path, kind in limits.items():
        expect((kind, path) in found, f"{name}: {path} has no finding {kind}")


def main():
    portpatch = Path(sys.argv[1]).resolve()
    scratch = Path(tempfile.mkdtemp(prefix="portpatch-hostile-"))
    try:
        pack = scratch / "pack"
        text(pack / "pack.toml", "format = 1\n")
        text(pack / "python" / "table.scm", RULE)
        text(pack / "python" / "lost.scm", RULE.replace("TABLE", "not_there_1"))
        tree = scratch / "tree"
        tree.mkdir()
        limits = make_tree(tree)
        must("git", "init", "-q", tree)
        os.rename(tree / "large.py", scratch / "large.py")
        must("git", "-C", tree, "add", "-A")
        must("git", "-C", tree, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", SPEAKING.replace("\x00", ""))
        os.rename(scratch / "large.py", tree / "large.py")
        plain = scratch / "plain"
        shutil.copytree(tree, plain, symlinks=True, ignore=lambda folder, names: [name for name in names if name in (".git", "large.py")])
        shutil.move(tree / "large.py", plain / "large.py")
        make_special(plain)

        in_git = {path: kind for path, kind in limits.items() if path != "large.py"}
        for where, options, wanted in ((plain, [], limits), (tree, [], in_git), (tree, ["--rev", "HEAD"], in_git)):
            for kind in STATUS_FORMATS if where == plain else ("sarif",):
                done = run(portpatch, "-C", where, "--format", kind, "status", *options, pack)
                if kind == "sarif" and done:
                    check_limits(f"status {options} in {where.name}", done.stdout, wanted)
                if kind in ("text", "html", "markdown", "github", "junit") and done:
                    said = done.stdout.decode("utf-8", "surrogateescape")
                    expect("limit-depth" in said, f"status --format {kind} in {where.name} does not name the limit")
                    expect("\x1b" not in said, f"status --format {kind} passes ESC on")
                if kind == "html" and done:
                    expect(b"<img src=x" not in done.stdout, "the page has an element of a source")
                if kind == "github" and done:
                    stray = [line for line in done.stdout.decode("utf-8", "surrogateescape").split("\n") if "::error::" in line and not re.match(r"::(error|warning|notice) ", line)]
                    expect(not stray, f"a source speaks to the workflow: {stray[:1]}")
            run(portpatch, "-C", where, "audit", "--cc", "12.0", "--syntax-only", *options)
            run(portpatch, "-C", where, "query", "--language", "python", *options, "(identifier) @n")
            run(portpatch, "-C", where, "explain", *options, pack / "python" / "table.scm")
        done = run(portpatch, "-C", plain, "status", f"{pack}/python/lost")
        expect(done and "its place may stand in what was not searched" in done.stdout.decode("utf-8", "surrogateescape") or "not searched" in done.stdout.decode("utf-8", "surrogateescape"), "a lost rule does not say that files were not searched")
        run(portpatch, "-C", plain, "apply", "--dry-run", pack)
        text(tree / "speaks.py", (tree / "speaks.py").read_text(encoding="utf-8", errors="surrogateescape").replace("TABLE", "OTHER"))
        run(portpatch, "-C", tree, "capture", "--dry-run", "--pack", scratch / "captured", "speaks.py")
        for name, commit in make_damaged(tree).items():
            for words in (["status", "--rev", commit, pack], ["audit", "--cc", "12.0", "--syntax-only", "--rev", commit], ["review", "--syntax-only", "--base", "HEAD", "--head", commit, pack]):
                done = run(portpatch, "-C", tree, *words)
                expect(done and done.returncode == 2 and b"evil.py" not in done.stdout, f"{words[0]} takes the folder `{name}`")
        small = scratch / "small"
        small.mkdir()
        for path in plain.iterdir():
            if path.is_file() and not path.is_symlink() and path.stat().st_size < 1_000_000 and ("speaks" in path.name or "name" in path.name or path.name == "deep_not.py"):
                shutil.copy(path, small / path.name)
        text(small / os.fsdecode(SPEAKING.replace("/", "|").encode() + b"\xff\ndeep.py"), "TABLE = " + "not " * DEEP + "1\n")
        for command in (["status", pack], ["status", "--diff", pack], ["audit", "--cc", "12.0", "--syntax-only"], ["query", "--language", "python", "(assignment) @n"], ["explain", f"{pack}/python/table"], ["undo", "--list"]):
            check_terminal(portpatch, "-C", small, *command)
        check_terminal(portpatch, "-C", tree, "timeline", pack, "HEAD..HEAD")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{len(mistakes)} mistakes")


finish(main)
