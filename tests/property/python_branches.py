"""Branches for the ladders, the runs of `if`s and the conditional expressions of Python files: what the
syntax tree must be with one more."""
import ast

CONDITIONS = ['len("pp") > 1', 'len("p") or len("q")', 'not len("pp")', 'len("p") if len("q") else 1', "lambda: 1", '"pp"']
VALUES = ["987654321", '"pp_fresh"', "[6, 8]", 'len("pp_fresh")', 'len("p") if len("q") else 1', "lambda: 1"]
STAYING = ["pp_fresh = [1, 2]", 'for pp in (1, 2):\n  print(\n      pp)']
LEAVING = ['raise KeyError("pp")', 'pp_fresh = 1\nreturn pp_fresh', 'if len("pp"):\n    return 1\nelse:\n    raise KeyError']


def rungs_of(node):
    """[(test, body)] and what is done, or given, otherwise."""
    rungs = []
    while isinstance(node, (ast.If, ast.IfExp)):
        rungs.append((node.test, node.body))
        rest = node.orelse
        if isinstance(node, ast.If) and not (len(rest) == 1 and isinstance(rest[0], ast.If) and rest[0].is_elif):
            return rungs, rest
        node = rest[0] if isinstance(rest, list) else rest
    return rungs, node


def leaves(body):
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and leaves(last.body) and leaves(last.orelse)
    return isinstance(last, (ast.Return, ast.Raise, ast.Break, ast.Continue))


def is_guard(node):
    return isinstance(node, ast.If) and not node.orelse and leaves(node.body)


def pin_of(rungs, source_of, rng):
    """A place, and the number of the branch that it is in front of."""
    index = rng.randrange(len(rungs))
    dumps = [ast.dump(test) for test, _ in rungs]
    choices = [("first", 0), ("last", len(rungs))]
    text = source_of(rungs[index][0])
    if dumps.count(dumps[index]) == 1 and "\n" not in text and "#" not in text:
        choices += [(f"before:{text}", index), (f"after:{text}", index + 1)]
    return rng.choice(choices)


def mark_elifs(file):
    """Python's tree does not say whether an `if` in an `else` is an `elif`."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.If):
            node.is_elif = file.source.startswith(b"elif", file.range_of(node)[0])


def source_reader(file):
    return lambda node: file.source[slice(*file.range_of(node))].decode()


def choice_case(file, node, rng):
    from python_cases import Case
    condition, value = rng.choice(CONDITIONS), rng.choice(VALUES)
    rungs, _ = rungs_of(node)
    pin, index = pin_of(rungs, source_reader(file), rng)

    def grown(old, new):
        rungs, rest = rungs_of(old)
        parse = lambda text: ast.parse(text, mode="eval").body
        for test, body in reversed(rungs[:index] + [(parse(condition), parse(value))] + rungs[index:]):
            rest = ast.IfExp(test, body, rest)
        return ast.dump(new) == ast.dump(rest)
    return Case("branch choice", node, file.request(node, ["conditional_expression"], "ensure-branch!", condition, value, pin), grown)


def statement_case(file, parent, field, body, rng):
    """One `if` of a body."""
    from python_cases import Case
    if not hasattr(file.tree, "marked"):
        mark_elifs(file)
        file.tree.marked = True
    heads = [i for i, s in enumerate(body) if isinstance(s, ast.If) and not s.is_elif]
    if not heads:
        return
    own = rng.choice(heads)
    condition = rng.choice(CONDITIONS)
    first = last = own
    if is_guard(body[own]):
        while first > 0 and is_guard(body[first - 1]):
            first -= 1
        while last + 1 < len(body) and is_guard(body[last + 1]):
            last += 1
    # Among others that leave, only a branch that leaves may stand.
    text = rng.choice(LEAVING if first < last else STAYING + LEAVING)
    added = ast.If(ast.parse(condition, mode="eval").body, ast.parse(text).body, [])
    is_run = is_guard(body[own]) and (first < last or leaves(added.body))
    rungs = [(s.test, s.body) for s in body[first:last + 1]] if is_run else rungs_of(body[own])[0]
    pin, index = pin_of(rungs, source_reader(file), rng)
    request = file.request(body[own], ["if_statement"], "ensure-branch!", condition, text, pin)

    def grown_run(old, new):
        want = [ast.dump(s) for s in getattr(old, field)]
        want.insert(first + index, ast.dump(added))
        others = [f for f in old._fields if f != field]
        same = all(str(dumped(old, f)) == str(dumped(new, f)) for f in others)
        return same and [ast.dump(s) for s in getattr(new, field)] == want

    def grown_chain(old, new):
        rungs, rest = chain_of(old, len(rungs_of(body[own])[0]))
        for test, statements in reversed(rungs[:index] + [(added.test, added.body)] + rungs[index:]):
            rest = [ast.If(test, statements, rest)]
        return ast.dump(new) == ast.dump(rest[0])
    yield Case("branch run" if is_run else "branch chain", parent if is_run else body[own], request, grown_run if is_run else grown_chain)


def chain_of(node, length):
    """rungs_of for a tree without marks: so many branches."""
    rungs = []
    for _ in range(length):
        rungs.append((node.test, node.body))
        rest = node.orelse
        node = rest[0] if rest else None
    return rungs, rest


def dumped(node, field):
    value = getattr(node, field, None)
    values = value if isinstance(value, list) else [value]
    return [ast.dump(v) if isinstance(v, ast.AST) else repr(v) for v in values]
