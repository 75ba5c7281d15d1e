/*
 * Files, pipes and standard streams at the open ports of a network (rt/streams/stream.h). What the
 * network writes gets its place when it is closed as a whole. One thread.
 */
#pragma once

#include "include/net.h"

struct dal_stream;

struct dal_files {
    const struct dal_net *net;   /* on several nodes, this node's part */
    const struct dal_net *whole; /* of which `net` is a part, or `net` */
    const char *const *names;    /* by process, NULL for none; they outlive it */
    struct dal_stream **streams; /* likewise; for dal_network_options */
};

/* Opens them, of the two networks that `files` has; a named pipe waits for its other end.
 * `may_lack`: a port may have none. Returns DAL_OK; DAL_ERR_INVALID where a port has none, or two
 * have the same standard stream, pipe or file to write; or the code of a stream. Logged. Close it
 * either way. */
int dal__files_open(struct dal_files *files, const char *const *names, int may_lack);

/* Closes them. `whole`: files that were written get their places. Accepts a zeroed one. Returns
 * DAL_OK or DAL_ERR_IO. */
int dal__files_close(struct dal_files *files, int whole);
