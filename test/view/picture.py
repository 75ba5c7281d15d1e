#!/usr/bin/env python3
"""picture.py FILE.svg: what Graphviz has drawn for dalview. Each arrow must end at shapes that are there, and ports of the
network must be at the left and the right of all. Prints a line for each shape, frame and arrow."""
import re
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
NEAR = 12  # points between an arrow and its shape


def numbers(text):
    return [float(n) for n in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]


def extent(group):
    """The rectangle of all lines of a group: left, top, right, bottom."""
    of = [n for e in group.iter() for n in numbers(e.get("points", "") + " " + e.get("d", ""))]
    of += [float(e.get(f"c{x}")) + sign * float(e.get(f"r{x}")) for e in group.iter(SVG + "ellipse") for sign in (-1, 1) for x in "xy"]
    return min(of[::2]), min(of[1::2]), max(of[::2]), max(of[1::2])


def near(box, point):
    return box[0] - NEAR <= point[0] <= box[2] + NEAR and box[1] - NEAR <= point[1] <= box[3] + NEAR


def words(group):
    return " ".join(t.text or "" for t in group.iter(SVG + "text"))


failures = 0


def check(what, holds):
    global failures
    if not holds:
        failures += 1
        print("FAIL:", what)


groups = [g for g in tree.parse(sys.argv[1]).iter(SVG + "g") if g.get("class")]
title = {g: g.find(SVG + "title").text for g in groups if g.find(SVG + "title") is not None}
shapes = {title[g]: g for g in groups if g.get("class").split()[0] == "node"}
boxes = {name: extent(g) for name, g in shapes.items()}
writers, readers = set(), set()
for g in groups:
    kind = g.get("class").split()
    if kind[0] == "cluster":
        print("frame", *kind[1:], words(g))
    if kind[0] != "edge":
        continue
    ends = [end.split(":")[0] for end in title[g].split("->")]
    writers.add(ends[0])
    readers.add(ends[1])
    line = numbers(g.find(".//" + SVG + "path").get("d"))
    check(f"an arrow to what is not there: {title[g]}", all(end in shapes for end in ends))
    if all(end in shapes for end in ends):
        check(f"an arrow begins elsewhere: {title[g]}", near(boxes[ends[0]], line[:2]))
        check(f"an arrow ends elsewhere: {title[g]}", near(boxes[ends[1]], line[-2:]))
        print("arrow", *(words(shapes[end]).split("  ")[0] for end in ends))
inside = [box for name, box in boxes.items() if "border" not in shapes[name].get("class")]
for name, g in shapes.items():
    kind = (g.get("class").split() + ["process"])[1]
    print(kind, words(g))
    if kind != "border":
        continue
    check(f"input {words(g)} is not at the left", name not in writers or all(boxes[name][2] < b[0] for b in inside))
    check(f"output {words(g)} is not at the right", name not in readers or all(boxes[name][0] > b[2] for b in inside))
sys.exit(1 if failures else 0)
