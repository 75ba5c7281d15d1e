/* Opens sound devices of ALSA. */
#ifndef SOUND_DEVICE_H
#define SOUND_DEVICE_H

#include "dal.h"

#include <alsa/asoundlib.h>

/* How long a device may do nothing, before that is an error. */
enum { SILENT_MS = 5000 };

/* ALSA writes its own messages to standard error; the one that counts is DAL_fail()'s. */
static inline void drop_message(const char *file, int line, const char *function, int error,
                                const char *format, ...)
{
    (void)file;
    (void)line;
    (void)function;
    (void)error;
    (void)format;
}

/* Opens a device for samples of VAR_type. Returns NULL after DAL_fail(). */
static inline snd_pcm_t *open_device(const char *name, snd_pcm_stream_t stream, DALProcess *p)
{
    const snd_pcm_format_t format = (VAR_type)0.5f != 0 ? SND_PCM_FORMAT_FLOAT : SND_PCM_FORMAT_S16;
    snd_pcm_t *device = NULL;
    int error;

    snd_lib_error_set_handler(drop_message);
    error = snd_pcm_open(&device, name, stream, SND_PCM_NONBLOCK);
    if (error < 0) {
        DAL_fail(p, "sound device %s: %s", name, snd_strerror(error));
        return NULL;
    }
    error = snd_pcm_set_params(device, format, SND_PCM_ACCESS_RW_INTERLEAVED, VAR_channels,
                               VAR_rate, 1, VAR_latency * 1000U);
    if (error >= 0)
        return device;
    DAL_fail(p, "sound device %s: it has no %d channels of %d Hz: %s", name, VAR_channels, VAR_rate,
             snd_strerror(error));
    snd_pcm_close(device);
    return NULL;
}

/* Waits until a device has samples, or takes some. Returns 0; or an error of ALSA, as when it does
 * nothing for too long. */
static inline int await_device(snd_pcm_t *device)
{
    int ready = snd_pcm_wait(device, SILENT_MS);

    return ready == 0 ? -ETIMEDOUT : ready < 0 ? ready : 0;
}

#endif
