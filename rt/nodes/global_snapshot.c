#include "rt/nodes/survey.h"

#include "rt/base/alloc.h"
#include "rt/nodes/nodes.h"

#include <stdio.h>
#include <string.h>

/* Nanoseconds between rounds: while something moves; after a ring has grown; the most when nothing
 * happens. */
static const int64_t MOVING_NS = 10000000, GROWN_NS = 1000000, LAST_NS = 100000000;

/* The asking rank's knowledge of a rank, itself included. */
struct dal_surveyed {
    uint64_t told; /* the last round that it was asked for */
    struct dal_view *view;
    size_t bytes;
    uint64_t sum; /* sum of the round before */
    int seen;     /* True when there was a round before. */
};

static size_t view_bytes(int waits)
{
    return sizeof(struct dal_view) + (size_t)waits * sizeof(struct dal_wait);
}

int dal_survey_init(struct dal_survey *survey, const struct dal_witness *witness, int ranks)
{
    survey->witness = witness;
    survey->pause_ns = MOVING_NS;
    survey->own = dal_calloc(1, view_bytes(witness->most_waits));
    survey->said = dal_calloc(1, view_bytes(witness->most_waits));
    survey->ranks = dal_calloc((size_t)ranks, sizeof(*survey->ranks));
    return survey->own && survey->said && survey->ranks ? DAL_OK : DAL_ERR_NOMEM;
}

void dal__survey_finish(struct dal_survey *survey, int ranks)
{
    int i;
    for (i = 0; survey->ranks && i < ranks; i++)
        dal_free(survey->ranks[i].view);
    dal_free(survey->ranks);
    dal_free(survey->own);
    dal_free(survey->said);
    *survey = (struct dal_survey){0};
}

void dal__survey_hear(struct dal_survey *survey, int rank, uint64_t round)
{
    survey->asker = rank;
    survey->asked = round;
}

void *dal__survey_room(struct dal_survey *survey, int rank, size_t bytes)
{
    struct dal_surveyed *known = &survey->ranks[rank];
    dal_free(known->view);
    known->view = dal_alloc(bytes);
    known->bytes = bytes;
    return known->view;
}

/* ---- looking and answering ------------------------------------------------------------------- */

static int no_memory(struct dal_nodes *nodes)
{
    snprintf(nodes->link->why, sizeof(nodes->link->why), "no memory to look for deadlocks");
    return DAL_ERR_NOMEM;
}

/* Counts the tokens of flows. A flow that is over is left out: for a while only one side may know
 * it. */
static void look_at_flows(const struct dal_nodes *nodes, struct dal_view *view)
{
    int i;
    view->sent = view->arrived = 0;
    for (i = 0; i < nodes->part.flow_count; i++) {
        const struct dal_flow *flow = &nodes->flows[i];
        if (dal__flow_is_over(flow))
            continue;
        view->rests &= flow->count == 0;
        if (flow->desc.output)
            view->arrived += flow->moved;
        else
            view->sent += flow->moved;
    }
}

static void look_here(struct dal_nodes *nodes, struct dal_view *view, uint64_t round)
{
    const struct dal_witness *witness = nodes->survey.witness;
    view->round = round;
    view->rests = 1;
    witness->look(witness->network, view);
    look_at_flows(nodes, view);
}

static int answer_round(struct dal_nodes *nodes)
{
    struct dal_survey *survey = &nodes->survey;
    uint64_t round = survey->asked;
    if (round == 0 || !dal__survey_rests(survey) || nodes->peers[survey->asker].gone)
        return DAL_OK;
    survey->asked = 0;
    survey->answered = 1;
    look_here(nodes, survey->said, round);
    return nodes->link->transport->send(nodes->link, survey->asker, dal__tag(-1, DAL_SAY_VIEW),
                                        survey->said, view_bytes(survey->said->count),
                                        &survey->answer);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Returns whether a rank still answers, or is this one, which asks. */
static int takes_part(const struct dal_nodes *nodes, int rank)
{
    return rank == nodes->link->rank || !dal__peer_is_over(&nodes->peers[rank]);
}

static int is_first(const struct dal_nodes *nodes)
{
    int i = 0;
    while (!takes_part(nodes, i))
        i++;
    return i == nodes->link->rank;
}

/* Asks each rank whose last note was sent; the others are asked later. */
static int ask_all(struct dal_nodes *nodes)
{
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < nodes->link->count; i++) {
        struct dal_surveyed *known = &nodes->survey.ranks[i];
        struct dal_note *note = &nodes->peers[i].notes[DAL_SAY_LOOK];
        if (i == nodes->link->rank || !takes_part(nodes, i) || known->told == nodes->survey.round ||
            !dal__note_is_free(note))
            continue;
        known->told = nodes->survey.round;
        status =
            dal__note_send(note, nodes->link, i, dal__tag(-1, DAL_SAY_LOOK), nodes->survey.round);
    }
    return status;
}

/* Returns a rank's answer in this round, or NULL before it came. */
static struct dal_view *view_of(const struct dal_nodes *nodes, int rank)
{
    const struct dal_surveyed *known = &nodes->survey.ranks[rank];
    struct dal_view *view = rank == nodes->link->rank ? nodes->survey.own : known->view;
    if (!view || view->round != nodes->survey.round)
        return NULL;
    return rank == nodes->link->rank || known->bytes == view_bytes(view->count) ? view : NULL;
}

static int have_all_answered(const struct dal_nodes *nodes)
{
    int i;
    for (i = 0; i < nodes->link->count; i++)
        if (takes_part(nodes, i) && !view_of(nodes, i))
            return 0;
    return 1;
}

/* Returns whether nothing has moved anywhere since the last round. */
static int compare_rounds(struct dal_nodes *nodes)
{
    uint64_t sent = 0, arrived = 0;
    int i, still = 1;
    for (i = 0; i < nodes->link->count; i++) {
        struct dal_surveyed *known = &nodes->survey.ranks[i];
        const struct dal_view *view = view_of(nodes, i);
        if (!takes_part(nodes, i))
            continue;
        still &= view->rests && known->seen && known->sum == view->sum;
        known->sum = view->sum;
        known->seen = 1;
        sent += view->sent;
        arrived += view->arrived;
    }
    return still && sent == arrived;
}

/* Returns all waits of a round, or NULL. The caller frees them. */
static struct dal_wait *collect_waits(const struct dal_nodes *nodes, int *count)
{
    struct dal_wait *waits;
    int i, n = 0;
    *count = 0;
    for (i = 0; i < nodes->link->count; i++)
        *count += takes_part(nodes, i) ? view_of(nodes, i)->count : 0;
    waits = dal_alloc(((size_t)*count + 1) * sizeof(*waits));
    for (i = 0; waits && i < nodes->link->count; i++) {
        const struct dal_view *view = view_of(nodes, i);
        if (!takes_part(nodes, i))
            continue;
        memcpy(&waits[n], view->waits, (size_t)view->count * sizeof(*waits));
        n += view->count;
    }
    return waits;
}

/* Asks a rank to grow a ring. If the last request is still under way, the next round finds the
 * same. */
static int ask_to_grow(struct dal_nodes *nodes, const struct dal_wait *wait)
{
    const struct dal_witness *witness = nodes->survey.witness;
    struct dal_note *note = &nodes->peers[wait->rank].notes[DAL_SAY_GROW];
    if (wait->rank == nodes->link->rank)
        witness->grow(witness->network, wait->ring);
    else if (dal__note_is_free(note))
        return dal__note_send(note, nodes->link, wait->rank, dal__tag(-1, DAL_SAY_GROW),
                              (uint64_t)wait->ring);
    return DAL_OK;
}

static int judge_round(struct dal_nodes *nodes)
{
    struct dal_survey *survey = &nodes->survey;
    const struct dal_wait *grows;
    int count, status = DAL_OK;
    struct dal_wait *waits = collect_waits(nodes, &count);
    if (!waits)
        return no_memory(nodes);
    grows = survey->witness->judge(survey->witness->network, waits, count);
    if (grows)
        status = ask_to_grow(nodes, grows);
    survey->pause_ns = grows                            ? GROWN_NS
                       : 2 * survey->pause_ns < LAST_NS ? 2 * survey->pause_ns
                                                        : LAST_NS;
    dal_free(waits);
    return status;
}

static int end_round(struct dal_nodes *nodes, int64_t now_ns)
{
    struct dal_survey *survey = &nodes->survey;
    int status = DAL_OK;
    survey->asking = 0;
    if (compare_rounds(nodes))
        status = judge_round(nodes);
    else
        survey->pause_ns = MOVING_NS;
    survey->next_ns = now_ns + survey->pause_ns;
    return status;
}

/* Leads the rounds. This rank looks before it asks: what moves later is seen by the next round. */
static int lead_rounds(struct dal_nodes *nodes, int64_t now_ns)
{
    struct dal_survey *survey = &nodes->survey;
    int status;
    if (!survey->asking && now_ns < survey->next_ns)
        return DAL_OK;
    if (!survey->asking) {
        survey->asking = 1;
        look_here(nodes, survey->own, ++survey->round);
    }
    status = ask_all(nodes);
    return status == DAL_OK && have_all_answered(nodes) ? end_round(nodes, now_ns) : status;
}

int dal__survey_step(struct dal_nodes *nodes, int64_t now_ns)
{
    if (!nodes->survey.witness)
        return DAL_OK;
    return is_first(nodes) ? lead_rounds(nodes, now_ns) : answer_round(nodes);
}
