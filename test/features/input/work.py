"""What work.c does, in Python."""

import numpy


def words(array):
    return array.reshape(-1).view("u4")


def fire(p):
    total = 17
    for number in words(p["in"]).tolist():
        total = total * 31 + number
    if "gain" in p.parameters:
        total *= p.parameters["gain"]
    if hasattr(p, "before"):
        total += int(words(p["before"])[0])
        words(p["after"])[:] = total * 3 % 2**32
    out = words(p["out"])
    out[:] = (numpy.arange(len(out)) + total % 2**32) % 2**32
