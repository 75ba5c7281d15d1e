#include <dal.h>
#include <sys/resource.h>

int sink_fire(DALProcess *p)
{
    const int *in = DAL_READ_TOKENS(int, in, TOKEN_in_RATE, p);
    for (int i = 0; i < TOKEN_in_RATE; i++)
        DAL_printf("%d\n", in[i]);
    DAL_read_end(PORT_in, (void *)in, p);
    return 0;
}

void sink_finish(DALProcess *p)
{
    struct rusage usage;
    (void)p;
    getrusage(RUSAGE_SELF, &usage);
    fprintf(stderr, "%ld KB\n", usage.ru_maxrss);
}
