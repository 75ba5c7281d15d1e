/* Record: what a sound device hears. */
#include "dal.h"
#include "../common/sound_device.h"

enum overrun { overrun_fail, overrun_skip };
#define OVERRUN_OF(name)    overrun_##name
#define OVERRUN_NAMED(name) OVERRUN_OF(name)
static const enum overrun wanted = OVERRUN_NAMED(VAR_overrun);

struct _local_states {
    const char *name;
    snd_pcm_t *device; /* NULL: not open */
    long frames, done; /* the former 0: without end */
    long gaps;
};

void Record_init(DALProcess *p)
{
    LocalState s = p->local;
    int error;

    s->name = DAL_getParameter("device", p);
    if (DAL_getParameterInt("frames", &s->frames, p) != 0)
        return;
    DAL_setClock(1.0 * VAR_rate * VAR_channels, p);
    s->device = open_device(s->name, SND_PCM_STREAM_CAPTURE, p);
    error = s->device ? snd_pcm_start(s->device) : 0;
    if (error < 0)
        DAL_fail(p, "sound device %s: %s", s->name, snd_strerror(error));
}

/* Goes on behind a gap, if that is allowed. Returns 0, or an error of ALSA. */
static int heed_overrun(LocalState s, int error)
{
    if (error != -EPIPE || wanted == overrun_fail)
        return error;
    s->gaps++;
    error = snd_pcm_recover(s->device, error, 1);
    return error < 0 ? error : snd_pcm_start(s->device);
}

/* Records frames. Returns 0, or an error of ALSA. */
static int record_frames(LocalState s, VAR_type *out, snd_pcm_uframes_t frames)
{
    snd_pcm_uframes_t done = 0;
    snd_pcm_sframes_t got;
    int error = 0;

    while (done < frames && error >= 0) {
        got = snd_pcm_readi(s->device, out + done * VAR_channels, frames - done);
        if (got > 0)
            done += (snd_pcm_uframes_t)got;
        else
            error = got == 0 || got == -EAGAIN ? await_device(s->device) : (int)got;
        if (error < 0)
            error = heed_overrun(s, error);
    }
    return error < 0 ? error : 0;
}

int Record_fire(DALProcess *p)
{
    LocalState s = p->local;
    VAR_type *out = DAL_WRITE_TOKENS(VAR_type, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    int error;

    if (!out || !s->device || (s->frames && s->frames - s->done < VAR_block))
        return 1;
    error = record_frames(s, out, VAR_block);
    if (error < 0) {
        DAL_fail(p, "sound device %s: %s", s->name,
                 error == -EPIPE ? "samples came faster than they were taken"
                                 : snd_strerror(error));
        return 1;
    }
    DAL_write_end(PORT_out, out, p);
    s->done += VAR_block;
    return 0;
}

void Record_finish(DALProcess *p)
{
    if (p->local->device)
        snd_pcm_close(p->local->device);
    if (p->local->gaps)
        fprintf(stderr, "sound device %s: %ld gaps\n", p->local->name, p->local->gaps);
}
