/* Constants of process Last. Made by dalsynth from fan.xml, rack.xml and readers.xml. */
#ifndef DAL_UNIT_H
#define DAL_UNIT_H

#define PORT_near            "near"
#define TOKEN_near_SIZE      16
#define TOKEN_near_RATE      2
#define BLOCK_near_SIZE      2
#define BLOCK_near_COUNT     1
#define DAL_BLOCKS_PORT_near BLOCK_near_COUNT

typedef struct {
    unsigned char bytes[16];
} TOKEN_near_t;

#define PORT_in_0            "in_0"
#define TOKEN_in_0_SIZE      16
#define TOKEN_in_0_RATE      2
#define BLOCK_in_0_SIZE      2
#define BLOCK_in_0_COUNT     1
#define DAL_BLOCKS_PORT_in_0 BLOCK_in_0_COUNT

typedef struct {
    unsigned char bytes[16];
} TOKEN_in_0_t;

#define PORT_in            "in"
#define TOKEN_in_SIZE      16
#define TOKEN_in_RATE      2
#define BLOCK_in_SIZE      2
#define BLOCK_in_COUNT     1
#define DAL_BLOCKS_PORT_in BLOCK_in_COUNT

typedef struct {
    unsigned char bytes[16];
} TOKEN_in_t;

#define PORT_in_1            "in_1"
#define TOKEN_in_1_SIZE      16
#define TOKEN_in_1_RATE      2
#define BLOCK_in_1_SIZE      2
#define BLOCK_in_1_COUNT     1
#define DAL_BLOCKS_PORT_in_1 BLOCK_in_1_COUNT

typedef struct {
    unsigned char bytes[16];
} TOKEN_in_1_t;

#define PORT_in_2            "in_2"
#define TOKEN_in_2_SIZE      16
#define TOKEN_in_2_RATE      2
#define BLOCK_in_2_SIZE      2
#define BLOCK_in_2_COUNT     1
#define DAL_BLOCKS_PORT_in_2 BLOCK_in_2_COUNT

typedef struct {
    unsigned char bytes[16];
} TOKEN_in_2_t;

#define PORT_in_3            "in_3"
#define TOKEN_in_3_SIZE      16
#define TOKEN_in_3_RATE      2
#define BLOCK_in_3_SIZE      2
#define BLOCK_in_3_COUNT     1
#define DAL_BLOCKS_PORT_in_3 BLOCK_in_3_COUNT

typedef struct {
    unsigned char bytes[16];
} TOKEN_in_3_t;

#define VAR_kernels 4

struct _process;
int dal_port_index(const char *name, struct _process *p);

static inline int dal__port_index(const char *name, struct _process *p)
{
    if (!__builtin_strcmp(name, "near"))
        return 0;
    if (!__builtin_strcmp(name, "in_0"))
        return 1;
    if (!__builtin_strcmp(name, "in_1"))
        return 2;
    if (!__builtin_strcmp(name, "in_2"))
        return 3;
    if (!__builtin_strcmp(name, "in_3"))
        return 4;
    return dal_port_index(name, p);
}
#define DAL_PORT_INDEX(name, p) dal__port_index(name, p)

#endif
