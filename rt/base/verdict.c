#include "rt/base/verdict.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

/* States of a vertex. A vertex that is not stuck is DONE, too. */
enum { DONE, UNSEEN, ON_PATH };

/* ---- who is stuck ---------------------------------------------------------------------------- */

/* Can the vertex be stuck? It must wait for one that is, and must not lack tokens of one that is
 * not: it may end then. */
static int is_stuck(const struct dal_judge *judge, const struct dal_wait *waits, int count,
                    int vertex)
{
    int any = 0;
    for (int i = judge->first[vertex]; i < count && waits[i].waiter == vertex; i++) {
        int stuck = judge->visits[waits[i].peer] != DONE;
        if (!stuck && !waits[i].output)
            return 0;
        any |= stuck;
    }
    return any;
}

static int free_one(struct dal_judge *judge, const struct dal_wait *waits, int count, int vertex)
{
    if (judge->visits[vertex] == DONE || is_stuck(judge, waits, count, vertex))
        return 0;
    judge->visits[vertex] = DONE;
    return 1;
}

/* Marks as UNSEEN the most vertices that can all be stuck together. Tokens and space go opposite
 * ways through a network, and so do the passes. */
static void find_stuck(struct dal_judge *judge, const struct dal_wait *waits, int count)
{
    int freed;
    for (int i = 0; i < judge->vertices; i++) {
        judge->first[i] = count;
        judge->visits[i] = DONE;
    }
    for (int i = count - 1; i >= 0; i--) {
        judge->first[waits[i].waiter] = i;
        judge->visits[waits[i].waiter] = UNSEEN;
    }
    do {
        freed = 0;
        for (int i = 0; i < judge->vertices; i++)
            freed += free_one(judge, waits, count, i);
        for (int i = judge->vertices - 1; i >= 0; i--)
            freed += free_one(judge, waits, count, i);
    } while (freed);
}

/* ---- cycles ---------------------------------------------------------------------------------- */

static void push(struct dal_judge *judge, int depth, int vertex)
{
    judge->visits[vertex] = ON_PATH;
    judge->on[depth] = vertex;
    judge->path[depth] = judge->first[vertex];
}

/* Follows waits from a vertex on until one leads back. The cycle is path[*first .. result - 1].
 * Returns 0 without a cycle. */
static int search_from(struct dal_judge *judge, const struct dal_wait *waits, int count, int root,
                       int *first)
{
    int depth = 1;
    push(judge, 0, root);
    while (depth > 0) {
        int top = depth - 1, wait = judge->path[top], peer;
        if (wait == count || waits[wait].waiter != judge->on[top]) {
            judge->visits[judge->on[top]] = DONE;
            depth--;
            if (depth > 0)
                judge->path[depth - 1]++;
            continue;
        }
        peer = waits[wait].peer;
        if (judge->visits[peer] == ON_PATH) {
            for (*first = 0; judge->on[*first] != peer; ++*first)
                ;
            return depth;
        }
        if (judge->visits[peer] == DONE)
            judge->path[top]++;
        else
            push(judge, depth++, peer);
    }
    return 0;
}

static void find_cycle(struct dal_judge *judge, const struct dal_wait *waits, int count,
                       struct dal_verdict *verdict)
{
    int first = 0, depth = 0;
    for (int i = 0; depth == 0 && i < judge->vertices; i++)
        if (judge->visits[i] == UNSEEN)
            depth = search_from(judge, waits, count, i, &first);
    verdict->cycle = judge->path + first;
    verdict->length = depth - first;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static int is_smaller(const struct dal_wait *wait, const struct dal_wait *best)
{
    return !best || wait->capacity * wait->token_bytes < best->capacity * best->token_bytes;
}

/* Chooses the smallest channel that can grow, of those that the cycle's members want to write
 * to. */
static void choose_ring(struct dal_verdict *verdict, const struct dal_wait *waits)
{
    static const enum dal_verdict_kind reasons[] = {[DAL_GROWTH_DEVICE] = DAL_VERDICT_DEVICE,
                                                    [DAL_GROWTH_INPLACE] = DAL_VERDICT_INPLACE,
                                                    [DAL_GROWTH_LIMIT] = DAL_VERDICT_LIMIT,
                                                    [DAL_GROWTH_UNDER_WAY] = DAL_VERDICT_NONE,
                                                    [DAL_GROWTH_READY] = DAL_VERDICT_GROWS};
    /* The verdict follows the first of these that holds for any such channel. */
    static const enum dal_growth order[] = {DAL_GROWTH_UNDER_WAY, DAL_GROWTH_READY,
                                            DAL_GROWTH_LIMIT, DAL_GROWTH_DEVICE,
                                            DAL_GROWTH_INPLACE};
    unsigned found = 0, k = 0;
    for (int i = 0; i < verdict->length; i++) {
        const struct dal_wait *wait = &waits[verdict->cycle[i]];
        found |= wait->output ? 1u << wait->growth : 0;
        if (wait->output && wait->growth == DAL_GROWTH_READY && is_smaller(wait, verdict->grows))
            verdict->grows = wait;
    }
    while (found && !(found >> order[k] & 1))
        k++;
    verdict->kind = found ? reasons[order[k]] : DAL_VERDICT_TOKENS;
    if (verdict->kind != DAL_VERDICT_GROWS)
        verdict->grows = NULL;
}

struct dal_verdict dal_judge_waits(struct dal_judge *judge, const struct dal_wait *waits, int count)
{
    struct dal_verdict verdict = {DAL_VERDICT_NONE, NULL, NULL, 0};
    find_stuck(judge, waits, count);
    find_cycle(judge, waits, count, &verdict);
    if (verdict.length > 0)
        choose_ring(&verdict, waits);
    return verdict;
}

int dal_judge_init(struct dal_judge *judge, int vertices)
{
    size_t room = (size_t)vertices + 1;
    judge->vertices = vertices;
    judge->first = dal_calloc(room, sizeof(int));
    judge->visits = dal_calloc(room, 1);
    judge->path = dal_calloc(room, sizeof(int));
    judge->on = dal_calloc(room, sizeof(int));
    return judge->first && judge->visits && judge->path && judge->on ? DAL_OK : DAL_ERR_NOMEM;
}

void dal_judge_finish(struct dal_judge *judge)
{
    dal_free(judge->first);
    dal_free(judge->visits);
    dal_free(judge->path);
    dal_free(judge->on);
    *judge = (struct dal_judge){0};
}
