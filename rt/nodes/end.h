/*
 * How the ranks of a network end.
 *
 * A rank that is done says so and stays until all are, or one breaks. The first error goes to all
 * ranks; each ends its part. If a rank's process is gone, the others name it where they can see it,
 * and wait for nothing.
 *
 * Reports: after an orderly end of the run, all ranks send the first one what they have done.
 */
#pragma once

#include "rt/nodes/nodes.h"

/* The report of one rank, as bytes. */
struct dal_nodes_report {
    const void *bytes; /* NULL: of this rank */
    size_t count;
};

/* Tells the others how this rank ends, and waits until they have said the same. After an error it
 * waits only for a limited time, and then tears down the rest. Once all have said it, nothing is
 * under way. Only its first call does something. */
void dal__end_together(struct dal_nodes *nodes);

/* Returns, after finish, whether all went well and the first rank wants reports. All ranks get the
 * same result. */
int dal_nodes_gathers(const struct dal_nodes *nodes);

/* Sends this rank's report after that. In the first rank, receives the others'. Returns DAL_OK, or
 * a negative code, logged. */
int dal_nodes_gather(struct dal_nodes *nodes, const void *bytes, size_t count);

/* Returns the report of another rank that the first one has received. It stays until destroy. */
struct dal_nodes_report dal_nodes_report_of(const struct dal_nodes *nodes, int rank);

/* Leaves the others. Tells them an error, or DAL_OK, if they do not know yet. Accepts NULL. */
void dal_nodes_leave(struct dal_nodes *nodes, int status);

/* Returns the error to end with, after leaving: `status`, another rank's error that caused it, or
 * an error of leaving. With NULL, returns `status`. */
int dal_nodes_verdict(const struct dal_nodes *nodes, int status);
