#!/usr/bin/env python3
"""plant.py SEED KIND: a random network with one bottleneck, in the current folder: net.xml, arch.xml, map.xml and sources.

KIND is process, channel, device or link. Prints what dalview has to name: "process N" or "channel N".
Firings take so many nanoseconds of the clock, so a planted process is slow on any machine."""
import random
import sys

seed, kind = int(sys.argv[1]), sys.argv[2]
draw = random.Random(f"{kind} {seed}")
RUN_NS = 500e6  # of the planted process, or of half of the network

count = draw.randint(3, 7)
rates = [draw.choice([1, 1, 2, 4]) for _ in range(count)]  # firings an iteration
if kind in ("channel", "link"):
    rates = [1] * count
planted = draw.randrange(count)
if kind == "device":  # a source and a sink stay on cores
    planted = draw.randrange(1, count - 1)
    rates[planted] = 1

# Channels of a tree, each process with one before it, and some more beside it.
edges = [(i - 1 if kind != "process" or draw.random() < 0.7 else draw.randrange(i), i) for i in range(1, count)]
if kind in ("process", "device"):
    edges += [tuple(sorted(draw.sample(range(count), 2))) for _ in range(draw.randint(0, 2))]
edges = [e for e in edges if kind != "device" or planted not in e or abs(e[0] - e[1]) == 1]
cut = draw.randrange(count - 1)  # the channel that is planted, between two halves

# Nanoseconds an iteration of each process.
work = [draw.uniform(5e3, 20e3) for _ in range(count)]
if kind == "process":
    work[planted] = 10 * sum(work)
if kind == "channel":  # as much to do on either side
    half_ns = draw.uniform(150e3, 400e3)
    for side in (range(cut + 1), range(cut + 1, count)):
        for i in side:
            work[i] = half_ns / len(side)
words = 65536 if kind == "link" else 1
slow_ns = {"process": work[planted], "channel": 2 * max(work), "device": 2e6, "link": words * 4 / 0.0125}[kind]
iterations = max(20, int(RUN_NS / slow_ns))
if kind == "channel":
    iterations = int(2 * RUN_NS / half_ns)

# ---- network ----------------------------------------------------------------------------------------

lines = ['<processnetwork name="net">']
for i in range(count):
    source = f"P{i}.cl" if kind == "device" and i == planted else f"P{i}.c"
    lines.append(f'  <process name="P{i}" source="{source}"/>')
for number, (a, b) in enumerate(edges):
    wide = words if kind == "link" and number == cut else 1
    produced, consumed = rates[b], rates[a]
    size = produced * consumed * (draw.randint(4, 16) if b == a + 1 else 64)  # one past others needs what is in them
    if kind == "channel" and number == cut:
        size = 1
    kind_of_token = "int" if wide == 1 else "struct block"
    header = '' if wide == 1 else ' header="block.h"'
    lines.append(f'  <channel name="c{number}" from="P{a}.o{number}" to="P{b}.i{number}" type="{kind_of_token}"{header} '
                 f'tokenratein="{produced}" tokenrateout="{consumed}" size="{size}"/>')
lines.append("</processnetwork>")
open("net.xml", "w").write("\n".join(lines) + "\n")
open("block.h", "w").write(f"#ifndef BLOCK_H\n#define BLOCK_H\nstruct block {{\n    int words[{words}];\n}};\n#endif\n")

# ---- sources ----------------------------------------------------------------------------------------

HEAD = """#include "dal.h"
#include "block.h"
#include <time.h>

struct _local_states { long fired; };

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}
"""


def source_of(i):
    wide = {n for n in range(len(edges)) if kind == "link" and n == cut}
    of = lambda n: "struct block" if n in wide else "int"
    ins = [n for n, e in enumerate(edges) if e[1] == i]
    outs = [n for n, e in enumerate(edges) if e[0] == i]
    text = HEAD + f"int P{i}_fire(DALProcess *p)\n{{\n"
    for n in ins:
        text += f"    static {of(n)} in{n}[{rates[edges[n][0]]}];\n"
    for n in outs:
        text += f"    static {of(n)} out{n}[{rates[edges[n][1]]}];\n"
    if not ins:
        text += f"    if (p->local->fired++ == {iterations * rates[i]})\n        return 1;\n"
    for n in ins:
        text += f"    DAL_read(PORT_i{n}, in{n}, sizeof(in{n}), p);\n"
    text += f"    for (long end = now() + {int(work[i] / rates[i])}; now() < end;)\n        continue;\n"
    for n in outs:
        text += f"    DAL_write(PORT_o{n}, out{n}, sizeof(out{n}), p);\n"
    return text + "    return 0;\n}\n"


def kernel_of(i):
    ins = [n for n, e in enumerate(edges) if e[1] == i]
    outs = [n for n, e in enumerate(edges) if e[0] == i]
    ports = [f"__global const int *i{n}" for n in ins] + [f"__global int *o{n}" for n in outs]
    text = f"__kernel void P{i}({', '.join(ports)})\n{{\n    size_t firing = get_group_id(0);\n    uint x = 1;\n\n"
    text += f"    for (int k = 0; k < 2000000; k++)\n        x = x * 1664525u + 1013904223u + (uint)i{ins[0]}[firing * TOKEN_i{ins[0]}_RATE];\n"
    for n in outs:
        text += f"    for (int k = 0; k < TOKEN_o{n}_RATE; k++)\n        o{n}[firing * TOKEN_o{n}_RATE + k] = (int)x;\n"
    return text + "}\n"


for i in range(count):
    if kind == "device" and i == planted:
        open(f"P{i}.cl", "w").write(kernel_of(i))
    else:
        open(f"P{i}.c", "w").write(source_of(i))

# ---- machine and mapping ----------------------------------------------------------------------------

machine = ['<architecture name="machine">']
if kind == "link":
    machine += ['  <shared name="near"/>', '  <shared name="far"/>']
    cores = ["near/core_0", "far/core_0"]
else:
    cores = ["core_0", "core_1"]
for number, core in enumerate(cores):
    core_id = 0 if kind == "link" else number
    machine.append(f'  <processor name="{core}" type="RISC"><capability name="POSIX" identifier="{core_id}"/></processor>')
if kind == "device":
    machine.append('  <processor name="device" type="CPU"><capability name="OPENCL" identifier="CPU_DEV1"/></processor>')
machine.append("</architecture>")
open("arch.xml", "w").write("\n".join(machine) + "\n")

mapping = ['<mapping name="map">']
for i in range(count):
    core = cores[i > cut] if kind in ("channel", "link") else draw.choice(cores)
    if kind == "device" and i == planted:
        core = "device"
    mapping.append(f'  <binding name="b{i}"><process name="P{i}"/><processor name="{core}"/></binding>')
mapping.append("</mapping>")
open("map.xml", "w").write("\n".join(mapping) + "\n")
print(f"channel {cut}" if kind in ("channel", "link") else f"process {planted}")
