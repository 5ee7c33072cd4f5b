#!/usr/bin/env python3
"""The hook's usual way: it does not load libgit2, and shortcuts change no answer.

    hooks_way.py PROGRAM

On a repository made here: (1) `apply` on a tree that holds is answered without libgit2, which the
dynamic loader's own log tells; (2) in every state of tree, pack and refs below, the answer that may
come from memory is that of --no-memory, and that of a pack without a lock, which scans the tree.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "LD_DEBUG"))} | {
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "NO_COLOR": "1",
    "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@t", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@t"}
TABLE = "MiB = 1024 * 1024\n\nMAX_SIZES = {\n    9: 64 * MiB,\n    10: 64 * MiB,\n}\n"
CLASS = "class Communicator:\n    WORLD_SIZES = {\n        9: [4, 6, 8],\n        10: [4, 6, 8],\n    }\n"
RULES = {
    "sizes": '; A limit.\n((assignment left: (identifier) @name right: (dictionary) @table)\n (#eq? @name "MAX_SIZES")\n'
             ' (#ensure-entry! @table "12" "256 * MiB"))\n',
    "worlds": '; World sizes.\n((assignment left: (identifier) @name right: (dictionary) @table)\n (#eq? @name "WORLD_SIZES")\n'
              ' (#in-scope? @name "Communicator")\n (#ensure-entry! @table "12" "[6, 8]"))\n',
}


class Failed(Exception):
    pass


def require(condition, what):
    if not condition:
        raise Failed(what)


class Scene:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.tree, self.pack, self.bare = folder / "tree", folder / "pack", folder / "bare"
        self.tree.mkdir()
        self.git("init", "-q", "-b", "main")
        self.write("src/limits.py", TABLE)
        self.write("src/communicator.py", "import limits\n\n\n" + CLASS)
        for i in range(30):
            self.write(f"src/other_{i}.py", f"# MAX_SIZES and WORLD_SIZES are elsewhere\nVALUE_{i} = {{1: 2}}\n")
        self.commit("base")
        self.push()
        self.git("config", "branch.main.remote", "origin")
        self.git("config", "branch.main.merge", "refs/heads/main")
        self.git("config", "remote.origin.url", "/nowhere")
        self.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
        for name, text in RULES.items():
            for pack in (self.pack, self.bare):
                (pack / "python").mkdir(parents=True, exist_ok=True)
                (pack / "python" / f"{name}.scm").write_text(text)
                (pack / "pack.toml").write_text('format = 1\nname = "shortcuts"\n')
        self.call(0, "refresh", self.pack)

    def write(self, path, text):
        (self.tree / path).parent.mkdir(parents=True, exist_ok=True)
        (self.tree / path).write_text(text)

    def change(self, path, old, new):
        text = (self.tree / path).read_text()
        require(old in text, f"the test's own text is missing in {path}: {old}")
        self.write(path, text.replace(old, new))

    def git(self, *words):
        return subprocess.run(["git", "-C", str(self.tree), *words], env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def push(self):
        """Upstream has what HEAD has."""
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")

    def call(self, expected, *words, environment=None):
        done = subprocess.run([self.program, "-C", self.tree, "--format", "json", *words], env=environment or ENVIRONMENT,
                              capture_output=True, text=True)
        require(done.returncode in ((0, 1) if expected is None else (expected,)), f"{words}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def loaded(self, *words):
        """The names of the shared objects that a call loads, and its report."""
        log = self.folder / "loader"
        report = self.call(None, *words, environment=ENVIRONMENT | {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(log)})
        logs = list(self.folder.glob("loader.*"))
        text = "".join(path.read_text(errors="replace") for path in logs)
        for path in logs:
            path.unlink()
        return text, report


def answer(report):
    """All that a report says, but for the command, the pack's folder, and what only the lock knows: the base, since when, the way."""
    rules = []
    for rule in report["rules"]:
        sites = [{key: value for key, value in site.items() if key != "base"} for site in rule["sites"]]
        notes = [note for note in rule["notes"] if not note.startswith("at the base ")]
        # The command names the pack that was given.
        command = {"next": rule["next"].replace(f"{rule['pack']}/", "")} if "next" in rule else {}
        rules.append({**{key: value for key, value in rule.items() if key not in ("brought_by", "traces")}, **command, "pack": "", "sites": sites, "notes": notes})
    return {"rules": rules, **{key: report[key] for key in ("exit_status", "upstream", "resting", "skipped", "files")}}


def outcomes(report):
    return [rule["outcome"] for rule in report["rules"]]


def compare(scene, state, wanted):
    """All ways to ask must say the same; `apply --dry-run` twice, as the first may fill the memory."""
    first = scene.call(None, "status", scene.pack)
    require(outcomes(first) == wanted, f"{state}: {outcomes(first)}, must be {wanted}")
    for words in (["status", "--no-memory", scene.pack], ["status", scene.pack], ["status", "--no-memory", scene.bare],
                  ["apply", "--dry-run", scene.pack], ["apply", "--dry-run", "--no-memory", scene.pack]):
        other = answer(scene.call(None, *words))
        require(other == answer(first), f"{state}: `{' '.join(map(str, words))}` says otherwise:\n{json.dumps(other, indent=1)}\n{json.dumps(answer(first), indent=1)}")


def test_libgit2(scene):
    scene.call(0, "apply", scene.pack)
    scene.call(0, "apply", scene.pack)
    text, report = scene.loaded("apply", "--no-memory", scene.pack)
    if "libgit2" not in text:
        print("skipped: the loader's log does not show libgit2 even where it is needed (not glibc, or linked statically)")
        return
    text, report = scene.loaded("apply", scene.pack)
    require(outcomes(report) == ["held", "held"], f"the tree does not hold: {outcomes(report)}")
    require("libgit2" not in text, "apply on a tree that holds loaded libgit2")
    text, _ = scene.loaded("status", "--check", scene.pack)
    require("libgit2" not in text, "status on a tree that holds loaded libgit2")
    print("ok: the hook's way does not load libgit2")


def test_same_answers(scene):
    held, pending = ["held", "held"], ["pending", "pending"]
    compare(scene, "clean", pending)
    scene.call(0, "apply", scene.pack)
    scene.call(0, "apply", scene.pack)  # remembered from here on
    compare(scene, "held", held)
    scene.change("src/limits.py", "    12: 256 * MiB,\n", "")
    compare(scene, "an entry was taken out", ["pending", "held"])
    scene.call(0, "apply", scene.pack)
    scene.call(0, "apply", scene.pack)
    scene.change("src/limits.py", "256", "512")
    compare(scene, "an entry was changed", ["conflict", "held"])
    scene.change("src/limits.py", "512", "256")
    compare(scene, "and changed back", held)
    scene.commit("a local port")
    scene.call(0, "apply", scene.pack)
    compare(scene, "committed locally", held)
    scene.push()
    compare(scene, "upstream took it over", ["upstreamed", "upstreamed"])
    scene.call(0, "apply", scene.pack)
    compare(scene, "upstream took it over, remembered", ["upstreamed", "upstreamed"])
    for pack in (scene.pack, scene.bare):
        rule = pack / "python/worlds.scm"
        rule.write_text(rule.read_text().replace("[6, 8]", "[8]"))
    compare(scene, "the rule changed", ["upstreamed", "conflict"])
    for pack in (scene.pack, scene.bare):
        rule = pack / "python/worlds.scm"
        rule.write_text(rule.read_text().replace('"[8]"', '"[6, 8]"'))
    scene.git("rm", "-q", "src/limits.py")
    compare(scene, "a file is gone", ["lost", "upstreamed"])
    scene.git("reset", "-q", "--hard")
    scene.call(0, "apply", scene.pack)
    compare(scene, "and is back", ["upstreamed", "upstreamed"])
    scene.write("src/namesake.py", TABLE)
    scene.git("add", "-A")
    # A namesake does not count where there is a base; without one it makes two sites.
    first = answer(scene.call(0, "status", scene.pack))
    require(first == answer(scene.call(0, "status", "--no-memory", scene.pack)), "a namesake: memory says otherwise")
    print("ok: with and without memory, lock and hints the answers are the same")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = pathlib.Path(sys.argv[1]).resolve()
    if not shutil.which("git"):
        print("skipped: git is not installed")
        return 0
    with tempfile.TemporaryDirectory(prefix="portpatch-hooks-way-") as folder:
        try:
            for number, test in enumerate((test_same_answers, test_libgit2)):
                own = pathlib.Path(folder) / str(number)
                own.mkdir()
                test(Scene(program, own))
        except Failed as failed:
            print(f"failed: {failed}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
