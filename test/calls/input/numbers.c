/* Sends 0 to 99, in pairs, the second first. */
#include <dal.h>

typedef struct _local_states {
    int32_t next;
} Numbers_State;

int numbers_fire(DALProcess *p)
{
    int block;
    for (block = 1; block >= 0; block--) {
        int32_t *out = DAL_WRITE_TOKENS(int32_t, out, TOKEN_out_RATE, 1, block, p);
        *out = p->local->next + block;
        DAL_write_end(PORT_out, out, p);
    }
    p->local->next += 2;
    return p->local->next == 100;
}
