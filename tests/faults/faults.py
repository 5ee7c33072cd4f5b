#!/usr/bin/env python3
"""Lets each step of each command that writes fail, or kills it there: faults.py PORTPATCH LIBRARY [options]

  --sample N       N faults of each way and command, spread over its steps (CTest: a few); without it every step
  --only WORD      only commands, ways or calls whose name has the word; may be given again
  --jobs N         worlds that are worked in at the same time (2)
  --at N --show    one step, with what portpatch says

A command runs in a small world (a clone, a pack with two rules, local changes of many kinds, an upstream that has moved
on) once undisturbed. Then again and again, and each time one more of its calls fails (tests/faults/fault_at.c: calls that
change the disk, that read from it, that start programs; a full disk, no permission, a disk that fails; once or from then
on; in portpatch or in the git below it), or portpatch, one git, or all of them are killed there. After each:

- it ended well and everything is as without the fault, or it ended with status 2, said why, where and what to do, and
  everything is as before (after a kill, or faults without end: once the next command has run);
- the same command, run again, ends well, and everything is as it should be then; for some, undo puts it back;
- nothing is left over: no temporary file, no lock, no journal.
"""
import argparse
import collections
import concurrent.futures
import errno
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

WHO = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in
       (("NAME", "u"), ("EMAIL", "u@localhost"), ("DATE", "1767600000 +0000"))}
RULE = '; A local change.\n((assignment\n   left: (identifier) @name\n   right: (dictionary) @table)\n (#eq? @name "%s")\n (#ensure-entry! @table "12" "%s"))\n'
LIMITS = "# Limits.\nMiB = 1024 * 1024\n\nLIMITS = {\n    9: 64 * MiB,\n    10: 128 * MiB,\n}\n"
SIZES = "# Sizes.\nSIZES = {\n    9: 4,\n    10: 8,\n}\n"

# name: what makes the world ready, the command, what undoes it ("" where nothing does)
COMMANDS = {
    "apply": ("", "apply pack", "undo"),
    "unapply": ("$P apply pack", "unapply pack", "undo"),
    "undo": ("$P apply pack", "undo", "undo"),
    "refresh": ("rm pack/pack.lock", "refresh pack", "undo"),
    "accept": ("cd tree; git mv engine/sizes.py engine/measures.py; git commit -qm x; git push -q; cd ..",
               "apply --accept-moves pack", "undo"),
    "retire": ("", "retire --force pack/python/sizes", "undo"),
    "capture": ("cd tree; echo 'EXTRA = 1' >>engine/sizes.py; sed -i 's/9: 64/9: 32/' engine/limits.py; cd ..", "capture --fixture --pack new/pack tree/engine", "undo"),
    "amend": ("$P apply pack; sed -i 's/12: 16/12: 24/' tree/engine/sizes.py", "capture --amend python/sizes --pack pack tree/engine", "undo"),
    "hook install": ("", "hook install pack", "hook uninstall"),
    "hook uninstall": ("$P hook install pack", "hook uninstall", ""),
    "pull": ("$P apply pack", "pull pack", "undo"),
    "pull --keep": ("$P apply pack; echo '# mine' >>tree/engine/limits.py; git -C tree add engine/limits.py", "pull --keep pack", "undo"),
    "pull of commits": ("git -C tree reset -q --hard; $P apply pack; git -C tree commit -qam rules; echo mine >>tree/a.txt; git -C tree add a.txt; rm tree/b.txt", "pull pack", "undo"),
    "undo of pull": ("$P apply pack; PULLED;$P pull pack", "undo", "undo"),
    "test --update": ("mkdir -p pack/tests/one/before/engine; cp tree/engine/limits.py pack/tests/one/before/engine/limits.py; rm pack/python/sizes.scm; sed -i '/sizes/,$d' pack/pack.toml; rm pack/pack.lock",
                      "test --update pack", "undo"),
    "plain apply": ("rm -rf tree/.git", "apply pack", "undo"),
    "plain undo": ("rm -rf tree/.git; $P apply pack", "undo", "undo"),
}

Way = collections.namedtuple("Way", "program kind how errors")
NO_ROOM, BROKEN, FORBIDDEN, READ_ONLY = errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS
WAYS = {
    "kill portpatch": Way("portpatch", "change", "kill", [0]),
    "kill git": Way("git", "change", "kill", [0]),
    "machine stops": Way("git", "change", "stop", [0]),
    "a change fails": Way("portpatch", "change", "once", [NO_ROOM, BROKEN, FORBIDDEN]),
    "disk full": Way("portpatch", "change", "on", [NO_ROOM]),
    "read-only disk": Way("portpatch", "change", "on", [READ_ONLY]),
    "a reading fails": Way("portpatch", "look", "once", [BROKEN, FORBIDDEN]),
    "git does not start": Way("portpatch", "start", "once", [errno.EAGAIN, errno.EMFILE, FORBIDDEN]),
    "a change of git's fails": Way("git", "change", "once", [NO_ROOM, BROKEN, FORBIDDEN]),
    "disk full for git": Way("git", "change", "on", [NO_ROOM]),
    "a reading of git's fails": Way("git", "look", "once", [BROKEN, FORBIDDEN]),
}
GITS = ("[unreadable-repository]", "[backup-failed]", "[damaged-backup]", "[unreadable-object]", "[unknown-revision]", "[absent-", "[unreadable-history]")
LEFT_OVER = (".portpatch-", ".portpatch.tmp", ".tmp", "portpatch/merge.", "journal.json", "state.json")


PULLED = "PULLED;"


def staged(index):
    """What git's index says of each path, without the times."""
    data, entries, at = index.read_bytes(), [], 12
    for _ in range(struct.unpack(">I", data[8:12])[0]):
        flags, = struct.unpack(">H", data[at + 60:at + 62])
        path = at + (64 if flags & 0x4000 else 62)
        end = data.index(b"\0", path)
        entries.append((data[at + 24:at + 28].hex(), data[at + 40:path].hex(), data[path:end]))
        at += ((end - at) // 8 + 1) * 8
    return entries


class World:
    """A folder in which commands are run; `saved` is what each of them begins with."""

    def __init__(self, folder, portpatch, library):
        self.folder, self.portpatch, self.library = Path(folder), portpatch, library
        (self.folder / "now").mkdir(parents=True)
        self.root = self.folder / "now"
        self.place = str(self.root).encode()
        self.environment = {**{key: value for key, value in os.environ.items() if not key.startswith("GIT_")}, **WHO, "HOME": str(self.folder),
                            "LC_ALL": "C", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "TMPDIR": str(self.root / "temporary"),
                            "P": f"{portpatch} -C tree"}

    def sh(self, command):
        done = subprocess.run(["bash", "-ec", command], cwd=self.root, env=self.environment, text=True, capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise SystemExit(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def run(self, command):
        return subprocess.run([self.portpatch, "-C", "tree", *command.split()], cwd=self.root, env=self.environment, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL)

    def build(self, ready):
        """Upstream and its clone are beside `now`: no command writes to them."""
        for path, text in {"../work/engine/limits.py": LIMITS, "../work/engine/sizes.py": SIZES, "pack/pack.toml": 'format = 1\n\n[rules."python/sizes"]\nowner = "me"\n',
                           "pack/python/limits.scm": RULE % ("LIMITS", "256 * MiB"), "pack/python/sizes.scm": RULE % ("SIZES", "16")}.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)
        self.sh("""mkdir temporary; git init -q --template= --object-format=sha1 -b main ../work; cd ../work
for i in a b c d e; do seq 40 >$i.txt; done; echo '*.o' >.gitignore; git add -A; git commit -qm base; cd ../now
git clone -q --template= --bare ../work ../up.git; git clone -q --template= ../up.git tree; git -C tree config remote.origin.url ../../up.git
$P refresh pack; rm -rf tree/.git/portpatch tree/.git/refs/portpatch
cd tree; mkdir .git/hooks; printf '#!/bin/sh\\necho mine\\n' >.git/hooks/post-merge; chmod +x .git/hooks/post-merge
echo stashed >>d.txt; git stash -q; echo mine >>a.txt; git add a.txt; echo over >>a.txt; rm b.txt; chmod +x c.txt
echo new >intent.txt; git add -N intent.txt; echo untracked >untracked.txt; echo ignored >x.o""")
        self.sh(ready.split(PULLED)[0])
        self.sh("""cd ../work; git pull -q ../up.git main; git rm -q e.txt; mkdir -p new/folder; seq 500 >new/folder/x.txt; echo y >new/y.txt; sed -i s/^20$/twenty/ d.txt
sed -i 's/    9: 64/    8: 32 * MiB,\\n    9: 64/' engine/limits.py; git add -A; git commit -qm moved; git push -q ../up.git main""")
        if PULLED in ready:
            self.sh(ready.split(PULLED)[1])
        self.sh("git -C tree status >/dev/null || true; rm -rf ../work")
        self.keep("saved")

    def reset(self, source="saved"):
        shutil.rmtree(self.root)
        self.keep("now", source)

    def keep(self, name, source="now"):
        subprocess.run(["cp", "-a", str(self.folder / source), str(self.folder / name)], check=True)

    def state(self):
        """All that is the user's."""
        files = {}
        for top in ("tree", "pack", "new"):
            for folder, names, leaves in os.walk(self.root / top):
                at = Path(folder)
                if at.name == ".git":
                    names[:] = [name for name in names if name == "hooks"]
                    leaves = [name for name in leaves if name.startswith(("MERGE", "REBASE", "REVERT", "CHERRY", "AUTO"))] + ["HEAD", "refs/stash", "logs/refs/stash", "refs/heads/main"]
                    files[f"{top}/index"] = staged(at / "index")
                names[:] = [name for name in names if name != ".portpatch"]
                for leaf in leaves:
                    path = at / leaf
                    mode = path.lstat().st_mode if os.path.lexists(path) else 0
                    what = os.readlink(path) if path.is_symlink() else path.read_bytes().replace(self.place, b"ROOT") if mode else ""
                    files[str(path.relative_to(self.root))] = (mode, what)
                if not names and not leaves:
                    files[f"{at.relative_to(self.root)}/"] = (0, "an empty folder")
        return files

    def fault(self, way, at, command, error):
        log = self.folder / "fault-log"
        log.write_bytes(bytes(520))
        environment = {**self.environment, "LD_PRELOAD": self.library, "PORTPATCH_FAULT_IN": way.program, "PORTPATCH_FAULT_ROOT": str(self.root),
                       "PORTPATCH_FAULT_KIND": way.kind, "PORTPATCH_FAULT_AT": str(at), "PORTPATCH_FAULT_HOW": way.how,
                       "PORTPATCH_FAULT_ERROR": str(error), "PORTPATCH_FAULT_LOG": str(log)}
        process = subprocess.Popen([self.portpatch, "-C", "tree", *command.split()], cwd=self.root, env=environment, text=True, errors="replace",
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        out, err = process.communicate()
        count, hits, call, path = struct.unpack("qq32s472s", log.read_bytes())
        text = lambda raw: raw.split(b"\0")[0].decode(errors="replace")
        return Hit(count, hits, text(call), text(path), process.returncode, out, err)

    def is_interrupted(self):
        return any((self.root / "tree" / state / f"{journal}.json").exists()
                   for state in (".git/portpatch", ".portpatch") for journal in ("journal", "state"))

    def left_over(self, no_scratch):
        found = [str(path.relative_to(self.root)) for top in ("tree", "pack", "new") for path in (self.root / top).rglob("*") if any(part in str(path) for part in LEFT_OVER)]
        found += [str(path.relative_to(self.root)) for path in (self.root / "tree/.git").rglob("*.lock") if path.name != "state.lock"]
        return found + ([] if no_scratch else [f"temporary/{name}" for name in os.listdir(self.root / "temporary")])


Hit = collections.namedtuple("Hit", "count hits call path status out err")


def difference(now, wanted):
    lines = []
    for path in sorted(now.keys() | wanted.keys()):
        if now.get(path) != wanted.get(path):
            lines.append(f"  {path}: {str(now.get(path))[:300]}\n  instead of {str(wanted.get(path))[:300]}")
    return "\n".join(lines)


def names_place(hit, text):
    """Is the file that was hit named: itself, the file that it stands for, or a folder around it?"""
    name = Path(hit.path).name.split(".portpatch-")[0].removesuffix(".tmp").removesuffix(".lock").lstrip(".")
    return not hit.path or any(part in text for part in (name, Path(hit.path).parent.name)) or "/objects/" in hit.path or "git" in text


class Check:
    """One command in one world, with what it is like before and after."""

    def __init__(self, world, name):
        self.world, self.name = world, name
        ready, self.command, self.back = COMMANDS[name]
        world.build(ready)
        world.reset()
        self.start = world.state()
        done = world.run(self.command)
        assert done.returncode == 0, f"{name}: {done.returncode}\n{done.stdout}{done.stderr}"
        self.end = world.state()
        assert self.end != self.start, f"{name} changes nothing\n{done.stdout}{done.stderr}"
        assert not world.left_over(False), world.left_over(False)
        self.undone = None
        if self.back:
            done = self.again(self.back)
            assert done.returncode == 0, f"{name}: {self.back}: {done.returncode}\n{done.stdout}{done.stderr}"
            self.undone = world.state()

    def steps(self, way):
        self.world.reset()
        return self.world.fault(way, 0, self.command, 0).count

    def problems(self, way, at):
        """What is wrong when the fault comes at this step; nothing when there are not so many."""
        world, error = self.world, way.errors[at % len(way.errors)]
        world.reset()
        hit = world.fault(way, at, self.command, error)
        if not hit.hits:
            return hit, []
        wrong = []
        kills = way.how in ("kill", "stop")
        said = hit.out + hit.err
        now = world.state()
        if hit.status < 0 and not (kills and hit.status == -9):
            wrong.append(f"ended by signal {-hit.status}")
        if hit.status >= 128 or "terminate called" in said:
            wrong.append("it crashed")
        # A file that cannot be read needs a person; what it does not touch is done.
        is_part = hit.status == 1 and os.strerror(error) in said and names_place(hit, said)
        # A file that git cannot remove it warns of, and goes on.
        is_warned = hit.status == 0 and f"git: warning: unable to unlink '{hit.path}'" in said
        if hit.status in (0, 1) and now != self.end and not is_part and not is_warned:
            wrong.append(f"status {hit.status}, but not all is done:\n{difference(now, self.end)}")
        if hit.status == 2:
            if "error" not in hit.err:
                wrong.append("it says nothing")
            # Git and libgit2 do not always say why.
            is_gits = way.kind == "look" or "  note: git: " in hit.err if way.program == "git" else way.kind == "look" and "/.git" in hit.path and any(word in hit.err for word in GITS)
            if not kills and not is_gits and os.strerror(error) not in said:
                wrong.append(f"it does not say: {os.strerror(error)}")
            if way.how == "once" and not names_place(hit, said):
                wrong.append("it does not say where")
            if "help:" not in said:
                wrong.append("it does not say what to do")
        if hit.status == 2 and way.how == "once" and way.program == "portpatch" and now not in (self.start, self.end):
            wrong.append(f"it failed, and is neither before nor after:\n{difference(now, self.start)}")
        for path in self.start.keys() | self.end.keys():
            # At any instant each file is old or new; what git writes is git's own matter.
            if "pull" not in self.name and "/.git/" not in path and now.get(path) not in (self.start.get(path), self.end.get(path)):
                wrong.append(f"{path} is half done: {str(now.get(path))[:200]}")
        if is_warned and now != self.end:
            return hit, wrong
        wrong += self.after(at, now, kills, is_part, kills or error == READ_ONLY or not hit.path.startswith(str(world.root / 'tree')))
        return hit, wrong

    def again(self, command, tries=3):
        """Runs a command until it ends well: git's own lock of a ref, which it says itself how to remove, and the end of
        an interrupted run instead of an undo may come first."""
        for _ in range(tries):
            done = self.world.run(command)
            if done.returncode == 0:
                break
            if ".lock': File exists" in done.stderr:
                self.world.sh("find tree/.git -name '*.lock' -delete")
            elif "[interrupted-run]" not in done.stderr:
                break
        return done

    def after(self, at, now, kills, is_part, no_scratch):
        world, wrong = self.world, []
        if is_part:
            done = self.again(self.command)
            return [] if world.state() == self.end else [f"run again, status {done.returncode}:\n{difference(world.state(), self.end)}\n{done.stdout}{done.stderr}"]
        if self.command == "undo" and now == self.end and world.is_interrupted():
            self.again("undo")  # ends what was interrupted, and takes it back
        if at % 3 == 0 and self.back == "undo" and kills and now != self.start:
            # What ends the run may be killed as well.
            world.fault(WAYS["machine stops" if at % 2 else "kill portpatch"], 1 + at * 7 % 97, "undo", 0)
        if at % 2 and self.command != "undo" and self.back:
            told = ""
            for _ in range(3):
                if world.state() == self.start and not world.is_interrupted():
                    break
                done = world.run(self.back)
                told += done.stdout + done.stderr
                if done.returncode and "[interrupted-run]" not in done.stderr:
                    break
            if world.is_interrupted():
                return [f"{self.back}, three times, does not end the run\n{told}"]
            if world.state() != self.start:
                return [f"after {self.back}:\n{difference(world.state(), self.start)}\n{told}"]
        if world.state() != self.end:
            done = self.again(self.command)
            if self.command == "undo" and world.state() != self.end and done.returncode == 0:
                done = self.again(self.command)
            if done.returncode or world.state() != self.end:
                return [f"run again, status {done.returncode}:\n{difference(world.state(), self.end)}\n{done.stdout}{done.stderr}"]
        elif self.command != "undo":
            done = self.again(self.command)
            if done.returncode not in ((0, 2) if self.command.startswith(("retire", "capture")) else (0,)) or world.state() != self.end:
                return [f"run once more, status {done.returncode}:\n{difference(world.state(), self.end)}\n{done.stdout}{done.stderr}"]
        left = world.left_over(no_scratch)
        if left:
            wrong.append(f"left over: {', '.join(left)}")
        if at % 2 == 0 and self.back:
            done = self.again(self.back)
            if done.returncode or world.state() != self.undone:
                wrong.append(f"{self.back}, status {done.returncode}:\n{difference(world.state(), self.undone)}\n{done.stdout}{done.stderr}")
        return wrong


def spread(steps, sample, shift):
    every = max(1, steps // sample) if sample else 1
    return range(1 + shift % every, steps + 1, every)


def main(options):
    library, portpatch = (str(Path(path).resolve()) for path in (options.library, options.portpatch))
    base = "/dev/shm" if os.path.isdir("/dev/shm") else None
    is_meant = lambda name, words: not words or any(word in name for word in words)
    commands = [name for name in COMMANDS if not options.command or name in options.command]
    ways = {name: way for name, way in WAYS.items() if is_meant(name, options.way)}
    found, tried, lock = [], collections.Counter(), threading.Lock()
    with tempfile.TemporaryDirectory(prefix="portpatch-faults.", dir=base) as folder:
        def look_at(name):
            check = Check(World(f"{os.path.realpath(folder)}/{commands.index(name)}", portpatch, library), name)
            for index, (way_name, way) in enumerate(ways.items()):
                steps = check.steps(way)
                places = [options.at] if options.at else spread(steps, options.sample, 7 * index + 3 * commands.index(name))
                for at in places:
                    hit, wrong = check.problems(way, at)
                    with lock:
                        tried[way_name] += 1
                        tried[name] += 1
                        if options.show:
                            print(f"{name}, {way_name} at {at} of {steps}: {hit.call} {hit.path}, status {hit.status}\n{hit.out}{hit.err}")
                        if wrong:
                            error = os.strerror(way.errors[at % len(way.errors)])
                            found.append((name, way_name, f"---- {name}, {way_name} at {at} of {steps}: {hit.call} {hit.path}: {error}, status {hit.status}\n{hit.err[-1500:]}" + "\n".join(wrong)))
                            print(found[-1][2].replace(folder, "ROOT"), flush=True)
            shutil.rmtree(check.world.folder)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for done in [pool.submit(look_at, name) for name in commands]:
                done.result()
    print("; ".join(f"{name}: {count}" for name, count in tried.items()))
    print(f"{sum(tried[name] for name in commands)} faults, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("portpatch")
    parser.add_argument("library")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--command", action="append")
    parser.add_argument("--way", action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--at", type=int)
    parser.add_argument("--show", action="store_true")
    sys.exit(main(parser.parse_args()))
