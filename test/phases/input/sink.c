/* What has come, a line each. */
#include "dal.h"
struct _local_states {
    FILE *file;
};
void sink_init(DALProcess *p)
{
    p->local->file = fopen(DAL_getParameter("file", p), "w");
    if (!p->local->file)
        DAL_fail(p, "no file");
}
int sink_fire(DALProcess *p)
{
    int number;
    DAL_read(PORT_in, &number, sizeof(number), p);
    fprintf(p->local->file, "%d\n", number);
    return 0;
}
void sink_finish(DALProcess *p)
{
    if (p->local->file && fclose(p->local->file))
        DAL_fail(p, "the file is not whole");
}
