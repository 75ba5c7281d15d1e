/*
 * Source: the samples of a file, block by block.
 *
 * The file has pairs of unsigned bytes, I and Q, as receivers on USB sticks record them: 1024000
 * pairs a second, with the station 256 kHz above the middle. Parameters: input, its name; loop, how
 * often it is played, 0 = for ever. The end is filled with silence up to 16 blocks, a whole cycle
 * of the resampler.
 */
#include "dal.h"
#include "radio.h"

#include <errno.h>

struct _local_states {
    FILE *file;
    const char *name;
    long loop;  /* still to play, this time included; 0: for ever */
    int broken; /* told */
    int begun;
    int ended;
    unsigned blocks;  /* sent of the cycle */
    long long played; /* bytes of this time */
};

void Source_init(DALProcess *p)
{
    LocalState s = p->local;

    s->name = DAL_getParameter("input", p);
    s->loop = 1;
    s->broken = 1;
    if (DAL_getParameterInt("loop", &s->loop, p) != 0)
        return;
    if (s->loop < 0)
        DAL_fail(p, "loop is how often the file is played, or 0, not %ld", s->loop);
    else if (!s->name || !*s->name)
        DAL_fail(p, "no file: -p Source.input=FILE names one");
    else if (!(s->file = fopen(s->name, "rb")))
        DAL_fail(p, "%s: %s", s->name, strerror(errno));
    else
        s->broken = 0;
}

/* At the end of the file: is there another time to play it? */
static int play_again(DALProcess *p)
{
    LocalState s = p->local;

    if (ferror(s->file))
        DAL_fail(p, "%s: %s", s->name, strerror(errno));
    else if (s->played == 0)
        DAL_fail(p, "%s has no samples", s->name);
    else if (s->played % 2 != 0)
        DAL_fail(p, "%s: its last sample is half a one", s->name);
    else if (s->loop != 1) {
        s->loop -= s->loop > 0;
        s->played = 0;
        rewind(s->file);
        return 1;
    } else
        s->ended = 1;
    s->broken = !s->ended;
    return 0;
}

/* Of all that is no recording, a WAV file is what is given most easily. */
static void refuse_wav(DALProcess *p, const unsigned char *first)
{
    LocalState s = p->local;

    if (memcmp(first, "RIFF", 4) != 0)
        return;
    DAL_fail(p, "%s is a WAV file; a recording is pairs of bytes alone", s->name);
    s->broken = 1;
}

/* Reads up to `bytes`; how many there were. */
static size_t read_samples(DALProcess *p, unsigned char *to, size_t bytes)
{
    LocalState s = p->local;
    size_t have = 0;

    while (have < bytes && !s->ended && !s->broken) {
        size_t some = fread(to + have, 1, bytes - have, s->file);
        have += some;
        s->played += (long long)some;
        if (have < bytes && !play_again(p))
            break;
    }
    return have;
}

int Source_fire(DALProcess *p)
{
    LocalState s = p->local;
    unsigned char *out;
    size_t have, i;

    if (s->broken || (s->ended && s->blocks == 0))
        return 1;
    out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    if (!out)
        return 1;
    have = read_samples(p, out, TOKEN_out_SIZE);
    if (!s->begun && have >= 4)
        refuse_wav(p, out);
    s->begun = 1;
    if (s->broken || (have == 0 && s->blocks == 0))
        return 1;
    for (i = 0; i < TOKEN_out_SIZE; i++)
        out[i] ^= 0x80;
    memset(out + have, 0, TOKEN_out_SIZE - have);
    s->blocks = (s->blocks + 1) % DOWN;
    DAL_write_end(PORT_out, out, p);
    return 0;
}

void Source_finish(DALProcess *p)
{
    if (p->local->file)
        fclose(p->local->file);
}
