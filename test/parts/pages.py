"""Prints dal-parts(7), or doc/reference/parts.md, of the XML of all parts.

    pages.py man|table PARTS-FOLDER
"""
import re
import sys
from pathlib import Path
from xml.etree import ElementTree


class Part:
    """What a part's file says to those who use it."""

    def __init__(self, file):
        root = ElementTree.parse(file).getroot()
        self.name = root.get("name")
        self.about = root.get("about", "")
        self.ports = root.findall("./iterator/port") + root.findall("port")
        self.variables = root.findall("variable")
        self.needs = root.findall("needs")
        self.parameters = [(f"{process.get('name')}.{parameter.get('name')}", parameter)
                           for process in root.iter("process") for parameter in process.findall("parameter")]
        if self.name != file.stem:
            sys.exit(f"{file}: the network's name is {self.name}")
        self.check_parameters(file)
        for what in [root, *self.ports, *self.variables]:
            if not what.get("about"):
                sys.exit(f"{file}: {what.tag} {what.get('name')} has no about")

    def check_parameters(self, file):
        """A parameter that begins as a number's variable has its type and its range: so -p and dal set are refused alike."""
        variables = {f"${{{variable.get('name')}}}": variable for variable in self.variables}
        types = {"integer": "long", "real": "double"}
        for name, parameter in self.parameters:
            variable = variables.get(parameter.get("value"))
            wanted = types.get(variable.get("type", "integer")) if variable is not None else None
            if wanted and (parameter.get("type"), parameter.get("min"), parameter.get("max")) != (
                    wanted, variable.get("min"), variable.get("max")):
                sys.exit(f"{file}: {name} has not the type and the range of its variable")


def read_parts(folder):
    files = sorted(file for file in Path(folder).glob("*/*.xml") if file.stem == file.parent.name)
    return [Part(file) for file in files]


def value_of(variable):
    """What a variable is where the network says nothing."""
    value = variable.get("value")
    return "to be given" if value is None else value or "empty"


def range_of(variable):
    """integer from 1 to 9 Hz"""
    words = [variable.get("type", "integer")]
    if variable.get("values"):
        words += ["of", " ".join(variable.get("values").split())]
    for word, limit in ("from", "min"), ("to", "max"):
        if variable.get(limit):
            words += [word, variable.get(limit)]
    if variable.get("unit"):
        words += ["in", variable.get("unit")]
    return " ".join(words)


# ---- the manual page -------------------------------------------------------------------------------------------------

def mdoc(text):
    """Text as mdoc has it: a line a sentence."""
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"(?<=[\w)]{2}\.) +(?=[A-Z])", "\n", text)
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def man_list(title, entries):
    """Entries are names, each with what is behind it, and a sentence."""
    if not entries:
        return []
    lines = [".Pp", title + ":", ".Bl -tag -width Ds -compact"]
    for name, kind, about in entries:
        kind = mdoc(kind).replace('"', "\\(dq")
        lines.append(f".It Va {mdoc(name)}" + (f' Pq "{kind}"' if kind else ""))
        if about:
            lines.append(mdoc(about))
    return lines + [".El"]


def man_part(part):
    lines = [f".Ss {mdoc(part.name)}", mdoc(part.about)]
    lines += man_list("Ports", [(port.get("name"), " ".join(filter(None, (
        port.get("type"), port.get("tokentype"), port.get("unit") and "in " + port.get("unit")))),
        port.get("about")) for port in part.ports])
    lines += man_list("Variables", [(variable.get("name"), f"{range_of(variable)}; {value_of(variable)}",
                                     variable.get("about")) for variable in part.variables])
    lines += man_list("Parameters", [(name, "live" if parameter.get("live") in ("true", "1") else "",
                                      parameter.get("about", "")) for name, parameter in part.parameters])
    lines += man_list("Packages of pkg\\-config", [(needs.get("pkg"), "", f"Debian: {needs.get('debian', '?')}")
                                                   for needs in part.needs])
    return lines


MAN_HEAD = """.\\" By test/parts/pages.py of the XML of the parts.
.Dd November 27, 2026
.Dt DAL-PARTS 7
.Os
.Sh NAME
.Nm dal-parts
.Nd networks that are installed as parts
.Sh DESCRIPTION
A network uses a part of this list as
.Dl <network name="Low" source="dal:NAME.xml" VARIABLE="VALUE"/>
A part is in
.Pa NAME/NAME.xml
of the folder
.Ev DAL_PARTS ,
or of
.Pa share/dal/parts .
.Ic dal parts Ar NAME
prints what stands here."""
MAN_TAIL = """.Sh SEE ALSO
.Xr dal 1 ,
.Xr dal-network 5"""


def print_man(parts):
    lines = [MAN_HEAD]
    for part in parts:
        lines += man_part(part)
    print("\n".join(lines + [MAN_TAIL]))


# ---- the table -------------------------------------------------------------------------------------------------------

TABLE_HEAD = """# Parts

Networks use these parts as `source="dal:NAME.xml"`. dal-parts(7) and `dal parts NAME` say more of each.
[A part of your own](../manual/own-part.md) shows how one is written. `test/parts/pages.py` makes this page of the parts.

| part | what it is | inputs | outputs | variables | Debian packages |
| --- | --- | --- | --- | --- | --- |"""


def cell(words):
    return " ".join(words).replace("|", "\\|")


def print_table(parts):
    print(TABLE_HEAD)
    for part in parts:
        ends = [cell(f"`{port.get('name')}`" for port in part.ports if port.get("type") == kind)
                for kind in ("input", "output")]
        variables = cell(f"`{variable.get('name')}`" for variable in part.variables)
        packages = cell(needs.get("debian", needs.get("pkg")) for needs in part.needs)
        print(f"| {part.name} | {cell([part.about])} | {' | '.join(ends)} | {variables} | {packages} |")


def main():
    kind, folder = sys.argv[1:]
    {"man": print_man, "table": print_table}[kind](read_parts(folder))


main()
