/*
 * Look and verdict: the monitor looks at a healthy network twice, at any time, and must not find
 * processes that wait for each other.
 *
 * P is fired phase by phase: in the first phase it writes a token to x, which A and B read; in the
 * second it reads a token of y, which A writes. B is a process with a thread of its own.
 *
 * Models
 *     rt/watch: dal_look_take dal_look_list
 *     rt/watch/monitor.c: judge
 *     rt/host/activate.c: begin_activation
 *     rt/host/release.c: dal__group_release release_done
 *     rt/host/phase.c: dal_phase_fire pass_phase
 *     rt/kpn/port.c: sleep_at
 * Checked: no cycle is found (assertion). BROKEN_NETWORK is a network that does come to a deadlock,
 * which is found.
 * Bounds: P goes from its second phase to the next second one; channels of one token; two looks.
 * Memory: a store buffer for P. A and B have none: all their stores but the first are releases, so
 * a buffer would only make them slower. The monitor reads one by one: what processes do, what P
 * needs, what it does now, then counts. A wait is one where all that it rests on is the same in
 * both looks; nothing is asked later.
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

/* A and B take the token that is there, and leave the next one. */
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

byte seen[PLACES]; /* by the first look */
bit same[PLACES];  /* by the second */

inline look_at(place)
{
    d_step {
        same[place] = !second || seen[place] == memory[place];
        seen[place] = memory[place]
    }
}

/* It rests if it is found so each time. */
inline look_at_work()
{
    seen[P_WORKS] = seen[P_WORKS] | memory[P_WORKS]
}

inline look_at_states()
{
#ifndef BROKEN_WORKS_ONCE
    look_at_work();
#endif
    look_at(P_PHASE);
    look_at_work();
    look_at(A_WORKS);
    look_at(B_SLEEPS)
}

inline look_at_counts()
{
    look_at(X_WRITTEN);
    look_at(X_READ_A);
    look_at(X_READ_B);
    look_at(Y_WRITTEN);
    look_at(Y_READ)
}

inline look()
{
#ifdef BROKEN_STATES_BEHIND
    look_at_counts();
    look_at_states();
    same[P_PHASE] = 1;
    same[A_WORKS] = 1;
    same[B_SLEEPS] = 1
#else
    look_at_states();
    look_at_counts()
#endif
}

#define SAME(written, read) (same[written] && same[read])
#define FILL(written, read) (seen[written] - seen[read])
#define LACKS_TOKENS(written, read, need) (SAME(written, read) && FILL(written, read) < need)
#define LACKS_SPACE(written, read) (SAME(written, read) && FILL(written, read) == CAPACITY)
#define A_FOR_P                                                                                    \
    (same[A_WORKS] && !seen[A_WORKS] &&                                                            \
     (LACKS_TOKENS(X_WRITTEN, X_READ_A, 1) || LACKS_SPACE(Y_WRITTEN, Y_READ)))
#define B_FOR_P                                                                                    \
    (same[B_SLEEPS] && seen[B_SLEEPS] && LACKS_TOKENS(X_WRITTEN, X_READ_B, 1))
#define PHASE_IS(phase) (same[P_PHASE] && seen[P_PHASE] == phase)

/* By what is in memory, beside what was seen: the slowest reader of x, of which there is one. */
#define SLOWEST_IS_B (memory[X_READ_B] < memory[X_READ_A])

/* Whom does P wait for? */
inline list()
{
#ifdef BROKEN_PHASE_NOW
    seen[P_PHASE] = memory[P_PHASE];
    same[P_PHASE] = 1;
#endif
    if
    :: !seen[P_WORKS] && PHASE_IS(1) -> p_for_a = LACKS_TOKENS(Y_WRITTEN, Y_READ, NEEDS)
    :: !seen[P_WORKS] && PHASE_IS(0) ->
#ifdef BROKEN_SLOWEST_NOW
        p_for_b = SLOWEST_IS_B;
        if
        :: p_for_b -> p_for_b = LACKS_SPACE(X_WRITTEN, X_READ_B)
        :: else -> p_for_a = LACKS_SPACE(X_WRITTEN, X_READ_A)
        fi;
        if
        :: p_for_a || p_for_b ->
            p_for_b = SLOWEST_IS_B;
            p_for_a = !p_for_b
        :: else
        fi
#else
        p_for_a = LACKS_SPACE(X_WRITTEN, X_READ_A);
        p_for_b = LACKS_SPACE(X_WRITTEN, X_READ_B)
#endif
    :: else
    fi
}

proctype monitor()
{
    byte i;
    bit second, p_for_a, p_for_b;
    look();
#ifndef BROKEN_ONE_LOOK
    second = 1;
    look();
#endif
    list();
    assert(!(p_for_a && A_FOR_P) && !(p_for_b && B_FOR_P));
    d_step {
        for (i : 0 .. PLACES - 1) {
            seen[i] = 0;
            same[i] = 0
        }
        p_for_a = 0;
        p_for_b = 0
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
