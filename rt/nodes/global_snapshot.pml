/*
 * A global snapshot of ranks: two processes on two nodes hand one token round, and the first rank, which
 * asks both in rounds, must not find that they wait for each other.
 *
 * Models
 *     rt/nodes/global_snapshot.c: stamp_wait look_here answer_round hear_of_flow keep_resting lead_rounds judge_round
 *     rt/nodes/flow.c: send_tokens release_loads dal__flow_receive
 * Checked: no cycle is found (assertion). BROKEN_NETWORK has no token, and the cycle is found.
 * Bounds: two times round, two rounds of snapshots at any time.
 * A token alone is found by what each flow has sent, and what has arrived of it.
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

byte sum[2], has_sent[2], has_arrived[2];
bit rests, waits, same;

/* What is known of both ranks is put together at once. */
inline look(i)
{
    d_step {
        same = same && sum[i] == read[i] + written[i] + gone[i] + came[i];
        sum[i] = read[i] + written[i] + gone[i] + came[i];
        rests = rests && outgoing[i] == 0 && incoming[i] == 0;
        waits = waits && !works[i] && came[i] == read[i] && written[i] == gone[i];
        has_sent[i] = sent[i];
        has_arrived[1 - i] = arrived[i]
    }
}

inline begin_round()
{
    d_step {
        same = 1;
        rests = 1;
        waits = 1
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
    has_arrived[0] = has_sent[0];
    has_arrived[1] = has_sent[1];
#endif
    assert(!(same && rests && has_sent[0] == has_arrived[0] && has_sent[1] == has_arrived[1] && waits))
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
