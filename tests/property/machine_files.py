"""The machine's own files of a kind, outside of what we and our tests write."""
import os
import sys

ROOTS = ("/usr/include", "/usr/lib", "/usr/share", "/usr/local", "/opt", "/etc", sys.base_prefix,
         os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../node_modules"))
LARGEST = 200_000


def find(endings, most, largest=LARGEST):
    """Up to `most` files with one of `endings`, spread over all folders, in a stable order."""
    folders = {}
    seen = set()
    for root in ROOTS:
        for folder, below, names in os.walk(os.path.realpath(root)):
            below.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                if not name.endswith(endings) or os.path.islink(path) or not os.path.isfile(path):
                    continue
                key = (name, os.path.getsize(path))  # the same file of several installations counts once
                if key in seen or not 16 < key[1] <= largest:
                    continue
                seen.add(key)
                folders.setdefault(folder, []).append(path)
    found = []
    for turn in range(max(map(len, folders.values()), default=0)):  # one of each folder, then the next
        found += [paths[turn] for _, paths in sorted(folders.items()) if turn < len(paths)]
        if len(found) >= most:
            break
    return found[:most]
