#!/usr/bin/env python3
"""samples/bot on this machine, against a pull request that means harm: check_bot.py PORTPATCH

`review`, the GitHub action's and the GitLab job's own shell lines with the variables that those would set, and `watch` over
several runs; no network. What is not installed is named as skipped.
"""
import base64
import fcntl
import functools
import http.server
import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from program_check import expect, finish, must, run
from report.workflow_commands import workflow_commands

PORTPATCH = Path(sys.argv[1]).resolve()
ROOT = Path(__file__).resolve().parents[2]
BOT = ROOT / "samples/bot"
HEAD = "refs/pull/7/head"
REQUEST_HEAD = "refs/merge-requests/7/head"
# Names that a stranger may give: what a shell, git, a terminal, a workflow or a browser could take for more than a name.
BRANCH = "x$(touch${IFS}$MARKS/branch)`touch${IFS}$MARKS/quoted`';touch${IFS}$MARKS/loose;'\"&&echo${IFS}<b>"
FILE = "engine/$(touch $MARKS/file)\n::error::b\x1b[31m<img src=x onerror=alert(1)>`id`.py"
CODE = """def pick(sm_version):  # \x1b]8;;http://x\x07::error::hi ##[set-output name=a]b </script> \u202e
    if sm_version == 90:
        return 1
    elif sm_version == 100:
        return 2
"""
# Each leaves a mark where a checkout, a filter or a hook runs.
ATTRIBUTES = "* filter=evil diff=evil merge=evil\n*.py export-subst\n"
MODULES = '[submodule "s"]\n\tpath = s\n\turl = ext::sh -c "touch $MARKS/module"\n'
GIT_CONFIG = """[filter "evil"]
	smudge = touch $MARKS/smudge
	clean = touch $MARKS/clean
	required = true
[diff "evil"]
	textconv = touch $MARKS/textconv
[init]
	templateDir = {template}
[protocol "ext"]
	allow = always
"""


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


class World:
    """server.git with a base and the change; tmp/, where nothing may stay; marks/, where nothing may come into being."""

    def __init__(self, temp):
        self.temp = temp
        for name in ("marks", "tmp", "empty", "home"):
            (temp / name).mkdir()
        program(temp / "template/hooks/reference-transaction", f"#!/bin/sh\ntouch {temp}/marks/hook\n")
        # The bot's user has drivers for these names (as for LFS), and hooks for new repositories.
        (temp / "config").write_text(GIT_CONFIG.format(template=temp / "template"))
        for name in [name for name in os.environ if name.startswith(("GIT_", "GITHUB_", "CI_", "BOT", "PORTPATCH"))]:
            del os.environ[name]
        os.environ.update({"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8", "HOME": str(temp / "home"), "TMPDIR": str(temp / "tmp"),
                           "MARKS": str(temp / "marks"), "PATH": f"{PORTPATCH.parent}:{os.environ['PATH']}",
                           "GIT_AUTHOR_NAME": "u", "GIT_AUTHOR_EMAIL": "u@example.org", "GIT_COMMITTER_NAME": "u", "GIT_COMMITTER_EMAIL": "u@example.org"})
        self.server, self.work = temp / "server.git", temp / "work"
        must("git", "init", "-q", "--bare", "--template=", "-b", "main", self.server)
        must("git", "init", "-q", "-b", "main", self.work)
        shutil.copytree(ROOT / "samples/upstream/base", self.work, dirs_exist_ok=True)
        self.commit("Begin")
        self.git("remote", "add", "origin", self.server)
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        pack = self.work / "rules/port"
        shutil.copytree(ROOT / "samples/pack", pack)
        must(PORTPATCH, "-C", self.work, "refresh", pack)
        shutil.copytree(pack, temp / "own/port")
        self.commit("Add rules")
        self.base = self.git("rev-parse", "HEAD").strip()
        self.push("refs/heads/main", f"refs/heads/{BRANCH}")
        (self.work / "notes.txt").write_text("nothing of ours\n")
        self.commit("Note")
        self.push("refs/pull/6/head")
        self.git("reset", "-q", "--hard", self.base)
        self.make_hostile()
        self.push(HEAD, REQUEST_HEAD)
        os.environ["GIT_CONFIG_GLOBAL"] = str(temp / "config")

    def git(self, *words):
        """In the work tree of who writes the change, who has none of the bot's settings."""
        return must("git", "-C", self.work, *words, env=os.environ | {"GIT_CONFIG_GLOBAL": os.devnull})

    def commit(self, subject):
        self.git("add", "-A")
        self.git("commit", "-qm", subject)

    def push(self, *refs):
        self.git("push", "-qf", self.server, *(f"HEAD:{ref}" for ref in refs))

    def make_hostile(self):
        table = self.work / "engine/distributed/device_communicators/all_reduce_utils.py"
        table.write_text("MiB = 1024 * 1024  # ::error::gone\n")
        (self.work / FILE).parent.mkdir(parents=True, exist_ok=True)
        (self.work / FILE).write_text(CODE)
        shutil.rmtree(self.work / "rules/port/python")  # its own pack sees nothing
        (self.work / ".gitattributes").write_text(ATTRIBUTES)
        (self.work / ".gitmodules").write_text(MODULES)
        program(self.work / ".githooks/post-checkout", "#!/bin/sh\ntouch $MARKS/hook\n")
        self.commit("::error::$(touch $MARKS/subject)\x1b[31m")

    def bash(self, script, **environment):
        """As a workflow's step runs it: in an empty folder, with a file for the script."""
        path = self.temp / "step.sh"
        path.write_text(script)
        return run("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", path, cwd=self.temp / "empty", env=os.environ | environment)

    def review(self, *words, head=HEAD, **options):
        return run(BOT / "review", "--remote", self.server, "--base", "refs/heads/main", "--head", head, *words, cwd=self.temp / "empty", **options)

    def watch(self, *words, **environment):
        return run(BOT / "watch", "--remote", self.server, "--base", "refs/heads/main", "--state", self.temp / "state", *words, env=os.environ | environment)

    def look_for_marks(self, where):
        left = [str(path) for name in ("marks", "tmp", "home") for path in (self.temp / name).iterdir()]
        expect(not left, f"{where} left {left}")
        for path in left:
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def is_plain(text):
    return not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def check_review(world):
    out = world.temp / "out.json"
    done = world.review("--out", f"json={out}", "--out", "text=-", "base:rules/port", "--", "--cc", "12.0")
    expect(done.returncode == 1, f"review ended with {done.returncode}: {done.stdout}{done.stderr}")
    found = json.loads(out.read_text())["findings"]
    expect(any(one["type"] == "rule-lost" and one["subject"].endswith("port/python/all-reduce-max-sizes") for one in found), f"the lost rule is not there: {found}")
    expect(any("onerror" in one["path"] for one in found), f"the file with the odd name is not there: {found}")
    expect(is_plain(done.stdout + done.stderr), f"control characters: {done.stdout!r}")
    world.look_for_marks("review")
    of_machine = world.review("--out", "json=-", world.temp / "own/port", "--", "--cc", "12.0")
    expect([(one["type"], one["path"]) for one in json.loads(of_machine.stdout)["findings"]] == [(one["type"], one["path"]) for one in found], "a pack of the machine finds something else")
    for what, status in (("never", 0), ("needs-person", 1)):
        done = world.review("--fail-on", what, "base:rules/port")
        expect(done.returncode == status and done.stdout, f"--fail-on {what} ended with {done.returncode}")
    done = world.review("base:rules/port", head="refs/pull/6/head")
    expect(done.returncode == 0, f"a change that touches nothing ended with {done.returncode}: {done.stdout}{done.stderr}")
    done = run(BOT / "review", "--remote", world.server, "--base", f"refs/heads/{BRANCH}", "--head", HEAD, "base:rules/port", cwd=world.temp / "empty")
    expect(done.returncode == 1, f"a base with an odd name ended with {done.returncode}: {done.stderr}")
    world.look_for_marks("review")


def check_refusals(world):
    good = {"--remote": str(world.server), "--base": "refs/heads/main", "--head": HEAD, "--fail-on": "never", "--out": "text=-"}
    upload_pack = "--upload-pack=touch $MARKS/upload;git-upload-pack"
    for option, value, says in (("--head", "-x", "no full name"), ("--head", "refs/heads/../x", "no full name"), ("--head", "refs/heads/a:refs/heads/b", "no full name"), ("--base", "main", "no full name"),
                                ("--head", "refs/pull/8/head", "could not be fetched"), ("--remote", upload_pack, "no URL"), ("--remote", "https://u:secret@localhost/r", "password"),
                                ("--remote", f"{world.temp}/nowhere", "could not be fetched"), ("--fail-on", "nevr", "needs-person or never"), ("--out", "text", "FORMAT=FILE"), ("--out", "x=-", "x"), ("", "base:../port", "name a folder"),
                                ("", "base:rules/none", "no folder"), ("", "base:README", "no folder"), ("", "base:-x", "name a folder"), ("", "nowhere", "nowhere"), ("", "base:engine", "pack.toml")):
        words = [word for pair in (good | ({option: value} if option else {})).items() for word in pair]
        done = run(BOT / "review", *words, "base:rules/port" if option else value, cwd=world.temp / "empty")
        expect(done.returncode == 2 and says in done.stderr and "secret" not in done.stderr and done.stdout == "", f"{option} {value}: {done.returncode} {done.stdout}{done.stderr}")
    expect(run(BOT / "review", "--head").returncode == 2, "half a command line is taken")
    world.look_for_marks("a refusal")
    # What a fault says is one annotation in a workflow, whatever it holds.
    noisy = program(world.temp / "bin/noisy", "#!/bin/sh\nprintf '::error::a\\n##[set-output name=b]c\\033[31m%%0A100%%\\n' >&2\nexit $NOISY\n")
    for status, command in (("2", "error"), ("0", "warning")):
        done = world.review("--out", "github=-", "base:rules/port", env=os.environ | {"PORTPATCH": str(noisy), "NOISY": status})
        found, wrong = workflow_commands(done.stdout)
        expect(done.returncode == int(status) and not wrong and done.stderr == "" and [one["command"] for one in found] == [command] and "##[set-output name=b]c?[31m%0A100%" in found[0]["data"],
               f"a fault in a workflow: {done.returncode} {done.stdout!r} {done.stderr!r} {wrong}")


def check_summary_is_cut(world):
    long = program(world.temp / "bin/long", "#!/usr/bin/env python3\nimport sys\nfor i in range(60000): sys.stdout.buffer.write('\u00e4\u00f6\u00fc {} word\\n'.format(i).encode() * 2)\n")
    done = world.review("--out", f"markdown={world.temp}/long.md", "base:rules/port", env=os.environ | {"PORTPATCH": str(long)})
    text = (world.temp / "long.md").read_bytes()
    expect(done.returncode == 0 and len(text) < 1 << 20 and text.startswith(b"This summary is cut: ") and text.decode().endswith(" word\n"), f"a long summary: {done.returncode} {len(text)} {text[:100]}")


class Guard(http.server.SimpleHTTPRequestHandler):
    """Serves files to who has the token."""
    wanted = "Basic " + base64.b64encode(b"robot:sesame").decode()

    def do_GET(self):
        if self.headers.get("Authorization") == self.wanted:
            return super().do_GET()
        self.send_error(401)

    def log_message(self, *_):
        pass


def check_token(world):
    must("git", "-C", world.server, "update-server-info")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Guard, directory=world.temp))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    spy = program(world.temp / "bin/spy", f'#!/bin/sh\n{{ env; cat "/proc/$PPID/environ" | tr "\\0" "\\n" | grep -v ^BOT_TOKEN=; printf "%s\\n" "$@"; cat "$2/config"; }} >>"{world.temp}/seen"\nexec "{PORTPATCH}" "$@"\n')
    words = ["--remote", f"http://127.0.0.1:{server.server_port}/server.git", "--base", "refs/heads/main", "--head", HEAD, "base:rules/port"]
    environment = os.environ | {"PORTPATCH": str(spy), "BOT_USER": "robot"}
    done = run(BOT / "review", *words, env=environment | {"BOT_TOKEN": "sesame"}, cwd=world.temp / "empty")
    seen = (world.temp / "seen").read_text() if (world.temp / "seen").exists() else ""
    expect(done.returncode == 1 and done.stdout, f"with a token: {done.returncode} {done.stderr}")
    expect("bare = true" in seen and "sesame" not in seen and Guard.wanted not in seen, "portpatch or the repository sees the token")
    done = run(BOT / "review", *words, env=environment | {"BOT_TOKEN": "wrong"}, cwd=world.temp / "empty")
    expect(done.returncode == 2 and "could not be fetched" in done.stderr and "wrong" not in done.stderr, f"with a wrong token: {done.returncode} {done.stderr}")
    server.shutdown()
    server.server_close()
    world.look_for_marks("a fetch with a token")


def load_yaml(name):
    import yaml

    class Strict(yaml.SafeLoader):
        """Refuses a key that stands twice."""

        def construct_mapping(self, node, deep=False):
            keys = [self.construct_object(key) for key, _ in node.value]
            expect(len(keys) == len(set(keys)), f"{name}: a key stands twice in {keys}")
            return super().construct_mapping(node, deep)
    return yaml.load((BOT / name).read_text(), Strict)


def keys_are(found, required, optional, where):
    expect(required <= set(found) <= required | optional, f"{where} has the keys {sorted(map(str, found))}")


def check_yaml():
    for name in ("action.yml", "workflow.yml", "gitlab-ci.yml"):
        code = "\n".join(line.partition("# ")[0] for line in (BOT / name).read_text().splitlines())
        expect("pull_request_target" not in code, f"{name} takes pull_request_target")
    action = load_yaml("action.yml")
    keys_are(action, {"name", "description", "inputs", "runs"}, set(), "action.yml")
    for name, about in action["inputs"].items():
        keys_are(about, {"description"}, {"default", "required"}, f"the input {name}")
        expect(set(about) & {"default", "required"}, f"the input {name} has no default and is not required")
    keys_are(action["runs"], {"using", "steps"}, set(), "runs")
    expect(action["runs"]["using"] == "composite", "action.yml is not composite")
    for step in action["runs"]["steps"]:
        keys_are(step, {"shell", "env", "run"}, set(), "a step of action.yml")
        expect(step["shell"] == "bash" and "${{" not in step["run"], f"a step: {step}")
        for value in step["env"].values():
            expect(re.fullmatch(r"\$\{\{ inputs\.[a-z-]+ \}\}", value) and value[11:-3] in action["inputs"], f"{value} is no input")

    workflow = load_yaml("workflow.yml")
    keys_are(workflow, {"name", True, "permissions", "concurrency", "jobs"}, set(), "workflow.yml")  # YAML 1.1 takes `on` for true
    expect(workflow[True] == "pull_request" and workflow["permissions"] == {"contents": "read"}, "workflow.yml: event or permissions")
    for job in workflow["jobs"].values():
        keys_are(job, {"runs-on", "container", "timeout-minutes", "steps"}, set(), "a job")
        for step in job["steps"]:
            keys_are(step, {"uses", "with"}, set(), "a step of workflow.yml")
            expect(step["uses"] == "OWNER/REPOSITORY/samples/bot@FULL-COMMIT-ID", f"workflow.yml uses {step['uses']}")
            expect(set(step["with"]) <= set(action["inputs"]) and "packs" in step["with"] and "${{" not in str(step["with"]), f"a step passes {step['with']}")

    job = load_yaml("gitlab-ci.yml")
    keys_are(job, {"portpatch"}, set(), "gitlab-ci.yml")
    job = job["portpatch"]
    keys_are(job, {"image", "rules", "variables", "timeout", "interruptible", "script", "artifacts"}, set(), "the GitLab job")
    expect(job["rules"] == [{"if": '$CI_PIPELINE_SOURCE == "merge_request_event"'}] and job["variables"]["GIT_STRATEGY"] == "none", "the GitLab job checks something out")
    expect(all(isinstance(line, str) for line in job["script"]) and job["artifacts"]["when"] == "always", "the GitLab job's script or artifacts")
    keys_are(job["artifacts"]["reports"], {"codequality", "junit"}, set(), "the reports")
    return action, workflow, job


def check_action(world, action, workflow):
    step = action["runs"]["steps"][0]
    given = workflow["jobs"]["review"]["steps"][0]["with"] | {"packs": "base:rules/port\n"}
    summary = world.temp / "summary.md"

    def played(event="pull_request", ref="refs/pull/7/merge", base="main", **inputs):
        values = {name: about.get("default", "") for name, about in action["inputs"].items()} | {"token": ""} | given | inputs
        summary.write_text("")
        return world.bash(step["run"], **{name: values[value[11:-3]] for name, value in step["env"].items()},
                          GITHUB_EVENT_NAME=event, GITHUB_REF=ref, GITHUB_BASE_REF=base, GITHUB_HEAD_REF=BRANCH, GITHUB_ACTION_PATH=str(BOT), GITHUB_REPOSITORY="server.git",
                          GITHUB_SERVER_URL=f"file://{world.temp}", GITHUB_STEP_SUMMARY=str(summary), GITHUB_ACTIONS="true", CI="true")

    done = played(cc="12.0", sarif=str(world.temp / "out.sarif"))
    found, wrong = workflow_commands(done.stdout)
    expect(done.returncode == 1 and not wrong and done.stderr == "", f"the action: {done.returncode} {wrong} {done.stderr}")
    expect(all(line.startswith("::") for line in done.stdout.splitlines()), f"the action prints more than commands: {done.stdout}")
    expect(any(one["command"] == "error" and "all-reduce-max-sizes" in one["title"] for one in found), f"no annotation of the lost rule: {found}")
    text = summary.read_text()
    expect(text.startswith("## portpatch") and "all-reduce-max-sizes" in text and is_plain(text), f"the summary: {text[:300]}")
    expect(json.loads((world.temp / "out.sarif").read_text())["version"] == "2.1.0", "the SARIF report")
    world.look_for_marks("the action")
    expect(played(**{"fail-on": "never"}).returncode == 0 and "all-reduce-max-sizes" in summary.read_text(), "fail-on: never")
    expect(played(base=BRANCH).returncode == 1, "a base with an odd name")
    done = played(ref="refs/pull/6/merge")
    expect(done.returncode == 0 and summary.read_text().startswith("## portpatch: 0 findings"), f"a change that touches nothing: {done.stdout}{summary.read_text()}")
    for bad in ({"event": "pull_request_target", "ref": "refs/heads/main"}, {"event": "pull_request_target"}, {"event": "push", "ref": "refs/heads/main"}, {"ref": "refs/pull/7/merge;x"}, {"packs": "\n"},
                {"packs": "base:rules/none", "fail-on": "never"}, {"fail-on": "nevr"}):
        done = played(**bad)
        expect(done.returncode == 2 and not workflow_commands(done.stdout)[1] and summary.read_text() == "", f"{bad}: {done.returncode} {done.stdout}{done.stderr}")
    world.look_for_marks("the action")


def check_gitlab(world, job):
    variables = job["variables"] | {"BOT": str(BOT), "BOT_PACKS": "base:rules/port"}
    project = {"CI_PROJECT_ID": "2", "CI_MERGE_REQUEST_PROJECT_ID": "1", "CI_JOB_TOKEN": "t", "CI_MERGE_REQUEST_PROJECT_URL": f"file://{world.temp}/server", "CI_MERGE_REQUEST_IID": "7",
               "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": BRANCH, "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": BRANCH, "CI_MERGE_REQUEST_TITLE": "$(touch $MARKS/title)"}
    for more, status in (({}, 1), ({"BOT_FAIL_ON": "never", "CI_PROJECT_ID": "1"}, 0), ({"CI_MERGE_REQUEST_IID": "8"}, 2), ({"BOT_PACKS": "base:none"}, 2)):
        for path in (world.temp / "empty").iterdir():
            path.unlink()
        done = world.bash("\n".join(job["script"]), **(variables | project | more))
        expect(done.returncode == status and is_plain(done.stdout + done.stderr), f"the GitLab job with {more}: {done.returncode} {done.stdout}{done.stderr}")
        reports = [world.temp / "empty" / name for name in job["artifacts"]["reports"].values()]
        expect([path.exists() for path in reports] == [status < 2] * 2, f"the GitLab job with {more} wrote {os.listdir(world.temp / 'empty')}")
    world.look_for_marks("the GitLab job")


def check_watch(world):
    own = world.temp / "own/port"

    def says(done, what, status=0):
        expect(done.returncode == status and is_plain(done.stdout + done.stderr), f"watch, {what}: {done.returncode} {done.stdout!r} {done.stderr!r}")
        return done.stdout

    expect(says(world.watch(own), "at first") == "", "what was there is told")
    expect(says(world.watch(own), "again") == "", "nothing changed, and something is told")
    world.git("commit", "-q", "--amend", "--allow-empty", "-m", "Again")
    world.push(HEAD)
    told = says(world.watch(own, "--", "--cc", "12.0"), "a new head")
    expect(told.startswith(f"{HEAD} at ") and re.search(r"^new   error    rule-lost +\S*port/python/all-reduce-max-sizes", told, re.M) and "what to do: " in told, f"a new head is told so:\n{told}")
    expect(says(world.watch(own, "--", "--cc", "12.0"), "again") == "", "a finding is told twice")
    world.git("commit", "-q", "--allow-empty", "-m", "More of the same")
    world.push(HEAD)
    expect(says(world.watch(own, "--", "--cc", "12.0"), "a newer head with the same") == "", "the same findings are told again")

    # What cannot be delivered is told again; a pack that is broken is told once.
    world.git("checkout", "-q", world.base, "--", "engine")
    world.commit("Bring the table back")
    world.push(HEAD)
    done = world.watch(own, "--tell", "false", "--", "--cc", "12.0")
    expect("false ended with 1" in done.stderr and says(done, "no delivery", 2) == "", f"a telling that fails: {done.stderr}")
    mail = program(world.temp / "bin/mail", f'#!/bin/sh\n{{ echo "$BOT_REF|$1"; cat; }} >>"{world.temp}/mail"\n')
    expect(says(world.watch(own, "--tell", f"{mail} 'two words'", "--", "--cc", "12.0"), "delivery") == "", "told to both")
    mail_text = (world.temp / "mail").read_text()
    expect(mail_text.startswith(f"{HEAD}|two words\n{HEAD} at ") and re.search(r"^gone  error    rule-lost", mail_text, re.M), f"what went away: {mail_text}")
    expect(says(world.watch(own, "--", "--cc", "12.0"), "again") == "", "what went away is told twice")
    settings = (own / "pack.toml").read_text()
    (own / "pack.toml").write_text("format = ")
    done = world.watch(own, "--", "--cc", "12.0")
    expect("review ended with 2" in done.stderr and says(done, "a broken pack", 2) == "", f"a broken pack: {done.stderr}")
    done = world.watch(own, "--", "--cc", "12.0")
    expect(done.stderr == "" and says(done, "a broken pack again", 2) == "", f"a fault is told twice: {done.stderr}")
    (own / "pack.toml").write_text(settings)
    says(world.watch(own, "--", "--cc", "12.0"), "a pack that is whole again")

    # A ref that comes, needs a person, and goes; one that a pattern names, and a run beside another one.
    world.git("reset", "-q", "--hard", world.base)
    world.make_hostile()
    world.push(f"refs/heads/{BRANCH}")
    told = says(world.watch("--refs", "refs/heads/*", own), "a branch")
    expect(told.startswith(f"refs/heads/{BRANCH} at ") and "rule-lost" in told, f"a branch with an odd name is told so:\n{told}")
    must("git", "-C", world.server, "update-ref", "-d", f"refs/heads/{BRANCH}")
    with open(world.temp / "state/lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        expect(says(world.watch("--refs", "refs/heads/*", own), "beside another") == "", "two runs at once")
    told = says(world.watch("--refs", "refs/heads/*", own), "a branch that went")
    expect(re.search(r"is not there any more: 0 new, \d gone, 0 as before$", told, re.M) and "\ngone  error    rule-lost" in told, f"a branch that went is told so:\n{told}")
    expect(says(world.watch("--refs", "refs/heads/*", own), "again") == "", "a branch that went is told twice")
    done = run(BOT / "watch", "--remote", world.server, "--base", "refs/heads/main", "--state", world.temp / "all", "--all", "base:rules/port")
    expect(f"{REQUEST_HEAD} at " in done.stdout and "refs/pull/6/head" not in done.stdout and done.returncode == 0, f"--all: {done.stdout}{done.stderr}")
    (world.temp / "state/told.json").write_text("{}")
    done = world.watch(own)
    expect("told.json" in done.stderr and says(done, "a broken state", 2) == "", f"a broken state: {done.stderr}")
    world.look_for_marks("watch")


def check_patience(world):
    """A review that does not end is ended, and tidies up."""
    loader = importlib.machinery.SourceFileLoader("watch", str(BOT / "watch"))
    watch = importlib.util.module_from_spec(importlib.util.spec_from_loader("watch", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(watch)
    watch.LONGEST_RUN = 3
    stuck = program(world.temp / "bin/stuck", f"#!/bin/sh\ntouch {world.temp}/stuck\nexec sleep 60\n")
    try:
        watch.run([str(BOT / "review"), "--remote", str(world.server), "--base", "refs/heads/main", "--head", HEAD, str(world.temp / "own/port")], PORTPATCH=str(stuck))
        expect(False, "a review without end is waited for")
    except watch.Fault as fault:
        expect("took longer than 3 s" in str(fault), f"a review without end: {fault}")
    world.look_for_marks("a review that was ended")


def check_scripts(action, job):
    expect(run("bash", "-n", BOT / "review").returncode == 0, "review is no bash")
    if not shutil.which("shellcheck"):
        print("skipped: shellcheck, which is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        step = Path(folder) / "step.sh"
        step.write_text("#!/bin/bash -e\n" + action["runs"]["steps"][0]["run"])
        script = Path(folder) / "gitlab.sh"
        script.write_text("#!/bin/sh\n" + "\n".join(job["script"]))
        done = run("shellcheck", BOT / "review", step, script)
        expect(done.returncode == 0, f"shellcheck: {done.stdout}")


def main():
    with tempfile.TemporaryDirectory(prefix="portpatch-bot.") as folder:
        world = World(Path(folder).resolve())
        check_review(world)
        check_refusals(world)
        check_summary_is_cut(world)
        check_token(world)
        try:
            action, workflow, job = check_yaml()
        except ImportError:
            print("skipped: the action, the workflow and the GitLab job, since python3-yaml is not installed")
        else:
            check_scripts(action, job)
            check_action(world, action, workflow)
            check_gitlab(world, job)
        check_watch(world)
        check_patience(world)


if __name__ == "__main__":
    finish(main)
