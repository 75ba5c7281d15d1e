/*
 * What the models share (test/models/models.sh runs them): a memory with store buffers.
 *
 * A model says, before it includes this: THREADS, and PLACES, the number of its atomics.
 *
 * A store waits in the buffer of its thread, whatever its order, and reaches the memory some time
 * later: on x86, too, a store that is not sequentially consistent does. A thread sees its own at
 * once. Stores of one place stay in order. A release store, and one that is sequentially
 * consistent, goes behind all that its thread has stored before; a relaxed one may overtake.
 *
 * A sequentially consistent load goes behind the sequentially consistent stores of its thread, and
 * a fence behind all. An acquire load goes behind none: so an atomic that is "seq_cst" at one side
 * only is found, even where today's processors forgive it (ldapr of ARMv8.3 does not). A change in
 * one step (exchange, fetch_add) goes behind all stores if it is a release, and behind those of its
 * place otherwise; it is in the memory at once.
 *
 * Loads of a thread are not reordered among themselves: an acquire load that became relaxed is not
 * found by these models.
 */
#define BUFFERED 3

mtype:order = { RELAXED, RELEASE, SEQ_CST }

typedef Stores {
    byte count, strict; /* in the buffer; of those, how many are SEQ_CST */
    byte at[BUFFERED], what[BUFFERED];
    mtype:order order[BUFFERED]
};

Stores stores[THREADS];
byte memory[PLACES];

#define HOLDS(t, i, place) (stores[t].count > i && stores[t].at[i] == place)
#define HOLDS_ANY(t, place) (HOLDS(t, 0, place) || HOLDS(t, 1, place) || HOLDS(t, 2, place))

/* What thread t sees. */
#define SEEN(t, place)                                                                             \
    (HOLDS(t, 2, place) -> stores[t].what[2] : (HOLDS(t, 1, place) -> stores[t].what[1] :          \
    (HOLDS(t, 0, place) -> stores[t].what[0] : memory[place])))

inline store(thread, where, number, kind)
{
    atomic {
        stores[thread].count < BUFFERED;
        stores[thread].at[stores[thread].count] = where;
        stores[thread].what[stores[thread].count] = number;
        stores[thread].order[stores[thread].count] = kind;
        stores[thread].strict = stores[thread].strict + (kind == SEQ_CST -> 1 : 0);
        stores[thread].count++
    }
}

inline load_acquire(thread, where, into)
{
    into = SEEN(thread, where)
}

inline load_seq_cst(thread, where, into)
{
    atomic { stores[thread].strict == 0; into = SEEN(thread, where) }
}

inline fence(thread)
{
    stores[thread].count == 0
}

/* In one step, by the order of `kind`: RELAXED is an acquire as well. */
inline exchange(thread, where, number, into, kind)
{
    atomic {
        (kind == RELAXED -> !HOLDS_ANY(thread, where) : stores[thread].count == 0);
        into = memory[where];
        memory[where] = number
    }
}

inline fetch_add(thread, where, change, kind)
{
    atomic {
        (kind == RELAXED -> !HOLDS_ANY(thread, where) : stores[thread].count == 0);
        memory[where] = memory[where] + change
    }
}

/* Store i reaches the memory; those behind it move up. */
inline arrive(v, i)
{
    memory[stores[v].at[i]] = stores[v].what[i];
    stores[v].strict = stores[v].strict - (stores[v].order[i] == SEQ_CST -> 1 : 0);
    if
    :: i < 1 && stores[v].count > 1 -> move_up(v, 0)
    :: else
    fi;
    if
    :: i < 2 && stores[v].count > 2 -> move_up(v, 1)
    :: else
    fi;
    stores[v].count--;
    stores[v].at[stores[v].count] = 0;
    stores[v].what[stores[v].count] = 0;
    stores[v].order[stores[v].count] = 0
}

inline move_up(u, slot)
{
    stores[u].at[slot] = stores[u].at[slot + 1];
    stores[u].what[slot] = stores[u].what[slot + 1];
    stores[u].order[slot] = stores[u].order[slot + 1]
}

#define OVERTAKES(t, i) (stores[t].count > i && stores[t].order[i] == RELAXED)
#define APART(t, i, k) (stores[t].at[i] != stores[t].at[k])

/* One for each thread. */
proctype buffer(byte t)
{
end:
    do
    :: d_step { stores[t].count > 0 -> arrive(t, 0) }
    :: d_step { OVERTAKES(t, 1) && APART(t, 1, 0) -> arrive(t, 1) }
    :: d_step { OVERTAKES(t, 2) && APART(t, 2, 0) && APART(t, 2, 1) -> arrive(t, 2) }
    od
}
