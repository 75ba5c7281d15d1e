/*
 * Record: writes sums of energies over most frames, the largest energy of each frame, and the drift
 * of pedestals.
 *
 * Parameters: most, largest and drift, names of files (files.h), empty for none.
 */
#include "dal.h"
#include "sums.h"

#include <math.h>
#include <stdlib.h>

#define FRAME ((size_t)VAR_width * VAR_height)

struct _local_states {
    struct record most, largest, drift;
    float frames[VAR_frames]; /* the largest of each frame of the block, in the strips so far */
    float *away;              /* drift of each pixel */
    int broken;
};

void Record_init(DALProcess *p)
{
    LocalState s = p->local;

    s->broken = record_create(p, &s->most, "most", "dalstack") != 0 ||
                record_create(p, &s->largest, "largest", "dalpeaks") != 0 ||
                record_create(p, &s->drift, "drift", "daldrift") != 0;
    s->away = calloc(FRAME, sizeof(*s->away));
    if (!s->away) {
        DAL_fail(p, "out of memory");
        s->broken = 1;
    }
}

/* The largest of a strip join the others; behind the last strip they are those of the frames. */
static int take_largest(LocalState s, const uint32_t *token)
{
    const float *strip = (const float *)(token + HEAD_WORDS);
    int f, failed = 0;

    for (f = 0; f < VAR_frames; f++)
        if (token[HEAD_STRIP] == 0 || s->frames[f] < strip[f])
            s->frames[f] = strip[f];
    for (f = 0; f < VAR_frames && s->largest.file && token[HEAD_STRIP] == STRIPS - 1; f++)
        if (s->frames[f] > -INFINITY) {
            failed |= fwrite(&s->frames[f], sizeof(float), 1, s->largest.file) != 1;
            s->largest.count++;
        }
    return failed ? -1 : 0;
}

int Record_fire(DALProcess *p)
{
    LocalState s = p->local;
    uint32_t *most, *largest, *drift;
    int i, failed = 0;

    if (s->broken)
        return 1;
    most = DAL_read_begin(PORT_most, TOKEN_most_SIZE, TOKEN_most_RATE, p);
    largest = DAL_read_begin(PORT_largest, TOKEN_largest_SIZE, 1, p);
    drift = DAL_read_begin(PORT_drift, TOKEN_drift_SIZE, 1, p);
    if (!most || !largest || !drift)
        return 1;
    for (i = 0; i < TOKEN_most_RATE; i++)
        failed |= record_sum(&s->most, most + i * (TOKEN_most_SIZE / 4), VAR_most);
    failed |= take_largest(s, largest);
    memcpy(s->away + (size_t)drift[HEAD_STRIP] * PIXELS, drift + HEAD_WORDS,
           PIXELS * sizeof(*s->away));
    DAL_read_end(PORT_most, most, p);
    DAL_read_end(PORT_largest, largest, p);
    DAL_read_end(PORT_drift, drift, p);
    if (failed)
        DAL_fail(p, "a file of sums or largest energies cannot be written: %s", strerror(errno));
    s->broken = failed != 0;
    return s->broken;
}

void Record_finish(DALProcess *p)
{
    LocalState s = p->local;
    int failed;

    failed = s->drift.file && fwrite(s->away, sizeof(*s->away), FRAME, s->drift.file) != FRAME;
    failed |= record_finish(&s->most) | record_finish(&s->largest) | record_finish(&s->drift);
    if (failed && !s->broken)
        DAL_fail(p, "a file cannot be written to its end");
    free(s->away);
}
