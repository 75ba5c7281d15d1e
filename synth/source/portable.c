/*
 * Portable sources. A C unit takes one in as it is, but for the spelling of DAL_foreach. For a
 * device the same text stands between a prologue, which makes dal.h's names mean pointers into
 * windows, and the kernel, which calls fire with those pointers. The text keeps its lines; nothing
 * of it is changed but the spelling of DAL_foreach, the #includes of C's own headers, and
 * constants, which OpenCL C wants in a memory of their own.
 */
#include "synth/source/expand.h"
#include "synth/source/scan.h"
#include "synth/source/source.h"
#include "synth/source/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- in C ------------------------------------------------------------------------------------ */

static const char foreach_word[] = "DAL_foreach";

static int in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Past white space, comments and the ends of continued lines. */
static char *pass_space(char *at)
{
    for (;;) {
        char *end = NULL;
        if (at[0] == '/' && at[1] == '*')
            end = strstr(at + 2, "*/");
        if (end)
            at = end + 2;
        else if (at[0] == '\\' && (at[1] == '\n' || at[1] == '\r'))
            at += 2;
        else if (isspace((unsigned char)*at))
            at++;
        else
            return at;
    }
}

static char *pass_name(char *at)
{
    while (in_word(*at))
        at++;
    return pass_space(at);
}

/* The colon of "(NAME : PORT)", NULL where that is not there. */
static char *find_colon(char *at)
{
    char *colon;

    at = pass_space(at);
    if (*at != '(')
        return NULL;
    colon = pass_name(pass_space(at + 1));
    return *colon == ':' && *pass_name(pass_space(colon + 1)) == ')' ? colon : NULL;
}

/* ---- the text for a device ------------------------------------------------------------------- */

struct rewriter {
    struct dal_text *text;
    struct dal_scanner scanner;
    const char *copied; /* up to here */
    int rewritten;      /* DAL_foreach (a : b) seen */
    int depth;          /* of brackets */
    int starts;         /* the next token is the first of a declaration outside of functions */
};

static void copy_until(struct rewriter *r, const char *end)
{
    dal_text_add_bytes(r->text, r->copied, (size_t)(end - r->copied));
    r->copied = end;
}

static void replace_token(struct rewriter *r, const struct dal_token *token, const char *word)
{
    copy_until(r, token->start);
    dal_text_add(r->text, word);
    r->copied = token->start + token->length;
}

static void take_foreach(struct rewriter *r)
{
    struct dal_scanner ahead = r->scanner;
    struct dal_token name, separator, port;

    if (!dal_scan_foreach(&ahead, &name, &separator, &port) || !dal_token_is(&separator, ":"))
        return;
    replace_token(r, &separator, ",");
    r->rewritten = 1;
}

int dal_unit_rewrite_foreach(struct dal_diags *diags, const struct dal_plan_unit *unit,
                             struct dal_text *text)
{
    int is_pasted = strpbrk(dal_path_base(unit->source->path), "\"\\") != NULL;
    size_t length;
    char *data, *at;
    int error = dal_unit_read(diags, unit->source, unit->source->path, &data, &length);

    if (error)
        return error;
    for (at = data; (at = strstr(at, foreach_word)); at += strlen(foreach_word)) {
        char *colon = at == data || !in_word(at[-1]) ? find_colon(at + strlen(foreach_word)) : NULL;
        if (colon)
            *colon = ',';
        is_pasted |= colon != NULL;
    }
    if (is_pasted) {
        dal_text_add_bytes(text, data, length);
        if (length && data[length - 1] != '\n')
            dal_text_add(text, "\n");
    }
    dal_free(data);
    return text->lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* Whether a declaration is that of a variable with a value: "=" comes before "(" and ";". */
static int has_value(struct dal_scanner s)
{
    struct dal_token token;

    do {
        token = dal_scan_code(&s);
        if (dal_token_has_body(&token))
            dal_scan_body(&s);
    } while (token.kind != DAL_TOKEN_END && !dal_token_is(&token, "=") &&
             !dal_token_is(&token, "(") && !dal_token_is(&token, ";") &&
             !dal_token_is(&token, "{"));
    return dal_token_is(&token, "=");
}

/* "static const" and "const", of a variable outside of functions. */
static void take_constant(struct rewriter *r, const struct dal_token *first)
{
    struct dal_scanner ahead = r->scanner;
    struct dal_token second = dal_scan_code(&ahead);
    int is_static = dal_token_is(first, "static") && dal_token_is(&second, "const");

    if (!is_static && !dal_token_is(first, "const"))
        return;
    if (has_value(r->scanner))
        replace_token(r, first, is_static ? "__constant" : "__constant const");
}

static void track_depth(struct rewriter *r, const struct dal_token *token)
{
    if (token->kind == DAL_TOKEN_DIRECTIVE)
        return;
    r->starts = 0;
    if (token->kind != DAL_TOKEN_MARK)
        return;
    if (strchr("([{", *token->start))
        r->depth++;
    else if (strchr(")]}", *token->start))
        r->depth--;
    r->starts = r->depth == 0 && strchr(";}", *token->start);
}

static void take_token(struct rewriter *r, const struct dal_token *token)
{
    if (token->kind == DAL_TOKEN_DIRECTIVE) {
        struct dal_scanner rest;
        if (dal_scan_directive(token, "include", &rest))
            replace_token(r, token, "");
    } else if (dal_token_is(token, "DAL_foreach"))
        take_foreach(r);
    else if (r->starts)
        take_constant(r, token);
}

static void add_source(struct dal_text *text, const struct dal_expanded *source)
{
    struct rewriter r = {.text = text, .copied = dal_text_get(&source->text), .starts = 1};
    struct dal_token token;

    dal_scan_init(&r.scanner, r.copied, source->text.length);
    do {
        token = dal_scan_next(&r.scanner);
        take_token(&r, &token);
        track_depth(&r, &token);
    } while (token.kind != DAL_TOKEN_END);
    copy_until(&r, r.scanner.end);
}

/* ---- what stands around it ------------------------------------------------------------------- */

/* DAL_read_begin() moves on with every DAL_read_end(), as in dal.h; a block's place follows from
 * its number. A barrier before each DAL_foreach, so that what the one before has written is there.
 */
static const char prologue[] =
    "#define DAL_WINDOW __global\n"
    "#define DAL_read_begin(port, token_bytes, rate, p)                                           "
    "      \\\n"
    "    ((p)->held_##port = (token_bytes) * (rate), (__global void *)(p)->at_##port)\n"
    "#define DAL_read_end(port, buf, p) ((void)((p)->at_##port += (p)->held_##port))\n"
    "#define DAL_write_begin(port, token_bytes, rate, block_tokens, block, p)                     "
    "      \\\n"
    "    ((__global void *)((p)->at_##port + (size_t)(token_bytes) * (block_tokens) * (block)))\n"
    "#define DAL_write_end(port, buf, p) ((void)(buf))\n"
    "#define DAL_foreach(blk, port)                                                               "
    "      \\\n"
    "    for (int blk = (barrier(CLK_GLOBAL_MEM_FENCE), (int)get_local_id(0));                    "
    "      \\\n"
    "         blk < DAL_BLOCKS_##port; blk += (int)get_local_size(0))\n"
    "\n"
    "typedef char int8_t;\n"
    "typedef uchar uint8_t;\n"
    "typedef short int16_t;\n"
    "typedef ushort uint16_t;\n"
    "typedef int int32_t;\n"
    "typedef uint uint32_t;\n"
    "typedef long int64_t;\n"
    "typedef ulong uint64_t;\n"
    "#define INT8_MAX   CHAR_MAX\n"
    "#define INT8_MIN   CHAR_MIN\n"
    "#define UINT8_MAX  UCHAR_MAX\n"
    "#define INT16_MAX  SHRT_MAX\n"
    "#define INT16_MIN  SHRT_MIN\n"
    "#define UINT16_MAX USHRT_MAX\n"
    "#define INT32_MAX  INT_MAX\n"
    "#define INT32_MIN  INT_MIN\n"
    "#define UINT32_MAX UINT_MAX\n"
    "#define INT64_MAX  LONG_MAX\n"
    "#define INT64_MIN  LONG_MIN\n"
    "#define UINT64_MAX ULONG_MAX\n"
    "\n"
    "static inline int dal__abs(int x)\n"
    "{\n"
    "    return (int)abs(x);\n"
    "}\n"
    "#undef abs\n"
    "#define abs(x) dal__abs(x)\n"
    "\n";

/* Of <math.h>, with the f of float behind; OpenCL C has one name for all types. */
static const char *const functions[] = {
    "fabs",  "acos",  "asin",  "atan",  "atan2",  "cbrt",  "ceil",      "copysign", "cos",   "cosh",
    "exp",   "exp2",  "expm1", "floor", "fma",    "fmax",  "fmin",      "fmod",     "hypot", "log",
    "log10", "log1p", "log2",  "pow",   "rint",   "round", "sin",       "sinh",     "sqrt",  "tan",
    "tanh",  "trunc", "erf",   "ldexp", "tgamma", "fdim",  "nextafter",
};

/* The process's windows, of one firing; only so is the user's p passed on to his own functions. */
static void add_windows(struct dal_text *text, const struct dal_spec_process *process)
{
    size_t i;

    dal_text_add(text, "\ntypedef struct {\n");
    for (i = 0; i < process->port_count; i++)
        dal_text_printf(text, "    __global uchar *at_PORT_%s;\n    size_t held_PORT_%s;\n",
                        process->ports[i].name, process->ports[i].name);
    dal_text_add(text, "} DALProcess;\n\n");
}

static void add_prologue(struct dal_text *text, const struct dal_plan *plan,
                         const struct dal_plan_unit *unit)
{
    size_t i;

    dal_text_add_comment(text, 0, "Kernel of process %s, from the portable %s.",
                         unit->process->base, dal_path_base(unit->source->path));
    dal_source_constants(text, plan, unit, 1);
    dal_unit_contraction(text, unit);
    dal_text_add(text, prologue);
    for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        dal_text_printf(text, "#define %sf %s\n", functions[i], functions[i]);
    add_windows(text, unit->process);
}

static void add_kernel(struct dal_text *text, const struct dal_plan_unit *unit)
{
    const struct dal_spec_process *process = unit->process;
    size_t i;

    dal_text_printf(text,
                    "#line 1 \"%s.cl\"\n"
                    "__kernel __attribute__((reqd_work_group_size(%" PRIu32 ", 1, 1))) void %s(",
                    unit->name, unit->work_items, unit->kernel);
    for (i = 0; i < process->port_count; i++)
        dal_text_printf(text, "%s__global uchar *dal_base_%s, ulong dal_offset_%s", i ? ", " : "",
                        process->ports[i].name, process->ports[i].name);
    dal_text_add(text, ")\n{\n    DALProcess process;\n");
    for (i = 0; i < process->port_count; i++) {
        const char *name = process->ports[i].name;
        dal_text_printf(text,
                        "    process.at_PORT_%s = dal_base_%s + dal_offset_%s +\n"
                        "        get_group_id(0) * (size_t)TOKEN_%s_SIZE * TOKEN_%s_RATE;\n"
                        "    process.held_PORT_%s = 0;\n",
                        name, name, name, name, name, name);
    }
    dal_text_printf(text, "    (void)%s_fire(&process);\n}\n", unit->function);
}

int dal_unit_portable(struct dal_diags *diags, const struct dal_plan *plan,
                      struct dal_plan_unit *unit)
{
    struct dal_expanded source;
    int error = dal_expand(diags, unit->source, &source);

    if (!error)
        error = dal__portable_check(diags, unit, &source);
    if (!error && unit->type == DAL_SOURCE_OPENCL) {
        unit->kernel = dal_format("%s_kernel", unit->function);
        if (unit->kernel) {
            add_prologue(&unit->text, plan, unit);
            add_source(&unit->text, &source);
            add_kernel(&unit->text, unit);
        }
        error = unit->text.lost || !unit->kernel ? DAL_ERR_NOMEM : DAL_OK;
    }
    dal_expand_finish(&source);
    return error;
}
