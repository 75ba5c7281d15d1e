/* The reports of all nodes, as texts of sections. Observers write from them. */
#pragma once

#include <stdint.h>
#include <stdio.h>

struct dal_network;

enum { DAL_STATS_FILE = 12, DAL_STATS_TIMES = 21, DAL_STATS_TRACE, DAL_STATS_SECTIONS };

/* The things that a section lists. Processes and channels are this node's own: no proxies, and no
 * channels that are read on another node. */
enum dal_items {
    DAL_ITEMS_ONE,       /* one text, about the network */
    DAL_ITEMS_PROCESSES, /* struct dal_process */
    DAL_ITEMS_PERIODIC,  /* struct dal_process with a timer */
    DAL_ITEMS_TOGETHER,  /* struct dal_group of several processes */
    DAL_ITEMS_LAUNCHED,  /* struct dal_launcher of a group */
    DAL_ITEMS_CHANNELS,  /* struct dal_channel */
    DAL_ITEMS_FLOWS,     /* struct dal_flow, to another node */
    DAL_ITEMS_DEVICES,   /* struct dal_device */
    DAL_ITEMS_LATENCIES, /* struct dal_latency */
};

/* A section of the table, of its file, of the times, or of the trace. */
struct dal_section {
    const char *title; /* of the table, "" for none; in the file the name of the list */
    enum dal_items items;
    /* Prints an item, or nothing, after all threads have been joined. */
    void (*print)(const struct dal_network *network, FILE *file, const void *item);
};

/* The report of one node: the sections' texts. Those that are not wanted are empty. */
struct dal_stats_report {
    const char *network; /* name */
    int64_t wall_ns;
    char *texts[DAL_STATS_SECTIONS]; /* each ends with a zero */
    size_t bytes[DAL_STATS_SECTIONS];
};

/* The reports that observers write from: of all nodes in order, or of one. */
struct dal_reports {
    const struct dal_stats_report *list;
    int count;
    const char *heading; /* of the table, or NULL */
    const char *label;   /* in the files' names, or NULL */
    const char *about;   /* as in rt/trace/trace.h */
};

/* Returns whether any node has a text of a section. */
int dal__reports_have(const struct dal_reports *all, int section);

/* Prints the texts of a section, each but the first after `between`. */
void dal__reports_print(FILE *file, const struct dal_reports *all, int section,
                        const char *between);
