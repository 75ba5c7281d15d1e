/* Orders the processes that a worker looks at: producers first. */
#include "synth/plan/plan.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

/* Must the consumer come behind the producer? Not with enough initial tokens for a whole
 * iteration. */
static int is_edge(const struct dal_spec_channel *c)
{
    uint64_t need;
    return c->producer != c->consumer &&
           (__builtin_mul_overflow(c->rate_out, c->consumer->repetitions, &need) ||
            c->initial_tokens < need);
}

/* The first process with nothing open before it; inside a cycle, the first that is left. */
static size_t choose_next(const size_t *open, const unsigned char *done, size_t count)
{
    size_t left = count;
    for (size_t i = 0; i < count; i++) {
        if (done[i])
            continue;
        if (!open[i])
            return i;
        if (left == count)
            left = i;
    }
    return left;
}

static void sort_processes(struct dal_plan *plan, size_t *open, unsigned char *done)
{
    const struct dal_spec_network *network = &plan->spec->network;
    for (size_t i = 0; i < network->channel_count; i++)
        if (is_edge(&network->channels[i]))
            open[network->channels[i].consumer->number]++;
    for (size_t i = 0; i < plan->process_count; i++) {
        size_t next = choose_next(open, done, plan->process_count);
        const struct dal_spec_process *p = &network->processes[next];
        plan->order[i] = next;
        done[next] = 1;
        for (size_t k = 0; k < p->port_count; k++) {
            const struct dal_spec_port *port = &p->ports[k];
            const struct dal_spec_channel *c;
            for (c = port->channel; port->output && c; c = c->next_of_port)
                if (is_edge(c))
                    open[c->consumer->number]--;
        }
    }
}

int dal_plan_order(struct dal_plan *plan)
{
    size_t *open = dal_calloc(plan->process_count + 1, sizeof(*open));
    unsigned char *done = dal_calloc(plan->process_count + 1, 1);
    int status = DAL_ERR_NOMEM;
    plan->order = dal_calloc(plan->process_count + 1, sizeof(*plan->order));
    if (plan->order && open && done) {
        sort_processes(plan, open, done);
        status = DAL_OK;
    }
    dal_free_all(open, done);
    return status;
}
