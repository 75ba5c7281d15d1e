#include "synth/program/applications.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/names.h"
#include "spec/check/nodes.h"
#include "spec/load/load.h"
#include "spec/read/times.h"
#include "synth/codegen/c/source.h"
#include "synth/program/costs.h"
#include "synth/program/dump.h"
#include "synth/program/explain.h"
#include "synth/tune/predict/promise.h"

#include <string.h>
#include <time.h>

static int note_lost(struct dal_diags *diags)
{
    diags->lost = 1;
    return DAL_ERR_NOMEM;
}

/* Makes applications, each with room for all defines. */
static int make_applications(struct dal_diags *diags, struct dal_applications *all, size_t count,
                             size_t define_count)
{
    all->list = dal_calloc(count + 1, sizeof(*all->list));
    all->plans = dal_calloc(count + 1, sizeof(*all->plans));
    if (!all->list || !all->plans)
        return note_lost(diags);
    all->count = count;
    for (size_t i = 0; i < count; i++) {
        all->list[i].defines = dal_calloc(define_count + 1, sizeof(struct dal_spec_define));
        if (!all->list[i].defines)
            return note_lost(diags);
    }
    return DAL_OK;
}

int dal_applications_only(struct dal_diags *diags, struct dal_applications *all,
                          const char *network_file, const char *mapping_file,
                          const struct dal_spec_define *defines, size_t define_count)
{
    struct dal_application *only;
    if (make_applications(diags, all, 1, define_count))
        return DAL_ERR_NOMEM;
    only = &all->list[0];
    only->network_file = network_file;
    only->mapping_file = mapping_file;
    while (only->define_count < define_count) {
        only->defines[only->define_count] = defines[only->define_count];
        only->define_count++;
    }
    return DAL_OK;
}

/* Hands APPLICATION.VARIABLE to its application. */
static int hand_out(struct dal_diags *diags, struct dal_applications *all,
                    const struct dal_spec_define *define)
{
    size_t length = strcspn(define->name, ".");
    for (size_t i = 0; define->name[length] && i < all->count; i++) {
        struct dal_application *a = &all->list[i];
        if (strlen(a->name) != length || strncmp(a->name, define->name, length))
            continue;
        a->defines[a->define_count] = *define;
        a->defines[a->define_count++].name += length + 1;
        return DAL_OK;
    }
    return dal_error(
        diags, all->fsm->place, "unknown-application",
        "-D %s: APPLICATION.VARIABLE is wanted, of an application of this state machine",
        define->name);
}

/* Tells of files that an application names and that are none, where it names them. */
static int refuse_missing_files(struct dal_diags *diags, const struct dal_spec_fsm_application *a)
{
    const char *network = dal_file_fault(a->network_file);
    const char *mapping = dal_file_fault(a->mapping_file);
    if (network)
        dal_error(diags, a->place, "file", "application '%s': its network '%s': %s", a->name,
                  a->network_file, network);
    if (mapping)
        dal_error(diags, a->place, "file", "application '%s': its mapping '%s': %s", a->name,
                  a->mapping_file, mapping);
    return network || mapping ? DAL_ERR_INVALID : DAL_OK;
}

int dal_applications_of_fsm(struct dal_diags *diags, struct dal_applications *all,
                            const char *fsm_file, const struct dal_spec_define *defines,
                            size_t define_count)
{
    int status = DAL_OK;
    all->fsm = dal_fsm_load(diags, fsm_file);
    if (!all->fsm)
        return DAL_ERR_INVALID;
    if (make_applications(diags, all, all->fsm->application_count, define_count))
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < all->count; i++) {
        all->list[i].name = all->fsm->applications[i].name;
        all->list[i].network_file = all->fsm->applications[i].network_file;
        all->list[i].mapping_file = all->fsm->applications[i].mapping_file;
        if (refuse_missing_files(diags, &all->fsm->applications[i]))
            status = DAL_ERR_INVALID;
    }
    for (size_t i = 0; i < define_count; i++)
        if (hand_out(diags, all, &defines[i]))
            status = DAL_ERR_INVALID;
    return status;
}

void dal_applications_finish(struct dal_applications *all)
{
    for (size_t i = 0; i < all->count; i++) {
        dal_plan_destroy(all->list[i].plan);
        dal_spec_destroy(all->list[i].spec);
        dal_free(all->list[i].defines);
    }
    dal_free_all(all->list, all->plans);
    dal_fsm_destroy(all->fsm);
    *all = (struct dal_applications){0};
}

/* Only a network that is the whole program has options for its ports. */
static void refuse_open(struct dal_diags *diags, const struct dal_application *a)
{
    const struct dal_spec_network *network = &a->spec->network;
    for (size_t i = 0; a->name && i < network->process_count; i++)
        if (dal_spec_is_open(&network->processes[i]))
            dal_error(diags, network->processes[i].place, "open-port",
                      "application '%s': port '%s' of its network is open, and one of several "
                      "applications has no options for ports",
                      a->name, network->processes[i].name);
}

static int load_application(struct dal_diags *diags, struct dal_application *a,
                            const char *architecture_file, const char *times_file)
{
    a->spec = (a->is_made ? dal_spec_load_made : dal_spec_load)(
        diags, a->network_file, architecture_file, a->mapping_file, a->defines, a->define_count);
    if (!a->spec)
        return DAL_ERR_INVALID;
    refuse_open(diags, a);
    if (diags->errors)
        return DAL_ERR_INVALID;
    return times_file ? dal_times_read(diags, times_file, a->spec) : DAL_OK;
}

/* The program's ranks are those of all its applications. */
static int share_nodes(struct dal_diags *diags, struct dal_applications *all)
{
    struct dal_spec_mapping **mappings = dal_calloc(all->count + 1, sizeof(*mappings));
    int status;
    if (!mappings)
        return note_lost(diags);
    for (size_t i = 0; i < all->count; i++)
        mappings[i] = &all->list[i].spec->mapping;
    status = dal_spec_share_nodes(diags, mappings, all->count);
    dal_free(mappings);
    return status;
}

int dal_applications_load(struct dal_diags *diags, struct dal_applications *all,
                          const char *architecture_file, const char *times_file)
{
    int first = DAL_OK;
    for (size_t i = 0; i < all->count; i++) {
        int status = load_application(diags, &all->list[i], architecture_file, times_file);
        first = first ? first : status;
    }
    /* The architecture is the same for all. */
    if (!first && all->count > 0)
        first =
            dal_costs_check(diags, &all->list[0].spec->architecture.measured, (int64_t)time(NULL));
    return first || !all->fsm ? first : share_nodes(diags, all);
}

static int choose_promise(struct dal_diags *diags, struct dal_plan *plan)
{
    (void)diags;
    return dal_promise_choose(plan, DAL_PROMISE_MANY);
}

static int check_openmp(struct dal_diags *diags, struct dal_plan *plan)
{
    return dal_source_openmp(diags, plan);
}

static int check_promise(struct dal_diags *diags, struct dal_plan *plan)
{
    return dal_promise_check(diags, plan);
}

/* Passes that make a plan. */
static const struct pass {
    const char *name, *what;
    int (*run)(struct dal_diags *diags, struct dal_plan *plan);
} passes[] = {
    {"place", "kinds of channels", dal_plan_place},
    {"promise", "limits that keep latencies", choose_promise},
    {"arrange", "shadow copies, work-items, order, groups", dal_plan_arrange},
    {"capacities", "capacities and blocks", dal_plan_capacities},
    {"units", "sources, as they are read", dal_source_units},
    {"copies", "shadow copies of C processes that keep no state", dal_plan_copies},
    {"openmp", "teams of threads", check_openmp},
    {"plan", "the whole plan", check_promise},
};
enum { PASSES = sizeof(passes) / sizeof(passes[0]) };

int dal_applications_knows(const char *pass)
{
    return DAL_NAMED_IN(passes, name, pass) != NULL;
}

void dal_applications_passes(FILE *out)
{
    for (size_t i = 0; i < PASSES; i++)
        fprintf(out, "%-10s %s\n", passes[i].name, passes[i].what);
}

/* Runs passes over a plan until one fails, and prints the plan behind that which is asked for. */
static int run_passes(struct dal_diags *diags, const struct dal_applications *all,
                      struct dal_plan *plan, size_t first, size_t end)
{
    int status = DAL_OK;
    for (size_t i = first; i < end && !status; i++) {
        status = passes[i].run(diags, plan);
        if (!status && all->dump && strcmp(all->dump, passes[i].name) == 0)
            status = dal_plan_dump(plan, stdout);
    }
    return status;
}

int dal_applications_place(struct dal_diags *diags, struct dal_applications *all, double seconds)
{
    int first = DAL_OK;
    for (size_t i = 0; i < all->count; i++) {
        struct dal_application *a = &all->list[i];
        int status;
        a->plan = dal_plan_create(a->spec);
        if (!a->plan)
            return note_lost(diags);
        a->plan->seconds = seconds;
        a->plan->guards = all->guards;
        all->plans[i] = a->plan;
        if (all->fsm) {
            a->plan->application = a->name;
            a->plan->group = all->plans;
            a->plan->group_count = all->count;
        }
        status = run_passes(diags, all, a->plan, 0, 1);
        first = first ? first : status;
    }
    return first;
}

int dal_applications_plan(struct dal_diags *diags, struct dal_applications *all)
{
    int first = DAL_OK;
    for (size_t i = 0; i < all->count; i++) {
        struct dal_application *a = &all->list[i];
        int status = dal_source_prove(a->spec, a->plan);
        if (!status)
            status = run_passes(diags, all, a->plan, 1, PASSES);
        if (!status)
            status = dal_source_judge(a->spec, a->plan);
        first = first ? first : status;
    }
    return first;
}

int dal_applications_explain(const struct dal_applications *all, const struct dal_explain *wishes,
                             FILE *out)
{
    int status = all->fsm ? dal_explain_fsm(all->fsm, out) : DAL_OK;
    for (size_t i = 0; !status && i < all->count; i++) {
        if (all->list[i].name)
            fprintf(out, "\napplication %s, ", all->list[i].name);
        status = wishes->json ? dal_explain_json(all->list[i].plan, wishes, out)
                              : dal_explain(all->list[i].plan, wishes, out);
    }
    return status;
}
