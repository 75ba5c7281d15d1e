/*
 * random_network SEED FOLDER CORES DEVICES[+CUDA][@NODES][:THREADS]...
 *
 * Writes a network drawn by chance into a folder that exists: network-K.xml and map-K.xml for K
 * from 0 up to the number of DEVICES, and its processes. The same arguments give the same files.
 *
 * All networks are one but for taps (input/tap.c): every channel of network 0 has one, any
 * other network some, so that the rest of its channels may stay within a device. And in network 0
 * all rates are fixed; in another one some processes are KPN processes, with a source that reads
 * and writes as much as it did, but at ports with dynamic rates. Half of those others have some of
 * their processes in networks within the network, parts-K/part-P.xml, so that the flat network is
 * the same but for names (random_parts.h). Mapping 0 is everything as C on
 * core_0; mapping K uses the cores core_0.. and, for what has a kernel, devices up to the K-th
 * DEVICES argument, device_0.. of OpenCL and then cuda_0.. of CUDA. With NODES each process is on
 * one of so many alike nodes, whose processors are n0/core_0.. and so on. With THREADS those C
 * sources that share their loops have teams of so many, and workers leave cores for them.
 *
 * Half of those others that are on one node have open ports (random_open.h): some of their sources
 * and sinks stand outside. Half of these have inputs that end earlier, in the middle of anything.
 *
 * channels-K has a line for each stream that a run of it leaves in its working folder, producers
 * first:
 *
 *     NAME TOKEN-BYTES LEAST-BYTES TAP-RATE
 *
 * LEAST-BYTES is what the sinks' firings need: so much is there after every run of the drawn
 * length. What comes behind may be cut short, as who writes it ends with the last of its readers.
 * Where inputs end earlier, it is 0. Sinks' streams (TAP-RATE 0) have as many bytes as it says.
 *
 * ports-K has a line for each open port, inputs first:
 *
 *     NAME in|out EDGE TOKEN-BYTES TOKENS DESCR COUNT SINK SINK-BYTES RATE
 *
 * An input is given the first TOKENS of whole-EDGE, which a run of network 0 leaves, too. An output
 * gives initial-EDGE, a file in the folder, and behind it cEDGE. A token has COUNT elements of the
 * type that NumPy calls DESCR, or - for none. SINK reads RATE tokens in a firing within the
 * network, and writes SINK-BYTES then.
 *
 * `lengths` has a line for each process that ends with firing number -p NAME.firings=N,
 * sources first, which always do:
 *
 *     NAME FIRINGS-IN-AN-ITERATION PHASES ITERATIONS
 *
 * ITERATIONS is what was drawn, 0 where a process ends with its inputs.
 */
#include "test/determinism/random_open.h"

#include <stdlib.h>
#include <string.h>

static void write_reference(struct random_plan *plan, struct random_variant *variant)
{
    FILE *file = random_create(plan->folder, "map-0.xml");
    random_make_variant(variant, plan, 1, 1);
    random_keep_whole(variant, plan);
    random_write_network(plan, variant, 0);
    random_write_streams(plan, variant, 0);
    fprintf(file, "<mapping name=\"map-0\" processnetwork=\"network\">\n"
                  "  <binding name=\"all\"><process name=\"*\" sourceid=\"0\"/>"
                  "<processor name=\"core_0\"/></binding>\n</mapping>\n");
    random_finish(file);
}

/* DEVICES[+CUDA][@NODES][:THREADS] */
static struct random_machine read_machine(const char *text)
{
    const char *cuda = strchr(text, '+'), *nodes = strchr(text, '@'), *threads = strchr(text, ':');
    return (struct random_machine){.devices = atoi(text),
                                   .cuda = cuda ? atoi(cuda + 1) : 0,
                                   .nodes = nodes ? atoi(nodes + 1) : 0,
                                   .threads = threads ? atoi(threads + 1) : 0};
}

int main(int argc, char **argv)
{
    struct random_plan *plan = calloc(1, sizeof(*plan));
    struct random_variant *variant = calloc(1, sizeof(*variant));
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    struct random_dice dice, ports; /* so that networks are else what they were */
    struct random_machine machine;
    if (argc < 4 || !plan || !variant) {
        fprintf(stderr, "usage: random_network SEED FOLDER CORES "
                        "DEVICES[+CUDA][@NODES][:THREADS]...\n");
        return 2;
    }
    plan->folder = argv[2];
    plan->cores = atoi(argv[3]);
    random_plan_draw(plan, seed);
    random_write_sources(plan);
    write_reference(plan, variant);
    for (int i = 1; i + 3 < argc; i++) {
        random_make_variant(variant, plan, random_below(&plan->dice, 3), 2);
        random_choose_kpn(variant, plan);
        random_seed(&dice, seed * 64 + 5000003 + (uint64_t)i);
        machine = read_machine(argv[3 + i]);
        random_seed(&ports, seed * 64 + 7000003 + (uint64_t)i);
        if (machine.nodes == 0) /* a network with open ports runs on one node */
            random_open_choose(variant, plan, &ports);
        random_parts_draw(&variant->parts, &variant->graph, &dice, variant->is_open);
        random_write_network(plan, variant, i);
        random_write_streams(plan, variant, i);
        random_write_ports(plan, variant, i);
        random_write_mapping(plan, variant, i, &machine);
    }
    random_write_lengths(plan);
    for (int i = 0; i < plan->graph.edge_count; i++)
        free(plan->data[i]);
    free(variant);
    free(plan);
    return 0;
}
