/* The bits of a station that sends its name, eight letters, and a text. Each firing gives one. */
#include "dal.h"
#include "rds.h"
#include <string.h>

enum { NAME = 8, TEXT = 64, STATION = 0xd3a1 };

struct _local_states {
    long groups, group;
    uint32_t blocks[BLOCKS];
    int bit; /* of the group */
    unsigned char before, name[NAME], text[TEXT];
};

static void copy_padded(unsigned char *to, const char *from, size_t size)
{
    memset(to, ' ', size);
    memcpy(to, from, strlen(from) < size ? strlen(from) : size);
}

void Encode_init(DALProcess *p)
{
    struct _local_states *s = p->local;

    copy_padded(s->name, DAL_getParameter("name", p), NAME);
    copy_padded(s->text, DAL_getParameter("text", p), TEXT);
    DAL_getParameterInt("groups", &s->groups, p);
}

/* Every other group has two letters of the name (type 0A), the others four of the text (2A). */
static void make_group(struct _local_states *s)
{
    uint32_t information[BLOCKS] = {STATION};
    long number = s->group / 2;

    if (s->group++ % 2 == 0) {
        const unsigned char *part = s->name + number % (NAME / 2) * 2;
        information[1] = (uint32_t)(number % (NAME / 2));
        information[2] = 0xe0cd; /* no other frequencies */
        information[3] = (uint32_t)(part[0] << 8 | part[1]);
    } else {
        const unsigned char *part = s->text + number % (TEXT / 4) * 4;
        information[1] = 2u << 12 | (uint32_t)(number % (TEXT / 4));
        information[2] = (uint32_t)(part[0] << 8 | part[1]);
        information[3] = (uint32_t)(part[2] << 8 | part[3]);
    }
    for (int i = 0; i < BLOCKS; i++)
        s->blocks[i] = information[i] << CHECK_BITS | (rds_check(information[i]) ^ rds_offsets[i]);
}

int Encode_fire(DALProcess *p)
{
    struct _local_states *s = p->local;
    int block = s->bit / BLOCK_BITS, place = BLOCK_BITS - 1 - s->bit % BLOCK_BITS;

    if (s->bit == 0 && s->groups && s->group == s->groups)
        return 1;
    if (s->bit == 0)
        make_group(s);
    s->before ^= s->blocks[block] >> place & 1; /* a 1 is a change */
    s->bit = (s->bit + 1) % (BLOCKS * BLOCK_BITS);
    DAL_WRITE_TOKEN(out, &s->before, p);
    return 0;
}
