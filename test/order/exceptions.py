"""exceptions.py SOURCE TABLE: files of the library above 500 lines and structs above 20 members are those of a table.

The table is of Markdown; a row has a file, or a struct by its name, and the reason. Prints a line for each row that is
missing, too much, or without a reason, and what is to be done about it. Exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOMS = ("include", "rt", "channels", "spec", "synth", "view")
MOST_LINES, MOST_MEMBERS = 500, 20


def without_comments(text):
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", "", text, flags=re.M)


def structs(text):
    """The structs of a text that have a name, with their members. What a member contains is not counted."""
    for found in re.finditer(r"\bstruct\s+(\w+)\s*\{", text):
        depth, members = 1, 0
        for c in text[found.end() :]:
            if c in "{([":
                depth += 1
            elif c in "})]":
                depth -= 1
            elif c in ",;" and depth == 1:
                members += 1
            if depth == 0:
                break
        yield found.group(1), members


def measure(source):
    """What is there: lines by file, and members by struct."""
    lines, members = {}, {}
    for room in ROOMS:
        for path in sorted((source / room).rglob("*.[ch]")):
            text = path.read_text(errors="replace")
            lines[str(path.relative_to(source))] = text.count("\n")
            for name, count in structs(without_comments(text)):
                members["struct " + name] = max(count, members.get("struct " + name, 0))
    return lines, members


def main():
    source, table = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    lines, members = measure(source)
    rows = dict(re.findall(r"^\| `([^`]+)` \| *(.*?) *\|$", table.read_text(), flags=re.M))
    wrong = []
    for sizes, most, unit in (lines, MOST_LINES, "lines"), (members, MOST_MEMBERS, "members"):
        for name, size in sizes.items():
            if size > most and name not in rows:
                wrong.append(f"{name} is above {most} {unit} ({size}): make it smaller, or add a row with the reason")
            if size <= most and name in rows:
                wrong.append(f"{name} is no longer above {most} {unit} ({size}): take its row out")
    for name, reason in rows.items():
        if name not in lines and name not in members:
            wrong.append(f"{name} is nowhere: take its row out, or name it anew")
        if not reason:
            wrong.append(f"{name}: its row has no reason")
    for line in wrong:
        print(f"{table.name}: {line}", file=sys.stderr)
    return 1 if wrong else 0


sys.exit(main())
