/* Variables of a network and of the networks within it, and parameters. Part of the model: model.h
 * says whose they are. */
#pragma once

#include "include/net.h"
#include "rt/base/npy.h"
#include "rt/base/sha256.h"
#include "rt/base/value.h"
#include "spec/base/diag.h"

#include <stddef.h>
#include <stdint.h>

/* Types of values: an integer, a number, a name of C, any text. */
enum dal_variable_type {
    DAL_VARIABLE_INTEGER,
    DAL_VARIABLE_REAL,
    DAL_VARIABLE_NAME,
    DAL_VARIABLE_TEXT,
};

struct dal_spec_variable {
    char *name;
    enum dal_variable_type type;
    int64_t value; /* after -D overrides; of an integer */
    char *text;    /* the value of another type: "48000.0", "float"; of an integer NULL */
    int is_auto;   /* true when the network leaves it open */
    int is_open;   /* true when the mapping and -D leave it open, too: it is 1, to be chosen from 1
                    * to `most` */
    int64_t most;  /* 0: that is not said */
    struct dal_spec_place place;
};

struct dal_text;
/* Adds a value as a network has it: "-3", "float". */
void dal_variable_print(struct dal_text *text, const struct dal_spec_variable *variable);
/* Adds a value as C has it: "(-3)", "float", or a string literal. */
void dal_variable_print_c(struct dal_text *text, const struct dal_spec_variable *variable);
/* Do two variables have the same name, type and value? */
int dal_variable_same(const struct dal_spec_variable *a, const struct dal_spec_variable *b);

/* A network within the network. Its processes are called NAME.PROCESS, and see its variables. */
struct dal_spec_part {
    char *name;                             /* with those around it: Left.Eq */
    char *network;                          /* name of the network that it is */
    const char *file;                       /* its name is of this part alone (dal_diag_part()) */
    const char *mapping;                    /* likewise, of its own mapping; NULL without one */
    unsigned char digest[DAL_SHA256_BYTES]; /* of the file, as it was when it was read */
    struct dal_spec_variable *variables;
    size_t variable_count;
    struct dal_spec_place place; /* of its element */
};

/* Bytes of constants: a file, or values that the network has. */
struct dal_spec_data {
    char *key;            /* the path, or the values behind a newline */
    unsigned char *whole; /* the file */
    size_t at, bytes;     /* the elements within it */
    int is_array;         /* of NumPy */
    struct dal_npy array;
};

/* A <constant>. */
struct dal_spec_constant {
    char *name;
    char *type;     /* of C, of its elements */
    char kind;      /* 'i', 'u' integers, 'f' real */
    uint64_t count; /* elements */
    uint64_t element_bytes;
    char *file, *value; /* one of them; the file as seen from the network's folder */
    size_t data;        /* its number in the network's data */
    struct dal_spec_place place;
};

/* Named text: a <parameter>. */
struct dal_spec_parameter {
    char *name;
    char *value; /* ${variable} replaced */
    int live;    /* it may be changed while the network runs */
    int typed;   /* the value is a number of `type`, and not beyond the limits */
    enum dal_value_type type;
    char *min, *max; /* numbers of that type; NULL without a limit */
    struct dal_spec_place place;
};

/* Says what is wrong with the value or the limits of a parameter that has a type. Returns DAL_OK,
 * or DAL_ERR_INVALID with `why` set. */
int dal_spec_parameter_check(const struct dal_spec_parameter *parameter, char why[DAL_VALUE_WHY]);

/* What the command line says of a network: a -D NAME=VALUE; or --tap=PATTERN,
 * --replay=PROCESS=FOLDER and --only=PROCESS=FOLDER, whose folder may be NULL. */
enum dal_spec_define_kind {
    DAL_DEFINE_VARIABLE,
    DAL_DEFINE_TAP,
    DAL_DEFINE_REPLAY,
    DAL_DEFINE_ONLY
};

struct dal_spec_define {
    const char *name;
    const char *text; /* the value as written; or NULL: the one below. Of a recording the folder */
    int64_t value;
    enum dal_spec_define_kind kind;
};
