"""What the checks of whole programs share: they collect mistakes and go on."""
import subprocess

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
