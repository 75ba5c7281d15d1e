/*
 * Look and verdict: the monitor looks at a healthy network twice, at any time, and must not find
 * processes that wait for each other.
 *
 * P is fired phase by phase: in the first phase it writes a token to x, which A and B read; in the
 * second it reads a token of y, which A writes. B is a process with a thread of its own.
 *
 * Models
 *     rt/network/waits.c: dal_look_take dal_look_list
 *     rt/network/monitor.c: judge
 *     rt/host/activate.c: begin_activation fire_phase release_all release_done
 *     rt/host/phase.c: dal_phase_pass
 *     rt/host/kpn.c: sleep_at
 * Checked: no cycle is found (assertion). BROKEN_NETWORK is a network that does come to a deadlock,
 * which is found.
 * Bounds: P goes from its second phase to the next second one; channels of one token; two looks.
 * Memory: a store buffer for P. A and B have none: all their stores but the first are releases, so
 * a buffer would only make them slower. The monitor reads one by one: what processes do, then
 * counts.
 */
#define CAPACITY 1
#define THREADS 1
#define P 0
#define PLACES 9
#define X_WRITTEN 0
#define X_READ_A 1
#define X_READ_B 2
#define Y_WRITTEN 3
#define Y_READ 4
#define P_WORKS 5 /* at_work */
#define A_WORKS 6
#define B_SLEEPS 7 /* blocked */
#define P_PHASE 8
#include "rt/base/memory.pml"

#define LEAST(a, b) ((a) < (b) -> (a) : (b))

#ifdef BROKEN_NETWORK
#define NEEDS 2 /* of y, which P gets one of */
#else
#define NEEDS 1
#endif

#ifdef BROKEN_RELAXED_REST
#define REST RELAXED
#else
#define REST RELEASE
#endif
#ifdef BROKEN_RELAXED_PHASE
#define PASS RELAXED
#else
#define PASS RELEASE
#endif

proctype process_p()
{
#ifdef BROKEN_NETWORK
end:
#endif
    SEEN(P, Y_WRITTEN) >= NEEDS;
    store(P, P_WORKS, 1, RELAXED);
    store(P, Y_READ, 1, SEQ_CST);
    store(P, P_PHASE, 0, PASS);
    store(P, P_WORKS, 0, REST);
    1 - LEAST(SEEN(P, X_READ_A), SEEN(P, X_READ_B)) < CAPACITY;
    store(P, P_WORKS, 1, RELAXED);
    store(P, X_WRITTEN, 2, SEQ_CST);
    store(P, P_PHASE, 1, PASS);
    store(P, P_WORKS, 0, REST)
}

/* A and B take the token that is there. The next one is to come when all looks are over. */
proctype process_a()
{
    memory[A_WORKS] = 1;
    memory[X_READ_A] = 1;
    memory[Y_WRITTEN] = 1;
    memory[A_WORKS] = 0
}

proctype process_b()
{
    memory[X_READ_B] = 1;
    memory[B_SLEEPS] = 1
}

byte seen[PLACES];
bit moved;

/* The second look compares as it goes. */
inline look_at(first, last, compared)
{
    i = first;
    do
    :: i > last || moved -> break
    :: else ->
        d_step {
            moved = second && compared && seen[i] != memory[i];
            seen[i] = memory[i];
            i++
        }
    od;
    i = 0
}

inline look()
{
#ifdef BROKEN_STATES_BEHIND
    look_at(X_WRITTEN, Y_READ, 1);
    look_at(P_WORKS, P_PHASE, 0)
#else
    look_at(P_WORKS, P_PHASE, 1);
    look_at(X_WRITTEN, Y_READ, 1)
#endif
}

/* The slowest reader of x: is it B? */
#define SLOWEST_IS_B(counts) (counts[X_READ_B] < counts[X_READ_A])
#define X_FILL(b) (seen[X_WRITTEN] - (b -> seen[X_READ_B] : seen[X_READ_A]))
#define Y_FILL (seen[Y_WRITTEN] - seen[Y_READ])

#define A_FOR_P (!seen[A_WORKS] && (seen[X_WRITTEN] == seen[X_READ_A] || Y_FILL == CAPACITY))
#define B_FOR_P (seen[B_SLEEPS] && seen[X_WRITTEN] == seen[X_READ_B])

/* Whom does P wait for? */
inline list()
{
#ifdef BROKEN_PHASE_NOW
    seen[P_PHASE] = memory[P_PHASE];
#endif
#ifdef BROKEN_SLOWEST_NOW
    slowest = SLOWEST_IS_B(memory);
#else
    slowest = SLOWEST_IS_B(seen);
#endif
    if
    :: seen[P_WORKS]
    :: else ->
        if
        :: seen[P_PHASE] == 1 -> p_for_a = Y_FILL < NEEDS
        :: seen[P_PHASE] == 0 && X_FILL(slowest) == CAPACITY ->
#ifdef BROKEN_SLOWEST_NOW
            slowest = SLOWEST_IS_B(memory);
#endif
            p_for_a = !slowest;
            p_for_b = slowest
        :: else
        fi
    fi
}

proctype monitor()
{
    byte i;
    bit second, slowest, p_for_a, p_for_b;
    look();
#ifndef BROKEN_ONE_LOOK
    second = 1;
    look();
#endif
    if
    :: moved
    :: else ->
        list();
        assert(!(p_for_a && A_FOR_P) && !(p_for_b && B_FOR_P))
    fi;
    d_step {
        for (i : 0 .. PLACES - 1) {
            seen[i] = 0
        }
        moved = 0
    }
}

init
{
    atomic {
        memory[X_WRITTEN] = 1;
        memory[P_PHASE] = 1;
        run process_p();
        run process_a();
        run process_b();
        run monitor();
        run buffer(P)
    }
}
