"""The order of folders: order.py SOURCE BUILD ROOMS CIRCLES [--write]

ROOMS has a line for each folder with sources, from the ground up: its name, and the others that it may use, which all stand
above it in the file. Use is an include by "", or a symbol of the objects in BUILD that another folder's object defines.
CIRCLES lists the files that use each other by symbols in a circle, a circle a line. They lie in one folder. --write writes it.
"""
import collections, os, re, subprocess, sys

source, build, rooms_file, circles_file = sys.argv[1:5]
TOPS = ("include", "rt", "channels", "spec", "synth", "view", "tools", "bench")
wrong = []

rooms = {}
for line in open(rooms_file):
    room, *uses = line.split()
    wrong += [f"{rooms_file}: {room} uses {other}, which does not stand above it" for other in uses if other not in rooms]
    rooms[room] = {room, *uses}

sources = []
for top in TOPS:
    for folder, _, names in os.walk(os.path.join(source, top)):
        folder = os.path.relpath(folder, source)
        found = [os.path.join(folder, name) for name in names if name.endswith((".c", ".h"))]
        if found and folder not in rooms:
            wrong.append(f"{folder} has sources and no line in {rooms_file}")
        if found and any(room.startswith(folder + "/") for room in rooms):
            wrong.append(f"{folder} has folders below it, and sources of its own: {' '.join(found)}")
        sources += found
known = set(sources)
room_of = os.path.dirname

for file in sources:
    with open(os.path.join(source, file), encoding="utf-8") as lines:
        for included in re.findall(r'^ *# *include *"([^"]+\.h)"', lines.read(), re.M):
            if included in known and room_of(included) not in rooms.get(room_of(file), ()):
                wrong.append(f"{file} includes {included}")

# ---- symbols

objects = {}
for folder, _, names in os.walk(build):
    base = re.sub(r"/\.libs$", "", os.path.relpath(folder, build))
    for name in names:
        # An object of a library or a program: PREFIX-NAME.o, or NAME.o.
        match = re.fullmatch(r"(?:.*-)?([a-z0-9_]+)\.o", name)
        if match and f"{base}/{match[1]}.c" in known:
            objects[f"{base}/{match[1]}.c"] = os.path.join(folder, name)
if len(objects) < 100:
    sys.exit(f"there are only {len(objects)} objects in {build}")
defined, used = collections.defaultdict(set), {}
file_of = {path: file for file, path in objects.items()}
for file in objects:
    used[file] = set()
for line in subprocess.run(["nm", "-A", "-g", *file_of], check=True, capture_output=True, text=True).stdout.splitlines():
    path, (*_, kind, symbol) = line.split(":")[0], line.split()
    if kind == "U":
        used[file_of[path]].add(symbol)
    elif symbol != "main":
        defined[symbol].add(file_of[path])

uses = collections.defaultdict(set)
for file in used:
    for symbol in used[file]:
        definers = defined.get(symbol, set()) - {file}
        allowed = {d for d in definers if room_of(d) in rooms.get(room_of(file), ())}
        if definers and not allowed:
            wrong.append(f"{file} uses {symbol} of {' '.join(sorted(definers))}")
        if len(definers) == 1:
            uses[file] |= definers

# ---- circles of files (Tarjan 1972)

number, low, stack, circles = {}, {}, [], []


def visit(file):
    number[file] = low[file] = len(number)
    stack.append(file)
    for other in sorted(uses[file]):
        if other not in number:
            visit(other)
        if other in stack:
            low[file] = min(low[file], low[other])
    if low[file] == number[file]:
        at = stack.index(file)
        if len(stack) - at > 1:
            circles.append(" ".join(sorted(stack[at:])))
        del stack[at:]


sys.setrecursionlimit(10000)
for file in sorted(objects):
    if file not in number:
        visit(file)
for circle in circles:
    if len({room_of(file) for file in circle.split()}) > 1:
        wrong.append(f"a circle through several folders: {circle}")
if "--write" in sys.argv:
    with open(circles_file, "w", encoding="utf-8") as out:
        out.writelines(circle + "\n" for circle in sorted(circles))
listed = [set(line.split()) for line in open(circles_file)]
# A build with less in it has smaller ones.
wrong += [
    f"a circle that {circles_file} does not list: {circle}"
    for circle in circles
    if not any(set(circle.split()) <= other for other in listed)
]

if wrong:
    sys.exit("\n".join(sorted(wrong)))
print(f"{len(rooms)} folders, {len(sources)} files, {len(objects)} objects; {sum(len(c.split()) for c in circles)} files in {len(circles)} circles")
