/* Follow: resamples by a ratio that keeps as many frames waiting as `middle` says. More of them
 * wait when the first clock is faster; then each output takes a little more of the input. */
#include "dal.h"

#include <math.h>
#include <samplerate.h>

enum converter {
    converter_fastest = SRC_SINC_FASTEST,
    converter_medium = SRC_SINC_MEDIUM_QUALITY,
    converter_best = SRC_SINC_BEST_QUALITY
};
#define CONVERTER_OF(name)    converter_##name
#define CONVERTER_NAMED(name) CONVERTER_OF(name)

enum { CHANNELS = VAR_channels, ROOM = CHANNELS * (2 * VAR_middle + VAR_block) };

struct _local_states {
    SRC_STATE *converter;
    int samples;         /* in `in` */
    int is_over;         /* no more come */
    double frames;       /* that came and were not played; some are in the converter */
    double most, time_s; /* the former as a part of 1 */
    double error;        /* frames above the middle, smoothed */
    double drift;        /* found so far: how much faster the first clock is, as a part of 1 */
    double step;         /* frames of the input for one of the output */
    long empty;          /* how often it ran empty */
    float in[ROOM], out[CHANNELS * VAR_block];
};

void Follow_init(DALProcess *p)
{
    LocalState s = p->local;
    int error;

    if (DAL_getParameterDouble("most", &s->most, p) != 0 ||
        DAL_getParameterDouble("time", &s->time_s, p) != 0)
        return;
    s->most *= 1e-6;
    s->step = 1;
    s->converter = src_new(CONVERTER_NAMED(VAR_quality), CHANNELS, &error);
    if (!s->converter)
        DAL_fail(p, "libsamplerate: %s", src_strerror(error));
}

/* ---- the loop -------------------------------------------------------------------------------- */

static double limited(double value, double most)
{
    return fmin(most, fmax(-most, value));
}

/*
 * A loop of second order, critically damped (Gardner, Phaselock Techniques). It settles in some six
 * times its time. Frames come in bursts, so the error is smoothed first, by a pole far enough out
 * to leave the loop stable.
 */
static void steer(LocalState s)
{
    const double block_s = (double)VAR_block / VAR_rate;
    const double seconds = s->error / VAR_rate; /* above the middle */

    s->error += (s->frames - VAR_middle - s->error) * fmin(1, 8 * block_s / s->time_s);
    s->drift += seconds * block_s / (s->time_s * s->time_s);
    s->drift = limited(s->drift, s->most);
    s->step = 1 + limited(s->drift + 2 * seconds / s->time_s, s->most);
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Takes what is there, and waits until there are so many frames. */
static void take_frames(LocalState s, double least, DALProcess *p)
{
    int is_there = 1, got = 1;

    while (s->samples < ROOM && got > 0) {
        if (s->frames >= least)
            is_there = DAL_rtest(PORT_in, sizeof(float), p);
        if (is_there == 0)
            return;
        got = is_there < 0 ? 0
                           : DAL_read_some(PORT_in, s->in + s->samples,
                                           (int)sizeof(float) * (ROOM - s->samples), p);
        got /= (int)sizeof(float);
        s->samples += got;
        s->frames += (double)got / CHANNELS;
    }
    s->is_over |= got <= 0;
}

/* Converts what was taken, behind `done` frames of the output. Returns how many are done then, or
 * -1. */
static int convert_frames(LocalState s, int done, DALProcess *p)
{
    SRC_DATA data = {.data_in = s->in,
                     .data_out = s->out + done * CHANNELS,
                     .input_frames = s->samples / CHANNELS,
                     .output_frames = VAR_block - done,
                     .end_of_input = s->is_over,
                     .src_ratio = 1 / s->step};
    int error = src_set_ratio(s->converter, data.src_ratio);

    if (error == 0)
        error = src_process(s->converter, &data);
    if (error != 0) {
        DAL_fail(p, "libsamplerate: %s", src_strerror(error));
        return -1;
    }
    s->samples -= (int)data.input_frames_used * CHANNELS;
    memmove(s->in, s->in + data.input_frames_used * CHANNELS, (size_t)s->samples * sizeof(*s->in));
    s->frames -= (double)data.output_frames_gen * s->step;
    return done + (int)data.output_frames_gen;
}

/* It ran empty, or has not begun: waits until the middle is there, and one frame more than were
 * too few. */
static void fill_up(LocalState s, DALProcess *p)
{
    take_frames(s, fmax(VAR_middle, s->frames + 1), p);
    s->error = 0;
}

int Follow_fire(DALProcess *p)
{
    LocalState s = p->local;
    int done = 0, was_over;

    if (!s->converter)
        return 1;
    take_frames(s, 0, p);
    if (!s->is_over)
        steer(s);
    do {
        was_over = s->is_over;
        done = convert_frames(s, done, p);
        if (done >= 0 && done < VAR_block && !was_over) {
            s->empty += !s->is_over;
            fill_up(s, p);
        }
    } while (done >= 0 && done < VAR_block && !was_over);
    if (done > 0)
        DAL_write(PORT_out, s->out, (int)sizeof(float) * CHANNELS * done, p);
    return done < VAR_block;
}

void Follow_finish(DALProcess *p)
{
    LocalState s = p->local;

    if (s->converter)
        src_delete(s->converter);
    if (s->empty > 1) /* it begins empty */
        fprintf(stderr, "asrc: it ran empty %ld times\n", s->empty - 1);
}
