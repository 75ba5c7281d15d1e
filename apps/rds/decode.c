/* From eight complex samples of each bit to the name and the text of the station. */
#include "dal.h"
#include "rds.h"
#include <string.h>

enum { SAMPLES = 8, HALF = SAMPLES / 2, NAME = 8, TEXT = 64, MOST_BAD = 12 };

struct complex_number {
    float real, imaginary;
};

struct _local_states {
    struct complex_number last[SAMPLES];   /* the newest samples, a circle of them */
    struct complex_number before[SAMPLES]; /* what a bit was that began at this sample, one ago */
    float power[SAMPLES];                  /* of bits that begin there, on average */
    int at, begin;                         /* sample of the next; where bits begin */
    uint32_t bits;                         /* the newest is the lowest */
    int block, wait;                       /* the next block and bits until then; < 0: not known */
    int bad;                               /* blocks one behind the other that do not check */
    uint32_t information[BLOCKS];
    int is_whole; /* all blocks of this group did check so far */
    long groups, lost;
    uint32_t flag; /* of the text: another one says that it is a new text */
    char name[NAME + 1], text[TEXT + 1], told_name[NAME + 1], told_text[TEXT + 1];
};

void Decode_init(DALProcess *p)
{
    p->local->block = -1;
}

/* ---- letters --------------------------------------------------------------------------------- */

/* A letter that is safe on a terminal, or the end of the text. */
static char clean_letter(uint32_t letter)
{
    return letter == END || (letter >= ' ' && letter <= '~') ? (char)letter : '?';
}

static void put_letters(char *to, uint32_t two)
{
    to[0] = clean_letter(two >> 8);
    to[1] = clean_letter(two & 0xff);
}

/* Prints what is whole, perhaps up to its end, and new. */
static void tell(const char *what, const char *now, char *told, size_t size)
{
    const char *end = memchr(now, END, size);

    if (end)
        size = (size_t)(end - now);
    if (memchr(now, 0, size) || (memcmp(now, told, size) == 0 && !told[size]))
        return;
    memcpy(told, now, size);
    told[size] = '\0';
    for (; size && now[size - 1] == ' '; size--)
        ;
    DAL_printf("%s: %.*s\n", what, (int)size, now);
}

/* Of version B, groups have two letters. */
static void take_radio_text(struct _local_states *s, uint32_t place, size_t letters)
{
    char *to = s->text + place % 16 * letters;

    if ((place & 16) != s->flag)
        memset(s->text, 0, TEXT);
    s->flag = place & 16;
    if (letters == 4)
        put_letters(to, s->information[2]);
    put_letters(to + letters - 2, s->information[3]);
    tell("text", s->text, s->told_text, 16 * letters);
}

static void take_group(struct _local_states *s)
{
    uint32_t kind = s->information[1] >> 12, place = s->information[1];

    s->groups++;
    if (kind == 0) {
        put_letters(s->name + place % 4 * 2, s->information[3]);
        tell("name", s->name, s->told_name, NAME);
    } else if (kind == 2) {
        take_radio_text(s, place, place & VERSION_B ? 2 : 4);
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Do the newest bits check as this block? */
static int is_block(const struct _local_states *s, int block)
{
    uint32_t bits = s->bits & ((1u << BLOCK_BITS) - 1);

    return (rds_check(bits >> CHECK_BITS) ^ rds_offset(block, s->information[1])) ==
           (bits & ((1u << CHECK_BITS) - 1));
}

static void take_block(struct _local_states *s)
{
    int is_good = is_block(s, s->block);

    s->is_whole = (s->block == 0 || s->is_whole) && is_good;
    s->bad = is_good ? 0 : s->bad + 1;
    s->information[s->block] = s->bits >> CHECK_BITS & 0xffff;
    if (s->block == BLOCKS - 1 && s->is_whole)
        take_group(s);
    else if (s->block == BLOCKS - 1)
        s->lost++;
    s->block = s->bad > MOST_BAD ? -1 : (s->block + 1) % BLOCKS;
    s->wait = BLOCK_BITS;
}

static void take_bit(struct _local_states *s, int bit)
{
    s->bits = s->bits << 1 | (uint32_t)bit;
    if (s->block >= 0 && --s->wait == 0)
        take_block(s);
    else if (s->block < 0 && is_block(s, 0)) { /* the first of a group, perhaps */
        s->information[0] = s->bits >> CHECK_BITS & 0xffff;
        s->is_whole = s->block = 1;
        s->wait = BLOCK_BITS;
        s->bad = MOST_BAD; /* one more that is bad, and it was none */
    }
}

/* ---- bits ------------------------------------------------------------------------------------ */

/* The bit that ends with the newest sample: up in its first half, down in the second. */
static struct complex_number add_up(const struct _local_states *s)
{
    struct complex_number sum = {0, 0};

    for (int i = 0; i < SAMPLES; i++) {
        const struct complex_number *x = &s->last[(s->at + i) % SAMPLES];
        float sign = i < HALF ? 1 : -1;
        sum.real += sign * x->real;
        sum.imaginary += sign * x->imaginary;
    }
    return sum;
}

/* Bits begin where they are the strongest, once that is clear. */
static void find_begin(struct _local_states *s)
{
    int best = s->begin;

    for (int i = 0; i < SAMPLES; i++)
        if (s->power[i] > 1.1f * s->power[best])
            best = i;
    s->begin = best;
}

int Decode_fire(DALProcess *p)
{
    struct _local_states *s = p->local;
    struct complex_number in[SAMPLES];

    DAL_read(PORT_in, in, sizeof(in), p);
    for (int i = 0; i < SAMPLES; i++) {
        struct complex_number bit, *before = &s->before[i];
        s->last[s->at] = in[i];
        s->at = (s->at + 1) % SAMPLES;
        bit = add_up(s);
        s->power[i] += (bit.real * bit.real + bit.imaginary * bit.imaginary - s->power[i]) / 64;
        if (i == s->begin)
            take_bit(s, bit.real * before->real + bit.imaginary * before->imaginary < 0);
        *before = bit;
    }
    find_begin(s);
    return 0;
}

void Decode_finish(DALProcess *p)
{
    DAL_printf("%ld groups, %ld lost\n", p->local->groups, p->local->lost);
}
