/* Constants of process Join, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and devices.xml. */
#ifdef __GNUC__
#pragma GCC system_header
#endif

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

/* Index of an input (output 0) or an output (1), -1 without one. */
static __inline __attribute__((always_inline)) int dal__unit_port(const char *name, int output)
{
    if (output == 0 && !__builtin_strcmp(name, "in_0"))
        return 0;
    if (output == 0 && !__builtin_strcmp(name, "in_1"))
        return 1;
    if (output == 0 && !__builtin_strcmp(name, "state"))
        return 2;
    if (output == 1 && !__builtin_strcmp(name, "next"))
        return 3;
    if (output == 1 && !__builtin_strcmp(name, "sum"))
        return 4;
    (void)name;
    (void)output;
    return -1;
}

/* What the compiler says of a call that cannot be right. */
/* clang-format off */
void dal__port_0(void) __attribute__((error("process Join: port in_0 is an input port (shop.xml:29)")));
void dal__token_0(void) __attribute__((error("process Join: a token of port in_0 has 32 bytes; the size given here is no multiple and no part of that (shop.xml:29)")));
void dal__port_1(void) __attribute__((error("process Join: port in_1 is an input port (shop.xml:29)")));
void dal__token_1(void) __attribute__((error("process Join: a token of port in_1 has 32 bytes; the size given here is no multiple and no part of that (shop.xml:29)")));
void dal__port_2(void) __attribute__((error("process Join: port state is an input port (shop.xml:31)")));
void dal__token_2(void) __attribute__((error("process Join: a token of port state has 16 bytes; the size given here is no multiple and no part of that (shop.xml:31)")));
void dal__port_3(void) __attribute__((error("process Join: port next is an output port (shop.xml:32)")));
void dal__token_3(void) __attribute__((error("process Join: a token of port next has 16 bytes; the size given here is no multiple and no part of that (shop.xml:32)")));
void dal__port_4(void) __attribute__((error("process Join: port sum is an output port (shop.xml:33)")));
void dal__token_4(void) __attribute__((error("process Join: a token of port sum has 4 bytes; the size given here is no multiple and no part of that (shop.xml:33)")));
void dal__no_port(void) __attribute__((error("process Join has no port of this name (shop.xml:27)")));
/* clang-format on */

static __inline __attribute__((always_inline)) void dal__unit_check_port(const char *name, int out)
{
    if (dal__unit_port(name, out) >= 0)
        return;
    if (!__builtin_strcmp(name, "in_0")) {
        dal__port_0();
        return;
    }
    if (!__builtin_strcmp(name, "in_1")) {
        dal__port_1();
        return;
    }
    if (!__builtin_strcmp(name, "state")) {
        dal__port_2();
        return;
    }
    if (!__builtin_strcmp(name, "next")) {
        dal__port_3();
        return;
    }
    if (!__builtin_strcmp(name, "sum")) {
        dal__port_4();
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
    if (index == 2 && bytes % 16 && 16 % bytes)
        dal__token_2();
    if (index == 3 && bytes % 16 && 16 % bytes)
        dal__token_3();
    if (index == 4 && bytes % 4 && 4 % bytes)
        dal__token_4();
    (void)index;
    (void)bytes;
}

#endif

#ifdef DAL_UNIT_LOOP

/* Known beforehand, so that another type is an error where it stands. */
int Join_fire(struct _process *p);
#ifdef __clang__
int Join_fire(struct _process *p) __attribute__((always_inline));
#endif

static const struct dal_unit_port dal__unit_ports[] = {
    /* in_0 */
    {.bytes = (size_t)32 * 1},
    /* in_1 */
    {.bytes = (size_t)32 * 1},
    /* state */
    {.bytes = (size_t)16 * 1},
    /* next */
    {.bytes = (size_t)16 * 1, .must = (size_t)16 * 1},
    /* sum */
    {.bytes = (size_t)4 * 1, .must = (size_t)4 * 1},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[5];
    unsigned char *first[5];
    dal_unit_run(p, a, Join_fire, dal__unit_ports, 5, windows, first);
}

const struct dal_code dal_code_Join = {
    .fire = Join_fire,
    .run = dal__unit_run,
};

#endif
