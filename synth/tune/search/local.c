/*
 * Local search. It climbs from the best initial solutions, move by move, as long as a move helps. A
 * move puts one process elsewhere, exchanges two, or moves one with its neighbours. Then it climbs
 * from the best mapping with some processes put elsewhere at random. The random numbers are the
 * same each time.
 */
#include "synth/tune/search/tried.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <math.h>
#include <string.h>

/* Most initial solutions to climb from, most random kicks in a row that do not help, and processes
 * that a kick moves. */
enum { MOST_INITIAL = 4, MOST_KICKS = 16, KICKED = 3 };

struct climb {
    struct dal__tried *tried;
    const struct dal_search_space *space;
    size_t at;           /* number of the current mapping */
    uint16_t *here;      /* its places */
    uint16_t *trial;     /* the mapping after a move */
    double *loads;       /* by place */
    unsigned char *used; /* by place */
    int by_cost;         /* true: compares by dal__is_better(), else by the goal alone */
    uint64_t chance;
};

/* ---- moves ----------------------------------------------------------------------------------- */

static int may_move(const struct climb *c, size_t process, size_t place)
{
    return !c->space->kept[process] && c->here[process] != place &&
           dal_search_choice_of(c->space, process, place)->source;
}

/* Each of these makes one move in c->trial, which equals c->here before. Returns 0 if it is not
 * possible. */

static int move_one(struct climb *c, size_t process, size_t place)
{
    if (!may_move(c, process, place))
        return 0;
    c->trial[process] = (uint16_t)place;
    return 1;
}

static int swap_two(struct climb *c, size_t one, size_t other)
{
    return one < other && move_one(c, one, c->here[other]) && move_one(c, other, c->here[one]);
}

/* Moves a process with all its neighbours in the same place. */
static int move_neighbours(struct climb *c, size_t process, size_t place)
{
    const struct dal_spec_process *p = &c->space->spec->network.processes[process];
    const struct dal_spec_channel *channel;
    int moved = 0;
    if (!move_one(c, process, place))
        return 0;
    for (size_t i = 0; i < p->port_count; i++)
        for (channel = p->ports[i].channel; channel;
             channel = dal_port_next(&p->ports[i], channel)) {
            size_t other = (p->ports[i].output ? channel->consumer : channel->producer)->number;
            if (other != process && other < c->space->process_count &&
                c->here[other] == c->here[process])
                moved += move_one(c, other, place);
        }
    return moved;
}

/* A move is of a process with another thing, a process or a place. */
static const struct move {
    int (*make)(struct climb *c, size_t one, size_t other);
    int with_process;
} moves[] = {{move_one, 0}, {move_neighbours, 0}, {swap_two, 1}};
enum { MOVES = sizeof(moves) / sizeof(moves[0]) };

static size_t count_others(const struct climb *c, const struct move *move)
{
    return move->with_process ? c->space->process_count : c->space->place_count;
}

static int make_move(struct climb *c, size_t number)
{
    memcpy(c->trial, c->here, c->space->process_count * sizeof(*c->trial));
    for (size_t i = 0; i < MOVES; i++) {
        size_t others = count_others(c, &moves[i]), count = c->space->process_count * others;
        if (number < count)
            return moves[i].make(c, number / others, number % others);
        number -= count;
    }
    return 0;
}

static size_t count_moves(const struct climb *c)
{
    size_t count = 0;
    for (size_t i = 0; i < MOVES; i++)
        count += c->space->process_count * count_others(c, &moves[i]);
    return count;
}

/* ---- one climb ------------------------------------------------------------------------------- */

/* Does the load alone tell that the move does not help? */
static int is_hopeless(const struct climb *c)
{
    double load = dal__most_load(c->space, c->trial, c->loads);
    double margin =
        c->tried->search->objective == DAL_SEARCH_MEMORY ? DAL_SEARCH_MARGIN : DAL_SEARCH_SAME;
    if (!dal__loads_tell(c->tried))
        return 0;
    if (c->by_cost)
        return load > c->tried->least_ns * (1 + margin);
    return load > c->tried->values[c->at].goal_ns * (1 - DAL_SEARCH_SAME);
}

static int helps(const struct climb *c, size_t number)
{
    double now = c->tried->values[c->at].goal_ns;
    if (c->by_cost)
        return dal__is_better(c->tried, number, c->at);
    return c->tried->values[number].goal_ns < now * (1 - DAL_SEARCH_SAME);
}

static void stand_at(struct climb *c, size_t number)
{
    c->at = number;
    memcpy(c->here, dal__tried_places(c->tried, number),
           c->space->process_count * sizeof(*c->here));
}

static int try_move(struct climb *c, size_t move)
{
    size_t number;
    if (!make_move(c, move) || !dal_search_is_allowed(c->space, c->trial, c->used) ||
        is_hopeless(c))
        return 0;
    number = dal__try(c->tried, c->trial);
    if (number == SIZE_MAX || !helps(c, number))
        return 0;
    stand_at(c, number);
    return 1;
}

static void climb_from(struct climb *c, size_t number)
{
    size_t count = count_moves(c), next = 0, idle = 0;
    for (stand_at(c, number); idle < count && !dal__is_over(c->tried); idle++) {
        if (try_move(c, next))
            idle = 0;
        next = (next + 1) % count;
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Is the least period proven to be the least possible? */
static int is_proven(const struct climb *c)
{
    return dal__loads_tell(c->tried) &&
           c->tried->least_ns <= c->space->least_ns * (1 + DAL_SEARCH_SAME);
}

/* Returns the initial solution with the least goal from which no climb has begun. */
static size_t next_initial(const struct dal__tried *tried, size_t count, const unsigned char *done)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        if (!done[i] && !isinf(tried->values[i].goal_ns) &&
            (best == SIZE_MAX || tried->values[i].goal_ns < tried->values[best].goal_ns))
            best = i;
    return best;
}

static int climb_initial(struct climb *c)
{
    size_t count = c->tried->count, number;
    unsigned char *done = dal_calloc(count + 1, 1);
    for (size_t i = 0; done && i < MOST_INITIAL && !is_proven(c); i++) {
        number = next_initial(c->tried, count, done);
        if (number == SIZE_MAX)
            break;
        done[number] = 1;
        climb_from(c, number);
    }
    dal_free(done);
    return done ? DAL_OK : DAL_ERR_NOMEM;
}

static size_t draw(struct climb *c, size_t sides)
{
    c->chance ^= c->chance << 13;
    c->chance ^= c->chance >> 7;
    c->chance ^= c->chance << 17;
    return (size_t)(c->chance % sides);
}

/* Puts some processes of the best mapping elsewhere, at random. Returns 0 if the result is not
 * allowed. */
static int kick(struct climb *c)
{
    size_t bytes = c->space->process_count * sizeof(*c->trial);
    stand_at(c, c->tried->best);
    memcpy(c->trial, c->here, bytes);
    for (size_t i = 0; i < KICKED; i++)
        move_one(c, draw(c, c->space->process_count), draw(c, c->space->place_count));
    return memcmp(c->trial, c->here, bytes) != 0 &&
           dal_search_is_allowed(c->space, c->trial, c->used);
}

static void climb_by_chance(struct climb *c)
{
    size_t number;
    for (size_t quiet = 0; quiet < MOST_KICKS && !is_proven(c) && !dal__is_over(c->tried);
         quiet++) {
        double before = c->tried->least_ns;
        if (!kick(c))
            continue;
        number = dal__try(c->tried, c->trial);
        if (number != SIZE_MAX)
            climb_from(c, number);
        if (c->tried->least_ns < before * (1 - DAL_SEARCH_SAME))
            quiet = 0;
    }
}

static size_t find_best(const struct dal__tried *tried)
{
    size_t best = 0;
    for (size_t i = 1; i < tried->count; i++)
        best = dal__is_better(tried, i, best) ? i : best;
    return best;
}

static int climb_all(struct climb *c)
{
    if (climb_initial(c))
        return DAL_ERR_NOMEM;
    if (isinf(c->tried->least_ns))
        return DAL_OK;
    climb_by_chance(c);
    c->by_cost = 1;
    climb_from(c, find_best(c->tried));
    return DAL_OK;
}

void dal__search_local(struct dal__tried *tried)
{
    size_t processes = tried->search->space->process_count + 1;
    size_t places = tried->search->space->place_count + 1;
    struct climb c = {.tried = tried,
                      .space = tried->search->space,
                      .here = dal_calloc(processes, sizeof(*c.here)),
                      .trial = dal_calloc(processes, sizeof(*c.trial)),
                      .loads = dal_calloc(places, sizeof(*c.loads)),
                      .used = dal_calloc(places, 1),
                      .chance = UINT64_C(0x9e3779b97f4a7c15)};
    if (!c.here || !c.trial || !c.loads || !c.used || climb_all(&c))
        tried->status = DAL_ERR_NOMEM;
    dal_free_all(c.here, c.trial, c.loads, c.used);
    if (tried->ended)
        return;
    tried->ended = 1;
    tried->end = DAL_SEARCH_NO_HELP;
}
