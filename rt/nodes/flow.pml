/*
 * Credit and proxy: tokens go from a port to another node, the readers' node says how many there
 * is room for, and both find the end.
 *
 * Models
 *     rt/nodes/flow.c: send_tokens step_outgoing give_credit tell_closed step_incoming dal__flow_receive
 *     rt/nodes/flow.c: dal__flow_hear dal__flow_is_over release_loads
 *     rt/nodes/flow.h: dal__flow_has_room
 *     rt/nodes/step.c: take_message
 * Checked: what comes finds room, in order (assertions); the reader gets all tokens, unless it ends
 * before (assertion); both proxies end, and leave no message behind (no invalid end state, and an
 * assertion).
 * Bounds: five tokens in messages of one; rings of two and three slots; a reader that takes two at
 * a time and may end at any time; two messages under way at each end.
 * Memory: each proxy is one thread's at a time. Messages of one kind come in order, those of
 * different kinds as they like: END may overtake tokens.
 */
#define TOKENS 5
#define RATE 2
#define OUT_RING 2
#define IN_RING 3
#define ROOM 2 /* DAL_FLOW_ROOM */

chan data = [ROOM] of { byte }; /* number of the token */
chan end_of = [1] of { byte };  /* DAL_SAY_END: of all tokens */
chan credit = [1] of { byte };
chan closed_at = [1] of { byte };

/* The writer's ring, and the reader's. */
byte written, released; /* by the writer; by the proxy */
bit writer_closed, proxy_ended;
byte arrived, consumed; /* by the proxy; by the reader */
bit reader_closed, flow_closed;

active proctype writer()
{
    do
    :: written < TOKENS && written - released < OUT_RING -> written++
    :: written == TOKENS -> break
    :: proxy_ended -> break /* nobody reads any more */
    od;
    writer_closed = 1
}

/* On the producer's node. */
active proctype outgoing()
{
    byte moved, granted, count, number;
    bit closed;
    do
    :: atomic { credit ? number -> granted = (number > granted -> number : granted); number = 0 }
    :: atomic { closed_at ? number -> closed = 1; number = 0 }
    :: atomic { count > 0 -> count--; released++ } /* sent */
    :: atomic {
        !closed && granted > moved && written > moved && count < ROOM && nfull(data) ->
            moved++;
            data ! moved;
            count++
        }
    :: atomic {
        count == 0 && !proxy_ended &&
#ifndef BROKEN_CLOSED_WITHOUT_END
        (closed || (writer_closed && written == moved)) ->
#else
        writer_closed && written == moved ->
#endif
            proxy_ended = 1;
            end_of ! moved
        }
    :: atomic { proxy_ended && flow_closed && empty(credit) && empty(closed_at) -> break }
    od
}

#ifdef BROKEN_CREDIT_OF_RING
#define ROOM_FOR (taken + IN_RING)
#else
#define ROOM_FOR (taken + IN_RING - (taken - consumed))
#endif
/* A step is all of the ring here: without the first condition the writer may wait for ever. */
#ifdef BROKEN_CREDIT_BY_STEPS
#define IS_NEWS (ROOM_FOR - granted >= IN_RING)
#else
#define IS_NEWS (granted == moved && ROOM_FOR != granted || ROOM_FOR - granted >= IN_RING)
#endif

/* On the readers' node. */
active proctype incoming()
{
    byte moved, granted, taken, count, total, number;
    bit ended, closed;
    do
    :: atomic {
        count < ROOM && data ? [number] ->
            data ? number;
            moved++;
            assert(number == moved);
            if
            :: closed
            :: else ->
                assert(taken - consumed < IN_RING);
                taken++;
                count++
            fi;
            number = 0
        }
    :: atomic { count > 0 -> count--; arrived++ } /* received */
    :: atomic { end_of ? total -> ended = 1 }
    :: atomic {
        !ended && !closed && !reader_closed && empty(credit) && IS_NEWS ->
            granted = ROOM_FOR;
            credit ! granted
        }
    :: atomic { !ended && !closed && reader_closed -> closed = 1; closed_at ! moved }
#ifdef BROKEN_END_AT_ONCE
    :: atomic { ended && count == 0 && !flow_closed -> flow_closed = 1 }
    :: atomic { flow_closed && ended -> break }
#else
    :: atomic { ended && moved == total && count == 0 -> break }
#endif
    od;
    flow_closed = 1;
    assert(empty(data) && empty(end_of))
}

active proctype reader()
{
    byte firings;
    if
    :: firings = TOKENS
    :: firings = 1
    :: firings = 0
    fi;
    do
    :: firings > 0 && arrived - consumed >= RATE ->
        consumed = consumed + RATE;
        firings--
    :: flow_closed && arrived - consumed < RATE ->
        assert(firings == 0 || consumed == TOKENS / RATE * RATE);
        break
    :: firings == 0 -> break
    od;
    reader_closed = 1
}
