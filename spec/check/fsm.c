/* Checks the state machine: names, one initial state, one transition for an event, and that every
 * state can be reached and left. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/check/check.h"

#include <string.h>

static const char finished[] = ".finished";

struct check {
    struct dal_diags *diags;
    struct dal_spec_fsm *fsm;
    struct dal_names applications, states, events;
};

static int check_all_names(struct check *check)
{
    const struct dal_spec_fsm *fsm = check->fsm;
    int status = DAL__CHECK_NAMES(check->diags, &check->applications, "application ",
                                  fsm->applications, fsm->application_count);
    return status ? status
                  : DAL__CHECK_NAMES(check->diags, &check->states, "state ", fsm->states,
                                     fsm->state_count);
}

static void check_initial(struct check *check)
{
    struct dal_spec_fsm *fsm = check->fsm;
    fsm->initial = DAL_FSM_NONE;
    for (size_t i = 0; i < fsm->state_count; i++) {
        const struct dal_spec_fsm_state *state = &fsm->states[i];
        if (!state->initial)
            continue;
        if (fsm->initial == DAL_FSM_NONE) {
            fsm->initial = i;
            continue;
        }
        dal_error(check->diags, state->place, "fsm-initial", "state '%s': a second initial state",
                  state->name);
        dal_note(check->diags, fsm->states[fsm->initial].place, "the first is '%s'",
                 fsm->states[fsm->initial].name);
    }
    if (fsm->initial == DAL_FSM_NONE)
        dal_error(check->diags, fsm->place, "fsm-initial",
                  "no state is initial; write <state name=\"...\" initial=\"true\">");
}

static int check_uses(struct check *check, struct dal_spec_fsm_state *state)
{
    struct dal__hint hint;
    int running = 0;
    state->wants = dal_calloc(check->fsm->application_count + 1, sizeof(*state->wants));
    if (!state->wants)
        return dal__lost(check->diags);
    for (size_t i = 0; i < state->use_count; i++) {
        const struct dal_spec_fsm_use *use = &state->uses[i];
        size_t number = dal_names_find(&check->applications, use->name);
        running |= use->want == DAL_FSM_RUNNING;
        if (number == DAL_NAMES_NONE)
            dal_error(check->diags, use->place, "unknown-application",
                      "state '%s': there is no application '%s'%s", state->name, use->name,
                      dal__did_you_mean(&hint, &check->applications, use->name));
        else if (state->wants[number] != DAL_FSM_STOPPED)
            dal_error(check->diags, use->place, "duplicate-name",
                      "state '%s': a second word on application '%s'", state->name, use->name);
        else
            state->wants[number] = use->want;
    }
    if (!running && !state->end)
        dal_error(check->diags, state->place, "fsm-nothing-runs",
                  "state '%s': no application runs, so that no event can lead on; an end is "
                  "<endstate name=\"%s\"/>",
                  state->name, state->name);
    return DAL_OK;
}

static size_t find_state(struct check *check, const struct dal_spec_fsm_transition *transition,
                         const char *name)
{
    size_t number = dal_names_find(&check->states, name);
    struct dal__hint hint;
    if (number != DAL_NAMES_NONE)
        return number;
    dal_error(check->diags, transition->place, "unknown-state", "there is no state '%s'%s", name,
              dal__did_you_mean(&hint, &check->states, name));
    return DAL_FSM_NONE;
}

/* Returns the application of "APPLICATION.finished", which ends where it runs. */
static size_t find_ended(struct check *check, const struct dal_spec_fsm_transition *transition)
{
    const char *event = transition->event_name, *dot = strrchr(event, '.');
    struct dal__hint hint;
    size_t number;
    char *name;
    if (!dot || strcmp(dot, finished) != 0) {
        if (dot)
            dal_error(check->diags, transition->place, "fsm-event",
                      "event '%s': only APPLICATION%s has a dot", event, finished);
        return DAL_FSM_NONE;
    }
    name = dal_format("%.*s", (int)(dot - event), event);
    if (!name) {
        dal__lost(check->diags);
        return DAL_FSM_NONE;
    }
    number = dal_names_find(&check->applications, name);
    if (number == DAL_NAMES_NONE) {
        dal_error(check->diags, transition->place, "unknown-application",
                  "event '%s': there is no application '%s'%s", event, name,
                  dal__did_you_mean(&hint, &check->applications, name));
        number = DAL_FSM_NONE;
    } else if (transition->from != DAL_FSM_NONE && !check->fsm->states[transition->from].end &&
               check->fsm->states[transition->from].wants[number] != DAL_FSM_RUNNING)
        dal_error(check->diags, transition->place, "fsm-event",
                  "event '%s' cannot come in state '%s', in which '%s' does not run", event,
                  transition->from_name, name);
    dal_free(name);
    return number;
}

/* Fills in the transition's event, a new one if need be. */
static int resolve_event(struct check *check, struct dal_spec_fsm_transition *transition)
{
    struct dal_spec_fsm *fsm = check->fsm;
    struct dal_spec_fsm_event event = {.application = find_ended(check, transition)};
    if (strcmp(transition->event_name, "stop") == 0)
        dal_error(check->diags, transition->place, "fsm-event",
                  "event 'stop' ends the application that sends it and nothing else; name "
                  "APPLICATION%s, or another event",
                  finished);
    transition->event = dal_names_find(&check->events, transition->event_name);
    if (transition->event != DAL_NAMES_NONE)
        return DAL_OK;
    if (dal_extend(&fsm->events, fsm->event_count, sizeof(*fsm->events)))
        return dal__lost(check->diags);
    event.name = dal_strdup(transition->event_name);
    transition->event = fsm->event_count;
    if (event.name)
        fsm->events[fsm->event_count++] = event;
    if (!event.name || dal_names_add(&check->events, event.name, transition->event))
        return dal__lost(check->diags);
    return DAL_OK;
}

static void check_ambiguous(struct check *check, size_t number)
{
    const struct dal_spec_fsm_transition *all = check->fsm->transitions, *own = &all[number];
    for (size_t i = 0; i < number; i++)
        if (all[i].from == own->from && all[i].event == own->event && own->from != DAL_FSM_NONE) {
            dal_error(check->diags, own->place, "fsm-ambiguous",
                      "a second transition from state '%s' for event '%s'", own->from_name,
                      own->event_name);
            dal_note(check->diags, all[i].place, "the first is here");
            return;
        }
}

static int check_transitions(struct check *check)
{
    struct dal_spec_fsm *fsm = check->fsm;
    int status = DAL_OK;
    for (size_t i = 0; i < fsm->transition_count && !status; i++) {
        struct dal_spec_fsm_transition *transition = &fsm->transitions[i];
        transition->from = find_state(check, transition, transition->from_name);
        transition->to = find_state(check, transition, transition->to_name);
        if (transition->from != DAL_FSM_NONE && fsm->states[transition->from].end)
            dal_error(check->diags, transition->place, "fsm-end",
                      "nothing leads on from state '%s', which is an end", transition->from_name);
        status = resolve_event(check, transition);
        if (!status)
            check_ambiguous(check, i);
    }
    return status;
}

/*
 * Spreads marks along the transitions, from the states marked 1 to those that `may` be marked,
 * until nothing changes. Each round marks a state or is the last.
 */
static void spread_marks(const struct dal_spec_fsm *fsm, char *marks,
                         int (*may)(const struct dal_spec_fsm_state *state, size_t application),
                         size_t application)
{
    int changed = 1;
    while (changed) {
        changed = 0;
        for (size_t i = 0; i < fsm->transition_count; i++) {
            const struct dal_spec_fsm_transition *t = &fsm->transitions[i];
            if (!marks[t->from] || marks[t->to] || !may(&fsm->states[t->to], application))
                continue;
            marks[t->to] = 1;
            changed = 1;
        }
    }
}

static int any_state(const struct dal_spec_fsm_state *state, size_t application)
{
    (void)state;
    (void)application;
    return 1;
}

static int names_it(const struct dal_spec_fsm_state *state, size_t application)
{
    return state->wants[application] != DAL_FSM_STOPPED;
}

static void check_reachable(struct check *check, char *marks)
{
    const struct dal_spec_fsm *fsm = check->fsm;
    marks[fsm->initial] = 1;
    spread_marks(fsm, marks, any_state, 0);
    for (size_t i = 0; i < fsm->state_count; i++)
        if (!marks[i])
            dal_warning(check->diags, fsm->states[i].place, "fsm-unreachable",
                        "state '%s': no transitions lead here", fsm->states[i].name);
}

/* A paused application must have been started: it runs in an earlier state, and no state between
 * stops it. */
static void check_pauses(struct check *check, char *marks, size_t application)
{
    const struct dal_spec_fsm *fsm = check->fsm;
    const char *name = fsm->applications[application].name;
    int runs = 0;
    for (size_t i = 0; i < fsm->state_count; i++) {
        marks[i] = fsm->states[i].wants[application] == DAL_FSM_RUNNING;
        runs |= marks[i];
    }
    spread_marks(fsm, marks, names_it, application);
    for (size_t i = 0; i < fsm->state_count; i++)
        if (fsm->states[i].wants[application] == DAL_FSM_PAUSED && !marks[i])
            dal_error(check->diags, fsm->states[i].place, "fsm-pause",
                      "state '%s': application '%s' cannot be paused, it runs in no state before",
                      fsm->states[i].name, name);
    if (!runs)
        dal_warning(check->diags, fsm->applications[application].place, "fsm-unreachable",
                    "application '%s' runs in no state", name);
}

static int check_ways(struct check *check)
{
    const struct dal_spec_fsm *fsm = check->fsm;
    char *marks = dal_calloc(fsm->state_count + 1, 1);
    if (!marks)
        return dal__lost(check->diags);
    check_reachable(check, marks);
    for (size_t i = 0; i < fsm->application_count; i++)
        check_pauses(check, marks, i);
    dal_free(marks);
    return DAL_OK;
}

int dal__check_fsm(struct dal_diags *diags, struct dal_spec_fsm *fsm)
{
    struct check check = {.diags = diags, .fsm = fsm};
    size_t errors = diags->errors;
    int status = check_all_names(&check);
    if (!status)
        check_initial(&check);
    for (size_t i = 0; i < fsm->state_count && !status; i++)
        status = check_uses(&check, &fsm->states[i]);
    if (!status)
        status = check_transitions(&check);
    if (!status && diags->errors == errors)
        status = check_ways(&check);
    dal_names_finish(&check.applications);
    dal_names_finish(&check.states);
    dal_names_finish(&check.events);
    return status;
}
