"""Brace lists and enumerations of C and C++, judged by Clang's raw tokens."""
import bisect
import random
import re
import shutil
import subprocess
import tempfile

import machine_files
from engine import byte_faults, new_text

TOKEN = re.compile(rb"(?ms)^(\w+) '(.*?)'\t(?:[^\n]*?\[UnClean='.*?'\])?[^\n]*?Loc=<[^\n]*?:(\d+):(\d+)>$")
LIST = re.compile(rb"\benum\b[^;{]*\{|=\s*\{")
MOST_FILES, A_FILE = 3000, 12


def files(language):
    if not shutil.which("clang"):
        return []
    found = machine_files.find((".h", ".hpp", ".c", ".cc", ".cpp", ".cu"), MOST_FILES, 120_000)
    return [path for path in found if LIST.search(open(path, "rb").read())]


def tokens(source):
    """(kind, text, offset) of every token and comment."""
    with tempfile.NamedTemporaryFile(suffix=".cc") as file:
        file.write(source)
        file.flush()
        run = subprocess.run(["clang", "-fsyntax-only", "-Xclang", "-dump-raw-tokens", file.name], capture_output=True)
    starts = [0] + [i + 1 for i, byte in enumerate(source) if byte == 10]
    found = []
    for kind, text, line, column in TOKEN.findall(run.stderr):
        if kind != b"unknown" or text.strip():
            found.append((kind, text, starts[int(line) - 1] + int(column) - 1))
    return found


def edited_ranges(edits):
    """Ranges of added bytes in the new text."""
    shift = 0
    for begin, end, text in edits:
        size = len(text.encode())
        if size:
            yield begin + shift, begin + shift + size
        shift += size - (end - begin)


def inside(offset, ranges):
    return any(begin <= offset < end for begin, end in ranges)


def plain(found):
    return [(kind, text) for kind, text, _ in found]


def depth_at(found, begin, index):
    """(brackets open, conditionals open) between the container's brace at `begin` and token `index`."""
    brackets = conditionals = 0
    first = bisect.bisect_left(found, begin, key=lambda t: t[2])
    for i in range(first, index):
        text = found[i][1]
        brackets += (text in (b"{", b"(", b"[")) - (text in (b"}", b")", b"]"))
        if text == b"#" and i + 1 < len(found):
            conditionals += found[i + 1][1] in (b"if", b"ifdef", b"ifndef")
            conditionals -= found[i + 1][1] == b"endif"
    return brackets, conditionals


def addition_fault(old, new, node, answer, element):
    ranges = list(edited_ranges(answer["edits"]))
    added = [i for i, t in enumerate(new) if inside(t[2], ranges)]
    if plain(t for i, t in enumerate(new) if i not in set(added)) != plain(old):
        return "other tokens were changed"
    words = [new[i][1] for i in added if new[i][1] != b"," or new[i - 1][2] >= 0]
    text = b"".join(words)
    bare = element.replace(" ", "").encode()
    if text not in (bare, b"," + bare, bare + b","):
        return f"the added tokens are {text.decode()}"
    first = next(i for i in added if not (text.startswith(b",") and i == added[0]))
    if depth_at(new, node["begin"], first) != (1, 0):
        return "the item stands at another depth, or under a condition"
    return None


def removal_fault(old, new, node, gone, answer):
    ranges = [(begin, end) for begin, end, _ in answer["edits"]]
    removed = [t for t in old if inside(t[2], ranges)]
    if plain(t for t in old if not inside(t[2], ranges)) != plain(new):
        return "other tokens were changed"
    _, begin, end = node["items"][gone]
    rest = [t[1] for t in removed if not begin <= t[2] < end]
    whole = all(inside(t[2], ranges) for t in old if begin <= t[2] < end)
    return None if whole and rest in ([], [b","]) else "not exactly that item is gone"


def requests(node, source, rng):
    kinds = {kind for kind, _, _ in node["items"]}
    texts = [source[b:e].decode(errors="replace") for _, b, e in node["items"]]
    if node["kind"] == "enumerator_list":
        element = rng.choice(["PP_FRESH", "PP_FRESH = 987654321"])
    elif kinds == {"initializer_pair"}:
        element = ".pp_fresh = 987654321" if texts[0].startswith(".") else "[987654321] = 1"
    elif kinds == {"initializer_list"}:
        element = rng.choice(['{"pp_fresh", 987654321}', "{987654321, 6, 8}"])
    else:
        element = rng.choice(["987654321", '"pp_fresh"', "pp_fresh(6, 8)"])
    yield node["kind"], "ensure-element!", [element], element, None
    if kinds == {"initializer_list"} and all(t.count(",") == 1 and "." not in t for t in texts):
        yield "pairs", "ensure-entry!", ['"pp_fresh"', "987654321"], '{"pp_fresh", 987654321}', None
    yield f"remove from {node['kind']}", "remove!", [], None, rng.randrange(len(node["items"]))


def verdicts(engine, language, path, options):
    from judge import Verdict
    source = open(path, "rb").read()
    if b"\r" in source.replace(b"\r\n", b""):
        return
    nodes = engine.ask(file=path, kinds=["initializer_list", "enumerator_list"], list=True).get("nodes", [])
    nodes = [n for n in nodes if len(n["items"]) >= 2]
    if not nodes:
        return
    rng = random.Random(f"{options.seed} {path}")
    old = tokens(source)
    for node in rng.sample(nodes, min(len(nodes), 4 if options.sample else A_FILE)):
        for kind, directive, texts, element, gone in requests(node, source, rng):
            request = dict(file=path, kinds=[node["kind"]], begin=node["begin"], end=node["end"], directive=directive, texts=texts)
            if gone is not None:
                request["item"] = gone
            answer = engine.ask(**request)
            place = f"{path}:{source.count(10, 0, node['begin']) + 1}"
            if answer["result"] != "edited":
                yield Verdict("cpp", kind, "blocked", answer.get("code") or answer["result"], place, answer.get("reason", ""))
                continue
            found = byte_faults(source, answer, "takes" if gone is not None else "adds")
            if not found:
                new = tokens(new_text(source, answer))
                found = removal_fault(old, new, node, gone, answer) if gone is not None else addition_fault(old, new, node, answer, element)
            yield Verdict("cpp", kind, "WRONG" if found else "right", "wrong" if found else "", place, found or "")
