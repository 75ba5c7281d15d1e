#include "synth/program/explain.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/table.h"
#include "spec/base/text.h"
#include "spec/load/load.h"
#include "synth/tune/predict/saving.h"

#include <inttypes.h>
#include <string.h>

/* Names the processors. Adds the node if there are several, and the name does not have it. */
static void name_processors(struct dal_text *text, const struct dal_plan *plan,
                            const struct dal_plan_process *p)
{
    const struct dal_spec_processor *first = p->processors[0]->processor;
    if (plan->spec->mapping.node_count > 1 && !strchr(first->name, '/'))
        dal_text_printf(text, "%s: ", first->node);
    for (size_t i = 0; i < p->processor_count; i++)
        dal_text_printf(text, "%s%s", i ? "," : "", p->processors[i]->processor->name);
}

static struct dal_cell write_items(const uint32_t *shape, uint32_t items)
{
    if (!shape[0])
        return dal_cell_format("%" PRIu32, items);
    if (shape[2] == 1)
        return dal_cell_format("%" PRIu32 "x%" PRIu32, shape[0], shape[1]);
    return dal_cell_format("%" PRIu32 "x%" PRIu32 "x%" PRIu32, shape[0], shape[1], shape[2]);
}

/* Tells the reasons for its block, or its S and I, and where it is bound. */
static void tell_why(struct dal_text *text, const struct dal_plan_process *p)
{
    if (dal_plan_on_device(p))
        dal_text_printf(text, "%s; %s", p->copies_reason, p->items_reason);
    else
        dal_text_add(text, p->block_reason);
    if (dal_plan_has_team(p))
        dal_text_printf(text, "; OpenMP, %zu thread%s", p->team_count + 1,
                        p->team_count ? "s" : "");
    if (!dal_plan_on_device(p) && p->copies_reason)
        dal_text_printf(text, "; %s", p->copies_reason);
    else if (dal_plan_has_doubt(p))
        dal_text_printf(text, "; one firing at a time: %s", p->source->doubt);
    dal_text_printf(text, " (%s:%d)\n", dal_path_base(p->binding->place.file),
                    p->binding->place.line);
}

static struct dal_cell write_number(int is_there, uint64_t number)
{
    return is_there ? dal_cell_format("%" PRIu64, number) : dal_cell_format("-");
}

static void add_process(struct dal_text *t, const struct dal_plan *plan,
                        const struct dal_plan_process *p)
{
    int device = dal_plan_on_device(p);
    dal_text_printf(t, "%s\v", p->process->name);
    name_processors(t, plan, p);
    dal_text_printf(t, "\v%s%s\v%s\v%s%s\v%s\v%s\v%s\v%s\v",
                    dal_spec_capability_traits(p->binding->capability)->times,
                    p->process->tap.kind           ? ", tap"
                    : dal_spec_is_open(p->process) ? ", open port"
                    : p->process->kpn              ? ", kpn"
                                                   : "",
                    p->source->location, dal_plan_function(p), dal_plan_function_end(p),
                    write_number(!p->process->kpn, p->process->repetitions).text,
                    write_number(device || p->shadow_copies > 1, p->shadow_copies).text,
                    device ? write_items(p->work_shape, p->work_items).text : "-",
                    write_number(!device, p->block).text);
    tell_why(t, p);
}

static void tell_processes(struct dal_text *t, const struct dal_plan *plan)
{
    dal_text_add(t, "process\vruns on\vtype\vsource\vfunction\vfirings*\vS\vI\vblock\vwhy\n");
    for (size_t i = 0; i < plan->process_count; i++)
        add_process(t, plan, dal_plan_in_order(plan, i));
}

/* Writes "2" or "1,0,2"; of a long sequence, the tokens of a cycle. */
static void write_rate(struct dal_text *text, const struct dal_spec_port *port, uint64_t rate)
{
    enum { MOST_WRITTEN = 12 };
    if (port->dynamic)
        dal_text_add(text, "dynamic");
    else if (port->phases.count == 0)
        dal_text_printf(text, "%" PRIu64, rate);
    else if (port->phases.count > MOST_WRITTEN)
        dal_text_printf(text, "%" PRIu64 " in %zu", rate, port->phases.count);
    else
        for (size_t i = 0; i < port->phases.count; i++)
            dal_text_printf(text, "%s%" PRIu64, i ? "," : "", port->phases.of[i]);
}

static void write_rates(struct dal_text *text, const struct dal_spec_channel *c)
{
    if (c->counted.most) {
        dal_text_printf(text, "up to %" PRIu64 "\v%" PRIu64 ", packet %" PRIu64, c->counted.most,
                        c->counted.token_bytes, c->token_bytes);
        return;
    }
    write_rate(text, c->producer_port, c->rate_in);
    dal_text_add(text, " -> ");
    write_rate(text, c->consumer_port, c->rate_out);
    dal_text_printf(text, "\v%" PRIu64, c->token_bytes);
}

static void tell_channels(struct dal_text *t, const struct dal_plan *plan)
{
    dal_text_add(t, "channel\vfrom -> to\vkind\vrates\vtoken bytes\vinitial\vcapacity\vwhy\n");
    for (size_t i = 0; i < plan->channel_count; i++) {
        const struct dal_plan_channel *ch = &plan->channels[i];
        const struct dal_spec_channel *c = ch->channel;
        dal_text_printf(t, "%s\v%s -> %s\v%s\v", c->name, dal_plan_producer(plan, c)->process->name,
                        dal_plan_consumer(plan, c)->process->name,
                        dal_channel_traits(ch->kind)->name);
        write_rates(t, c);
        dal_text_printf(t, "\v%" PRIu64 "\v%" PRIu64 "\v%s; %s\n", c->initial_tokens, ch->capacity,
                        ch->reason, ch->capacity_reason);
    }
}

void dal_explain_tables(const struct dal_plan *plan, struct dal_text *text)
{
    tell_processes(text, plan);
    tell_channels(text, plan);
}

static int explain_table(void (*tell)(struct dal_text *t, const struct dal_plan *plan),
                         const struct dal_plan *plan, FILE *out)
{
    struct dal_text t = {0};
    tell(&t, plan);
    return dal_table_print(&t, out);
}

static void explain_phases(const struct dal_plan *plan, FILE *out)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_spec_process *process = dal_plan_in_order(plan, i)->process;
        if (dal_plan_phases(process) == 1)
            continue;
        fprintf(out, "%s is cyclo-static: what counts as one firing is a cycle of %" PRIu64 "\n",
                process->name, process->phases);
        if (process->by_phase)
            fprintf(out, "%s is fired phase by phase where a cycle lacks tokens or space: %s\n",
                    process->name,
                    process->firing == DAL_FIRING_PHASE
                        ? "the network says so"
                        : "the network deadlocks if it begins whole cycles");
        count++;
    }
    if (count)
        fputc('\n', out);
}

struct user { /* the first constant that has some bytes */
    const struct dal_spec_process *process;
    const char *name;
};

/* Those of the same bytes refer to the first of them. */
static void tell_constant(const struct dal_spec_process *p, size_t k, struct user *user, FILE *out)
{
    const struct dal_spec_constant *c = &p->constants[k];
    fprintf(out, "constant %s.%s is %s[%" PRIu64 "], ", p->name, c->name, c->type, c->count);
    if (user->process)
        fprintf(out, "the bytes of %s.%s\n", user->process->name, user->name);
    else
        fprintf(out, "%" PRIu64 " bytes%s%s, once in each memory\n", c->count * c->element_bytes,
                c->file ? " of " : "", c->file ? dal_path_base(c->file) : "");
    if (!user->process)
        *user = (struct user){p, c->name};
}

static int explain_constants(const struct dal_plan *plan, FILE *out)
{
    size_t count = plan->spec->network.data_count;
    struct user *first = dal_calloc(count + 1, sizeof(*first));
    for (size_t i = 0; first && i < plan->process_count; i++) {
        const struct dal_spec_process *p = dal_plan_in_order(plan, i)->process;
        for (size_t k = 0; k < p->constant_count; k++)
            tell_constant(p, k, &first[p->constants[k].data], out);
    }
    if (first && count)
        fputc('\n', out);
    dal_free(first);
    return first ? DAL_OK : DAL_ERR_NOMEM;
}

static void explain_fallbacks(const struct dal_plan *plan, FILE *out)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = dal_plan_in_order(plan, i);
        if (!p->fallback)
            continue;
        fprintf(out, "%s, when its kernel cannot be had: %s on %s\n", p->process->name,
                p->fallback->source->location, p->fallback->processors[0]->processor->name);
        count++;
    }
    if (count)
        fputc('\n', out);
}

/* Explains whom the task queue serves first, unless all are equal to it. */
static void explain_priorities(const struct dal_plan *plan, FILE *out)
{
    size_t count = 0;
    if (strcmp(plan->policy, "fcfs") == 0)
        return;
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = dal_plan_in_order(plan, i);
        if (!p->device)
            continue;
        fprintf(out, count++ ? ", %s %d" : "priorities on devices: %s %d", p->process->name,
                p->priority);
    }
    if (count)
        fprintf(out, "; the largest first\n\n");
}

static void explain_team(const struct dal_plan_process *p, FILE *out)
{
    fprintf(out, "%s has a team of %zu thread%s: %s", p->process->name, p->team_count + 1,
            p->team_count ? "s" : "", p->processors[0]->processor->name);
    for (size_t i = 0; i < p->team_count; i++)
        fprintf(out, ",%s", p->team[i]->name);
    if (p->team_count + 1 < p->binding->threads)
        fprintf(out, "; not %u, since its node has no more cores on which nothing else runs",
                p->binding->threads);
    fputc('\n', out);
}

/* Explains the teams of OpenMP, also those that are smaller than wanted. */
static void explain_teams(const struct dal_plan *plan, FILE *out)
{
    if (!dal_plan_has_teams(plan))
        return;
    for (size_t i = 0; i < plan->process_count; i++)
        if (dal_plan_has_team(dal_plan_in_order(plan, i)))
            explain_team(dal_plan_in_order(plan, i), out);
    fputc('\n', out);
}

static void explain_turn(const struct dal_plan_turn *turn, FILE *out)
{
    fprintf(out, "%s to %s, %d processes%s; %d channel%s in %" PRIu64 " bytes, not %" PRIu64 "\n",
            turn->first->process->name, turn->last->process->name, turn->count,
            turn->first->processor_count > 1 ? ", a copy of all on each core" : "",
            turn->channel_count, turn->channel_count == 1 ? "" : "s", turn->overlay_bytes,
            turn->ring_bytes);
}

static int explain_turns(const struct dal_plan *plan, FILE *out)
{
    int *groups = dal_calloc(2 * plan->process_count + 1, sizeof(*groups));
    int *members = groups ? groups + plan->process_count : NULL;
    int told = 0, count = groups ? dal_plan_turns(plan, groups) : DAL_ERR_NOMEM;
    int status = count < 0 ? count : DAL_OK;
    for (size_t k = 0; status == DAL_OK && k < plan->process_count; k++)
        if (groups[k] >= 0)
            members[groups[k]]++;
    for (int i = 0; status == DAL_OK && i < count; i++) {
        struct dal_plan_turn turn;
        if (members[i] < 2)
            continue;
        status = dal_plan_turn(plan, groups, i, &turn);
        if (status == DAL_OK && !told++)
            fprintf(out, "fired in turn, as one:\n");
        if (status == DAL_OK)
            explain_turn(&turn, out);
    }
    if (told)
        fputc('\n', out);
    dal_free(groups);
    return status;
}

static const char *form_of(const struct dal_plan_group *group)
{
    if (group->in_order)
        return "; one work-group does all rounds in order, as channels keep tokens, and the rest "
               "of the device has nothing to do";
    if (group->one_round)
        return ", which does one round, since work-items wait for each other";
    return "";
}

/* "launched as one on GPU_0: a, b x 2, c; ..." */
static void explain_group(struct dal_text *text, const struct dal_plan *plan,
                          const struct dal_plan_group *group)
{
    const struct dal_plan_process *first = group->members[0];
    dal_text_add(text, "launched as one on ");
    name_processors(text, plan, first);
    for (size_t i = 0; i < group->member_count; i++) {
        dal_text_printf(text, "%s%s", i ? ", " : ": ", group->members[i]->process->name);
        if (group->members[i]->round > 1)
            dal_text_printf(text, " x %" PRIu64, group->members[i]->round);
    }
    dal_text_printf(
        text,
        "; I = %s, up to %" PRIu64 " rounds a launch (%s), %" PRIu64 " bytes a work-group%s\n%s",
        write_items(first->work_shape, group->work_items).text, group->rounds, group->rounds_reason,
        group->slot_bytes, form_of(group), group->words ? group->words : "");
}

/* Explains the groups, and why other neighbours are not grouped. */
static int explain_groups(const struct dal_plan *plan, FILE *out)
{
    struct dal_text text = {0};
    int status;
    for (size_t i = 0; i < plan->device_group_count; i++)
        explain_group(&text, plan, &plan->device_groups[i]);
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = dal_plan_in_order(plan, i);
        if (p->apart)
            dal_text_printf(&text, "%s is not launched with what it reads from: %s\n",
                            p->process->name, p->apart);
    }
    fprintf(out, "%s%s", dal_text_get(&text), text.length ? "\n" : "");
    status = text.lost ? DAL_ERR_NOMEM : DAL_OK;
    dal_text_finish(&text);
    return status;
}

static size_t count_remote(const struct dal_plan *plan)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->channel_count; i++)
        count += plan->channels[i].kind == DAL_CHANNEL_REMOTE;
    return count;
}

static void explain_nodes(const struct dal_plan *plan, FILE *out)
{
    const struct dal_spec_mapping *mapping = &plan->spec->mapping;
    if (mapping->node_count < 2)
        return;
    for (size_t i = 0; i < mapping->node_count; i++)
        fprintf(out, "%s%s (rank %zu)", i ? ", " : "nodes: ", mapping->nodes[i], i);
    fprintf(out, "; %zu of the channels lead from one to another\n\n", count_remote(plan));
}

static int explain_bytes(const struct dal_plan *plan, const struct dal_explain *wishes, FILE *out)
{
    struct dal_ledger ledger;
    int status = dal_ledger_make(plan, &ledger);
    fputc('\n', out);
    if (!status)
        status = dal_ledger_print(plan, &ledger, out);
    if (!status)
        status = dal_advise_bytes(plan, &ledger, out);
    if (!status)
        status = dal__explain_times(plan, &ledger, wishes, out);
    dal_ledger_finish(&ledger);
    return status;
}

int dal_explain(const struct dal_plan *plan, const struct dal_explain *wishes, FILE *out)
{
    int status;
    fprintf(out, "network %s: %zu processes, %zu channels; queue depth %d, policy %s",
            plan->spec->network.name, plan->process_count, plan->channel_count, plan->queue_depth,
            plan->policy);
    if (plan->spec->mapping.realtime)
        fprintf(out, ", real-time priority %d", plan->spec->mapping.realtime);
    fputs("\n\n", out);
    explain_nodes(plan, out);
    status = explain_table(tell_processes, plan, out);
    if (status)
        return status;
    fprintf(out, "\n* in one iteration of the network\n\n");
    dal__explain_newest(plan, out);
    explain_phases(plan, out);
    explain_fallbacks(plan, out);
    explain_priorities(plan, out);
    explain_teams(plan, out);
    status = explain_constants(plan, out);
    if (!status)
        status = explain_turns(plan, out);
    if (!status)
        status = explain_groups(plan, out);
    if (!status)
        status = explain_table(tell_channels, plan, out);
    return status ? status : explain_bytes(plan, wishes, out);
}

/* ---- state machines -------------------------------------------------------------------------- */

/* Lists the names of the applications for which a state wants this. */
static void list_applications(struct dal_text *text, const struct dal_spec_fsm *fsm,
                              const struct dal_spec_fsm_state *state, enum dal_spec_fsm_want want)
{
    const char *before = "";
    for (size_t i = 0; i < fsm->application_count; i++)
        if (state->wants[i] == want) {
            dal_text_printf(text, "%s%s", before, fsm->applications[i].name);
            before = ",";
        }
    dal_text_add(text, *before ? "\v" : "-\v");
}

static void list_ways(struct dal_text *text, const struct dal_spec_fsm *fsm, size_t state)
{
    const char *before = "";
    for (size_t i = 0; i < fsm->transition_count; i++) {
        const struct dal_spec_fsm_transition *t = &fsm->transitions[i];
        if (t->from != state)
            continue;
        dal_text_printf(text, "%s%s -> %s", before, fsm->events[t->event].name,
                        fsm->states[t->to].name);
        before = ", ";
    }
    if (!*before)
        dal_text_add(text, fsm->states[state].end ? "the end" : "no way on");
    dal_text_add(text, "\n");
}

int dal_explain_fsm(const struct dal_spec_fsm *fsm, FILE *out)
{
    struct dal_text t = {0};
    fprintf(out, "state machine %s: %zu applications, %zu states, %zu transitions\n\n", fsm->name,
            fsm->application_count, fsm->state_count, fsm->transition_count);
    dal_text_add(&t, "state\vrunning\vpaused\vevent -> state\n");
    for (size_t i = 0; i < fsm->state_count; i++) {
        const struct dal_spec_fsm_state *state = &fsm->states[i];
        dal_text_printf(&t, "%s%s\v", state->name, state->initial ? "*" : "");
        list_applications(&t, fsm, state, DAL_FSM_RUNNING);
        list_applications(&t, fsm, state, DAL_FSM_PAUSED);
        list_ways(&t, fsm, i);
    }
    if (dal_table_print(&t, out))
        return DAL_ERR_NOMEM;
    fprintf(out, "\n* the first\n");
    return DAL_OK;
}
