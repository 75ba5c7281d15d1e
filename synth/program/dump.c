#include "synth/program/dump.h"

#include "rt/base/error.h"

#include <inttypes.h>

/* " NAME=N", unless it is not decided: 0. */
static void put_number(FILE *out, const char *name, uint64_t number)
{
    if (number)
        fprintf(out, " %s=%" PRIu64, name, number);
}

static void put_text(FILE *out, const char *name, const char *text)
{
    if (text && *text)
        fprintf(out, " %s=%s", name, text);
}

static void put_flag(FILE *out, const char *name, int is_so)
{
    if (is_so)
        fprintf(out, " %s", name);
}

static void dump_processor(const struct dal_plan_processor *processor, FILE *out)
{
    fprintf(out, "processor %s", processor->processor->name);
    put_text(out, "symbol", processor->symbol);
    put_number(out, "channels", processor->channels);
    fputc('\n', out);
}

static void dump_process(const struct dal_plan_process *p, FILE *out)
{
    fprintf(out, "process %s source=%s on=", p->process->name, p->source->location);
    for (size_t i = 0; i < p->processor_count; i++)
        fprintf(out, "%s%s", i ? "," : "", p->processors[i]->processor->name);
    put_number(out, "S", p->shadow_copies);
    put_number(out, "I", p->work_items);
    put_number(out, "firings", p->process->repetitions);
    put_number(out, "block", p->block);
    put_number(out, "round", p->round);
    put_number(out, "team", p->team_count);
    put_text(out, "group", p->group ? p->group->symbol : NULL);
    put_text(out, "unit", p->unit ? p->unit->name : NULL);
    put_flag(out, "fallback", p->fallback != NULL);
    fputc('\n', out);
}

static void dump_channel(const struct dal_plan_channel *ch, FILE *out)
{
    fprintf(out, "channel %s kind=%s", ch->channel->name, dal_channel_traits(ch->kind)->name);
    if (ch->placed != ch->kind)
        put_text(out, "placed", dal_channel_traits(ch->placed)->name);
    put_number(out, "capacity", ch->capacity);
    put_number(out, "message", ch->message);
    put_number(out, "fastest", ch->fastest);
    put_number(out, "extra", ch->extra);
    put_text(out, "as", ch->larger ? ch->larger->channel->name : NULL);
    put_flag(out, "inside", ch->inside);
    put_number(out, "kept", ch->kept ? ch->kept_rounds : 0);
    fputc('\n', out);
}

static void dump_group(const struct dal_plan_group *group, FILE *out)
{
    fprintf(out, "group %s members=", group->symbol ? group->symbol : "-");
    for (size_t i = 0; i < group->member_count; i++)
        fprintf(out, "%s%s", i ? "," : "", group->members[i]->process->name);
    put_number(out, "I", group->work_items);
    put_number(out, "rounds", group->rounds);
    put_number(out, "slot", group->slot_bytes);
    put_flag(out, "one-round", group->one_round);
    put_flag(out, "in-order", group->in_order);
    fputc('\n', out);
}

static void dump_unit(const struct dal_plan_unit *unit, FILE *out)
{
    fprintf(out, "unit %s", unit->name);
    put_text(out, "file", unit->file);
    put_text(out, "function", unit->function);
    put_text(out, "kernel", unit->kernel);
    put_number(out, "I", unit->work_items);
    put_flag(out, "state", unit->has_state);
    put_flag(out, "openmp", unit->openmp);
    put_flag(out, "group", unit->is_group);
    fputc('\n', out);
}

int dal_plan_dump(const struct dal_plan *plan, FILE *out)
{
    fprintf(out, "plan %s", plan->spec->network.name);
    put_text(out, "application", plan->application);
    put_number(out, "most-firings", plan->most_firings);
    fputc('\n', out);
    for (size_t i = 0; i < plan->processor_count; i++)
        dump_processor(&plan->processors[i], out);
    for (size_t i = 0; i < plan->process_count; i++)
        dump_process(&plan->processes[plan->order ? plan->order[i] : i], out);
    for (size_t i = 0; i < plan->channel_count; i++)
        dump_channel(&plan->channels[i], out);
    for (size_t i = 0; i < plan->device_group_count; i++)
        dump_group(&plan->device_groups[i], out);
    for (size_t i = 0; i < plan->unit_count; i++)
        dump_unit(&plan->units[i], out);
    return ferror(out) ? DAL_ERR_IO : DAL_OK;
}
