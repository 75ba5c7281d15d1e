/* Read: the samples of a sound file, from the first to the last. A file that has fewer than its
 * header says is an error. */
#include "dal.h"
#include "../common/input_file.h"
#include "mpeg.h"
#include "whole.h"

#include <math.h>

/* What is read at once, in samples. */
enum { FRAMES = VAR_channels < 4096 ? 4096 / VAR_channels : 1, SAMPLES = FRAMES * VAR_channels };

enum { IS_FLOAT = (VAR_type)0.5f != 0 };

/* What is read for a sample: of float itself, else what has all bits that are to be rounded. */
#define READ _Generic((VAR_type)0, float : sf_readf_float, default : sf_readf_double)
typedef __typeof__(_Generic((VAR_type)0, float : 0.0f, default : 0.0)) Heard;

struct _local_states {
    const char *name;
    struct patched source;
    SNDFILE *file;   /* NULL: not open */
    sf_count_t left; /* frames; or as many as may come */
    int is_endless;  /* the file does not say how many it has */
    int at, held;    /* in the buffer */
    Heard buffer[SAMPLES];
};

/* Is it the sound that was asked for? libsndfile reads no more of MPEG than its first frame says,
 * or than it guesses where that says nothing. */
static int is_wanted(const SF_INFO *info, const struct mpeg *mpeg, DALProcess *p)
{
    const char *name = p->local->name;

    if (info->channels != VAR_channels)
        DAL_fail(p, "%s has %d channels, and not %d", name, info->channels, VAR_channels);
    else if (VAR_rate && info->samplerate != VAR_rate)
        DAL_fail(p, "%s has %d frames a second, and not %d", name, info->samplerate, VAR_rate);
    else if (mpeg->told ? mpeg->frames > mpeg->told
                        : mpeg->frames * mpeg->samples > (uint64_t)info->frames)
        DAL_fail(p,
                 "%s does not say how long it is, or has more than it says: "
                 "ffmpeg -i %s -c copy NEW.mp3 writes one that does",
                 name, name);
    else
        return 1;
    return 0;
}

/* Opens the sound. Returns 0, or -1 after DAL_fail(). */
static int open_sound(DALProcess *p)
{
    LocalState s = p->local;
    const char *fault = dal_part_find_fault(&s->source);
    struct mpeg mpeg = dal_part_count_mpeg(s->source.fd, s->source.bytes);
    SF_INFO info = {0};

    if (fault) {
        DAL_fail(p, "%s %s", s->name, fault);
        return -1;
    }
    s->file = dal_part_open_patched(&s->source, &info);
    if (!s->file) {
        DAL_fail(p, "%s is no sound file: %s", s->name, sf_strerror(NULL));
        return -1;
    }
    if (!is_wanted(&info, &mpeg, p)) {
        sf_close(s->file);
        s->file = NULL;
        return -1;
    }
    s->is_endless = info.frames <= 0 || info.frames == SF_COUNT_MAX || (mpeg.frames && !mpeg.told);
    s->left = s->is_endless ? SF_COUNT_MAX : info.frames;
    return 0;
}

void Read_init(DALProcess *p)
{
    LocalState s = p->local;

    s->name = DAL_getParameter("file", p);
    s->source.fd = open_input(s->name, &s->source.bytes, p);
    if (s->source.fd >= 0 && open_sound(p) == 0 && !s->is_endless)
        DAL_setLength((uint64_t)s->left / VAR_block, p);
}

/* Reads the next FRAMES, or those that are left. Returns how many samples they have: 0 at the end,
 * or after DAL_fail(). */
static int read_on(Heard *to, DALProcess *p)
{
    LocalState s = p->local;
    sf_count_t got = s->file && s->left ? READ(s->file, to, FRAMES) : 0;

    if (s->source.error)
        DAL_fail(p, "%s: %s", s->name, strerror(s->source.error));
    else if (s->file && s->left && sf_error(s->file))
        DAL_fail(p, "%s: %s", s->name, sf_strerror(s->file));
    else if (s->file && !s->is_endless && got < FRAMES && got < s->left)
        DAL_fail(p, "%s ends %lld frames before its end", s->name, (long long)(s->left - got));
    else {
        s->left -= got;
        return (int)got * VAR_channels;
    }
    return 0;
}

static VAR_type sample(Heard x)
{
    if (IS_FLOAT)
        return (VAR_type)x;
    return (VAR_type)lrint(fmin(fmax(x * 32768, -32768), 32767));
}

/* Hands out at most so many samples of the buffer, which it fills first if it is empty. Returns as
 * read_on(). */
static int take_held(VAR_type *out, int most, DALProcess *p)
{
    LocalState s = p->local;
    int count;

    if (s->at == s->held) {
        s->held = read_on(s->buffer, p);
        s->at = 0;
    }
    count = s->held - s->at < most ? s->held - s->at : most;
    for (int k = 0; k < count; k++)
        out[k] = sample(s->buffer[s->at + k]);
    s->at += count;
    return count;
}

int Read_fire(DALProcess *p)
{
    LocalState s = p->local;
    VAR_type *out = DAL_WRITE_TOKENS(VAR_type, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    for (int i = 0, count; i < TOKEN_out_RATE; i += count) {
        const int is_direct = IS_FLOAT && s->at == s->held && TOKEN_out_RATE - i >= SAMPLES;
        if (is_direct)
            count = read_on((Heard *)out + i, p);
        else
            count = take_held(out + i, TOKEN_out_RATE - i, p);
        if (!count)
            return 1;
    }
    DAL_write_end(PORT_out, out, p);
    return 0;
}

void Read_finish(DALProcess *p)
{
    if (p->local->file)
        sf_close(p->local->file);
    if (p->local->source.fd >= 0)
        close(p->local->source.fd);
}
