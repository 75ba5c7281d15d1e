#include <dal.h>

typedef struct _local_states {
    int at, line;
} Text_State;

/* Lines of 0 to 39 letters; the last has no end. */
int text_fire(DALProcess *p)
{
    char *out = DAL_WRITE_TOKENS(char, out, 7, 7, 0, p);
    for (int i = 0; i < 7; i++) {
        int ends = p->local->at == p->local->line % 40;
        out[i] = (char)(ends ? '\n' : 'a' + p->local->line % 26);
        p->local->at = ends ? 0 : p->local->at + 1;
        p->local->line += ends;
    }
    DAL_write_end(PORT_out, out, p);
    return p->local->line >= 200 && p->local->at > 3;
}
