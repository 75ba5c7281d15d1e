#!/usr/bin/env bash
# The manual is true. The files that a chapter shows are written, its commands run, and what they print is what it shows.
# README.md, the chapters and the reference are short, in short sentences, and their links lead somewhere. HACKING.md has
# the marks of blocks. With MANUAL_UPDATE=1 the chapters get what the commands have printed; `git diff` shows it then.
# With MANUAL_CHAPTERS="process kernel" only those run.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

export PATH=$build/tools:$build/synth:$build/view:$PATH
export PKG_CONFIG_PATH=$build${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export LC_ALL=C PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME=$work/cache
unset MAKEFLAGS MAKELEVEL MFLAGS # of the make that runs the tests
shopt -s nullglob
manual=$source/doc/manual
chapters=("$manual"/*.md)
#[ ${#chapters[@]} -ge 14 ] || fail "chapters are missing: ${#chapters[@]} are there"

# ---- texts ------------------------------------------------------------------------------------------------------------

. "$source/test/prose.sh"

# check_text FILE LINES: it has no more lines, no long sentence, and no link that leads nowhere.
check_text() {
    local name=${1#"$source/"} target
    [ "$(wc -l <"$1")" -le "$2" ] || echo "$name: more than $2 lines"
    prose "$1" | long_sentences "$name"
    { grep -oE '\]\([^)]+\)' "$1" || true; } | sed -E 's/^\]\(//; s/\)$//; s/#.*//' | while read -r target; do
        case $target in
        *://* | '') continue ;;
        esac
        [ -e "$(dirname "$1")/$target" ] || echo "$name: nothing is at $target"
    done
}

for text in "${chapters[@]}"; do
    check_text "$text" 150
done >wrong
check_text "$source/README.md" 120 >>wrong
for text in "$source"/doc/reference/*.md; do # most of them are tables
    check_text "$text" 180
done >>wrong
for text in "$source"/apps/*/README.md; do # what commands read is there, or one of them makes it
    { grep -E '^ +(dal|dalsynth|dalmap) ' "$text" || true; } | { grep -oE '(^| )[A-Za-z0-9_.-]+\.xml' || true; } |
        sort -u | while read -r name; do
        [ -e "${text%/*}/$name" ] || grep -qE "(>|-o) ?$name" "$text" || echo "${text#"$source/"}: nothing makes $name"
    done
done >>wrong
while read -r name; do # each chapter is reached from README.md
    grep -qF "doc/manual/${name##*/}" "$source/README.md" || echo "README.md does not name ${name#"$source/"}"
done < <(printf '%s\n' "${chapters[@]}") >>wrong
# Each chapter leads to the one that follows in README.md's list, and the last one to none.
previous=''
while read -r name; do
    [ -z "$previous" ] || grep -qE "^(Next|More): \[[^]]*\]\($name\)" "$manual/$previous" ||
        echo "doc/manual/$previous does not lead to $name"
    previous=$name
done < <(grep -E '^[0-9]+\. ' "$source/README.md" | grep -oE 'doc/manual/[a-z-]+\.md' | sed 's,.*/,,') >>wrong
! grep -q '^Next:' "$manual/$previous" || echo "doc/manual/$previous is the last one, and has a next" >>wrong
[ "$(grep -hcE '^Next:' "${chapters[@]}" | sort -rn | head -n 1)" = 1 ] || echo "a chapter has more than one next" >>wrong
# The codes of all diagnostics, with their meanings: a page that is made of the table in the sources.
codes=$source/$(cd "$source" && find . -path ./build -prune -o -name codes.h -print -quit)
page=$source/doc/reference/diagnostics.md
{
    sed '/^| `/,$d' "$page"
    { sed -n '/define DAL_CODE_LIST/,/[^\\]$/p' "$codes" | tr -d '\\\n' && echo; } | sed 's/X("/\n|/g' |
        sed -nE 's/^\|([a-z0-9-]+)", *"(.*)"\).*/| `\1` | \2 |/p' | sed 's/" *"//g; s/\\"/"/g'
} >diagnostics.md
if [ "${MANUAL_UPDATE:-0}" != 0 ]; then
    cmp -s diagnostics.md "$page" || cp diagnostics.md "$page"
fi
cmp -s diagnostics.md "$page" ||
    { echo "${page#"$source/"}: not of ${codes##*/}; MANUAL_UPDATE=1 makes it so:" && diff "$page" diagnostics.md; } >>wrong || true

# ---- examples ---------------------------------------------------------------------------------------------------------

# python3 of the chapters has NumPy, if any has.
! find_numpy || { mkdir bin && ln -s "$(command -v "$python")" bin/python3 && export PATH=$work/bin:$PATH; }

# What a command may need, by name: `have NAME`.
dalinfo --architecture -o machine.xml 2>log || fail "dalinfo" log
have() {
    case $1 in
    opencl) has_device machine.xml ;;
    mpi) find_mpi >/dev/null ;;
    numpy) find_numpy ;;
    python) pkg-config --exists python3-embed && find_numpy ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

# as_shown SHOWN PRINTED: are they equal, where `...` stands for anything?
as_shown() {
    local pattern
    pattern=$(sed 's/[][\\*?]/\\&/g; s/\.\.\./*/g' <<<"$1")
    # shellcheck disable=SC2053 # a pattern
    [[ $2 == $pattern ]]
}

# settle WANTED: runs the command that was read, which works or fails, and prints what the chapter should show. Sets `bad`
# where it shows something else.
settle() {
    [ -n "$command" ] || return 0
    local wanted=$1 printed status=0
    (cd "$(cat "$state")" && eval "$command" && pwd >"$state") >"$state.out" 2>&1 </dev/null || status=$?
    shown=$(printf '%s' "$shown") # as $() leaves it
    printed=$(sed 's/[[:blank:]]*$//' "$state.out")
    if ! as_shown "$shown" "$printed"; then
        bad=yes
        echo "FAIL: $name: $command" >&2
        diff -u --label shown --label printed <(echo "$shown") <(echo "$printed") >&2 || true
        shown=$printed
    fi
    if { [ $status = 0 ] && [ "$wanted" = fails ]; } || { [ $status != 0 ] && [ "$wanted" = works ]; }; then
        bad=yes
        echo "FAIL: $name: exit status $status: $command" >&2
        cat "$state.out" >&2
    fi
    [ -z "$shown" ] || echo "$shown"
    command='' shown=''
}

# console INFO: the lines of a block of commands; prints them as they should be.
console() {
    local command='' shown='' last=works line word
    for word in $1; do
        case $word in
        fails) last=fails ;;
        needs=*)
            if ! have "${word#needs=}"; then
                echo "note: $name: skipped, ${word#needs=} is missing" >&2
                cat
                return
            fi
            ;;
        esac
    done
    while IFS= read -r line; do
        if [[ $line == '$ '* ]]; then
            settle works
            echo "$line"
            command=${line#'$ '}
        elif [[ $command == *\\ ]]; then
            echo "$line"
            command+=$'\n'$line
        else
            shown+=$line$'\n'
        fi
    done
    settle "$last"
    [ "$bad" = no ] || touch "$state.bad"
}

# chapter FILE: writes its files, runs its commands, and prints it as it should be.
chapter() {
    local name=${1##*/} bad=no line info='' block='' inside=no state
    name=${name%.md}
    state=$work/$name.state
    mkdir -p "$work/chapters/$name"
    echo "$work/chapters/$name" >"$state"
    while IFS= read -r line; do
        if [ $inside = no ]; then
            echo "$line"
            [[ $line != '```'* ]] || { inside=yes info=${line#'```'} block=''; }
        elif [ "$line" = '```' ]; then
            inside=no
            case $info in
            console*) printf '%s' "$block" | console "$info" ;;
            *file=*)
                file=$work/chapters/$name/${info##*file=}
                mkdir -p "${file%/*}"
                printf '%s' "$block" | tee "$file"
                ;;
            *) printf '%s' "$block" ;;
            esac
            echo "$line"
        else
            block+=$line$'\n'
        fi
    done <"$1"
}

for text in "${chapters[@]}" "$source/README.md"; do
    name=$(basename "$text" .md)
    [[ " ${MANUAL_CHAPTERS:-$name} " == *" $name "* ]] || continue
    chapter "$text" >"$work/$name.md"
    if [ "${MANUAL_UPDATE:-0}" != 0 ]; then
        cmp -s "$work/$name.md" "$text" || cp "$work/$name.md" "$text"
    fi
    [ ! -e "$work/$name.state.bad" ] || echo "$name" >>bad
done
[ ! -s wrong ] || fail "texts" wrong
[ ! -e bad ] || fail "chapters that show what is not so" bad

# ---- the site -----------------------------------------------------------------------------------------------------------

command -v pandoc >/dev/null || { echo "note: pandoc is missing, the site is not made" && exit 0; }
"$source/doc/site/make" "$source" "$work/site" >log 2>&1 || fail "make html" log
find site -name '*.html' | while read -r html; do
    { tr '\n' ' ' <"$html" | grep -oE '<(a|img) [^>]*(href|src)="[^":#]+' || true; } | sed 's/.*"//' | while read -r target; do
        [ -e "$(dirname "$html")/$target" ] || echo "$html: nothing is at $target"
    done
done >wrong
[ ! -s wrong ] || fail "the site" wrong
[ "$(find site -name '*.html' | wc -l)" -gt 30 ] || fail "the site lacks pages" log
