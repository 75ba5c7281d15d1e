/* Constants of process Lane. Made by dalsynth from shop.xml, machine.xml and devices.xml. */
#ifndef DAL_UNIT_H
#define DAL_UNIT_H

#define PORT_in            "in"
#define TOKEN_in_SIZE      32
#define TOKEN_in_RATE      1
#define BLOCK_in_SIZE      1
#define BLOCK_in_COUNT     1
#define DAL_BLOCKS_PORT_in BLOCK_in_COUNT

typedef struct {
    unsigned char bytes[32];
} TOKEN_in_t;

#define PORT_out            "out"
#define TOKEN_out_SIZE      32
#define TOKEN_out_RATE      1
#define BLOCK_out_SIZE      1
#define BLOCK_out_COUNT     1
#define DAL_BLOCKS_PORT_out BLOCK_out_COUNT

typedef struct {
    unsigned char bytes[32];
} TOKEN_out_t;

#define VAR_lanes 2
#define VAR_row   8
#define VAR_shift (-3)

struct _process;

/* Index of an input (output 0) or an output (1), -1 without one. */
static __inline __attribute__((always_inline)) int dal__unit_port(const char *name, int output)
{
    if (output == 0 && !__builtin_strcmp(name, "in"))
        return 0;
    if (output == 1 && !__builtin_strcmp(name, "out"))
        return 1;
    (void)name;
    (void)output;
    return -1;
}

/* What the compiler says of a call that cannot be right. */
/* clang-format off */
void dal__port_0(void) __attribute__((error("process Lane: port in is an input port (shop.xml:20)")));
void dal__token_0(void) __attribute__((error("process Lane: a token of port in has 32 bytes; the size given here is no multiple and no part of that (shop.xml:20)")));
void dal__port_1(void) __attribute__((error("process Lane: port out is an output port (shop.xml:21)")));
void dal__token_1(void) __attribute__((error("process Lane: a token of port out has 32 bytes; the size given here is no multiple and no part of that (shop.xml:21)")));
void dal__no_port(void) __attribute__((error("process Lane has no port of this name (shop.xml:18)")));
/* clang-format on */

static __inline __attribute__((always_inline)) void dal__unit_check_port(const char *name, int out)
{
    if (dal__unit_port(name, out) >= 0)
        return;
    if (!__builtin_strcmp(name, "in")) {
        dal__port_0();
        return;
    }
    if (!__builtin_strcmp(name, "out")) {
        dal__port_1();
        return;
    }
    dal__no_port();
}

static __inline __attribute__((always_inline)) void dal__unit_token(int index, __SIZE_TYPE__ bytes)
{
    if (index == 0 && bytes % 32 && 32 % bytes)
        dal__token_0();
    if (index == 1 && bytes % 32 && 32 % bytes)
        dal__token_1();
    (void)index;
    (void)bytes;
}

#endif
