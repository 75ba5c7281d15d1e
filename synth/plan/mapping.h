/* Writes a mapping as a file. One thread. */
#pragma once

#include "spec/base/text.h"
#include "spec/model/model.h"

/*
 * Adds the spec's present mapping, with all that dalsynth reads of one. Each process has a binding
 * of its own, with its name. `comment` stands in front, line by line; it may be empty. Same model,
 * same bytes.
 */
void dal_mapping_write(struct dal_text *text, const struct dal_spec *spec, const char *comment);
