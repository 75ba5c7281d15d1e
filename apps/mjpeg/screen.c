/*
 * Screen: takes the decoded frames and their flow images, in order.
 *
 * Parameters: output (a .y4m video, the decoded frame on the left and the flow on the right), dump
 * (raw bytes: decoded frame, flow image, frame after frame), checksum (1 prints a checksum of what
 * the dump would hold), progress (1 shows frames and rate while running, as DAL_PROGRESS=1 does).
 * Empty names and 0 turn each off. The last line tells the frames, the time and the rate.
 */
#include "dal.h"
#include "checksum.h"
#include "frame.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PIXELS ((size_t)VAR_width * VAR_height)

struct _local_states {
    FILE *output, *dump;
    long checksum; /* asked for */
    long progress;
    int broken;
    uint64_t sum;
    long frames;
    double start; /* s */
    double shown; /* s, the last time that progress was shown */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Opens the file that a parameter names, if it does. */
static FILE *open_named(const char *parameter, DALProcess *p)
{
    const char *name = DAL_getParameter(parameter, p);
    FILE *file;

    if (!name || !*name)
        return NULL;
    file = fopen(name, "wb");
    if (!file) {
        DAL_fail(p, "%s: %s", name, strerror(errno));
        p->local->broken = 1;
    }
    return file;
}

void Screen_init(DALProcess *p)
{
    LocalState s = p->local;
    const char *wish = getenv("DAL_PROGRESS");

    if (DAL_getParameterInt("checksum", &s->checksum, p) != 0 ||
        DAL_getParameterInt("progress", &s->progress, p) != 0) {
        s->broken = 1;
        return;
    }
    if (wish ? strcmp(wish, "0") != 0 : isatty(STDERR_FILENO))
        s->progress = 1;
    s->output = open_named("output", p);
    s->dump = open_named("dump", p);
    if (s->output)
        fprintf(s->output, "YUV4MPEG2 W%d H%d F25:1 Ip A1:1 Cmono\n", 2 * (int)VAR_width,
                (int)VAR_height);
    s->sum = CHECKSUM_START;
    s->start = s->shown = now();
}

static void write_video(FILE *file, const unsigned char *left, const unsigned char *right)
{
    int y;

    fputs("FRAME\n", file);
    for (y = 0; y < VAR_height; y++) {
        fwrite(left + (size_t)y * VAR_width, 1, VAR_width, file);
        fwrite(right + (size_t)y * VAR_width, 1, VAR_width, file);
    }
}

static void show_progress(LocalState s)
{
    double time = now();

    if (time - s->shown < 0.25)
        return;
    s->shown = time;
    fprintf(stderr, "%s%ld frames, %.1f frames/s%s", isatty(STDERR_FILENO) ? "\r" : "", s->frames,
            (double)s->frames / (time - s->start), isatty(STDERR_FILENO) ? "  " : "\n");
}

/* Shows one frame. Returns 0, or -1 when a file cannot be written. */
static int show(LocalState s, const unsigned char *original, const unsigned char *flow)
{
    s->frames++;
    if (s->checksum) {
        s->sum = checksum_add(s->sum, original, PIXELS);
        s->sum = checksum_add(s->sum, flow, PIXELS);
    }
    if (s->dump) {
        fwrite(original, 1, PIXELS, s->dump);
        fwrite(flow, 1, PIXELS, s->dump);
    }
    if (s->output)
        write_video(s->output, original, flow);
    if (s->progress)
        show_progress(s);
    return (s->dump && ferror(s->dump)) || (s->output && ferror(s->output)) ? -1 : 0;
}

int Screen_fire(DALProcess *p)
{
    LocalState s = p->local;
    unsigned char *original, *flow;
    int status = 0;

    if (s->broken)
        return 1;
    original = DAL_read_begin(PORT_original, TOKEN_original_SIZE, TOKEN_original_RATE, p);
    flow = DAL_read_begin(PORT_flow, TOKEN_flow_SIZE, TOKEN_flow_RATE, p);
    if (!original || !flow)
        return 1;
    if (image_valid(original, TOKEN_original_SIZE) != image_valid(flow, TOKEN_flow_SIZE)) {
        DAL_fail(p, "frame %ld: the images of a frame do not belong together", s->frames);
        return 1;
    }
    if (image_valid(flow, TOKEN_flow_SIZE))
        status = show(s, original, flow);
    if (status != 0) {
        DAL_fail(p, "frame %ld cannot be written: %s", s->frames, strerror(errno));
        s->broken = 1;
    }
    DAL_read_end(PORT_original, original, p);
    DAL_read_end(PORT_flow, flow, p);
    return status;
}

static void close_file(FILE *file, const char *what, DALProcess *p)
{
    if (file && fclose(file) != 0 && !p->local->broken)
        DAL_fail(p, "%s cannot be written: %s", what, strerror(errno));
}

void Screen_finish(DALProcess *p)
{
    LocalState s = p->local;
    double time = now() - s->start;

    close_file(s->output, "output", p);
    close_file(s->dump, "dump", p);
    if (s->checksum)
        DAL_printf("checksum %016llx\n", (unsigned long long)s->sum);
    fprintf(stderr, "%s%ld frames in %.3f s, %.1f frames/s\n",
            s->progress && isatty(STDERR_FILENO) ? "\r" : "", s->frames, time,
            time > 0 ? (double)s->frames / time : 0.0);
}
