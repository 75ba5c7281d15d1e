#!/usr/bin/env bash
# The models of protocols (*.pml) that stand beside the code: the functions that each names are there, spin finds no fault
# in the model, and finds one in each variant that is broken on purpose. Prints states and depth of each search.
. "${DAL_SRCDIR:?}/test/lib.sh"

options='-DSAFETY -DNOFAIR -DVECTORSZ=2048 -DMEMLIM=512'

# Those that run; the others are for them to include.
models=$(cd "$source" && find channels rt -name '*.pml' -print0 | xargs -0 grep -l '^ \* Models$' | sort)

# names MODEL: "FILE FUNCTION", or "ROOM FUNCTION", for each function that its header names
names() {
    sed -nE '/^ \* Models$/,/^ \* Checked:/s/^ \*     ([a-z_/]+(\.[ch])?): (.*)/\1 \3/p' "$source/$1" |
        awk '{ for (i = 2; i <= NF; i++) print $1, $i }'
}

# check_names MODEL: a definition begins its line, and is no declaration
check_names() {
    local file function
    [ -n "$(names "$1")" ] || fail "$1 names no functions"
    names "$1" | while read -r file function; do
        grep -rhE --include='*.[ch]' "^([a-z].*[ *])?$function\(" "$source/$file" | grep -v ';$' >found ||
            fail "$1 models $function, which is not in $file"
    done
}

# search MODEL [VARIANT]: sets `errors`, `found` and `cost`
search() {
    local text=${1//\//_}
    rm -rf search
    mkdir search
    (cd search && ${CC:-cc} -E -x c -I "$source" ${2:+-D"$2"} "$source/$1" >"$text" && spin -a "$text" &&
        ${CC:-cc} -w $options -o pan pan.c && ./pan -w20 -m100000) >log 2>&1 || fail "no search in $1 ${2:-}" log
    if grep -qE 'out of memory|max search depth too small|search depth was truncated' log; then
        fail "the search in $1 ${2:-} is too large" log
    fi
    errors=$(sed -nE 's/.*errors: ([0-9]+).*/\1/p' log)
    found=$(sed -nE 's/^pan:1: (.*) \(at depth.*/\1/p' log)
    cost="$(sed -nE 's/ *([0-9]+) states, stored.*/\1/p' log) states, depth $(sed -nE 's/.*depth reached ([0-9]+),.*/\1/p' log)"
    [ -n "$errors" ] || fail "no result for $1 ${2:-}" log
}

# check_model MODEL: the whole state space is without a fault; that of each variant has one
check_model() {
    local variant variants
    search "$1"
    if [ "$errors" != 0 ]; then
        (cd search && spin -t -p ./*.pml | tail -n 60) || true
        fail "$1: $found"
    fi
    grep -q 'Search not completed' log && fail "the search in $1 was not completed" log
    echo "$1: $cost"
    variants=$(grep -oE 'BROKEN_[A-Z_]+' "$source/$1" | sort -u)
    [ -n "$variants" ] || fail "$1 has no broken variant"
    for variant in $variants; do
        search "$1" "$variant"
        [ "$errors" != 0 ] || fail "$1: $variant is not found" log
        echo "    $variant: found after $cost"
    done
}

for model in $models; do
    check_names "$model"
done
command -v spin >/dev/null || skip "spin is missing"
for model in $models; do
    check_model "$model"
done
