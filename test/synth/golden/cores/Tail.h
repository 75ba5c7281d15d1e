/* Constants of process Tail. Made by dalsynth from shop.xml, machine.xml and cores.xml. */
#ifndef DAL_UNIT_H
#define DAL_UNIT_H

#define PORT_in            "in"
#define TOKEN_in_SIZE      4
#define TOKEN_in_RATE      1
#define BLOCK_in_SIZE      1
#define BLOCK_in_COUNT     1
#define DAL_BLOCKS_PORT_in BLOCK_in_COUNT

typedef struct {
    unsigned char bytes[4];
} TOKEN_in_t;

#define PORT_out            "out"
#define TOKEN_out_SIZE      4
#define TOKEN_out_RATE      1
#define BLOCK_out_SIZE      1
#define BLOCK_out_COUNT     1
#define DAL_BLOCKS_PORT_out BLOCK_out_COUNT

typedef struct {
    unsigned char bytes[4];
} TOKEN_out_t;

#define VAR_lanes 2
#define VAR_row   8
#define VAR_shift (-3)

struct _process;
int dal_port_index(const char *name, struct _process *p);

static inline int dal__port_index(const char *name, struct _process *p)
{
    if (!__builtin_strcmp(name, "in"))
        return 0;
    if (!__builtin_strcmp(name, "out"))
        return 1;
    return dal_port_index(name, p);
}
#define DAL_PORT_INDEX(name, p) dal__port_index(name, p)

#endif
