#include "spec/read/expr.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Operators that open; NEGATE is the unary minus, CALL the parenthesis behind a function's name. */
enum { OPEN = '(', NEGATE = 'n', CALL = 'f' };

/* Most arguments of a function. */
enum { MOST_ARGUMENTS = 2 };

/* A function that can be called. Returns 0 when it has no value for these arguments. */
struct function {
    const char *name;
    int arguments;
    int (*apply)(const int64_t *arguments, int64_t *value);
};

/* Operator precedence parsing: values and pending operators on two stacks. */
struct parser {
    const struct dal_expr_scope *scope;
    const char *text, *at;
    struct dal_expr_fault *fault;
    int64_t values[MOST_ARGUMENTS * DAL_EXPR_DEPTH + 1];
    char operators[DAL_EXPR_DEPTH];
    struct {
        const struct function *function;
        int commas;          /* so far */
    } calls[DAL_EXPR_DEPTH]; /* of those operators that are CALL */
    int value_count, operator_count;
};

/* ---- functions, in place of those that DOL's networks have in Java --------------------------- */

/* Reverses the lowest `bits` bits of n. */
static int reverse_bits(const int64_t *arguments, int64_t *value)
{
    int64_t n = arguments[0], bits = arguments[1];
    if (bits < 0 || bits > 62 || n < 0 || n >> bits != 0)
        return 0;
    *value = 0;
    for (; bits > 0; bits--, n >>= 1)
        *value = *value << 1 | (n & 1);
    return 1;
}

static int keep(const int64_t *arguments, int64_t *value)
{
    *value = arguments[0];
    return 1;
}

/* Returns the largest k with 2^k <= n. */
static int find_log2(const int64_t *arguments, int64_t *value)
{
    if (arguments[0] < 1)
        return 0;
    *value = 63 - __builtin_clzll((unsigned long long)arguments[0]);
    return 1;
}

static int find_max(const int64_t *arguments, int64_t *value)
{
    *value = arguments[0] > arguments[1] ? arguments[0] : arguments[1];
    return 1;
}

static int find_min(const int64_t *arguments, int64_t *value)
{
    *value = arguments[0] < arguments[1] ? arguments[0] : arguments[1];
    return 1;
}

/* Squares repeatedly, so that a large exponent of 0, 1 or -1 takes no time. */
static int raise_power(const int64_t *arguments, int64_t *value)
{
    int64_t base = arguments[0], exponent = arguments[1];
    if (exponent < 0)
        return 0;
    *value = 1;
    for (;; exponent >>= 1) {
        if (exponent & 1 && __builtin_mul_overflow(*value, base, value))
            return 0;
        if (exponent < 2)
            return 1;
        if (__builtin_mul_overflow(base, base, &base))
            return 0;
    }
}

static const struct function functions[] = {
    {.name = "bitreverse", .arguments = 2, .apply = reverse_bits},
    {.name = "floor", .arguments = 1, .apply = keep},
    {.name = "log2", .arguments = 1, .apply = find_log2},
    {.name = "max", .arguments = 2, .apply = find_max},
    {.name = "min", .arguments = 2, .apply = find_min},
    {.name = "pow", .arguments = 2, .apply = raise_power},
};

/* ---- variables ------------------------------------------------------------------------------- */

/* More names than a file may have variables. */
enum { HASHES = 8192 };

/* FNV-1a. */
static size_t hash_name(const char *name, size_t length)
{
    uint32_t hash = 0x811c9dc5u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 0x01000193u;
    return (hash ^ hash >> 16) % HASHES;
}

int dal_expr_push(struct dal_expr_scope *scope, const char *name, int64_t value)
{
    size_t hash = hash_name(name, strlen(name));
    if (!scope->last && !(scope->last = dal_calloc(HASHES, sizeof(*scope->last))))
        return DAL_ERR_NOMEM;
    if (dal_grow(&scope->list, scope->count, &scope->room, sizeof(*scope->list)))
        return DAL_ERR_NOMEM;
    scope->list[scope->count++] =
        (struct dal_expr_variable){.name = name, .value = value, .hidden = scope->last[hash]};
    scope->last[hash] = scope->count;
    return DAL_OK;
}

void dal_expr_pop(struct dal_expr_scope *scope)
{
    const struct dal_expr_variable *gone = &scope->list[--scope->count];
    scope->last[hash_name(gone->name, strlen(gone->name))] = gone->hidden;
}

void dal_expr_scope_finish(struct dal_expr_scope *scope)
{
    dal_free_all(scope->list, scope->last);
    *scope = (struct dal_expr_scope){0};
}

static const struct dal_expr_variable *find_variable(const struct dal_expr_scope *scope,
                                                     const char *name, size_t length)
{
    size_t next = scope->last ? scope->last[hash_name(name, length)] : 0;
    for (; next; next = scope->list[next - 1].hidden) {
        const struct dal_expr_variable *at = &scope->list[next - 1];
        if (strncmp(at->name, name, length) == 0 && !at->name[length])
            return at;
    }
    return NULL;
}

const struct dal_expr_variable *dal_expr_find(const struct dal_expr_scope *scope, const char *name)
{
    return find_variable(scope, name, strlen(name));
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int fail_with(struct dal_expr_fault *fault, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail_with(struct dal_expr_fault *fault, const char *code, const char *format, ...)
{
    va_list args;
    fault->code = code;
    va_start(args, format);
    vsnprintf(fault->text, sizeof(fault->text), format, args);
    va_end(args);
    return DAL_ERR_INVALID;
}

static int fail_syntax(struct parser *p, const char *wanted)
{
    if (!p->at[0])
        return fail_with(p->fault, "bad-number", "%s is missing at the end of '%.60s'", wanted,
                         p->text);
    if (strncmp(p->at, "${", 2) == 0)
        return fail_with(p->fault, "bad-number",
                         "an expression stands here without ${ }, not '%.60s'", p->text);
    return fail_with(p->fault, "bad-number", "%s is missing before '%.30s' in '%.60s'", wanted,
                     p->at, p->text);
}

static int fail_call(struct parser *p, const struct function *function)
{
    return fail_with(p->fault, "unknown-function", "%s wants %d argument%s, in '%.60s'",
                     function->name, function->arguments, function->arguments > 1 ? "s" : "",
                     p->text);
}

static int precedence(char op)
{
    switch (op) {
    case NEGATE:
        return 3;
    case '*':
    case '/':
    case '%':
        return 2;
    case '+':
    case '-':
        return 1;
    default:
        return 0;
    }
}

static int apply_operator(struct parser *p)
{
    char op = p->operators[--p->operator_count];
    int64_t right = p->values[--p->value_count], left = 0, *value;
    int overflow = 0;
    if (op != NEGATE)
        left = p->values[--p->value_count];
    value = &p->values[p->value_count++];
    if ((op == '/' || op == '%') && right == 0)
        return fail_with(p->fault, "division-by-zero", "'%.60s' divides by zero", p->text);
    switch (op) {
    case '+':
        overflow = __builtin_add_overflow(left, right, value);
        break;
    case '-':
    case NEGATE:
        overflow = __builtin_sub_overflow(left, right, value);
        break;
    case '*':
        overflow = __builtin_mul_overflow(left, right, value);
        break;
    default:
        overflow = left == INT64_MIN && right == -1;
        if (!overflow)
            *value = op == '/' ? left / right : left % right;
    }
    if (overflow)
        return fail_with(p->fault, "number-overflow", "'%.60s' does not fit 64 bits", p->text);
    return DAL_OK;
}

/* Applies all pending operators that bind at least as tightly. */
static int apply_pending(struct parser *p, int least)
{
    int status = DAL_OK;
    while (!status && p->operator_count > 0 &&
           precedence(p->operators[p->operator_count - 1]) >= least)
        status = apply_operator(p);
    return status;
}

static int open_operator(struct parser *p, char op)
{
    if (p->operator_count == DAL_EXPR_DEPTH)
        return fail_with(p->fault, "bad-number", "'%.60s' nests deeper than %d", p->text,
                         DAL_EXPR_DEPTH);
    p->operators[p->operator_count++] = op;
    p->at++;
    return DAL_OK;
}

static int parse_number(struct parser *p)
{
    int64_t value = 0;
    for (; is_digit(*p->at); p->at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *p->at - '0', &value))
            return fail_with(p->fault, "number-overflow", "'%.60s' does not fit 64 bits", p->text);
    if (is_letter(*p->at))
        return fail_syntax(p, "an operator");
    p->values[p->value_count++] = value;
    return DAL_OK;
}

/* `start` is the function's name, and p->at the parenthesis behind it. */
static int open_call(struct parser *p, const char *start, size_t length)
{
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        int status;
        if (strncmp(functions[i].name, start, length) != 0 || functions[i].name[length])
            continue;
        status = open_operator(p, CALL);
        if (!status) {
            p->calls[p->operator_count - 1].function = &functions[i];
            p->calls[p->operator_count - 1].commas = 0;
        }
        return status;
    }
    return fail_with(
        p->fault, "unknown-function",
        "there is no function '%.*s': Java is not run here, built in are bitreverse(n, "
        "bits), floor, log2, max, min and pow",
        length > 40 ? 40 : (int)length, start);
}

static int next_argument(struct parser *p, int *complete)
{
    int status = apply_pending(p, 1), top = p->operator_count - 1;
    if (status)
        return status;
    if (top < 0 || p->operators[top] != CALL)
        return fail_syntax(p, "an operator");
    if (++p->calls[top].commas == p->calls[top].function->arguments)
        return fail_call(p, p->calls[top].function);
    *complete = 0;
    p->at++;
    return DAL_OK;
}

/* Evaluates a call, whose arguments are all there. */
static int close_call(struct parser *p)
{
    const struct function *function = p->calls[p->operator_count].function;
    int64_t value;
    if (p->calls[p->operator_count].commas + 1 < function->arguments)
        return fail_call(p, function);
    p->value_count -= function->arguments;
    if (!function->apply(&p->values[p->value_count], &value))
        return fail_with(p->fault, "bad-number", "%s has no value of 64 bits for this, in '%.60s'",
                         function->name, p->text);
    p->values[p->value_count++] = value;
    return DAL_OK;
}

static int parse_name(struct parser *p, int *complete)
{
    static const char java_math[] = "Math."; /* Java writes this in front of its functions */
    const char *start = p->at;
    const struct dal_expr_variable *found;
    if (strncmp(start, java_math, sizeof(java_math) - 1) == 0)
        start = p->at += sizeof(java_math) - 1;
    while (is_letter(*p->at) || is_digit(*p->at))
        p->at++;
    if (p->at[strspn(p->at, " \t\r\n")] == OPEN) {
        size_t length = (size_t)(p->at - start);
        p->at += strspn(p->at, " \t\r\n");
        *complete = 0;
        return open_call(p, start, length);
    }
    found = find_variable(p->scope, start, (size_t)(p->at - start));
    if (!found) {
        snprintf(p->fault->name, sizeof(p->fault->name), "%.*s", (int)(p->at - start), start);
        return fail_with(p->fault, "unknown-variable", "there is no variable '%s'", p->fault->name);
    }
    if (found->text)
        return fail_with(p->fault, "typed-variable", "'%.80s' is no integer", found->name);
    p->values[p->value_count++] = found->value;
    return DAL_OK;
}

static int parse_operand(struct parser *p, int *complete)
{
    if (*p->at == '-')
        return open_operator(p, NEGATE);
    if (*p->at == '+') {
        p->at++;
        return DAL_OK;
    }
    if (*p->at == OPEN)
        return open_operator(p, OPEN);
    *complete = 1;
    if (is_digit(*p->at))
        return parse_number(p);
    if (is_letter(*p->at))
        return parse_name(p, complete);
    return fail_syntax(p, "a number");
}

/* Parses what may follow an operand: a binary operator, a comma or a closing parenthesis. */
static int parse_connective(struct parser *p, int *complete)
{
    int status;
    if (*p->at == ')') {
        status = apply_pending(p, 1);
        if (status)
            return status;
        if (p->operator_count == 0)
            return fail_syntax(p, "'('");
        p->operator_count--;
        p->at++;
        return p->operators[p->operator_count] == CALL ? close_call(p) : DAL_OK;
    }
    if (*p->at == ',')
        return next_argument(p, complete);
    if (precedence(*p->at) == 0 || *p->at == NEGATE)
        return fail_syntax(p, "an operator");
    status = apply_pending(p, precedence(*p->at));
    *complete = 0;
    return status ? status : open_operator(p, *p->at);
}

int dal_expr_eval(const struct dal_expr_scope *scope, const char *text, int64_t *value,
                  struct dal_expr_fault *fault)
{
    struct parser p = {.scope = scope, .text = text, .at = text, .fault = fault};
    int complete = 0, status = DAL_OK;
    fault->name[0] = '\0';
    while (!status) {
        while (is_space(*p.at))
            p.at++;
        if (!*p.at)
            break;
        status = complete ? parse_connective(&p, &complete) : parse_operand(&p, &complete);
    }
    if (!status && !complete)
        status = fail_syntax(&p, "a number");
    if (!status)
        status = apply_pending(&p, 1);
    if (!status && p.operator_count > 0)
        status = fail_syntax(&p, "')'");
    if (!status)
        *value = p.values[0];
    return status;
}

/* A text that grows. */
struct text {
    char *bytes;
    size_t count, room;
};

static int append_bytes(struct text *text, const char *more, size_t length)
{
    while (text->room < text->count + length + 1)
        if (dal_grow(&text->bytes, text->room, &text->room, 1))
            return DAL_ERR_NOMEM;
    memcpy(text->bytes + text->count, more, length);
    text->count += length;
    text->bytes[text->count] = '\0';
    return DAL_OK;
}

/* Adds the value of the expression at `start` as text. */
static int expand_one(const struct dal_expr_scope *scope, const char *start, size_t length,
                      struct text *text, struct dal_expr_fault *fault)
{
    const struct dal_expr_variable *found = find_variable(scope, start, length);
    char digits[24], *expression;
    int64_t value;
    int status;
    if (found && found->text)
        return append_bytes(text, found->text, strlen(found->text));
    expression = dal_format("%.*s", (int)length, start);
    if (!expression)
        return DAL_ERR_NOMEM;
    status = dal_expr_eval(scope, expression, &value, fault);
    dal_free(expression);
    if (status)
        return status;
    snprintf(digits, sizeof(digits), "%" PRId64, value);
    return append_bytes(text, digits, strlen(digits));
}

int dal_expr_expand(const struct dal_expr_scope *scope, const char *text, char **result,
                    struct dal_expr_fault *fault)
{
    const char *start, *end;
    struct text expanded = {0};
    int status = DAL_OK;
    fault->name[0] = '\0';
    while (!status && (start = strstr(text, "${"))) {
        end = strchr(start, '}');
        if (!end) {
            status = fail_with(fault, "bad-number", "'}' is missing after '%.60s'", start);
            break;
        }
        status = append_bytes(&expanded, text, (size_t)(start - text));
        if (!status)
            status = expand_one(scope, start + 2, (size_t)(end - start - 2), &expanded, fault);
        text = end + 1;
    }
    if (!status)
        status = append_bytes(&expanded, text, strlen(text));
    if (status) {
        dal_free(expanded.bytes);
        return status;
    }
    *result = expanded.bytes;
    return DAL_OK;
}
