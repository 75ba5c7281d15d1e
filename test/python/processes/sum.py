import sys

import numpy as np


def init(p):
    p.number = 0


def fire(p):
    sums = p["in"].reshape(2, 3).sum(axis=1) * p.parameters["gain"]
    p.out["sum"] = sums
    p.out["at.a"] = 250
    p.out["at.b"] = p.constants["few"]
    p.out["number"] = p.number + np.arange(2)
    p.out["odd"] = p.out["number"] % 2
    p.out["half"] = sums / 2
    p.number += 2


def finish(p):
    print("fired for", p.number, "sums", file=sys.stderr)
