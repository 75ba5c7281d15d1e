/*
 * Kernels as functions of another kernel, which calls them for their firings (group_text.c). The
 * text of a unit is that of its source, or, of a portable source, that of a kernel made of it.
 */
#pragma once

#include "synth/plan/plan.h"

/* Adds what stands in front of all functions of a kernel with work-items of that shape, and behind
 * them: each of them is told that its work-group is the only one. */
void dal__open_functions(struct dal_text *text, const uint32_t *shape);
void dal__close_functions(struct dal_text *text);

/* How a kernel goes over its words, and how many a firing has. Only of units that have one text for
 * all devices. (words.c) */
const struct dal_fact *dal__words_step(const struct dal_plan_unit *unit);
uint64_t dal__words_count(const struct dal_plan_unit *unit);
/* Returns an element of a port that is used word by word. Otherwise NULL; a text gets the reason.
 */
const struct dal_fact *dal__words_port(const struct dal_plan_unit *unit, size_t port,
                                       struct dal_text *why);

/* Adds a unit's text with its kernel as a function, and dal__fire_NUMBER(), which calls that: by
 * ports in their order, then values, the phase and local memory. A function of one word has its
 * number and pointers to the words instead of the last. DAL_OK,
 * DAL_ERR_NOMEM, or DAL_ERR_UNSUPPORTED where a source is not as its facts say. */
int dal__add_function(struct dal_text *text, const struct dal_plan_unit *unit, size_t number,
                      int of_word);
