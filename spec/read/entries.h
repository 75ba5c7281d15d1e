/* The entries of a file of times of version 2 (rt/observe/times.h). One thread. */
#pragma once

#include "spec/model/curve.h"
#include "spec/read/json.h"

#include <stddef.h>

enum { DAL_TIMES_NAME = 201, DAL_TIMES_TYPE = 9, DAL_TIMES_KEY = 65 };

struct dal_times_entry {
    char process[DAL_TIMES_NAME], on[DAL_TIMES_NAME], type[DAL_TIMES_TYPE], key[DAL_TIMES_KEY];
    double copies, items, firings;
    double mean, p10, median, p99; /* ns a firing */
    struct dal_spec_curve *curve;  /* of launches, as it stands there; or NULL */
    struct dal_spec_place place;
    const char *text; /* as it stands in the file, which has to outlive it */
    size_t bytes;
};

struct dal_times_list {
    struct dal_times_entry *entries;
    size_t count, room;
    struct dal_times_entry **sorted; /* by process, then as below */
    char cores[DAL_TIMES_NAME];      /* of the machine, or empty */
};

/* Reads a whole file into a zeroed list; the caller finishes it either way. DAL_OK, also when
 * something was refused, or DAL_ERR_NOMEM. */
int dal__entries_read(struct dal_json *json, struct dal_times_list *list);
void dal__entries_finish(struct dal_times_list *list);

/* Compares entries; 0: both give the time of the same thing. */
int dal__entry_compare(const struct dal_times_entry *a, const struct dal_times_entry *b);
