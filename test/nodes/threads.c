#include "test/nodes/threads.h"

#include "rt/base/error.h"
#include "rt/nodes/peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mail {
    struct mail *next;
    int from, tag, wait; /* looks that do not find it yet */
    size_t bytes;
    const void *where;             /* of the sender; NULL: `copy` has it */
    struct dal_transfer *transfer; /* of the sender, to be done when it is received */
    int taken;
    unsigned char copy[];
};

/* A transfer that will be done at a later poll of its owner. */
struct finish {
    struct finish *next;
    struct dal_transfer *transfer;
    int wait;
};

struct fake_link {
    struct dal_link link;    /* first member */
    struct fake_link *peers; /* the same link of all ranks */
    struct mail *box;        /* the first came first */
    struct finish *finishing;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fake_link links[1 + COPIES][RANKS];
static int opened, copied[RANKS], lost[RANKS], armed;
static unsigned long calls;
int rank_count, holds;
unsigned chance, slowest;
uint64_t most;
unsigned long too_large, left_behind, torn, fail_at;
_Atomic int abandoned;

unsigned draw_chance(unsigned sides)
{
    chance = chance * 1103515245u + 12345u;
    return (chance >> 16) % sides;
}

void arm_calls(void)
{
    pthread_mutex_lock(&lock);
    armed = 1;
    pthread_mutex_unlock(&lock);
}

static int draw_wait(void)
{
    return (int)draw_chance(slowest && draw_chance(16) == 0 ? slowest : 6);
}

static int is_failing(struct dal_link *link)
{
    if (!abandoned && !lost[link->rank] && (!armed || ++calls != fail_at))
        return 0;
    snprintf(link->why, sizeof(link->why),
             lost[link->rank] ? "the link was lost" : "as it was told to");
    return 1;
}

/* Somebody may have sent a message over it already. */
static struct dal_link *make_link(struct fake_link *peers, int rank, int number)
{
    struct fake_link *made = &peers[rank];
    made->link =
        (struct dal_link){.transport = &fake, .rank = rank, .count = rank_count, .number = number};
    made->peers = peers;
    return &made->link;
}

static int open_fake(struct dal_link **link, char *why)
{
    (void)why;
    pthread_mutex_lock(&lock);
    *link = make_link(links[0], opened++, 0);
    pthread_mutex_unlock(&lock);
    return DAL_OK;
}

static void finish_later(struct fake_link *link, struct dal_transfer *transfer)
{
    struct finish *finish = calloc(1, sizeof(*finish));
    *finish = (struct finish){link->finishing, transfer, (int)draw_chance(4)};
    link->finishing = finish;
}

static int duplicate_fake(struct dal_link *link, int number, struct dal_link **copy,
                          struct dal_transfer *transfer)
{
    int status = DAL_ERR_NODE;
    pthread_mutex_lock(&lock);
    transfer->done = 0;
    if (!is_failing(link)) {
        *copy = make_link(links[++copied[link->rank]], link->rank, number);
        finish_later((struct fake_link *)link, transfer);
        status = DAL_OK;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

static int send_fake(struct dal_link *link, int rank, int tag, const void *bytes, size_t count,
                     struct dal_transfer *transfer)
{
    struct mail *mail = calloc(1, sizeof(*mail) + count), **last;
    int status = DAL_ERR_NODE;
    pthread_mutex_lock(&lock);
    if (!is_failing(link)) {
        *mail = (struct mail){.from = link->rank, .tag = tag, .wait = draw_wait(), .bytes = count};
        transfer->done = 0;
        too_large += most && dal__tag_say(tag) == DAL_SAY_DATA && count > most * sizeof(uint64_t);
        if (draw_chance(2) || holds) {
            mail->where = bytes;
            mail->transfer = transfer;
        } else {
            memcpy(mail->copy, bytes, count);
            finish_later((struct fake_link *)link, transfer);
        }
        for (last = &((struct fake_link *)link)->peers[rank].box; *last; last = &(*last)->next)
            ;
        *last = mail;
        mail = NULL;
        status = DAL_OK;
    }
    pthread_mutex_unlock(&lock);
    free(mail);
    return status;
}

static void finish_due(struct fake_link *link)
{
    struct finish **at = &link->finishing;
    while (*at) {
        struct finish *finish = *at;
        if (finish->wait-- > 0) {
            at = &finish->next;
            continue;
        }
        finish->transfer->done = 1;
        *at = finish->next;
        free(finish);
    }
}

static int is_held(const struct mail *mail)
{
    return holds && dal__tag_say(mail->tag) == DAL_SAY_DATA;
}

/* Is a message in front of this one that it may not overtake? */
static int is_behind(const struct mail *first, const struct mail *mail)
{
    for (; first != mail; first = first->next)
        if (!first->taken && !is_held(first) && first->from == mail->from)
            return 1;
    return 0;
}

static int poll_fake(struct dal_link *link, struct dal_message *message)
{
    struct fake_link *own = (struct fake_link *)link;
    struct mail *mail;
    int found = 0;
    pthread_mutex_lock(&lock);
    finish_due(own);
    if (is_failing(link))
        found = DAL_ERR_NODE;
    for (mail = own->box; message && found == 0 && mail; mail = mail->next) {
        if (mail->taken || is_held(mail) || mail->wait-- > 0 || is_behind(own->box, mail))
            continue;
        mail->taken = found = 1;
        *message = (struct dal_message){mail->from, mail->tag, mail->bytes, mail};
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static int receive_fake(struct dal_link *link, const struct dal_message *message, void *to,
                        struct dal_transfer *transfer)
{
    struct fake_link *own = (struct fake_link *)link;
    struct mail *mail = message->handle, **at = &own->box;
    int status = DAL_OK;
    pthread_mutex_lock(&lock);
    while (*at != mail)
        at = &(*at)->next;
    *at = mail->next;
    transfer->done = 0;
    if (is_failing(link)) {
        status = DAL_ERR_NODE;
    } else {
        memcpy(to, mail->where ? mail->where : mail->copy, mail->bytes);
        finish_later(own, transfer);
        if (mail->transfer)
            finish_later(&own->peers[mail->from], mail->transfer);
    }
    pthread_mutex_unlock(&lock);
    free(mail);
    return status;
}

static void forget_finishing(struct fake_link *link)
{
    while (link->finishing) {
        struct finish *finish = link->finishing;
        link->finishing = finish->next;
        free(finish);
    }
}

/* What was under way is forgotten: its bytes may be gone. */
static int close_fake(struct dal_link *link, int orderly)
{
    struct fake_link *own = (struct fake_link *)link;
    struct mail *mail;
    pthread_mutex_lock(&lock);
    torn += !orderly;
    lost[link->rank] |= !orderly;
    left_behind += orderly && !holds && (own->finishing || own->box);
    for (int i = 0; i < RANKS; i++)
        for (mail = own->peers[i].box; mail; mail = mail->next) {
            mail->where = mail->from == link->rank ? NULL : mail->where;
            mail->transfer = mail->from == link->rank ? NULL : mail->transfer;
        }
    forget_finishing(own);
    pthread_mutex_unlock(&lock);
    return DAL_OK;
}

void forget_all(void)
{
    for (int i = 0; i < RANKS; i++)
        for (int k = 0; k <= COPIES; k++) {
            struct fake_link *link = &links[k][i];
            while (link->box) {
                struct mail *mail = link->box;
                link->box = mail->next;
                free(mail);
            }
            forget_finishing(link);
        }
    memset(copied, 0, sizeof(copied));
    memset(lost, 0, sizeof(lost));
    opened = armed = abandoned = 0;
    calls = left_behind = torn = 0;
}

const struct dal_transport fake = {.name = "threads",
                                   .launcher = "threads -n",
                                   .open = open_fake,
                                   .duplicate = duplicate_fake,
                                   .send = send_fake,
                                   .poll = poll_fake,
                                   .receive = receive_fake,
                                   .close = close_fake};
