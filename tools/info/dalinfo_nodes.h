/*
 * dalinfo on several nodes: the first rank gets each rank's text. It loads libdal-mpi, so that
 * dalinfo needs no MPI otherwise.
 */
#pragma once

#include <stdio.h>

struct nodes {
    char **texts; /* by rank; in the first rank */
    int count;    /* 0 in the other ranks */
};

/* Meets the other ranks; each writes its text. Returns DAL_OK or a negative code, logged; the
 * caller finishes it either way. */
int nodes_meet(struct nodes *nodes, void (*write)(FILE *out, int node, const void *context),
               const void *context);

/* Accepts a zeroed one. */
void nodes_finish(struct nodes *nodes);
