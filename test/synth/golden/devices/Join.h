/* Constants of process Join. Made by dalsynth from shop.xml, machine.xml and devices.xml. */
#ifndef DAL_UNIT_H
#define DAL_UNIT_H

#define PORT_in_0            "in_0"
#define TOKEN_in_0_SIZE      32
#define TOKEN_in_0_RATE      1
#define BLOCK_in_0_SIZE      1
#define BLOCK_in_0_COUNT     1
#define DAL_BLOCKS_PORT_in_0 BLOCK_in_0_COUNT

typedef struct {
    unsigned char bytes[32];
} TOKEN_in_0_t;

#define PORT_in            "in"
#define TOKEN_in_SIZE      32
#define TOKEN_in_RATE      1
#define BLOCK_in_SIZE      1
#define BLOCK_in_COUNT     1
#define DAL_BLOCKS_PORT_in BLOCK_in_COUNT

typedef struct {
    unsigned char bytes[32];
} TOKEN_in_t;

#define PORT_in_1            "in_1"
#define TOKEN_in_1_SIZE      32
#define TOKEN_in_1_RATE      1
#define BLOCK_in_1_SIZE      1
#define BLOCK_in_1_COUNT     1
#define DAL_BLOCKS_PORT_in_1 BLOCK_in_1_COUNT

typedef struct {
    unsigned char bytes[32];
} TOKEN_in_1_t;

#define PORT_state            "state"
#define TOKEN_state_SIZE      16
#define TOKEN_state_RATE      1
#define BLOCK_state_SIZE      1
#define BLOCK_state_COUNT     1
#define DAL_BLOCKS_PORT_state BLOCK_state_COUNT

typedef struct {
    unsigned char bytes[16];
} TOKEN_state_t;

#define PORT_next            "next"
#define TOKEN_next_SIZE      16
#define TOKEN_next_RATE      1
#define BLOCK_next_SIZE      1
#define BLOCK_next_COUNT     1
#define DAL_BLOCKS_PORT_next BLOCK_next_COUNT

typedef struct {
    unsigned char bytes[16];
} TOKEN_next_t;

#define PORT_sum            "sum"
#define TOKEN_sum_SIZE      4
#define TOKEN_sum_RATE      1
#define BLOCK_sum_SIZE      1
#define BLOCK_sum_COUNT     1
#define DAL_BLOCKS_PORT_sum BLOCK_sum_COUNT

typedef struct {
    unsigned char bytes[4];
} TOKEN_sum_t;

#define VAR_lanes 2
#define VAR_row   8
#define VAR_shift (-3)

struct _process;
int dal_port_index(const char *name, struct _process *p);

static inline int dal__port_index(const char *name, struct _process *p)
{
    if (!__builtin_strcmp(name, "in_0"))
        return 0;
    if (!__builtin_strcmp(name, "in_1"))
        return 1;
    if (!__builtin_strcmp(name, "state"))
        return 2;
    if (!__builtin_strcmp(name, "next"))
        return 3;
    if (!__builtin_strcmp(name, "sum"))
        return 4;
    return dal_port_index(name, p);
}
#define DAL_PORT_INDEX(name, p) dal__port_index(name, p)

#endif
