/* Reads types of tokens from a header, as a compiler sees them: libclang, in a process of its own
 * (synth/codegen/clang/reader.h). Nothing is run, so the types may be for another machine. */
#pragma once

#include "spec/model/types.h"
#include "synth/plan/facts.h"

/* Implements dal_spec_sizer. */
int dal_source_type_size(const struct dal_spec_type *type, struct dal_spec_type_size *size);

/* Reads the facts of a type (reader.h), for the caller to finish, whatever it returns. DAL_OK, or
 * as dal_read_source(). */
int dal__read_type(const struct dal_spec_type *type, struct dal_facts *facts);
