#include "synth/explain.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/fsm.h"
#include "synth/table.h"
#include "synth/text.h"

/* Names of the applications of which a state wants this. */
static char *list_applications(const struct dal_spec_fsm *fsm,
                               const struct dal_spec_fsm_state *state, enum dal_spec_fsm_want want)
{
    struct dal_text text;
    size_t i;

    dal_text_init(&text);
    for (i = 0; i < fsm->application_count; i++)
        if (state->wants[i] == want)
            dal_text_printf(&text, "%s%s", text.length ? "," : "", fsm->applications[i].name);
    if (!text.length)
        dal_text_add(&text, "-");
    return dal_text_take(&text);
}

static char *list_ways(const struct dal_spec_fsm *fsm, size_t state)
{
    struct dal_text text;
    size_t i;

    dal_text_init(&text);
    for (i = 0; i < fsm->transition_count; i++) {
        const struct dal_spec_fsm_transition *t = &fsm->transitions[i];
        if (t->from == state)
            dal_text_printf(&text, "%s%s -> %s", text.length ? ", " : "",
                            fsm->events[t->event].name, fsm->states[t->to].name);
    }
    if (!text.length)
        dal_text_add(&text, fsm->states[state].end ? "the end" : "no way on");
    return dal_text_take(&text);
}

int dal_explain_fsm(const struct dal_spec_fsm *fsm, FILE *out)
{
    static const char *const titles[] = {"state", "running", "paused", "event -> state"};
    struct dal_table t = {0};
    size_t i;

    fprintf(out, "state machine %s: %zu applications, %zu states, %zu transitions\n\n", fsm->name,
            fsm->application_count, fsm->state_count, fsm->transition_count);
    dal_table_titles(&t, titles, sizeof(titles) / sizeof(titles[0]));
    for (i = 0; i < fsm->state_count; i++) {
        const struct dal_spec_fsm_state *state = &fsm->states[i];
        dal_table_add(&t, dal_format("%s%s", state->name, state->initial ? "*" : ""));
        dal_table_add(&t, list_applications(fsm, state, DAL_FSM_RUNNING));
        dal_table_add(&t, list_applications(fsm, state, DAL_FSM_PAUSED));
        dal_table_add(&t, list_ways(fsm, i));
    }
    if (dal_table_print(&t, out))
        return DAL_ERR_NOMEM;
    fprintf(out, "\n* the first\n");
    return DAL_OK;
}
