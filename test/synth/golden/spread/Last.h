/* Constants of process Last. Made by dalsynth from chain.xml, rack.xml and spread.xml. */
#ifndef DAL_UNIT_H
#define DAL_UNIT_H

#define PORT_sums            "sums"
#define TOKEN_sums_SIZE      16
#define TOKEN_sums_RATE      1
#define BLOCK_sums_SIZE      1
#define BLOCK_sums_COUNT     1
#define DAL_BLOCKS_PORT_sums BLOCK_sums_COUNT

typedef struct {
    unsigned char bytes[16];
} TOKEN_sums_t;

#define VAR_kernels 5

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
