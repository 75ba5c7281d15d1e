/* Passes pairs on. */
#include "misuse.h"

void static_init(DALProcess *p)
{
    keep(p);
    move("init", p, p);
    leave("init", p);
}

static void write_block(int block, int32_t number, DALProcess *p)
{
    int32_t *out = DAL_WRITE_TOKENS(int32_t, out, TOKEN_out_RATE, 1, block, p);
    if (out)
        *out = number;
    DAL_write_end(PORT_out, out, p);
}

int static_fire(DALProcess *p)
{
    int32_t pair[2] = {0};
    misuse(p);
    DAL_read(PORT_in, pair, sizeof(pair), p);
    if (is(p, "blocks", "again")) {
        write_block(0, pair[0], p);
        write_block(0, pair[0], p);
    } else if (is(p, "blocks", "more")) {
        write_block(0, pair[0], p);
        write_block(1, pair[1], p);
        write_block(0, pair[0], p);
    } else if (is(p, "blocks", "mixed")) {
        write_block(1, pair[1], p);
        DAL_write(PORT_out, pair, sizeof(*pair), p);
    } else {
        write_block(1, pair[1], p);
        write_block(0, pair[0], p);
    }
    if (is(p, "blocks", "end"))
        DAL_write_end(PORT_out, pair, p);
    if (is(p, "blocks", "end_read"))
        DAL_read_end(PORT_in, pair, p);
    if (is(p, "blocks", "wrap"))
        DAL_write_begin(PORT_out, sizeof(*pair), 1, 1, SIZE_MAX / 2, p);
    if (is(p, "blocks", "large"))
        DAL_read_begin(PORT_in, sizeof(*pair), SIZE_MAX / 2, p);
    return 0;
}

void static_finish(DALProcess *p)
{
    move("finish", p, p);
    leave("finish", p);
}
