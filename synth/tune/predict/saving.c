#include "synth/tune/predict/saving.h"

#include "rt/base/error.h"
#include "synth/tune/predict/change.h"

/* Most channels that are looked at, and seconds for the capacities of one evaluation. */
enum { MOST_CHANNELS = 64 };
static const double TRIAL_SECONDS = 0.2;

/* The source that a process could run on the other's processors; NULL without one. */
static struct dal_spec_source *find_source(const struct dal_plan_process *p,
                                           const struct dal_plan_process *other)
{
    if (p->device == other->device)
        return p->binding->source;
    return dal_spec_source_for(p->process, other->binding->capability);
}

/* Returns the bytes that another mapping could save. What is copied within a ring depends on its
 * capacity, which no mapping that is tried has yet. */
static double moved(const struct dal_ledger_entry *entry)
{
    return entry->copied - entry->mirrored + entry->sent;
}

struct saving {
    double bytes;
    struct dal_text what;
};

static int try_saving(const struct dal_plan *plan, const struct dal_ledger *ledger,
                      const struct dal_plan_process *p, const struct dal_plan_process *other,
                      struct saving *best)
{
    struct dal_mapping_move change = {.kind = DAL_MAPPING_MOVE_BIND,
                                      .process = p->process,
                                      .processors = other->binding->processors,
                                      .processor_count = other->processor_count,
                                      .capability = other->binding->capability,
                                      .source = find_source(p, other),
                                      .copies = p->binding->shadow_copies};
    double saved;
    struct dal_move_value trial;
    int status;
    if (!change.source || p->process->kpn || (p->process->by_phase && other->device))
        return DAL_OK;
    status = dal_mapping_move_try(plan, &change, 0, TRIAL_SECONDS, &trial);
    saved = moved(&ledger->all) - moved(&trial.all);
    if (status == DAL_OK && trial.is_there && saved > best->bytes) {
        dal_text_finish(&best->what);
        dal_mapping_move_describe(&best->what, &change);
        best->bytes = saved;
    }
    dal_move_value_finish(&trial);
    return status;
}

int dal_advise_bytes(const struct dal_plan *plan, const struct dal_ledger *ledger, FILE *out)
{
    struct saving best = {0};
    size_t tried = 0;
    int status = DAL_OK;
    for (size_t i = 0; i < plan->channel_count && status == DAL_OK && tried < MOST_CHANNELS; i++) {
        const struct dal_spec_channel *c = plan->channels[i].channel;
        const struct dal_plan_process *from = dal_plan_producer(plan, c);
        const struct dal_plan_process *to = dal_plan_consumer(plan, c);
        if (moved(&ledger->channels[i]) <= 0)
            continue;
        status = try_saving(plan, ledger, to, from, &best);
        if (status == DAL_OK)
            status = try_saving(plan, ledger, from, to, &best);
        tried++;
    }
    if (best.what.lost)
        status = DAL_ERR_NOMEM;
    if (status == DAL_OK && best.bytes > 0)
        fprintf(
            out,
            "the one change that saves most of what is moved: %s; %.0f bytes an iteration less\n",
            dal_text_get(&best.what), best.bytes);
    dal_text_finish(&best.what);
    return status;
}
