"""compare.py [--totals] JSON FILE: FILE, decoded here from the format's description alone, has the events of JSON: row,
name, beginning and end in ns, firings or bytes. With --totals only these sums of each name in rows of one sort, as two runs
have."""
import collections
import json
import re
import sys


def read_json(name):
    """(row, event, begin, end, firings or bytes) of each event; events lost by row."""
    rows, events, lost = {}, [], {}
    for e in json.load(open(name))["traceEvents"]:
        if e["ph"] == "M" and e["name"] == "thread_name":
            rows[e["pid"], e["tid"]] = e["args"]["name"]
            if "lost" in e["args"]:
                lost[e["args"]["name"]] = e["args"]["lost"]
        elif e["ph"] == "X":
            begin = round(1000 * e["ts"])
            events.append((rows[e["pid"], e["tid"]], e["name"], begin, begin + round(1000 * e["dur"]),
                           e["args"]["bytes" if "bytes" in e["args"] else "firings"]))
    return events, lost


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """{number: [values]} of a message; every byte belongs to a field."""
    found, at = collections.defaultdict(list), 0
    while at < len(data):
        tag, at = varint(data, at)
        assert tag & 7 in (0, 2), tag
        value, at = varint(data, at)
        if tag & 7 == 2:
            assert at + value <= len(data), "a field is longer than its message"
            value, at = data[at:at + value], at + value
        found[tag >> 3].append(value)
    return found


def only(message, number):
    assert len(message[number]) == 1, (number, dict(message))
    return message[number][0]


def read_perfetto(name):
    names, notes, tracks, processes = {}, {}, {}, {}
    opened, events, lost, last = {}, [], {}, {}
    trace = fields(open(name, "rb").read())
    assert set(trace) == {1}
    for number, packet in enumerate(map(fields, trace[1])):
        assert only(packet, 10) == 1 and only(packet, 13) == (1 if number == 0 else 2), dict(packet)
        for interned in map(fields, packet[12]):
            for table, into in ((2, names), (3, notes)):
                for entry in map(fields, interned[table]):
                    assert only(entry, 1) not in into
                    into[only(entry, 1)] = only(entry, 2).decode()
        for track in map(fields, packet[60]):
            uuid = only(track, 1)
            assert uuid and uuid not in tracks and uuid not in processes
            if track[3]:
                processes[uuid] = only(fields(only(track, 3)), 6).decode()
                continue
            thread = fields(only(track, 4))
            assert only(thread, 1) in processes and only(track, 5) in processes
            tracks[uuid] = only(thread, 5).decode()
        for event in map(fields, packet[11]):
            time, kind, uuid = only(packet, 8), only(event, 9), only(event, 11)
            note = {notes[only(a, 1)]: only(a, 3) for a in map(fields, event[4])}
            if kind == 3:
                lost[tracks[uuid]] = note["lost"]
                continue
            assert time >= last.get(uuid, 0), "a track goes back"
            last[uuid] = time
            if kind == 1:
                assert uuid not in opened, "events of a track overlap"
                opened[uuid] = (names[only(event, 10)], time, note["bytes" if "bytes" in note else "firings"])
            else:
                assert kind == 2
                what, begin, firings = opened.pop(uuid)
                events.append((tracks[uuid], what, begin, time, firings))
    assert not opened
    return events, lost


def totals(events):
    found = collections.Counter()
    for row, what, _, _, amount in events:
        found[row.split(" ")[-1] if " " in row else "", what] += amount
    return found


def read_paraver(name):
    """Sorted, within the header's limits, all names resolved; events of PROCESS say what the states say."""
    stem = name[:-len("prv")]
    values, colours, section = {}, set(), None
    for line in open(stem + "pcf").read().split("\n"):
        if line and not line[0].isdigit():
            section = line.split()[0]
        elif line and section == "STATES":
            number, value = line.split("    ", 1)
            values[int(number)] = value
        elif line and section == "STATES_COLOR":
            number, colour = line.split("    ")
            assert all(0 <= int(part) < 256 for part in colour.strip("{}").split(","))
            colours.add(int(number))
    assert colours == set(values) and 0 in values
    levels = {}
    for part in open(stem + "row").read().rstrip("\n").split("\n\n"):
        head, *names = part.split("\n")
        assert int(head.split()[3]) == len(names), head
        levels[head.split()[1]] = names
    head, *lines = open(name).read().rstrip("\n").split("\n")
    last, cpus, tasks = re.fullmatch(r"#Paraver \([^)]*\):(\d+)_ns:1\((\d+)\):1:1\((\d+):1\)", head).groups()
    assert int(cpus) == int(tasks) == len(levels["CPU"]) == len(levels["THREAD"])
    states, firings, running, lost, before = [], {}, {}, {}, 0
    for line in lines:
        kind, cpu, application, task, thread, time, *rest = map(int, line.split(":"))
        assert before <= time <= int(last) and application == task == 1 and 1 <= thread == cpu <= int(cpus), line
        before = time
        row = levels["THREAD"][thread - 1].split(") ")[-1]
        if kind == 1:
            end, state = rest
            assert time <= end <= int(last) and running.get(thread, time) <= time, line
            running[thread] = end
            states.append((thread, row, values[state], time, end, state))
            continue
        assert kind == 2, line
        for what, value in zip(rest[::2], rest[1::2]):
            if what == 9200001 and value:
                assert states[-1][0] == thread and states[-1][5] == value, line
            elif what == 9200001:
                assert running[thread] == time, line
            elif what in (9200002, 9200004):
                firings[len(states)] = value
            elif what == 9200003:
                lost[row] = value
            else:
                assert what in (9200005, 9200006, 9200007), line
    return [(s[1], s[2], s[3], s[4], firings[i + 1]) for i, s in enumerate(states)], lost


READERS = {"prv": read_paraver, "json": read_json, "pftrace": read_perfetto}
# Paraver's names are lines.
total = sys.argv[1] == "--totals"
wanted, found = (READERS[name.rsplit(".", 1)[1]](name) for name in sys.argv[-2:])
if sys.argv[-1].endswith("prv"):
    wanted = ([(r, re.sub("[\0-\37]", " ", n), *more) for r, n, *more in wanted[0]], wanted[1])
if total:
    assert totals(wanted[0]) == totals(found[0]), (totals(wanted[0]), totals(found[0]))
else:
    for one, other in zip(sorted(wanted[0]), sorted(found[0])):
        assert one == other, (one, other)
    assert len(wanted[0]) == len(found[0]) and wanted[1] == found[1], (wanted[1], found[1])
assert found[0]
print(f"{len(found[0])} events, {sum(found[1].values())} lost")
