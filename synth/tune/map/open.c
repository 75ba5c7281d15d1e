/* Finds values for the variables that a network leaves open. */
#include "synth/tune/map/job.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "spec/load/load.h"

#include <inttypes.h>
#include <math.h>

/* Most choices of values that are tried, and most that are run. */
enum { MOST_CHOICES = 256, MOST_RUN = 3 };

/* Values that are tried, behind the caller's defines. */
struct choices {
    struct dal_spec_define *defines; /* the caller's, then one for each variable */
    size_t given, open;
    int64_t *most;   /* by variable */
    char **names;    /* of them, as the defines need them */
    uint64_t count;  /* of all choices */
    uint64_t best;   /* of them, by prediction; the first if none can run */
    uint64_t taken;  /* of those that were run */
    double *byte_ns; /* by choice: the period for each byte that comes out; INFINITY: cannot run */
    struct dal_map_timed timed;
    struct dal_text told;
    int interrupted;
    int late; /* true when there was no time for all */
};

/* Part of the predicted time by which larger values have to be faster. */
static const double worthwhile = 0.01;
/* Factor within which times are near the best, so that their values are run as well. */
static const double near_enough = 1.1;
/* Time for the search that is made again, when a signal has ended the tries. */
static const double hurried_seconds = 1;
/* Time for a run that times the processes of a choice, however many choices there are. */
static const double least_seconds = 0.1;

/* ---- which there are ------------------------------------------------------------------------- */

/* Returns the largest value: the network's, else the number of processors. */
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
    return dal_error(
        diags, place, "no-mapping",
        "the variables that are left open have more than %d choices of values: give some of "
        "them, or say what is the most",
        (int)MOST_CHOICES);
}

static int list_variables(struct dal_diags *diags, struct choices *c, const struct dal_map *map,
                          const struct dal_spec *spec)
{
    const struct dal_spec_network *network = &spec->network;
    size_t room = network->variable_count + 1;
    int status = DAL_OK;
    c->defines = dal_calloc(map->define_count + room, sizeof(*c->defines));
    c->most = dal_calloc(room, sizeof(*c->most));
    c->byte_ns = dal_calloc(MOST_CHOICES, sizeof(*c->byte_ns));
    c->names = dal_calloc(room, sizeof(char *));
    if (!c->defines || !c->most || !c->byte_ns || !c->names)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < map->define_count; i++)
        c->defines[c->given++] = map->defines[i];
    for (size_t i = 0; i < network->variable_count && !status; i++) {
        if (network->variables[i].is_open)
            status = add_variable(c, spec, &network->variables[i]);
        if (!status && c->count > MOST_CHOICES)
            status = too_many(diags, spec);
    }
    return status;
}

/* Only finds out which variables there are. Problems are reported when the network is read
 * again. */
static int find_variables(struct dal_diags *diags, struct choices *c, const struct dal_map *map)
{
    struct dal_diags unread;
    struct dal_spec *spec;
    int status = DAL_OK;
    dal_diags_init(&unread);
    spec = dal_spec_load_open(&unread, map->network_file, map->architecture_file, map->keep_file,
                              map->defines, map->define_count);
    if (spec)
        status = list_variables(diags, c, map, spec);
    dal_spec_destroy(spec);
    dal_diags_finish(&unread);
    return status;
}

static void finish_choices(struct choices *c)
{
    for (size_t i = 0; i < c->open; i++)
        dal_free(c->names[i]);
    dal_free_all(c->names, c->defines, c->most, c->byte_ns);
    for (size_t i = 0; i < c->timed.count; i++)
        dal_free(c->timed.kernels[i]);
    dal_free(c->timed.kernels);
    dal_text_finish(&c->told);
}

/* ---- trying them ----------------------------------------------------------------------------- */

static void set_values(struct choices *c, uint64_t choice)
{
    for (size_t i = 0; i < c->open; i++) {
        c->defines[c->given + i].value = 1 + (int64_t)(choice % (uint64_t)c->most[i]);
        choice /= (uint64_t)c->most[i];
    }
}

/* Tells the values that are set, and their time for a byte; `title` stands before the first. */
static void tell_choice(const struct choices *c, struct dal_text *text, const char *title,
                        double byte_ns)
{
    dal_text_add(text, text->length ? ";" : title);
    for (size_t i = 0; i < c->open; i++)
        dal_text_printf(text, " %s = %" PRId64, c->names[i], c->defines[c->given + i].value);
    dal_text_printf(text, ": %s", isinf(byte_ns) ? "none" : dal_predict_ns(byte_ns).text);
}

/* Larger values come later, and must be worth it. */
static int is_better(const struct choices *c, uint64_t choice)
{
    double best_ns = c->byte_ns[c->best];
    return c->byte_ns[choice] < best_ns * (1 - worthwhile) ||
           (isinf(best_ns) && !isinf(c->byte_ns[choice]));
}

/* Is there a choice that can run? */
static int has_one(const struct choices *c)
{
    return !isinf(c->byte_ns[c->best]);
}

static void note_choice(struct choices *c, uint64_t choice, double byte_ns)
{
    c->byte_ns[choice] = byte_ns;
    if (is_better(c, choice))
        c->best = choice;
    tell_choice(c, &c->told, "Open variables, and the time for each byte that comes out:", byte_ns);
}

/* Tries the values of a choice, which may have no mapping; the reason is told if no choice has one.
 * A signal while they are timed leaves the choices before. Returns an error that ends all. */
static int try_values(struct choices *c, const struct dal_map *map, uint64_t choice)
{
    struct dal_mapped mapped;
    struct dal_diags unread;
    int status;
    set_values(c, choice);
    dal_diags_init(&unread);
    status = dal__map_once(&unread, map, &mapped);
    c->interrupted = mapped.interrupted;
    if (status == DAL_ERR_INTERRUPTED && has_one(c)) {
        dal_child_forget();
        c->interrupted = 1;
        status = DAL_OK;
    } else {
        note_choice(c, choice, status ? INFINITY : mapped.period_ns / mapped.bytes_out);
    }
    dal_mapped_finish(&mapped);
    dal_diags_finish(&unread);
    return status == DAL_ERR_INVALID ? DAL_OK : status;
}

/* Makes the wish for the values that are set; each choice has its part of the time. */
static struct dal_map wish_for(struct choices *c, const struct dal_map *map)
{
    struct dal_map one = *map;
    double seconds = map->seconds > 0 ? map->seconds : DAL_MAP_SECONDS;
    one.defines = c->defines;
    one.define_count = c->given + c->open;
    one.timed = &c->timed;
    one.seconds = seconds / (double)(c->count + 1);
    if (map->deadline_ns)
        one.profile_seconds = fmin(map->profile_seconds, fmax(least_seconds, one.seconds));
    return one;
}

static int is_over(int64_t deadline_ns)
{
    return deadline_ns && dal_now_ns() >= deadline_ns;
}

/* Tries all choices, until half of the time for all is over, or all of it while none can run. If
 * times are found by runs, each choice has its own: processes that split and merge have other
 * ports. */
static int try_all(struct choices *c, const struct dal_map *map)
{
    struct dal_map one = wish_for(c, map);
    int64_t now_ns = dal_now_ns(),
            until_ns = map->deadline_ns ? now_ns + (map->deadline_ns - now_ns) / 2 : 0;
    int status = DAL_OK;
    one.run = 0;
    for (uint64_t i = 0; i < c->count; i++)
        c->byte_ns[i] = INFINITY;
    for (uint64_t i = 0; i < c->count && !status && !c->interrupted && !c->late; i++) {
        c->late = i > 0 && is_over(has_one(c) ? until_ns : map->deadline_ns);
        if (!c->late)
            status = try_values(c, &one, i);
    }
    dal_text_add(&c->told, c->late ? "; there was no time for the others.\n" : ".\n");
    return status;
}

/* ---- the best of them, with all that is wished ----------------------------------------------- */

/* Searches again for a choice; its times are there by now. */
static int map_choice(struct dal_diags *diags, struct choices *c, const struct dal_map *map,
                      uint64_t choice, struct dal_mapped *mapped)
{
    struct dal_map one = wish_for(c, map);
    int status;
    set_values(c, choice);
    if (c->interrupted) {
        one.seconds = hurried_seconds;
        one.run = 0;
    }
    one.profile_seconds = isinf(c->byte_ns[choice]) ? map->profile_seconds : 0;
    one.note = dal_text_get(&c->told);
    status = dal__map_once(diags, &one, mapped);
    c->interrupted |= mapped->interrupted;
    mapped->interrupted |= c->interrupted;
    mapped->out_of_time |= c->late;
    mapped->untried |= c->late;
    return status;
}

static double measured_byte_ns(const struct dal_mapped *mapped)
{
    return mapped->measured_ns / mapped->bytes_out;
}

static void tell_run(const struct choices *c, struct dal_text *runs,
                     const struct dal_mapped *mapped)
{
    tell_choice(c, runs, "As measured:", measured_byte_ns(mapped));
}

static struct dal_map_runs runs_of_byte(const struct dal_mapped *mapped)
{
    struct dal_map_runs runs = mapped->runs;
    for (size_t i = 0; i < runs.count; i++)
        runs.ns[i] /= mapped->bytes_out;
    return runs;
}

/* Is a choice taken instead of the one so far? Larger values must win, smaller ones not lose. */
static int is_taken(const struct choices *c, uint64_t choice, const struct dal_mapped *mapped,
                    const struct dal_mapped *best)
{
    struct dal_map_runs runs = runs_of_byte(mapped), others = runs_of_byte(best);
    return choice > c->taken ? dal_map_runs_win(&runs, &others) : !dal_map_runs_win(&others, &runs);
}

/* Runs a choice, and keeps it if it is faster. A choice that cannot be run is left out, and so is
 * one after a signal. */
static int run_choice(struct choices *c, const struct dal_map *map, uint64_t choice,
                      struct dal_text *runs, struct dal_mapped *best)
{
    struct dal_mapped mapped;
    struct dal_diags unread;
    int status;
    dal_diags_init(&unread);
    status = map_choice(&unread, c, map, choice, &mapped);
    dal_diags_finish(&unread);
    if (!status && mapped.measured_ns > 0) {
        tell_run(c, runs, &mapped);
        if (is_taken(c, choice, &mapped, best)) {
            struct dal_mapped other = *best;
            *best = mapped;
            mapped = other;
            c->taken = choice;
        }
    }
    best->interrupted |= c->interrupted;
    dal_mapped_finish(&mapped);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

/* Returns the next best choice by prediction that is near the best and was not run; c->count
 * without one. */
static uint64_t next_near(const struct choices *c, const unsigned char *run)
{
    uint64_t next = c->count;
    for (uint64_t i = 0; i < c->count; i++)
        if (!run[i] && c->byte_ns[i] <= c->byte_ns[c->best] * near_enough &&
            (next == c->count || c->byte_ns[i] < c->byte_ns[next]))
            next = i;
    return next;
}

static int add_runs(struct dal_mapped *mapped, struct dal_text *runs)
{
    char *text;
    dal_text_add(runs, ".");
    text = runs->lost ? NULL : dal__map_add_line(mapped->text, dal_text_get(runs));
    dal_free(mapped->text);
    mapped->text = text;
    return text ? DAL_OK : DAL_ERR_NOMEM;
}

/* Runs the choices near the best, since predictions cannot tell these apart. */
static int run_others(struct choices *c, const struct dal_map *map, struct dal_mapped *mapped)
{
    unsigned char run[MOST_CHOICES] = {0};
    struct dal_text runs = {0};
    uint64_t choice;
    int status = DAL_OK, left = MOST_RUN;
    set_values(c, c->best);
    tell_run(c, &runs, mapped);
    run[c->best] = 1;
    c->taken = c->best;
    while (!status && !c->interrupted && !is_over(map->deadline_ns) && --left > 0 &&
           (choice = next_near(c, run)) < c->count) {
        run[choice] = 1;
        status = run_choice(c, map, choice, &runs, mapped);
    }
    if (!status)
        status = add_runs(mapped, &runs);
    dal_text_finish(&runs);
    return status;
}

/* Says, behind what is wrong with the first choice, why there is no other. */
static int tell_late(struct dal_diags *diags, const struct dal_map *map)
{
    struct dal_spec_place place = {.file = dal_diag_file(diags, map->network_file)};
    return place.file ? dal_error(diags, place, "no-mapping",
                                  "the time limit ended the search before values of the variables "
                                  "that are left open could run")
                      : DAL_ERR_NOMEM;
}

static int map_open(struct dal_diags *diags, struct choices *c, const struct dal_map *map,
                    struct dal_mapped *mapped)
{
    int status = try_all(c, map);
    if (!status)
        status = map_choice(diags, c, map, c->best, mapped);
    if (status == DAL_ERR_INVALID && c->late && !has_one(c))
        status = tell_late(diags, map);
    if (!status && mapped->measured_ns > 0)
        status = run_others(c, map, mapped);
    return status;
}

int dal_map(struct dal_diags *diags, const struct dal_map *map, struct dal_mapped *mapped)
{
    struct choices c = {.count = 1};
    int status = find_variables(diags, &c, map);
    *mapped = (struct dal_mapped){0};
    if (!status)
        status = c.open ? map_open(diags, &c, map, mapped) : dal__map_once(diags, map, mapped);
    finish_choices(&c);
    return status;
}
