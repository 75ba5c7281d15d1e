#!/usr/bin/env bash
# Links between nodes: what dalsynth makes of their latency and bandwidth. Nothing is built or run.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

# Two nodes and a switch, with these links: "NAME END END ATTRIBUTES"
cluster() {
    local link name one other rest
    echo '<architecture name="cluster">'
    for name in near far switch; do
        echo "<shared name=\"$name\"><port name=\"p\"/></shared>"
    done
    for name in near far; do
        echo "<processor name=\"$name/core_0\" type=\"RISC\"><capability name=\"POSIX\" identifier=\"0\"/></processor>"
    done
    for link; do
        read -r name one other rest <<<"$link"
        echo "<link name=\"$name\" $rest><end_point_1 name=\"$one\"><port name=\"p\"/></end_point_1>"
        echo "<end_point_2 name=\"$other\"><port name=\"p\"/></end_point_2></link>"
    done
    echo '</architecture>'
}

network() { # FILE ATTRIBUTES-OF-CHANNEL
    {
        echo '<processnetwork name="line">'
        for name in A B; do
            echo "<process name=\"$name\"><port type=\"$([ $name = A ] && echo output || echo input)\" name=\"x\"/>"
            echo "<source type=\"c\" location=\"$name.c\"/></process>"
        done
        channel c A x B x "$2"
        echo '</processnetwork>'
    } >"$1"
}

# says TEXT [FILE...]: --explain does, of this network, cluster and mapping
says() {
    run 0 "$dalsynth" --check --explain "${@:2}"
    expect "$1" output
}

for name in A B; do
    echo "#include <dal.h>
int ${name}_fire(DALProcess *p) { (void)p; return 1; }" >$name.c
done
mapping "A - near/core_0" "B - far/core_0" >apart.xml
mapping "A - near/core_0" "B - near/core_0" >together.xml
network open.xml 'type="fifo" tokensize="4096"'
network given.xml 'type="fifo" tokensize="4096" size="32"'
network large.xml 'type="fifo" tokensize="65536"'
network dynamic.xml 'type="fifo" tokensize="4096" tokenratein="dynamic"'

# 122.88 MB/s: a message of 60 KB takes 0.5 ms, a turn 0.5 + 0.5 + 2.25 ms, and 1.5 of them 599,040 bytes.
cluster 'wire near far latency="1ms" bandwidth="983.04Mbit/s"' >slow.xml
least='least live 1 + A 1 x 4 firings x rate 1 + B 1 x 4 firings x rate 1'
says "$least + 147 for link wire (1 ms, 123 MB/s)" open.xml slow.xml apart.xml
expect " 156 " output
says "$least" open.xml slow.xml together.xml
grep -q "for link" output && fail "a link within a node" output
# Without numbers, and without a way, all is as before.
cluster 'wire near far' >unknown.xml
says "$least" open.xml unknown.xml apart.xml
grep -q "for link" output && fail "a link without numbers" output
cluster 'wire near switch latency="1ms" bandwidth="1Gbit/s"' >nowhere.xml
says "$least" open.xml nowhere.xml apart.xml
grep -q "for link" output && fail "a link to nowhere" output
# What is given stays, and the rate that follows is said: 128 KB in 3.25 ms.
says "size given in given.xml:6; link wire (1 ms, 123 MB/s), which carries about 40.3 MB/s" given.xml slow.xml apart.xml
sed 's|</mapping>|<channel name="c" size="1000"/>&|' apart.xml >sized.xml
says "size given in sized.xml:4; link wire (1 ms, 123 MB/s)" open.xml slow.xml sized.xml
grep -q "carries about" output && fail "a large size is said to be small" output
says "+ 147 for link wire (1 ms, 123 MB/s)" dynamic.xml slow.xml apart.xml
# The many small tokens that a link holds do not ask for as many large ones beside them.
{
    echo '<processnetwork name="beside">'
    for name in A B; do
        port="<port type=\"$([ $name = A ] && echo output || echo input)\""
        echo "<process name=\"$name\">$port name=\"x\"/>$port name=\"y\"/>"
        echo "<source type=\"c\" location=\"$name.c\"/></process>"
    done
    channel small A x B x 'type="fifo" tokensize="4"'
    channel large A y B y 'type="fifo" tokensize="1048576"'
    echo '</processnetwork>'
} >beside.xml
says "made 2" beside.xml slow.xml apart.xml
awk '$1 == "large" { found = 1; bad = $0 ~ /made [0-9][0-9][0-9][0-9]/ } END { exit !found || bad }' output ||
    fail "a large channel beside a small one" output
# Large tokens ask before they are sent: 5 ms, 16 times; so do those of a fast link: 0.5 ms.
says "+ 150 for link wire (1 ms, 123 MB/s)" large.xml slow.xml apart.xml
cluster 'wire near far latency="0ns" bandwidth="1GB/s"' >fast.xml
says "+ 1954 for link wire (0 ns, 1 GB/s)" open.xml fast.xml apart.xml
# Over a switch: 0.5 ms and 1.5 ms are 2; the slower link counts: 6 MB/s, a message takes 10.24 ms, a turn 15.24.
cluster 'up switch near latency="500us" bandwidth="48Mbit/s"' 'down switch far latency="1.5ms" bandwidth="1GB/s"' >star.xml
says "+ 34 for link up, down (2 ms, 6 MB/s)" open.xml star.xml apart.xml
# No ring without a size takes more than 256 MB.
cluster 'wire near far latency="10s" bandwidth="100Tbit/s"' >moon.xml
says "+ 65536 for link wire (10 s, 12.5 TB/s), which carries about 5.97 MB/s with 256 MB, the most without a size" \
    open.xml moon.xml apart.xml
cluster 'wire near far latency="10s" bandwidth="1kbit/s"' >tin.xml
says "for link wire (10 s, 125 B/s)" open.xml tin.xml apart.xml

# What the runtime gets: small messages for the slow link, its own choice for the fast one.
run 0 "$dalsynth" --emit-only -o slow open.xml slow.xml apart.xml
grep -q '\.message = 15,' slow/*.c || fail "no message size" slow/line.c
run 0 "$dalsynth" --emit-only -o fast open.xml fast.xml apart.xml
! grep -q '\.message' fast/*.c || fail "a message size for a fast link" fast/line.c

# What is refused.
cluster 'wire near far latency="1" bandwidth="1Gbit/s"' >bare.xml
refuse "bare.xml:7: error: [xml-schema] element 'link', attribute 'latency': this must be a time with its unit, as 20us" \
    open.xml bare.xml apart.xml
cluster 'wire near far latency="1ms" bandwidth="0GB/s"' >none.xml
refuse "none.xml:7: error: [bad-number] link 'wire': bandwidth is 0GB/s, must be at least 1kbit/s, at most 100Tbit/s" \
    open.xml none.xml apart.xml
cluster 'wire near far latency="1ms"' >half.xml
refuse "half.xml:7: error: [missing-attribute] link 'wire' has a latency but no bandwidth" open.xml half.xml apart.xml
echo "all as expected"
