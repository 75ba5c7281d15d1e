# What the tools share that draw networks by chance (test/predict/random_work.c): their options, and a folder to work in that
# is removed at the end.
# shellcheck shell=bash disable=SC2034 # no tool uses all of it
set -euo pipefail

build=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/dev
seed=1 tenths=3

usage() { # the fourth line of the tool
    sed -n '4s/^# *//p' "$0"
}

# take_options LETTERS ARGUMENT...: those that the tool has; then it is in its folder.
take_options() {
    local letters=$1 option
    shift
    [ "${1:-}" != --help ] || { usage && exit 0; }
    while getopts "$letters" option; do
        case $option in
        b) build=$OPTARG ;;
        n) networks=$OPTARG ;;
        m) mappings=$OPTARG ;;
        p) most=$OPTARG ;;
        c) cores=$OPTARG ;;
        d) device=$OPTARG ;;
        r) runs=$OPTARG ;;
        s) seed=$OPTARG ;;
        h) usage && exit 0 ;;
        *) usage >&2 && exit 2 ;;
        esac
    done
    build=$(cd "$build" && pwd)
    draw=$build/test/predict/random_work
    [ -x "$draw" ] || make -s -C "$build" test/predict/random_work
    work=$(mktemp -d "${TMPDIR:-/tmp}/dal-$(basename "$0").XXXXXX")
    trap 'rm -rf "$work"' EXIT
    cd "$work"
}
