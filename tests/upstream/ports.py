#!/usr/bin/env python3
"""Follows rules through refactors of SGLang's real history: ports.py REPOSITORY --program build/portpatch

REPOSITORY is a clone of SGLang, bare or not; it is only read, with `status --rev`. The sites are drawn
with a fixed seed from the old revisions alone, before the program is run. Four parts:

  names    rules with the names of 590f2da05 are `moved` to the right place at 50 later commits
  folder   c32c4ef79 moves sgl-kernel/ (370 files): 20 sites in it are found at their new paths
  deleted  sites that four commits deleted for good are `lost`, and the commit is named
  chains   code that went from server_args.py to arg_groups/overrides.py is never found at a wrong place;
           what is said to have moved is printed, to be read
"""
import argparse
import ast
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HEAD = "526af1584"
DELETED = ["7431f35fd", "03342e773", "2f4f2362f", "238b2b2c9"]
COMM = "python/sglang/srt/distributed/device_communicators/"
NAMES = {
    "sizes": (COMM + "all_reduce_utils.py", "", "SYMM_MEM_ALL_REDUCE_MAX_SIZES", COMM + "all_reduce_utils.py"),
    "worlds": (COMM + "symm_mem.py", "SymmMemCommunicator", "_WORLD_SIZES_MULTIMEM", COMM + "torch_symm_mem.py"),
}


class Upstream:
    def __init__(self, path, program):
        self.path, self.program = path, str(pathlib.Path(program).resolve())

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.path, *arguments], check=True, capture_output=True, text=True, errors="replace").stdout

    def text(self, commit, path):
        return self.git("show", f"{commit}:{path}")

    def renames(self, commit):
        lines = self.git("diff", "-M", "-l0", "--name-status", f"{commit}^", commit).splitlines()
        return {line.split("\t")[1]: line.split("\t")[2] for line in lines if line.startswith("R")}

    def deleted(self, commit):
        return self.git("diff", "-M", "-l0", "--diff-filter=D", "--name-only", f"{commit}^", commit).split()

    def has_word(self, commit, word):
        found = subprocess.run(["git", "-C", self.path, "grep", "-qwF", "-e", word, commit], capture_output=True)
        return found.returncode == 0

    def status(self, sites, base, revision):
        """The reports of one rule a site, by its number."""
        with tempfile.TemporaryDirectory(prefix="portpatch-ports.") as folder:
            pack = pathlib.Path(folder)
            (pack / "pack.toml").write_text("format = 1\n")
            lock = "format = 1\n"
            for number, site in enumerate(sites):
                (pack / site["language"]).mkdir(exist_ok=True)
                name = f"{site['language']}/site-{number:03}"
                (pack / f"{name}.scm").write_text(site["rule"])
                lock += f'\n[[rules."{name}"]]\ncommit = "{base}"\npath = {json.dumps(site["path"])}\nscope = {json.dumps(site["scope"])}\ntext = {json.dumps(site["text"])}\n'
            (pack / "pack.lock").write_text(lock)
            ran = subprocess.run([self.program, "-C", self.path, "status", folder, "--rev", revision, "--format", "json"], capture_output=True, text=True)
            if ran.returncode == 2:
                sys.exit(f"{ran.stdout}{ran.stderr}")
            return {int(rule["rule"][-3:]): rule for rule in json.loads(ran.stdout)["rules"]}


def displays(text, path):
    """Named dicts, lists, tuples and sets of two items or more whose name is unique in its scope."""
    found, names = [], {}

    def walk(node, scope):
        for child in ast.iter_child_nodes(node):
            inner = scope + [child.name] if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else scope
            if isinstance(child, ast.Assign) and len(child.targets) == 1 and isinstance(child.targets[0], ast.Name):
                key = (".".join(scope), child.targets[0].id)
                names[key] = names.get(key, 0) + 1
                items = getattr(child.value, "keys", getattr(child.value, "elts", []))
                if isinstance(child.value, (ast.Dict, ast.List, ast.Tuple, ast.Set)) and len(items) >= 2:
                    found.append((key, child.value))
            walk(child, inner)

    walk(ast.parse(text), [])
    for (scope, name), value in found:
        if names[scope, name] == 1:
            directive = '(#ensure-entry! @value "\\"portpatch\\"" "1")' if isinstance(value, ast.Dict) else '(#ensure-element! @value "\\"portpatch\\"")'
            yield {"language": "python", "path": path, "scope": scope, "name": name, "text": ast.get_source_segment(text, value),
                   "rule": f'; probe\n((assignment left: (identifier) @name right: (_) @value)\n (#eq? @name "{name}") (#in-scope? @name "{scope}")\n {directive})\n'}


def functions(text, path):
    """C++ functions at the left margin, outside of namespaces, whose name is unique in the file."""
    if "namespace" in text or "#if" in text:
        return
    for match in re.finditer(r"^[A-Za-z_][\w:<>*& ]*?[ *&](\w+)\([^;{}()]*\)\s*\{", text, re.M):
        name, depth, at = match[1], 0, match.end() - 1
        for at in range(match.end() - 1, len(text)):
            depth += (text[at] == "{") - (text[at] == "}")
            if depth == 0:
                break
        if len(re.findall(rf"\b{name}\s*\(", text)) == 1 and at - match.end() > 80:
            yield {"language": "cpp", "path": path, "scope": name, "name": name, "text": text[match.end() - 1:at + 1],
                   "rule": f'; probe\n((function_definition declarator: (function_declarator declarator: (identifier) @name) body: (compound_statement) @body)\n (#eq? @name "{name}")\n (#append! @body "portpatch_probe();"))\n'}


def sites_in(upstream, commit, paths):
    for path in sorted(paths):
        try:
            if path.endswith(".py"):
                yield from displays(upstream.text(commit, path), path)
            elif path.endswith((".cu", ".cuh", ".cc", ".cpp", ".h")):
                yield from functions(upstream.text(commit, path), path)
        except (SyntaxError, ValueError):
            continue


def places(rule):
    return ", ".join(f"{site['path']}:{site['line']}" for site in rule["sites"]) or "nowhere"


def part_names(upstream, rng):
    base = upstream.git("rev-parse", "590f2da05").strip()
    sites = []
    for path, scope, name, _ in NAMES.values():
        sites += [site for site in displays(upstream.text(base, path), path) if site["name"] == name and site["scope"] == scope]
    line = upstream.git("rev-list", "--first-parent", "--reverse", f"819fc5912^..{HEAD}").split()
    chosen = [line[i * (len(line) - 1) // 49] for i in range(50)]
    wrong = 0
    for commit in chosen:
        for number, rule in upstream.status(sites, base, commit).items():
            target = list(NAMES.values())[number][3]
            steps = rule["traces"][0]["steps"] if rule.get("traces") else []
            right = rule["outcome"] == "moved" and [site["path"] for site in rule["sites"]] == [target] and steps[0]["commit"]["id"].startswith("819fc5912") and "query_diff" in rule
            if not right:
                wrong += 1
                print(f"  names: {commit[:10]} {sites[number]['name']}: {rule['outcome']} {places(rule)}")
    print(f"names: 2 rules at {len(chosen)} commits, {2 * len(chosen) - wrong} right, {wrong} not")
    return wrong


def part_folder(upstream, rng):
    renames = {old: new for old, new in upstream.renames("c32c4ef79").items() if old.startswith("sgl-kernel/")}
    base = upstream.git("rev-parse", "c32c4ef79^").strip()
    every = list(sites_in(upstream, base, renames))
    sites = rng.sample([s for s in every if s["language"] == "python"], 12) + rng.sample([s for s in every if s["language"] == "cpp"], 8)
    wrong = 0
    for number, rule in upstream.status(sites, base, "c32c4ef79").items():
        site = sites[number]
        right = rule["outcome"] in ("pending", "blocked", "conflict") and [s["path"] for s in rule["sites"]] == [renames[site["path"]]] and rule["traces"][0]["verdict"] == "certain"
        wrong += not right
        if not right:
            print(f"  folder: {site['path']} {site['scope']} {site['name']}: {rule['outcome']} {places(rule)}")
    print(f"folder: {len(sites)} sites of {len(every)}, {len(sites) - wrong} found at their new path, {wrong} not")
    return wrong


def part_deleted(upstream, rng):
    wrong = count = 0
    for commit in DELETED:
        base = upstream.git("rev-parse", f"{commit}^").strip()
        sites = list(sites_in(upstream, base, upstream.deleted(commit)))
        rng.shuffle(sites)
        sites = sites[:10]
        for number, rule in upstream.status(sites, base, HEAD).items() if sites else []:
            count += 1
            vanished = rule["traces"][0].get("vanished", {}).get("id", "") if rule.get("traces") else ""
            right = rule["outcome"] == "lost" and vanished.startswith(commit)
            wrong += not right
            if not right:
                print(f"  deleted by {commit}: {sites[number]['path']} {sites[number]['scope']} {sites[number]['name']}: {rule['outcome']} {places(rule)}, vanished in {vanished[:9]}")
    print(f"deleted: {count} sites, {count - wrong} lost with the commit named, {wrong} not")
    return wrong


def part_chains(upstream, rng):
    path = "python/sglang/srt/server_args.py"
    counts = {}
    for commit in ("c3d751b23", "abbb41a21", "3836cba9e"):
        base = upstream.git("rev-parse", f"{commit}^").strip()
        sites = list(sites_in(upstream, base, [path]))
        for number, rule in upstream.status(sites, base, HEAD).items():
            counts[rule["outcome"]] = counts.get(rule["outcome"], 0) + 1
            moves = [step for trace in rule.get("traces", []) if trace["verdict"] == "certain" for step in trace["steps"]]
            for step in moves:
                print(f"  chains: {sites[number]['scope']} {sites[number]['name']} went to {step['to']['path']}:{step['to']['line']} {step['to']['scope']} {step['to']['name']} in {step['commit']['id'][:9]}, {step['score']} points")
    print("chains: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", nargs="?")
    parser.add_argument("--program", default="build/portpatch")
    parser.add_argument("--parts", default="names,folder,deleted,chains")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    if not options.repository or not pathlib.Path(options.repository).exists():
        print("skipped: there is no clone of SGLang; name one")
        return 0
    upstream = Upstream(options.repository, options.program)
    return 1 if sum(globals()[f"part_{part}"](upstream, random.Random(options.seed)) for part in options.parts.split(",")) else 0


if __name__ == "__main__":
    sys.exit(main())
