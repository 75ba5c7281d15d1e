/* Means: takes the filtered frames, and says how fast they came. Parameter: output, the name of a
 * file for all of them, floats behind a head of "dalmeans" (files.h); empty for none. */
#include "dal.h"
#include "files.h"
#include "rate.h"

#define PIXELS ((size_t)VAR_width * VAR_height)

struct _local_states {
    FILE *file; /* NULL: none wanted */
    long frames;
    int broken;
    double start; /* s */
};

void Means_init(DALProcess *p)
{
    struct file_head head = {.width = VAR_width, .height = VAR_height};
    const char *name = DAL_getParameter("output", p);
    char why[300];

    memcpy(head.magic, "dalmeans", sizeof(head.magic));
    p->local->start = seconds();
    if (!name || !*name)
        return;
    p->local->file = file_create(name, &head, why, sizeof(why));
    p->local->broken = !p->local->file;
    if (p->local->broken)
        DAL_fail(p, "%s", why);
}

int Means_fire(DALProcess *p)
{
    LocalState s = p->local;
    float *in;

    if (s->broken)
        return 1;
    in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
    if (!in)
        return 1;
    if (s->file && fwrite(in, sizeof(*in), PIXELS, s->file) != PIXELS) {
        DAL_fail(p, "the file of means cannot be written: %s", strerror(errno));
        s->broken = 1;
    }
    s->frames++;
    DAL_read_end(PORT_in, in, p);
    return s->broken;
}

void Means_finish(DALProcess *p)
{
    LocalState s = p->local;
    double time = seconds() - s->start;

    if (s->file && fclose(s->file) != 0)
        DAL_fail(p, "the file of means cannot be written to its end");
    tell_rate((double)s->frames, time);
}
