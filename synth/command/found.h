/* Finds what a program is made of, where the user gives less than a network, an architecture and a
 * mapping. One thread. */
#pragma once

#include "spec/base/tree.h"
#include "synth/command/request.h"

/* What was found, as files in a folder of its own. Starts zeroed. */
struct dal_found {
    char *folder;
    char *mapping, *architecture, *times; /* files in there; not each is there */
    struct dal_mapped mapped;             /* what a search has found */
    int is_here;                          /* instead, everything is on the cores */
};

/*
 * Without architecture and mapping, everything runs on the cores of this machine. Without a mapping
 * alone, it is searched; with request->map.tunes, this machine is measured first (tune.h). The
 * files become those of the request. Returns DAL_OK, DAL_ERR_INVALID with the problems in diags, or
 * another code. Call it after dal_child_guard() and dal_build_environment(), and
 * dal_found_finish() in all cases.
 */
int dal_found_make(struct dal_diags *diags, const struct dal_request *request,
                   struct dal_files *files, struct dal_found *found);
/* Adds the files to those of the program. DAL_OK or an error. */
int dal_found_add(const struct dal_found *found, struct dal_tree *tree);
/* Lets messages that name a file of the folder, which goes, name the network instead. */
void dal_found_rename(const struct dal_found *found, struct dal_diags *diags, const char *network);
void dal_found_finish(struct dal_found *found);
