/* Constants of process Source. Made by dalsynth from shop.xml, machine.xml and devices.xml. */
#ifndef DAL_UNIT_H
#define DAL_UNIT_H

#define PORT_out_0            "out_0"
#define TOKEN_out_0_SIZE      32
#define TOKEN_out_0_RATE      1
#define BLOCK_out_0_SIZE      1
#define BLOCK_out_0_COUNT     1
#define DAL_BLOCKS_PORT_out_0 BLOCK_out_0_COUNT

typedef struct {
    unsigned char bytes[32];
} TOKEN_out_0_t;

#define PORT_out            "out"
#define TOKEN_out_SIZE      32
#define TOKEN_out_RATE      1
#define BLOCK_out_SIZE      1
#define BLOCK_out_COUNT     1
#define DAL_BLOCKS_PORT_out BLOCK_out_COUNT

typedef struct {
    unsigned char bytes[32];
} TOKEN_out_t;

#define PORT_out_1            "out_1"
#define TOKEN_out_1_SIZE      32
#define TOKEN_out_1_RATE      1
#define BLOCK_out_1_SIZE      1
#define BLOCK_out_1_COUNT     1
#define DAL_BLOCKS_PORT_out_1 BLOCK_out_1_COUNT

typedef struct {
    unsigned char bytes[32];
} TOKEN_out_1_t;

#define VAR_lanes 2
#define VAR_row   8
#define VAR_shift (-3)

struct _process;
int dal_port_index(const char *name, struct _process *p);

static inline int dal__port_index(const char *name, struct _process *p)
{
    if (!__builtin_strcmp(name, "out_0"))
        return 0;
    if (!__builtin_strcmp(name, "out_1"))
        return 1;
    return dal_port_index(name, p);
}
#define DAL_PORT_INDEX(name, p) dal__port_index(name, p)

#endif
