#include "spec/model/fsm.h"

#include "rt/base/alloc.h"

static void finish_state(struct dal_spec_fsm_state *state)
{
    for (size_t i = 0; i < state->use_count; i++)
        dal_free(state->uses[i].name);
    dal_free(state->uses);
    dal_free(state->wants);
    dal_free(state->name);
}

void dal_fsm_destroy(struct dal_spec_fsm *fsm)
{
    if (!fsm)
        return;
    for (size_t i = 0; i < fsm->application_count; i++) {
        dal_free(fsm->applications[i].name);
        dal_free(fsm->applications[i].network_file);
        dal_free(fsm->applications[i].mapping_file);
    }
    for (size_t i = 0; i < fsm->state_count; i++)
        finish_state(&fsm->states[i]);
    for (size_t i = 0; i < fsm->event_count; i++)
        dal_free(fsm->events[i].name);
    for (size_t i = 0; i < fsm->transition_count; i++) {
        dal_free(fsm->transitions[i].from_name);
        dal_free(fsm->transitions[i].to_name);
        dal_free(fsm->transitions[i].event_name);
    }
    dal_free(fsm->applications);
    dal_free(fsm->states);
    dal_free(fsm->events);
    dal_free(fsm->transitions);
    dal_free(fsm->name);
    dal_free(fsm);
}
