/* Verbs that print a network, or its names, in another form. */
#ifndef DAL_SYNTH_COMMAND_FORMS_H
#define DAL_SYNTH_COMMAND_FORMS_H

#include "synth/command/request.h"

/* Each returns an exit status, once all is told. */

/* A graph of SDF3 as a network, and a network as such a graph (synth/command/sdf3.h). */
int dal_verb_import(struct dal_request *request);
int dal_verb_export(struct dal_request *request);
/* A network in its long form and in its short one (spec/write/short.h). */
int dal_verb_expand(struct dal_request *request);
int dal_verb_shorten(struct dal_request *request);
/* Names (synth/command/list.h). */
int dal_verb_list(struct dal_request *request);

#endif
