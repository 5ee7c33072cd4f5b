"""The program property_edit as a function, and what its answer makes of a file."""
import json
import re
import subprocess

BLANKS_AT_END = re.compile(r"[ \t]+\r?(?:\n|$)")


class Engine:
    running = {}  # one a process and language

    @classmethod
    def of(cls, program, language):
        if language not in cls.running:
            cls.running[language] = cls(program, language)
        return cls.running[language]

    def __init__(self, program, language):
        self.process = subprocess.Popen([program, language], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"property_edit died on {request}")
        return json.loads(line)


def apply_edits(source, edits):
    """`source` (bytes) with the engine's edits, and whether they only add (or only take away)."""
    out, at = [], 0
    adds = takes = True
    for begin, end, text in edits:
        out += [source[at:begin], text.encode()]
        at = end
        adds &= source[begin:end].strip() == b""
        takes &= text in ("", ",", "pass")
    return b"".join(out + [source[at:]]), adds, takes


def new_text(source, answer):
    """The text that the engine would write."""
    at, cut = answer["at"], answer["cut"]
    return source[:at] + answer["text"].encode() + source[at + cut:]


def byte_faults(source, answer, only):
    """What is wrong with the bytes of an answer: `only` is "adds" or "takes"."""
    after, adds, takes = apply_edits(source, answer["edits"])
    if after != new_text(source, answer):
        return "the text is not the old text with the edits"
    if not (adds if only == "adds" else takes):
        return "bytes outside the edit were changed"
    if answer["second"] != "holds":
        return f"the second run says {answer['second']}"
    if only == "adds" and any(mark in text for _, _, text in answer["edits"] for mark in ("#", "//", "/*")):
        return "a comment was copied"
    before = source[answer["at"]:answer["at"] + answer["cut"]].decode()
    if len(BLANKS_AT_END.findall(answer["text"])) > len(BLANKS_AT_END.findall(before)):
        return "blanks at the end of a line"
    if b"\r\n" in source and source.count(b"\n") == source.count(b"\r\n") and after.count(b"\n") != after.count(b"\r\n"):
        return "another line end than the file's"
    return None
