/*
 * Reads <measured> of an architecture; also has what the reader of the rest shares. Internal to
 * spec/read. One thread.
 */
#pragma once

#include "spec/read/raw.h"
#include "spec/read/xml.h"

/* Reads <measured>: what is said of the whole into the model, its costs as raw ones. DAL_OK, with
 * wrong values in diags, or DAL_ERR_NOMEM or DAL_ERR_LIMIT. */
int dal__read_measured(struct dal__reader *reader, struct dal_spec_measured *measured,
                       struct dal__raw *raw, const xmlNode *element);

/* Reads the attribute of that name, in bytes a second; as dal__xml_quantity(). */
int dal__read_bandwidth(struct dal__reader *reader, const xmlNode *element, uint64_t *bandwidth);
