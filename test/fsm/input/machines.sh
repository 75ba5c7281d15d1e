# shellcheck shell=bash
# Two applications of a source and a sink, on one node (test/fsm/fsm.sh) and on several (test/nodes/fsm.sh). To be read
# by these, after test/lib.sh.

link() { # NAME FROM TO [ATTRIBUTES]: a channel of 8-byte tokens from port "out" to port "in"
    channel "$1" "$2" out "$3" in "size=\"16\" tokensize=\"8\" ${4:-}"
}

network() { # NAME, what joins Source and Sink on standard input
    cat <<END_XML
<processnetwork name="$1">
  <process name="Source" type="io"><port type="output" name="out"/>
    <source id="0" type="c" location="source.c"/>
    <parameter name="name" value="?"/><parameter name="limit" value="0"/>
    <parameter name="half" value="-1"/><parameter name="enough" value="0"/></process>
  <process name="Sink" type="io"><port type="input" name="in"/>
    <source id="0" type="c" location="sink.c"/>
    <parameter name="name" value="?"/><parameter name="progress" value=""/>
    <parameter name="fails" value="0"/></process>
$(cat)
</processnetwork>
END_XML
}

machine() { # NAME [NETWORK AND MAPPING OF A [OF B]], states and transitions on standard input
    cat <<END_XML
<fsm name="$1">
  <application name="A" network="${2:-network.xml}" mapping="${3:-mapping.xml}"/>
  <application name="B" network="${4:-network.xml}" mapping="${5:-mapping.xml}"/>
  $(cat)
</fsm>
END_XML
}

# shellcheck disable=SC2034 # of who reads this
# A tells of its event with every token from then on, however long nobody looks.
names="--event-queue=1000000 -p A.Source.name=A -p A.Sink.name=A -p B.Source.name=B -p B.Sink.name=B"
