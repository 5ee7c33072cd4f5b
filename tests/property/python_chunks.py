"""The smallest run of whole statements around a change, so that a file need not be parsed whole for
each of its hundreds of cases. Statements before and behind the run keep their bytes and begin at
statement boundaries, so the file is what it was but for the run."""
import ast

BODIES = ("body", "orelse", "finalbody")


def first_line(statement):
    return min([statement.lineno] + [d.lineno for d in getattr(statement, "decorator_list", [])])


class Chunks:
    def __init__(self, source, tree):
        self.source, self.tree = source, tree
        self.starts = [0] + [i + 1 for i, byte in enumerate(source) if byte == 10]
        self.starts.append(len(source) + 1)
        self.bom = 3 if source.startswith(b"\xef\xbb\xbf") else 0

    def offset(self, line, column):
        return self.starts[line - 1] + column + (self.bom if line == 1 else 0)

    def line_of(self, offset):
        low, high = 0, len(self.starts) - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.starts[middle] <= offset else (low, middle - 1)
        return low + 1

    def around(self, begin, end, node):
        """(begin, end, lines before, wrapping header) of the run around both the change and `node`."""
        first = self.line_of(begin)
        last = first if end == begin else self.line_of(end - 1)
        if isinstance(node, ast.Module):
            return 0, len(self.source), 0, b""
        first, last = min(first, first_line(node)), max(last, node.end_lineno)
        low, high, body, limit = 1, len(self.starts) - 1, self.tree.body, len(self.starts) - 1
        wrapped = False
        while body is not None:
            inner = self.inner_run(body, first, last, limit)
            if inner is None:
                break
            low, high, statement, wrapped = *inner, body is not self.tree.body
            bodies = [] if statement is None or node is statement else self.bodies_of(statement)
            body = next((b for b in bodies if first_line(b[0]) <= first and last <= b[-1].end_lineno
                         and self.own_line(b[0])), None)
            limit = body[-1].end_lineno if body else limit
        return (self.starts[low - 1], min(self.starts[high] if high < len(self.starts) else len(self.source), len(self.source)),
                low - 1 - int(wrapped), b"if 1:\n" if wrapped else b"")

    def inner_run(self, body, first, last, limit):
        """The lines of the statements of `body` that share lines with each other and hold the change."""
        groups = []
        for statement in body:
            if groups and first_line(statement) <= groups[-1][-1].end_lineno:
                groups[-1].append(statement)
            else:
                groups.append([statement])
        for i, group in enumerate(groups):
            begin = first_line(group[0])
            end = first_line(groups[i + 1][0]) - 1 if i + 1 < len(groups) else limit
            if begin <= first and last <= end:
                return begin, end, group[0] if len(group) == 1 else None
        return None

    def bodies_of(self, statement):
        owners = [statement] + getattr(statement, "handlers", []) + getattr(statement, "cases", [])
        return [getattr(o, f) for o in owners for f in BODIES if isinstance(getattr(o, f, None), list) and getattr(o, f)
                and not self.source.startswith(b"elif", self.offset(getattr(o, f)[0].lineno, getattr(o, f)[0].col_offset))]

    def own_line(self, statement):
        """Does the statement begin its line?"""
        begin = self.offset(first_line(statement), 0)
        return self.source[begin:begin + statement.col_offset].strip() == b""

    def find(self, tree, node, lines_before):
        """The node of the run's own tree that is `node` of the file's."""
        if isinstance(node, ast.Module):
            return tree
        for found in ast.walk(tree):
            if type(found) is type(node) and (found.lineno + lines_before, found.col_offset, found.end_lineno + lines_before,
                                              found.end_col_offset) == (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset):
                return found
        raise LookupError(f"no {type(node).__name__} at line {node.lineno}")
