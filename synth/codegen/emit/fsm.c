/* fsm.c: the tables of a state machine, and main(). */
#include "synth/codegen/emit/fields.h"
#include "synth/codegen/emit/parts.h"

#include "rt/base/alloc.h"

/* The symbols of one table, by index. */
struct symbols {
    char **list;
    size_t count;
};

struct writer {
    const struct dal_spec_fsm *fsm;
    const struct dal_spec_mapping *mapping; /* any: the nodes are those of all */
    struct dal_text *text;
    struct symbols states, events;
};

char *dal__emit_fsm_file(const struct dal_emit *emit)
{
    unsigned number = 1;
    char *file = dal_strdup("fsm.c");
    while (file && dal_plan_is_source(emit->plan, file)) {
        dal_free(file);
        file = dal_format("fsm_%u.c", ++number);
    }
    return file;
}

static void finish_symbols(struct symbols *symbols)
{
    for (size_t i = 0; i < symbols->count; i++)
        dal_free(symbols->list[i]);
    dal_free(symbols->list);
    *symbols = (struct symbols){0};
}

/* Makes all symbols, or none when memory is exhausted. */
static void make_symbols(struct writer *w, struct symbols *symbols, const char *const *names,
                         size_t count)
{
    char ***places = dal_calloc(count + 1, sizeof(*places));
    symbols->list = dal_calloc(count + 1, sizeof(*symbols->list));
    symbols->count = symbols->list ? count : 0;
    for (size_t i = 0; places && i < symbols->count; i++)
        places[i] = &symbols->list[i];
    if (!places || !symbols->list ||
        dal_plan_name_symbols((char **const *)places, names, symbols->count)) {
        finish_symbols(symbols);
        w->text->lost = 1;
    }
    dal_free(places);
}

static void name_states_and_events(struct writer *w)
{
    size_t most = w->fsm->state_count + w->fsm->event_count + 1;
    const char **names = dal_calloc(most, sizeof(*names));
    w->text->lost |= !names;
    for (size_t i = 0; names && i < w->fsm->state_count; i++)
        names[i] = w->fsm->states[i].name;
    if (names)
        make_symbols(w, &w->states, names, w->fsm->state_count);
    for (size_t i = 0; names && i < w->fsm->event_count; i++)
        names[i] = w->fsm->events[i].name;
    if (names)
        make_symbols(w, &w->events, names, w->fsm->event_count);
    dal_free(names);
}

static void add_enum(struct writer *w, const char *prefix, const struct symbols *symbols)
{
    if (!symbols->count)
        return;
    dal_text_add(w->text, "enum {\n");
    for (size_t i = 0; i < symbols->count; i++)
        dal_text_printf(w->text, "    %s_%s,\n", prefix, symbols->list[i]);
    dal_text_printf(w->text, "    %sS,\n};\n\n", prefix);
}

static void open_named(struct writer *w, const char *prefix, const char *symbol, const char *name)
{
    dal__entry_open(w->text, prefix, symbol);
    dal__field_string(w->text, 12, "name", name);
}

static void close_entry(struct writer *w, struct dal_spec_place place)
{
    dal__field_origin(w->text, 12, place, place.file);
    dal__entry_close(w->text);
}

static void add_applications(struct writer *w)
{
    const struct dal_spec_fsm *fsm = w->fsm;
    for (size_t i = 0; i < fsm->application_count; i++)
        dal_text_printf(w->text, "extern const struct dal_net dal_net_%s;\n",
                        fsm->applications[i].name);
    dal_text_add(w->text, "\nenum {\n");
    for (size_t i = 0; i < fsm->application_count; i++)
        dal_text_printf(w->text, "    APPLICATION_%s,\n", fsm->applications[i].name);
    dal_text_add(w->text, "    APPLICATIONS,\n};\n\n"
                          "static const struct dal_application_desc applications[] = {\n");
    for (size_t i = 0; i < fsm->application_count; i++) {
        const char *name = fsm->applications[i].name;
        open_named(w, "APPLICATION_", name, name);
        dal__field_symbol(w->text, 12, "net", "&dal_net_", name);
        close_entry(w, fsm->applications[i].place);
    }
    dal_text_add(w->text, "};\n\n");
}

static void add_events(struct writer *w)
{
    const struct dal_spec_fsm *fsm = w->fsm;
    if (!w->events.count)
        return;
    dal_text_add(w->text, "static const struct dal_event_desc events[] = {\n");
    for (size_t i = 0; i < w->events.count; i++) {
        size_t application = fsm->events[i].application;
        open_named(w, "EVENT_", w->events.list[i], fsm->events[i].name);
        if (application == DAL_FSM_NONE)
            dal__field_symbol(w->text, 12, "application", "", "-1");
        else
            dal__field_symbol(w->text, 12, "application", "APPLICATION_",
                              fsm->applications[application].name);
        dal__entry_close(w->text);
    }
    dal_text_add(w->text, "};\n\n");
}

static void add_wants(struct writer *w, size_t state)
{
    static const char *const words[] = {
        [DAL_FSM_STOPPED] = "STOPPED",
        [DAL_FSM_RUNNING] = "RUNNING",
        [DAL_FSM_PAUSED] = "PAUSED",
    };
    dal_text_printf(w->text, "static const enum dal_application_status wants_%s[] = {\n",
                    w->states.list[state]);
    for (size_t i = 0; i < w->fsm->application_count; i++)
        dal_text_printf(w->text, "    [APPLICATION_%s] = DAL_APPLICATION_%s,\n",
                        w->fsm->applications[i].name, words[w->fsm->states[state].wants[i]]);
    dal_text_add(w->text, "};\n\n");
}

static void add_states(struct writer *w)
{
    for (size_t i = 0; i < w->states.count; i++)
        add_wants(w, i);
    dal_text_add(w->text, "static const struct dal_state_desc states[] = {\n");
    for (size_t i = 0; i < w->states.count; i++) {
        open_named(w, "STATE_", w->states.list[i], w->fsm->states[i].name);
        dal__field_symbol(w->text, 12, "wants", "wants_", w->states.list[i]);
        dal__field_given(w->text, 12, "end", w->fsm->states[i].end != 0);
        close_entry(w, w->fsm->states[i].place);
    }
    dal_text_add(w->text, "};\n\n");
}

/* The verb for a change from one state to another, [from][to]. */
static const char *const actions[3][3] = {
    [DAL_FSM_STOPPED] = {[DAL_FSM_RUNNING] = "starts"},
    [DAL_FSM_RUNNING] = {[DAL_FSM_STOPPED] = "stops", [DAL_FSM_PAUSED] = "pauses"},
    [DAL_FSM_PAUSED] = {[DAL_FSM_STOPPED] = "stops", [DAL_FSM_RUNNING] = "resumes"},
};

/* The event's own application has ended: it is not stopped any more, but may be started. */
static const char *action(const struct dal_spec_fsm *fsm, const struct dal_spec_fsm_transition *t,
                          size_t i)
{
    enum dal_spec_fsm_want from = fsm->states[t->from].wants[i];
    if (fsm->events[t->event].application == i)
        from = DAL_FSM_STOPPED;
    return actions[from][fsm->states[t->to].wants[i]];
}

static void add_actions(struct writer *w, const struct dal_spec_fsm_transition *t)
{
    struct dal_text words = {0};
    for (size_t i = 0; i < w->fsm->application_count; i++)
        if (action(w->fsm, t, i))
            dal_text_printf(&words, "%s%s %s", words.length ? ", " : "", action(w->fsm, t, i),
                            w->fsm->applications[i].name);
    if (words.length)
        dal_text_add_comment(w->text, 12, "%s", dal_text_get(&words));
    w->text->lost |= words.lost;
    dal_text_finish(&words);
}

static void add_transitions(struct writer *w)
{
    if (!w->fsm->transition_count || w->text->lost)
        return;
    dal_text_add(w->text, "static const struct dal_transition_desc transitions[] = {\n");
    for (size_t i = 0; i < w->fsm->transition_count; i++) {
        const struct dal_spec_fsm_transition *t = &w->fsm->transitions[i];
        dal_text_printf(w->text, "    [%zu] =\n        {\n", i);
        dal__field_symbol(w->text, 12, "from", "STATE_", w->states.list[t->from]);
        add_actions(w, t);
        dal__field_symbol(w->text, 12, "to", "STATE_", w->states.list[t->to]);
        dal__field_symbol(w->text, 12, "event", "EVENT_", w->events.list[t->event]);
        close_entry(w, t->place);
    }
    dal_text_add(w->text, "};\n\n");
}

static void add_fsm(struct writer *w)
{
    dal_text_add(w->text, "static const struct dal_fsm fsm = {\n"
                          "    .version = DAL_NET_VERSION,\n");
    dal__field_string(w->text, 4, "name", w->fsm->name);
    dal_text_add(w->text, "    .applications = applications,\n"
                          "    .application_count = APPLICATIONS,\n");
    if (w->events.count)
        dal_text_add(w->text, "    .events = events,\n"
                              "    .event_count = EVENTS,\n");
    dal_text_add(w->text, "    .states = states,\n"
                          "    .state_count = STATES,\n");
    if (w->fsm->transition_count)
        dal_text_printf(w->text,
                        "    .transitions = transitions,\n"
                        "    .transition_count = %zu,\n",
                        w->fsm->transition_count);
    if (!w->text->lost)
        dal__field_symbol(w->text, 4, "initial", "STATE_", w->states.list[w->fsm->initial]);
    dal__emit_nodes(w->mapping, w->text);
    dal__emit_made_fields(w->text);
    dal_text_add(w->text, "};\n\n"
                          "int main(int argc, char **argv)\n"
                          "{\n"
                          "    return dal_main_fsm(&fsm, argc, argv);\n"
                          "}\n");
}

void dal__emit_fsm(const struct dal_emit *emit, struct dal_tree *tree)
{
    char *file = dal__emit_fsm_file(emit);
    struct writer w = {.fsm = emit->fsm,
                       .mapping = &emit->plan->spec->mapping,
                       .text = dal_tree_add(tree, "%s", file ? file : "")};
    w.text->lost |= !file;
    dal_free(file);
    dal_text_add_comment(
        w.text, 0,
        "State machine %s: which applications run when. Made by dalsynth from %s and %s.",
        w.fsm->name, dal_path_base(emit->first_file),
        dal_path_base(emit->plan->spec->architecture.file));
    dal_text_add(w.text, "#include <net.h>\n\n");
    name_states_and_events(&w);
    add_applications(&w);
    add_enum(&w, "STATE", &w.states);
    add_enum(&w, "EVENT", &w.events);
    add_events(&w);
    add_states(&w);
    add_transitions(&w);
    dal__emit_node_names(w.mapping, w.text);
    dal__emit_made(emit, w.text);
    add_fsm(&w);
    finish_symbols(&w.states);
    finish_symbols(&w.events);
}
