/* The bits of a station that sends its name, eight letters, and a text. Each firing gives one. */
#include "dal.h"
#include "rds.h"
#include <string.h>

enum { NAME = 8, TEXT = 64, STATION = 0xd3a1 };

struct _local_states {
    long groups, group;
    uint32_t version; /* VERSION_B or 0 */
    uint32_t blocks[BLOCKS];
    int bit; /* of the group */
    unsigned char before, name[NAME], text[TEXT + 1];
};

static void copy_padded(unsigned char *to, const char *from, size_t size, char pad)
{
    memset(to, pad, size);
    memcpy(to, from, strlen(from) < size ? strlen(from) : size);
}

void Encode_init(DALProcess *p)
{
    struct _local_states *s = p->local;

    copy_padded(s->name, DAL_getParameter("name", p), NAME, ' ');
    copy_padded(s->text, DAL_getParameter("text", p), TEXT, END);
    s->text[TEXT] = END;
    s->version = *DAL_getParameter("version", p) == 'B' ? VERSION_B : 0;
    DAL_getParameterInt("groups", &s->groups, p);
}

static uint32_t two_letters(const unsigned char *part)
{
    return (uint32_t)(part[0] << 8 | part[1]);
}

/* The groups of a text with its end, behind which nothing is sent. */
static long groups_of_text(const unsigned char *text, long letters)
{
    long groups = (const unsigned char *)memchr(text, END, TEXT + 1) - text;

    groups = groups / letters + 1;
    return groups < TEXT / 4 ? groups : TEXT / 4;
}

/* Every other group has two letters of the name (type 0), the others some of the text (2): four, or
 * two in version B, which has the station once more in their place. */
static void make_group(struct _local_states *s)
{
    uint32_t information[BLOCKS] = {STATION, s->version, STATION};
    long number = s->group / 2, letters = s->version ? 2 : 4;

    if (s->group++ % 2 == 0) {
        information[1] |= (uint32_t)(number % (NAME / 2));
        if (!s->version)
            information[2] = 0xe0cd; /* no other frequencies */
        information[3] = two_letters(s->name + number % (NAME / 2) * 2);
    } else {
        long place = number % groups_of_text(s->text, letters);
        information[1] |= 2u << 12 | (uint32_t)place;
        if (!s->version)
            information[2] = two_letters(s->text + place * 4);
        information[3] = two_letters(s->text + place * letters + letters - 2);
    }
    for (int i = 0; i < BLOCKS; i++)
        s->blocks[i] = information[i] << CHECK_BITS |
                       (rds_check(information[i]) ^ rds_offset(i, information[1]));
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
