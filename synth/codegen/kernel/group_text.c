/*
 * The kernel of a group (include/net.h), or of one process with phases: the kernels of its
 * processes are functions in it (function.c), and a loop over the rounds calls them in turn. Each
 * call is a firing. A process by itself has one round in each work-group: its cycle.
 */
#include "synth/codegen/c/counted.h"
#include "synth/codegen/c/unit.h"
#include "synth/codegen/kernel/function.h"
#include "synth/codegen/kernel/group.h"
#include "synth/codegen/kernel/steps.h"
#include "synth/codegen/kernel/unit.h"

#include "rt/base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The most bytes of tokens inside for which local memory is used. A multiprocessor then has room
 * for as many work-groups as without: 32 of them take 160 of an A100's 164 KB, with 1 KB each of
 * the driver's, and less of an H100's 228 (CUDA C++ Programming Guide, "Technical Specifications
 * per Compute Capability"). */
enum { MOST_LOCAL_SLOT = 4096 };

/* ---- its arguments --------------------------------------------------------------------------- */

/* Adds the arguments of a process's ports; `left` arguments are behind the first of them. */
static void add_ports(struct dal__maker *m, const struct dal_plan_process *p, size_t *left)
{
    for (size_t i = 0; i < p->process->port_count; i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        char name[24];
        if (!dal__is_argument(m, port))
            continue;
        snprintf(name, sizeof(name), "%zu", dal__number_port(m, port));
        dal_text_add(m->text, "    ");
        dal__add_base(m->text, m->group->unit, "", name);
        dal_text_printf(m->text, "%s /* %s of %s */\n", *left ? "," : "", port->name,
                        dal__name_of(m, p));
        *left -= *left > 0;
    }
}

/* Adds a process's values, in the order of its kernel's arguments. */
static void add_values(struct dal__maker *m, size_t member, const char **separator)
{
    const struct dal_plan_process *p = m->group->members[member];
    for (size_t i = 0; i < dal_plan_most_values(p->process) && p->unit->values; i++)
        if (p->unit->values[i].is_taken) {
            dal_text_printf(m->text, "%s    %s dal__value_%zu_%zu /* %s of %s */", *separator,
                            dal_plan_value_type(&p->unit->values[i]), member, i,
                            dal_plan_value_name(p->process, i), dal__name_of(m, p));
            *separator = ",\n";
        }
}

static void add_arguments(struct dal__maker *m)
{
    const struct dal_plan_group *group = m->group;
    size_t left = dal__number_port(m, NULL);
    const char *separator = "";
    if (!m->plan && !dal_plan_count_values(group->unit))
        left -= left > 0;
    for (size_t i = 0; i < group->member_count; i++)
        add_ports(m, group->members[i], &left);
    if (m->plan) {
        dal_text_add(m->text, "    ulong dal__rounds, __global uchar *dal__scratch");
        dal_text_add(m->text, group->in_order ? ", ulong dal__first" : "");
        separator = ",\n";
    }
    for (size_t i = 0; i < group->member_count; i++)
        add_values(m, i, &separator);
}

/* ---- its body -------------------------------------------------------------------------------- */

/* Adds local memory. Firings of a process are over before the next process begins, so all share
 * it. */
static void add_local_memory(struct dal__maker *m)
{
    struct dal_text sizes = {0};
    for (size_t i = 0; i < m->part_count; i++)
        if (dal__function_has_locals(m->parts[i].unit))
            dal_text_printf(&sizes, " struct dal__local_%zu dal__%zu;", i, i);
    if (sizes.length) {
        dal_text_printf(m->text, "    DAL_LOCAL_VARIABLE union {%s } dal__local;\n",
                        dal_text_get(&sizes));
        dal__add_local_check(m->text, "dal__local");
        m->group->unit->counts_local = 1;
    }
    m->text->lost |= sizes.lost;
    dal_text_finish(&sizes);
}

/* Adds a barrier, so that all work-items see what each of them has written. */
static void add_barrier(struct dal__maker *m)
{
    if (m->group->work_items > 1)
        dal_text_add(m->text, "        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
}

/* Returns the next channel behind `ch`, or the first for NULL, whose tokens the group keeps, and
 * which this process makes, if one is given; NULL at the end. */
static const struct dal_plan_channel *next_kept(const struct dal__maker *m,
                                                const struct dal_plan_channel *ch,
                                                const struct dal_plan_process *from)
{
    if (!m->plan)
        return NULL;
    for (ch = ch ? ch + 1 : m->plan->channels; ch < m->plan->channels + m->plan->channel_count;
         ch++)
        if (dal_plan_keeper(m->plan, ch) == m->group &&
            (!from || from == dal_plan_producer(m->plan, ch->channel)))
            return ch;
    return NULL;
}

/* Adds the copies behind a firing, which add what it has made for later rounds to what is kept. */
static void add_copies(struct dal__maker *m, const struct dal_plan_process *p, const char *k)
{
    const struct dal_plan_channel *ch = NULL;
    while ((ch = next_kept(m, ch, p))) {
        uint64_t bytes = ch->channel->rate_in * ch->channel->token_bytes;
        dal_text_printf(m->text,
                        "        dal__move(dal__slot + %" PRIu64 "ul + dal__kept_%zu + %" PRIu64
                        "ul + %s * %" PRIu64 "ul, ",
                        ch->kept_at, ch->channel->number,
                        ch->channel->initial_tokens * ch->channel->token_bytes, k, bytes);
        dal__add_window(m, p, ch->channel->producer_port, k);
        dal_text_printf(m->text, ", %" PRIu64 "ul);\n", bytes);
    }
}

static uint64_t kept_round_bytes(const struct dal__maker *m, const struct dal_plan_channel *ch)
{
    return ch->channel->rate_in * dal_plan_producer(m->plan, ch->channel)->round *
           ch->channel->token_bytes;
}

/* Adds the place, in bytes, that each kept channel has come to; its tokens begin there. */
static void add_kept_places(struct dal__maker *m)
{
    const struct dal_plan_channel *ch = NULL;
    while ((ch = next_kept(m, ch, NULL)))
        dal_text_printf(m->text,
                        "    ulong dal__kept_%zu = dal__first == 0 ? 0 : ((dal__first - 1) %% "
                        "%" PRIu64 "ul + 1) * %" PRIu64 "ul;\n",
                        ch->channel->number, ch->kept_rounds, kept_round_bytes(m, ch));
}

/* Adds the moves in front of a round: at the end of its memory, what is kept moves to the front. */
static void add_returns(struct dal__maker *m)
{
    const struct dal_plan_channel *ch = NULL;
    while ((ch = next_kept(m, ch, NULL))) {
        uint64_t end = ch->kept_rounds * kept_round_bytes(m, ch);
        size_t i = ch->channel->number;
        dal_text_printf(m->text,
                        "        if (dal__kept_%zu == %" PRIu64 "ul) {\n"
                        "            dal__kept_%zu = 0;\n"
                        "            dal__move(dal__slot + %" PRIu64 "ul, dal__slot + %" PRIu64
                        "ul, %" PRIu64 "ul);\n"
                        "        }\n",
                        i, end, i, ch->kept_at, ch->kept_at + end,
                        ch->channel->initial_tokens * ch->channel->token_bytes);
    }
    if (m->group->in_order)
        add_barrier(m);
}

/* Adds the steps behind a round. */
static void add_steps(struct dal__maker *m)
{
    const struct dal_plan_channel *ch = NULL;
    while ((ch = next_kept(m, ch, NULL)))
        dal_text_printf(m->text, "        dal__kept_%zu += %" PRIu64 "ul;\n", ch->channel->number,
                        kept_round_bytes(m, ch));
}

/* Adds the function by which all work-items copy, by words where there are words; no matter which
 * item copies what. */
static void add_move(struct dal__maker *m)
{
    if (m->group->in_order)
        dal_text_printf(
            m->text,
            "\nstatic void dal__move(__global uchar *to, __global const uchar *from, ulong bytes)\n"
            "{\n"
            "    if ((((ulong)to | (ulong)from | bytes) & 3) == 0)\n"
            "        for (ulong i = dal__id(); i < bytes / 4; i += %" PRIu32 ")\n"
            "            ((__global uint *)to)[i] = ((__global const uint *)from)[i];\n"
            "    else\n"
            "        for (ulong i = dal__id(); i < bytes; i += %" PRIu32 ")\n"
            "            to[i] = from[i];\n"
            "}\n",
            m->group->work_items, m->group->work_items);
}

/* Adds a firing, and what comes before the next one of the process. */
static void add_firing(struct dal__maker *m, size_t member, const char *k)
{
    const struct dal_plan_process *p = m->group->members[member];
    uint64_t phase, phases = dal__has_phases(p->unit) ? p->process->phases : 1;
    if (p->run) {
        dal__add_run(m, member, k);
        return;
    }
    for (phase = 0; phase < phases; phase++) {
        if (phase && dal__function_has_locals(p->unit))
            add_barrier(m);
        dal__add_call(m, member, k, phase);
    }
    if (!next_kept(m, NULL, p))
        return;
    add_barrier(m);
    add_copies(m, p, k);
}

/* Marks the packets of a process's firings in a round as unset (counted.h). */
static void add_unset(struct dal__maker *m, size_t member)
{
    const struct dal_plan_process *p = m->group->members[member];
    if (p->unit->source->type == DAL_SOURCE_PORTABLE || !dal_spec_has_counted(p->process, 1))
        return;
    for (size_t i = 0; i < p->process->port_count; i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        struct dal_text packet = {0};
        struct dal__maker at = *m;
        if (!port->output || !dal__is_counted(port))
            continue;
        at.text = &packet;
        dal__add_window(&at, p, port, "dal__k");
        dal_text_add(m->text, "        ");
        if (m->group->work_items > 1)
            dal_text_add(m->text, "if (dal__id() == 0)\n            ");
        if (p->round > 1)
            dal_text_printf(m->text,
                            "for (ulong dal__k = 0; dal__k < %" PRIu64 "; dal__k++)\n            ",
                            p->round);
        dal__add_unset(m->text, dal_text_get(&packet));
        dal_text_add(m->text, "\n");
        m->text->lost |= packet.lost;
        dal_text_finish(&packet);
    }
    add_barrier(m);
}

/* Adds a process's firings of a round, which must not meet in local memory. They are in a loop, or
 * written out where work-items wait for each other. */
static void add_member_calls(struct dal__maker *m, size_t member)
{
    const struct dal_plan_process *p = m->group->members[member];
    int in_turn = dal__function_has_locals(p->unit) || next_kept(m, NULL, p);
    add_unset(m, member);
    if (!m->group->one_round && p->round > 1) {
        dal_text_printf(m->text,
                        "        for (ulong dal__k = 0; dal__k < %" PRIu64 "; dal__k++) {\n",
                        p->round);
        add_firing(m, member, "dal__k");
        if (in_turn)
            add_barrier(m);
        dal_text_add(m->text, "        }\n");
        return;
    }
    for (uint64_t k = 0; k < p->round; k++) {
        char number[24];
        snprintf(number, sizeof(number), "%" PRIu64, k);
        if (k && in_turn)
            add_barrier(m);
        add_firing(m, member, number);
    }
}

/* Adds the members in turn. Local memory and what is kept between them is free again behind the
 * last. */
static void add_round(struct dal__maker *m)
{
    size_t count = m->group->member_count, end;
    for (size_t i = 0; i < count; i = end) {
        end = dal_plan_run_end(m->group, i);
        add_member_calls(m, i);
        if (end < count || !m->group->one_round)
            add_barrier(m);
    }
}

/* Do the tokens inside fit into local memory? Nothing else may be there. What is kept from launch
 * to launch cannot be. */
static int is_slot_local(const struct dal__maker *m)
{
    for (size_t i = 0; i < m->part_count; i++)
        if (dal__function_has_locals(m->parts[i].unit))
            return 0;
    return !m->group->in_order && m->group->slot_bytes > 0 &&
           m->group->slot_bytes <= MOST_LOCAL_SLOT;
}

/* Adds the place of the tokens inside: local memory where a pointer can point to any memory, else
 * the work-group's part of global memory. */
static void add_slot(struct dal__maker *m)
{
    const int is_local = is_slot_local(m);
    dal_text_add(m->text, "    const ulong dal__group = get_group_id(0);\n");
    if (is_local)
        dal_text_printf(m->text,
                        "#ifdef DAL_ONE_ADDRESS_SPACE\n"
                        "    DAL_LOCAL_VARIABLE ulong dal__inside[%" PRIu64 "];\n"
                        "    uchar *const dal__slot = (uchar *)dal__inside;\n"
                        "#else\n",
                        m->group->slot_bytes / 8);
    dal_text_printf(m->text,
                    "    __global uchar *const dal__slot = dal__scratch + dal__group * %" PRIu64
                    "ul;\n%s",
                    m->group->slot_bytes, is_local ? "#endif\n" : "");
}

/* Adds the loop over rounds. A work-group does a run of the launch's rounds, or one. */
static void add_loop(struct dal__maker *m)
{
    if (m->plan)
        add_slot(m);
    add_kept_places(m);
    if (m->group->one_round)
        dal_text_printf(m->text, "    const ulong dal__at = %s;\n    {\n",
                        m->plan ? "dal__group" : "get_group_id(0)");
    else
        dal_text_add(m->text,
                     "    const ulong dal__groups = get_num_groups(0);\n"
                     "    const ulong dal__end = dal__rounds * (dal__group + 1) / dal__groups;\n\n"
                     "    for (ulong dal__at = dal__rounds * dal__group / dal__groups; dal__at < "
                     "dal__end; dal__at++) {\n");
}

static void add_kernel(struct dal__maker *m)
{
    add_move(m);
    dal_text_add(m->text, "\n");
    dal__add_head(m->text, m->group->unit);
    dal_text_add(m->text, "\n");
    add_arguments(m);
    dal_text_add(m->text, ")\n{\n");
    add_local_memory(m);
    add_loop(m);
    add_returns(m);
    add_round(m);
    add_steps(m);
    dal_text_add(m->text, "    }\n}\n");
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void add_title(struct dal__maker *m)
{
    struct dal_text names = {0};
    size_t i = 0;
    for (size_t k = 0; k < m->group->member_count; k++)
        dal_text_printf(&names, "%s%s", k ? ", " : "", dal__name_of(m, m->group->members[k]));
    dal_text_add_comment(m->text, 0,
                         m->plan ? "Kernel of a group: %s, one after the other."
                                 : "Kernel of process %s: the firings of a cycle.",
                         dal_text_get(&names));
    dal__add_words(m->text);
    while (i < m->part_count && !m->parts[i].unit->in_group)
        i++;
    if (i < m->part_count)
        dal__add_pointer(m->text);
    dal__open_functions(m->text, m->group->members[0]->work_shape);
    m->text->lost |= names.lost;
    dal_text_finish(&names);
}

int dal__group_text(struct dal__maker *m)
{
    int status = DAL_OK;
    for (size_t i = 0; i < m->group->member_count; i++)
        if (dal__find_part(m, m->group->members[i]) == m->part_count)
            m->parts[m->part_count++] =
                (struct dal__part){m->group->members[i]->unit, m->group->members[i]->run > 0};
    add_title(m);
    for (size_t i = 0; i < m->part_count && !status; i++)
        status = dal__add_function(m->text, m->parts[i].unit, i, m->parts[i].of_word);
    dal__close_functions(m->text);
    if (!status)
        add_kernel(m);
    return !status && m->text->lost ? DAL_ERR_NOMEM : status;
}

int dal__phases_text(struct dal_plan_unit *unit)
{
    struct dal_plan_process process = {
        .process = unit->process, .unit = unit, .work_items = unit->work_items, .round = 1};
    struct dal_plan_process *members[] = {&process};
    struct dal__part parts[1];
    struct dal_plan_group group = {.unit = unit,
                                   .members = members,
                                   .member_count = 1,
                                   .work_items = unit->work_items,
                                   .one_round = 1};
    struct dal__maker m = {.group = &group, .parts = parts, .text = &unit->text};
    memcpy(process.work_shape, unit->work_shape, sizeof(process.work_shape));
    return dal__group_text(&m);
}
