"""What work.c does, in Python."""

import numpy


def words(array):
    return array.reshape(-1).view("u4")


def fire(p):
    total = 17
    odd = p.constants["odd"].tolist()
    for i, number in enumerate(words(p["in"]).tolist()):
        total = total * 31 + number * odd[i % 3]
    if "gain" in p.parameters:
        total *= p.parameters["gain"]
    if hasattr(p, "before"):
        total += int(words(p["before"])[0])
        words(p["after"])[:] = total * 3 % 2**32
    if hasattr(p, "latest"):
        total += int(words(p["latest"])[0])
        words(p["last"])[:] = total % 2**32
    out = words(p["out"])
    out[:] = (numpy.arange(len(out)) + total % 2**32) % 2**32
