#!/usr/bin/env bash
# Two nodes with a slow link between them (slow_link.c): the same bytes as on one, with capacities that dalsynth chose
# from the link.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

find_mpi || exit 77
slow=$build/test/nodes/slow_link
why=$("$slow" 1000 125000000 true) || skip "a slow link cannot be made here: $why"
cp "$input"/* "$source"/apps/synthetic/{send.c,receive.c,report.h,pass.h,work.h} .
without_leaks
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # as in a user namespace

# slowly LATENCY-US BYTES-PER-SECOND COMMAND...: a rank on each host
slowly() {
    "$slow" "$1" "$2" mpirun --mca plm_rsh_agent "$slow --far" --host 10.77.0.1,10.77.0.2 -n 2 "${@:3}"
}

# link LATENCY BANDWIDTH: cluster.xml with a link between near and far
link() {
    sed -e 's|<shared name="far"/>|<shared name="far"><port name="p"/></shared>|' \
        -e "s|</architecture>|<link name=\"wire\" latency=\"$1\" bandwidth=\"$2\">\
<end_point_1 name=\"near\"><port name=\"p0\"/></end_point_1>\
<end_point_2 name=\"far\"><port name=\"p\"/></end_point_2></link>&|" cluster.xml
}

sums() {
    grep checksum output | sort
}

sum() {
    sed -n 's/.* sum \([0-9a-f]*\).*/\1/p' output
}

# ---- a network of all sorts: readers here and there, a cycle, a process without rates -----------------

mapping "* 0 core_0" >one.xml
mapping "Source - core_0" "Mix - core_0" "Sum 0 far/core_0" "Pack - far/core_1" "Print_0 - core_1" \
    "Print_1 - far/core_1" "Print_2 - core_0" >two.xml
link 1ms 1Gbit/s >wire.xml
synthesise -o one spread.xml wire.xml one.xml
synthesise -o two --explain spread.xml wire.xml two.xml
expect "for link wire (1 ms, 125 MB/s)" made
run 0 one/spread -p Source.limit=1000
wanted=$(sums)
run 0 slowly 1000 125000000 hostname
[ "$(sort output | tr '\n' ' ')" = "far near " ] || fail "not two hosts" output messages
for link in "1000 125000000" "0 125000000" "20000 1000000"; do
    # shellcheck disable=SC2086 # two words
    run 0 slowly $link two/spread -p Source.limit=1000
    [ "$(sums)" = "$wanted" ] || fail "link $link: not \"$wanted\"" output messages
done

# ---- a stream, with several sizes of tokens ------------------------------------------------------------

link 1ms 100Mbit/s >wire.xml
mapping "Send_0 - core_0" "Receive_0 - core_1" >one.xml
mapping "Send_0 - core_0" "Receive_0 - far/core_0" >two.xml
sed 's| size="capacity"||' "$source/apps/synthetic/nodes.xml" >nodes.xml
for bytes in 4 4096 81920; do
    tokens=$((20000000 / bytes))
    synthesise -o one -D tokenbytes=$bytes nodes.xml wire.xml one.xml
    synthesise -o two -D tokenbytes=$bytes nodes.xml wire.xml two.xml
    run 0 one/nodes -p Send_0.tokens=$tokens -p Receive_0.tokens=$tokens
    wanted=$(sum)
    run 0 slowly 1000 12500000 two/nodes -p Send_0.tokens=$tokens -p Receive_0.tokens=$tokens
    [ "$(sum)" = "$wanted" ] || fail "tokens of $bytes bytes: not sum $wanted" output messages
    # The link is no faster than it says, but for what its queue holds at the beginning.
    awk -v bytes=$bytes '/^tokens/ { exit !($2 * bytes / $4 < 0.015) }' output ||
        fail "tokens of $bytes bytes: more than 100 Mbit/s" output
done

# ---- a message that is longer under way than a stall may last ------------------------------------------

synthesise -o two -D tokenbytes=3000000 nodes.xml wire.xml two.xml
run 0 slowly 0 1000000 two/nodes -p Send_0.tokens=1 -p Receive_0.tokens=1 --stall-timeout=1
expect "tokens 1" output
run 1 slowly 0 1000000 two/nodes -p Send_0.tokens=1 -p Receive_0.tokens=1 --link-timeout=1
expect "no message between nodes has come through for 1 s (--link-timeout)" messages
expect "under way" messages
echo "all as expected"
