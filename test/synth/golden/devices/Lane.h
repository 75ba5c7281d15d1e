/* Constants of process Lane, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and devices.xml. */
#ifdef __GNUC__
#pragma GCC system_header
#endif

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

#ifdef DAL_UNIT_LOOP

/* Known beforehand, so that another type is an error where it stands. */
int forward_fire(struct _process *p);
#ifdef __clang__
int forward_fire(struct _process *p) __attribute__((always_inline));
#endif

static const struct dal_unit_port dal__unit_ports[] = {
    /* in */
    {.bytes = (size_t)32 * 1},
    /* out */
    {.bytes = (size_t)32 * 1, .must = (size_t)32 * 1},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[2];
    unsigned char *first[2];
    dal_unit_run(p, a, forward_fire, dal__unit_ports, 2, windows, first);
}

const struct dal_code dal_code_Lane = {
    .fire = forward_fire,
    .run = dal__unit_run,
};

#endif
