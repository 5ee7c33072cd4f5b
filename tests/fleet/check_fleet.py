#!/usr/bin/env python3
"""samples/fleet on this machine: check_fleet.py PORTPATCH

Ansible's role over the local connection, with servers that are well, need a person, are broken, send nonsense and cannot be reached;
a timeline by GNU parallel and by a Slurm script with a stub for Slurm. What is not installed is named as skipped; 77 where nothing is.
"""
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program_check import expect, finish, must, run

PORTPATCH = Path(sys.argv[1]).resolve()
ROOT = Path(__file__).resolve().parents[2]
FLEET = ROOT / "samples/fleet"
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "ANSIBLE_", "PORTPATCH_", "SLURM_"))} | {
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8",
    "GIT_AUTHOR_NAME": "upstream", "GIT_AUTHOR_EMAIL": "upstream@example.org", "GIT_COMMITTER_NAME": "upstream", "GIT_COMMITTER_EMAIL": "upstream@example.org"}
os.environ.clear()
os.environ.update(ENVIRONMENT)  # what run() hands on
# What a hostile tree could make a report say: neither Ansible nor the terminal may act on it.
HOSTILE = r"""#!/bin/sh
echo '{"exit_status": 1, "rules": [{"pack": "p", "outcome": "lost", "next": "{{ lookup(\"pipe\", \"touch %s\") }}\u001b[31m\u202e"}]}'
exit 1
"""
TABLE = """\
server   state   rules               to do there
broken   fault   -                   TEMP/nowhere is not a folder that can be read
clash    person  2 edited, 1 lost    portpatch -C TEMP/clash explain TEMP/pack/python/all-reduce-max-sizes
                                     rebuild engine/csrc, then restart the server
garbled  fault   -                   its report cannot be read: KeyError('outcome')
gone     fault   -                   UNREACHABLE
hostile  person  1 lost              {{ lookup("pipe", "touch TEMP/hacked") }}?[31m?
one      ok      3 edited            rebuild engine/csrc, then restart the server
two      ok      3 edited            rebuild engine/csrc, then restart the server
"""


def program(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def commit(repository, message, change=None):
    """All of the sample's upstream as it is at first, or after a change."""
    if change:
        change(repository)
    must("git", "-C", repository, "add", "-A")
    must("git", "-C", repository, "commit", "-qm", message)


def drop_table(repository):
    table = repository / "engine/distributed/device_communicators/all_reduce_utils.py"
    table.write_text("MiB = 1024 * 1024\n")


def refactor(repository):
    shutil.copytree(ROOT / "samples/upstream/refactored", repository, dirs_exist_ok=True)


def make_world(temp):
    upstream = temp / "upstream"
    must("git", "init", "-q", "-b", "main", upstream)
    commit(upstream, "Begin", lambda folder: shutil.copytree(ROOT / "samples/upstream/base", folder, dirs_exist_ok=True))
    for name in ("one", "two", "clash"):
        must("git", "clone", "-q", upstream, temp / name)
    commit(upstream, "Measure again", refactor)
    must("git", "-C", upstream, "switch", "-qc", "dropped")
    commit(upstream, "Drop the table", drop_table)
    must("git", "-C", temp / "clash", "fetch", "-q")
    must("git", "-C", temp / "clash", "branch", "-q", "--set-upstream-to", "origin/dropped")
    shutil.copytree(ROOT / "samples/pack", temp / "pack")
    return upstream


def state(folder):
    """Every file with its content, git's own too."""
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.rglob("*")) if path.is_file()}


def inventory(temp):
    hostile = program(temp / "bin/hostile", HOSTILE % (temp / "hacked"))
    garbled = program(temp / "bin/garbled", "#!/bin/sh\necho '{\"exit_status\": 0, \"rules\": [{}]}'\n")
    path = temp / "inventory.ini"
    path.write_text(f"""[all]
one portpatch_tree={temp}/one
two portpatch_tree={temp}/two
clash portpatch_tree={temp}/clash
broken portpatch_tree={temp}/nowhere
hostile portpatch_program={hostile}
garbled portpatch_program={garbled}
gone ansible_connection=ssh ansible_host=127.0.0.1 ansible_port=1
[all:vars]
ansible_connection=local
ansible_python_interpreter={sys.executable}
portpatch_program={PORTPATCH}
portpatch_packs=["{temp}/pack"]
portpatch_reports={temp}/reports
""")
    return path


def play(temp, *words):
    environment = ENVIRONMENT | {"ANSIBLE_CONFIG": str(FLEET / "ansible.cfg"), "ANSIBLE_HOME": str(temp / "ansible"), "ANSIBLE_NOCOLOR": "1"}
    return run("ansible-playbook", "-i", inventory(temp), FLEET / "portpatch.yml", *words, env=environment)


def check_ansible(temp):
    before = {name: state(temp / name) for name in ("one", "two", "clash")}
    done = play(temp, "--check")
    expect(done.returncode == 2, f"--check ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    expect(before == {name: state(temp / name) for name in before}, "--check wrote to a tree")
    expect(not (temp / "reports").exists(), "--check wrote reports")
    expect(re.search(r"one +ok +3 pending +portpatch -C \S+/one apply ", done.stdout), f"--check shows no table:\n{done.stdout}")

    done = play(temp)
    expect(done.returncode == 2, f"the play ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    table = (temp / "reports/table.txt").read_text() if (temp / "reports/table.txt").exists() else done.stdout
    table = re.sub(r"(gone .* - +).*", r"\1UNREACHABLE", table.replace(str(temp), "TEMP"))
    wanted = sorted(re.sub(" +", " ", TABLE).splitlines())
    expect(sorted(re.sub(" +", " ", table).splitlines()) == wanted, f"the table is\n{table}")
    expect(not (temp / "hacked").exists(), "a report was taken for a template: its command ran")
    expect("\x1b" not in done.stdout and "\u202e" not in done.stdout, "a report reached the terminal raw")
    for name in ("one", "two"):
        log = must("git", "-C", temp / name, "log", "-1", "--format=%s")
        expect(log == "Measure again\n" and must("git", "-C", temp / name, "diff", "--stat"), f"{name} was not pulled: {log}")

    done = play(temp, "--limit", "one,two")
    expect(done.returncode == 0, f"where all is well the play ended with {done.returncode}:\n{done.stdout}")


def check_parallel(temp, pieces, asked):
    for merge, whole in (("timeline --merge", ["timeline", *asked]), ("test --merge", ["test", "--history", asked[-1], *asked[:-1]])):
        alone = run(PORTPATCH, "-C", temp / "upstream", "--format", "json", *whole)
        environment = ENVIRONMENT | {"PATH": f"{PORTPATCH.parent}:{os.environ['PATH']}", "PORTPATCH_MERGE": merge}
        done = run(FLEET / "timeline-parallel", pieces, temp / "upstream", *asked, env=environment)
        expect((done.returncode, done.stdout) == (alone.returncode, alone.stdout), f"by parallel, {merge}: {done.returncode} {done.stdout}{done.stderr}\nnot\n{alone.returncode} {alone.stdout}")
    done = run(FLEET / "timeline-parallel", pieces, temp / "upstream", temp / "nowhere", asked[-1], env=environment)
    expect(done.returncode == 2 and "nowhere" in done.stderr and done.stdout == "", f"by parallel, without a pack: {done.returncode} {done.stdout}{done.stderr}")


def check_slurm(temp, pieces, asked):
    folder = temp / "pieces"
    program(temp / "bin/srun", '#!/bin/sh\nexec "$@"\n')
    for piece in range(1, pieces + 1):
        environment = ENVIRONMENT | {"PATH": f"{temp}/bin:{PORTPATCH.parent}:{os.environ['PATH']}", "SLURM_ARRAY_TASK_ID": str(piece), "SLURM_ARRAY_TASK_COUNT": str(pieces)}
        must("bash", FLEET / "timeline.sbatch", folder, temp / "upstream", *asked, env=environment)
        if piece == 1:
            done = run("bash", FLEET / "timeline.sbatch", temp / "none", temp / "upstream", temp / "nowhere", asked[-1], env=environment)
            expect(done.returncode == 2 and not list((temp / "none").glob("*.json")), f"a task without a pack ended with {done.returncode}")
    merged = run(PORTPATCH, "timeline", "--merge", *folder.glob("*.json"))
    alone = run(PORTPATCH, "-C", temp / "upstream", "timeline", *asked)
    expect((merged.returncode, merged.stdout) == (alone.returncode, alone.stdout), f"by Slurm's array: {merged.stdout}{merged.stderr}")


def main():
    with tempfile.TemporaryDirectory(prefix="portpatch-fleet.") as folder:
        temp = Path(folder).resolve()
        make_world(temp)
        asked = [str(temp / "pack"), "main~1..dropped"]
        if shutil.which("ansible-playbook"):
            check_ansible(temp)
        else:
            print("skipped: the Ansible role, since ansible-core is not installed")
        if shutil.which("parallel") and "GNU" in run("parallel", "--version").stdout:
            check_parallel(temp, 2, asked)
        else:
            print("skipped: the line for GNU parallel, which is not installed")
        check_slurm(temp, 2, asked)


if __name__ == "__main__":
    finish(main)
