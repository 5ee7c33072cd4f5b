#!/usr/bin/env python3
"""Checks .pre-commit-hooks.yaml as the pre-commit framework reads it: check_pre_commit.py PORTPATCH

Exit status 77 (skipped) where no YAML parser is installed.
"""
import subprocess
import sys
from pathlib import Path

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[2]
KEYS = {"id": str, "name": str, "description": str, "entry": str, "language": str, "stages": list, "always_run": bool, "pass_filenames": bool, "verbose": bool}
STAGES = {"post-merge", "post-rewrite", "post-checkout", "pre-push", "manual"}


def main(portpatch):
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    errors = []
    for hook in hooks:
        errors += [f"{hook.get('id')}: no `{key}` of type {kind.__name__}" for key, kind in KEYS.items() if not isinstance(hook.get(key), kind)]
        errors += [f"{hook.get('id')}: `{key}` is unknown" for key in hook.keys() - KEYS.keys()]
        if hook["language"] != "system" or hook["pass_filenames"] or not set(hook["stages"]) <= STAGES:
            errors.append(f"{hook['id']}: {hook}")
        program, command = hook["entry"].split()[:2]
        if program != "portpatch" or subprocess.run([portpatch, command, "--help"], capture_output=True).returncode:
            errors.append(f"{hook['id']}: `{hook['entry']}` is no command")
    if [hook["id"] for hook in hooks] != ["portpatch-apply", "portpatch-status"]:
        errors.append("the hooks are others than expected")
    if set(hooks[0]["stages"]) != {"post-merge", "post-rewrite", "post-checkout"}:
        errors.append("portpatch-apply runs at other stages")
    for error in errors:
        print(error)
    print(f"{len(hooks)} hooks, {len(errors)} mistakes")
    return 1 if errors else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
