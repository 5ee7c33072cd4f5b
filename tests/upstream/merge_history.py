#!/usr/bin/env python3
"""Three-way merges from a project's history: a function's change by one commit is taken back in what a
later commit made of the function. Compared with `git merge-file`, which merges lines.

    merge_history.py build/property_edit GIT_DIR REV --files N --commits N

Where git merges without a conflict and Python's parser accepts it, ours must be the same tree or a
conflict; every other answer is printed. Exit status 1 when there is one."""
import argparse
import ast
import collections
import os
import random
import subprocess
import sys
import tempfile
import textwrap

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../property"))
from engine import Engine  # noqa: E402


def git(directory, *arguments):
    return subprocess.run(["git", "--git-dir", directory, *arguments], capture_output=True, check=True).stdout.decode("utf-8", "replace")


def functions(source):
    """Functions and methods by name, as dedented text."""
    found = {}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return found
    lines = source.splitlines(keepends=True)
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) and isinstance(node, (ast.Module, ast.ClassDef)):
                first = min([child.lineno] + [d.lineno for d in child.decorator_list])
                found[getattr(node, "name", ""), child.name] = textwrap.dedent("".join(lines[first - 1:child.end_lineno]))
    return found


def merge_lines(base, ours, theirs):
    """git's merge of the three; None when it is in conflict or no Python."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, text in (("ours", ours), ("base", base), ("theirs", theirs)):
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "w") as file:
                file.write(text)
        done = subprocess.run(["git", "merge-file", "-p", *paths], capture_output=True)
    try:
        return ast.dump(ast.parse(done.stdout.decode())) if done.returncode == 0 else None
    except SyntaxError:
        return None


def cases(options, rng):
    paths = [p for p in git(options.git_dir, "ls-tree", "-r", "--name-only", options.rev).splitlines() if p.endswith(".py") and "/test" not in p]
    by_count = sorted(rng.sample(paths, min(len(paths), options.files * 4)), key=lambda p: -len(git(options.git_dir, "rev-list", "-n", "40", options.rev, "--", p)))
    for path in by_count[:options.files]:
        commits = git(options.git_dir, "rev-list", "--first-parent", "-n", str(options.commits), options.rev, "--", path).split()
        texts = {}
        for commit in commits:
            try:
                texts[commit] = functions(git(options.git_dir, "show", f"{commit}:{path}"))
            except subprocess.CalledProcessError:
                texts[commit] = {}
        for at in range(1, len(commits) - 1):
            base, ours = texts[commits[at]], texts[commits[at + 1]]
            for later in commits[max(0, at - 8):at]:
                for name in base.keys() & ours.keys() & texts[later].keys():
                    three = base[name], ours[name], texts[later][name]
                    if len(set(three)) == 3:
                        yield f"{path}:{'.'.join(name)} {commits[at][:9]} in {later[:9]}", *three


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("git_dir")
    parser.add_argument("rev")
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--commits", type=int, default=40)
    parser.add_argument("--most", type=int, default=2000)
    options = parser.parse_args()
    engine = Engine.of(options.program, "python")
    counts, reasons, wrong = collections.Counter(), collections.Counter(), []
    for number, (place, base, ours, theirs) in enumerate(cases(options, random.Random(20))):
        if number >= options.most:
            break
        by_lines = merge_lines(base, ours, theirs)
        answer = engine.ask(merge=True, base=base, ours=ours, theirs=theirs)
        merged = answer["result"] == "merged"
        try:
            same = merged and ast.dump(ast.parse(answer["text"])) == by_lines
        except SyntaxError:
            same, by_lines = False, by_lines or "no Python"
        kind = ("same as git" if same else "other than git") if merged and by_lines else "merged, git cannot" if merged else "conflict, git merges" if by_lines else "conflict, as git"
        counts[kind] += 1
        if not merged:
            reasons[answer["reason"].split(":")[0]] += 1
        if kind == "other than git":
            wrong.append(place)
    for kind, count in counts.most_common():
        print(f"{count:6} {kind}")
    for reason, count in reasons.most_common():
        print(f"{count:6}   {reason}")
    for place in wrong:
        print("other than git:", place)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
