#!/bin/sh
# What may stand at the cursor of a command line: what the completions for bash and zsh ask. Options are those of the
# program's or the verb's --help; names are those that `dalsynth --list` finds in the files of the command line.
#
#     complete.sh COMMAND WORD... CURRENT-WORD
#
# The first line tells what the others are: "words", whole ones; "words+", to which something is to be added; or nothing but
# "files" or "xml", where the name of a file is wanted.
set -fu

command=$1
program=${command##*/}
shift
position=$#
line_end='
'
files=
previous=
second=${1-}
while [ $# -gt 1 ]; do
    previous=$1
    case $1 in
    -*) ;;
    *.xml) files=$files${files:+$line_end}$1 ;;
    esac
    shift
done
current=${1-}
IFS=$line_end
ask() {
    "$command" ${verb:+"$verb"} "$@"
} 2>/dev/null </dev/null
verb=

dalsynth=dalsynth
case $command in
*/*) [ ! -x "${command%/*}/dalsynth" ] || dalsynth=${command%/*}/dalsynth ;;
esac

# names WHAT: of the first file that is a network.
names() {
    for network in $files; do
        "$dalsynth" --list="$1" "$network" 2>/dev/null </dev/null && return
    done
}

# Those of the first network and the first architecture.
processors() {
    for network in $files; do
        for machine in $files; do
            [ "$machine" != "$network" ] || continue
            "$dalsynth" --list=processors "$network" "$machine" 2>/dev/null </dev/null && return
        done
    done
}

# One a line, with = behind it where a value has to follow.
options() {
    ask --help | awk '/^ +-/ {
        for (i = 1; i <= 2 && $i ~ /^-/; i++) {
            word = $i
            sub(/[],[].*/, "", word)
            sub(/=.*/, "=", word)
            print word
            if ($i !~ /,$/) break
        } }'
}

# tell KIND PREFIX: standard input is the words. Those that go on from the current one are printed.
tell() {
    echo "$1"
    PREFIX=$2 CURRENT=$current awk \
        '{ word = ENVIRON["PREFIX"] $0; if ($0 != "" && index(word, ENVIRON["CURRENT"]) == 1) print word }'
}

# choices PREFIX WORD...
choices() {
    prefix=$1
    shift
    printf '%s\n' "$@" | tell words "$prefix"
}

# value OPTION PREFIX TEXT: the current word is the prefix and the text.
value() {
    case $1 in
    -D | --define)
        names variables | sed 's/$/=/' | tell words+ "$2"
        ;;
    -p | --parameter)
        names parameters | sed 's/$/=/' | tell words+ "$2"
        ;;
    --pin)
        case $3 in
        *=*) processors | tell words "$2${3%%=*}=" ;;
        *) names processes | sed 's/$/=/' | tell words+ "$2" ;;
        esac
        ;;
    --list | --names) choices "$2" processes ports outputs channels variables parameters processors ;;
    --analyze) choices "$2" json ;;
    --dump) ask --dump=LIST | sed 's/ .*//' | tell words "$2" ;;
    --format) choices "$2" text json sarif ;;
    --sizes) choices "$2" minimum fastest ;;
    --objective) choices "$2" throughput memory latency front ;;
    --device | --device2)
        "${command%"${command##*/}"}dalinfo" 2>/dev/null </dev/null | sed -n 's/^ *identifier *//p' | tell words "$2"
        ;;
    -o | --output | --depends | --times | --measured | --trace | --advice | --json | --plot | --apps | --keep | --maps) echo files ;;
    *) echo words ;;
    esac
}

# Does the option want a value as its next word?
wants_value() {
    case $1 in
    -D | -p | -o) return 0 ;;
    --*=*) return 1 ;;
    --?*) options | grep -qxF -e "$1=" ;;
    *) return 1 ;;
    esac
}

complete_dal() {
    case $position-$second in
    1-* | 2-help)
        { "$command" help </dev/null | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' && echo help; } 2>/dev/null | tell words ''
        ;;
    2-add) choices '' process ;;
    4-add)
        network=$(sed -n 's/^name = \([A-Za-z0-9_]*\)$/\1/p' Makefile 2>/dev/null)
        files=$network.xml
        names outputs | tell words ''
        ;;
    2-parts) "$command" parts 2>/dev/null </dev/null | sed 's/ .*//' | tell words '' ;;
    *-new | *-add | *-help) echo words ;;
    *)
        verb=$second
        program=dal$second
        return 1
        ;;
    esac
}

complete_argument() {
    case $program in
    dalbench)
        { ask --help | sed -n '/^Experiments/,$s/^  \([a-z]*\)  .*/\1/p' && echo all; } 2>/dev/null |
            tell words ''
        ;;
    dalinfo) echo words ;;
    *) echo xml ;;
    esac
}

if [ "$program" = dal ] && complete_dal; then
    :
elif wants_value "$previous"; then
    value "$previous" '' "$current"
else
    case $current in
    --*=*) value "${current%%=*}" "${current%%=*}=" "${current#*=}" ;;
    -*) options | tell words+ '' ;;
    *) complete_argument ;;
    esac
fi
