/* The ports of processes: as networks, parts and sources in C name them. One thread. */
#pragma once

#include "spec/base/text.h"
#include "synth/lsp/scan.h"

/* The direction of a port. EITHER: it is not known, or both are wanted. */
enum dal_lsp_way { DAL_LSP_EITHER, DAL_LSP_INPUT, DAL_LSP_OUTPUT };

/* A place in a file. */
struct dal_lsp_target {
    char *path; /* owned */
    size_t begin, end;
};

/* Returns the tag of the process or channel of this name, in its short or long form, or
 * DAL_LSP_NONE. */
size_t dal_lsp_process(const struct dal_lsp_scan *scan, struct dal_lsp_part name);
size_t dal_lsp_channel(const struct dal_lsp_scan *scan, struct dal_lsp_part name);

/* Returns the path of the n-th source of a process, seen from the network's file, for dal_free();
 * NULL behind the last. */
char *dal_lsp_source(const struct dal_lsp_scan *scan, size_t process, const char *network,
                     size_t n);

/* Adds the names of a process's ports of a direction, a line each. */
void dal_lsp_ports(const struct dal_lsp_scan *scan, size_t process, const char *network,
                   enum dal_lsp_way way, struct dal_text *list);

/* Finds where a source of a process uses a port. Returns 1, or 0. */
int dal_lsp_port_use(const struct dal_lsp_scan *scan, size_t process, const char *network,
                     struct dal_lsp_part name, struct dal_lsp_target *target);
/* Finds where a port of a process is declared, or used in a source. Returns 1, or 0. */
int dal_lsp_port(const struct dal_lsp_scan *scan, size_t process, const char *network,
                 struct dal_lsp_part name, struct dal_lsp_target *target);
