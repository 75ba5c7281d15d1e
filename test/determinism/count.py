"""Makes channels of a flat random network counted, where both ends fire equally often, and all of it C.
    count.py NETWORK

A firing writes some of the tokens that it wrote, by what it has read. Prints how many such channels there are."""
import sys
from xml.etree import ElementTree

file = sys.argv[1]
tree = ElementTree.parse(file)
root = tree.getroot()
ends = {channel.get("name"): [None, None] for channel in root.iter("sw_channel")}
connections = {}
for connection in root.iter("connection"):
    for k, end, channel in ((0, "origin", "target"), (1, "target", "origin")):
        name = connection.find(channel).get("name")
        if name in ends:
            at = connection.find(end)
            ends[name][k] = (at.get("name"), at.find("port").get("name"))
            connections[name, k] = connection


def drop_tap(process):
    """What leads to a tap of the generator leads to where that leads."""
    name = process.get("name") + "_" + process.find("append").get("function")
    into = next(channel for channel in root.iter("sw_channel") if ends[channel.get("name")][1] == (name, "in"))
    out = next(channel for channel in root.iter("sw_channel") if ends[channel.get("name")][0] == (name, "out"))
    for attribute in ("tokenrateout", "initialtokens", "value", "data"):
        if attribute in out.attrib:
            into.set(attribute, out.get(attribute))
    connection = connections[into.get("name"), 1]
    connection.remove(connection.find("target"))
    connection.append(connections[out.get("name"), 1].find("target"))
    ends[into.get("name")][1] = ends.pop(out.get("name"))[1]
    for gone in (process, out, connections[out.get("name"), 0], connections[out.get("name"), 1]):
        root.remove(gone)


for process in list(root.iter("process")):
    if process.find("append") is not None:
        drop_tap(process)
writers = [end[0] for end in ends.values()]


def source_of(name):
    return "p" + name.split(".")[-1][1:] + ".c"


def is_plain(channel):
    rates = channel.get("tokenratein", "1"), channel.get("tokenrateout", "1")
    return rates[0] == rates[1] and rates[0].isdigit()


def rewrite(source, pairs):
    text = open(source).read()
    for old, new in pairs:
        text = text.replace(old, new)
    open(source, "w").write(text)


for process in root.iter("process"):
    for source in process.findall("source")[1:]:
        process.remove(source)
    for port in process.findall("port"):
        port.attrib.pop("blocks", None)

count = 0
for channel in root.iter("sw_channel"):
    (origin, out), (target, into) = ends[channel.get("name")]
    sources = source_of(origin), source_of(target)
    if not is_plain(channel) or writers.count((origin, out)) > 1 or origin == target:
        continue
    channel.set("most", channel.attrib.pop("tokenratein"))
    for name in ("tokenrateout", "value", "data"):  # initial ones are empty packets
        channel.attrib.pop(name, None)
    some = f"(number % (TOKEN_{out}_RATE + 1u) * TOKEN_{out}_SIZE)"
    rewrite(
        sources[0],
        [
            (f"{out}, BYTES({out})", f"{out}, {some}"),
            (f"    DAL_write_end(PORT_{out}, {out}, p);\n", f"    DAL_write_end(PORT_{out}, {out}, p);\n"
             f"    DAL_set_count(PORT_{out}, {some} / TOKEN_{out}_SIZE, p);\n"),
        ],
    )
    rewrite(
        sources[1],
        [
            (f"TOKEN_{into}_RATE, p)", f"DAL_count(PORT_{into}, p), p)"),
            (f"{into}, BYTES({into}))", f"{into}, DAL_count(PORT_{into}, p) * TOKEN_{into}_SIZE)"),
            (f"k < TOKEN_{into}_RATE", f"k < DAL_count(PORT_{into}, p)"),
            (f"1, BYTES({into}),", f"1, DAL_count(PORT_{into}, p) * TOKEN_{into}_SIZE,"),
        ],
    )
    count += 1
tree.write(file)
print(count)
