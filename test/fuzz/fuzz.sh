#!/usr/bin/env bash
# Runs the fuzz target of specifications and the analysis from the fixtures on: FUZZ_SECONDS=20 (fuzzer.sh).
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/fuzz/fuzzer.sh"

read -ra xml <<<"$(pkg-config --cflags --libs libxml-2.0)"
make_target -DDAL_PARTS_FOLDER="\"$source/parts\"" "$source/test/fuzz/fuzz_spec.c" "$source"/spec/*/{,*/}*.c "$build/spec/schemas/schemas.c" \
    "$source"/rt/base/{alloc,child,clock,error,histogram,json,npy,output,overlay,sha256,shape,token,turns,value}.c "$source"/synth/command/analyze_{json,table}.c "$source"/synth/program/explain{,_json,_newest,_times}.c "$source"/synth/{plan,tune/predict}/*.c "${xml[@]}" -lm

mkdir seeds
number=0
while IFS= read -r file; do
    number=$((number + 1))
    cp "$file" "seeds/$number"
done < <(find "$source/test/analyze/input" "$source/test/dol/input" "$source/test/spec" "$source/apps" -type f \
    \( -name '*.xml' -o -name '*.sdf3' \) -size -16k)
plain=$source/test/spec/good/plain # its files stand in for those that a folder lacks
while IFS= read -r folder; do
    number=$((number + 1))
    for name in network architecture mapping; do
        [ $name = network ] || printf '\f'
        if [ -e "$folder/$name.xml" ]; then cat "$folder/$name.xml"; else cat "$plain/$name.xml"; fi
    done >"seeds/$number"
done < <(find "$source/test/dol/input" "$source/test/spec" "$source/apps" -type f \
    \( -name 'architecture*.xml' -o -name 'mapping*.xml' \) -size -16k -printf '%h\n' | sort -u)
printf '{"p0": 3, "p": 4}' >seeds/times
printf '{"dal-times": 2, "machine": {"cores": "x"}, "times": [{"process": "p0", "source": "a\\u0062", "type": "c",
"on": "core", "key": "00ff", "copies": 2, "items": 1, "firings": 7, "ns": {"mean": 1.5e3, "p10": 1, "median": 3, "p99": 4}},
{"process": "p", "type": "opencl", "on": "GPU_1_x_DEV1", "ns": {"mean": 1, "p10": 1, "median": 1, "p99": 1},
"curve": [3, 3, 90, 2, 5, 1e2]}]}' >seeds/measured
printf '{"dal-stats": 1, "network": "graph", "wall_ns": 1e9, "processes": [{"process": "p0", "type": "c", "key": "",
"planned": ["a"], "on": ["b", "c"], "copies": 1, "firings": 2, "firing_ns": 1, "busy_ns": 1, "device_ns": 0,
"starved_ns": 0, "blocked_ns": 0, "first_ns": 1, "last_ns": 3, "curve": [1, 2, 5, 1, 4, 6]}], "channels": [
{"channel": "c0", "from": {"process": "p0", "port": "port"}, "to": {"process": "p1", "port": "port"}, "kind": "core",
"token_bytes": 1, "rate_in": 2, "rate_out": 3, "initial_tokens": 0, "capacity": 1, "tokens": 4, "bytes_copied": 0,
"bytes_in_place": 4, "token_waits": 0, "token_wait_ns": 0, "space_waits": 0, "space_wait_ns": 0}],
"flows": [{"channel": "c0", "bytes": 3, "space_waits": 1, "space_wait_ns": 5}]}' >seeds/stats
# The same of a network with its mapping. In good/plain, Show's is a pattern of two cores.
three() { printf '%s\f%s\f%s\f' "$(cat "$plain/network.xml")" "$(cat "$plain/architecture.xml")" "$(cat "$plain/mapping.xml")"; }
entry() { # PROCESS TYPE PLANNED
    printf '{"process": "%s", "type": "%s", "key": "ff", "planned": [%s], "on": [%s], "copies": 1, "firings": 2, "firing_ns": 1,
"busy_ns": 1, "device_ns": 0, "starved_ns": 0, "blocked_ns": 0, "first_ns": 1, "last_ns": 3}' "$1" "$2" "$3" "$3"
}
link() { # CHANNEL FROM TO KIND
    printf '{"channel": "%s", "from": {"process": "%s", "port": "out"}, "to": {"process": "%s", "port": "in"}, "kind": "%s",
"token_bytes": 64, "rate_in": 1, "rate_out": 1, "initial_tokens": 0, "capacity": 16, "tokens": 4, "bytes_copied": 0,
"bytes_in_place": 4, "token_waits": 0, "token_wait_ns": 0, "space_waits": 0, "space_wait_ns": 0}' "$@"
}
{
    three
    printf '{"dal-stats": 1, "network": "relay", "wall_ns": 1e9, "processes": [%s, %s, %s], "channels": [%s, %s], "flows": [],
"latencies": []}' "$(entry Feed c '"core_0"')" "$(entry Filter opencl '"gpu_0"')" "$(entry Show c '"core_0", "core_1"')" \
        "$(link raw Feed Filter staged)" "$(link "done" Filter Show staged)"
} >seeds/stats-mapped
{
    three
    printf '{"dal-times": 2, "machine": {}, "times": [%s]}' "$(for process in Feed Filter Show; do
        printf '%s{"process": "%s", "type": "%s", "on": "%s", "key": "ff", "copies": 4, "items": 1, "firings": 7,
"ns": {"mean": 5, "p10": 1, "median": 3, "p99": 4}}' "${comma-}" $process "$([ $process = Filter ] && echo opencl || echo c)" \
            "$([ $process = Filter ] && echo GPU_4318_Fast_DEV1 || echo core)"
        comma=,
    done)"
} >seeds/times-mapped
printf '<processnetwork name="n"><process name="A" source="a.c" include="inc /usr" cflags="-O2" libs="-lm" pkgs="x y"
files="b.c c.cpp"/><process name="B"><port type="input" name="i"/><source id="0" type="c++" location="a.cc" include="x">
<file location="b.c"/></source></process><channel from="A.o" to="B.i" size="1" tokensize="2"/></processnetwork>' \
    >seeds/libraries
printf 'g\0\1\2\0\0\3\0\0\0\0\1\2\3\0\0\1\0\0\0\0\2\0\1\0\0\1\0\0\7\0' >seeds/graph
export PKG_CONFIG=/bin/false # no package is there
run_target "${FUZZ_SECONDS:-20}" 20000
