/* Constants of process Last, and the loop around its firing. Made by dalsynth from stripes.xml,
 * machine.xml and both.xml. */
#ifdef __GNUC__
#pragma GCC system_header
#endif

#ifndef DAL_UNIT_H
#define DAL_UNIT_H

#define PORT_sums            "sums"
#define TOKEN_sums_SIZE      4
#define TOKEN_sums_RATE      4
#define BLOCK_sums_SIZE      4
#define BLOCK_sums_COUNT     1
#define DAL_BLOCKS_PORT_sums BLOCK_sums_COUNT

typedef struct {
    unsigned char bytes[4];
} TOKEN_sums_t;

#define VAR_width 8

struct _process;

/* Index of an input (output 0) or an output (1), -1 without one. */
static __inline __attribute__((always_inline)) int dal__unit_port(const char *name, int output)
{
    if (output == 0 && !__builtin_strcmp(name, "sums"))
        return 0;
    (void)name;
    (void)output;
    return -1;
}

/* What the compiler says of a call that cannot be right. */
/* clang-format off */
void dal__port_0(void) __attribute__((error("process Last: port sums is an input port (stripes.xml:26)")));
void dal__token_0(void) __attribute__((error("process Last: a token of port sums has 4 bytes; the size given here is no multiple and no part of that (stripes.xml:26)")));
void dal__no_port(void) __attribute__((error("process Last has no port of this name (stripes.xml:25)")));
/* clang-format on */

static __inline __attribute__((always_inline)) void dal__unit_check_port(const char *name, int out)
{
    if (dal__unit_port(name, out) >= 0)
        return;
    if (!__builtin_strcmp(name, "sums")) {
        dal__port_0();
        return;
    }
    dal__no_port();
}

static __inline __attribute__((always_inline)) void dal__unit_token(int index, __SIZE_TYPE__ bytes)
{
    if (index == 0 && bytes % 4 && 4 % bytes)
        dal__token_0();
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
    /* sums */
    {.bytes = (size_t)4 * 4},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[1];
    unsigned char *first[1];
    dal_unit_run(p, a, Last_fire, dal__unit_ports, 1, windows, first);
}

const struct dal_code dal_code_Last = {
    .fire = Last_fire,
    .run = dal__unit_run,
};

#endif
