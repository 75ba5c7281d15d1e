/* A random network, as random.c draws it and run.c runs it. */
#pragma once

#include "rt/network/network.h"
#include "test/determinism/random_graph.h"
#include "test/nodes/threads.h"
#include "test/schedules/device.h"

enum {
    PHASES = 4,
    NODES = 16,
    EDGES = 48,
    PORTS = 24,
    CORES = 16,
    FIRINGS = 400,
    BYTES = 8192,
    NAME = 16
};
enum { RECORDED_HERE = 2 }; /* networks that run at once */

/* A process, and what it has to read in each firing. */
struct node {
    struct dal_port_desc ports[PORTS];
    struct dal_unit_port unit[PORTS], phase_unit[PHASES * PORTS];
    struct dal_code code;
    int phases;       /* 0: none; then what is counted and expected is of one phase each */
    int edges[PORTS]; /* of each port */
    int port_count;
    int cores[CORES], core_count; /* or devices; core i is of rank i % rank_count */
    int index;
    uint64_t end; /* it ends with this firing; 0: only with its input */
    uint64_t repetitions;
    int stateless, is_sink, is_kpn, by_phase, on_device;
    struct dal_period_desc period;
    uint64_t expected[FIRINGS];
    uint64_t count;
    char name[NAME];
};

/* What a process has read: of two networks that run at once, each in its own row. */
struct record {
    uint64_t hashes[FIRINGS], count;
};

extern struct random_graph graph;
extern struct node nodes[NODES];
extern struct dal_net net;
extern struct record records[RECORDED_HERE][NODES];
extern int nap_ms[RECORDED_HERE]; /* of KPN processes and sinks in their first firing */
extern struct late_traits traits; /* of its devices, where it has some */

/* Are its firings in an order that is known? */
int node_is_recorded(const struct node *node);
