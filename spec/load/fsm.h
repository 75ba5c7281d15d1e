/* Loads the fourth specification, a finite state machine. */
#ifndef DAL_SPEC_LOAD_FSM_H
#define DAL_SPEC_LOAD_FSM_H

#include "spec/model/fsm.h"

/*
 * Loads, validates (XSD, then meaning) and resolves. All problems are added to diags; on any error
 * NULL is returned and nothing is kept. The caller destroys the result.
 */
struct dal_spec_fsm *dal_fsm_load(struct dal_diags *diags, const char *file);

#endif
