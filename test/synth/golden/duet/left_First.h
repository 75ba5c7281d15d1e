/* Constants of process First. Made by dalsynth from chain.xml, rack.xml and spread.xml. */
#ifndef DAL_UNIT_H
#define DAL_UNIT_H

#define PORT_out            "out"
#define TOKEN_out_SIZE      16
#define TOKEN_out_RATE      1
#define BLOCK_out_SIZE      1
#define BLOCK_out_COUNT     1
#define DAL_BLOCKS_PORT_out BLOCK_out_COUNT

typedef struct {
    unsigned char bytes[16];
} TOKEN_out_t;

#define VAR_kernels 5

struct _process;
int dal_port_index(const char *name, struct _process *p);

static inline int dal__port_index(const char *name, struct _process *p)
{
    if (!__builtin_strcmp(name, "out"))
        return 0;
    return dal_port_index(name, p);
}
#define DAL_PORT_INDEX(name, p) dal__port_index(name, p)

#endif
