/* The points of a Pareto front, each planned as dalsynth does it, and a table of them. */
#include "synth/tune/map/job.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/table.h"
#include "synth/tune/search/front.h"

#include <inttypes.h>
#include <math.h>

/* ---- the points ------------------------------------------------------------------------------ */

/* Plans a point that the search has found; the plan's values count from then on. A point that
 * dalsynth refuses, for example for a kernel's source, is left out with a warning. */
static int plan_point(struct dal__map_job *job, size_t number)
{
    struct dal_search_value *value = &job->result.values[number];
    int status = dal__map_plan(job, number);
    if (status == DAL_ERR_INVALID) {
        dal_diags_print(&job->planning, stderr);
        dal_log(DAL_LOG_WARNING, "point %zu of the front is left out: dalsynth refuses it",
                number + 1);
        value->period_ns = INFINITY;
    }
    job->unplanned = status != DAL_OK;
    if (!status) {
        dal__map_learn(job, number);
        dal_search_judge(job->planned.list[0].plan, &job->prediction, value);
    }
    return status && status != DAL_ERR_INVALID ? status : dal__map_add_finalist(job);
}

/* Points that come after a signal keep the values of the search. */
int dal__map_plan_points(struct dal__map_job *job)
{
    int status = DAL_OK;
    dal__map_forget_finalists(job);
    job->finalists = dal_calloc(job->result.count + 1, sizeof(*job->finalists));
    if (!job->finalists)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; !status && i < job->result.count; i++) {
        status = job->interrupted ? dal__map_add_finalist(job) : plan_point(job, i);
        if (status != DAL_ERR_INTERRUPTED)
            continue;
        job->interrupted = job->unplanned = 1;
        status = dal__map_add_finalist(job);
    }
    return status;
}

static char *write_point(struct dal__map_job *job, size_t number)
{
    struct dal_text text = {0};
    text.lost |= dal__map_write(job, number, &text, job->finalists[number].comment) != DAL_OK;
    return dal_text_take(&text);
}

/* Chooses points once more, by the values of the plans. */
static int choose_points(struct dal__map_job *job, struct dal_mapped_front *front)
{
    size_t room = job->map->most_points + 1, count;
    size_t *chosen = dal_calloc(room, sizeof(*chosen));
    int lost = 0;
    front->points = dal_calloc(room, sizeof(*front->points));
    count = chosen && front->points ? dal_search_choose(job->result.values, job->result.count,
                                                        job->map->most_points, chosen)
                                    : SIZE_MAX;
    for (size_t i = 0; count != SIZE_MAX && i < count; i++) {
        struct dal_mapped_point *point = &front->points[front->count++];
        point->value = job->result.values[chosen[i]];
        point->text = write_point(job, chosen[i]);
        lost |= !point->text;
    }
    dal_free(chosen);
    return count == SIZE_MAX || lost ? DAL_ERR_NOMEM : DAL_OK;
}

int dal__map_tell_front(struct dal__map_job *job, struct dal_mapped_front *front)
{
    int status = choose_points(job, front);
    if (!status && !front->count)
        status = DAL_ERR_INVALID;
    front->interrupted = job->interrupted || job->result.end == DAL_SEARCH_INTERRUPTED;
    front->out_of_time = job->result.end == DAL_SEARCH_TIME;
    front->tried = job->result.tried;
    return status;
}

void dal_mapped_front_finish(struct dal_mapped_front *front)
{
    for (size_t i = 0; front->points && i < front->count; i++)
        dal_free(front->points[i].text);
    dal_free(front->points);
    *front = (struct dal_mapped_front){0};
}

/* ---- the tables ------------------------------------------------------------------------------ */

int dal_mapped_front_print(const struct dal_mapped_front *front, FILE *out)
{
    struct dal_text t = {0};
    dal_text_add(&t, "point\vperiod\viterations/s\vlatency\vchannels/bytes\vprocessors\v"
                     "firings at once\n");
    for (size_t i = 0; i < front->count; i++) {
        const struct dal_search_value *v = &front->points[i].value;
        dal_text_printf(&t, "%zu\v%s\v%.4g\v%s\v%" PRIu64 "\v%zu\v", i + 1,
                        dal_predict_ns(v->period_ns).text, 1e9 / v->period_ns,
                        dal_predict_ns(v->latency_ns).text, v->bytes, v->processors);
        if (v->most_firings)
            dal_text_printf(&t, "%" PRIu64 "\n", v->most_firings);
        else
            dal_text_add(&t, "-\n");
    }
    return dal_table_print(&t, out);
}

char *dal_mapped_front_columns(const struct dal_mapped_front *front)
{
    struct dal_text text = {0};
    dal_text_add(&text, "# point period/ns iterations/s latency/ns channels/bytes processors "
                        "firings-at-once (0: as the plan chooses)\n");
    for (size_t i = 0; i < front->count; i++) {
        const struct dal_search_value *v = &front->points[i].value;
        dal_text_printf(&text, "%zu %.1f %.6g %.1f %" PRIu64 " %zu %" PRIu64 "\n", i + 1,
                        v->period_ns, 1e9 / v->period_ns, v->latency_ns, v->bytes, v->processors,
                        v->most_firings);
    }
    return dal_text_take(&text);
}
