/* Write: a sound file of what comes. Its name's ending chooses the format. */
#include "dal.h"
#include "../common/output_file.h"

#include <math.h>
#include <sndfile.h>
#include <strings.h>

/* What is written at once, in samples. */
enum { FRAMES = VAR_channels < 4096 ? 4096 / VAR_channels : 1, SAMPLES = FRAMES * VAR_channels };

#define IS_REAL ((VAR_type)0.5f != 0)

/* As libsndfile 1.1 has them; an older one refuses them. */
enum { MPEG = 0x230000, MPEG_LAYER_3 = 0x82 };

static const struct format {
    const char *ending;
    int major, real; /* the latter for samples that are float; int16_t is stored as it is */
    int is_bounded;  /* its lengths have 32 bits */
} formats[] = {
    {".wav", SF_FORMAT_WAV, SF_FORMAT_FLOAT, 1},  {".flac", SF_FORMAT_FLAC, SF_FORMAT_PCM_24, 0},
    {".ogg", SF_FORMAT_OGG, SF_FORMAT_VORBIS, 0}, {".aiff", SF_FORMAT_AIFF, SF_FORMAT_FLOAT, 1},
    {".au", SF_FORMAT_AU, SF_FORMAT_FLOAT, 1},    {".w64", SF_FORMAT_W64, SF_FORMAT_FLOAT, 0},
    {".caf", SF_FORMAT_CAF, SF_FORMAT_FLOAT, 0},  {".mp3", MPEG, MPEG_LAYER_3, 0},
};

/* The most bytes of samples where lengths have 32 bits. */
static const uint64_t most_bytes = 0xffff0000;

struct _local_states {
    struct output_file output;
    int error;      /* of the first write that has failed, or 0 */
    SNDFILE *file;  /* NULL: not open */
    int coding;     /* of samples that are float */
    uint64_t bytes; /* of samples that may still be written */
    int held;       /* samples in the buffer */
    VAR_type buffer[SAMPLES];
};

static const struct format *find_format(const char *name)
{
    size_t length = strlen(name), ending;

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        ending = strlen(formats[i].ending);
        if (length > ending && strcasecmp(name + length - ending, formats[i].ending) == 0)
            return &formats[i];
    }
    return NULL;
}

/* Says what the file will be. Returns 0, or -1 after DAL_fail(). */
static int choose_format(const char *name, SF_INFO *info, DALProcess *p)
{
    const struct format *format = name ? find_format(name) : NULL;
    int is_packed;

    p->local->bytes = format && format->is_bounded ? most_bytes : UINT64_MAX;
    if (!format) {
        DAL_fail(p, "%s ends in none of .wav, .flac, .ogg, .mp3, .aiff, .au, .caf and .w64",
                 name ? name : "");
        return -1;
    }
    p->local->coding = format->real;
    info->channels = VAR_channels;
    info->samplerate = VAR_rate;
    is_packed = format->major == SF_FORMAT_OGG || format->major == MPEG;
    info->format = format->major | (IS_REAL || is_packed ? format->real : SF_FORMAT_PCM_16);
    if (sf_format_check(info))
        return 0;
    DAL_fail(p, "%s: a file of this kind has no %d channels of %d samples a second", name,
             VAR_channels, VAR_rate);
    return -1;
}

/* ---- the file, as libsndfile sees it --------------------------------------------------------- */

/* Some of its encoders do not tell what they could not write at the end. So the error is kept here.
 */

static sf_count_t count_sound_bytes(void *state)
{
    const struct _local_states *s = state;
    struct stat info;

    return fstat(s->output.fd, &info) == 0 ? info.st_size : -1;
}

static sf_count_t seek_sound(sf_count_t to, int whence, void *state)
{
    const struct _local_states *s = state;

    return lseek(s->output.fd, (off_t)to, whence);
}

static sf_count_t tell_sound(void *state)
{
    return seek_sound(0, SEEK_CUR, state);
}

static sf_count_t write_sound(const void *data, sf_count_t bytes, void *state)
{
    LocalState s = state;
    sf_count_t done = 0;

    while (done < bytes && !s->error) {
        ssize_t n = write(s->output.fd, (const char *)data + done, (size_t)(bytes - done));

        if (n >= 0)
            done += n;
        else if (errno != EINTR)
            s->error = errno;
    }
    return done;
}

/* ---- samples --------------------------------------------------------------------------------- */

static int refuse_sound(DALProcess *p)
{
    LocalState s = p->local;

    return refuse_output(&s->output, s->error ? strerror(s->error) : sf_strerror(s->file), p);
}

/* No chunk of peaks, which has the time of day. What was opened as AIFF has one already, whose
 * bytes would be samples behind a header without it. */
static void drop_peaks(LocalState s)
{
    sf_command(s->file, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    if (s->coding != SF_FORMAT_FLOAT)
        return;
    sf_command(s->file, SFC_UPDATE_HEADER_NOW, NULL, 0);
    if (ftruncate(s->output.fd, tell_sound(s)) != 0)
        s->error = errno;
}

void Write_init(DALProcess *p)
{
    SF_VIRTUAL_IO calls = {.get_filelen = count_sound_bytes,
                           .seek = seek_sound,
                           .write = write_sound,
                           .tell = tell_sound};
    LocalState s = p->local;
    const char *name = DAL_getParameter("file", p);
    SF_INFO info = {0};

    s->output.fd = -1;
    if (choose_format(name, &info, p) != 0 || open_output(&s->output, name, p) != 0)
        return;
    s->file = sf_open_virtual(&calls, SFM_WRITE, &info, s);
    if (!s->file) {
        refuse_sound(p);
        return;
    }
    drop_peaks(s);
    sf_command(s->file, SFC_SET_CLIPPING, NULL, SF_TRUE);
}

static sf_count_t write_buffer(SNDFILE *file, const VAR_type *buffer, int samples)
{
    return IS_REAL ? sf_write_float(file, (const float *)buffer, samples)
                   : sf_write_short(file, (const short *)buffer, samples);
}

/* Which sample has its coding not? Returns why, or NULL. FLAC has an infinite one as the loudest;
 * libsndfile tells nothing of a NaN in it. In LAME, which makes MP3, squares must stay finite. */
static const char *find_fault(LocalState s)
{
    if (!IS_REAL || s->coding == SF_FORMAT_FLOAT)
        return NULL;
    for (int i = 0; i < s->held; i++) {
        double sample = (double)s->buffer[i];
        if (isnan(sample))
            return "a sample is no number";
        if (fabs(sample) > 1e6 && s->coding != SF_FORMAT_PCM_24)
            return "a sample is louder than 1000000";
    }
    return NULL;
}

/* Writes what the buffer holds. Returns 0, or -1 after DAL_fail(). */
static int empty_buffer(DALProcess *p)
{
    LocalState s = p->local;
    const char *fault = find_fault(s);

    if (!s->file)
        return -1;
    if (fault)
        return refuse_output(&s->output, fault, p);
    if (s->bytes < sizeof(VAR_type) * (size_t)s->held)
        return refuse_output(&s->output, "it would have more than 4 GiB; .w64 may have them", p);
    if (write_buffer(s->file, s->buffer, s->held) != s->held || s->error)
        return refuse_sound(p);
    s->bytes -= sizeof(VAR_type) * (size_t)s->held;
    s->held = 0;
    return 0;
}

int Write_fire(DALProcess *p)
{
    LocalState s = p->local;
    const VAR_type *in = DAL_READ_TOKENS(VAR_type, in, TOKEN_in_RATE, p);

    for (int i = 0; i < TOKEN_in_RATE; i++) {
        if (s->held == SAMPLES && empty_buffer(p) != 0)
            return 1;
        s->buffer[s->held++] = in[i];
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}

/* Closes the file. Returns why it is not whole, or NULL. */
static const char *close_sound(LocalState s)
{
    if (s->file && sf_close(s->file) != 0 && !s->error)
        s->error = EIO;
    if (s->error)
        return strerror(s->error);
    return count_sound_bytes(s) == 0 ? "there are no samples, and such a file has some" : NULL;
}

void Write_finish(DALProcess *p)
{
    LocalState s = p->local;
    int is_whole = !DAL_has_failed(p) && empty_buffer(p) == 0;
    const char *fault = close_sound(s);

    if (fault && is_whole) {
        refuse_output(&s->output, fault, p);
        is_whole = 0;
    }
    if (s->output.fd >= 0)
        close_output(&s->output, is_whole, p);
}
