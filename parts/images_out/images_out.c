/* Write: pictures, one a firing. Each gets its name when it is whole. The name of the first one is
 * claimed as long as there may be more: by a temporary file of it. Of two processes that write one
 * file, each from its own number on, one comes to where the other has begun, and is refused. */
#include "dal.h"
#include "../common/numbered.h"
#include "../common/output_file.h"
#include "picture.h"

#include <strings.h>

_Static_assert(VAR_channels != 2, "channels of images_out is 1 or 3");

static const struct format {
    const char *ending;
    write_picture *write;
} formats[] = {
    {".png", dal_part_write_png},
    {".jpg", dal_part_write_jpeg},
    {".jpeg", dal_part_write_jpeg},
};

struct _local_states {
    const char *files;
    write_picture *write;
    long first, number, quality;
    struct output_file claim; /* of the name of the first picture */
};

static write_picture *find_writer(const char *name)
{
    size_t length = name ? strlen(name) : 0, ending;

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        ending = strlen(formats[i].ending);
        if (length > ending && strcasecmp(name + length - ending, formats[i].ending) == 0)
            return formats[i].write;
    }
    return NULL;
}

void Write_init(DALProcess *p)
{
    LocalState s = p->local;
    char name[PATH_MAX];

    s->claim.fd = -1;
    s->files = DAL_getParameter("files", p);
    if (DAL_getParameterInt("first", &s->first, p) != 0 ||
        DAL_getParameterInt("quality", &s->quality, p) != 0)
        return;
    s->number = s->first;
    s->write = find_writer(s->files);
    if (!s->write)
        DAL_fail(p, "%s ends in none of .png, .jpg and .jpeg", s->files ? s->files : "");
    else if (number_name(s->files, s->first, name, p) >= 0)
        open_output(&s->claim, name, p);
    s->claim.name = s->files;
}

/* Writes a picture into a file that is open. Returns 0, or -1 after DAL_fail(). */
static int write_file(struct output_file *output, const struct picture *picture, DALProcess *p)
{
    int fd = dup(output->fd);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    char why[200] = "";

    if (!file) {
        if (fd >= 0)
            close(fd);
        return refuse_output(output, strerror(errno), p);
    }
    if (p->local->write(file, picture, why) != 0) {
        fclose(file);
        return refuse_output(output, why, p);
    }
    return fclose(file) != 0 ? refuse_output(output, strerror(errno), p) : 0;
}

/* Writes a picture. Its temporary name comes behind that of the claim, if the name is claimed. */
static int write_named(const char *name, int is_claimed, const unsigned char *pixels, DALProcess *p)
{
    struct picture picture = {pixels, VAR_width, VAR_height, VAR_channels, (int)p->local->quality};
    struct output_file output;
    int status;

    if (open_output_from(is_claimed ? p->local->claim.number + 1 : 0, &output, name, p) != 0)
        return -1;
    status = write_file(&output, &picture, p);
    return close_output(&output, status == 0, p) != 0 ? -1 : status;
}

int Write_fire(DALProcess *p)
{
    LocalState s = p->local;
    const unsigned char *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    char name[PATH_MAX];
    int has_number;

    if (!in || s->claim.fd < 0)
        return 1;
    has_number = number_name(s->files, s->number, name, p);
    if (has_number < 0 || write_named(name, !has_number || s->number == s->first, in, p) != 0)
        return 1;
    s->number++;
    DAL_read_end(PORT_in, in, p);
    return 0;
}

void Write_finish(DALProcess *p)
{
    if (p->local->claim.fd >= 0)
        close_output(&p->local->claim, 0, p);
}
