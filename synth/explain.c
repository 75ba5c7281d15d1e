#include "synth/explain.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <string.h>

enum { COLUMNS = 10 };

/* Cells row by row; a NULL cell ends a row early. */
struct table {
    char **cells;
    size_t count, room;
    size_t columns;
    int lost;
};

static void add_cell(struct table *t, char *text)
{
    if (!text || dal_grow(&t->cells, t->count, &t->room, sizeof(char *))) {
        dal_free(text);
        t->lost = 1;
        return;
    }
    t->cells[t->count++] = text;
}

static void add_titles(struct table *t, const char *const *titles, size_t count)
{
    size_t i;

    t->columns = count;
    for (i = 0; i < count; i++)
        add_cell(t, dal_strdup(titles[i]));
}

static void measure(const struct table *t, size_t *width)
{
    size_t i;

    for (i = 0; i < t->count; i++) {
        size_t length = strlen(t->cells[i]), column = i % t->columns;
        if (length > width[column])
            width[column] = length;
    }
}

static int print_table(struct table *t, FILE *out)
{
    size_t i, width[COLUMNS] = {0};
    int error = t->lost ? DAL_ERR_NOMEM : DAL_OK;

    measure(t, width);
    for (i = 0; i < t->count; i++) {
        size_t column = i % t->columns;
        if (!error && column + 1 < t->columns)
            fprintf(out, "%-*s  ", (int)width[column], t->cells[i]);
        else if (!error)
            fprintf(out, "%s\n", t->cells[i]);
        dal_free(t->cells[i]);
    }
    dal_free(t->cells);
    return error;
}

static char *name_processors(const struct dal_plan_process *p)
{
    struct dal_text text;
    size_t i;

    dal_text_init(&text);
    for (i = 0; i < p->processor_count; i++)
        dal_text_printf(&text, "%s%s", i ? "," : "", p->processors[i]->processor->name);
    return dal_text_take(&text);
}

static void add_process(struct table *t, const struct dal_plan_process *p)
{
    int device = dal_plan_on_device(p);

    add_cell(t, dal_strdup(p->process->name));
    add_cell(t, name_processors(p));
    add_cell(t, dal_strdup(device ? "opencl" : "c"));
    add_cell(t, dal_strdup(p->source->location));
    add_cell(
        t, dal_format("%s%s", device ? p->unit->kernel : p->unit->function, device ? "" : "_fire"));
    add_cell(t, dal_format("%" PRIu64, p->process->repetitions));
    add_cell(t, device ? dal_format("%" PRIu32, p->shadow_copies) : dal_strdup("-"));
    add_cell(t, device ? dal_format("%" PRIu32, p->work_items) : dal_strdup("-"));
    add_cell(t, device ? dal_strdup("-") : dal_format("%" PRIu64, p->block));
    add_cell(t, dal_format("%s (%s:%d)", p->block_reason, dal_path_base(p->binding->place.file),
                           p->binding->place.line));
}

static int explain_processes(const struct dal_plan *plan, FILE *out)
{
    static const char *const titles[] = {"process",  "runs on", "type", "source", "function",
                                         "firings*", "S",       "I",    "block",  "why"};
    struct table t = {0};
    size_t i;

    add_titles(&t, titles, sizeof(titles) / sizeof(titles[0]));
    for (i = 0; i < plan->process_count; i++)
        add_process(&t, &plan->processes[plan->order[i]]);
    return print_table(&t, out);
}

static void add_channel(struct table *t, const struct dal_plan *plan,
                        const struct dal_plan_channel *ch)
{
    const struct dal_channel *c = ch->channel;

    add_cell(t, dal_strdup(c->name));
    add_cell(t, dal_format("%s -> %s", dal_plan_producer(plan, c)->process->name,
                           dal_plan_consumer(plan, c)->process->name));
    add_cell(t, dal_strdup(dal_plan_kind_name(ch->kind)));
    add_cell(t, dal_format("%" PRIu64 " -> %" PRIu64, c->rate_in, c->rate_out));
    add_cell(t, dal_format("%" PRIu64, c->token_bytes));
    add_cell(t, dal_format("%" PRIu64, c->initial_tokens));
    add_cell(t, dal_format("%" PRIu64, ch->capacity));
    add_cell(t, dal_format("%s; %s", ch->reason, ch->capacity_reason));
}

static int explain_channels(const struct dal_plan *plan, FILE *out)
{
    static const char *const titles[] = {"channel",     "from -> to", "kind",     "rates",
                                         "token bytes", "initial",    "capacity", "why"};
    struct table t = {0};
    size_t i;

    add_titles(&t, titles, sizeof(titles) / sizeof(titles[0]));
    for (i = 0; i < plan->channel_count; i++)
        add_channel(&t, plan, &plan->channels[i]);
    return print_table(&t, out);
}

int dal_explain(const struct dal_plan *plan, FILE *out)
{
    int error;

    fprintf(out, "network %s: %zu processes, %zu channels; queue depth %d, policy %s\n\n",
            plan->spec->network.name, plan->process_count, plan->channel_count, plan->queue_depth,
            plan->policy);
    error = explain_processes(plan, out);
    if (error)
        return error;
    fprintf(out, "\n* in one iteration of the network\n\n");
    return explain_channels(plan, out);
}
