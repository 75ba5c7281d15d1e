#!/usr/bin/env bash
# dalsynth reads broken sources: it ends with 0 or 1, in time, and no signal ends its reader of sources.
#
# FUZZ_SECONDS=5 of it, from FUZZ_SEED=1 on; FUZZ_KINDS="c portable opencl". Built with sanitizers, dalsynth and what it
# starts write what they find into files, since a reader's own output is dropped.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

seconds=${FUZZ_SECONDS:-5}
seed=${FUZZ_SEED:-1}
read -ra kinds <<<"${FUZZ_KINDS:-c portable opencl}"
together=12   # sources in one network
limit=200     # seconds for them: a reader may take 30 for each
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}log_path=$work/sanitizer"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}log_path=$work/sanitizer:print_stacktrace=1"

architecture core device >architecture.xml

# What is changed: the shapes, one file each, and the applications with their functions named P_fire, ...
seeds() { # KIND ENDING
    mkdir -p "seeds/$1"
    awk -v folder="seeds/$1" '
        /^== / { number++; file = folder "/" number; next }
        /^(->|=>|--) / { file = ""; next }
        file { gsub(/\{\{/, "{ int x; DAL_read(PORT_in, \\&x, 4, p); x = ("); gsub(/\}\}/, "); return 0; }"); print >file }
        ' "$source/test/synth/input/shapes/$1.txt"
    find "$source/apps" "$source/test/synth/bad" -name "*.$2" ! -name 'mk*' -size -32k | while read -r path; do
        sed 's/\b[A-Za-z_0-9]*_\(init\|fire\|finish\)\b/P_\1/g; s/\(kernel void \)[A-Za-z_0-9]*/\1P/' "$path" \
            >"seeds/$1/$(basename "$path")"
    done
}

# A chain of processes, each with a source of its own: N/P.c, or N/P.cl.
network() { # KIND ENDING NUMBER...
    local kind=$1 ending=$2 number last=Source
    shift 2
    echo '<processnetwork name="fuzz">
      <process name="Source"><port type="output" name="out"/><source type="c" location="source.c"/></process>
      <process name="Sink"><port type="input" name="in"/><source type="c" location="sink.c"/></process>'
    for number; do
        echo "<process name=\"P$number\"><port type=\"input\" name=\"in\"/><port type=\"output\" name=\"out\"/>
          <source type=\"$kind\" location=\"$number/P.$ending\"/></process>"
        channel "c$number" "$last" out "P$number" in 'size="4" tokenratein="1" tokenrateout="1"'
        last=P$number
    done
    channel last "$last" out Sink in 'size="4" tokenratein="1" tokenrateout="1"'
    echo '</processnetwork>'
}

# Whether dalsynth does with these what it should: messages, and the reports of sanitizers, tell why not.
survives() { # KIND ENDING NUMBER...
    local status=0 processor=core
    [ "$1" = c ] || processor=device
    network "$@" >network.xml
    mapping "* - $processor" 'Source - core' 'Sink - core' >mapping.xml
    rm -rf made sanitizer.*
    timeout -k 5 "$limit" "$dalsynth" --emit-only -o made network.xml architecture.xml mapping.xml >messages 2>&1 || status=$?
    echo "exit status $status" >>messages
    [ "$status" -le 1 ] && [ -z "$(compgen -G 'sanitizer.*')" ] || return 1
    # libclang survives some of its own errors, and a time limit ends others: both are rightly refused.
    ! grep -qF 'was ended by signal' messages
}

# Keeps each of the sources that is enough for it, or all together.
keep_found() { # KIND ENDING NUMBER...
    local kind=$1 ending=$2 number alone=0 folder=$build/test/fuzz-found
    mkdir -p "$folder"
    for number in "${@:3}"; do
        survives "$kind" "$ending" "$number" && continue
        alone=$((alone + 1))
        cp "$number/P.$ending" "$folder/$kind-$seed-$number.$ending"
        cat messages sanitizer.* >"$folder/$kind-$seed-$number.txt" 2>/dev/null || true
        grep -hE '^exit status|unread-source|ERROR|runtime error' messages sanitizer.* 2>/dev/null | head -n 3 || true
    done
    [ $alone -gt 0 ] || cp -r . "$folder/$kind-$seed"
    echo "FAIL: seed $seed, $kind: $alone sources; they are in $folder"
}

one_round() { # KIND ENDING
    local number numbers=()
    rm -rf [0-9]*
    (mkdir mutated && cd mutated && "$build/test/fuzz/mutate" "$seed" $together ../seeds/"$1"/*)
    for ((number = 0; number < together; number++)); do
        mkdir $number
        mv mutated/$number "$number/P.$2"
        numbers+=("$number")
    done
    rmdir mutated
    survives "$1" "$2" "${numbers[@]}" || { keep_found "$1" "$2" "${numbers[@]}" && failures=$((failures + 1)); }
    tried=$((tried + together))
}

echo '#include <dal.h>
int Source_fire(DALProcess *p) { return p == 0; }' >source.c
sed 's/Source/Sink/' source.c >sink.c
for kind in "${kinds[@]}"; do
    seeds "$kind" "$([ "$kind" = opencl ] && echo cl || echo c)"
done
tried=0
failures=0
while [ $SECONDS -lt "$seconds" ] || [ $tried = 0 ]; do
    for kind in "${kinds[@]}"; do
        one_round "$kind" "$([ "$kind" = opencl ] && echo cl || echo c)"
    done
    seed=$((seed + 1))
done
echo "$tried sources, $failures rounds with problems, up to seed $((seed - 1))"
[ $failures = 0 ]
