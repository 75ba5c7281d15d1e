/* At the end: how many bytes came, and a checksum. Ends by itself after `enough` firings, if given.
 * What came also goes to `file`, if given.
 */
#define _DEFAULT_SOURCE
#include <dal.h>
#include <stdio.h>
#include <unistd.h>

#include "Print.h"

struct _local_states {
    FILE *file;
    long enough, fired, fail;
    unsigned long bytes;
    uint64_t sum;
};

void Print_init(DALProcess *p)
{
    DAL_getParameterInt("enough", &p->local->enough, p);
    DAL_getParameterInt("fail", &p->local->fail, p);
    if (*DAL_getParameter("file", p))
        p->local->file = fopen(DAL_getParameter("file", p), "wb");
}

int Print_fire(DALProcess *p)
{
    unsigned char bytes[TOKEN_in_SIZE * TOKEN_in_RATE];
    DAL_read(PORT_in, bytes, sizeof(bytes), p);
    if (p->local->bytes == 0)
        DAL_printf("the first has come\n");
    fflush(stdout);
    for (size_t i = 0; i < sizeof(bytes); i++)
        p->local->sum = p->local->sum * 31 + bytes[i];
    p->local->bytes += sizeof(bytes);
    if (p->local->file && fwrite(bytes, 1, sizeof(bytes), p->local->file) < sizeof(bytes))
        DAL_fail(p, "the file cannot be written");
    if (++p->local->fired == p->local->fail)
        _exit(9);
    return p->local->fired == p->local->enough;
}

void Print_finish(DALProcess *p)
{
    if (p->local->file && fclose(p->local->file))
        DAL_fail(p, "the file cannot be written");
    DAL_printf("%d: %lu bytes, checksum %016llx\n", DAL_getIndex(0, p), p->local->bytes,
               (unsigned long long)p->local->sum);
}
