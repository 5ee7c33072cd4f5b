"""Every edit of Python's standard library."""
import glob
import random
import sysconfig

from python_cases import PythonFile

A_FILE = 10  # calls, signatures, bodies and removals of a file in the whole run; of displays all


def files(language):
    root = sysconfig.get_paths()["stdlib"]
    return sorted(p for p in glob.glob(f"{root}/**/*.py", recursive=True) if "/site-packages/" not in p)


def verdicts(engine, language, path, options):
    from judge import Verdict
    source = open(path, "rb").read()
    try:
        source.decode("utf-8")
        if b"\r" in source.replace(b"\r\n", b""):
            return
        file = PythonFile(path, source)
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return  # test files that are broken on purpose
    rng = random.Random(f"{options.seed} {path}")
    for family, cases in file.cases(rng).items():
        if options.families and family not in options.families.split(","):
            continue
        limit = 5 if options.sample else len(cases) if family == "display" else A_FILE
        for case in rng.sample(cases, min(limit, len(cases))):
            answer = engine.ask(**case.request)
            place = f"{path}:{getattr(case.node, 'lineno', 1)}"
            if answer["result"] == "edited":
                fault = file.fault(case, answer)
                verdict = ("WRONG", "wrong", f"{fault}") if fault else ("right", "", "")
            elif answer["result"] in ("blocked", "conflict"):
                verdict = ("blocked", answer["code"], answer["reason"])
            else:
                verdict = ("blocked", answer["result"], answer.get("reason", ""))
            yield Verdict("python", case.kind, verdict[0], verdict[1], place, verdict[2])
