#!/usr/bin/env bash
# dalbench runs, compares results before it measures, and writes JSON and the page of the thesis. No figure is looked at.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

export CFLAGS=-O1
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
        ratio = better if r["unit"] in ("GB/s", "frames/s", "tokens/s") else 1 / better
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
measure parts
for part in fir biquad; do
    expect "\"case\": \"$part\"" out.json
done
measure cores
for row in "T=64 W=300" "METG stencil" "METG random nearest" "drawn 1"; do
    grep -qE "^$row.* (us|us/token|tokens/s)  " output || fail "no row of $row in the table of cores" output
done
if "$dalinfo" | grep '^OpenCL device' >/dev/null; then
    measure overhead group
    grep -qE 'experiment 2 of 2, about [0-9]+ (s|min) left' messages || fail "nobody says how long it takes" messages
    measure activation
    for policy in priority deadline level; do
        expect "\"policy $policy, against fcfs\"" out.json
    done
    figures="channel activation overhead video"
else
    echo "no OpenCL device: firing, and C of the thesis"
    figures="overhead video"
fi

# The thesis: all figures and tables with a verdict, in one file. Of one run nothing is decided but counts.
TMPDIR=$work run 0 "$build/bench/dalbench" --tiny --json thesis.json thesis
python3 - thesis.json $figures <<'END'
import html.parser, json, re, sys
found = {r["experiment"] for r in json.load(open(sys.argv[1]))}
assert found == set(sys.argv[2:]), found

class Page(html.parser.HTMLParser):
    headings, rows, verdicts, cell = [], [], [], None

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        assert tag not in ("script", "link", "img"), tag
        assert not names.get("href", "#").startswith("http"), names
        self.cell = {"h2": self.headings, "strong": self.verdicts, "td": self.rows}.get(tag)
        if self.cell is not None:
            self.cell.append("")
    def handle_endtag(self, tag):
        self.cell = None
    def handle_data(self, data):
        if self.cell is not None:
            self.cell[-1] += data
page = Page()
page.feed(open("thesis.html").read())
names = ["Table 6.1", "Table 6.2", "Figure 6.2", "Figure 6.4", "Figure 6.6", "Figure 6.8", "Figure 6.9"]
assert [h.split(":")[0] for h in page.headings] == names, page.headings
assert len(page.verdicts) == 2 * len(names), page.verdicts
assert page.verdicts[:7] == page.verdicts[7:], page.verdicts
assert set(page.verdicts[2:7]) <= {"not decided", "not compared"}, page.verdicts
assert any(re.match("(agrees|differs): [0-9]", r) for r in page.rows), "no machine is compared"
END
if command -v gnuplot >/dev/null; then
    [ "$(grep -c '^<svg' thesis.html)" -gt 1 ] || fail "no pictures in the page"
else # their places are marked, for bench/figures --draw
    expect '<!-- picture video-items -->' thesis.html
fi
if [ -e "$build/bench/dalbench_mpi" ] && command -v mpirun >/dev/null; then
    (
        without_leaks
        measure nodes
    )
else
    echo "no MPI: nodes are not measured"
fi

# By hand: a time that is too short is no rate. A busy machine may hold up one run between its tokens, but hardly each.
synthesise -o firing "$source/apps/synthetic/firing.xml"
for _ in $(seq 20); do
    run 0 firing/firing -p Source.tokens=2
    ! grep -q 'too few tokens for a rate' messages || break
done
expect 'too few tokens for a rate' messages
run 0 firing/firing -p Source.tokens=20000000
! grep . messages || fail "20000000 tokens are too few" messages

# A wrong command line is told apart from a failure.
run 2 "$build/bench/dalbench" thesis firing
expect "'thesis' is measured by itself" messages
mkdir -p taken/thesis.html
(cd taken && run 1 "$build/bench/dalbench" --tiny thesis && cp messages ..)
grep -q 'thesis.html' messages && ! grep -q 'figure 6.2' messages || fail "measured although the page cannot be written" messages
run 2 "$build/bench/dalbench" nonsense
expect "no experiment 'nonsense'" messages

run 0 "$build/tools/dal" bench --help
expect "Usage: dal bench [OPTION]" output
run 0 "$source/bench/sweep" --help
expect "bench/sweep [-b BUILD]" output
