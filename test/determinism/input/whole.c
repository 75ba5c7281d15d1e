/* Whole: keeps a stream in a file, to its end. Parameter: `file`. */
#include "dal.h"

struct _local_states {
    FILE *file;
};

void whole_init(DALProcess *p)
{
    p->local->file = fopen(DAL_getParameter("file", p), "wb");
    if (!p->local->file)
        DAL_fail(p, "no file");
}

int whole_fire(DALProcess *p)
{
    unsigned char token[TOKEN_in_SIZE];

    if (DAL_read(PORT_in, token, TOKEN_in_SIZE, p) != TOKEN_in_SIZE)
        return 1;
    fwrite(token, 1, TOKEN_in_SIZE, p->local->file);
    return 0;
}

void whole_finish(DALProcess *p)
{
    if (p->local->file && fclose(p->local->file))
        DAL_fail(p, "the file is not whole");
}
