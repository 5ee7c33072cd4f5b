"""What the checks of whole programs share: they collect mistakes and go on."""
import subprocess
import sys

mistakes = []


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)


def must(*command, **options):
    done = run(*command, **options)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(is_true, what):
    if not is_true:
        mistakes.append(what)


def finish(check):
    """Runs the check and ends the program, with the status that it returns, else 1 when there were mistakes. They are told
    even where the check fails in the middle."""
    try:
        status = check()
    finally:
        for mistake in mistakes:
            print(mistake)
    sys.exit(status or (1 if mistakes else 0))
