/*
 * The words that may stand at a place of a file, by the schemas (spec/xml/schema.h). One thread.
 */
#pragma once

#include "spec/base/text.h"

enum dal_words { DAL_WORDS_ELEMENTS, DAL_WORDS_ATTRIBUTES, DAL_WORDS_VALUES };

/* Adds a line for each element that may stand in the last of some elements, for each of its
 * attributes, or for each value that is foreseen for an attribute of it. The first is the root,
 * each is within the one before; without any, the roots are added. An unknown one has no words. */
void dal_words_add(struct dal_text *words, enum dal_words what, const char *const *elements,
                   size_t count, const char *attribute);
