#include "spec/model/fsm.h"

#include "rt/base/alloc.h"

static void finish_state(struct dal_spec_fsm_state *state)
{
    for (size_t i = 0; i < state->use_count; i++)
        dal_free(state->uses[i].name);
    dal_free_all(state->uses, state->wants, state->name);
}

void dal_fsm_destroy(struct dal_spec_fsm *fsm)
{
    if (!fsm)
        return;
    for (size_t i = 0; i < fsm->application_count; i++) {
        dal_free_all(fsm->applications[i].name, fsm->applications[i].network_file,
                     fsm->applications[i].mapping_file);
    }
    for (size_t i = 0; i < fsm->state_count; i++)
        finish_state(&fsm->states[i]);
    for (size_t i = 0; i < fsm->event_count; i++)
        dal_free(fsm->events[i].name);
    for (size_t i = 0; i < fsm->transition_count; i++) {
        dal_free_all(fsm->transitions[i].from_name, fsm->transitions[i].to_name,
                     fsm->transitions[i].event_name);
    }
    dal_free_all(fsm->applications, fsm->states, fsm->events, fsm->transitions, fsm->name, fsm);
}
