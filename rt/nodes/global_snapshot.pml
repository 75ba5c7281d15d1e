/*
 * A global snapshot of ranks: two processes on two nodes hand one token round, and the first rank, which
 * asks both in rounds, must not find that they wait for each other.
 *
 * Models
 *     rt/nodes/global_snapshot.c: look_at_flows look_here answer_round compare_rounds lead_rounds judge_round
 *     rt/nodes/flow.c: send_tokens release_loads dal__flow_receive
 * Checked: no cycle is found (assertion). BROKEN_NETWORK has no token, and the cycle is found.
 * Bounds: two times round, two rounds of snapshots at any time.
 * A token alone is found by what was sent and has arrived; that rounds are alike is not needed here.
 * Memory: as it is written. A rank looks at its part in one step (rt/watch/look.pml has the single loads).
 */
#define TIMES 2

/* Of rank i: its process, what goes away from it, and what comes to it. */
bit works[2];
byte read[2], written[2], gone[2], sent[2], arrived[2], came[2];
byte outgoing[2], incoming[2]; /* messages under way, as a proxy knows */
chan link[2] = [1] of { bit };

proctype process(byte i)
{
    byte firing;
    for (firing : 1 .. TIMES) {
        came[i] > read[i];
        works[i] = 1;
        read[i]++;
        written[i]++;
        works[i] = 0
    }
}

proctype proxy(byte i)
{
end:
    do
    :: atomic { written[i] > sent[i] -> link[i] ! 1; sent[i]++; outgoing[i]++ }
    :: atomic { outgoing[i] > 0 -> outgoing[i]--; gone[i]++ }
    :: atomic { link[1 - i] ? 1 -> arrived[i]++; incoming[i]++ }
    :: atomic { incoming[i] > 0 -> incoming[i]--; came[i]++ }
    od
}

byte sum[2], all_sent, all_arrived;
bit rests, waits, same;

/* What is known of both ranks is put together at once. */
inline look(i)
{
    d_step {
        same = same && sum[i] == read[i] + written[i] + gone[i] + came[i];
        sum[i] = read[i] + written[i] + gone[i] + came[i];
        rests = rests && outgoing[i] == 0 && incoming[i] == 0;
        waits = waits && !works[i] && came[i] == read[i] && written[i] == gone[i];
        all_sent = all_sent + sent[i];
        all_arrived = all_arrived + arrived[i]
    }
}

inline begin_round()
{
    d_step {
        same = 1;
        rests = 1;
        waits = 1;
        all_sent = 0;
        all_arrived = 0
    }
}

proctype global_snapshot()
{
    begin_round();
    look(0);
    look(1);
    begin_round();
    look(0);
    look(1);
#ifdef BROKEN_UNDER_WAY
    rests = 1;
#endif
#ifdef BROKEN_SENT_ALONE
    all_arrived = all_sent;
#endif
    assert(!(same && rests && all_sent == all_arrived && waits))
}

init
{
    atomic {
#ifndef BROKEN_NETWORK
        came[0] = 1;
#endif
        run process(0);
        run process(1);
        run proxy(0);
        run proxy(1);
        run global_snapshot()
    }
}
