/* Read: pictures, one a firing. */
#include "dal.h"
#include "../common/input_file.h"
#include "../common/numbered.h"
#include "picture.h"

#include <stdlib.h>

_Static_assert(VAR_channels != 2, "channels of images_in is 1 or 3");

#define PIXELS ((size_t)VAR_width * VAR_height)

struct _local_states {
    const char *files;
    long first, count, done;
    unsigned char *colours; /* where a picture is decoded, 3 bytes a pixel */
};

void Read_init(DALProcess *p)
{
    LocalState s = p->local;

    s->files = DAL_getParameter("files", p);
    if (DAL_getParameterInt("first", &s->first, p) != 0 ||
        DAL_getParameterInt("count", &s->count, p) != 0)
        return;
    s->colours = malloc(3 * PIXELS);
    if (!s->colours)
        DAL_fail(p, "out of memory");
}

/* The luma of Rec. 601, as JPEG has it. */
static void make_grey(const unsigned char *colours, unsigned char *grey)
{
    for (size_t i = 0; i < PIXELS; i++)
        grey[i] = (unsigned char)((19595U * colours[3 * i] + 38470U * colours[3 * i + 1] +
                                   7471U * colours[3 * i + 2] + 32768U) >>
                                  16);
}

/* Reads a file that is open. Returns 0, or -1 after DAL_fail(). */
static int read_file(const char *name, FILE *file, DALProcess *p)
{
    unsigned char head[3] = {0};
    char why[200] = "it is neither PNG nor JPEG";
    read_picture *read = NULL;

    if (fread(head, 1, 3, file) == 3)
        read = memcmp(head, "\x89PN", 3) == 0         ? dal_part_read_png
               : memcmp(head, "\xff\xd8\xff", 3) == 0 ? dal_part_read_jpeg
                                                      : NULL;
    rewind(file);
    if (read && read(file, p->local->colours, VAR_width, VAR_height, why) == 0)
        return 0;
    DAL_fail(p, "%s: %s", name, why);
    return -1;
}

static int read_named(const char *name, DALProcess *p)
{
    uint64_t bytes;
    int fd = open_input(name, &bytes, p), status = -1;
    FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");

    if (file) {
        status = read_file(name, file, p);
        fclose(file);
    } else if (fd >= 0) {
        DAL_fail(p, "%s: %s", name, strerror(errno));
        close(fd);
    }
    return status;
}

/* Is the sequence at its end? */
static int is_over(int has_number, const char *name, LocalState s)
{
    if (!has_number || s->count)
        return s->done == (has_number ? s->count : 1);
    return s->done && access(name, F_OK) != 0 && errno == ENOENT;
}

int Read_fire(DALProcess *p)
{
    LocalState s = p->local;
    char name[PATH_MAX];
    unsigned char *out;
    int has_number;

    if (!s->colours)
        return 1;
    has_number = number_name(s->files, s->first + s->done, name, p);
    if (!has_number && s->count > 1)
        DAL_fail(p, "%s is one file, and not %lld", s->files, (long long)s->count);
    if (has_number < 0 || (!has_number && s->count > 1) || is_over(has_number, name, s) ||
        read_named(name, p) != 0)
        return 1;
    out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    if (VAR_channels == 3)
        memcpy(out, s->colours, 3 * PIXELS);
    else
        make_grey(s->colours, out);
    DAL_write_end(PORT_out, out, p);
    s->done++;
    return 0;
}

void Read_finish(DALProcess *p)
{
    free(p->local->colours);
}
