/* Variables of a network and of the networks within it, and parameters. Part of the model: model.h
 * says whose they are. */
#pragma once

#include "rt/base/sha256.h"
#include "spec/base/diag.h"

#include <stddef.h>
#include <stdint.h>

struct dal_spec_variable {
    char *name;
    int64_t value; /* after -D overrides */
    int is_auto;   /* true when the network leaves it open */
    int is_open;   /* true when the mapping and -D leave it open, too: it is 1, to be chosen from 1
                    * to `most` */
    int64_t most;  /* 0: that is not said */
    struct dal_spec_place place;
};

/* A network within the network. Its processes are called NAME.PROCESS, and see its variables. */
struct dal_spec_part {
    char *name;                             /* with those around it: Left.Eq */
    const char *file;                       /* its name is of this part alone (dal_diag_part()) */
    unsigned char digest[DAL_SHA256_BYTES]; /* of the file, as it was when it was read */
    struct dal_spec_variable *variables;
    size_t variable_count;
    struct dal_spec_place place; /* of its element */
};

/* Named text: a <parameter>. */
struct dal_spec_parameter {
    char *name;
    char *value; /* ${variable} replaced */
    int live;    /* it may be changed while the network runs */
    struct dal_spec_place place;
};
