/*
 * A deal: which of its devices has which block of a process.
 *
 * A process on several devices is dealt to them in blocks of equal size, each a part of S firings
 * (`parts`). Blocks are numbered from the first firing, the same at all of its ends. Processes that
 * hand tokens to each other on their device have one deal: block b of one is block b of the other.
 * Whoever comes to a block first deals it (rt/device/dealing.h). All others do as it says there, so
 * who has a block does not depend on who asks.
 *
 * Owners are remembered while somebody may ask for them. Thread: the handler's.
 */
#pragma once

#include <stdint.h>

struct dal_deal {
    uint16_t *owners; /* by block, in a ring of `room`, a power of 2 */
    uint64_t room;
    uint64_t first, dealt; /* blocks from `first` to before `dealt` are remembered */
    uint64_t parts;        /* blocks in S firings */
    int apart;             /* true if no launch goes on into the next block: it has a halo */
};

/* Returns the number of a block's device. The block is one that is remembered. */
static inline int dal_deal_owner(const struct dal_deal *deal, uint64_t block)
{
    return deal->owners[block & (deal->room - 1)];
}

/* Returns how many firings, or tokens, from number `at` on belong to the same device, at most
 * `most`. A block has `unit` of them; the one of number `at` is dealt. */
uint64_t dal_deal_left(const struct dal_deal *deal, uint64_t at, uint64_t unit, uint64_t most);

/* Would more blocks need room that is taken? Then dal_deal_forget() may help. */
int dal_deal_is_full(const struct dal_deal *deal, uint64_t blocks);

/* Forgets blocks before this one. */
void dal_deal_forget(struct dal_deal *deal, uint64_t block);

/* Deals the next `blocks` blocks to a device. DAL_OK or DAL_ERR_NOMEM. */
int dal_deal_add(struct dal_deal *deal, int owner, uint64_t blocks);

/* Accepts a zeroed one. */
void dal_deal_finish(struct dal_deal *deal);
