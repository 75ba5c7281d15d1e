/* How long iterations are on their paths. */
#include "synth/tune/predict/execute.h"

#include "rt/base/alloc.h"

/* Doubles the room, and moves the ring's begin to the array's begin. */
static void grow_ring(struct dal__sim_state *s, struct dal__sim_path *path)
{
    size_t room = path->room ? 2 * path->room : 64;
    double *begins = dal_calloc(room, sizeof(*begins));
    if (!begins) {
        s->lost = 1;
        return;
    }
    for (size_t i = 0; i < path->count; i++)
        begins[i] = path->begins[(path->head + i) % path->room];
    dal_free(path->begins);
    path->begins = begins;
    path->head = 0;
    path->room = room;
}

static void begin_iteration(struct dal__sim_state *s, struct dal__sim_path *path, double begin_ns)
{
    if (path->ahead > 0) {
        path->ahead--;
        return;
    }
    if (path->count == path->room)
        grow_ring(s, path);
    if (!s->lost)
        path->begins[(path->head + path->count++) % path->room] = begin_ns;
}

static void end_iteration(const struct dal__sim_state *s, struct dal__sim_path *path)
{
    double lasted_ns = 0;
    if (path->count > 0) {
        lasted_ns = s->now_ns - path->begins[path->head];
        path->head = (path->head + 1) % path->room;
        path->count--;
    } else {
        path->ahead++;
    }
    path->sum_ns += lasted_ns;
    path->most_ns = lasted_ns > path->most_ns ? lasted_ns : path->most_ns;
    path->ended++;
    if (path->times)
        dal_histogram_add_one(path->times, lasted_ns);
}

/* Returns how many iterations so many firings are a part of. */
static uint64_t touched(const struct dal__sim_state *s, size_t number, uint64_t firings)
{
    uint64_t repetitions = s->sim->graph->processes[number].repetitions;
    return firings / repetitions + (firings % repetitions > 0);
}

void dal__sim_begun(struct dal__sim_state *s, size_t number, uint64_t firings, double begin_ns)
{
    uint64_t begun = s->actors[number].begun;
    uint64_t first = touched(s, number, begun), next = touched(s, number, begun + firings);
    s->actors[number].begun = begun + firings;
    for (size_t k = 0; k < s->sim->path_count; k++)
        for (uint64_t i = first; i < next && !s->lost && s->sim->paths[k].from == number; i++)
            begin_iteration(s, &s->paths[k], begin_ns);
}

void dal__sim_ended(struct dal__sim_state *s, size_t number, uint64_t iterations)
{
    for (size_t k = 0; k < s->sim->path_count; k++)
        for (uint64_t i = 0; i < iterations && s->sim->paths[k].to == number; i++)
            end_iteration(s, &s->paths[k]);
}
