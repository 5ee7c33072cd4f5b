"""Three-way merges of the functions and classes of Python's standard library: two edits of the same
text, made by us as text, merged by the engine as trees, judged with Python's ast."""
import ast
import io
import random
import tokenize

from engine import Engine
from python_judge import files  # noqa: F401  (judge.py asks for it)

A_DEFINITION = 4  # pairs of edits in each; in a sample half
LARGEST = 40_000


class Edit:
    """Lines [first, last] of the text (1-based; last < first for an insertion) become `lines`."""

    def __init__(self, kind, first, last, lines):
        self.kind, self.first, self.last, self.lines = kind, first, last, lines

    def overlaps(self, other):
        return max(self.first, other.first) <= min(max(self.last, self.first), max(other.last, other.first))


def apply(lines, edits):
    out = list(lines)
    for edit in sorted(edits, key=lambda e: -e.first):
        out[edit.first - 1:edit.last] = edit.lines
    return "".join(out)


def dump(text):
    return ast.dump(ast.parse(text))


def comments(text):
    return [t.string for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.COMMENT]


class Definition:
    def __init__(self, text):
        self.text, self.lines = text, text.splitlines(keepends=True)
        self.statements = []  # (statement, how many stand beside it)
        for node in ast.walk(ast.parse(text)):
            for field in ("body", "orelse", "finalbody"):
                body = getattr(node, field, None)
                if isinstance(body, list) and not isinstance(node, ast.Module):
                    self.statements += [(s, len(body)) for s in body if self.is_own_lines(s)]

    def is_own_lines(self, s):
        first, last = self.lines[s.lineno - 1], self.lines[s.end_lineno - 1]
        behind = last.encode()[s.end_col_offset:].decode().strip()
        return (not getattr(s, "decorator_list", None) and first.encode()[:s.col_offset].strip() == b""
                and (not behind or behind.startswith("#")) and "elif" not in first[:s.col_offset + 5])

    def edit(self, rng, statement, beside, number):
        """One edit of a statement that keeps the text Python; None when there is none of the kind drawn."""
        first, last = statement.lineno, statement.end_lineno
        indent = self.lines[first - 1][:statement.col_offset]
        kind = rng.choice(["change", "change", "insert", "remove", "wrap"])
        if kind == "insert":
            note = f"{indent}# pp note {number}\n" if rng.random() < 0.5 else ""
            return Edit(kind, first, first - 1, [f"{note}{indent}pp_fresh_{number} = [{number}]\n"])
        if kind == "remove":
            return Edit(kind, first, last, []) if beside > 1 else None
        if kind == "wrap":
            inside = self.lines[first - 1:last]
            if any(isinstance(n, (ast.Constant, ast.JoinedStr)) and n.lineno != n.end_lineno for n in ast.walk(statement)):
                return None
            return Edit(kind, first, last, [f"{indent}if pp_{number}:\n"] + [f"    {line}" if line.strip() else line for line in inside])
        return self.change(rng, statement, number)

    def change(self, rng, statement, number):
        """Another name in the place of one."""
        leaves = [n for n in ast.walk(statement) if isinstance(n, ast.Name) and n.lineno == n.end_lineno]
        inside_strings = {id(n) for j in ast.walk(statement) if isinstance(j, ast.JoinedStr) for n in ast.walk(j)}
        leaves = [n for n in leaves if id(n) not in inside_strings]
        if not leaves:
            return None
        leaf = rng.choice(leaves)
        line = self.lines[leaf.lineno - 1].encode()
        new = line[:leaf.col_offset] + f"pp_{number}".encode() + line[leaf.end_col_offset:]
        return Edit("change", leaf.lineno, leaf.lineno, [new.decode()])


def definitions(source):
    tree = ast.parse(source)
    lines = source.splitlines(keepends=True)
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not node.decorator_list:
            text = "".join(lines[node.lineno - 1:node.end_lineno])
            if len(text) < LARGEST and text.endswith("\n") and "\f" not in text and "\r" not in text:
                yield node.lineno, Definition(text)


def are_neighbours(definition, ours, theirs):
    """Is there no code between the two edits? Then an order of theirs and ours would be a guess."""
    if not ours or not theirs or {ours.kind, theirs.kind} == {"change"}:
        return False
    first, second = sorted((ours, theirs), key=lambda e: e.first)
    between = definition.lines[max(first.last, first.first - 1):second.first - 1]
    return all(not line.strip() or line.strip().startswith("#") for line in between)


def judge(engine, definition, ours, theirs):
    """(verdict, what) of one pair of edits; either may be None."""
    base = definition.text
    ours_text = apply(definition.lines, [ours] if ours else [])
    theirs_text = apply(definition.lines, [theirs] if theirs else [])
    both = [e for e in (ours, theirs) if e]
    try:
        want = dump(apply(definition.lines, both)) if len(both) < 2 or not ours.overlaps(theirs) else None
        dump(ours_text), dump(theirs_text)
    except SyntaxError:
        return None  # our edits, not the engine's
    answer = engine.ask(merge=True, base=base, ours=ours_text, theirs=theirs_text)
    if answer["result"] != "merged":
        return ("right", "") if want is None or are_neighbours(definition, ours, theirs) else ("blocked", answer["reason"])
    try:
        got = dump(answer["text"])
    except SyntaxError as error:
        return "WRONG", f"Python's parser says {error.msg}"
    if want is None:
        return ("right", "") if dump(ours_text) == dump(theirs_text) == got else ("WRONG", "two changes of one place were merged")
    if got != want:
        return "WRONG", "the syntax tree is another one"
    if not ours and answer["text"] != theirs_text:
        return "WRONG", "ours is empty, and theirs was changed"
    had, has = comments(theirs_text), comments(answer["text"])
    if (not ours or ours.kind != "remove") and [c for c in has if c in had] != had:
        return "WRONG", "comments were changed"
    return "right", ""


def verdicts(engine, language, path, options):
    from judge import Verdict
    engine = Engine.of(options.program, "python")
    try:
        source = open(path, encoding="utf-8", newline="").read()
        found = list(definitions(source))
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return  # test files that are broken on purpose
    rng = random.Random(f"{options.seed} merge {path}")
    for line, definition in rng.sample(found, min(len(found), 3 if options.sample else len(found))):
        if len(definition.statements) < 3:
            continue
        for _ in range(A_DEFINITION // 2 if options.sample else A_DEFINITION):
            one, other = rng.sample(definition.statements, 2)
            kind = rng.choice(["both", "both", "both", "same", "ours", "theirs"])
            ours = definition.edit(rng, *one, 1)
            theirs = definition.edit(rng, *other, 2)
            if kind == "same":
                draw = rng.random()  # the same name of the same statement
                ours, theirs = (definition.change(random.Random(draw), one[0], number) for number in (1, 2))
            if kind == "ours":
                theirs = None
            elif kind == "theirs":
                ours = None
            if kind in ("both", "same") and not (ours and theirs) or not (ours or theirs):
                continue
            if kind == "both" and ours.overlaps(theirs):
                continue
            result = judge(engine, definition, ours, theirs)
            if result:
                name = " + ".join(e.kind for e in (ours, theirs) if e)
                yield Verdict("merge", f"{kind}: {name}", result[0], "conflict" if result[0] == "blocked" else "", f"{path}:{line}", result[1])
