"""Standard output as the runner of GitHub's workflows reads it, and stricter: see workflow_commands()."""
import re

COMMANDS = {"error", "warning", "notice"}
PROPERTIES = {"file", "line", "endLine", "title"}
DATA = re.compile(r"(?:[^%\r\n]|%25|%0D|%0A)*")
PROPERTY = re.compile(r"(\w+)=((?:[^%\r\n:,]|%25|%0D|%0A|%3A|%2C)+)")


def unescaped(text):
    return re.sub("%(..)", lambda found: chr(int(found[1], 16)), text)


def workflow_commands(text):
    """The commands of a text, and what is wrong with it. The runner takes `::name ...::` at the beginning of a line, behind
    blanks, and `##[name]` anywhere in a line that is no such command; a line that is neither must be harmless text.
    """
    found, mistakes = [], []
    for line in text.split("\n"):
        if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", line):
            mistakes.append(f"control characters in {line!r}")
        if not line.lstrip().startswith("::"):
            if "##[" in line:
                mistakes.append(f"the runner takes a command out of {line!r}")
            continue
        name, separator, data = line[2:].partition("::") if line.startswith("::") else ("", "", "")
        name, _, properties = name.partition(" ")
        pairs = [PROPERTY.fullmatch(one) for one in properties.split(",")] if properties else []
        if not separator or name not in COMMANDS or not DATA.fullmatch(data) or not all(pairs):
            mistakes.append(f"no well-formed annotation: {line!r}")
            continue
        values = {pair[1]: unescaped(pair[2]) for pair in pairs}
        if set(values) - PROPERTIES or len(values) < len(pairs) or not all(values[key].isdigit() for key in values if key.lower().endswith("line")):
            mistakes.append(f"odd properties in {line!r}")
        found.append({"command": name, "data": unescaped(data), **values})
    return found, mistakes
