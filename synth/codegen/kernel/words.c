/*
 * Decides which kernels of a group pass words in registers. A kernel that goes over its windows
 * word by word (synth/codegen/clang/tree_steps.c) becomes a function of one word. Neighbours in the
 * group's order whose words are the same then are a run: one loop calls all of them for each word,
 * and what is between them is in no memory. group_call.c writes the loop.
 */
#include "spec/base/names.h"
#include "synth/codegen/c/counted.h"
#include "synth/codegen/kernel/function.h"
#include "synth/codegen/kernel/group.h"
#include "synth/codegen/kernel/steps.h"
#include "synth/codegen/kernel/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- a kernel by itself ---------------------------------------------------------------------- */

/* Returns the unit's kernel, or fire, if it is the same for all devices; or NULL. */
static const struct dal_fact *kernel_of(const struct dal_plan_unit *unit,
                                        const struct dal_facts **facts)
{
    const struct dal_variants *variants = dal__function_variants(unit);
    *facts = &variants->list[0].facts;
    return variants->count == 1 ? dal__function_of_words(&variants->list[0], unit) : NULL;
}

const struct dal_fact *dal__words_step(const struct dal_plan_unit *unit)
{
    const struct dal_facts *facts;
    const struct dal_fact *kernel = kernel_of(unit, &facts);
    return kernel ? dal_fact_of_function(facts, DAL_FACT_STEP, kernel) : NULL;
}

uint64_t dal__words_count(const struct dal_plan_unit *unit)
{
    uint64_t words = dal__words_step(unit)->step.words;
    return words ? words : unit->work_items;
}

/* Returns the port that a fact is about, or -1. Fire of a portable source has its number. */
static int port_of(const struct dal_plan_unit *unit, const struct dal_fact *fact)
{
    size_t port = strtoul(fact->name, NULL, 10);
    if (unit->source->type != DAL_SOURCE_PORTABLE)
        return dal_spec_find_port(unit->process, fact->name);
    return *fact->name && port < unit->process->port_count ? (int)port : -1;
}

/* Returns the next fact of a kind about a port; or NULL. */
static const struct dal_fact *next_of_port(const struct dal_plan_unit *unit,
                                           const struct dal_facts *facts, enum dal_fact_kind kind,
                                           const struct dal_fact *fact, int port)
{
    while ((fact = dal_fact_of_function(facts, kind, fact)) && port_of(unit, fact) != port)
        ;
    return fact;
}

static void tell(struct dal_text *why, const struct dal_fact *fact, const char *words)
{
    if (why)
        dal_text_printf(why, "%s:%d: %s", dal_path_base(fact->file), fact->line, words);
}

/* What a member is by the specification: why it has no words, or NULL. */
static const char *kind_of(const struct dal_plan *plan, const struct dal_plan_process *p)
{
    if (dal_plan_phases(p->process) > 1)
        return "rates follow each other";
    if (p->work_shape[0])
        return "work-items have several dimensions";
    if (!dal__words_step(p->unit))
        return "a source differs from device to device";
    for (size_t i = 0; i < p->process->port_count; i++) {
        const struct dal_spec_channel *c = p->process->ports[i].channel;
        if (dal__is_counted(&p->process->ports[i]))
            return "packets are counted";
        if (dal_spec_inplace(&p->process->ports[i]))
            return "a state is changed in place";
        for (; c; c = dal_port_next(&p->process->ports[i], c))
            if (plan->channels[c->number].kept)
                return "tokens are kept from round to round";
    }
    return NULL;
}

/* Has a kernel a loop over the words of each block? Its words come in another order, which could be
 * seen in an output that stays in memory. */
static int goes_by_blocks(const struct dal_facts *facts, const struct dal_fact *kernel)
{
    const struct dal_fact *step = dal_fact_of_function(facts, DAL_FACT_STEP, kernel);
    return dal_fact_of_function(facts, DAL_FACT_STEP, step) != NULL;
}

static int is_output(const struct dal_plan_unit *unit, const struct dal_fact *fact)
{
    int port = port_of(unit, fact);
    return port >= 0 && unit->process->ports[port].output;
}

/* Returns where work-items wait for each other; or NULL. In front of the first block of a portable
 * source there is nothing to wait for. */
static const struct dal_fact *find_meeting(const struct dal_facts *facts)
{
    const struct dal_fact *front = dal_fact_find(facts, DAL_FACT_FUNCTION, "dal__first_block");
    const struct dal_fact *fact = dal_fact_next(facts, DAL_FACT_MEETS, NULL);
    int is_front =
        fact && front && fact->line == front->line + 2 && strcmp(fact->file, front->file) == 0;
    return is_front ? dal_fact_next(facts, DAL_FACT_MEETS, fact) : fact;
}

/* Is what is in the way of a port, or of several work-items, in the way of the whole kernel? */
static int is_in_way_of_all(const struct dal_plan_unit *unit, const struct dal_facts *facts,
                            const struct dal_fact *kernel, const struct dal_fact *fact)
{
    if (strcmp(fact->name, DAL_IN_WAY_OF_ITEMS) == 0)
        return unit->work_items > 1;
    return !*fact->name || (goes_by_blocks(facts, kernel) && is_output(unit, fact));
}

/* Returns where words of a block are stored that are not those of the port, so that another order
 * could be seen; or NULL. */
static const struct dal_fact *find_mixed(const struct dal_plan_unit *unit,
                                         const struct dal_facts *facts,
                                         const struct dal_fact *kernel)
{
    const struct dal_fact *fact = kernel;
    while (goes_by_blocks(facts, kernel) &&
           (fact = dal_fact_of_function(facts, DAL_FACT_WORD, fact))) {
        int port = port_of(unit, fact);
        if (fact->element.is_stored && (port < 0 || !dal__words_port(unit, (size_t)port, NULL)))
            return fact;
    }
    return NULL;
}

/* Returns what is in the way of a whole kernel, and why; or NULL. */
static const struct dal_fact *find_obstacle(const struct dal_plan_unit *unit, const char **words)
{
    const struct dal_facts *facts;
    const struct dal_fact *kernel = kernel_of(unit, &facts), *fact = kernel;
    while ((fact = dal_fact_of_function(facts, DAL_FACT_IN_WAY, fact)))
        if (is_in_way_of_all(unit, facts, kernel, fact)) {
            *words = fact->word.word;
            return fact;
        }
    *words = "what is stored there are not all words of the token";
    if ((fact = find_mixed(unit, facts, kernel)))
        return fact;
    *words = "has local memory";
    if ((fact = dal_fact_of_function(facts, DAL_FACT_LOCAL, kernel)))
        return fact;
    *words = "work-items wait for each other";
    if ((fact = find_meeting(facts)))
        return fact;
    *words = "takes another number of work-items for granted";
    fact = dal__words_step(unit);
    if (fact->step.items && fact->step.items != unit->work_items)
        return fact;
    *words = NULL;
    return NULL;
}

/* Can a member be done word by word? If not, `why` says so. */
static int has_words(const struct dal_plan *plan, const struct dal_plan_process *p,
                     struct dal_text *why)
{
    const char *words = kind_of(plan, p);
    const struct dal_fact *obstacle = words ? NULL : find_obstacle(p->unit, &words);
    if (obstacle)
        tell(why, obstacle, words);
    else if (words)
        dal_text_add(why, words);
    return !words;
}

/* Does an element of a port fit the first one of it? */
static const char *check_element(const struct dal_plan_unit *unit, const struct dal_fact *fact,
                                 const struct dal_fact *first, const struct dal_spec_port *port)
{
    if (strcmp(fact->element.type, first->element.type) != 0)
        return "its words have several types";
    if (fact->element.is_alone && unit->work_items > 1)
        return "only one of several work-items has a word";
    if (dal__words_count(unit) * fact->element.bytes != dal__window_bytes(port))
        return "the words are not all of the token";
    if (fact->element.is_stored != (size_t)port->output || (port->output && fact != first))
        return port->output ? "an output is more than stored once" : "an input is stored";
    return NULL;
}

const struct dal_fact *dal__words_port(const struct dal_plan_unit *unit, size_t port,
                                       struct dal_text *why)
{
    const struct dal_facts *facts;
    const struct dal_fact *kernel = kernel_of(unit, &facts), *first, *fact;
    const char *words;
    first = next_of_port(unit, facts, DAL_FACT_IN_WAY, kernel, (int)port);
    if (first) {
        tell(why, first, first->word.word);
        return NULL;
    }
    fact = first = next_of_port(unit, facts, DAL_FACT_WORD, kernel, (int)port);
    if (!first)
        tell(why, kernel, "no word of it is used");
    for (; fact; fact = next_of_port(unit, facts, DAL_FACT_WORD, fact, (int)port))
        if ((words = check_element(unit, fact, first, &unit->process->ports[port]))) {
            tell(why, fact, words);
            return NULL;
        }
    return first;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

/* Returns how the words of a channel's ends differ, or NULL. */
static const char *compare_ends(const struct dal_plan_process *from,
                                const struct dal_plan_process *to, const struct dal_spec_channel *c,
                                const struct dal_fact *made, const struct dal_fact *read)
{
    if (strcmp(made->element.type, read->element.type) != 0)
        return "the words of its ends have different types";
    if (from->work_items != to->work_items)
        return "its ends have different numbers of work-items";
    if (from->round != to->round || c->rate_in != c->rate_out)
        return "its ends fire at different rates";
    return NULL;
}

/* Can the words of a channel be passed in registers? If not, `why` says so. */
static int are_alike(const struct dal_plan *plan, const struct dal_spec_channel *c,
                     struct dal_text *why)
{
    const struct dal_plan_process *from = dal_plan_producer(plan, c);
    const struct dal_plan_process *to = dal_plan_consumer(plan, c);
    const struct dal_fact *made, *read;
    const char *words = getenv("DAL_REGISTERS");
    if (words && strcmp(words, "0") == 0) {
        dal_text_add(why, "DAL_REGISTERS=0");
        return 0;
    }
    if (!has_words(plan, from, why) || !has_words(plan, to, why))
        return 0;
    made = dal__words_port(from->unit, (size_t)(c->producer_port - from->process->ports), why);
    read = made ? dal__words_port(to->unit, (size_t)(c->consumer_port - to->process->ports), why)
                : NULL;
    words = read ? compare_ends(from, to, c, made, read) : NULL;
    if (words)
        dal_text_add(why, words);
    return read && !words;
}

/* Returns the channel that an input of a group's member reads in the group, or NULL. */
static struct dal_plan_channel *inside_of(const struct dal_plan *plan,
                                          const struct dal_spec_port *port)
{
    struct dal_plan_channel *ch = port->output ? NULL : &plan->channels[port->channel->number];
    return ch && ch->inside ? ch : NULL;
}

/* Can a member be in the run of the one before it? Then all that it reads of the run, and something
 * at least, comes in registers. */
static int can_follow(const struct dal_plan *plan, const struct dal_plan_process *p, size_t run)
{
    int can = 0;
    for (size_t i = 0; i < p->process->port_count; i++) {
        const struct dal_plan_channel *ch = inside_of(plan, &p->process->ports[i]);
        if (!ch || dal_plan_producer(plan, ch->channel)->run != run)
            continue;
        if (!ch->in_registers)
            return 0;
        can = 1;
    }
    return can;
}

/* Says why a channel passes words in memory. Returns whether only what stands between its ends is
 * in the way. */
static int tell_memory(const struct dal_plan *plan, const struct dal_spec_channel *c,
                       struct dal_text *why)
{
    int alike = are_alike(plan, c, why);
    if (alike)
        dal_text_add(why, "what stands between its ends is not done word by word");
    return alike;
}

/* Settles the channels that a member reads in its group, and says how they pass words. */
static void settle_channels(const struct dal_plan *plan, const struct dal_plan_process *p,
                            struct dal_text *text)
{
    for (size_t i = 0; i < p->process->port_count; i++) {
        struct dal_plan_channel *ch = inside_of(plan, &p->process->ports[i]);
        struct dal_text why = {0};
        if (!ch)
            continue;
        if (dal_plan_producer(plan, ch->channel)->run != p->run)
            ch->in_registers = 0;
        if (!ch->in_registers)
            tell_memory(plan, ch->channel, &why);
        dal_text_printf(text, "%s passes words in %s%s\n", ch->channel->name,
                        ch->in_registers ? "registers" : "memory: ", dal_text_get(&why));
        text->lost |= why.lost;
        dal_text_finish(&why);
    }
}

/* Finds the channels that could pass words in registers, if nothing stood between. */
static void judge_channels(const struct dal_plan *plan, const struct dal_plan_process *p)
{
    for (size_t i = 0; i < p->process->port_count; i++) {
        struct dal_plan_channel *ch = inside_of(plan, &p->process->ports[i]);
        struct dal_text why = {0};
        if (ch)
            ch->in_registers = are_alike(plan, ch->channel, &why);
        dal_text_finish(&why);
    }
}

int dal__words_find(const struct dal_plan *plan, struct dal_plan_group *group)
{
    struct dal_text text = {0};
    size_t run = 0, count = group->member_count;
    int status;
    for (size_t i = 0; i < count; i++) {
        struct dal_plan_process *p = group->members[i];
        judge_channels(plan, p);
        p->run = i && can_follow(plan, p, run) ? run : ++run;
        settle_channels(plan, p, &text);
    }
    for (size_t i = 0; i < count; i++)
        if ((i == 0 || group->members[i - 1]->run != group->members[i]->run) &&
            (i + 1 == count || group->members[i + 1]->run != group->members[i]->run))
            group->members[i]->run = 0;
    dal_free(group->words);
    group->words = text.lost ? NULL : dal_strdup(dal_text_get(&text));
    status = group->words ? dal_plan_place_tokens(plan, group) : DAL_ERR_NOMEM;
    dal_text_finish(&text);
    return status;
}

int dal__words_check(const struct dal_plan *plan, const struct dal_plan_process *p, int strict,
                     char **reason)
{
    for (size_t i = 0; i < p->process->port_count; i++) {
        const struct dal_plan_channel *ch = inside_of(plan, &p->process->ports[i]);
        struct dal_text why = {0};
        if (!ch || ch->in_registers ||
            !dal_plan_needs_registers(dal_plan_producer(plan, ch->channel), p))
            continue;
        if (tell_memory(plan, ch->channel, &why) && !strict) {
            dal_text_finish(&why);
            continue;
        }
        *reason = why.lost ? NULL
                           : dal_format("%s has %" PRIu32 " work-items, the mapping does not ask "
                                        "for a group, and %s does not pass in registers: %s",
                                        p->process->name, p->work_items, ch->channel->name,
                                        dal_text_get(&why));
        dal_text_finish(&why);
        return *reason ? DAL_ERR_UNSUPPORTED : DAL_ERR_NOMEM;
    }
    return DAL_OK;
}
