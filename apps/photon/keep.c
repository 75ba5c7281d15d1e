/*
 * Keep: writes the calibration, when the last block of dark frames has come.
 *
 * Parameters: gains and output, names of files (files.h); sigmas, how many standard deviations a
 * dark pixel may be from its pedestal. A pixel that was in a wrong stage, or whose gain is 0 or no
 * number, is masked: its planes are 0, and it has no energy in any frame.
 */
#include "dal.h"
#include "darks.h"
#include "files.h"

#include <math.h>
#include <stdlib.h>

#define FRAME ((size_t)VAR_width * VAR_height)

struct _local_states {
    double *gains;
    float *planes;
    long sigmas;
    uint64_t masked;
    int strips; /* of the last block */
    int broken;
};

static void read_gains(DALProcess *p, const char *name)
{
    LocalState s = p->local;
    struct file_head head;
    char why[300] = "";
    FILE *file = file_open(name, "dalgains", &head, why, sizeof(why));

    if (file && file_fits(&head, name, VAR_width, VAR_height, why, sizeof(why)) &&
        file_has(file, name, STAGES * FRAME, sizeof(double), why, sizeof(why))) {
        s->gains = malloc(STAGES * FRAME * sizeof(double));
        s->planes = calloc(PLANES * FRAME, sizeof(float));
        if (!s->gains || !s->planes ||
            fread(s->gains, sizeof(double), STAGES * FRAME, file) != STAGES * FRAME)
            snprintf(why, sizeof(why), "%s cannot be read", name);
    }
    if (file)
        fclose(file);
    if (*why)
        DAL_fail(p, "%s", why);
    s->broken = *why != '\0';
}

void Keep_init(DALProcess *p)
{
    LocalState s = p->local;
    const char *output = DAL_getParameter("output", p);

    s->sigmas = 5;
    s->broken = DAL_getParameterInt("sigmas", &s->sigmas, p) != 0;
    if (!s->broken && (s->sigmas < 1 || s->sigmas > 1000)) {
        DAL_fail(p, "sigmas is from 1 to 1000, not %ld", s->sigmas);
        s->broken = 1;
    } else if (!s->broken && (!output || !*output)) {
        DAL_fail(p, "no file: -p Keep.output=FILE names one");
        s->broken = 1;
    }
    if (!s->broken)
        read_gains(p, DAL_getParameter("gains", p));
}

/* Pixel i of a strip, which is pixel `at` of the frame. */
static void keep_pixel(LocalState s, const struct sums *sums, int i, size_t at)
{
    int g, masked = sums->mask[i] != 0;

    for (g = 0; g < STAGES; g++) {
        double gain = s->gains[(size_t)g * FRAME + at];
        masked |= !isfinite((float)(1 / gain)) || !isfinite(gain) || sums->count[g][i] == 0;
    }
    s->masked += (uint64_t)masked;
    for (g = 0; g < STAGES && !masked; g++) {
        uint32_t count = sums->count[g][i];
        double variance = count > 1 ? sums->squares[g][i] / (count - 1) : 0;
        size_t plane = (size_t)g * FRAME + at;
        s->planes[PLANE_PED * FRAME + plane] = (float)sums->mean[g][i];
        s->planes[PLANE_INVERSE * FRAME + plane] = (float)(1 / s->gains[plane]);
        s->planes[PLANE_LIMIT * FRAME + plane] = (float)((double)s->sigmas * sqrt(variance));
    }
}

static void write_file(DALProcess *p)
{
    struct file_head head = {.magic = "dalcali", .width = VAR_width, .height = VAR_height};
    const char *name = DAL_getParameter("output", p);
    LocalState s = p->local;
    char why[300] = "";
    FILE *file;
    int failed;

    head.magic[7] = 'b';
    file = file_create(name, &head, why, sizeof(why));
    if (!file) {
        DAL_fail(p, "%s", why);
        return;
    }
    failed = fwrite(s->planes, sizeof(float), PLANES * FRAME, file) != PLANES * FRAME;
    if (fclose(file) != 0 || failed)
        DAL_fail(p, "%s cannot be written to its end", name);
    else
        fprintf(stderr, "calibrated; %llu pixels are masked\n", (unsigned long long)s->masked);
}

int Keep_fire(DALProcess *p)
{
    LocalState s = p->local;
    struct sums *in;
    int i;

    if (s->broken)
        return 1;
    in = DAL_READ_TOKENS(struct sums, in, 1, p);
    if (!in)
        return 1;
    for (i = 0; in->head[HEAD_LAST] && i < PIXELS; i++)
        keep_pixel(s, in, i, (size_t)in->head[HEAD_STRIP] * PIXELS + (size_t)i);
    s->strips += in->head[HEAD_LAST] != 0;
    DAL_read_end(PORT_in, in, p);
    if (s->strips == STRIPS)
        write_file(p);
    return s->strips == STRIPS;
}

void Keep_finish(DALProcess *p)
{
    free(p->local->gains);
    free(p->local->planes);
}
