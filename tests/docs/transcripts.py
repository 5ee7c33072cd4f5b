#!/usr/bin/env python3
"""Makes the transcripts of README.md: transcripts.py PORTPATCH [--check]

Between <!-- transcript: STEP --> and <!-- /transcript --> stands one ```console block. Its lines that
begin with "$ " are run in order in one scratch folder, behind the preparation called STEP (a function
below), and their output is put in. Run ids, and the scratch folder, are replaced by fixed texts.
--check writes nothing and fails when a transcript differs from what is printed today.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
DATE = "2026-01-05T12:00:00Z"
BLOCK = re.compile(r"<!-- transcript: (\S+) -->\n```console\n(.*?)```\n<!-- /transcript -->", re.S)


class Scratch:
    def __init__(self, folder, portpatch):
        self.folder = Path(folder)
        self.environment = {
            "PATH": f"{Path(portpatch).parent}:{os.environ['PATH']}", "HOME": folder, "LC_ALL": "C", "TERM": "dumb",
            "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "upstream", "GIT_AUTHOR_EMAIL": "upstream@example.org", "GIT_AUTHOR_DATE": DATE,
            "GIT_COMMITTER_NAME": "upstream", "GIT_COMMITTER_EMAIL": "upstream@example.org", "GIT_COMMITTER_DATE": DATE}

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def must(self, command):
        status, output = self.run(command)
        if status:
            raise SystemExit(f"{command}: exit status {status}\n{output}")

    def write(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)

    def upstream(self, state, message):
        """The sample upstream's next commit, as samples/run makes it."""
        self.must("git -C upstream rm -rq --ignore-unmatch .")
        shutil.copytree(ROOT / "samples/upstream" / state, self.folder / "upstream", dirs_exist_ok=True)
        self.must(f"git -C upstream add -A && git -C upstream commit -qm '{message}'")


# ---- the preparations ----

def port(scratch):
    scratch.must("git init -q --object-format=sha1 -b main upstream")
    scratch.upstream("base", "Symmetric-memory all-reduce for SM90 and SM100")
    scratch.must("git clone -q upstream tree")
    shutil.copytree(ROOT / "samples/pack", scratch.folder / "pack")
    scratch.upstream("refactored", "Measure the limits of SM100 again, annotate the table")
    scratch.must("git -C tree pull -q --ff-only")


def moved(scratch):
    scratch.must("portpatch -C tree unapply pack")
    scratch.upstream("moved", "Move device_communicators to comm, csrc to kernels")
    scratch.must("git -C tree pull -q --ff-only")


def renamed(scratch):
    scratch.must("portpatch -C tree apply --accept-moves pack && portpatch -C tree unapply pack")
    scratch.must("sed -i s/TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES/SYMM_MEM_SIZE_LIMITS/ upstream/engine/comm/*.py")
    scratch.must("git -C upstream commit -qam 'Name the limits of symmetric memory by what they are'")
    scratch.must("git -C tree pull -q --ff-only")


def own(scratch):
    scratch.write("server/limits.py", 'MiB = 1024 * 1024\n\nBATCH_BYTES = {\n    9: 64 * MiB,\n    10: 64 * MiB,  # measured\n}\n')
    scratch.write("my-port/pack.toml", "format = 1\n")
    scratch.write("my-port/python/batch-bytes.scm", """; Our cards take larger batches.
((assignment
   left: (identifier) @name
   right: (dictionary) @table)
 (#eq? @name "BATCH_BYTES")
 (#ensure-entry! @table "12" "256 * MiB"))
""")


def capture(scratch):
    """A clone of a small server with two files changed by hand, and its upstream a commit further."""
    limits = 'MiB = 1024 * 1024\n\nBATCH_BYTES = {\n    9: 64 * MiB,\n    10: 64 * MiB,  # measured\n}\n'
    backend = 'def pick(capability):\n    if capability >= 10:\n        return "trtllm"\n    return "triton"\n'
    scratch.must("git init -q --object-format=sha1 -b main vendor")
    scratch.write("vendor/limits.py", limits)
    scratch.write("vendor/backend.py", backend)
    scratch.must("git -C vendor add -A && git -C vendor commit -qm 'Limits and backends' && git clone -q vendor mine")
    scratch.write("mine/limits.py", limits.replace("measured\n", "measured\n    12: 256 * MiB,\n"))
    scratch.write("mine/backend.py", backend.replace(">= 10:", ">= 10 and capability != 12:"))
    scratch.write("vendor/limits.py", limits.replace("    10: 64 * MiB,  # measured\n", "    10: 128 * MiB,  # measured again\n    11: 64 * MiB,\n"))
    scratch.write("vendor/backend.py", backend.replace("def pick(capability):", "def pick(capability, graph=False):").replace('"triton"', '"triton" if graph else "torch"'))
    scratch.must("git -C vendor commit -qam 'Measure again, CUDA graphs'")


def timeline(scratch):
    """One more commit upstream, behind the three of the steps above."""
    scratch.must("sed -i 's/8: 256 . MiB,  # 256 MB/8: 256 * MiB,/; s/^}/    12: {2: 512 * MiB},\\n}/' upstream/engine/comm/limits.py"
                 " && git -C upstream commit -qam 'Measure SM120 on NVLink'")


def pull(scratch):
    """A clone that is one commit behind its upstream, with the rules applied."""
    shutil.rmtree(scratch.folder / "tree")
    shutil.rmtree(scratch.folder / "pack")
    shutil.copytree(ROOT / "samples/pack", scratch.folder / "pack")
    scratch.must("git -C upstream branch release $(git -C upstream rev-list --reverse HEAD | sed -n 2p) && git clone -q -b release upstream tree && git -C tree reset -q --hard HEAD~")
    scratch.must("portpatch -C tree apply pack")


def review(scratch):
    """A branch of the small server that says another value than the rules, and brings a ladder of its own."""
    scratch.must("git -C vendor checkout -q -b limits && sed -i 's/^    11: .*/&\\n    12: 64 * MiB,/' vendor/limits.py")
    backend = (scratch.folder / "vendor/backend.py").read_text()
    scratch.write("vendor/backend.py", backend + """

def pick_gemm():
    if get_device_capability() == (9, 0):
        return "cutlass"
    elif get_device_capability() == (10, 0):
        return "trtllm"
    raise NotImplementedError
""")
    scratch.must("git -C vendor commit -qam 'Limits of SM120, GEMM by GPU' && git -C vendor checkout -q main")


def same(scratch):
    pass


STEPS = {"port": port, "moved": moved, "renamed": renamed, "own": own, "pull": pull, "same": same, "capture": capture, "timeline": timeline, "review": review}


def transcript(scratch, block):
    lines = []
    for command in re.findall(r"^\$ (.*)$", block, re.M):
        _, output = scratch.run(command)
        output = output.replace(str(scratch.folder), "~")
        output = re.sub(r"\b\d{8}T\d{6}-\d{4}\b", "20260105T120000-0001", output)
        lines.append(f"$ {command}\n{output}")
    return "\n".join(lines)


def main(arguments):
    check = "--check" in arguments
    portpatch = str(Path(next(one for one in arguments if not one.startswith("--"))).resolve())
    before = README.read_text()
    with tempfile.TemporaryDirectory(prefix="portpatch-transcripts.") as folder:
        scratch = Scratch(os.path.realpath(folder), portpatch)
        count = 0

        def renew(match):
            nonlocal count
            count += 1
            STEPS[match[1]](scratch)
            return f"<!-- transcript: {match[1]} -->\n```console\n{transcript(scratch, match[2])}```\n<!-- /transcript -->"

        after = BLOCK.sub(renew, before)
    if not count:
        print("README.md has no transcripts")
        return 1
    if check and after != before:
        sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), "README.md", "printed today"))
        print("run tests/docs/transcripts.py build/portpatch, and look at the change")
        return 1
    if not check:
        README.write_text(after)
    print(f"{count} transcripts")
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
