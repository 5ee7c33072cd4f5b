"""Containers of JSON, TOML and YAML, judged by json, tomllib and a YAML library's events."""
import json
import random
import tomllib

import machine_files
from engine import byte_faults, new_text

ENDINGS = {"json": (".json",), "toml": (".toml",), "yaml": (".yaml", ".yml")}
MAPS = {"json": ["object"], "toml": ["inline_table", "table", "table_array_element", "document"],
        "yaml": ["block_mapping", "flow_mapping"]}
SEQUENCES = {"json": ["array"], "toml": ["array"], "yaml": ["block_sequence", "flow_sequence"]}
VALUES = {
    "json": ["987654321", '"pp_fresh"', "[6, 8]", '{"a": 1, "b": [2]}', "true"],
    "toml": ["987654321", '"pp_fresh"', "[6, 8]", '{a = 1, b = "x"}', "true"],
    "yaml": ["987654321", '"pp_fresh"', "[6, 8]", '{a: 1, b: x}', "true", "pp_fresh"],
}
MARK = "@@here@@"
MOST_FILES, A_FILE = 1500, 12


def files(language):
    return machine_files.find(ENDINGS[language], MOST_FILES, largest=60_000 if language == "yaml" else 200_000)


# A document as nested tuples ("map", ((key, value), ...)), ("list", (value, ...)), or a scalar.
def frozen(value):
    if isinstance(value, dict):
        return "map", tuple((k, frozen(v)) for k, v in value.items())
    return ("list", tuple(frozen(v) for v in value)) if isinstance(value, list) else (type(value).__name__, repr(value))


def read_json(text):
    def pairs(found):
        return Pairs(found)

    def freeze(value):
        if isinstance(value, Pairs):
            return "map", tuple((k, freeze(v)) for k, v in value.found)
        return ("list", tuple(map(freeze, value))) if isinstance(value, list) else (type(value).__name__, repr(value))
    return freeze(json.loads(text, object_pairs_hook=pairs))


class Pairs:
    def __init__(self, found):
        self.found = found


def read_toml(text):
    return frozen(tomllib.loads(text.replace("\r\n", "\n")))


def read_value(language, text):
    return read_json(text) if language == "json" else read_toml(f"x = {text}")[1][0][1]


def path_of(tree, wanted):
    """Steps to the first node for which wanted(node) holds; None when there is none."""
    if wanted(tree):
        return []
    if tree[0] in ("map", "list"):
        for i, child in enumerate(tree[1]):
            below = path_of(child[1] if tree[0] == "map" else child, wanted)
            if below is not None:
                return [i] + below
    return None


def path_to_node(language, source, node):
    """Where the container stands in the document, found by writing a mark into the text."""
    read = read_json if language == "json" else read_toml
    begin, end = node["begin"], node["end"]
    if node["kind"] in ("table", "table_array_element", "document"):
        line_end = source.find(b"\n", begin) + 1 if node["kind"] != "document" else 0
        marked = source[:line_end] + f'"{MARK}" = 1\n'.encode() + source[line_end:]
        return path_of(read(marked.decode()), lambda n: n[0] == "map" and any(k == MARK for k, _ in n[1]))
    marked = source[:begin] + f'"{MARK}"'.encode() + source[end:]
    return path_of(read(marked.decode()), lambda n: n == ("str", repr(MARK)))


def at(tree, path):
    for step in path:
        tree = tree[1][step][1] if tree[0] == "map" else tree[1][step]
    return tree


def without(tree, path):
    """The tree with the node at `path` blanked."""
    if not path:
        return tree[0]
    items = list(tree[1])
    i = path[0]
    items[i] = (items[i][0], without(items[i][1], path[1:])) if tree[0] == "map" else without(items[i], path[1:])
    return tree[0], tuple(items)


def one_more(old, new, added):
    return len(new) == len(old) + 1 and any(new[i] == added and new[:i] + new[i + 1:] == old for i in range(len(new)))


class TreeJudge:
    """JSON and TOML: the tree of values."""

    def __init__(self, language, source):
        self.language, self.source = language, source
        self.read = read_json if language == "json" else read_toml
        self.tree = self.read(source.decode())

    def knows(self, node):
        return path_to_node(self.language, self.source, node) is not None

    def fault(self, node, after, key, value, gone):
        path = path_to_node(self.language, self.source, node)
        if path is None:
            return "the judge does not find the container"
        new = self.read(after.decode())
        was, now = at(self.tree, path), at(new, path)
        if was[0] != now[0] or without(self.tree, path) != without(new, path):
            return "something else was changed"
        if gone is not None:
            return None if now[1] == was[1][:gone] + was[1][gone + 1:] else "not exactly that item is gone"
        added = read_value(self.language, value)
        return None if one_more(was[1], now[1], (key, added) if key else added) else "not exactly one item more"


class EventJudge:
    """YAML: the events of a parser, so that anchors, tags and documents count too."""

    def __init__(self, language, source):
        self.source, self.text = source, source.decode()
        self.events, self.starts = self.read(self.text)

    @staticmethod
    def read(text):
        import yaml
        events, starts = [], []
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            fields = [getattr(event, f, None) for f in ("anchor", "tag", "implicit", "value", "explicit")]
            plain = fields[2] if not isinstance(event, yaml.ScalarEvent) else (fields[2][0],)
            events.append((type(event).__name__, fields[0], fields[1], plain, fields[3]))
            starts.append(event.start_mark.index)
        return events, starts

    def container(self, node):
        """Index of the container's start event, and the spans of its items (a key and its value)."""
        kind = "MappingStartEvent" if "mapping" in node["kind"] else "SequenceStartEvent"
        begin = len(self.source[:node["begin"]].decode())
        # A container with an anchor or a tag begins at that; its first item begins where the node does.
        index = next((i for shift in (0, 1) for i, s in enumerate(self.starts[shift:]) if s == begin and self.events[i][0] == kind), None)
        if index is None:
            return None, []
        nodes, depth, i = [], 0, index + 1
        while depth >= 0:
            name = self.events[i][0]
            if depth == 0 and not name.endswith("EndEvent"):
                nodes.append(i)
            depth += name in ("MappingStartEvent", "SequenceStartEvent")
            depth -= name in ("MappingEndEvent", "SequenceEndEvent")
            i += 1
        nodes.append(i - 1)
        step = 2 if kind == "MappingStartEvent" else 1
        return index, [(nodes[k], nodes[k + step]) for k in range(0, len(nodes) - 1, step)]

    def knows(self, node):
        """Not where the grammar and the library read the file differently, such as `&anchor:`."""
        return self.container(node)[0] is not None

    def fault(self, node, after, key, value, gone):
        _, items = self.container(node)
        new, _ = self.read(after.decode())
        if gone is not None:
            begin, end = items[gone]
            return None if new == self.events[:begin] + self.events[end:] else "not exactly that item is gone"
        added = [e for text in ([key] if key else []) + [value] for e in self.read(text)[0][2:-2]]
        places = [items[0][0]] + [end for _, end in items]
        return None if any(new == self.events[:p] + added + self.events[p:] for p in places) else "not exactly one item more"


def requests(language, node, source, rng):
    """(kind, directive, texts, key, value, index of the item to be removed)"""
    there = source[node["begin"]:node["end"]].decode()
    value = rng.choice([v for v in VALUES[language] if v not in there])
    is_map = node["kind"] in MAPS[language]
    kind = node["kind"]
    if is_map:
        yield kind, "ensure-entry!", ['"pp_fresh"' if language == "json" else "pp_fresh", value], "pp_fresh", value, None
    else:
        yield kind, "ensure-element!", [value], None, value, None
    if kind not in ("document",):
        yield f"remove from {kind}", "remove!", [], None, None, rng.randrange(len(node["items"]))


def verdicts(engine, language, path, options):
    from judge import Verdict
    source = open(path, "rb").read()
    try:
        judge = (EventJudge if language == "yaml" else TreeJudge)(language, source)
    except Exception:  # the file is none of this language, or broken on purpose
        return
    rng = random.Random(f"{options.seed} {path}")
    kinds = MAPS[language] + SEQUENCES[language]
    nodes = [n for n in engine.ask(file=path, kinds=kinds, list=True).get("nodes", []) if len(n["items"]) >= 2 and judge.knows(n)]
    for node in rng.sample(nodes, min(len(nodes), 4 if options.sample else A_FILE)):
        for kind, directive, texts, key, value, gone in requests(language, node, source, rng):
            request = dict(file=path, kinds=[node["kind"]], begin=node["begin"], end=node["end"], directive=directive, texts=texts)
            if gone is not None:
                request["item"] = gone
            answer = engine.ask(**request)
            place = f"{path}:{source.count(10, 0, node['begin']) + 1}"
            if answer["result"] != "edited":
                yield Verdict(language, kind, "blocked", answer.get("code") or answer["result"], place, answer.get("reason", ""))
                continue
            found = byte_faults(source, answer, "takes" if gone is not None else "adds")
            try:
                found = found or judge.fault(node, new_text(source, answer), key, value, gone)
            except Exception as error:
                found = f"the parser says {type(error).__name__}"
            yield Verdict(language, kind, "WRONG" if found else "right", "wrong" if found else "", place, found or "")
