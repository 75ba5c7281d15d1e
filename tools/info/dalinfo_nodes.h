/*
 * dalinfo on several nodes: each rank's text comes to the first one. libdal-mpi is loaded for it,
 * so that dalinfo needs no MPI otherwise.
 */
#ifndef DAL_TOOLS_INFO_DALINFO_NODES_H
#define DAL_TOOLS_INFO_DALINFO_NODES_H

#include <stdio.h>

struct nodes {
    char **texts; /* by rank; in the first rank */
    int count;    /* 0 in the others */
};

/* Meets the other ranks; each writes its text. DAL_OK or a negative code, logged; it is finished
 * either way. */
int nodes_meet(struct nodes *nodes, void (*write)(FILE *out, int node, const void *context),
               const void *context);

/* Accepts a zeroed one. */
void nodes_finish(struct nodes *nodes);

#endif
