/*
 * What cores.xml does, by parallel_pipeline of oneTBB: Source and Sink are serial and in order, the
 * stages parallel, and eight tokens a core are in flight.
 */
#include "stages.h"

#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <vector>

/* A token on its way, and the buffer that the next stage writes. */
struct Slot {
    unsigned char *now, *next;
};

using Filter = tbb::filter<Slot *, Slot *>;

static Filter stage()
{
    return Filter(tbb::filter_mode::parallel, [](Slot *slot) {
        stage_step(slot->next, slot->now);
        std::swap(slot->now, slot->next);
        return slot;
    });
}

/* Since Sink is in order, a slot is free when as many tokens have followed as are in flight. */
static uint64_t carry_all(long tokens, std::vector<Slot> &slots)
{
    uint64_t sum = 0;
    long sent = 0;
    Filter stages = stage();
    for (int k = 1; k < STAGES; k++)
        stages = stages & stage();
    auto source = [&](tbb::flow_control &control) -> Slot * {
        if (sent == tokens) {
            control.stop();
            return nullptr;
        }
        Slot *slot = &slots[(size_t)sent % slots.size()];
        stage_source(slot->now, (uint32_t)sent++);
        return slot;
    };
    auto sink = [&](Slot *slot) { sum += stage_sink(slot->now); };
    tbb::parallel_pipeline(slots.size(),
                           tbb::filter<void, Slot *>(tbb::filter_mode::serial_in_order, source) &
                               stages &
                               tbb::filter<Slot *, void>(tbb::filter_mode::serial_in_order, sink));
    return sum;
}

int main(int argc, char **argv)
{
    struct peer peer;
    peer_start(&peer, argc, argv);
    int threads = peer.count > 0 ? peer.count : 1;
    peer_pin(&peer, 0, threads); /* the threads of TBB have the same cores */
    tbb::global_control most(tbb::global_control::max_allowed_parallelism, (size_t)threads);
    tbb::task_arena arena(threads);
    std::vector<Slot> slots(8 * (size_t)threads);
    for (Slot &slot : slots)
        slot = {stage_tokens(1), stage_tokens(1)};
    arena.execute([&] {
        carry_all((long)(4 * slots.size()), slots); /* starts the threads */
        int64_t start = peer_now();
        uint64_t sum = carry_all(peer.tokens, slots);
        stage_report(peer.tokens, peer_now() - start, sum);
    });
    return 0;
}
