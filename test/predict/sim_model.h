/* Networks for tests of the simulator (synth/tune/predict/simulate.h). */
#pragma once

#include "rt/base/error.h"
#include "synth/tune/predict/simulate.h"
#include "test/analyze/sdf_sample.h"
#include "test/suite.h"

enum { MOST = SAMPLE_MOST, EVENTS = 2000000 };

/* A network in the simulator's words. */
struct model {
    struct dal_sim sim;
    struct dal_sdf_graph graph;
    struct dal_sdf_process processes[MOST];
    struct dal_sdf_channel sized[MOST];
    struct dal_sdf_end ends[2 * MOST];
    struct dal_sim_actor actors[MOST];
    size_t servers[MOST];
};

/* Each process with a server of its own, which is not used unless told. */
static inline void make_model(struct model *m, size_t processes, const struct edge *edges,
                              size_t count, const uint64_t *times, const uint64_t *capacity)
{
    memset(m, 0, sizeof(*m));
    for (size_t i = 0; i < processes; i++) {
        m->servers[i] = i;
        m->actors[i] =
            (struct dal_sim_actor){.copies = 1, .most = 1, .firing_ns = (double)times[i]};
        m->processes[i].repetitions = 1;
    }
    for (size_t i = 0; i < count; i++)
        m->sized[i] = (struct dal_sdf_channel){.producer = edges[i].from,
                                               .consumer = edges[i].to,
                                               .rate_in = edges[i].produce,
                                               .rate_out = edges[i].consume,
                                               .initial_tokens = edges[i].initial,
                                               .given = capacity[i]};
    m->graph = (struct dal_sdf_graph){.processes = m->processes,
                                      .process_count = processes,
                                      .channels = m->sized,
                                      .channel_count = count,
                                      .ends = m->ends};
    dal_sdf_graph_ends(&m->graph);
    m->sim = (struct dal_sim){
        .graph = &m->graph, .actors = m->actors, .server_count = processes, .events = EVENTS};
}

static inline double period_of(struct model *m)
{
    struct dal_sim_result result;
    double period;
    CU_ASSERT_EQUAL_FATAL(dal_sim_run(&m->sim, &result), DAL_OK);
    period = result.period_ns;
    dal_sim_finish(&result);
    return period;
}
