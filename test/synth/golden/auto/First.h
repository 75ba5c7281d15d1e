/* Constants of process First, and the loop around its firing. Made by dalsynth from wide.xml,
 * hall.xml and auto.xml. */
#ifdef __GNUC__
#pragma GCC system_header
#endif

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

struct _process;

/* Index of an input (output 0) or an output (1), -1 without one. */
static __inline __attribute__((always_inline)) int dal__unit_port(const char *name, int output)
{
    if (output == 1 && !__builtin_strcmp(name, "out"))
        return 0;
    (void)name;
    (void)output;
    return -1;
}

/* What the compiler says of a call that cannot be right. */
/* clang-format off */
void dal__port_0(void) __attribute__((error("process First: port out is an output port (wide.xml:5)")));
void dal__token_0(void) __attribute__((error("process First: a token of port out has 16 bytes; the size given here is no multiple and no part of that (wide.xml:5)")));
void dal__no_port(void) __attribute__((error("process First has no port of this name (wide.xml:4)")));
/* clang-format on */

static __inline __attribute__((always_inline)) void dal__unit_check_port(const char *name, int out)
{
    if (dal__unit_port(name, out) >= 0)
        return;
    if (!__builtin_strcmp(name, "out")) {
        dal__port_0();
        return;
    }
    dal__no_port();
}

static __inline __attribute__((always_inline)) void dal__unit_token(int index, __SIZE_TYPE__ bytes)
{
    if (index == 0 && bytes % 16 && 16 % bytes)
        dal__token_0();
    (void)index;
    (void)bytes;
}

#endif

#ifdef DAL_UNIT_LOOP

/* Known beforehand, so that another type is an error where it stands. */
int first_fire(struct _process *p);
#ifdef __clang__
int first_fire(struct _process *p) __attribute__((always_inline));
#endif

static const struct dal_unit_port dal__unit_ports[] = {
    /* out */
    {.bytes = (size_t)16 * 1, .must = (size_t)16 * 1},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[1];
    unsigned char *first[1];
    dal_unit_run(p, a, first_fire, dal__unit_ports, 1, windows, first);
}

extern dal__state dal__unit_state;

const struct dal_code dal_code_First = {
    .state = &dal__unit_state,
    .fire = first_fire,
    .run = dal__unit_run,
};

#endif
