/* Constants of process Sink. Made by dalsynth from shop.xml, machine.xml and cores.xml. */
#ifndef DAL_UNIT_H
#define DAL_UNIT_H

#define PORT_sums            "sums"
#define TOKEN_sums_SIZE      4
#define TOKEN_sums_RATE      5
#define BLOCK_sums_SIZE      5
#define BLOCK_sums_COUNT     1
#define DAL_BLOCKS_PORT_sums BLOCK_sums_COUNT

typedef struct {
    unsigned char bytes[4];
} TOKEN_sums_t;

#define VAR_lanes 2
#define VAR_row   8
#define VAR_shift (-3)

struct _process;
int dal_port_index(const char *name, struct _process *p);

static inline int dal__port_index(const char *name, struct _process *p)
{
    if (!__builtin_strcmp(name, "sums"))
        return 0;
    return dal_port_index(name, p);
}
#define DAL_PORT_INDEX(name, p) dal__port_index(name, p)

#endif
