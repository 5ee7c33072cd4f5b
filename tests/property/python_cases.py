"""Edits for Python files, found with Python's own ast and judged with it and tokenize."""
import ast
import io
import tokenize

from engine import byte_faults, new_text
from python_branches import choice_case, statement_case
from python_chunks import Chunks, first_line

STATEMENTS = {
    ast.Expr: "expression_statement", ast.Assign: "expression_statement", ast.AugAssign: "expression_statement",
    ast.AnnAssign: "expression_statement", ast.Return: "return_statement", ast.If: "if_statement",
    ast.For: "for_statement", ast.AsyncFor: "for_statement", ast.While: "while_statement", ast.With: "with_statement",
    ast.AsyncWith: "with_statement", ast.Try: "try_statement", ast.FunctionDef: "function_definition",
    ast.AsyncFunctionDef: "function_definition", ast.ClassDef: "class_definition", ast.Import: "import_statement",
    ast.ImportFrom: "import_from_statement", ast.Raise: "raise_statement", ast.Assert: "assert_statement",
    ast.Delete: "delete_statement", ast.Pass: "pass_statement", ast.Break: "break_statement",
    ast.Continue: "continue_statement", ast.Global: "global_statement", ast.Nonlocal: "nonlocal_statement",
    ast.Match: "match_statement",
}
DISPLAYS = {ast.Dict: ["dictionary"], ast.List: ["list"], ast.Set: ["set"], ast.Tuple: ["tuple", "expression_list"]}
VALUES = ["987654321", '"pp_fresh"', "[6, 8]", '{2: 256 * 1024, "four": 128}', "(987654321,)", 'len("pp_fresh")']
SHORT_STATEMENTS = ["pp_fresh = [1, 2]", 'print("pp_fresh", 1)']
LONG_STATEMENTS = ['if len("pp"):\n    pp_fresh = 1\n    print("pp")', "for pp in (1, 2):\n  print(\n      pp)"]


OPERANDS = ['len("pp") > 1', 'len("p") or len("q")', 'len("p") and len("q")', 'not len("pp")', 'len("p") if len("q") else 1', "lambda: 1", '"pp"']
EXPRESSIONS = {
    ast.BoolOp: "boolean_operator", ast.Compare: "comparison_operator", ast.Call: "call", ast.Name: "identifier",
    ast.Attribute: "attribute", ast.Subscript: "subscript", ast.BinOp: "binary_operator", ast.IfExp: "conditional_expression",
    ast.NamedExpr: "named_expression", ast.Await: "await", ast.List: "list", ast.Dict: "dictionary",
}
WRAPPERS = ["len(${node})", "not ${node}", "${node} + 1", "[${node}][0]", '${node} if len("pp") else 1']
BODY_WRAPPERS = ['if len("pp"):\n    ${node}', 'try:\n    ${node}\nfinally:\n    print("pp")', "while True:\n  ${node}\n  break"]


def dump(node):
    return ast.dump(node) if isinstance(node, ast.AST) else repr(node)


def code(text):
    return dump(ast.parse(text, mode="eval").body)


def same(old, new, target, grown):
    """Equal, but that `target` of the old tree is judged by grown(old, new)."""
    if old is target:
        return grown(old, new)
    if type(old) is not type(new):
        return False
    if isinstance(old, list):
        return len(old) == len(new) and all(same(a, b, target, grown) for a, b in zip(old, new))
    if not isinstance(old, ast.AST):
        return old == new
    return all(same(getattr(old, f, None), getattr(new, f, None), target, grown) for f in old._fields if f != "kind")


def one_more(old, new, added):
    """Is `new` the list `old` with one element, `added` as a dump, more?"""
    if len(new) != len(old) + 1:
        return False
    old, new = [dump(o) for o in old], [dump(n) for n in new]
    return any(new[i] == added and new[:i] + new[i + 1:] == old for i in range(len(new)))


def rest_same(old, new, but):
    return type(old) is type(new) and all(dump_field(old, f) == dump_field(new, f) for f in old._fields if f not in but)


def dump_field(node, field):
    value = getattr(node, field, None)
    return [dump(v) for v in value] if isinstance(value, list) else dump(value)


class Case:
    """One edit: where, what, and what the tree must look like afterwards."""

    def __init__(self, kind, node, request, grown, gone=None):
        self.kind, self.node, self.request, self.grown = kind, node, request, grown
        self.gone = gone  # the node that is removed


def parameters(arguments):
    """A signature as a flat list of (how, name, annotation, default)."""
    positional = [("only" if a in arguments.posonlyargs else "any", a) for a in arguments.posonlyargs + arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    flat = [(how, a.arg, dump(a.annotation), dump(d)) for (how, a), d in zip(positional, defaults)]
    flat += [("kw", a.arg, dump(a.annotation), dump(d)) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return flat + [(how, a.arg, dump(a.annotation), "") for how, a in (("*", arguments.vararg), ("**", arguments.kwarg)) if a]


class PythonFile:
    def __init__(self, path, source):
        self.path, self.source = path, source
        self.tree = ast.parse(source)
        self.chunks = Chunks(source, self.tree)

    def range_of(self, node):
        begin = self.chunks.offset(node.lineno, node.col_offset)
        end = self.chunks.offset(node.end_lineno, node.end_col_offset)
        decorators = getattr(node, "decorator_list", None)
        if decorators:
            begin = self.source.rindex(b"@", 0, self.chunks.offset(decorators[0].lineno, decorators[0].col_offset))
        return begin, end

    def nodes(self):
        """All nodes but those inside f-strings, whose places Python 3.11 does not know."""
        pending = [self.tree]
        while pending:
            node = pending.pop()
            yield node
            for child in ast.iter_child_nodes(node):
                if not isinstance(child, ast.JoinedStr):
                    pending.append(child)

    def request(self, node, kinds, directive, *texts):
        begin, end = self.range_of(node)
        return dict(file=self.path, kinds=kinds, begin=begin, end=end, directive=directive, texts=list(texts))

    def cases(self, rng):
        """{family: [case]}."""
        families = {"display": [], "argument": [], "signature": [], "append": [], "insert": [], "remove": [],
                    "condition": [], "wrap": [], "branch": []}
        inner_choices = {id(n.orelse) for n in ast.walk(self.tree) if isinstance(n, ast.IfExp)}
        bare_slices = {id(n.slice) for n in ast.walk(self.tree) if isinstance(n, ast.Subscript)}
        for node in self.nodes():
            if isinstance(node, tuple(DISPLAYS)) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                items = node.values if isinstance(node, ast.Dict) else node.elts
                bare = id(node) in bare_slices and self.source[self.range_of(node)[0]] != ord("(")
                if len(items) >= 2 and not bare:
                    families["display"].append(self.display(node, rng))
                    families["remove"].append(self.remove_item(node, rng))
            elif isinstance(node, ast.Call) and (node.args or node.keywords) and not isinstance(node.func, ast.JoinedStr):
                families["argument"].append(self.argument(node, rng))
                if any(k.arg for k in node.keywords):
                    families["remove"].append(self.remove_keyword(node, rng))
            test = node.value if isinstance(node, ast.Return) else getattr(node, "test", None)
            if self.is_expression(test):
                families["condition"].append(self.condition(test, rng))
            if isinstance(node, ast.IfExp) and id(node) not in inner_choices:
                families["branch"].append(choice_case(self, node, rng))
            if isinstance(node, ast.Call) and self.is_expression(node):
                families["wrap"].append(self.wrapped_call(node, rng))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                families["signature"].append(self.signature(node, rng))
                families["append"].append(self.append(node, rng))
            elif isinstance(node, ast.ClassDef):
                families["append"].append(self.append(node, rng))
            for field in ("body", "orelse", "finalbody"):
                body = getattr(node, field, None)
                if isinstance(body, list) and body and isinstance(body[0], ast.stmt) and not isinstance(node, ast.match_case):
                    families["insert"] += self.insertions(node, field, body, rng)
                    families["remove"] += self.statement_removals(node, field, body, rng)
                    families["wrap"] += self.wrapped_statements(node, field, body, rng)
                    families["branch"] += statement_case(self, node, field, body, rng)
        return families

    def display(self, node, rng):
        value = rng.choice(VALUES)
        if isinstance(node, ast.Dict):
            keys = [k.value if isinstance(k, ast.Constant) else None for k in node.keys]
            key = '"pp_fresh"'
            if all(type(k) is int for k in keys):
                key = str(next(k for k in range(sum(keys) // len(keys), 10**30) if k not in keys))
            request = self.request(node, DISPLAYS[type(node)], "ensure-entry!", key, value)
            added = code(key) + code(value)

            def grown(old, new):
                pairs = [[dump(k) + dump(v) for k, v in zip(d.keys, d.values)] for d in (old, new)] if isinstance(new, ast.Dict) else [[], []]
                return len(pairs[1]) == len(pairs[0]) + 1 and any(
                    p == added and pairs[1][:i] + pairs[1][i + 1:] == pairs[0] for i, p in enumerate(pairs[1]))
            return Case("dict", node, request, grown)
        if all(isinstance(e, ast.Constant) and type(e.value) is int for e in node.elts):
            value = str(rng.choice([987654321, max(e.value for e in node.elts) + 1]))
        request = self.request(node, DISPLAYS[type(node)], "ensure-element!", value)
        return Case(type(node).__name__.lower(), node, request,
                    lambda old, new: rest_same(old, new, {"elts"}) and one_more(old.elts, new.elts, code(value)))

    def argument(self, node, rng):
        value = rng.choice(VALUES)
        added = dump(ast.keyword("pp_fresh", ast.parse(value, mode="eval").body))
        return Case("call", node, self.request(node, ["call"], "ensure-argument!", "pp_fresh", value),
                    lambda old, new: rest_same(old, new, {"keywords"}) and one_more(old.keywords, new.keywords, added))

    def signature(self, node, rng):
        value = rng.choice(VALUES)

        def grown(old, new):
            if not rest_same(old, new, {"args"}):
                return False
            was, now = parameters(old.args), parameters(new.args)
            added = [p for p in now if p[1] == "pp_fresh" and p[3] == code(value)]
            return len(added) == 1 and [p for p in now if p != added[0]] == was
        request = self.request(node, ["function_definition"], "ensure-argument!", "pp_fresh", value)
        request["begin"] = self.chunks.offset(node.lineno, node.col_offset)
        return Case("signature", node, request, grown)

    def statement(self, rng):
        text = rng.choice(SHORT_STATEMENTS + LONG_STATEMENTS)
        return text, dump(ast.parse(text).body[0])

    @staticmethod
    def is_expression(node):
        return type(node) in EXPRESSIONS or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))

    @staticmethod
    def kind_of(node):
        return EXPRESSIONS.get(type(node), "not_operator")

    def condition(self, node, rng):
        """One more operand; `a or b or c` is one node of Python's."""
        operand, widens = rng.choice(OPERANDS), rng.random() < 0.5
        op, added = (ast.Or if widens else ast.And), ast.parse(operand, mode="eval").body

        def operands(tree):
            return tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, op) else [tree]

        def grown(old, new):
            return dump(new) == dump(ast.BoolOp(op(), operands(old) + operands(added)))
        return Case("widen" if widens else "narrow", node, self.request(node, [self.kind_of(node)], "widen!" if widens else "narrow!", operand), grown)

    def wrapped_call(self, node, rng):
        text = rng.choice(WRAPPERS)

        def grown(old, new):
            want = ast.parse(text.replace("${node}", "pp_node"), mode="eval").body
            parents = [(n, f, i) for n in ast.walk(want) for f, v in ast.iter_fields(n)
                       for i, c in (enumerate(v) if isinstance(v, list) else [(None, v)]) if isinstance(c, ast.Name) and c.id == "pp_node"]
            (parent, field, index), = parents
            if index is None:
                setattr(parent, field, old)
            else:
                getattr(parent, field)[index] = old
            return dump(new) == dump(want)
        return Case("wrap call", node, self.request(node, ["call"], "wrap!", text), grown)

    def wrapped_statements(self, parent, field, body, rng):
        place, text = rng.randrange(len(body)), rng.choice(BODY_WRAPPERS)
        node = body[place]
        if self.source.startswith(b"elif", self.range_of(node)[0]) or isinstance(node, ast.ImportFrom) and node.module == "__future__":
            return

        def grown(old, new):
            want = ast.parse(text.replace("${node}", "pp_node")).body[0]
            want.body[0] = getattr(old, field)[place]
            statements = [dump(s) for s in getattr(old, field)]
            statements[place] = dump(want)
            return rest_same(old, new, {field}) and [dump(s) for s in getattr(new, field)] == statements
        yield Case("wrap statement", parent, self.request(node, self.kinds_of(node), "wrap!", text), grown)

    def append(self, node, rng):
        text, added = self.statement(rng)
        kinds = ["class_definition" if isinstance(node, ast.ClassDef) else "function_definition"]
        request = self.request(node, kinds, "append!", text)
        request["begin"] = self.chunks.offset(node.lineno, node.col_offset)
        return Case("append", node, request, lambda old, new: rest_same(old, new, {"body"})
                    and [dump(s) for s in new.body] == [dump(s) for s in old.body] + [added])

    def insertions(self, parent, field, body, rng):
        anchor = rng.randrange(len(body))
        node = body[anchor]
        if self.source.startswith(b"elif", self.range_of(node)[0]):
            return
        before = rng.random() < 0.5
        text, added = self.statement(rng)
        place = anchor if before else anchor + 1

        def grown(old, new):
            want = [dump(s) for s in getattr(old, field)]
            want.insert(place, added)
            return rest_same(old, new, {field}) and [dump(s) for s in getattr(new, field)] == want
        yield Case("insert-before" if before else "insert-after", parent,
                   self.request(node, self.kinds_of(node), "insert-before!" if before else "insert-after!", text), grown)

    @staticmethod
    def kinds_of(node):
        if getattr(node, "decorator_list", None):
            return ["decorated_definition"]
        kind = STATEMENTS.get(type(node), "expression_statement")
        return ["future_import_statement"] if isinstance(node, ast.ImportFrom) and node.module == "__future__" else [kind]

    def statement_removals(self, parent, field, body, rng):
        gone = rng.randrange(len(body))
        node = body[gone]
        if self.source.startswith(b"elif", self.range_of(node)[0]):
            return

        def grown(old, new):
            want = [dump(s) for i, s in enumerate(getattr(old, field)) if i != gone]
            if not want and not isinstance(old, ast.Module):
                want = [dump(ast.Pass())]
            return rest_same(old, new, {field}) and [dump(s) for s in getattr(new, field)] == want
        yield Case("remove statement", parent, self.request(node, self.kinds_of(node), "remove!"), grown, node)

    def remove_item(self, node, rng):
        fields = ("keys", "values") if isinstance(node, ast.Dict) else ("elts",)
        gone = rng.randrange(len(getattr(node, fields[0])))
        request = self.request(node, DISPLAYS[type(node)], "remove!")
        request["item"] = gone
        return Case("remove item", node, request, lambda old, new: rest_same(old, new, set(fields)) and all(
            [dump(x) for x in getattr(new, f)] == [dump(x) for i, x in enumerate(getattr(old, f)) if i != gone]
            for f in fields), getattr(node, fields[-1])[gone])

    def remove_keyword(self, node, rng):
        named = [i for i, k in enumerate(node.keywords) if k.arg]
        gone = rng.choice(named)
        request = self.request(node.keywords[gone], ["keyword_argument"], "remove!")
        return Case("remove keyword", node, request, lambda old, new: rest_same(old, new, {"keywords"})
                    and [dump(x) for x in new.keywords] == [dump(x) for i, x in enumerate(old.keywords) if i != gone], node.keywords[gone])

    def body_end(self, node):
        """The last line with comments behind a compound statement that are indented like its body."""
        lines, last = self.source.split(b"\n"), node.end_lineno
        for number in range(node.end_lineno, len(lines)):
            bare = lines[number].lstrip()
            if bare and not (bare.startswith(b"#") and len(lines[number]) - len(bare) > node.col_offset):
                break
            last = number + 1 if bare else last
        return last

    def fault(self, case, answer):
        """What is wrong with the edit; None when it is right."""
        if found := byte_faults(self.source, answer, "takes" if case.gone else "adds"):
            return found
        begin, end, lines_before, wrap = self.chunks.around(answer["at"], answer["at"] + answer["cut"], case.node)
        after = new_text(self.source, answer)
        new_end = end + len(after) - len(self.source)
        try:
            old_tree, new_tree = ast.parse(wrap + self.source[begin:end]), ast.parse(wrap + after[begin:new_end])
        except SyntaxError as error:
            return f"Python's parser says {error.msg}"
        target = self.chunks.find(old_tree, case.node, lines_before)
        if not same(old_tree, new_tree, target, case.grown):
            return "the syntax tree is another one"
        was, now = wrap + self.source[begin:end], comments(wrap + after[begin:new_end])
        if not case.gone:
            return None if comments(was) == now else "comments were changed"
        # Comments inside what is removed go with it; one on its last line stands behind it, or inside of its
        # body, and of those below it that are indented deeper than it the grammar may take the first ones.
        first, last = first_line(case.gone) - lines_before, case.gone.end_lineno - lines_before
        ends = range(last, self.body_end(case.gone) - lines_before + 2) if hasattr(case.gone, "body") else [last]
        return None if any(comments(was, range(first, end)) == now for end in ends) else "comments were changed"


def comments(source, but=()):
    return [t.string for t in tokenize.tokenize(io.BytesIO(source).readline)
            if t.type == tokenize.COMMENT and t.start[0] not in but]
