/*
 * Verbs and options as tables: one reader of command lines, one writer of --help. Errors are
 * printed on standard error, with the name that the user called. One thread.
 */
#pragma once

#include "synth/command/request.h"

/* Exit statuses; the last ends the reading of a command line, with success. */
enum { DAL_EXIT_BAD_INPUT = 1, DAL_EXIT_USAGE = 2, DAL_EXIT_DONE = -1 };

/* dalsynth takes the option; any other bit is 1 << the number of a verb. */
#define DAL_FOR_DALSYNTH (UINT32_C(1) << 31)

struct dal_option {
    uint32_t verbs; /* a bit for each */
    char letter;    /* or 0 */
    const char *name;
    const char *argument; /* its name, or NULL without; in brackets when it may be missing */
    /* Stores `text`, which is NULL without an argument. Returns 0 or an exit status, told. */
    int (*take)(struct dal_request *request, const struct dal_option *option, char *text);
    size_t target;        /* offset in the request */
    uint64_t least, most; /* of a count; `least` is the number of a verb that the option chooses */
    const char *needs;    /* other options, with spaces between; A|B: one of the two will do */
    const char *without;  /* options that exclude this one */
    const char *help;     /* lines */
};

struct dal_verb {
    const char *name;
    const char *classic; /* how dalsynth is told, "" without more, NULL if it does not know it */
    int same;            /* number of the verb that it is, under another name; or 0 */
    const char *program; /* runs the verb, with its folder in a build; NULL: `run` does */
    const char *files;   /* lines of the synopsis, behind the options */
    const char *counts;  /* how many files there may be, as digits */
    const char *counts_timed; /* the same with --times, or NULL; then --fsm makes it 2 */
    int runs;                 /* true if a program is run, with the words behind -- */
    const char *wants;        /* message for a wrong number of files */
    int (*run)(struct dal_request *request); /* returns an exit status, once all is told */
    /* For dal_request_print(): prints the result. Returns DAL_OK or a negative code, with the
     * problem in diags. */
    int (*print)(struct dal_diags *diags, const struct dal_request *request);
    const char *help;        /* one line */
    const char *text, *more; /* lines of --help in front of the options; the second or NULL */
};

struct dal_command_table {
    const struct dal_option *options;
    size_t option_count; /* 64 at most */
    const struct dal_verb *verbs;
    size_t verb_count;
};

/* Prints a message and where there is help. Returns DAL_EXIT_USAGE. */
int dal_request_refuse(const struct dal_request *request, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Tells that there is no memory. Returns DAL_EXIT_BAD_INPUT. */
int dal_request_lost(void);

/* A whole program: reads the command line, runs the verb, ends as a signal has asked for. The
 * request has its table, verb and name. Returns the exit status. */
int dal_request_main(struct dal_request *request, int argc, char **argv);

/* Prints the problems, and finishes diags. Returns DAL_OK, or DAL_ERR_INVALID if there was an
 * error. */
int dal_request_tell(struct dal_diags *diags);
/* Ends a verb: does the same, and reports an error that nobody has reported. `step` names what
 * failed. Returns an exit status. */
int dal_request_end(struct dal_diags *diags, const char *step, int status);
/* The same, in a form for another program, which is printed on standard output. */
int dal_request_report(struct dal_diags *diags, enum dal_report form, const char *step, int status);
/* A whole verb that only prints. */
int dal_request_print(struct dal_request *request);

/* Returns a bit for each verb whose options the command line may have. */
uint32_t dal_request_verbs(const struct dal_request *request);
/* Was the option of this name given? */
int dal_request_has(const struct dal_request *request, const char *name);

/* ---- what takes options ------------------------------------------------------------------------
 */

int dal_take_flag(struct dal_request *request, const struct dal_option *option, char *text);
int dal_take_text(struct dal_request *request, const struct dal_option *option, char *text);
/* A text that is not empty. */
int dal_take_name(struct dal_request *request, const struct dal_option *option, char *text);
/* Up to `most` texts. */
int dal_take_texts(struct dal_request *request, const struct dal_option *option, char *text);
/* More than 0, at most 10^6. */
int dal_take_seconds(struct dal_request *request, const struct dal_option *option, char *text);
int dal_take_count(struct dal_request *request, const struct dal_option *option, char *text);
int dal_take_define(struct dal_request *request, const struct dal_option *option, char *text);
int dal_take_tap(struct dal_request *request, const struct dal_option *option, char *text);
/* Takes PROCESS=FOLDER; `least` is the enum dal_spec_define_kind. */
int dal_take_recording(struct dal_request *request, const struct dal_option *option, char *text);
int dal_take_parameter(struct dal_request *request, const struct dal_option *option, char *text);
/* Tables, or as data. */
int dal_take_explain(struct dal_request *request, const struct dal_option *option, char *text);
/* Takes the name of a library, "" for the network's. */
int dal_take_library(struct dal_request *request, const struct dal_option *option, char *text);
/* Chooses the verb of number `least`. */
int dal_take_verb(struct dal_request *request, const struct dal_option *option, char *text);
/* Print help or the version, and end the reading of the command line (help.c). */
int dal_take_help(struct dal_request *request, const struct dal_option *option, char *text);
int dal_take_version(struct dal_request *request, const struct dal_option *option, char *text);
/* Prints the verbs, a line each. */
void dal_verbs_print(const struct dal_command_table *table, FILE *out);
