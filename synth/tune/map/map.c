/* Finds a mapping: times, searches and plans, and writes it when all of that holds. */
#include "synth/tune/map/map.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "spec/base/temporary.h"
#include "spec/load/load.h"
#include "synth/codegen/c/source.h"
#include "synth/plan/mapping.h"
#include "synth/program/costs.h"
#include "synth/tune/map/job.h"
#include "synth/tune/search/front.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Most searches: each follows news from the sources that change the prediction. */
enum { MOST_ROUNDS = 3 };
/* Points of a front that are planned, for each that is wanted: plans may differ from the search,
 * which looks at them briefly. */
enum { SPARE = 2 };
/* Mappings that are planned to find one that keeps what the network promises: a plan tries more
 * choices than the search. */
enum { MOST_PROMISED = 8 };

/* ---- the search ------------------------------------------------------------------------------ */

static int look_up(void *context, uint64_t tried, double least_ns)
{
    const struct dal_map *map = context;
    if (map->progress)
        map->progress(tried, least_ns);
    return dal_child_interrupted() != 0;
}

static int run_search(struct dal__map_job *job)
{
    const struct dal_map *map = job->map;
    double seconds = map->seconds > 0 ? map->seconds : DAL_MAP_SECONDS;
    size_t most = map->run ? map->run : job->spec->network.latency_count ? MOST_PROMISED : 1;
    struct dal_search search = {.space = &job->space,
                                .objective = map->objective,
                                .most_exact = map->most_exact,
                                .simple = map->run && map->objective == DAL_SEARCH_THROUGHPUT,
                                .deadline_ns = dal_now_ns() + (int64_t)(seconds * 1e9),
                                .look = look_up,
                                .context = (void *)map};
    int status;
    dal_search_result_finish(&job->result);
    status = map->most_points ? dal_search_front(&search, SPARE * map->most_points, &job->result)
                              : dal_search_run(&search, most, &job->result);
    if (!status && job->result.end == DAL_SEARCH_INTERRUPTED)
        dal_child_forget();
    return status;
}

/* Reports why not even the first mapping could run, if one was tried. */
static int refuse_all(struct dal__map_job *job)
{
    const struct dal_spec_place place = job->spec->network.place;
    size_t errors = job->diags->errors;
    struct dal_search_value value;
    if (!job->result.tried)
        return dal_error(job->diags, place, "no-mapping",
                         "no mapping keeps all pins, bindings and free cores that are asked for");
    if (dal_search_evaluate(job->diags, &job->space, job->result.places, &value))
        return DAL_ERR_NOMEM;
    if (job->diags->errors == errors && value.late > 0)
        dal_error(job->diags, place, "no-mapping",
                  "none of the %" PRIu64
                  " mappings that were tried keeps the latencies that are promised",
                  job->result.tried);
    else if (job->diags->errors == errors)
        dal_error(job->diags, place, "no-mapping",
                  "none of the %" PRIu64 " mappings that were tried can run", job->result.tried);
    return DAL_ERR_INVALID;
}

/* ---- the best, as dalsynth has it ------------------------------------------------------------ */

/* Writes the text to a file of its own. The caller frees its name; NULL, logged, without one. */
static char *write_aside(const char *text)
{
    char *name;
    int file = dal_temporary_file(&name);
    if (file >= 0 && dal_write_all(file, text, strlen(text)) == DAL_OK && close(file) == 0)
        return name;
    dal_log(DAL_LOG_ERROR, "cannot write %s", name ? name : "a file");
    if (file >= 0)
        unlink(name);
    dal_free(name);
    return NULL;
}

static int plan_file(struct dal__map_job *job, const char *file, const char *times_file)
{
    const struct dal_map *map = job->map;
    struct dal_diags *diags = &job->planning;
    struct dal_applications *all = &job->planned;
    int status =
        dal_applications_only(diags, all, map->network_file, file, map->defines, map->define_count);
    if (!status)
        status = dal_applications_load(diags, all, map->architecture_file, times_file);
    if (!status)
        status = dal_applications_place(diags, all, 0);
    if (!status)
        all->list[0].plan->memory = job->space.memory;
    if (!status)
        status = dal_applications_plan(diags, all);
    return status;
}

int dal__map_plan_text(struct dal__map_job *job, const char *text, const char *times_file)
{
    char *file = write_aside(text);
    int status = DAL_ERR_SYSTEM;
    if (!file)
        return status;
    dal_applications_finish(&job->planned);
    dal_diags_finish(&job->planning);
    dal_diags_init(&job->planning);
    status = plan_file(job, file, times_file);
    unlink(file);
    dal_free(file);
    return status;
}

/* Plans a mapping and predicts it. Warnings are not printed: they were given before, or come when
 * the program is made. */
static int plan_best(struct dal__map_job *job, const char *text)
{
    int status;
    dal_prediction_finish(&job->prediction);
    status = dal__map_plan_text(job, text, job->map->times_file);
    return status ? status : dal_predict(job->planned.list[0].plan, 0, &job->prediction);
}

/* Writes the mapping with the capacities on which its latency depends; dalsynth would choose
 * others. */
static int write_sized(struct dal__map_job *job, const uint16_t *places, struct dal_text *text,
                       const char *comment)
{
    struct dal_spec sized;
    int status = dal_search_give_sizes(job->diags, &job->space, places, &sized);
    if (!status)
        dal_mapping_write(text, &sized, comment);
    dal_free(sized.mapping.overrides);
    return status;
}

int dal__map_write(struct dal__map_job *job, size_t number, struct dal_text *text,
                   const char *comment)
{
    const uint16_t *places = &job->result.places[number * job->space.process_count];
    job->space.most_firings = job->result.values[number].most_firings;
    dal_search_bind(&job->space, places);
    if (job->space.is_sized)
        return write_sized(job, places, text, comment);
    dal_mapping_write(text, job->spec, comment);
    return DAL_OK;
}

/* Plans one of the best mappings, as the file that it would be. */
int dal__map_plan(struct dal__map_job *job, size_t number)
{
    struct dal_text text = {0};
    int status = dal__map_write(job, number, &text, "");
    if (!status)
        status = text.lost ? DAL_ERR_NOMEM : plan_best(job, dal_text_get(&text));
    dal_text_finish(&text);
    return status;
}

void dal__map_learn(struct dal__map_job *job, size_t number)
{
    const struct dal_plan *plan = job->planned.list[0].plan;
    if (job->prediction.period_ns <= job->result.values[number].period_ns * (1 + DAL_SEARCH_SAME))
        return;
    for (size_t i = 0; i < plan->process_count; i++) {
        job->learnt |= plan->processes[i].stays_apart && !job->space.apart[i];
        job->space.apart[i] |= (unsigned char)(plan->processes[i].stays_apart != 0);
    }
}

/* Is all that is wrong with the last plan that it breaks promises? */
static int is_promise_broken(const struct dal__map_job *job)
{
    size_t broken = 0;
    for (size_t i = 0; i < job->planning.count; i++)
        broken += job->planning.list[i].level == DAL_DIAG_ERROR &&
                  dal_text_same(job->planning.list[i].code, "latency");
    return broken && broken == job->planning.errors;
}

/* Leaves out the first mappings of the result. */
static void drop_first(struct dal_search_result *result, size_t count, size_t processes)
{
    result->count -= count;
    memmove(result->values, result->values + count, result->count * sizeof(*result->values));
    memmove(result->places, result->places + count * processes,
            result->count * processes * sizeof(*result->places));
}

/* Tells what is wrong with the best mapping. */
static int refuse_best(struct dal__map_job *job, const struct dal_diags *best, int broken)
{
    dal_diags_print(best, stderr);
    return dal_error(job->diags, job->spec->network.place, "no-mapping",
                     broken ? "none of the %" PRIu64
                              " mappings that were tried keeps the latencies that are promised"
                            : "the best of the %" PRIu64
                              " mappings that were tried cannot be planned",
                     job->result.tried);
}

/* Plans the best mapping, or the next one as long as plans break promises. */
static int plan_first(struct dal__map_job *job)
{
    struct dal_diags best = {0};
    size_t number = 0;
    int status = dal__map_plan(job, 0);
    while (status == DAL_ERR_INVALID && is_promise_broken(job) && number + 1 < job->result.count) {
        if (number++ == 0) {
            best = job->planning;
            dal_diags_init(&job->planning);
        }
        status = dal__map_plan(job, number);
    }
    if (status == DAL_ERR_INVALID)
        status = refuse_best(job, number ? &best : &job->planning, is_promise_broken(job));
    else
        drop_first(&job->result, number, job->space.process_count);
    dal_diags_finish(&best);
    return status;
}

static int plan_found(struct dal__map_job *job)
{
    int status;
    if (job->map->most_points)
        return dal__map_plan_points(job);
    status = plan_first(job);
    if (!status)
        dal__map_learn(job, 0);
    job->interrupted = job->unplanned = status == DAL_ERR_INTERRUPTED;
    return status;
}

static int search_and_plan(struct dal__map_job *job)
{
    int status, round = 0;
    do {
        job->learnt = 0;
        status = run_search(job);
        if (!status && !job->result.count)
            status = refuse_all(job);
        if (!status)
            status = plan_found(job);
    } while (!status && !job->interrupted && ++round < MOST_ROUNDS && job->learnt);
    return job->interrupted ? DAL_OK : status;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Counts the bytes that processes without outputs read in an iteration. */
static double count_bytes_out(const struct dal_spec_network *network)
{
    double bytes = 0;
    for (size_t i = 0; i < network->process_count; i++) {
        const struct dal_spec_process *p = &network->processes[i];
        double read = 0, outputs = 0;
        for (size_t k = 0; k < p->port_count; k++) {
            const struct dal_spec_port *port = &p->ports[k];
            outputs += port->output;
            read += (double)port->rate * (double)port->channel->token_bytes;
        }
        bytes += outputs > 0           ? 0
                 : dal_spec_is_open(p) ? read * (double)dal_spec_open_firings(p)
                                       : read * (double)p->repetitions;
    }
    return bytes > 0 ? bytes : 1;
}

static int tell_all(struct dal__map_job *job, struct dal_mapped *mapped)
{
    int status = dal__map_choose(job);
    if (status)
        return status;
    mapped->text = dal__map_text(job);
    mapped->summary = dal__map_summary(job);
    mapped->told = dal__map_told(job);
    mapped->period_ns = job->finalists[job->best].period_ns;
    mapped->measured_ns = job->finalists[job->best].measured_ns;
    mapped->runs = job->finalists[job->best].runs;
    mapped->bytes_out = count_bytes_out(&job->spec->network);
    mapped->interrupted = job->interrupted || job->result.end == DAL_SEARCH_INTERRUPTED;
    mapped->out_of_time = job->late || job->result.end == DAL_SEARCH_TIME;
    mapped->tried = job->result.tried;
    return mapped->text && mapped->summary && mapped->told ? DAL_OK : DAL_ERR_NOMEM;
}

/* Refuses open variables: points of different networks do not form one front. */
static int refuse_open(struct dal__map_job *job)
{
    const struct dal_spec_network *network = &job->spec->network;
    for (size_t i = 0; i < network->variable_count; i++)
        if (network->variables[i].is_open)
            dal_error(job->diags, network->variables[i].place, "open-variable",
                      "variable '%s' is left open, and a front is of one value: give it, as with "
                      "-D %s=NUMBER",
                      network->variables[i].name, network->variables[i].name);
    return job->diags->errors ? DAL_ERR_INVALID : DAL_OK;
}

/* Says how processes were run that have no time all the same. */
static int make_space(struct dal__map_job *job)
{
    const struct dal_map *map = job->map;
    struct dal_diags *diags = job->diags;
    int status =
        dal_search_space_make(diags, &job->space, job->spec, map->times_file, &map->wishes);
    if (status == DAL_ERR_INVALID && map->profile_seconds > 0 && diags->count > 0 &&
        dal_text_same(diags->list[diags->count - 1].code, "unmeasured"))
        dal_note(diags, diags->list[diags->count - 1].place,
                 "it has not fired in the run that finds times, which has nothing on standard "
                 "input and ends after %g s",
                 map->profile_seconds);
    return status;
}

int dal_map_check(struct dal_diags *diags, struct dal_spec *spec,
                  const struct dal_search_wishes *wishes)
{
    struct dal_search_space space = {0};
    int status = dal_search_space_make(diags, &space, spec, NULL, wishes);
    dal_search_space_finish(&space);
    return status;
}

static int load_and_search(struct dal__map_job *job)
{
    const struct dal_map *map = job->map;
    int status;
    job->spec = dal_spec_load_open(job->diags, map->network_file, map->architecture_file,
                                   map->keep_file, map->defines, map->define_count);
    if (!job->spec)
        return DAL_ERR_INVALID;
    status = map->most_points ? refuse_open(job) : DAL_OK;
    if (!status)
        status =
            dal_costs_check(job->diags, &job->spec->architecture.measured, (int64_t)time(NULL));
    if (!status && map->profile_seconds > 0)
        status = dal__map_profile(job);
    if (!status) /* a signal ends the search, too, which looks for it */
        status = dal_source_prove_alone(job->spec, map->wishes.pools) == DAL_ERR_NOMEM
                     ? DAL_ERR_NOMEM
                     : DAL_OK;
    if (!status)
        status = make_space(job);
    job->space.most_firings = map->objective == DAL_SEARCH_LATENCY;
    job->space.is_sized = job->space.most_firings || map->most_points;
    return status ? status : search_and_plan(job);
}

static void finish_job(struct dal__map_job *job)
{
    dal__map_finish_runs(job);
    dal_prediction_finish(&job->prediction);
    dal_applications_finish(&job->planned);
    dal_search_result_finish(&job->result);
    dal_search_space_finish(&job->space);
    dal_spec_destroy(job->spec);
    dal_diags_finish(&job->planning);
}

int dal__map_once(struct dal_diags *diags, const struct dal_map *map, struct dal_mapped *mapped)
{
    struct dal__map_job job = {.diags = diags, .map = map};
    int status;
    *mapped = (struct dal_mapped){0};
    dal_diags_init(&job.planning);
    status = load_and_search(&job);
    if (!status)
        status = tell_all(&job, mapped);
    finish_job(&job);
    return status;
}

int dal_map_front(struct dal_diags *diags, const struct dal_map *map,
                  struct dal_mapped_front *front)
{
    struct dal__map_job job = {.diags = diags, .map = map};
    int status;
    *front = (struct dal_mapped_front){0};
    dal_diags_init(&job.planning);
    status = load_and_search(&job);
    if (!status)
        status = dal__map_tell_front(&job, front);
    finish_job(&job);
    return status;
}

void dal_mapped_finish(struct dal_mapped *mapped)
{
    dal_free_all(mapped->text, mapped->summary, mapped->told);
    *mapped = (struct dal_mapped){0};
}
