#!/usr/bin/env bash
# What --expand prints of a network within a network is the same network: names, analysis, and the tables of the program. Of all
# applications and of the good networks of test/spec, each as a part, and so with all that a network can say.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp -r "$source/apps" "$source/test/spec" .
architecture core_0 >cores.xml
mapping "* - core_0" >map.xml

# told FILE SECONDS: names of all that it has, and what is found out of it in that time
told() {
    local what
    for what in processes channels parameters ports; do
        "$dalsynth" --list=$what "$1" | sed "s/^/$what /" || return 1
    done
    "$dalsynth" --analyze=json --time-limit="$2" "$1" || true # of one that is dead
}

# same_told SECONDS: is the same told of the two?
same_told() {
    told whole.xml "$1" >a 2>/dev/null
    told flat.xml "$1" >b 2>/dev/null
    diff a b >c
}

# tables FILE: of its program on one core, if it can run there, but for where they are from
tables() {
    rm -rf out
    "$dalsynth" --emit-only -o out "$1" "$work/cores.xml" "$work/map.xml" >/dev/null 2>&1 || return 0
    sed '1,2d; /\.\(origin\|file\|digest\|key\) = /d; s|size given in .*||' out/net.c
}

count=0 programs=0
for network in apps/*/*.xml spec/good/*/*.xml; do
    if ! grep -q '<processnetwork' "$network" || grep -q '<port [^>]*/>$' <(grep '^  <port' "$network") || grep -q '"auto"' "$network"; then
        continue # a part that needs others around it, or one that waits for values
    fi
    cd "$(dirname "$network")"
    echo "<processnetwork name=\"whole\"><network name=\"X\" source=\"$(basename "$network")\"/></processnetwork>" >whole.xml
    if "$dalsynth" --expand whole.xml >flat.xml 2>messages; then
        ! grep -qE '<(network|variable|iterator)' flat.xml || fail "$network: it is not flat" flat.xml
        "$dalsynth" --expand flat.xml | cmp - flat.xml || fail "$network: it is another one when it is expanded again"
        same_told 0.05 || same_told 5 || fail "$network: the flat network is another one" c
        tables whole.xml >a
        tables flat.xml >b
        diff a b >c || fail "$network: the flat network has other tables" c
        count=$((count + 1))
        [ ! -s a ] || programs=$((programs + 1))
    elif ! grep -qE 'DOL|\[packages\]' messages; then # a library of a part may be missing
        fail "$network: --expand" messages
    fi
    cd "$work"
done
[ $count -gt 25 ] && [ $programs -gt 10 ] || fail "only $count networks, and $programs programs, were compared"
echo "flat: $count networks, $programs programs"
