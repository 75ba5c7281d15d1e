/* Read: the samples of a sound file, from the first to the last. A file that has fewer than its
 * header says is an error: libsndfile alone would take what is there for the whole. */
#include "dal.h"
#include "../common/input_file.h"

#include <math.h>
#include <sndfile.h>

/* What is read at once, in samples. */
enum { FRAMES = VAR_channels < 4096 ? 4096 / VAR_channels : 1, SAMPLES = FRAMES * VAR_channels };

struct _local_states {
    const char *name;
    SNDFILE *file; /* NULL: not open */
    sf_count_t left;
    int at, held; /* in the buffer */
    float buffer[SAMPLES];
};

static uint64_t number(const unsigned char *at, int bytes, int is_little)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value = value << 8 | at[is_little ? bytes - 1 - i : i];
    return value;
}

/* A writer into a pipe does not know the length, and writes one of these. */
static int is_open_ended(uint64_t size)
{
    return size == 0 || size >= 0x7ffff000;
}

/* Are the samples of a RIFF file all there? Looks through its chunks for "data". */
static int has_all_of_riff(int fd, uint64_t bytes, int is_little)
{
    unsigned char head[8];
    uint64_t at = 12, size;

    while (at + 8 <= bytes && pread(fd, head, 8, (off_t)at) == 8) {
        size = number(head + 4, 4, is_little);
        if (memcmp(head, "data", 4) == 0)
            return is_open_ended(size) || size <= bytes - at - 8;
        at += 8 + size + size % 2;
    }
    return 0;
}

/* Is a file as long as its header says? FLAC, Ogg and the like are not asked here: they have
 * sums and counts of their own. */
static int is_whole(int fd, uint64_t bytes)
{
    unsigned char head[24] = {0};
    uint64_t size;

    if (pread(fd, head, sizeof(head), 0) < 0)
        return 0;
    if (memcmp(head, "RIFF", 4) == 0 || memcmp(head, "RIFX", 4) == 0)
        return has_all_of_riff(fd, bytes, head[3] == 'F');
    if (memcmp(head, "FORM", 4) == 0)
        return number(head + 4, 4, 0) <= bytes - 8;
    if (memcmp(head, ".snd", 4) == 0) {
        size = number(head + 8, 4, 0);
        return size == 0xffffffff || number(head + 4, 4, 0) + size <= bytes;
    }
    return memcmp(head, "riff", 4) != 0 || number(head + 16, 8, 1) <= bytes; /* Wave64 */
}

/* Is it the sound that was asked for? */
static int is_wanted(const SF_INFO *info, DALProcess *p)
{
    const char *name = p->local->name;

    if (info->channels != VAR_channels)
        DAL_fail(p, "%s has %d channels, and not %d", name, info->channels, VAR_channels);
    else if (VAR_rate && info->samplerate != VAR_rate)
        DAL_fail(p, "%s has %d frames a second, and not %d", name, info->samplerate, VAR_rate);
    else
        return 1;
    return 0;
}

void Read_init(DALProcess *p)
{
    LocalState s = p->local;
    SF_INFO info = {0};
    uint64_t bytes;
    int fd;

    s->name = DAL_getParameter("file", p);
    fd = open_input(s->name, &bytes, p);
    if (fd < 0)
        return;
    if (bytes && !is_whole(fd, bytes)) {
        DAL_fail(p, "%s is shorter than its header says", s->name);
        close(fd);
        return;
    }
    s->file = sf_open_fd(fd, SFM_READ, &info, 1);
    if (!s->file) {
        DAL_fail(p, "%s is no sound file: %s", s->name, sf_strerror(NULL));
        return;
    }
    if (!is_wanted(&info, p)) {
        sf_close(s->file);
        s->file = NULL;
        return;
    }
    s->left = info.frames;
    DAL_setLength((uint64_t)info.frames / VAR_block, p);
}

/* Reads on. Returns 0 at the end, or after DAL_fail(). */
static int fill_buffer(DALProcess *p)
{
    LocalState s = p->local;
    sf_count_t got = s->file && s->left ? sf_readf_float(s->file, s->buffer, FRAMES) : 0;

    if (s->file && s->left && sf_error(s->file))
        DAL_fail(p, "%s: %s", s->name, sf_strerror(s->file));
    else if (s->file && got < FRAMES && got < s->left)
        DAL_fail(p, "%s ends %lld frames before its end", s->name, (long long)(s->left - got));
    else {
        s->left -= got;
        s->at = 0;
        s->held = (int)got * VAR_channels;
        return s->held;
    }
    return 0;
}

static VAR_type sample(float x)
{
    if ((VAR_type)0.5f != 0)
        return (VAR_type)x;
    return (VAR_type)lrintf(fminf(fmaxf(x * 32768, -32768), 32767));
}

int Read_fire(DALProcess *p)
{
    LocalState s = p->local;
    VAR_type *out = DAL_WRITE_TOKENS(VAR_type, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    for (int i = 0; i < TOKEN_out_RATE; i++) {
        if (s->at == s->held && !fill_buffer(p))
            return 1;
        out[i] = sample(s->buffer[s->at++]);
    }
    DAL_write_end(PORT_out, out, p);
    return 0;
}

void Read_finish(DALProcess *p)
{
    if (p->local->file)
        sf_close(p->local->file);
}
