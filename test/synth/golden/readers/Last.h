/* Constants of process Last, and the loop around its firing. Made by dalsynth from fan.xml,
 * rack.xml and readers.xml. */
#ifdef __GNUC__
#pragma GCC system_header
#endif

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

/* Index of an input (output 0) or an output (1), -1 without one. */
static __inline __attribute__((always_inline)) int dal__unit_port(const char *name, int output)
{
    if (output == 0 && !__builtin_strcmp(name, "near"))
        return 0;
    if (output == 0 && !__builtin_strcmp(name, "in_0"))
        return 1;
    if (output == 0 && !__builtin_strcmp(name, "in_1"))
        return 2;
    if (output == 0 && !__builtin_strcmp(name, "in_2"))
        return 3;
    if (output == 0 && !__builtin_strcmp(name, "in_3"))
        return 4;
    (void)name;
    (void)output;
    return -1;
}

/* What the compiler says of a call that cannot be right. */
/* clang-format off */
void dal__port_0(void) __attribute__((error("process Last: port near is an input port (fan.xml:10)")));
void dal__token_0(void) __attribute__((error("process Last: a token of port near has 16 bytes; the size given here is no multiple and no part of that (fan.xml:10)")));
void dal__port_1(void) __attribute__((error("process Last: port in_0 is an input port (fan.xml:12)")));
void dal__token_1(void) __attribute__((error("process Last: a token of port in_0 has 16 bytes; the size given here is no multiple and no part of that (fan.xml:12)")));
void dal__port_2(void) __attribute__((error("process Last: port in_1 is an input port (fan.xml:12)")));
void dal__token_2(void) __attribute__((error("process Last: a token of port in_1 has 16 bytes; the size given here is no multiple and no part of that (fan.xml:12)")));
void dal__port_3(void) __attribute__((error("process Last: port in_2 is an input port (fan.xml:12)")));
void dal__token_3(void) __attribute__((error("process Last: a token of port in_2 has 16 bytes; the size given here is no multiple and no part of that (fan.xml:12)")));
void dal__port_4(void) __attribute__((error("process Last: port in_3 is an input port (fan.xml:12)")));
void dal__token_4(void) __attribute__((error("process Last: a token of port in_3 has 16 bytes; the size given here is no multiple and no part of that (fan.xml:12)")));
void dal__no_port(void) __attribute__((error("process Last has no port of this name (fan.xml:9)")));
/* clang-format on */

static __inline __attribute__((always_inline)) void dal__unit_check_port(const char *name, int out)
{
    if (dal__unit_port(name, out) >= 0)
        return;
    if (!__builtin_strcmp(name, "near")) {
        dal__port_0();
        return;
    }
    if (!__builtin_strcmp(name, "in_0")) {
        dal__port_1();
        return;
    }
    if (!__builtin_strcmp(name, "in_1")) {
        dal__port_2();
        return;
    }
    if (!__builtin_strcmp(name, "in_2")) {
        dal__port_3();
        return;
    }
    if (!__builtin_strcmp(name, "in_3")) {
        dal__port_4();
        return;
    }
    dal__no_port();
}

static __inline __attribute__((always_inline)) void dal__unit_token(int index, __SIZE_TYPE__ bytes)
{
    if (index == 0 && bytes % 16 && 16 % bytes)
        dal__token_0();
    if (index == 1 && bytes % 16 && 16 % bytes)
        dal__token_1();
    if (index == 2 && bytes % 16 && 16 % bytes)
        dal__token_2();
    if (index == 3 && bytes % 16 && 16 % bytes)
        dal__token_3();
    if (index == 4 && bytes % 16 && 16 % bytes)
        dal__token_4();
    (void)index;
    (void)bytes;
}

#endif

#ifdef DAL_UNIT_LOOP

/* Known beforehand, so that another type is an error where it stands. */
int Last_fire(struct _process *p);
#ifdef __clang__
int Last_fire(struct _process *p) __attribute__((always_inline));
#endif

static const struct dal_unit_port dal__unit_ports[] = {
    /* near */
    {.bytes = (size_t)16 * 2},
    /* in_0 */
    {.bytes = (size_t)16 * 2},
    /* in_1 */
    {.bytes = (size_t)16 * 2},
    /* in_2 */
    {.bytes = (size_t)16 * 2},
    /* in_3 */
    {.bytes = (size_t)16 * 2},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[5];
    unsigned char *first[5];
    dal_unit_run(p, a, Last_fire, dal__unit_ports, 5, windows, first);
}

const struct dal_code dal_code_Last = {
    .fire = Last_fire,
    .run = dal__unit_run,
};

#endif
