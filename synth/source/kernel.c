/*
 * Kernels: a window reaches a kernel as a buffer and an offset (doc/inside.md), so the user's
 * plain signature is replaced, and his pointers are made at the top of the body. That is done
 * behind the preprocessor, so that it does not matter what made it. Everything else of his source,
 * down to the number of its lines, stays.
 */
#include "synth/source/expand.h"
#include "synth/source/local_memory.h"
#include "synth/source/scan.h"
#include "synth/source/source.h"
#include "synth/source/unit.h"
#include "synth/source/variants.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A kernel function in the expanded text. */
struct site {
    struct dal_token name;
    const char *behind_keyword; /* where attributes may be put */
    struct dal_scanner args;    /* behind its "(" */
    const char *args_end;       /* at its ")" */
    const char *body;           /* behind its "{" */
    int body_line;
    const char *end;       /* behind its "}" */
    int has_size;          /* reqd_work_group_size given */
    unsigned long size[3]; /* 0 where it is no plain number */
    int size_line;
    int returns_void;
};

struct argument {
    struct dal_token name;
    struct dal_scanner start; /* before its first token */
    const char *end;          /* behind its last */
    const char *array;        /* behind the "]" of "name[]" */
    int line, stars, global, constant, local, is_const, is_volatile;
};

struct job {
    struct dal_diags *diags;
    const struct dal_plan *plan;
    struct dal_plan_unit *unit;
    struct dal_expanded source;
    struct site site;
    struct dal_locals locals;
    struct dal_text text;
    struct argument *args; /* one a port, in the order of the ports; line 0: none seen */
};

static int is_keyword(const struct dal_token *token, const char *plain)
{
    size_t skip = token->length > 2 && !strncmp(token->start, "__", 2) ? 2 : 0;

    return token->length - skip == strlen(plain) &&
           !memcmp(token->start + skip, plain, strlen(plain));
}

static void take_size(struct dal_scanner s, struct site *site, int line)
{
    struct dal_token token = dal_scan_code(&s);
    int i;

    if (!dal_token_is(&token, "("))
        return;
    site->has_size = 1;
    site->size_line = line;
    for (i = 0; i < 3; i++) {
        struct dal_token comma;
        token = dal_scan_code(&s);
        comma = dal_scan_code(&s);
        if (!dal_token_is(&comma, i < 2 ? "," : ")"))
            return;
        site->size[i] = token.kind == DAL_TOKEN_NUMBER ? strtoul(token.start, NULL, 0) : 0;
    }
}

/* Behind "__attribute__": past it, with the work-group size that it may ask for. */
static int pass_attribute(struct dal_scanner *s, struct site *site)
{
    struct dal_token token = dal_scan_code(s);
    struct dal_scanner inside = *s;

    if (!dal_token_is(&token, "(") || !dal_scan_close(s))
        return 0;
    while (inside.at < s->at) {
        token = dal_scan_code(&inside);
        if (dal_token_is(&token, "reqd_work_group_size") ||
            dal_token_is(&token, "__reqd_work_group_size__"))
            take_size(inside, site, token.line);
        if (token.kind == DAL_TOKEN_END)
            break;
    }
    return 1;
}

/* Behind "kernel": 1 with the site filled in when a function is defined here. */
static int pass_kernel(struct dal_scanner *s, struct site *site)
{
    struct dal_token token;

    site->behind_keyword = s->at;
    for (token = dal_scan_code(s); !dal_token_is(&token, "("); token = dal_scan_code(s)) {
        if (dal_token_is(&token, "__attribute__")) {
            if (!pass_attribute(s, site))
                return 0;
        } else if (token.kind == DAL_TOKEN_NAME) {
            site->returns_void |= dal_token_is(&token, "void");
            site->name = token;
        } else {
            site->returns_void = 0;
            if (!dal_token_is(&token, "*"))
                return 0;
        }
    }
    site->args = *s;
    if (site->name.kind != DAL_TOKEN_NAME || !dal_scan_close(s))
        return 0;
    site->args_end = s->at - 1;
    for (token = dal_scan_code(s); dal_token_is(&token, "__attribute__"); token = dal_scan_code(s))
        if (!pass_attribute(s, site))
            return 0;
    site->body = s->at;
    site->body_line = token.line;
    return dal_token_is(&token, "{");
}

/* The next kernel that is defined behind the scanner; its body is passed over. */
static int next_kernel(struct dal_scanner *s, struct site *site)
{
    struct dal_token token;

    *site = (struct site){0};
    for (token = dal_scan_code(s); token.kind != DAL_TOKEN_END; token = dal_scan_code(s)) {
        struct dal_scanner behind = *s;
        if (dal_token_is(&token, "__attribute__")) {
            pass_attribute(s, site);
        } else if (dal_token_is(&token, "void")) {
            site->returns_void = 1;
        } else if (token.kind == DAL_TOKEN_NAME && is_keyword(&token, "kernel")) {
            if (pass_kernel(&behind, site)) {
                dal_scan_close(&behind);
                site->end = behind.at;
                *s = behind;
                return 1;
            }
        } else if (token.kind == DAL_TOKEN_MARK) {
            *site = (struct site){0};
            if (dal_token_is(&token, "{"))
                dal_scan_close(s);
        }
    }
    return 0;
}

static struct dal_spec_place place(struct job *job, int line)
{
    return dal_expand_place(job->diags, &job->source, line);
}

static void list_kernels(struct job *job)
{
    struct dal_scanner s;
    struct site site;

    dal_scan_init(&s, dal_text_get(&job->source.text), job->source.text.length);
    while (next_kernel(&s, &site))
        dal_note(job->diags, place(job, site.name.line), "there is kernel '%.*s'",
                 (int)site.name.length, site.name.start);
}

/* The kernel named after the process, or the only one there is. */
static int choose_kernel(struct job *job)
{
    const char *base = job->unit->process->base;
    struct dal_scanner s;
    struct site site;
    size_t count = 0;

    dal_scan_init(&s, dal_text_get(&job->source.text), job->source.text.length);
    while (next_kernel(&s, &site)) {
        if (!count++)
            job->site = site;
        if (dal_token_is(&site.name, base)) {
            job->site = site;
            count = 1;
            break;
        }
    }
    if (count == 1)
        return DAL_OK;
    dal_error(job->diags, place(job, 2), "kernel-signature",
              count ? "process '%s': none of %zu kernels is named '%s'"
                    : "process '%s': this source has %zu kernels; expected '__kernel void %s(...)'",
              job->unit->process->name, count, base);
    list_kernels(job);
    dal_note(job->diags, job->unit->source->place, "the source is named here");
    return DAL_ERR_INVALID;
}

static int is_blank(const char *at, const char *end)
{
    for (; at < end; at++)
        if (!isspace((unsigned char)*at))
            return 0;
    return 1;
}

static void take_word(struct argument *arg, const struct dal_token *token)
{
    if (!is_keyword(token, "restrict") && !dal_token_is(token, "__restrict__"))
        arg->name = *token;
    if (is_keyword(token, "global"))
        arg->global = 1;
    else if (is_keyword(token, "constant"))
        arg->constant = 1;
    else if (is_keyword(token, "local") || is_keyword(token, "private"))
        arg->local = 1;
    else if (dal_token_is(token, "const") && !arg->stars)
        arg->is_const = 1;
    else if (dal_token_is(token, "volatile") && !arg->stars)
        arg->is_volatile = 1;
}

/* One argument up to its "," or ")", whichever it returns; 0 when there is none. What is behind
 * its name, and attributes, are passed over. */
static char pass_argument(struct dal_scanner *s, struct argument *arg)
{
    int depth = 0;

    *arg = (struct argument){.start = *s};
    for (;;) {
        struct dal_token token = dal_scan_code(s);
        if (token.kind == DAL_TOKEN_END)
            return 0;
        if (!arg->line)
            arg->line = token.line;
        if (depth == 0 && (dal_token_is(&token, ",") || dal_token_is(&token, ")")))
            return *token.start;
        if (dal_token_is(&token, "__attribute__")) {
            dal_scan_code(s);
            dal_scan_close(s);
            continue;
        }
        if (dal_token_is(&token, "*"))
            arg->stars++;
        else if (token.kind == DAL_TOKEN_NAME)
            take_word(arg, &token);
        else if (dal_token_is(&token, "[") || dal_token_is(&token, "{")) {
            int is_array = arg->name.start && arg->name.start + arg->name.length <= token.start &&
                           is_blank(arg->name.start + arg->name.length, token.start);
            if (!dal_scan_close(s))
                return 0;
            if (is_array && *token.start == '[' && !arg->array) {
                arg->array = s->at;
                arg->stars++;
            }
        } else if (dal_token_is(&token, "(") || dal_token_is(&token, ")"))
            depth += dal_token_is(&token, "(") ? 1 : -1;
        arg->end = s->at;
    }
}

/* Behind "typedef": does it make `name` of a type? Its words are an argument's. */
static int pass_typedef(struct dal_scanner *s, const struct dal_token *name, struct argument *arg)
{
    struct dal_token token;

    *arg = (struct argument){0};
    for (token = dal_scan_code(s); !dal_token_is(&token, ";"); token = dal_scan_code(s)) {
        if (token.kind == DAL_TOKEN_END)
            return 0;
        if (dal_token_is(&token, "{"))
            dal_scan_close(s);
        else if (dal_token_is(&token, "*"))
            arg->stars++;
        else if (token.kind == DAL_TOKEN_NAME)
            take_word(arg, &token);
    }
    return arg->name.length == name->length &&
           memcmp(arg->name.start, name->start, name->length) == 0;
}

/* The type's name may be that of a pointer. */
static void look_up_type(const struct job *job, struct argument *arg)
{
    struct dal_scanner s, types = arg->start;
    struct argument type;
    struct dal_token name = {0}, token;

    for (token = dal_scan_code(&types); token.start < arg->name.start;
         token = dal_scan_code(&types))
        if (token.kind == DAL_TOKEN_NAME && !dal_token_is(&token, "const") &&
            !is_keyword(&token, "restrict"))
            name = token;
    dal_scan_init(&s, dal_text_get(&job->source.text), job->source.text.length);
    while (name.length && s.at < arg->name.start) {
        token = dal_scan_code(&s);
        if (token.kind == DAL_TOKEN_END)
            break;
        if (dal_token_is(&token, "typedef") && pass_typedef(&s, &name, &type)) {
            arg->stars += type.stars;
            arg->global |= type.global;
            arg->constant |= type.constant;
            arg->local |= type.local;
        }
    }
}

static const char *find_fault(const struct argument *arg)
{
    if (arg->constant)
        return "is in constant memory; write '__global const TYPE *'";
    if (arg->local)
        return "is in local memory; declare that in the kernel's body";
    if (arg->stars != 1)
        return "is no plain pointer; a port is one '__global TYPE *'";
    if (!arg->global)
        return "is no pointer to global memory; write '__global TYPE *'";
    return NULL;
}

static int find_port(const struct dal_spec_process *process, const struct dal_token *name)
{
    size_t i;

    for (i = 0; i < process->port_count; i++)
        if (dal_token_is(name, process->ports[i].name))
            return (int)i;
    return -1;
}

static int check_argument(struct job *job, const struct argument *arg)
{
    const struct dal_spec_process *process = job->unit->process;
    const char *fault = find_fault(arg);
    int port = find_port(process, &arg->name);

    if (port >= 0 && !fault && job->args[port].line)
        fault = "is there twice";
    if (!fault && port < 0)
        fault = "is not the name of one of the process's ports";
    if (fault) {
        dal_error(job->diags, place(job, arg->line), "kernel-signature",
                  "process '%s', kernel '%.*s': argument '%.*s' %s", process->name,
                  (int)job->site.name.length, job->site.name.start, (int)arg->name.length,
                  arg->name.start ? arg->name.start : "", fault);
        if (port >= 0)
            job->args[port].line = arg->line;
        return DAL_ERR_INVALID;
    }
    job->args[port] = *arg;
    return DAL_OK;
}

static int check_arguments(struct job *job)
{
    struct dal_scanner s = job->site.args;
    struct argument arg;
    int error = DAL_OK;
    char end;

    do {
        end = pass_argument(&s, &arg);
        if (arg.name.length == 0 && !arg.stars)
            continue; /* "()" */
        if (dal_token_is(&arg.name, "void") && !arg.stars)
            continue;
        if (arg.stars == 0)
            look_up_type(job, &arg);
        if (check_argument(job, &arg))
            error = DAL_ERR_INVALID;
    } while (end == ',');
    return error;
}

static int check_ports(struct job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    int error = DAL_OK;
    size_t i;

    for (i = 0; i < process->port_count; i++) {
        if (job->args[i].line)
            continue;
        dal_error(job->diags, place(job, job->site.name.line), "kernel-signature",
                  "process '%s', kernel '%.*s': no argument for port '%s'; add '__global %sTYPE "
                  "*%s'",
                  process->name, (int)job->site.name.length, job->site.name.start,
                  process->ports[i].name, process->ports[i].output ? "" : "const ",
                  process->ports[i].name);
        dal_note(job->diags, process->ports[i].place, "the port is declared here");
        error = DAL_ERR_INVALID;
    }
    return error;
}

static int check_kernel(struct job *job)
{
    const struct site *site = &job->site;
    int error = DAL_OK;

    if (!site->returns_void) {
        dal_error(job->diags, place(job, site->name.line), "kernel-signature",
                  "kernel '%.*s' must return void", (int)site->name.length, site->name.start);
        error = DAL_ERR_INVALID;
    }
    if (site->has_size && ((site->size[0] && site->size[0] != job->unit->work_items) ||
                           site->size[1] > 1 || site->size[2] > 1)) {
        dal_error(job->diags, place(job, site->size_line), "kernel-signature",
                  "kernel '%.*s' requires work-groups of %lux%lux%lu, but process '%s' has %" PRIu32
                  " work-items; they are set by dataparallelism in the network and by workitems "
                  "in the mapping",
                  (int)site->name.length, site->name.start, site->size[0], site->size[1],
                  site->size[2], job->unit->process->name, job->unit->work_items);
        error = DAL_ERR_INVALID;
    }
    if (check_arguments(job))
        error = DAL_ERR_INVALID;
    return check_ports(job) ? DAL_ERR_INVALID : error;
}

/* The argument as it is written, less attributes; an array as the pointer that it is. */
static void add_declaration(struct dal_text *text, const struct argument *arg)
{
    struct dal_scanner s = arg->start;
    struct dal_token token;
    int first = 1;

    for (token = dal_scan_code(&s); token.kind != DAL_TOKEN_END && token.start < arg->end;
         token = dal_scan_code(&s)) {
        if (dal_token_is(&token, "__attribute__")) {
            dal_scan_code(&s);
            dal_scan_close(&s);
            continue;
        }
        dal_text_add(text, first ? "" : " ");
        dal_text_add(text, token.start == arg->name.start && arg->array ? "*" : "");
        dal_text_add_bytes(text, token.start, token.length);
        if (token.start == arg->name.start && arg->array)
            s.at = arg->array;
        first = 0;
    }
}

static void add_ports(struct dal_text *text, const struct job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    size_t i;

    for (i = 0; i < process->port_count; i++)
        dal_text_printf(text, "%s__global %s%suchar *dal__base_%s, ulong dal__offset_%s",
                        i ? ", " : "", job->args[i].is_const ? "const " : "",
                        job->args[i].is_volatile ? "volatile " : "", process->ports[i].name,
                        process->ports[i].name);
}

/* On as many lines as the user's. */
static void add_arguments(struct dal_text *text, const struct job *job)
{
    const char *at;

    add_ports(text, job);
    for (at = job->site.args.at; at < job->site.args_end; at++)
        if (*at == '\n')
            dal_text_add(text, "\n");
}

static void add_pointers(struct dal_text *text, const struct job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    size_t i;

    for (i = 0; i < process->port_count; i++) {
        const char *name = process->ports[i].name;
        dal_text_add(text, " ");
        add_declaration(text, &job->args[i]);
        dal_text_printf(text, " = (__global void *)(dal__base_%s + dal__offset_%s);", name, name);
    }
}

static void add_between(struct dal_text *text, const char *from, const char *to)
{
    dal_text_add_bytes(text, from, (size_t)(to - from));
}

static void add_prologue(struct dal_text *text, const struct job *job)
{
    dal_text_add_comment(
        text, 0,
        "Kernel of process %s, from %s: the arguments are made a buffer and an offset a port.",
        job->unit->process->base, dal_path_base(job->unit->source->path));
    dal_locals_add_macros(text, &job->locals);
    dal_unit_contraction(text, job->unit);
}

/* Something else in the source calls it, or declares it. */
static int is_used(const struct job *job)
{
    struct dal_scanner s;
    struct dal_token token;

    dal_scan_init(&s, dal_text_get(&job->source.text), job->source.text.length);
    for (token = dal_scan_code(&s); token.kind != DAL_TOKEN_END; token = dal_scan_code(&s))
        if (token.length == job->site.name.length && token.start != job->site.name.start &&
            memcmp(token.start, job->site.name.start, token.length) == 0)
            return 1;
    return 0;
}

static void add_size(struct dal_text *text, const struct job *job)
{
    dal_text_printf(text, " __attribute__((reqd_work_group_size(%" PRIu32 ", 1, 1)))",
                    job->unit->work_items);
}

/* In the place of the user's. */
static void replace_head(struct dal_text *text, const struct job *job)
{
    const struct site *site = &job->site;

    add_between(text, job->source.text.data, site->behind_keyword);
    if (!site->has_size)
        add_size(text, job);
    add_between(text, site->behind_keyword, site->args.at);
    add_arguments(text, job);
    add_between(text, site->args_end, site->body);
}

/* Behind the user's, which others call: the same body once more, in a kernel of another name. */
static void add_head(struct dal_text *text, struct job *job)
{
    const struct site *site = &job->site;
    struct dal_spec_place body = place(job, site->body_line);

    add_between(text, job->source.text.data, site->end);
    dal_text_printf(text, "\n#line %d ", body.line);
    dal_text_add_literal(text, dal_path_base(body.file));
    dal_text_add(text, "\n__kernel");
    add_size(text, job);
    dal_text_printf(text, " void %s(", job->unit->kernel);
    add_ports(text, job);
    dal_text_add(text, ") {");
}

static int rewrite_source(struct job *job, int used)
{
    const struct site *site = &job->site;
    struct dal_plan_unit *unit = job->unit;

    dal_free(unit->kernel);
    unit->kernel =
        dal_format("%s%.*s", used ? "dal__" : "", (int)site->name.length, site->name.start);
    if (!unit->kernel)
        return DAL_ERR_NOMEM;
    add_prologue(&job->text, job);
    if (used)
        add_head(&job->text, job);
    else
        replace_head(&job->text, job);
    add_pointers(&job->text, job);
    dal_locals_add_body(&job->text, &job->locals, &job->source.text, site->body);
    if (job->locals.count > unit->local_variables)
        unit->local_variables = job->locals.count;
    return job->text.lost ? DAL_ERR_NOMEM : DAL_OK;
}

static void finish_job(struct job *job)
{
    dal_locals_finish(&job->locals);
    dal_expand_finish(&job->source);
    dal_free(job->args);
    dal_text_finish(&job->text);
}

/* One of the texts that a source is for the devices. *used: set where others call the kernel. */
static int make_text(struct job *job, const struct dal_text *defines, int *used)
{
    const struct dal_plan_unit *unit = job->unit;
    char *folder = dal_plan_folder(job->plan);
    struct dal_text constants = {0};
    int error = DAL_ERR_NOMEM;

    dal_source_constants(&constants, job->plan, unit, 0);
    job->args = dal_calloc(unit->process->port_count + 1, sizeof(*job->args));
    if (job->args && folder && !constants.lost)
        error = dal_preprocess(job->diags, unit->source, folder, dal_text_get(&constants), defines,
                               &job->source);
    dal_text_finish(&constants);
    dal_free(folder);
    if (!error)
        error = choose_kernel(job);
    if (!error)
        error = check_kernel(job);
    if (!error)
        error = dal_locals_find(&job->locals, &job->source.text, job->site.body);
    if (!error && is_used(job))
        *used = 1;
    return error ? error : rewrite_source(job, *used);
}

/* The text for one kind of device; where there is no kernel for it, one that says so. */
static int make_variant(struct dal_diags *diags, const struct dal_plan *plan,
                        struct dal_plan_unit *unit, struct dal_variant *variant, int *used)
{
    struct job job = {.diags = diags, .plan = plan, .unit = unit};
    int error = make_text(&job, &variant->defines, used);

    if (!error) {
        variant->text = job.text;
        job.text = (struct dal_text){0};
    }
    finish_job(&job);
    variant->error = error;
    return error == DAL_ERR_INVALID ? DAL_OK : error;
}

/* Unless there is one, the first says what is wrong. */
static int make_variants(struct dal_diags *diags, const struct dal_plan *plan,
                         struct dal_plan_unit *unit, struct dal_variants *variants)
{
    int used = 0, before, error = DAL_OK;
    size_t i, good;

    do {
        before = used;
        for (i = good = 0; i < variants->count && !error; i++) {
            struct dal_diags unsaid;
            dal_diags_init(&unsaid);
            dal_text_finish(&variants->list[i].text);
            error = make_variant(variants->count > 1 ? &unsaid : diags, plan, unit,
                                 &variants->list[i], &used);
            good += !variants->list[i].error;
            dal_diags_finish(&unsaid);
        }
    } while (!error && used != before);
    if (!error && !good && variants->count > 1)
        error = make_variant(diags, plan, unit, &variants->list[variants->count - 1], &used);
    if (!error && !good)
        error = DAL_ERR_INVALID;
    return error;
}

int dal_unit_rewrite_kernel(struct dal_diags *diags, const struct dal_plan *plan,
                            struct dal_plan_unit *unit)
{
    struct dal_variants variants;
    int error = dal__unit_files(diags, unit->source, NULL);

    if (error)
        return error;
    error = dal_variants_find(diags, unit->source, &variants);
    if (!error)
        error = make_variants(diags, plan, unit, &variants);
    if (!error)
        dal_variants_join(&unit->text, &variants);
    dal_variants_finish(&variants);
    return !error && unit->text.lost ? DAL_ERR_NOMEM : error;
}
