/* What the table of verbs calls (verbs.c), in the file of each verb. Once all is told, each returns
 * an exit status, or DAL_OK or a negative code if it has `diags`, with the problem in there. */
#pragma once

#include "synth/command/request.h"

struct dal_option;

/* Makes the program. */
int dal_verb_build(struct dal_request *request);
/* The same without writing anything; with `verify`, whether that program was made from this. */
int dal_verb_check(struct dal_request *request);
/* Checks, and prints the plan. */
int dal_verb_explain(struct dal_request *request);
/* Makes the program and becomes it, with `arguments`. */
int dal_verb_run(struct dal_request *request);
/* As dal_verb_build(), and keeps the program's path, the caller's to free; NULL on failure. */
int dal_build_program(struct dal_request *request, char **program);

/* Print a network in its long form, and in its short one (spec/write/short.h). */
int dal_form_expand(struct dal_diags *diags, const struct dal_request *request);
int dal_form_shorten(struct dal_diags *diags, const struct dal_request *request);
/* Lists the installed parts, or describes one. */
int dal_form_parts(struct dal_diags *diags, const struct dal_request *request);

/* Is it the name of a list? See the table in list.c. */
int dal_list_knows(const char *what);
/*
 * Prints the list of the request for programs that complete a command line: names of a network or a
 * machine, one a line, as they are written there: "Dec_0", "Dec_0.out", "Split.input". The network
 * need not be able to run, nor have sources. Without an architecture, lists of its names are empty.
 * Prints nothing after an error.
 */
int dal_list(struct dal_diags *diags, const struct dal_request *request);

/* Finds a mapping for a network, a machine and measured times, or a front of them; writes it. */
int dal_verb_map(struct dal_request *request);
/* Take --objective and --pin, like the functions of synth/command/options.h. The text of a pin is
 * split in place. */
int dal_take_objective(struct dal_request *request, const struct dal_option *option, char *text);
int dal_take_pin(struct dal_request *request, const struct dal_option *option, char *text);

/*
 * Turns an SDF3 application graph into a network: NAME.xml in the folder `output`, which is made
 * when it is not there, or on standard output when it is NULL. With `burn` the folder also gets a C
 * source for every process, which spends its execution time busy, so that the network can be
 * synthesised. Files that are there already are not touched: that is an error. Errors are in diags
 * or logged.
 */
int dal_sdf3_import(struct dal_diags *diags, const struct dal_request *request);
/* Prints a network, or an SDF3 application graph, as an SDF3 application graph. */
int dal_sdf3_export(struct dal_diags *diags, const struct dal_request *request);

/* Set and print live parameters of a program that runs. */
int dal_set(struct dal_request *request);
int dal_get(struct dal_request *request);
