#include "synth/source/variants.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/source/unit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VARIANTS = 256 };

/* ---- what a source asks for ------------------------------------------------------------------ */

/* Words that C or dalsynth itself answers. */
static int is_no_question(const char *name)
{
    static const char *const words[] = {"__cplusplus", "__OPENCL_CPP_VERSION__", "__has_include",
                                        "__STDC__",    "__STDC_VERSION__",       "__FILE__",
                                        "__LINE__"};
    size_t i;

    for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i], name) == 0)
            return 1;
    return 0;
}

static int is_of_device(const char *name)
{
    return (strncmp(name, "__", 2) == 0 || strncmp(name, "cl_", 3) == 0 ||
            strncmp(name, "CL_", 3) == 0) &&
           !is_no_question(name);
}

static int in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The names in a directive's line, with those that it is continued on. */
static void take_names(const char *at, struct dal_text *asked)
{
    for (; *at && *at != '\n'; at++) {
        char name[128];
        size_t length = 0;
        if (*at == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n')))
            at += at[1] == '\n' ? 1 : 2;
        while (in_word(at[length]))
            length++;
        if (length == 0)
            continue;
        if (!isdigit((unsigned char)*at) && length < sizeof(name)) {
            memcpy(name, at, length);
            name[length] = '\0';
            if (is_of_device(name) && !dal_text_list_has(asked, name))
                dal_text_list_add(asked, name, length);
        }
        at += length - 1;
    }
}

static void take_line(const char *at, struct dal_text *asked, struct dal_text *defined)
{
    at += strspn(at, " \t");
    if (*at++ != '#')
        return;
    at += strspn(at, " \t");
    if (strncmp(at, "if", 2) == 0 || strncmp(at, "elif", 4) == 0) {
        take_names(at, asked);
    } else if (strncmp(at, "define", 6) == 0) {
        size_t length = 0;
        at += 6 + strspn(at + 6, " \t");
        while (in_word(at[length]))
            length++;
        dal_text_list_add(defined, at, length);
    }
}

static int take_file(struct dal_diags *diags, const struct dal_spec_source *source,
                     const char *path, struct dal_text *asked, struct dal_text *defined)
{
    size_t length;
    char *data, *at;
    int error = dal_unit_read(diags, source, path, &data, &length);

    if (error)
        return error;
    for (at = data; *at; at += strcspn(at, "\n"), at += *at == '\n')
        take_line(at, asked, defined);
    dal_free(data);
    return DAL_OK;
}

/* In the source and the files beside it; what those define themselves is no question. */
static int find_questions(struct dal_diags *diags, const struct dal_spec_source *source,
                          struct dal_text *questions)
{
    struct dal_text files = {0}, asked = {0}, defined = {0};
    const char *at;
    int error;

    error = dal__unit_files(diags, source, &files);
    for (at = dal_text_get(&files); *at && !error; at += strcspn(at, "\n") + 1) {
        char *path = dal_format("%.*s", (int)strcspn(at, "\n"), at);
        error = path ? take_file(diags, source, path, &asked, &defined) : DAL_ERR_NOMEM;
        dal_free(path);
    }
    for (at = dal_text_get(&asked); *at && !error; at += strcspn(at, "\n") + 1) {
        char *name = dal_format("%.*s", (int)strcspn(at, "\n"), at);
        if (name && !dal_text_list_has(&defined, name))
            dal_text_list_add(questions, name, strlen(name));
        error = name ? DAL_OK : DAL_ERR_NOMEM;
        dal_free(name);
    }
    if (files.lost || asked.lost || defined.lost || questions->lost)
        error = DAL_ERR_NOMEM;
    dal_text_finish(&files);
    dal_text_finish(&asked);
    dal_text_finish(&defined);
    return error;
}

/* ---- the answers ----------------------------------------------------------------------------- */

static const int versions[] = {100, 110, 120, 200, 300};

enum { VERSIONS = sizeof(versions) / sizeof(versions[0]) };

static int is_version(const char *name)
{
    return strcmp(name, "__OPENCL_VERSION__") == 0 || strcmp(name, "__OPENCL_C_VERSION__") == 0;
}

static unsigned count_answers(const char *name)
{
    return is_version(name) ? VERSIONS : 2;
}

/* CL_VERSION_1_2 is 120; what else is defined is 1. */
static int value_of(const char *name)
{
    static const char prefix[] = "CL_VERSION_";
    size_t length = strlen(prefix);

    if (strncmp(name, prefix, length) == 0 && isdigit((unsigned char)name[length]) &&
        name[length + 1] == '_')
        return 100 * atoi(name + length) + 10 * atoi(name + length + 2);
    return 1;
}

static void add_version(struct dal_variant *v, const char *name, unsigned answer)
{
    if (answer > 0)
        dal_text_printf(&v->condition, "%s >= %d", name, versions[answer]);
    if (answer > 0 && answer < VERSIONS - 1)
        dal_text_add(&v->condition, " && ");
    if (answer < VERSIONS - 1)
        dal_text_printf(&v->condition, "%s < %d", name, versions[answer + 1]);
    dal_text_printf(&v->defines, "-D%s=%d\n", name, versions[answer]);
}

static void add_answer(struct dal_variant *v, const char *name, unsigned answer)
{
    if (v->condition.length)
        dal_text_add(&v->condition, " && ");
    if (is_version(name)) {
        add_version(v, name, answer);
        return;
    }
    dal_text_printf(&v->condition, "%sdefined(%s)", answer ? "" : "!", name);
    if (answer)
        dal_text_printf(&v->defines, "-D%s=%d\n", name, value_of(name));
}

/* One for each combination: numbers with as many digits as there are questions. */
static int make_variants(struct dal_variants *variants, const struct dal_text *questions)
{
    size_t i;

    for (i = 0; i < variants->count; i++) {
        const char *at = dal_text_get(questions);
        size_t rest = i;
        for (; *at; at += strcspn(at, "\n") + 1) {
            char *name = dal_format("%.*s", (int)strcspn(at, "\n"), at);
            if (!name)
                return DAL_ERR_NOMEM;
            add_answer(&variants->list[i], name, (unsigned)(rest % count_answers(name)));
            rest /= count_answers(name);
            dal_free(name);
        }
        if (variants->list[i].defines.lost || variants->list[i].condition.lost)
            return DAL_ERR_NOMEM;
    }
    return DAL_OK;
}

static size_t count_variants(const struct dal_text *questions)
{
    const char *at = dal_text_get(questions);
    size_t count = 1;

    for (; *at && count <= MOST_VARIANTS; at += strcspn(at, "\n") + 1) {
        char *name = dal_format("%.*s", (int)strcspn(at, "\n"), at);
        count *= name ? count_answers(name) : 1;
        dal_free(name);
    }
    return count;
}

int dal_variants_find(struct dal_diags *diags, const struct dal_spec_source *source,
                      struct dal_variants *variants)
{
    struct dal_text questions = {0};
    int error;

    *variants = (struct dal_variants){0};
    error = find_questions(diags, source, &questions);
    if (!error)
        variants->count = count_variants(&questions);
    if (variants->count > MOST_VARIANTS) {
        dal_error(diags, source->place, "kernel-build",
                  "source '%s' has conditions that ask a device for more than %d combinations",
                  source->location, MOST_VARIANTS);
        error = DAL_ERR_INVALID;
    }
    if (!error) {
        variants->list = dal_calloc(variants->count, sizeof(*variants->list));
        error = variants->list ? make_variants(variants, &questions) : DAL_ERR_NOMEM;
    }
    if (!variants->list)
        variants->count = 0;
    dal_text_finish(&questions);
    return error;
}

void dal_variants_finish(struct dal_variants *variants)
{
    while (variants->count) {
        struct dal_variant *v = &variants->list[--variants->count];
        dal_text_finish(&v->defines);
        dal_text_finish(&v->condition);
        dal_text_finish(&v->text);
    }
    dal_free(variants->list);
    *variants = (struct dal_variants){0};
}

/* ---- the texts ------------------------------------------------------------------------------- */

static int same_text(const struct dal_variant *a, const struct dal_variant *b)
{
    return strcmp(dal_text_get(&a->text), dal_text_get(&b->text)) == 0;
}

/* The first that has its text, in the order of the list. */
static int is_first(const struct dal_variants *variants, size_t i)
{
    size_t k;

    for (k = 0; k < i; k++)
        if (same_text(&variants->list[k], &variants->list[i]))
            return 0;
    return 1;
}

static void add_conditions(struct dal_text *text, const struct dal_variants *variants, size_t first)
{
    size_t i;

    dal_text_add(text, first ? "#elif " : "#if ");
    for (i = first; i < variants->count; i++)
        if (same_text(&variants->list[first], &variants->list[i])) {
            dal_text_add(text, i > first ? " || (" : "(");
            dal_text_add(text, dal_text_get(&variants->list[i].condition));
            dal_text_add(text, ")");
        }
    dal_text_add(text, "\n");
}

void dal_variants_join(struct dal_text *text, const struct dal_variants *variants)
{
    size_t i, different = 0;

    for (i = 0; i < variants->count; i++)
        different += (size_t)is_first(variants, i);
    for (i = 0; i < variants->count; i++) {
        if (!is_first(variants, i))
            continue;
        if (different > 1)
            add_conditions(text, variants, i);
        dal_text_add(text, variants->list[i].error
                               ? "#error This source has no kernel for this device.\n"
                               : dal_text_get(&variants->list[i].text));
    }
    if (different > 1)
        dal_text_add(text, "#endif\n");
}
