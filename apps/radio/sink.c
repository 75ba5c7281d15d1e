/*
 * Sink: writes the sound, a WAV file of 48 kHz in stereo.
 *
 * Parameters: output, its name, none for no file; format, 16 (16-bit numbers) or 32 (floats,
 * nothing is rounded). The last line tells how long it is and how long that took. A file that
 * cannot be written ends the program with an error. So does one that is there and is no WAV file:
 * it may be the recording that is read, which never is one.
 */
#include "dal.h"
#include "clock.h"
#include "radio.h"

#include <sys/stat.h>

#if defined(__has_include)
#if !__has_include(<sndfile.h>)
#error "Sink writes its file with libsndfile, which is missing (Debian package: libsndfile1-dev)"
#endif
#endif
#include <sndfile.h>

struct _local_states {
    SNDFILE *file; /* NULL: none wanted */
    const char *name;
    int broken;
    double samples; /* pairs that came */
    double start;   /* s */
};

/* Is this a file that has something else in it than sound? */
static int has_other(const char *name)
{
    struct stat status;
    char first[4] = "";
    FILE *file;

    if (stat(name, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return 0;
    file = fopen(name, "rb");
    if (!file)
        return 0; /* nor can it be written, perhaps */
    if (fread(first, 1, sizeof(first), file) < sizeof(first))
        first[0] = '\0';
    fclose(file);
    return memcmp(first, "RIFF", sizeof(first)) != 0;
}

/* Without the peak chunk, in which there is the time of day: the same sound is the same file. */
static void open_file(DALProcess *p, int format)
{
    SF_INFO info = {.samplerate = RATE_AUDIO, .channels = 2, .format = SF_FORMAT_WAV | format};
    LocalState s = p->local;

    if (has_other(s->name)) {
        DAL_fail(p, "%s is there and is no WAV file: it is not written over", s->name);
        s->broken = 1;
        return;
    }
    s->file = sf_open(s->name, SFM_WRITE, &info);
    if (!s->file) {
        DAL_fail(p, "%s: %s", s->name, sf_strerror(NULL));
        s->broken = 1;
        return;
    }
    sf_command(s->file, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    sf_command(s->file, SFC_SET_CLIPPING, NULL, SF_TRUE);
}

void Sink_init(DALProcess *p)
{
    LocalState s = p->local;
    long format = 16;

    s->start = seconds();
    s->name = DAL_getParameter("output", p);
    if (DAL_getParameterInt("format", &format, p) != 0)
        s->broken = 1;
    else if (format != 16 && format != 32) {
        DAL_fail(p, "format is 16 or 32, not %ld", format);
        s->broken = 1;
    } else if (s->name && *s->name)
        open_file(p, format == 16 ? SF_FORMAT_PCM_16 : SF_FORMAT_FLOAT);
}

int Sink_fire(DALProcess *p)
{
    LocalState s = p->local;
    float *in;

    if (s->broken)
        return 1;
    in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    if (!in)
        return 1;
    if (s->file && sf_writef_float(s->file, in, VAR_block) != VAR_block) {
        DAL_fail(p, "%s cannot be written: %s", s->name, sf_strerror(s->file));
        s->broken = 1;
        return 1;
    }
    s->samples += VAR_block;
    DAL_read_end(PORT_in, in, p);
    return 0;
}

void Sink_finish(DALProcess *p)
{
    LocalState s = p->local;
    double sound = s->samples / RATE_AUDIO, time = seconds() - s->start;

    if (s->file && sf_close(s->file) != 0 && !s->broken)
        DAL_fail(p, "%s cannot be written to its end", s->name);
    fprintf(stderr, "%.3f s of sound in %.3f s, %.1f million samples/s\n", sound, time,
            time > 0 ? 1e-6 * sound * RATE_SAMPLES / time : 0.0);
}
