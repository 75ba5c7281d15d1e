"""transfers.py TRACE [--stats FILE] [--calls FILE] [--copies | --several] [--limit N]: what a trace in Chrome's format has of the
network of transfers.sh. Its uploads, downloads and copies have the bytes that the statistics have counted of each
channel, and are the calls of the driver; they are on the clock of the launches, in the order of tokens. Of several devices
each has an order of its own, which is not looked at."""
import argparse
import collections
import json
import re

TOKEN, RATES = 64, {"a": ("First", 3), "b": ("Second", 2), "c": ("Second", 2)}
NEAR_US = 1.0  # what a float of milliseconds cannot tell
CALLS = {"upload": "cuMemcpyHtoDAsync_v2", "download": "cuMemcpyDtoHAsync_v2", "copy": "cuMemcpyDtoDAsync_v2"}

parser = argparse.ArgumentParser()
parser.add_argument("trace")
parser.add_argument("--stats")
parser.add_argument("--calls")
parser.add_argument("--copies", action="store_true")
parser.add_argument("--several", action="store_true")
parser.add_argument("--limit", type=int)
options = parser.parse_args()

rows, events = {}, collections.defaultdict(list)
for e in json.load(open(options.trace))["traceEvents"]:
    if e["ph"] == "M" and e["name"] == "thread_name":
        rows[e["tid"]] = e["args"]
    elif e["ph"] == "X":
        row, args = rows[e["tid"]], e["args"]
        moves = row.get("moves", "")
        assert moves == args.get("direction", "") and ("bytes" in args) == bool(moves) != ("firings" in args), e
        assert not moves or row["name"].endswith(f" {moves}s" if moves != "copy" else " copies"), (row, e)
        assert not moves or not e["dur"] or abs(args["bytes_per_s"] - 1e6 * args["bytes"] / e["dur"]) <= (
            1 + args["bytes_per_s"] * 1e-3 / e["dur"]), e
        events[moves, e["name"]].append((e["ts"], e["ts"] + e["dur"], args["bytes"] if moves else args["firings"]))
moved = {key: found for key, found in events.items() if key[0]}


def total(direction, channel):
    return sum(size for _, _, size in moved.get((direction, channel), []))


def behind(earlier, later):
    """Each event of `later`, which has so many tokens, begins when as many of `earlier` have ended."""
    ends, tokens, reached, at = [end for _, end, _ in earlier], 0, 0, -1
    for begin, _, count in later:
        tokens += count
        while reached < tokens:
            at += 1
            reached += earlier[at][2]
        assert begin >= ends[at] - NEAR_US, (begin, ends[at])


if options.stats:
    for c in json.load(open(options.stats))["channels"]:
        found = (total("upload", c["channel"]) + total("download", c["channel"])) * (2 if c["kind"] == "naive" else 1)
        found += total("copy", c["channel"])
        assert found == c["bytes_copied"], (c["channel"], c["kind"], found, c["bytes_copied"])
        if c["kind"] == "staged" and c["channel"] != "b":
            assert found == TOKEN * c["tokens"], (c, found)
    for channel, (kernel, rate) in [] if options.several else RATES.items():
        launches = [(begin, end, n * rate) for begin, end, n in events["", kernel]]
        in_tokens = {d: [(b, e, size // TOKEN) for b, e, size in moved.get((d, channel), [])] for d in CALLS}
        if channel == "a" and in_tokens["upload"]:
            behind(in_tokens["upload"], launches)
        if channel == "c" and in_tokens["download"]:
            behind(launches, in_tokens["download"])
if options.calls:
    calls = open(options.calls).read().split("\n")
    last_made = max(i for i, line in enumerate(calls) if line.startswith("cuMemAlloc"))
    calls = calls[last_made:]  # initial tokens are uploaded before, and nothing else
    timed = sum(line.startswith("cuLaunchKernel ") for line in calls)
    for direction, call in CALLS.items():
        made = [line for line in calls if line.startswith(call + " ")]
        sizes = sum(int(re.search(r"bytes=(\d+)", line).group(1)) for line in made)
        found = [size for (moves, _), several in moved.items() if moves == direction for _, _, size in several]
        assert (len(made), sizes) == (len(found), sum(found)), (direction, len(made), sizes, len(found), sum(found))
        timed += len(made)
    asked = sum(line.startswith("cuEventElapsedTime ") for line in calls)
    assert asked == 2 * timed, (asked, timed)
assert options.several or any(key[0] == "copy" for key in moved) == options.copies, moved.keys()
if options.limit:
    for row in rows.values():
        assert not row.get("moves") or row["lost"] > 0, row
    for (moves, name), several in moved.items():
        assert len(several) <= options.limit, (moves, name, len(several))
counts = collections.Counter()
for (moves, _), several in moved.items():
    counts[moves] += len(several)
print(", ".join(f"{counts[moves]} of {moves}" for moves in sorted(counts)))
