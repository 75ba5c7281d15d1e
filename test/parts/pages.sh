#!/usr/bin/env bash
# dal-parts(7) and the table of parts are what the XML of the parts says, and so is what dal prints. REGENERATE=1 writes the pages.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
command -v python3 >/dev/null || skip "python3 is missing"
dal=$build/tools/dal

# page KIND FILE
page() {
    python3 "$source/test/parts/pages.py" "$1" "$source/parts" >page || fail "a part tells too little"
    [ -z "${REGENERATE:-}" ] || cat page >"$source/$2"
    cmp -s page "$source/$2" || fail "$2 is of other parts (REGENERATE=1 writes it)" <(diff "$source/$2" page)
}
page man doc/man/dal-parts.7
page table doc/reference/parts.md

# What is installed is what is there, and each part is described with all its ports and variables.
run 0 "$dal" parts
sed 's/ .*//' output >told
for file in "$source"/parts/*/*.xml; do basename "${file%/*}"; done | LC_ALL=C sort >there
cmp -s told there || fail "dal parts lists other parts" <(diff there told)
while read -r name; do
    case $name in *[!a-z0-9_-]*) fail "$name is no name of a part" ;; esac
    run 0 "$dal" parts "$name"
    python3 - "$source/parts/$name/$name.xml" output "$source/doc/man/dal-parts.7" "$name" <<'END' || fail "dal parts $name" output
import re
import sys
from xml.etree import ElementTree
told = [line.split() for line in open(sys.argv[2])]
section = open(sys.argv[3]).read().split(f"\n.Ss {sys.argv[4]}\n")[1].split("\n.Ss ")[0]
for element in ElementTree.parse(sys.argv[1]).getroot():
    if element.tag in ("port", "variable"):
        row = [words for words in told if words and words[0] == element.get("name")]
        assert any(" ".join(element.get("about").split()) in " ".join(words) for words in row), element.get("name")
        # The page and dal agree on which variables have to be given.
        has_none = any("(to be given)" in " ".join(words) for words in row)
        in_page = re.search(rf"^\.It Va {element.get('name')} .*; to be given\"$", section, re.M)
        assert has_none == bool(in_page), element.get("name")
END
    # Every file of a part is installed.
    find "$source/parts/$name" -type f | while read -r file; do
        grep -qE "(^|[[:space:]])${file#"$source"/}([[:space:]]|\$)" "$source"/parts/*.mk || fail "${file#"$source"/} is not installed"
    done
done <there

# The gallery names the packages of all parts that its jobs use.
gallery=$source/doc/manual/gallery.md
grep -E 'apt install|^        ' "$gallery" | tr ' ' '\n' >packages
grep -oE 'apps/[a-z]+' "$gallery" | sort -u | while read -r app; do
    grep -ohE 'dal:[a-z0-9_]+' "$source/$app"/*.xml | sort -u | while read -r name; do
        sed -nE 's/.*<needs .*debian="([^"]*)".*/\1/p' "$source/parts/${name#dal:}/${name#dal:}.xml"
    done
done | sort -u | while read -r package; do
    grep -qxF "$package" packages || fail "the gallery has no package $package"
done

# What is no part.
refused() { # TEXT WORD...
    run 1 "$dal" parts "$2"
    expect "$1" messages
    [ ! -s output ] || fail "it prints something" output
}
refused "like it are: dal:gain.xml" gian
refused "'dal:../gain.xml' names no part" dal:../gain.xml
refused "cannot read this file" none.xml
DAL_PARTS=$work/none refused "No such file or directory" gain
run 1 env DAL_PARTS="$work/none" "$dal" parts
expect "the folder of the parts that are installed: No such file or directory" messages
mkdir -p own/half
echo '<processnetwork name="half">' >own/half/half.xml
run 1 env DAL_PARTS="$work/own" "$dal" parts
expect "own/half/half.xml:" messages
run 2 "$dal" parts gain gain
expect "one part is wanted" messages

# A folder of the user's, with a name that is seen from there.
mkdir -p own/copy && sed 's/"gain"/"copy"/' "$source/parts/gain/gain.xml" >own/copy/copy.xml
rm -r own/half
cp "$source/parts/gain/gain.c" own/copy
run 0 env DAL_PARTS=own "$dal" parts
[ "$(sed 's/ .*//' output)" = copy ] || fail "another list" output
mkdir nets
cat >nets/n.xml <<'END'
<processnetwork name="n">
  <port type="input" name="in" tokentype="float"/>
  <port type="output" name="out" tokentype="float"/>
  <network name="A" source="dal:copy.xml"/>
  <channel from="in" to="A.in"/>
  <channel from="A.out" to="out"/>
</processnetwork>
END
run 0 env DAL_PARTS=own "$dalsynth" -o n nets/n.xml
