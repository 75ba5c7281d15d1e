/* Play: what comes, on a sound device. */
#include "dal.h"
#include "../common/sound_device.h"

enum underrun { underrun_skip, underrun_fail };
#define UNDERRUN_OF(name)    underrun_##name
#define UNDERRUN_NAMED(name) UNDERRUN_OF(name)
static const enum underrun wanted = UNDERRUN_NAMED(VAR_underrun);

struct _local_states {
    const char *name;
    snd_pcm_t *device; /* NULL: not open */
    long gaps;
};

void Play_init(DALProcess *p)
{
    LocalState s = p->local;

    s->name = DAL_getParameter("device", p);
    DAL_setClock(1.0 * VAR_rate * VAR_channels, p);
    s->device = open_device(s->name, SND_PCM_STREAM_PLAYBACK, p);
}

/* Goes on behind a gap, if that is allowed. Returns 0, or an error of ALSA. */
static int heed_underrun(LocalState s, int error)
{
    if (error != -EPIPE || wanted == underrun_fail)
        return error;
    s->gaps++;
    return snd_pcm_recover(s->device, error, 1);
}

/* Plays frames. Returns 0, or an error of ALSA. */
static int play_frames(LocalState s, const VAR_type *in, snd_pcm_uframes_t frames)
{
    snd_pcm_uframes_t done = 0;
    snd_pcm_sframes_t put;
    int error = 0;

    while (done < frames && error >= 0) {
        put = snd_pcm_writei(s->device, in + done * VAR_channels, frames - done);
        if (put > 0)
            done += (snd_pcm_uframes_t)put;
        else
            error = put == 0 || put == -EAGAIN ? await_device(s->device) : (int)put;
        if (error < 0)
            error = heed_underrun(s, error);
    }
    return error < 0 ? error : 0;
}

int Play_fire(DALProcess *p)
{
    LocalState s = p->local;
    const VAR_type *in = DAL_READ_TOKENS(VAR_type, in, TOKEN_in_RATE, p);
    int error;

    if (!in || !s->device)
        return 1;
    error = play_frames(s, in, VAR_block);
    if (error < 0) {
        DAL_fail(p, "sound device %s: %s", s->name,
                 error == -EPIPE ? "samples came too late" : snd_strerror(error));
        return 1;
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}

/* Waits until all has been heard, unless the run has failed. */
void Play_finish(DALProcess *p)
{
    LocalState s = p->local;
    int error = 0;

    if (!s->device)
        return;
    if (!DAL_has_failed(p)) {
        snd_pcm_nonblock(s->device, 0);
        error = snd_pcm_drain(s->device);
    }
    if (error < 0)
        DAL_fail(p, "sound device %s: %s", s->name, snd_strerror(error));
    snd_pcm_close(s->device);
    if (s->gaps)
        fprintf(stderr, "sound device %s: %ld gaps\n", s->name, s->gaps);
}
