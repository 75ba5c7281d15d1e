/* Constants of process Source, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and cores.xml. */
#ifdef __GNUC__
#pragma GCC system_header
#endif

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

/* Index of an input (output 0) or an output (1), -1 without one. */
static __inline __attribute__((always_inline)) int dal__unit_port(const char *name, int output)
{
    if (output == 1 && !__builtin_strcmp(name, "out_0"))
        return 0;
    if (output == 1 && !__builtin_strcmp(name, "out_1"))
        return 1;
    (void)name;
    (void)output;
    return -1;
}

/* What the compiler says of a call that cannot be right. */
/* clang-format off */
void dal__port_0(void) __attribute__((error("process Source: port out_0 is an output port (shop.xml:11)")));
void dal__token_0(void) __attribute__((error("process Source: a token of port out_0 has 32 bytes; the size given here is no multiple and no part of that (shop.xml:11)")));
void dal__port_1(void) __attribute__((error("process Source: port out_1 is an output port (shop.xml:11)")));
void dal__token_1(void) __attribute__((error("process Source: a token of port out_1 has 32 bytes; the size given here is no multiple and no part of that (shop.xml:11)")));
void dal__no_port(void) __attribute__((error("process Source has no port of this name (shop.xml:9)")));
/* clang-format on */

static __inline __attribute__((always_inline)) void dal__unit_check_port(const char *name, int out)
{
    if (dal__unit_port(name, out) >= 0)
        return;
    if (!__builtin_strcmp(name, "out_0")) {
        dal__port_0();
        return;
    }
    if (!__builtin_strcmp(name, "out_1")) {
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
int Source_init(struct _process *);
int Source_fire(struct _process *p);
#ifdef __clang__
int Source_fire(struct _process *p) __attribute__((always_inline));
#endif

static void dal__init_unit(DALProcess *p)
{
    (void)Source_init(p);
}

static const struct dal_unit_port dal__unit_ports[] = {
    /* out_0 */
    {.bytes = (size_t)32 * 1, .must = (size_t)32 * 1},
    /* out_1 */
    {.bytes = (size_t)32 * 1, .must = (size_t)32 * 1},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[2];
    unsigned char *first[2];
    dal_unit_run(p, a, Source_fire, dal__unit_ports, 2, windows, first);
}

extern dal__state dal__unit_state;

const struct dal_code dal_code_Source = {
    .state = &dal__unit_state,
    .init = dal__init_unit,
    .fire = Source_fire,
    .run = dal__unit_run,
};

#endif
