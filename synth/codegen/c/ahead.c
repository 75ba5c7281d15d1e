/* Many C sources are read side by side, each of them once. */
#include "synth/codegen/c/source.h"
#include "synth/codegen/c/unit.h"
#include "synth/codegen/clang/reader.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

/* Returns DAL_OK if a source may be read: nothing that it includes is a pipe, or too large. */
static int check_files(const struct dal_spec_source *source)
{
    struct dal_diags unsaid;
    int status;
    dal_diags_init(&unsaid);
    status = dal__unit_files(&unsaid, source, NULL);
    dal_diags_finish(&unsaid);
    return status;
}

/* ---- of a plan ------------------------------------------------------------------------------- */

struct ahead {
    struct dal_plan *plan;
    char *folder;
    struct dal_plan_unit **units; /* units that are read */
    struct dal_reading *readings; /* a reading for each unit */
    size_t count;
};

static int is_read(const struct ahead *ahead, const struct dal_plan_unit *unit)
{
    for (size_t i = 0; i < ahead->count; i++)
        if (dal__unit_is_alike(ahead->units[i], unit))
            return 1;
    return dal__unit_alike(ahead->plan, unit) != NULL;
}

/* Nothing is said of what cannot be read: that is tried again when the unit is looked at. */
static int add_reading(struct ahead *ahead, struct dal_plan_unit *unit)
{
    struct dal_text text = {0};
    struct dal_diags unsaid;
    int status = dal__unit_prologue(ahead->plan, unit);
    if (status || unit->source->python || is_read(ahead, unit))
        return status;
    dal_diags_init(&unsaid);
    status = check_files(unit->source);
    if (!status)
        status = dal_unit_rewrite_foreach(&unsaid, unit, &text);
    dal_diags_finish(&unsaid);
    if (status) {
        dal_text_finish(&text);
        return status == DAL_ERR_NOMEM ? status : DAL_OK;
    }
    ahead->units[ahead->count] = unit;
    ahead->readings[ahead->count++] =
        (struct dal_reading){.path = unit->source->path,
                             .text = text.length ? dal_text_take(&text) : NULL,
                             .folder = ahead->folder,
                             .options = unit->source->cflags,
                             .is_cxx = unit->source->cxx,
                             .openmp = unit->openmp,
                             .prologue = unit->prologue};
    return DAL_OK;
}

static void finish_ahead(struct ahead *ahead)
{
    while (ahead->count) {
        struct dal_reading *reading = &ahead->readings[--ahead->count];
        ahead->units[ahead->count]->output = reading->output;
        dal_free((char *)reading->text);
    }
    dal_free_all(ahead->readings, ahead->units, ahead->folder);
}

int dal__units_read_ahead(struct dal_plan *plan, struct dal_plan_unit *units, size_t count)
{
    struct ahead ahead = {.plan = plan, .folder = dal_plan_folder(plan)};
    int status = DAL_OK;
    ahead.units = dal_calloc(count + 1, sizeof(*ahead.units));
    ahead.readings = dal_calloc(count + 1, sizeof(*ahead.readings));
    if (!ahead.folder || !ahead.units || !ahead.readings)
        status = DAL_ERR_NOMEM;
    for (size_t i = 0; i < count && !status; i++)
        if (units[i].type != DAL_SOURCE_OPEN &&
            dal_spec_runs(DAL_PROCESSOR_CORE, units[i].source->type))
            status = add_reading(&ahead, &units[i]);
    if (!status)
        status = dal_read_ahead(ahead.readings, ahead.count);
    finish_ahead(&ahead);
    return status;
}

/* ---- without a plan -------------------------------------------------------------------------- */

/* Returns the network's folder: the source's path without its location. */
static char *network_folder(const struct dal_spec_source *source)
{
    size_t length = strlen(source->path), tail = strlen(source->location);
    if (length > tail && strcmp(source->path + length - tail, source->location) == 0)
        return dal_format("%.*s", (int)(length - tail), source->path);
    return dal_strdup(".");
}

struct states {
    struct dal_reading *readings; /* readings of sources that differ */
    int *keeps;                   /* for each source */
    size_t count;
};

/* Returns the number of the source's reading, which may be a new one. */
static size_t add_state(struct states *states, const struct dal_spec_source *source)
{
    struct dal_reading *reading;
    size_t i;
    for (i = 0; i < states->count; i++)
        if (strcmp(states->readings[i].path, source->path) == 0 &&
            states->readings[i].is_cxx == source->cxx &&
            dal_text_same(states->readings[i].options, source->cflags))
            return i;
    reading = &states->readings[states->count++];
    *reading = (struct dal_reading){.path = source->path,
                                    .folder = network_folder(source),
                                    .options = source->cflags,
                                    .is_cxx = source->cxx,
                                    .prologue = ""};
    return i;
}

static int look_at_state(struct dal_reading *reading)
{
    struct dal_facts facts;
    int status = dal_read_source(reading, &facts), keeps = facts.has_state;
    dal_facts_finish(&facts);
    return status == DAL_ERR_SYSTEM ? DAL_ERR_INVALID : status ? status : keeps;
}

static int find_states(struct states *states)
{
    int status = dal_read_ahead(states->readings, states->count);
    for (size_t i = 0; i < states->count && !status; i++) {
        states->keeps[i] = look_at_state(&states->readings[i]);
        if (states->keeps[i] == DAL_ERR_NOMEM || states->keeps[i] == DAL_ERR_INTERRUPTED)
            status = states->keeps[i];
    }
    return status;
}

static void finish_states(struct states *states)
{
    while (states->count) {
        struct dal_reading *reading = &states->readings[--states->count];
        dal_free_all((char *)reading->folder, reading->output);
    }
    dal_free_all(states->readings, states->keeps);
}

int dal_source_keep_state(const struct dal_spec_source *const *sources, size_t count, int *keeps)
{
    struct states states = {.readings = dal_calloc(count + 1, sizeof(*states.readings)),
                            .keeps = dal_calloc(count + 1, sizeof(*states.keeps))};
    int status = states.readings && states.keeps ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; i < count && !status; i++) {
        keeps[i] = !sources[i] ? DAL_ERR_INVALID : sources[i]->python ? 1 : check_files(sources[i]);
        if (keeps[i] == DAL_ERR_NOMEM)
            status = keeps[i];
        else if (keeps[i] == DAL_OK)
            status =
                states.readings[add_state(&states, sources[i])].folder ? DAL_OK : DAL_ERR_NOMEM;
    }
    if (!status)
        status = find_states(&states);
    for (size_t i = 0; i < count && !status; i++)
        if (keeps[i] == DAL_OK)
            keeps[i] = states.keeps[add_state(&states, sources[i])];
    finish_states(&states);
    return status;
}
