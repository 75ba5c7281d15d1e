"""Prints a page of dal with the part between its marks made of what `dal VERB --help` says."""
import re
import subprocess
import sys

BEGIN, END = '.\\" The verbs, by test/install/pages.sh.\n', '.\\" End of the verbs.\n'


def told(*words):
    return subprocess.run(["dal", *words], check=True, capture_output=True, text=True).stdout


def plain(line):
    line = line.strip().replace("\\", "\\e")
    line = re.sub(r"(?<=\w\w\.) +(?=[A-Z])", "\n", line)
    return "\\&" + line if line[:1] in (".", "'") else line


def option(text):
    """-o, --output=DIR in the words of mdoc."""
    found = []
    for word in text.split(", "):
        name, value = re.fullmatch(r"-(-?[A-Za-z0-9-]*)(.*)", word).groups()
        value = re.sub(r"^(\[?)=", r"\1", value)
        if word.startswith("--") and value:
            name += f" Ns Op = Ns Ar {value.strip('[]')}" if value[0] == "[" else f" Ns = Ns Ar {value}"
        found.append("Fl " + name)
    return ".It " + " , ".join(found)


def of_verb(verb, meaning):
    lines = told(verb, "--help").splitlines()
    page, in_list = [f".Ss {verb}", meaning[0].upper() + meaning[1:] + "."], False
    for line in lines:
        if re.match(r"([Uu]sage:|      ) *dal", line):
            page.append(".Dl " + plain(re.sub(r"^[Uu]sage:", "", line)).replace("[OPTION]...", "[option ...]"))
        elif re.match(r" {2,6}-", line):
            if not in_list:
                page.append(".Bl -tag -width Ds")
            in_list = True
            head, text = re.fullmatch(r" +((?:-\w, +)?--[\w-]+(?:\[?=\S+)?)(?: +(.*))?", line).groups()
            page.append(option(re.sub(r", +--", ", --", head)))
            if text:
                page.append(plain(text))
        elif line.strip() and not line.startswith("Exit status"):
            if in_list and not line.startswith(" "):
                page.append(".El")
                in_list = False
            page.append(plain(line))
    return page + ([".El"] if in_list else [])


def main():
    page = open(sys.argv[1], encoding="utf-8").read()
    head, tail = page[: page.index(BEGIN)] + BEGIN, page[page.index(END) :]
    verbs = re.findall(r"^  ([a-z]+) +(.*)$", told("help"), re.M)
    assert len(verbs) >= 15
    print(head + "\n".join(line for verb in verbs for line in of_verb(*verb)) + "\n" + tail, end="")


main()
