"""Every shape that the description of Python names, for the comparison of the two query engines."""
from __future__ import annotations

import os, sys as system
from collections import OrderedDict, defaultdict as dd
from typing import *

MiB = 1024 * 1024
EMPTY, PAIR = {}, (1, 2)
TABLE: dict[int, list[int]] = {9: [4, 6], **OTHER, 10: (8,), "s": {1, 2}, None: True}
TABLE[11] = [2, *REST]
TABLE[12][0] = -1
NESTED = MappingProxyType({1: frozenset({2}), 2: frozenset([3]), 3: types.MappingProxyType({})})
ORDERED = OrderedDict([(1, 2), (3, 4), (5, 6, 7)])
TUPLES = collections.OrderedDict(((1, 2), (3, 4)))
KEYWORDS = dict(a=1, b=f(2), **more)
PARENS = ({1: 2})
TEXT = "9.0a;" "10.0" r"\d" b"x" f"{MiB}"
a, (b, *c), [d, e] = f(x for x in y)
counter += 1
del counter


class A(Base, metaclass=M):
    attribute = 1
    other: int = 2

    @decorator
    async def method(self, a, b: int, c=1, d: int = 2, *args, e, **kwargs) -> int:
        def inner(*, x): return lambda y, z=1: y + z
        nonlocal_name = [i for i in range(3) if i] + [{k: v for k, v in z}, {w for w in z}]
        global G
        if (n := 1) > 0:
            pass
        elif n:
            ...
        else:
            return not n
        for i, j in z:
            continue
        else:
            break
        try:
            g(1, *a, k=2, **b)
        except (E, F) as error:
            raise
        finally:
            pass
        with open(x) as f, lock:
            yield f
        match command:
            case [x, y]:
                pass
            case Point(x=0):
                pass
            case name:
                pass
        return f(a=1, b=2)(c)(x for x in y)


type Alias[T] = list[T]
if True:
    import conditional.module as cm, plain.module
f(a=1, a=2)
f(a=1, 2)
f(**a, b)
f(1, (x for x in y), x for x in y)
def bad(a=1, b, **k, c): pass
from __future__ import late
