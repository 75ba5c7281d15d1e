/*
 * A node's part of a network, as tables of its own: the processes of that node, and proxies. A
 * proxy stands for the processes at the far ends of a port's channels. On the producer's node it
 * reads; each other node that reads from the port has one proxy there. On the readers' node it
 * writes. So the rest of the runtime sees an ordinary network.
 *
 * Processes may also be connected through other nodes. Proxies of such processes name each other
 * (`beyond` in include/net.h), for code that asks how processes are connected.
 *
 * The tokens from a port to another node are a flow. Both nodes number flows alike. Initial tokens
 * are on the readers' node.
 */
#pragma once

#include "include/net.h"

/* This node's end of a flow. */
struct dal_part_flow {
    int number; /* the same number on both nodes */
    int proxy;  /* index of the proxy's process */
    int node;   /* the other node */
    int output; /* True when tokens come in, which the proxy writes. */
};

/* A part points into the whole network, which outlives it. */
struct dal_part {
    struct dal_net net; /* with all processors of the whole */
    struct dal_part_flow *flows;
    int flow_count;
    struct dal_process_desc *processes;
    struct dal_channel_desc *channels;
    int *origins;                       /* of its channels: indices in the whole */
    struct dal_latency_desc *latencies; /* between processes of the node */
    char **names;                       /* of proxies */
    int name_count;
    void *memory[17]; /* of all tables */
    int memory_count;
};

/* Makes the part of one node. Returns DAL_OK or DAL_ERR_NOMEM; the caller finishes it either
 * way. */
int dal_part_make(struct dal_part *part, const struct dal_net *whole, int node);

/* Accepts a zeroed one. */
void dal_part_finish(struct dal_part *part);
