#!/usr/bin/env bash
# The applications on several nodes, with the files that their READMEs name: the architecture by dalinfo, the same
# bytes as on one.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

find_mpi || exit 77
without_leaks


# ---- the architecture ------------------------------------------------------------------------------------

run 0 "$dalinfo" --architecture -o this.xml
run 0 ranks 3 "$dalinfo" --architecture --nodes -o cluster.xml
run 0 ranks 3 "$dalinfo" --architecture --nodes
cmp output cluster.xml || fail "two runs differ"
for node in 0 1 2; do
    expect "<shared name=\"node_$node\"/>" cluster.xml
    expect "<processor name=\"node_$node/core_0\" type=\"RISC\">" cluster.xml
done
[ "$(grep -c '<processor ' cluster.xml)" = $((3 * $(grep -c '<processor ' this.xml))) ] ||
    fail "not three times the processors of this machine" cluster.xml
run 0 ranks 1 "$dalinfo" --architecture --nodes # a cluster of one
run 2 "$dalinfo" --nodes
expect "--nodes is for --architecture" messages

# ---- the stencil -----------------------------------------------------------------------------------------

# stencil RANKS MAPPING ARCHITECTURE [OPTION...]: its last words, in `output`
stencil() {
    [ -d "$2" ] || synthesise -o "$2" "$source/apps/stencil/stencil.xml" "$3" "$source/apps/stencil/map-$2.xml"
    if [ "$1" = 1 ]; then
        run 0 "$2/stencil" "${@:4}"
    else
        run 0 ranks "$1" "$2/stencil" "${@:4}"
    fi
}

for steps in 0 1 400; do
    stencil 1 cores this.xml -p "Strip.steps=$steps"
    expect "steps $steps heat 130557400671027 changed 0 checksum" output
    cp output wanted
    stencil 2 nodes-2 cluster.xml -p "Strip.steps=$steps"
    cmp output wanted || fail "stencil on two nodes" output
    stencil 3 nodes-3 cluster.xml -p "Strip.steps=$steps"
    cmp output wanted || fail "stencil on three nodes" output
done

# ---- the video -------------------------------------------------------------------------------------------

grep -q device_0 cluster.xml || {
    echo "no OpenCL device: the video is not tried"
    exit 0
}
run 0 "$build/apps/mjpeg/mkvideo" -s 161x97 -n 40 small.mjpeg
run 0 "$build/apps/mjpeg/reference" 161 97 small.mjpeg expected
for nodes in 2 3; do
    synthesise -o video -D width=161 -D height=97 "$source/apps/mjpeg/mjpeg.xml" cluster.xml \
        "$source/apps/mjpeg/map-nodes-$nodes.xml"
    run 0 ranks "$nodes" video/mjpeg --strict -p Split.input=small.mjpeg -p Screen.dump=dump
    cmp dump expected || fail "the video on $nodes nodes: other bytes" messages
    rm -rf video dump
done
echo "all as expected"
