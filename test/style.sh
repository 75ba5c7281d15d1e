#!/usr/bin/env bash
# What holds for every file: who includes whom, layout, names, words. HACKING.md has the rules.
set -u
shopt -s lastpipe # complain counts in this shell, not in one of its own
cd "$DAL_SRCDIR" || exit 1
failures=0

# complain RULE, the offending lines on standard input
complain()
{
    local lines
    lines=$(cat)
    [ -z "$lines" ] && return
    echo "FAIL: $1"
    echo "$lines" | sed 's/^/    /'
    failures=$((failures + 1))
}

folders="include rt channels spec synth view apps test tools"

# Source files below the given folders.
sources()
{
    find "$@" -name '*.[ch]' ! -path '*/golden/*' ! -path '*/bad/*' ! -path '*/work/*' | sort
}

# Each room, and the rooms and files that its files may include by "": itself and what is below it.
rooms() {
    cat <<'END'
include            include
rt/base            rt/base
rt/backend         rt/base rt/backend
rt/ocl             rt/base rt/backend rt/ocl
rt/cuda            rt/base rt/backend rt/cuda
channels           rt/base rt/backend include channels
rt/control         rt/base include rt/control
rt/report          rt/base include rt/report
rt/host            rt/base rt/backend include channels rt/control rt/report rt/host
rt/device          rt/base rt/backend include channels rt/control rt/report rt/host rt/device
rt/nodes           rt/base include channels rt/control rt/host rt/nodes
rt/mpi             rt/base/error.h include rt/nodes/transport.h rt/mpi
rt/live            rt/base/error.h rt/base/memory_stream.h view/page.h rt/live
rt/network         rt/base rt/backend include channels rt/control rt/report rt/host rt/device rt/nodes rt/live/server.h view/page.h rt/network
rt/app             rt/base rt/backend include channels rt/control rt/report rt/host rt/device rt/nodes rt/network rt/app
spec               rt/base spec
spec/sdf           rt/base spec/diag.h spec/limits.h spec/sdf
spec/read          rt/base spec/[a-z0-9]+.h spec/read
spec/check         rt/base spec/[a-z0-9]+.h spec/read/raw.h spec/check
synth/plan         rt/base include spec synth/text.h synth/plan
synth/predict      rt/base include spec synth/text.h synth/table.h synth/mapping.h synth/plan synth/predict
synth/search       rt/base include spec synth/text.h synth/plan synth/predict synth/search
synth/source       rt/base include spec synth/text.h synth/temporary.h synth/plan synth/source
synth/emit         rt/base include spec synth/text.h synth/plan synth/source/source.h synth/emit
synth/map          rt/base include spec synth/[a-z0-9]+.h synth/emit/tree.h synth/plan synth/predict synth/search synth/map
synth              rt/base include spec synth
view               rt/base include spec synth view
tools              rt/base rt/backend rt/ocl rt/cuda/driver.h rt/network/network.h rt/nodes/transport.h include channels spec tools
END
}

layers()
{
    local room below
    rooms | while read -r room below; do
        find "$room" -name '*.[ch]' -print0 |
            xargs -0 grep -nE '^ *# *include *"([a-z]+/)+' |
            grep -vE "include *\"(${below// /|})[/\"]" | complain "$room includes what is above it"
    done
    find rt -maxdepth 1 -name '*.[ch]' | complain "rt has rooms, and no file beside them"
}

libraries()
{
    sources $folders | xargs grep -nE '^ *# *include *<libxml/' | grep -v '^spec/read/' |
        complain "libxml outside of spec/read"
    sources $folders | xargs grep -nE '^ *# *include *<clang-c/' | grep -v '^synth/source/tree.h:' |
        complain "libclang outside of synth/source/tree.h"
    sources $folders | xargs grep -nE '^ *# *include *"synth/source/tree.h"' |
        grep -v '^synth/source/tree[a-z_]*.c:' | complain "libclang outside of synth/source/tree*.c"
    sources $folders | xargs grep -nE '^ *# *include *[<"]CL/' |
        grep -vE '^(rt/ocl|test/[a-z]+/input)/' | complain "CL/*.h is included by rt/ocl alone"
    sources rt channels | grep -vE '^rt/(ocl/|cuda/opencl_c.h)' | xargs grep -nE '(^|[^[:alnum:]_])(cl_[a-z]|CL_[A-Z]|DAL_CL)' |
        complain "OpenCL outside of rt/ocl: channels and rt know devices by rt/backend"
    sources $folders | xargs grep -nE '^ *# *include *[<"](cuda|nvrtc)' |
        complain "headers of CUDA: rt/cuda/driver.h has what is used"
    sources $folders | xargs grep -nE '^ *# *include *"rt/cuda/' | grep -vE '^(rt/cuda/|test/cuda/|tools/cuda_bench.c)' |
        complain "CUDA outside of rt/cuda"
    sources rt channels | grep -vE '^rt/(ocl|cuda|backend)/' | xargs grep -nE 'dal_backend_(opencl|cuda)' |
        complain "a backend is named outside of rt/backend"
    sources tools | grep -vE '^tools/dalbench' | xargs grep -nE '^ *# *include *"rt/ocl/' |
        complain "OpenCL by hand in a tool that is not to compare with it"
    sources $folders | xargs grep -nE '^ *# *include *<mpi.h>' | grep -vE '^(rt/mpi/|tools/dalbench_mpi.c:)' |
        complain "mpi.h is included by rt/mpi and dalbench_mpi alone"
    sources $folders | xargs grep -nE '^ *# *include *<microhttpd.h>' | grep -v '^rt/live/http.c:' |
        complain "microhttpd.h is included by rt/live/http.c alone"
    sources include rt channels | grep -vE '^rt/(base/(sync.h|schedule[a-z_]*.[ch])|mpi/.*|live/.*)$' |
        xargs grep -nE '^ *# *include *<(stdatomic|pthread|threads|semaphore).h>' |
        complain "threads and atomics come from rt/base/sync.h alone"
    sources include rt channels | grep -vE '^rt/base/(wake|sync|schedule[a-z_]*).[ch]$' |
        xargs grep -nE '<linux/futex.h>|SYS_futex' | complain "futexes are rt/base/wake.c's alone"
    sources rt channels | grep -vE '^rt/(base/(sync.h|schedule[a-z_]*.[ch])|mpi/.*|live/.*)$' |
        xargs grep -lE '[^a-z_](sched_yield|nanosleep|clock_gettime) *\(' | xargs grep -L 'include "rt/base/\(sync\|wake\).h"' |
        complain "naps and clocks come from rt/base/sync.h"
    sources include rt channels spec synth view tools | grep -vE '^(rt/base/(alloc|memory_stream|schedule[a-z_]*).[ch]|rt/mpi/mpi.c|rt/live/http.c|tools/dalbench_mpi.c)$' |
        xargs grep -nE '(^|[^a-z_])(malloc|calloc|realloc|strdup|strndup|asprintf|posix_memalign|aligned_alloc) *\(' |
        grep -vE ':[0-9]+: *(/?\*|//)' | complain "memory comes from rt/base/alloc.h alone"
}

# Words that are gone; a new one is a line.
gone() {
    cat <<'END'
sociable
unheard
spared
let_out
quieten
sharer
audience
outlet
family
thesis
END
}

# A static function has a name that a debugger can show: these are none.
bare='add|begin|build|check|close|complete|copy|count|enter|fail|find|fire|get|grow|handle|leave|look|make|measure|move|open|parse|refuse|release|run|set|start|stop|take|watch|work'

# Folders in which equal strings are strcmp(a, b) == 0.
equal_folders="include rt channels spec view apps tools test"

dialect()
{
    local words
    words=$(gone | paste -s -d '|')
    grep -nIiwE "$words" $texts | grep -v '^test/style.sh:' | complain "a word that is gone"
    sources $equal_folders | xargs grep -nE '!strn?cmp\(' | complain "equal strings are strcmp() == 0"
    sources $folders | grep -vE '^(apps|test/[a-z]*/(input|bad|good|golden))/' | xargs grep -nE "^static [^=;]*[ *]($bare)\(" | complain "a static function called as any other"
    sources $folders | xargs awk -v most=80 '
        FNR == 1 { start = 0 }
        /^\{/ { start = FNR }
        /^\}/ { if (start && FNR - start + 1 > most) print FILENAME ":" start ": " FNR - start + 1 " lines"; start = 0 }' |
        complain "a function of more than 80 lines"
}

# What a kind means is asked of include/kinds.h; the order of kinds means nothing.
kinds()
{
    sources $folders | xargs grep -nE \
        '[^[:alnum:]]kind(_at\([^()]*\))? *[<>]|[<>]=? *DAL_(CHANNEL|PROCESS|PROCESSOR)_[A-Z]' |
        complain "kinds are compared by < or >"
}

names()
{
    sources $folders | grep -v '^test/dal_style/' | xargs grep -nE \
        '^ *(typedef .*[[:alnum:]]_t *;|(struct|enum|union) +[[:alnum:]_]+_t *[;{])' |
        complain "no _t types of our own"
    # A header says itself what it needs to be included once.
    sources $folders | grep '\.h$' | while read -r header; do
        grep -qE '^#ifndef [A-Z0-9_]+_H$' "$header" || echo "$header"
    done | complain "a header without its guard"
}

texts=$(find $folders .ci m4 configure.ac Makefile.am dal.pc.in dal-uninstalled.pc.in \
    README.md HACKING.md NEWS -type f \
    ! -name '*.mjpeg' ! -name '*.avi' ! -name '*.png' ! -name '*.jpg' ! -name '*.bin' \
    ! -path '*/golden/*' ! -path '*/bad/*' ! -name 'elk-*' ! -name 'libtool.m4' ! -name 'lt*.m4' 2>/dev/null)

texts()
{
    local file
    grep -nIE '[[:blank:]]+$' $texts | complain "white space at the end of a line"
    grep -nIE '(^|[^[:alnum:]_./$}-])/(home|work|root|Users)/' $texts |
        grep -v '^test/style.sh:' | complain "a path of somebody's machine"
    for file in $texts; do
        if [ -s "$file" ] && [ -n "$(tail -c 1 "$file")" ]; then echo "$file"; fi
    done | complain "no newline at the end of the file"
}

layout()
{
    if [ "${CLANG_FORMAT:-no}" = no ]; then
        echo "note: there is no clang-format 14, the layout is not checked"
        return
    fi
    sources $folders | xargs "$CLANG_FORMAT" --dry-run --style=file 2>&1 |
        grep -E 'warning|error' | complain "not laid out as .clang-format says"
}

scripts()
{
    if ! command -v shellcheck >/dev/null; then
        echo "note: shellcheck is missing, scripts are not checked"
        return
    fi
    shellcheck -S warning -f gcc -e SC2086,SC1091,SC2319 .ci/run tools/check tools/demo tools/release tools/setup.sh tools/slow tools/completion/complete.sh tools/completion/dal.bash test/driver test/*.sh test/*/*.sh 2>&1 |
        complain "shellcheck"
}

# What a list of test/local.mk leaves out, or runs alone, is there.
lists()
{
    sed -nE '/^[A-Z]+_TESTS \+=/,/[^\\]$/p' test/local.mk | grep -oE 'test/[a-z0-9_/]+(\.sh)?' | while read -r test; do
        [ -e "$test" ] || [ -e "$test.c" ] || echo "$test"
    done | complain "a test in a list that is nowhere"
}

layers
libraries
lists
dialect
kinds
names
texts
layout
scripts
[ "$failures" = 0 ]
