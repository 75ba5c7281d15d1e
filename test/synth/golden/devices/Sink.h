/* Constants of process Sink, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and devices.xml. */
#ifdef __GNUC__
#pragma GCC system_header
#endif

#ifndef DAL_UNIT_H
#define DAL_UNIT_H

#define PORT_sums            "sums"
#define TOKEN_sums_SIZE      4
#define TOKEN_sums_RATE      5
#define BLOCK_sums_SIZE      5
#define BLOCK_sums_COUNT     1
#define DAL_BLOCKS_PORT_sums BLOCK_sums_COUNT

typedef struct {
    unsigned char bytes[4];
} TOKEN_sums_t;

#define VAR_lanes 2
#define VAR_row   8
#define VAR_shift (-3)

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
void dal__port_0(void) __attribute__((error("process Sink: port sums is an input port (shop.xml:44)")));
void dal__token_0(void) __attribute__((error("process Sink: a token of port sums has 4 bytes; the size given here is no multiple and no part of that (shop.xml:44)")));
void dal__no_port(void) __attribute__((error("process Sink has no port of this name (shop.xml:43)")));
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
static int Sink_fire(struct _process *p);
void Sink_finish(struct _process *);
#ifdef __clang__
static int Sink_fire(struct _process *p) __attribute__((always_inline));
#endif

static void dal__finish_unit(DALProcess *p)
{
    (void)Sink_finish(p);
}

static const struct dal_unit_port dal__unit_ports[] = {
    /* sums */
    {.bytes = (size_t)4 * 5},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[1];
    unsigned char *first[1];
    dal_unit_run(p, a, Sink_fire, dal__unit_ports, 1, windows, first);
}

extern dal__state dal__unit_state;

const struct dal_code dal_code_Sink = {
    .state = &dal__unit_state,
    .fire = Sink_fire,
    .finish = dal__finish_unit,
    .run = dal__unit_run,
};

#endif
