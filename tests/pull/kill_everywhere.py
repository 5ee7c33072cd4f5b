#!/usr/bin/env python3
"""Kills `portpatch pull` and the git below it at each of their steps: kill_everywhere.py PORTPATCH KILL_AT_LIBRARY [--every N]

The seed case in a scratch folder: a clone with three files that the rules explain, and beside them a staged change,
a removed file, an intent-to-add file and a new executable bit; upstream edits the lines beside, adds and removes
files. A step is a call that changes something on the disk. Three ways to be killed: portpatch alone, one git alone,
and both together (as when the machine stops). After each, by turns: pull again and undo it; or undo at once; the
undo is killed too in half of them, and the undo of a whole pull in the same three ways. HEAD, branch, index and every
byte and mode must then be as they were at the start, or as they are after a pull.
--every N takes every N-th step, beginning at another one for each way.
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WHO = {"GIT_AUTHOR_NAME": "u", "GIT_AUTHOR_EMAIL": "u@localhost", "GIT_COMMITTER_NAME": "u", "GIT_COMMITTER_EMAIL": "u@localhost"}
WAYS = {"portpatch": {"PORTPATCH_KILL_IN": "portpatch"}, "git": {"PORTPATCH_KILL_IN": "git"},
        "both": {"PORTPATCH_KILL_IN": "git", "PORTPATCH_KILL_GROUP": "1"}}


class World:
    def __init__(self, folder, portpatch, library):
        self.folder, self.portpatch, self.library = Path(folder), portpatch, library
        self.environment = {**{key: value for key, value in os.environ.items() if not key.startswith("GIT_")}, **WHO, "HOME": folder, "LC_ALL": "C",
                            "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def sh(self, command):
        done = subprocess.run(["bash", "-ec", command], cwd=self.folder, env=self.environment, text=True, capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise SystemExit(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def pp(self, arguments):
        return subprocess.run([self.portpatch, "-C", "tree", *arguments.split()], cwd=self.folder, env=self.environment, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL)

    def build(self):
        upstream = ROOT / "samples/upstream"
        self.sh("git init -q --object-format=sha1 -b main work")
        shutil.copytree(upstream / "base", self.folder / "work", dirs_exist_ok=True)
        self.sh("""cd work; for i in a b c d e; do seq 40 >$i.txt; done; git add -A; git commit -qm base; cd ..
git clone -q --bare work up.git; git -C work remote add origin ../up.git; git clone -q up.git tree""")
        shutil.copytree(upstream / "refactored", self.folder / "work", dirs_exist_ok=True)
        self.sh("""cd work; git rm -q e.txt; mkdir -p new/folder; seq 5000 >new/folder/x.txt; echo y >new/y.txt; sed -i s/^20$/twenty/ d.txt
git add -A; git commit -qm refactored; git push -q origin main""")
        shutil.copytree(ROOT / "samples/pack", self.folder / "pack")
        assert self.pp("apply pack").returncode == 0
        self.sh("cd tree; echo mine >>a.txt; git add a.txt; rm b.txt; chmod +x c.txt; echo new >intent.txt; git add -N intent.txt; git status >/dev/null")
        self.sh("cp -a tree saved")

    def reset(self, to="saved"):
        shutil.rmtree(self.folder / "tree", ignore_errors=True)
        self.sh(f"cp -a {to} tree; git -C tree status >/dev/null")

    def state(self):
        files = {}
        for folder, names, leaves in os.walk(self.folder / "tree"):
            if ".git" in names:
                names.remove(".git")
            for leaf in leaves:
                path = Path(folder) / leaf
                files[str(path.relative_to(self.folder))] = (path.stat().st_mode, path.read_bytes())
        git = self.sh("cd tree; git rev-parse HEAD; git symbolic-ref HEAD; git ls-files -s; git --no-optional-locks status --porcelain=v2; ls .git | grep -E 'MERGE|rebase|lock' || true")
        return git, files

    def kill(self, way, at, command="pull pack"):
        """Runs the command and kills it at that step: steps taken, exit status, output."""
        counter = self.folder / "counter"
        counter.write_bytes(bytes(8))
        environment = {**self.environment, **WAYS[way], "LD_PRELOAD": self.library, "PORTPATCH_KILL_AT": str(at), "PORTPATCH_KILL_COUNT": str(counter)}
        process = subprocess.Popen([self.portpatch, "-C", "tree", *command.split()], cwd=self.folder, env=environment, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        output, _ = process.communicate()
        steps = struct.unpack("q", counter.read_bytes())[0]
        return steps, process.returncode, output


def difference(one, other):
    lines = [] if one[0] == other[0] else [f"git says\n{one[0]}instead of\n{other[0]}"]
    for path in sorted(one[1].keys() | other[1].keys()):
        if one[1].get(path) != other[1].get(path):
            lines.append(f"{path}: {str(one[1].get(path))[:80]} instead of {str(other[1].get(path))[:80]}")
    return "\n".join(lines)


def check(world, way, at, start, end, problems):
    world.reset()
    steps, status, output = world.kill(way, at)

    def problem(what, done, *wanted):
        told = "" if done is None else f"\n{done.stdout}{done.stderr}"
        problems.append(f"---- {way} at {at} of {steps}, status {status}: {what}{told}\n" + "\nor\n".join(difference(world.state(), one)[:1500] for one in wanted))

    # The number of steps differs a little from run to run: the last ones may not be reached.
    if status >= 0 and way != "git" and steps >= at:
        return problem("nothing was killed: " + output, None)
    world.pp("status pack")
    if status == 2 and difference(world.state(), start):
        return problem("the pull failed and did not put back: " + output, None, start)
    if status == 0 and difference(world.state(), end):
        return problem("the pull ended well, but not right: " + output, None, end)
    if at % 4 > 1 and status < 0 and difference(world.state(), start):
        # What ends the run may be killed as well.
        world.kill("both" if at % 8 > 3 else "portpatch", 1 + at * 7 % 97, "undo")
    is_back = not difference(world.state(), start)
    if at % 2 or status == 2:
        again = world.pp("pull pack")
        if again.returncode and ".lock': File exists" in again.stderr:
            # git's own lock of a remote branch; its message says what to do.
            world.sh("find tree/.git/refs/remotes tree/.git -maxdepth 2 -name '*.lock' -delete")
            again = world.pp("pull pack")
        if again.returncode or difference(world.state(), end):
            return problem(f"pulled again, status {again.returncode}", again, end)
        is_back = False
    undone = world.pp("undo")
    if undone.returncode == 2 and not difference(world.state(), end):
        undone = world.pp("undo")  # the first has ended the undo that was killed, as it said
    if not is_back and difference(world.state(), start):
        problem(f"after undo, status {undone.returncode}", undone, start)
    if is_back and undone.returncode not in (0, 2):
        problem(f"after undo, status {undone.returncode}", undone, start)
    return None


def check_undo(world, way, at, start, end, problems):
    """The undo of a pull, killed: then the tree is as after the pull or as before it, and can be had as before."""
    world.reset("pulled")
    steps, status, output = world.kill(way, at, "undo")
    world.pp("status pack")
    said = [world.pp("undo")]
    if difference(world.state(), start):
        if difference(world.state(), end):
            return problems.append(f"---- undo, {way} at {at} of {steps}, status {status}: neither before nor after\n{output}{said[0].stderr}\n{difference(world.state(), end)[:1500]}")
        said.append(world.pp("undo"))
    if difference(world.state(), start):
        told = "".join(one.stdout + one.stderr for one in said)
        problems.append(f"---- undo, {way} at {at} of {steps}, status {status}: not as before the pull\n{output}{told}\n{difference(world.state(), start)[:1500]}")
    return None


def main(portpatch, library, every):
    base = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="portpatch-kill.", dir=base) as folder:
        world = World(os.path.realpath(folder), str(Path(portpatch).resolve()), str(Path(library).resolve()))
        world.build()
        start = world.state()
        done = world.pp("pull pack")
        end = world.state()
        assert done.returncode == 0, done.stdout + done.stderr
        assert "new/y.txt" in str(end[1].keys()) and end != start
        world.sh("cp -a tree pulled")
        world.pp("undo")
        assert not difference(world.state(), start), difference(world.state(), start)
        problems, counts = [], {}
        for index, way in enumerate(WAYS):
            world.reset()
            steps, status, output = world.kill(way, 0)
            assert status == 0, output
            tried = range(1 + index * 7 % every, steps + 1, every)
            for at in tried:
                check(world, way, at, start, end, problems)
            counts[way] = f"{len(tried)} of {steps}"
        for way in WAYS:
            world.reset("pulled")
            steps, status, output = world.kill(way, 0, "undo")
            assert status == 0, output
            tried = range(1 + steps % every, steps + 1, every)
            for at in tried:
                check_undo(world, way, at, start, end, problems)
            counts[f"undo, {way}"] = f"{len(tried)} of {steps}"
        for problem in problems:
            print(problem)
        print(", ".join(f"{way}: {count} steps" for way, count in counts.items()) + f"; {len(problems)} problems")
        return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[4]) if len(sys.argv) == 5 else 1))
