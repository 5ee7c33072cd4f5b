"""How the tests show what portpatch-cc says: a place as one line."""
import json
import subprocess


def run(program, *arguments):
    """The document that portpatch-cc prints."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"portpatch-cc ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def shown_value(value):
    return json.dumps(value) if isinstance(value, (str, bool)) else f"{value}"


def key_text(key):
    cc = key["cc"] if key["unit"] == "arch" else f'{key["cc"]}, {key["unit"]}'
    return f'{key["expression"]} {key["op"]} {key["key"]} ({cc})'


def place_text(place):
    """FORM: KEY, KEY; ANSWER, ANSWER"""
    keys = ", ".join(key_text(key) for arm in place["arms"] for key in arm["keys"])
    if not keys:
        keys = ", ".join(shown_value(arm["value"]) if "value" in arm else arm.get("text", "?") for arm in place["arms"])
    answers = ", ".join(answer["cc"] + " " + answer["arm"] + (" " + shown_value(answer["value"]) if "value" in answer else "")
                        for answer in place["answers"])
    return f'{place["form"]}: {keys}' + (f"; {answers}" if answers else "")
