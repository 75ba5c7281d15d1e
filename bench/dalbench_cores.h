/*
 * What the files of the experiment `cores` share. Functions that can fail return DAL_OK or a
 * negative code and have written why. Main thread.
 */
#pragma once

#include "bench/dalbench.h"

enum { CORES_TEXT = 1024, CORES_MOST = 128, CORES_COUNTS = 9 };

/* What figures are compared with that is no program beside them. */
#define CORES_LIMIT "the limit"
#define CORES_FEWER "fewer cores"

/* ---- cores and limits: dalbench_cores_list.c ------------------------------------------------- */

/* The first cores of the machine, as text for mappings and for programs by hand. */
struct cores_list {
    int count;
    char processors[CORES_TEXT]; /* "core_0 core_1" */
    char numbers[CORES_TEXT];    /* "cores=0,1" */
};

/* Lists as many of them; the machine has them. */
void cores_list_init(const struct bench *bench, struct cores_list *list, int count);

/* Writes the numbers of cores to measure with, up to those there are, and returns how many. */
int cores_counts(const struct bench *bench, int counts[CORES_COUNTS]);

/* Returns the whole path of a source of apps; the caller frees it with dal_free(). NULL without
 * memory. */
char *cores_source(struct bench *bench, const char *name);

/* Adds the last figure once more, beside the limit and, if *best is not 0, beside the best of fewer
 * cores. *best becomes the better one of the two. */
int cores_add_limits(struct bench *bench, double limit, double *best);

/* ---- programs without dal: dalbench_cores_peers.c -------------------------------------------- */

enum cores_peer { CORES_ALONE, CORES_OPENMP, CORES_TBB };

/* Says, once for each that is missing, that this machine has no OpenMP or no oneTBB. */
void cores_peers_tell(struct bench *bench);

/* Compiles a source of apps with options of the compiler. *program becomes its file, which the
 * caller frees with dal_free(); or NULL, with DAL_OK, where this machine lacks what it takes. */
int cores_peer_build(struct bench *bench, enum cores_peer peer, const char *source,
                     const char *options, char **program);

/* ---- parts of the experiment ----------------------------------------------------------------- */

int cores_columns(struct bench *bench); /* dalbench_cores_columns.c */
int cores_drawn(struct bench *bench);   /* dalbench_cores_drawn.c */
