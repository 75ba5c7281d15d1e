#!/usr/bin/env bash
# dalbench runs, compares results before it measures, and writes JSON. No figure is looked at.
set -euo pipefail

build=${DAL_BUILDDIR:?}
work=$(mktemp -d "${TMPDIR:-/tmp}/dal-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT

if ! command -v python3 >/dev/null; then
    echo "python3 is missing, which reads the JSON"
    exit 77
fi

# check EXPERIMENT...: runs them with next to nothing to do, and reads what they wrote
check() {
    TMPDIR=$work "$build/tools/dalbench" --tiny --json "$work/out.json" "$@" >"$work/log" 2>&1 || {
        echo "dalbench $* failed:"
        tail -n 20 "$work/log"
        exit 1
    }
    python3 - "$work/out.json" "$@" <<'END'
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
    if [ -n "$(find "$work" -maxdepth 1 -name 'dalbench.*')" ]; then
        echo "dalbench $* left its folder behind"
        exit 1
    fi
}

if command -v gnuplot >/dev/null; then # the folder as seen from here
    (cd "$work" && check --plot="it's plots" firing)
    [ -s "$work/it's plots/firing.svg" ] || { echo "no picture" && exit 1; }
else
    check firing
fi
if "$build/tools/dalinfo" | grep -q '^OpenCL device'; then
    check activation
else
    echo "no OpenCL device: firing alone"
fi

# A wrong command line is told apart from a failure.
status=0
"$build/tools/dalbench" nonsense 2>"$work/log" || status=$?
if [ "$status" -ne 2 ] || ! grep -q "no experiment 'nonsense'" "$work/log"; then
    echo "dalbench nonsense ended with $status"
    exit 1
fi
