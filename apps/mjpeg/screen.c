/*
 * Screen: takes the decoded frames and their flow images, in order.
 *
 * Parameters: output (a .y4m video, the decoded frame on the left and the flow on the right), dump
 * (raw bytes: decoded frame, flow image, frame after frame), checksum (1 prints a checksum of what
 * the dump would hold), progress (1 shows frames and rate while running, as DAL_PROGRESS=1 does).
 * Empty names and 0 turn each off. The last line tells the frames, the time and the rate. A file
 * that cannot be written to its end, as on a full disk, is cut behind its last whole frame.
 */
#include "dal.h"
#include "checksum.h"
#include "frame.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PIXELS ((size_t)VAR_width * VAR_height)
#define FRAME  "FRAME\n" /* before each in a .y4m */

struct target {
    FILE *file; /* NULL: not asked for */
    const char *name;
    size_t header, frame; /* bytes of each */
    int broken;           /* told */
};

struct _local_states {
    struct target output, dump;
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
static void open_target(struct target *t, const char *parameter, DALProcess *p)
{
    t->name = DAL_getParameter(parameter, p);
    if (!t->name || !*t->name)
        return;
    t->file = fopen(t->name, "wb");
    if (t->file)
        return;
    DAL_fail(p, "%s: %s", t->name, strerror(errno));
    p->local->broken = 1;
}

/* Tells once that a file cannot be written; errno says why. */
static void break_target(struct target *t, DALProcess *p)
{
    if (!t->broken)
        DAL_fail(p, "%s cannot be written: %s", t->name, strerror(errno));
    t->broken = p->local->broken = 1;
}

/* Of a closed file: nothing behind the last whole frame. */
static void cut_target(const struct target *t)
{
    struct stat info;
    size_t size;

    if (stat(t->name, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    size = (size_t)info.st_size;
    size = size < t->header ? 0 : size - (size - t->header) % t->frame;
    if (truncate(t->name, (off_t)size) == 0)
        fprintf(stderr, "%s holds %zu whole frames\n", t->name,
                size ? (size - t->header) / t->frame : 0);
}

static void close_target(struct target *t, DALProcess *p)
{
    if (!t->file)
        return;
    if (fclose(t->file) != 0)
        break_target(t, p);
    if (t->broken)
        cut_target(t);
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
    open_target(&s->output, "output", p);
    open_target(&s->dump, "dump", p);
    s->dump.frame = 2 * PIXELS;
    s->output.frame = strlen(FRAME) + 2 * PIXELS;
    if (s->output.file)
        s->output.header =
            (size_t)fprintf(s->output.file, "YUV4MPEG2 W%d H%d F25:1 Ip A1:1 Cmono\n",
                            2 * (int)VAR_width, (int)VAR_height);
    s->sum = CHECKSUM_START;
    s->start = s->shown = now();
}

static void write_video(FILE *file, const unsigned char *left, const unsigned char *right)
{
    int y;

    fputs(FRAME, file);
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
static int show(DALProcess *p, const unsigned char *original, const unsigned char *flow)
{
    LocalState s = p->local;

    s->frames++;
    if (s->checksum) {
        s->sum = checksum_add(s->sum, original, PIXELS);
        s->sum = checksum_add(s->sum, flow, PIXELS);
    }
    if (s->dump.file) {
        fwrite(original, 1, PIXELS, s->dump.file);
        fwrite(flow, 1, PIXELS, s->dump.file);
        if (ferror(s->dump.file))
            break_target(&s->dump, p);
    }
    if (s->output.file) {
        write_video(s->output.file, original, flow);
        if (ferror(s->output.file))
            break_target(&s->output, p);
    }
    if (s->progress)
        show_progress(s);
    return s->broken ? -1 : 0;
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
        status = show(p, original, flow);
    DAL_read_end(PORT_original, original, p);
    DAL_read_end(PORT_flow, flow, p);
    return status;
}

void Screen_finish(DALProcess *p)
{
    LocalState s = p->local;
    double time = now() - s->start;

    close_target(&s->output, p);
    close_target(&s->dump, p);
    if (s->checksum)
        DAL_printf("checksum %016llx\n", (unsigned long long)s->sum);
    fprintf(stderr, "%s%ld frames in %.3f s, %.1f frames/s\n",
            s->progress && isatty(STDERR_FILENO) ? "\r" : "", s->frames, time,
            time > 0 ? (double)s->frames / time : 0.0);
}
