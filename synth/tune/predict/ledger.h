/*
 * The copy ledger of a plan: how many bytes go through each channel in an iteration of the network.
 * It tells which bytes the runtime copies or sends to another node, and which are read where they
 * were written. It counts as the runtime does (rt/observe/stats_file.h). One thread.
 */
#pragma once

#include "synth/plan/plan.h"

#include <stdio.h>

/* Bytes an iteration; a token that is moved twice counts twice. */
struct dal_ledger_entry {
    int is_known;            /* not of rates that vary */
    double bytes;            /* bytes that are read */
    double copied, in_place; /* on a machine, and not moved */
    double mirrored;         /* of `copied`: within one ring, between its two ends */
    double sent;             /* to another node */
};

struct dal_ledger {
    struct dal_ledger_entry *channels; /* by number */
    struct dal_ledger_entry all;       /* the sum of those that are known */
};

/* Needs a plan that is placed, with S and groups. Returns DAL_OK or DAL_ERR_NOMEM;
 * dal_ledger_finish() on both. */
int dal_ledger_make(const struct dal_plan *plan, struct dal_ledger *ledger);
void dal_ledger_finish(struct dal_ledger *ledger);

/* Prints for people. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal_ledger_print(const struct dal_plan *plan, const struct dal_ledger *ledger, FILE *out);
