#!/usr/bin/env bash
# dalbench runs, compares results before it measures, and writes JSON. No figure is looked at.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

command -v python3 >/dev/null || skip "python3 is missing, which reads the JSON"

# measure EXPERIMENT...: runs them with next to nothing to do, and reads what they wrote
measure() {
    TMPDIR=$work run 0 "$build/bench/dalbench" --tiny --json out.json "$@"
    python3 - out.json "$@" <<'END'
import json, sys
records = json.load(open(sys.argv[1]))
for name in (a for a in sys.argv[2:] if a[0] != "-"):
    mine = [r for r in records if r["experiment"] == name]
    assert mine, "no record of " + name
    for r in mine:
        assert set(r) >= {"experiment", "case", "param", "value", "unit", "limit", "ratio"}, r
        assert r["value"] > 0 and r["unit"] and r["case"], r
        assert r["value_min"] <= r["value"] <= r["value_max"], r
        if r["limit"] is None:
            assert r["ratio"] is None, r
            continue
        better = r["value"] / r["limit"]
        ratio = better if r["unit"] in ("GB/s", "frames/s") else 1 / better
        assert abs(r["ratio"] / ratio - 1) < 1e-3, r
    print(name + ":", len(mine), "figures")
END
    [ -z "$(find . -maxdepth 1 -name 'dalbench.*')" ] || fail "dalbench $* left its folder behind"
}

if command -v gnuplot >/dev/null; then # the folder as seen from here
    measure --plot="it's plots" firing
    [ -s "it's plots/firing.svg" ] || fail "no picture"
else
    measure firing
fi
if "$dalinfo" | grep '^OpenCL device' >/dev/null; then
    measure activation group
    grep -qE 'experiment 2 of 2, about [0-9]+ (s|min) left' messages || fail "nobody says how long it takes" messages
else
    echo "no OpenCL device: firing alone"
fi
if [ -e "$build/bench/dalbench_mpi" ] && command -v mpirun >/dev/null; then
    (
        without_leaks
        measure nodes
    )
else
    echo "no MPI: nodes are not measured"
fi

# By hand: a time that is too short is no rate.
synthesise -o firing "$source/apps/synthetic/firing.xml"
run 0 firing/firing -p Source.tokens=2
expect 'too few tokens for a rate' messages
run 0 firing/firing -p Source.tokens=20000000
! grep . messages || fail "20000000 tokens are too few" messages

# A wrong command line is told apart from a failure.
run 2 "$build/bench/dalbench" nonsense
expect "no experiment 'nonsense'" messages

run 0 "$source/bench/sweep" --help
expect "bench/sweep [-b BUILD]" output
