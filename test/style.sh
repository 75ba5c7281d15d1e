#!/usr/bin/env bash
# What holds for every file: foreign headers, layout, names, words. HACKING.md has the rules.
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

folders="include rt channels spec synth view apps parts bench test tools"

# Source files below the given folders.
sources()
{
    find "$@" -name '*.[ch]' ! -path '*/golden/*' ! -path '*/bad/*' ! -path '*/work/*' | sort
}

libraries()
{
    sources $folders | xargs grep -nE '^ *# *include *<libxml/' | grep -vE '^spec/(xml|read|dialects|write)/' |
        complain "libxml outside of spec/xml, spec/read, spec/dialects and spec/write"
    sources $folders | xargs grep -nE '^ *# *include *<clang-c/' | grep -v '^synth/codegen/clang/tree.h:' |
        complain "libclang outside of synth/codegen/clang/tree.h"
    sources $folders | xargs grep -nE '^ *# *include *"synth/codegen/clang/tree.h"' |
        grep -v '^synth/codegen/clang/tree[a-z_]*.[ch]:' | complain "libclang outside of synth/codegen/clang/tree*"
    sources $folders | xargs grep -nE '^ *# *include *[<"]CL/' |
        grep -vE '^(rt/ocl|test/[a-z]+/input)/' | complain "CL/*.h is included by rt/ocl alone"
    sources rt channels | grep -vE '^rt/(ocl/|cuda/opencl_c.h)' | xargs grep -nE '(^|[^[:alnum:]_])(cl_[a-z]|CL_[A-Z]|DAL_CL)' |
        complain "OpenCL outside of rt/ocl: channels and rt know devices by rt/backend"
    sources $folders | xargs grep -nE '^ *# *include *[<"](cuda|nvrtc)' |
        complain "headers of CUDA: rt/cuda/driver.h has what is used"
    sources $folders | xargs grep -nE '^ *# *include *"rt/cuda/' | grep -vE '^(rt/cuda/|rt/devices/backends.c|test/[a-z]+/test_|test/cuda/|bench/cuda_bench.c)' |
        complain "CUDA outside of rt/cuda and rt/devices"
    sources rt channels | grep -vE '^rt/(ocl|cuda|backend|devices)/' | xargs grep -nE 'dal_backend_(opencl|cuda)' |
        complain "a backend is named outside of rt/devices"
    sources tools bench | grep -vE '^bench/dalbench' | xargs grep -nE '^ *# *include *"rt/ocl/' |
        complain "OpenCL by hand in a tool that is not to compare with it"
    sources $folders | xargs grep -nE '^ *# *include *<mpi.h>' | grep -vE '^(rt/mpi/|bench/dalbench_mpi.c:)' |
        complain "mpi.h is included by rt/mpi and dalbench_mpi alone"
    sources $folders | xargs grep -nE '^ *# *include *<microhttpd.h>' | grep -v '^rt/live/' |
        complain "microhttpd.h is included by rt/live alone"
    sources include rt channels | grep -vE '^rt/(base/(sync.h|schedule[a-z_]*.[ch])|mpi/.*|live/.*)$' |
        xargs grep -nE '^ *# *include *<(stdatomic|pthread|threads|semaphore).h>' |
        complain "threads and atomics come from rt/base/sync.h alone"
    sources include rt channels | grep -vE '^rt/base/(wake|sync|schedule[a-z_]*).[ch]$' |
        xargs grep -nE '<linux/futex.h>|SYS_futex' | complain "futexes are rt/base/wake.c's alone"
    sources rt channels | grep -vE '^rt/(base/(sync.h|schedule[a-z_]*.[ch])|mpi/.*|live/.*)$' |
        xargs grep -lE '[^a-z_](sched_yield|nanosleep|clock_gettime) *\(' | xargs grep -L 'include "rt/base/\(sync\|wake\).h"' |
        complain "naps and clocks come from rt/base/sync.h"
    sources include rt channels spec synth view bench tools | grep -vE '^(rt/base/(alloc|memory_stream|schedule[a-z_]*).[ch]|rt/mpi/mpi.c|rt/live/[a-z]*.c|bench/dalbench_mpi.c)$' |
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
END
}

# A static function has a name that a debugger can show: these are none.
bare='add|begin|build|check|close|complete|copy|count|enter|fail|find|fire|get|grow|handle|leave|look|make|measure|move|open|parse|refuse|release|run|set|start|stop|take|watch|work'

dialect()
{
    local words
    words=$(gone | paste -s -d '|')
    grep -nIiwE "$words" $texts | grep -v '^test/style.sh:' | complain "a word that is gone"
    sources $folders | xargs grep -nE '!strn?cmp\(' | complain "equal strings are strcmp() == 0"
    sources $folders | grep -vE '^(apps|test/[a-z]*/(input|bad|good|golden))/' | xargs grep -nE "^static [^=;]*[ *]($bare)\(" | complain "a static function called as any other"
    sources $folders | grep -vE '^(apps|parts|test/[a-z_]*/(input|bad|good|golden))/' | xargs awk '
        FNR == 1 { said = 0 }
        said && /^$/ { print FILENAME ":" FNR ": behind " declared }
        /[)] *[{]$|^[{]$|else [{]$|do [{]$/ { said = 1; declared = "no declaration"; next }
        said && !/^ +(return|goto|else|case) / &&
            /^ +((const|static|struct|enum|unsigned) )*[A-Za-z_][A-Za-z_0-9]* (const |int |long )?[*]*[A-Za-z_][A-Za-z_0-9]*( = .*|[[].*|, .*)?;$/ {
            declared = "declarations"
            next
        }
        { said = 0 }' | complain "an empty line at the beginning of a block, or behind its declarations"
    sources $folders | xargs awk -v most=80 '
        FNR == 1 { start = 0 }
        /^\{/ { start = FNR }
        /^\}/ { if (start && FNR - start + 1 > most) print FILENAME ":" start ": " FNR - start + 1 " lines"; start = 0 }' |
        complain "a function of more than 80 lines"
}

# Loops declare their index, unless it says behind the loop how far that came.
loops()
{
    sources spec synth view | xargs awk '
        function end_of(at, indent) {
            match(line[at], /^ +/)
            indent = RLENGTH
            for (at++; at < count; at++) {
                match(line[at], /^ */)
                if (RLENGTH <= indent && line[at] != "" && line[at] !~ "^ {" indent "}[}]$") return at
            }
            return at
        }
        /^[{]/ { count = 0; first = FNR }
        { line[count++] = $0 }
        /^}/ {
            for (at = 1; at < count; at++) {
                if (!match(line[at], /^ +for \([a-z] = /)) continue
                name = substr(line[at], RLENGTH - 3, 1)
                word = "(^|[^A-Za-z0-9_>.])" name "([^A-Za-z0-9_]|$)"
                for (behind = end_of(at); behind < count && line[behind] !~ word; behind++);
                if (line[at] ~ "= .*; [a-z].*; [a-z][+][+]" && (behind >= count || line[behind] ~ "for \\((size_t |int )?" name " = "))
                    print FILENAME ":" first + at ": " line[at]
            }
            count = 0
        }
        ' | complain "a loop that could declare its index"
}

# What a kind means is asked of include/kinds.h; the order of kinds means nothing.
kinds()
{
    sources $folders | xargs grep -nE \
        '[^[:alnum:]]kind(_at\([^()]*\))? *[<>]|[<>]=? *DAL_(CHANNEL|PROCESS|PROCESSOR)_[A-Z]' |
        grep -v '< DAL_PROCESSOR_KINDS' | complain "kinds are compared by < or >"
}

names()
{
    sources $folders | grep -v '^test/dal_style/' | xargs grep -nE \
        '^ *(typedef .*[[:alnum:]]_t *;|(struct|enum|union) +[[:alnum:]_]+_t *[;{])' |
        complain "no _t types of our own"
    # Headers of users have a guard, which any compiler knows; our own a line.
    sources $folders | grep '\.h$' | xargs grep -LE '^#(pragma once|ifndef [A-Z0-9_]+_H)$' |
        complain "a header that may be included twice"
    sources include apps | grep '\.h$' | xargs grep -lE '^#pragma once' | complain "a user's header without a guard"
}

texts=$(find $folders .ci m4 configure.ac Makefile.am dal.pc.in dal-uninstalled.pc.in \
    README.md HACKING.md NEWS python doc/develop doc/explanation doc/man doc/manual doc/reference -type f \
    ! -name '*.mjpeg' ! -name '*.avi' ! -name '*.png' ! -name '*.jpg' ! -name '*.bin' ! -name '*.raw' ! -name '*.ipynb' ! -path 'doc/manual/*.svg' \
    ! -path '*/golden/*' ! -path '*/bad/*' ! -name 'elk-*' ! -name 'libtool.m4' ! -name 'lt*.m4' 2>/dev/null)

texts()
{
    local file
    grep -nIE '[[:blank:]]+$' $texts | complain "white space at the end of a line"
    grep -nIE '(^|[^[:alnum:]_./$}-])/(home|work|root|Users)/' $texts |
        grep -v '^test/style.sh:' | complain "a path of somebody's machine"
    grep -LPz '\n\z' $texts | while read -r file; do
        if [ -s "$file" ]; then echo "$file"; fi
    done | complain "no newline at the end of the file"
}

# Texts that test/manual/manual.sh does not look at. The page of dal's verbs is made of what they print.
sentences()
{
    local file
    # shellcheck source=test/prose.sh
    . test/prose.sh
    {
        for file in HACKING.md doc/develop/*.md doc/explanation/*.md; do
            prose "$file" | long_sentences "$file"
        done
        for file in doc/man/*; do
            [ "$file" = doc/man/dal.1 ] || prose_of_page "$file" | long_sentences "$file"
        done
    } | complain "a long sentence"
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
    local part=${DAL_TEST_PART:-1/1} # it takes a minute for all, most of that for the longest
    ls -S .ci/run tools/check tools/demo tools/release doc/site/make tools/setup.sh bench/slow tools/completion/complete.sh \
        tools/completion/dal.bash test/driver test/*.sh test/*/*.sh |
        awk -v part="${part%/*}" -v parts="${part#*/}" 'NR % parts == part % parts' |
        xargs shellcheck -x -S warning -f gcc -e SC2086,SC1091,SC2319 2>&1 | complain "shellcheck"
}

# A code means one thing (spec/base/codes.h).
codes()
{
    grep -oE '^    X\("[^"]+"' spec/base/codes.h | sort | uniq -d | complain "a code of diagnostics that stands twice"
}

# What a list of test/local.mk leaves out, or runs alone, is there.
lists()
{
    sed -nE '/^[A-Z]+_TESTS \+=/,/[^\\]$/p' test/local.mk | grep -oE 'test/[a-z0-9_/]+(\.sh)?' | while read -r test; do
        [ -e "$test" ] || [ -e "$test.c" ] || echo "$test"
    done | complain "a test in a list that is nowhere"
    # A program that a script runs is built for it.
    local rules
    rules=$(sed -e ':more' -e '/\\$/N' -e 's/\\\n//' -e 't more' test/local.mk | grep '\.log.*:' | sed 's/\$(STANDIN)/standin/')
    grep -oE '\$build/test/[a-z]+/[a-z_]+|use_standin' test/[!s]*/*.sh test/s[!c]*/*.sh | sed 's|\.sh:\$build/|.log |; s|\.sh:use_|.log |' |
        while read -r log program; do
            [ "$program" = standin ] || [ -e "$program.c" ] || continue
            echo "$rules" | grep -qE "$log\b.*:.*$program\b" || echo "$log: $program"
        done | complain "a program that a script runs is not among its dependencies in test/local.mk"
}

libraries
lists
codes
dialect
loops
kinds
names
texts
sentences
layout
scripts
[ "$failures" = 0 ]
