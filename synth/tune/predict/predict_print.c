/* The prediction for people. */
#include "synth/tune/predict/predict.h"

#include "rt/base/error.h"

#include <inttypes.h>
#include <math.h>

struct dal_cell dal_predict_ns(double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t unit = 0;
    if (!(ns > 0))
        return dal_cell_format("-");
    for (; ns >= 1000 && unit < 3; unit++)
        ns /= 1000;
    return dal_cell_format("%.4g %s", ns, units[unit]);
}

struct dal_cell dal_prediction_period(double period_ns)
{
    return dal_cell_format("%s an iteration, %.4g iterations/s", dal_predict_ns(period_ns).text,
                           1e9 / period_ns);
}

struct dal_cell dal_prediction_part(const struct dal_spec_latency *promise)
{
    if (!promise->late_ppm)
        return dal_cell_format("%s", "");
    return dal_cell_format(" for %.6g %% of the iterations", 100 - promise->late_ppm / 1e4);
}

static void print_path(const struct dal_plan *plan, const struct dal_prediction_path *path,
                       FILE *out)
{
    fprintf(out, "an iteration, from %s to %s: %s, at most %s",
            plan->processes[path->from].process->name, plan->processes[path->to].process->name,
            dal_predict_ns(path->mean_ns).text, dal_predict_ns(path->most_ns).text);
    if (path->promise)
        fprintf(out, "; promised: %.4g ms%s", (double)path->promise->max_ns / 1e6,
                dal_prediction_part(path->promise).text);
    if (path->promise && path->promised_ns != path->most_ns)
        fprintf(out, "; with the spread of the times: %s", dal_predict_ns(path->promised_ns).text);
    fputc('\n', out);
}

static void print_paths(const struct dal_plan *plan, const struct dal_prediction *p, FILE *out)
{
    for (size_t i = 0; i < p->path_count; i++)
        if (p->paths[i].mean_ns >= 0)
            print_path(plan, &p->paths[i], out);
    if (p->more_paths)
        fprintf(out, "(other ways were not looked at)\n");
    fputc('\n', out);
}

static void print_misses(const struct dal_plan *plan, const struct dal_prediction *p, FILE *out)
{
    for (size_t i = 0; i < plan->process_count; i++)
        if (p->misses[i] > 0)
            fprintf(out, "%s misses the deadline of %.3g %% of its releases\n",
                    plan->processes[i].process->name, 100 * p->misses[i]);
}

/* ---- cores of use ---------------------------------------------------------------------------- */

/* The work of a pool, that is of the processes on the same cores, in parts of the time of one. */
struct pool_work {
    double all, longest;                   /* of all, and of a process that fires one at a time */
    const struct dal_plan_process *serial; /* that one, or NULL */
    double at_once;                        /* activations at once, whatever they take */
};

/* Cores that are busy for less of the time wait for something else, unless a process that fires
 * once at a time holds them up. */
static const double MUCH_WORK = 0.8;

/* Adds up the work on the cores of process `first`, of which nothing is known without a prediction.
 * Returns 0 if an earlier process has the same cores, or nothing fires there. */
static int add_up(const struct dal_plan *plan, const struct dal_prediction *prediction,
                  size_t first, struct pool_work *work)
{
    const struct dal_plan_process *pool = dal_plan_in_order(plan, first);
    *work = (struct pool_work){0};
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = dal_plan_in_order(plan, i);
        double busy = prediction ? prediction->processes[p->process->number] : 0;
        if (p->device || !dal_plan_is_bound_alike(p, pool))
            continue;
        if (i < first)
            return 0;
        work->all += busy;
        work->at_once += p->shadow_copies > 1 ? p->shadow_copies : 1;
        if (p->shadow_copies > 1 || busy <= work->longest)
            continue;
        work->longest = busy;
        work->serial = p;
    }
    return !prediction || work->all > 0;
}

void dal_prediction_cores(const struct dal_plan *plan, const struct dal_prediction *prediction,
                          FILE *out)
{
    const char *gap = prediction ? "" : "\n";
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = dal_plan_in_order(plan, i);
        struct pool_work work;
        double of_use, beside_serial, least;
        if (p->device || p->processor_count < 2 || !add_up(plan, prediction, i, &work))
            continue;
        of_use = fmin((double)p->processor_count, work.at_once);
        beside_serial = work.serial ? ceil(work.all / work.longest - 1e-6) : of_use;
        least = fmin(of_use, beside_serial);
        if (prediction && work.longest < DAL_PREDICT_HOLDS_UP && work.all < MUCH_WORK * least)
            least = ceil(work.all - 1e-6);
        fprintf(out, "%s%s and %zu more: %s%.0f of %zu cores are of use", gap,
                p->processors[0]->processor->name, p->processor_count - 1,
                prediction ? "" : "at most ", least, p->processor_count);
        if (least < fmin(of_use, beside_serial))
            fprintf(out, ", since the limit is %s", prediction->limit);
        else if (beside_serial < of_use)
            fprintf(out, ", since %s fires once at a time and has %.0f %% of the work",
                    work.serial->process->name, 100 * work.longest / work.all);
        else if (of_use < (double)p->processor_count)
            fprintf(out, ", since no more fire at once");
        fputc('\n', out);
        gap = "";
    }
}

/* Lists the processes of a processor, with their parts of its time. A process of several processors
 * is named at each, with its part of one of them. */
static void list_parts(struct dal_text *text, const struct dal_plan *plan,
                       const struct dal_prediction *prediction,
                       const struct dal_plan_processor *processor)
{
    const char *before = "";
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = dal_plan_in_order(plan, i);
        if (!dal_plan_runs_on(p, processor))
            continue;
        dal_text_printf(text, "%s%s %.0f %%%s", before, p->process->name,
                        100 * prediction->processes[p->process->number],
                        p->processor_count > 1 ? " of one" : "");
        before = ", ";
    }
}

static int print_processors(const struct dal_plan *plan, const struct dal_prediction *prediction,
                            FILE *out)
{
    struct dal_text t = {0};
    dal_text_add(&t, "processor\vbusy\vwith\n");
    for (size_t i = 0; i < plan->processor_count; i++) {
        dal_text_printf(&t, "%s\v%.0f %%\v", plan->processors[i].processor->name,
                        100 * prediction->processors[i]);
        list_parts(&t, plan, prediction, &plan->processors[i]);
        dal_text_add(&t, "\n");
    }
    return dal_table_print(&t, out);
}

static int print_channels(const struct dal_plan *plan, const struct dal_prediction *prediction,
                          FILE *out)
{
    struct dal_text t = {0};
    dal_text_add(&t, "channel\vtokens in it\vof\n");
    for (size_t i = 0; i < plan->channel_count; i++) {
        const struct dal_plan_channel *ch = &plan->channels[i];
        dal_text_printf(&t, "%s\v%.1f\v%" PRIu64 "%s\n", ch->channel->name, prediction->channels[i],
                        ch->capacity, ch->kind == DAL_CHANNEL_REMOTE ? " on each node" : "");
    }
    return dal_table_print(&t, out);
}

int dal_prediction_print(const struct dal_plan *plan, const struct dal_prediction *prediction,
                         FILE *out)
{
    int status;
    if (prediction->unknown) {
        fprintf(out, "no prediction: the times of these are not known: %s\n", prediction->unknown);
        dal_prediction_cores(plan, NULL, out);
        return DAL_OK;
    }
    fprintf(out, "predicted: %s%s; what limits it: %s\n",
            dal_prediction_period(prediction->period_ns).text,
            prediction->settled ? "" : " (not settled)", prediction->limit);
    print_misses(plan, prediction, out);
    dal_prediction_cores(plan, prediction, out);
    print_paths(plan, prediction, out);
    status = print_processors(plan, prediction, out);
    fputc('\n', out);
    return status == DAL_OK ? print_channels(plan, prediction, out) : status;
}
