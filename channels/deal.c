#include "channels/deal.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"

enum { FIRST_ROOM = 64 };

uint64_t dal_deal_left(const struct dal_deal *deal, uint64_t at, uint64_t unit, uint64_t most)
{
    uint64_t block = at / unit, left = unit - at % unit;
    int owner = dal_deal_owner(deal, block);
    while (!deal->apart && left < most && ++block < deal->dealt &&
           dal_deal_owner(deal, block) == owner)
        left += unit;
    return dal_least(left, most);
}

int dal_deal_is_full(const struct dal_deal *deal, uint64_t blocks)
{
    return deal->dealt - deal->first + blocks > deal->room;
}

void dal_deal_forget(struct dal_deal *deal, uint64_t block)
{
    if (block > deal->first)
        deal->first = block;
}

/* Doubles the room until so many more blocks fit. */
static int grow_room(struct dal_deal *deal, uint64_t blocks)
{
    uint64_t room = deal->room ? deal->room : FIRST_ROOM;
    uint16_t *owners;
    while (deal->dealt - deal->first + blocks > room)
        room *= 2;
    owners = dal_calloc(room, sizeof(*owners));
    if (!owners) {
        dal_log(DAL_LOG_ERROR, "no memory to deal blocks to devices");
        return DAL_ERR_NOMEM;
    }
    for (uint64_t i = deal->first; i < deal->dealt; i++)
        owners[i & (room - 1)] = (uint16_t)dal_deal_owner(deal, i);
    dal_free(deal->owners);
    deal->owners = owners;
    deal->room = room;
    return DAL_OK;
}

int dal_deal_add(struct dal_deal *deal, int owner, uint64_t blocks)
{
    int status = dal_deal_is_full(deal, blocks) ? grow_room(deal, blocks) : DAL_OK;
    for (; status == DAL_OK && blocks > 0; blocks--)
        deal->owners[deal->dealt++ & (deal->room - 1)] = (uint16_t)owner;
    return status;
}

void dal_deal_finish(struct dal_deal *deal)
{
    dal_free(deal->owners);
    *deal = (struct dal_deal){0};
}
