/* Variables that a network leaves open, and their values. */
#include "synth/map_job.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Choices of values that are tried at most. */
enum { MOST_CHOICES = 256 };

/* The values that are tried behind the caller's defines. */
struct choices {
    struct dal_spec_define *defines; /* the caller's, then one for each variable */
    size_t given, open;
    int64_t *most;  /* by variable */
    char **names;   /* of them, as the defines need them */
    uint64_t count; /* of all choices */
    int64_t *best;  /* by variable */
    double best_ns; /* of it, the period for each byte that comes out; INFINITY: none can run */
    struct dal_text told;
    int interrupted;
};

/* By what part of the time more processes have to be faster. */
static const double worthwhile = 0.01;
/* For the search that is made again, where a signal has ended the tries. */
static const double hurried_seconds = 1;

/* ---- which there are ------------------------------------------------------------------------- */

/* As many as there are processors, where the network does not say. */
static int64_t most_of(const struct dal_spec *spec, const struct dal_spec_variable *variable)
{
    size_t processors = spec->architecture.processor_count;

    if (variable->most)
        return variable->most;
    return processors < DAL_MAX_OPEN ? (int64_t)processors : DAL_MAX_OPEN;
}

static int add_variable(struct choices *c, const struct dal_spec *spec,
                        const struct dal_spec_variable *variable)
{
    size_t number = c->open++;

    c->names[number] = dal_strdup(variable->name);
    c->most[number] = most_of(spec, variable);
    c->count *= (uint64_t)c->most[number];
    c->defines[c->given + number] = (struct dal_spec_define){.name = c->names[number], .value = 1};
    return c->names[number] ? DAL_OK : DAL_ERR_NOMEM;
}

static int too_many(struct dal_diags *diags, const struct dal_spec *spec)
{
    struct dal_spec_place place = spec->network.place;

    place.file = dal_diag_file(diags, place.file);
    if (!place.file)
        return DAL_ERR_NOMEM;
    dal_error(diags, place, "no-mapping",
              "the variables that are left open have more than %d choices of values: give some of "
              "them, or say what is the most",
              (int)MOST_CHOICES);
    return DAL_ERR_INVALID;
}

static int list_variables(struct dal_diags *diags, struct choices *c, const struct dal_map *map,
                          const struct dal_spec *spec)
{
    const struct dal_spec_network *network = &spec->network;
    size_t i, room = network->variable_count + 1;
    int error = DAL_OK;

    c->defines = dal_calloc(map->define_count + room, sizeof(*c->defines));
    c->most = dal_calloc(room, sizeof(*c->most));
    c->best = dal_calloc(room, sizeof(*c->best));
    c->names = dal_calloc(room, sizeof(char *));
    if (!c->defines || !c->most || !c->best || !c->names)
        return DAL_ERR_NOMEM;
    for (i = 0; i < map->define_count; i++)
        c->defines[c->given++] = map->defines[i];
    for (i = 0; i < network->variable_count && !error; i++) {
        if (network->variables[i].is_open)
            error = add_variable(c, spec, &network->variables[i]);
        if (!error && c->count > MOST_CHOICES)
            error = too_many(diags, spec);
    }
    return error;
}

/* Only to see which variables there are; problems are told when it is read to be mapped. */
static int find_variables(struct dal_diags *diags, struct choices *c, const struct dal_map *map)
{
    struct dal_diags unread;
    struct dal_spec *spec;
    int error = DAL_OK;

    dal_diags_init(&unread);
    spec = dal_spec_load_open(&unread, map->network_file, map->architecture_file, map->keep_file,
                              map->defines, map->define_count);
    if (spec)
        error = list_variables(diags, c, map, spec);
    dal_spec_destroy(spec);
    dal_diags_finish(&unread);
    return error;
}

static void finish_choices(struct choices *c)
{
    size_t i;

    for (i = 0; i < c->open; i++)
        dal_free(c->names[i]);
    dal_free(c->names);
    dal_free(c->defines);
    dal_free(c->most);
    dal_free(c->best);
    dal_text_finish(&c->told);
}

/* ---- trying them ----------------------------------------------------------------------------- */

static void set_values(struct choices *c, uint64_t choice)
{
    size_t i;

    for (i = 0; i < c->open; i++) {
        c->defines[c->given + i].value = 1 + (int64_t)(choice % (uint64_t)c->most[i]);
        choice /= (uint64_t)c->most[i];
    }
}

static void tell_choice(struct choices *c, const struct dal_mapped *mapped, int error)
{
    char *period = error ? NULL : dal_predict_write_ns(mapped->period_ns / mapped->bytes_out);
    size_t i;

    dal_text_add(&c->told, c->told.length
                               ? ";"
                               : "Open variables, and the time for each byte that comes out:");
    for (i = 0; i < c->open; i++)
        dal_text_printf(&c->told, " %s = %" PRId64, c->names[i], c->defines[c->given + i].value);
    dal_text_printf(&c->told, ": %s", period ? period : "none");
    dal_free(period);
}

static int is_better(const struct choices *c, const struct dal_mapped *mapped)
{
    double byte_ns = mapped->period_ns / mapped->bytes_out;

    return byte_ns < c->best_ns * (1 - worthwhile) || (isinf(c->best_ns) && !isinf(byte_ns));
}

static void keep_choice(struct choices *c, const struct dal_mapped *mapped)
{
    size_t i;

    c->best_ns = mapped->period_ns / mapped->bytes_out;
    for (i = 0; i < c->open; i++)
        c->best[i] = c->defines[c->given + i].value;
}

/* One that cannot be mapped is none; why is told if none can. Returns what ends all. */
static int try_values(struct choices *c, const struct dal_map *map, struct dal_mapped *mapped)
{
    struct dal_diags unread;
    int error;

    dal_diags_init(&unread);
    error = dal__map_once(&unread, map, mapped);
    if (!error && is_better(c, mapped))
        keep_choice(c, mapped);
    tell_choice(c, mapped, error);
    dal_diags_finish(&unread);
    return error == DAL_ERR_INVALID ? DAL_OK : error;
}

/* Where times are found by runs, each choice has its own: what splits and merges has other ports.
 */
static int try_all(struct choices *c, const struct dal_map *map)
{
    struct dal_map one = *map;
    double seconds = map->seconds > 0 ? map->seconds : DAL_MAP_SECONDS;
    uint64_t i;
    int error = DAL_OK;

    one.defines = c->defines;
    one.define_count = c->given + c->open;
    one.seconds = seconds / (double)(c->count + 1);
    one.run = 0;
    for (i = 0; i < c->count && !error && !c->interrupted; i++) {
        struct dal_mapped mapped;
        set_values(c, i);
        error = try_values(c, &one, &mapped);
        c->interrupted = mapped.interrupted;
        dal_mapped_finish(&mapped);
    }
    dal_text_add(&c->told, ".\n");
    return error;
}

/* The best again, with all that is wished. */
static int map_best(struct dal_diags *diags, struct choices *c, const struct dal_map *map,
                    struct dal_mapped *mapped)
{
    struct dal_map one = *map;
    double seconds = map->seconds > 0 ? map->seconds : DAL_MAP_SECONDS;
    size_t i;
    int error;

    for (i = 0; i < c->open; i++)
        c->defines[c->given + i].value = c->best[i] ? c->best[i] : 1;
    one.defines = c->defines;
    one.define_count = c->given + c->open;
    one.seconds = c->interrupted ? hurried_seconds : seconds / (double)(c->count + 1);
    one.run = c->interrupted ? 0 : map->run;
    one.note = dal_text_get(&c->told);
    error = dal__map_once(diags, &one, mapped);
    mapped->interrupted |= c->interrupted;
    return error;
}

int dal_map(struct dal_diags *diags, const struct dal_map *map, struct dal_mapped *mapped)
{
    struct choices c = {.count = 1, .best_ns = INFINITY};
    int error = find_variables(diags, &c, map);

    *mapped = (struct dal_mapped){0};
    if (!error && !c.open) {
        error = dal__map_once(diags, map, mapped);
    } else if (!error) {
        error = try_all(&c, map);
        if (!error)
            error = map_best(diags, &c, map, mapped);
    }
    finish_choices(&c);
    return error;
}
