/*
 * Stereo: left and right from the bands of the multiplex; the arithmetic is in stereo.h.
 *
 * Parameters: emphasis, the time constant in microseconds (50 in Europe, 75 in America, 0 none);
 * mono, 1 for left + right at both sides. Where most of the sound is without a pilot, a line
 * at the end says so: the recording may not be what radio.h has.
 */
#include "dal.h"
#include "stereo.h"

struct _local_states {
    struct stereo stereo;
    int broken;
    double blocks, pilots; /* blocks that came, and those with a pilot at their end */
};

void Stereo_init(DALProcess *p)
{
    long us = 50, mono = 0;

    if (DAL_getParameterInt("emphasis", &us, p) != 0 || DAL_getParameterInt("mono", &mono, p) != 0)
        p->local->broken = 1;
    else if (us != 0 && us != 50 && us != 75) {
        DAL_fail(p, "emphasis is 50, 75 or 0, not %ld", us);
        p->local->broken = 1;
    }
    stereo_init(&p->local->stereo, (double)us, mono != 0);
}

int Stereo_fire(DALProcess *p)
{
    float *in, *out;

    if (p->local->broken)
        return 1;
    in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    if (!in || !out)
        return 1;
    stereo_block(&p->local->stereo, in, out, VAR_block);
    p->local->blocks++;
    p->local->pilots += stereo_has_pilot(&p->local->stereo);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}

void Stereo_finish(DALProcess *p)
{
    LocalState s = p->local;

    if (!s->broken && !s->stereo.mono && s->blocks * VAR_block >= RATE_AUDIO / 2 &&
        s->pilots < s->blocks / 2)
        fprintf(stderr,
                "no pilot: a station in mono, or no recording of %d samples/s with the station %d "
                "kHz above the middle\n",
                RATE_SAMPLES, RATE_SAMPLES / 4000);
}
