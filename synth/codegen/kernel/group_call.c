/*
 * Calls in the kernel of a group, of a firing or of a word: where their tokens lie, and the loop of
 * a run (words.c). That calls the functions of its members in turn for each word. Words from
 * outside of the run are loaded in front of them, words that others read are stored behind them.
 */
#include "synth/codegen/kernel/function.h"
#include "synth/codegen/kernel/group.h"
#include "synth/codegen/kernel/steps.h"
#include "synth/codegen/kernel/unit.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- a call ---------------------------------------------------------------------------------- */

/* Returns the number of the part that a member calls; how many there are without one. */
size_t dal__find_part(const struct dal__maker *m, const struct dal_plan_process *p)
{
    size_t i = 0;
    while (i < m->part_count && (m->parts[i].unit != p->unit || m->parts[i].of_word != !!p->run))
        i++;
    return i;
}

/* Is the port an argument of the kernel? By itself, a process has nothing inside. */
int dal__is_argument(const struct dal__maker *m, const struct dal_spec_port *port)
{
    return !m->plan || dal_plan_is_outside(m->plan, port);
}

/* Returns what a process is called: several may have the kernel of one by itself. */
const char *dal__name_of(const struct dal__maker *m, const struct dal_plan_process *p)
{
    return m->plan ? p->process->name : p->process->base;
}

/* Returns the number of a port among those that are arguments; how many those are for NULL. */
size_t dal__number_port(const struct dal__maker *m, const struct dal_spec_port *wanted)
{
    const struct dal_plan_group *group = m->group;
    size_t number = 0;
    for (size_t i = 0; i < group->member_count; i++)
        for (size_t k = 0; k < group->members[i]->process->port_count; k++) {
            const struct dal_spec_port *port = &group->members[i]->process->ports[k];
            if (port == wanted)
                return number;
            number += (size_t)dal__is_argument(m, port);
        }
    return number;
}

/* Adds the place of the tokens of the round's firing `k`. They are beside those of the launch's
 * other firings, or in the work-group's memory. An input that is made inside is read where it was
 * written. */
void dal__add_window(struct dal__maker *m, const struct dal_plan_process *p,
                     const struct dal_spec_port *port, const char *k)
{
    const struct dal_plan_channel *ch = m->plan ? &m->plan->channels[port->channel->number] : NULL;
    const struct dal_spec_port *made =
        port->output || !ch || !ch->inside ? port : port->channel->producer_port;
    uint64_t bytes = dal__window_bytes(port);
    if (!port->output && ch && ch->kept) {
        dal_text_printf(m->text, "dal__slot + %" PRIu64 "ul + dal__kept_%zu", ch->kept_at,
                        ch->channel->number);
    } else if (dal__is_argument(m, made)) {
        size_t number = dal__number_port(m, made);
        dal_text_printf(m->text, "dal__base_%zu + dal__offset_%zu + dal__at * %" PRIu64 "ul",
                        number, number, bytes * p->round);
    } else
        dal_text_printf(m->text, "dal__slot + %" PRIu64 "ul", ch->slot);
    if (p->round > 1)
        dal_text_printf(m->text, " + %s * %" PRIu64 "ul", k, bytes);
}

/* Tokens of the phases before this one. */
static uint64_t tokens_before(const struct dal_spec_process *process,
                              const struct dal_spec_port *port, uint64_t phase)
{
    uint64_t tokens = 0;
    while (phase > 0)
        tokens += dal_plan_phase_rate(process, port, --phase);
    return tokens;
}

/* Adds the offset at which a phase's part of a window begins. */
static void add_place(struct dal_text *text, const struct dal_spec_process *process, size_t port,
                      uint64_t phase)
{
    const struct dal_spec_port *of = &process->ports[port];
    uint64_t tokens = tokens_before(process, of, phase);
    if (tokens)
        dal_text_printf(text, " + %" PRIu64 "ul", tokens * of->channel->token_bytes);
}

/* Returns the number of the variable with a port's word: of the port that makes it. */
static size_t number_word(const struct dal__maker *m, const struct dal_spec_port *port)
{
    const struct dal_spec_channel *c = port->channel;
    return m->plan->channels[c->number].in_registers ? c->producer_port->channel->number
                                                     : c->number;
}

/* Adds the arguments of a call for one word, behind the others. */
static void add_word_arguments(struct dal__maker *m, const struct dal_plan_process *p)
{
    dal_text_add(m->text, ", dal__i");
    for (size_t i = 0; i < p->process->port_count; i++)
        if (dal__words_port(p->unit, i, NULL))
            dal_text_printf(m->text, ", &dal__word_%zu", number_word(m, &p->process->ports[i]));
}

/* Adds a call of one firing; `k` says which of the round. */
void dal__add_call(struct dal__maker *m, size_t member, const char *k, uint64_t phase)
{
    const struct dal_plan_process *p = m->group->members[member];
    size_t part = dal__find_part(m, p);
    dal_text_add(m->text, "        ");
    if (p->work_items < m->group->work_items && !p->run)
        dal_text_printf(m->text, "if (get_local_id(0) < %" PRIu32 ") ", p->work_items);
    dal_text_printf(m->text, "dal__fire_%zu(", part);
    for (size_t i = 0; i < p->process->port_count; i++) {
        dal_text_add(m->text, i ? ", " : "");
        if (p->run && dal__words_port(p->unit, i, NULL)) {
            dal_text_add(m->text, "0");
            continue;
        }
        dal__add_window(m, p, &p->process->ports[i], k);
        add_place(m->text, p->process, i, phase);
    }
    for (size_t i = 0; i < dal_plan_most_values(p->process) && p->unit->values; i++)
        if (p->unit->values[i].is_taken)
            dal_text_printf(m->text, ", dal__value_%zu_%zu", member, i);
    if (dal__has_phases(p->unit))
        dal_text_printf(m->text, ", %" PRIu64, phase);
    if (p->run)
        add_word_arguments(m, p);
    else if (dal__function_has_locals(p->unit))
        dal_text_printf(m->text, ", &dal__local.dal__%zu", part);
    dal_text_printf(m->text, "); /* %s */\n", dal__name_of(m, p));
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Is the port's word in memory as well? An input of the run is; an output where somebody reads it
 * there. */
static int is_in_memory(const struct dal__maker *m, const struct dal_spec_port *port)
{
    const struct dal_spec_channel *c = port->channel;
    while (c && m->plan->channels[c->number].in_registers)
        c = dal_port_next(port, c);
    return c != NULL;
}

/* Adds the place in memory of the word at hand. */
static void add_word_place(struct dal__maker *m, const struct dal_plan_process *p,
                           const struct dal_spec_port *port, const char *type, const char *k)
{
    dal_text_printf(m->text, "((__global %s *)(", type);
    dal__add_window(m, p, port, k);
    dal_text_add(m->text, "))[dal__i]");
}

/* Adds the variables of a member's words, and what they are where they come from memory. */
static void add_words(struct dal__maker *m, const struct dal_plan_process *p, const char *k)
{
    for (size_t i = 0; i < p->process->port_count; i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        const struct dal_fact *word = dal__words_port(p->unit, i, NULL);
        if (!word || (!port->output && !is_in_memory(m, port)))
            continue;
        dal_text_printf(m->text, "            %s dal__word_%zu", word->element.type,
                        number_word(m, port));
        if (!port->output) {
            dal_text_add(m->text, " = ");
            add_word_place(m, p, port, word->element.type, k);
        }
        dal_text_add(m->text, ";\n");
    }
}

static void add_stores(struct dal__maker *m, const struct dal_plan_process *p, const char *k)
{
    for (size_t i = 0; i < p->process->port_count; i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        const struct dal_fact *word = dal__words_port(p->unit, i, NULL);
        if (!word || !port->output || !is_in_memory(m, port))
            continue;
        dal_text_add(m->text, "            ");
        add_word_place(m, p, port, word->element.type, k);
        dal_text_printf(m->text, " = dal__word_%zu;\n", number_word(m, port));
    }
}

void dal__add_run(struct dal__maker *m, size_t member, const char *k)
{
    const struct dal_plan_process *p = m->group->members[member];
    size_t end = dal_plan_run_end(m->group, member);
    dal_text_add(m->text, "        ");
    if (p->work_items < m->group->work_items)
        dal_text_printf(m->text, "if (get_local_id(0) < %" PRIu32 ")\n        ", p->work_items);
    dal_text_printf(
        m->text, "for (ulong dal__i = %s; dal__i < %" PRIu64 "ul; dal__i += %" PRIu32 ") {\n",
        p->work_items > 1 ? "dal__id()" : "0", dal__words_count(p->unit), p->work_items);
    for (; member < end; member++) {
        p = m->group->members[member];
        add_words(m, p, k);
        dal_text_add(m->text, "    ");
        dal__add_call(m, member, k, 0);
        add_stores(m, p, k);
    }
    dal_text_add(m->text, "        }\n");
}
