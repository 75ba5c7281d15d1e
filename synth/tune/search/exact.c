/* Tries all mappings that differ: depth first, the processes with the largest load first. */
#include "synth/tune/search/tried.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

/* A load that is this much above the least period cuts a branch. The simulator measures a period at
 * least that exactly. */
static const double CUT = 1.01;

struct walk {
    const struct dal_search_space *space;
    struct dal__tried *tried; /* NULL: only counted */
    uint64_t count, most;     /* mappings */
    uint64_t steps, most_steps;
    size_t *order;           /* process numbers */
    uint16_t *places, *copy; /* by process */
    size_t *users;           /* by place: processes so far */
    double *loads;           /* by place, so far */
};

static int make_walk(struct walk *w)
{
    size_t processes = w->space->process_count + 1, places = w->space->place_count + 1;
    w->order = dal_calloc(processes, sizeof(*w->order));
    w->places = dal_calloc(processes, sizeof(*w->places));
    w->copy = dal_calloc(processes, sizeof(*w->copy));
    w->users = dal_calloc(places, sizeof(*w->users));
    w->loads = dal_calloc(places, sizeof(*w->loads));
    return w->order && w->places && w->copy && w->users && w->loads ? DAL_OK : DAL_ERR_NOMEM;
}

/* Is the place the first of its unused alike cores? It stands for all of them. */
static int stands_for_itself(const struct walk *w, size_t place)
{
    size_t first = w->space->places[place].first_alike;
    for (size_t k = first; !w->users[place] && k < place; k++)
        if (w->space->places[k].first_alike == first && !w->users[k])
            return 0;
    return 1;
}

static int is_cut(const struct walk *w, size_t process, size_t place)
{
    double margin =
        1 + (w->tried && w->tried->search->objective == DAL_SEARCH_MEMORY ? DAL_SEARCH_MARGIN
                                                                          : DAL_SEARCH_SAME);
    return w->tried && dal__loads_tell(w->tried) &&
           w->loads[place] + dal_search_load_at(w->space, process, place) >
               w->tried->least_ns * margin * CUT;
}

static void visit(struct walk *w)
{
    size_t bytes = w->space->process_count * sizeof(*w->places);
    if (!w->tried) {
        w->count++;
        return;
    }
    memcpy(w->copy, w->places, bytes);
    dal__try(w->tried, w->copy);
}

static int is_done(struct walk *w)
{
    if (w->tried)
        return w->tried->ended;
    return w->count > w->most || ++w->steps > w->most_steps;
}

/* Returns the next place to try. The stack of the walk is w->places, since it is as deep as there
 * are processes. */
static size_t next_place(struct walk *w, size_t process, size_t from)
{
    size_t k = from;
    while (k < w->space->place_count && (!dal_search_choice_of(w->space, process, k)->source ||
                                         !stands_for_itself(w, k) || is_cut(w, process, k)))
        k++;
    return k;
}

static void put(struct walk *w, size_t process, size_t place)
{
    w->places[process] = (uint16_t)place;
    w->users[place] += !w->space->spread[process];
    w->loads[place] += dal_search_load_at(w->space, process, place);
}

static void take_away(struct walk *w, size_t process)
{
    size_t place = w->places[process];
    w->users[place] -= !w->space->spread[process];
    w->loads[place] -= dal_search_load_at(w->space, process, place);
}

static void walk_all(struct walk *w, unsigned char *used)
{
    size_t depth = 0, place = 0, count = w->space->process_count;
    while (!is_done(w)) {
        size_t process = w->order[depth];
        place = next_place(w, process, place);
        if (place < w->space->place_count) {
            put(w, process, place);
            place = 0;
            if (++depth < count)
                continue;
            if (dal_search_is_allowed(w->space, w->places, used))
                visit(w);
        }
        if (depth-- == 0)
            break;
        place = (size_t)w->places[w->order[depth]] + 1;
        take_away(w, w->order[depth]);
    }
}

static int walk(struct walk *w)
{
    unsigned char *used = dal_calloc(w->space->place_count + 1, 1);
    int status = used ? make_walk(w) : DAL_ERR_NOMEM;
    if (!status)
        status = dal__sort_by_load(w->space, w->order);
    if (!status)
        walk_all(w, used);
    dal_free_all(w->order, w->places, w->copy, w->users, w->loads);
    dal_free(used);
    return status;
}

uint64_t dal__count_mappings(const struct dal_search_space *space, uint64_t most, int *lost)
{
    struct walk w = {
        .space = space, .most = most, .most_steps = 64 * (most + 1) * (space->process_count + 1)};
    *lost = walk(&w) != DAL_OK;
    return w.count > most || w.steps > w.most_steps ? 0 : w.count;
}

void dal__search_exact(struct dal__tried *tried)
{
    struct walk w = {.space = tried->search->space, .tried = tried};
    if (walk(&w))
        tried->status = DAL_ERR_NOMEM;
    else if (!tried->ended) {
        tried->ended = 1;
        tried->end = DAL_SEARCH_ALL;
    }
}
