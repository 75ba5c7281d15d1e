/*
 * Does a C source keep the p of its fire where later calls could find it: in a variable, in a
 * structure, or through a function that is not its own? If not, fire can be compiled with a p of
 * its own for every firing (include/net.h, dal_unit_run).
 *
 * Found in the tokens, so the answer is "perhaps" wherever a p is not just p->local, compared, or
 * an argument, where it is a DALProcess * again, of a function that is defined here, or of one of
 * dal.h.
 */
#ifndef DAL_SYNTH_SOURCE_KEEPS_H
#define DAL_SYNTH_SOURCE_KEEPS_H

#include "synth/text.h"

struct dal_keeps {
    struct dal_text names;   /* of parameters of type DALProcess * */
    struct dal_text takes;   /* "function:position" of such parameters of functions defined here */
    struct dal_text gives;   /* "function:position" where one of the names is an argument */
    struct dal_text defines; /* all words in preprocessor lines */
    int perhaps;
};

void dal_keeps_init(struct dal_keeps *keeps);
void dal_keeps_finish(struct dal_keeps *keeps);

/* First of every file with the source's text, to learn the names; then again of every file. */
void dal_keeps_learn(struct dal_keeps *keeps, const char *text, size_t length);
void dal_keeps_look(struct dal_keeps *keeps, const char *text, size_t length);

/* The answer, 1 too when memory is exhausted. */
int dal_keeps_p(const struct dal_keeps *keeps);

#endif
