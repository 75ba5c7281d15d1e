#!/usr/bin/env bash
# Manual pages are complete: every option of --help stands in its page, every element and attribute of a schema, every name
# of dal.h; and the other way round. They are clean.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

pages=$source/doc/man

# same WHAT: `told` and `written` have the same words.
same() {
    sort -u told >a
    sort -u written >b
    [ -s a ] || fail "$1: nothing to compare"
    cmp -s a b || fail "$1: in the program alone (<), in the page alone (>)" <(diff a b)
}

# Options that a list of --help on standard input defines; "-o, --output=DIR" is two.
options_told() {
    grep -E '^ +-' | sed 's/^ *//; s/  .*//' | grep -oE '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,'
}

# Options that a page defines: those of its .It lines.
options_written() { # PAGE
    grep -E '^\.It Fl' "$1" | grep -oE 'Fl -?[A-Za-z][A-Za-z0-9-]*' | sed 's/^Fl /-/'
}

for program in synth/dalsynth synth/dalmap view/dalview tools/dalinfo bench/dalbench; do
    "$build/$program" --help | options_told >told
    options_written "$pages/${program#*/}.1" >written
    same "${program#*/}"
done
# Programs that dalsynth makes, by the text that they are made with.
sed -n 's/^ *"\(  .*\)\\n".*/\1/p' "$source/rt/app/main.c" | options_told >told
options_written "$pages/dal-program.7" >written
same dal-program

# Verbs of dal, each with its --help, stand in its page between two marks. REGENERATE=1 writes them there.
if command -v python3 >/dev/null; then
    PATH=$build/tools:$PATH python3 "$source/test/install/verbs.py" "$pages/dal.1" >dal.1 || fail "what dal --help says is not understood"
    [ -z "${REGENERATE:-}" ] || cat dal.1 >"$pages/dal.1"
    cmp -s dal.1 "$pages/dal.1" || fail "dal.1 has other verbs than dal (REGENERATE=1 writes them)" <(diff "$pages/dal.1" dal.1)
fi

# Names of dal.h: functions that are declared or defined, macros; those with two underscores are its own affair.
{
    grep -oE '^#define +[A-Za-z_]+' "$source/include/dal.h" | sed 's/.* //'
    grep -E '^[A-Za-z].*\(' "$source/include/dal.h" | grep -oE '\b(DAL_[A-Za-z_]+|dal_[a-z_]+|createPort)\(' | tr -d '('
} | grep -vE '__|^DAL_H$' | sort -u >told
grep -vE '^\.(In|Nm|Fa|Ft)' "$pages/dal.h.3" | grep -E '^\.(Fn|It Fn|Dv|It Dv)' |
    grep -oE '\b(DAL_[A-Za-z_]+|dal_[a-z_]+|createPort|CREATEPORT[A-Z]*|GETINDEX)\b' |
    grep -vE '^DAL_PHASES$' >written # is the generated header's
same dal.h

# Names of dal_run.h: calls, members of structs, macros.
{
    grep -oE '^#define DAL_[A-Z_]+' "$source/include/dal_run.h" | sed 's/.* //' | grep -v '_H$'
    grep -oE '\bdal_run_[a-z_]+\(' "$source/include/dal_run.h" | tr -d '('
    sed -n '/^struct dal_run_[a-z_]* {/,/^}/p' "$source/include/dal_run.h" | sed 's|/\*.*||' |
        grep -oE '[a-z_]+(;|\)\()' | tr -d ';()'
} >told
grep -E '^\.(Fn|It Fn|It Dv|It Va)' "$pages/dal_run.h.3" |
    grep -oE '(Fn \*?|Dv |Va |, )[A-Za-z_]+' | sed 's|.*[ *]||' | grep -v '^NAME_' >written
same dal_run.h

# Schemas, element by element. Attributes stand as .It Va below the .It Ic of their elements.
if command -v python3 >/dev/null; then
    python3 - "$source/spec/schemas" "$pages" <<'END' || fail "a schema and its page differ"
import re, sys
from xml.etree import ElementTree

XS = "{http://www.w3.org/2001/XMLSchema}"

def of_schema(file):
    root = ElementTree.parse(file).getroot()
    types = {t.get("name"): t for t in root.iter(XS + "complexType") if t.get("name")}
    found = {}
    for element in root.iter(XS + "element"):
        body = types.get(element.get("type"), element)
        found.setdefault(element.get("name"), set()).update(a.get("name") for a in body.iter(XS + "attribute"))
    return found

def of_page(file):
    found, current = {}, []
    for line in open(file):
        if line.startswith(".It Ic"):
            current = re.findall(r"Ic ([A-Za-z0-9_]+)", line)
            for name in current:
                found.setdefault(name, set())
        elif line.startswith(".It Va"):
            for name in current:
                found[name].add(line.split()[2])
    return found

bad = 0
for schema, page in (("processnetwork", "network"), ("mapping", "mapping"), ("architecture", "architecture"), ("fsm", "fsm")):
    told, written = of_schema(f"{sys.argv[1]}/{schema}.xsd"), of_page(f"{sys.argv[2]}/dal-{page}.5")
    for name in sorted(set(told) | set(written)):
        for attribute in sorted(told.get(name, set()) ^ written.get(name, set())):
            where = "schema" if attribute in told.get(name, ()) else "page"
            print(f"dal-{page}: <{name} {attribute}> is in the {where} alone")
            bad = 1
        if (name in told) != (name in written):
            print(f"dal-{page}: <{name}> is in the {'schema' if name in told else 'page'} alone")
            bad = 1
sys.exit(bad)
END
else
    echo "python3 is missing: schemas are not compared"
fi

for page in "$pages"/*.[0-9]; do
    if command -v mandoc >/dev/null; then # what is worse than a matter of style
        mandoc -Tlint -W warning "$page" >log 2>&1 || true
        [ ! -s log ] || fail "mandoc: $page" log
    fi
    if command -v groff >/dev/null; then
        groff -mandoc -ww -z "$page" >log 2>&1 || true
        [ ! -s log ] || fail "groff: $page" log
    fi
done
command -v mandoc >/dev/null || command -v groff >/dev/null || echo "neither mandoc nor groff: how pages are written is not looked at"
