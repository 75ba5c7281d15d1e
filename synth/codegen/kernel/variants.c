#include "synth/codegen/kernel/variants.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "synth/codegen/c/unit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VARIANTS = 256 };

/* ---- what a source asks for ------------------------------------------------------------------ */

struct question {
    char *name;
    int version; /* version of the language, where the options say it; else 0 */
    size_t answers;
};

struct questions {
    int is_cuda;                           /* true for CUDA C++, whose compiler is known */
    struct dal_text asked, defined, files; /* lists; files that have been looked at */
    struct question *list;                 /* questions that only a device answers */
    size_t count, room;
};

/* Is it a name that a directive of the source may have, and that only a device knows? C or dalsynth
 * answers the others with two underscores. */
static int is_of_device(const struct questions *q, const char *name)
{
    static const char *const answered[] = {
        "__cplusplus", "__OPENCL_CPP_VERSION__", "__STDC", "__FILE__", "__LINE__", "__has_",
        "__VA_"};
    if (q->is_cuda && strncmp(name, "__CUDACC", 8) == 0)
        return 0;
    for (size_t i = 0; i < sizeof(answered) / sizeof(answered[0]); i++)
        if (strncmp(answered[i], name, strlen(answered[i])) == 0)
            return 0;
    return strncmp(name, "__", 2) == 0 || strncmp(name, "cl_", 3) == 0 ||
           strncmp(name, "CL_", 3) == 0;
}

/* The macros of versions. Other macros of a version follow from them. */
static const char device_version[] = "__OPENCL_VERSION__",
                  language_version[] = "__OPENCL_C_VERSION__";

/* The names in a directive, with the lines that it is continued on. */
static void add_names(struct dal_text *list, const char *at)
{
    while (*at && *at != '\n' && *at != '\r') {
        size_t length = strspn(at, DAL_IDENTIFIER);
        if (*at == '\\' && (at[1] == '\n' || at[1] == '\r'))
            length = at[1] == '\r' && at[2] == '\n' ? 3 : 2;
        else if (length && strncmp(at, "CL_VERSION_", 11) == 0)
            dal_text_list_join(list, device_version, strlen(device_version));
        else if (length && !isdigit((unsigned char)*at))
            dal_text_list_join(list, at, length);
        at += length ? length : 1;
    }
}

static void add_directive(struct questions *q, const char *at)
{
    at += strspn(at, " \t");
    if (*at++ != '#')
        return;
    at += strspn(at, " \t");
    if (strncmp(at, "if", 2) == 0 || strncmp(at, "elif", 4) == 0)
        add_names(&q->asked, at);
    if (strncmp(at, "define", 6) != 0)
        return;
    at += 6 + strspn(at + 6, " \t");
    dal_text_list_join(&q->defined, at, strspn(at, DAL_IDENTIFIER));
}

/* Nothing asks in a file that is not there: a #line names it, as generators write them. */
static int add_file(struct dal_diags *diags, const struct dal_spec_source *source,
                    struct questions *q, const char *path)
{
    size_t length;
    char *data, *at;
    int status;
    if (!dal_text_list_join(&q->files, path, strlen(path)) || dal_file_fault(path))
        return DAL_OK;
    status = dal_unit_read(diags, source, path, &data, &length);
    if (status)
        return status;
    for (at = data; *at; at += strcspn(at, "\r\n"), at += *at != '\0')
        add_directive(q, at);
    dal_free(data);
    return q->asked.lost || q->defined.lost ? DAL_ERR_NOMEM : DAL_OK;
}

static size_t line_length(const char *at)
{
    return strcspn(at, "\n");
}

/* Adds the questions in these files as well. A name that the source defines itself is none. */
static int add_questions(struct dal_diags *diags, const struct dal_spec_source *source,
                         struct questions *q, const struct dal_text *files)
{
    const char *at = dal_text_get(files);
    int status = DAL_OK;
    for (; *at && !status; at += line_length(at) + 1) {
        char *path = dal_format("%.*s", (int)line_length(at), at);
        status = path ? add_file(diags, source, q, path) : DAL_ERR_NOMEM;
        dal_free(path);
    }
    return status;
}

/* ---- the answers ----------------------------------------------------------------------------- */

static const int versions[] = {100, 110, 120, 200, 300};

enum { VERSIONS = sizeof(versions) / sizeof(versions[0]) };

/* The values of __CUDA_ARCH__ that sources ask for. */
static const int architectures[] = {500, 520, 600, 610, 700,  720,  750,  800,
                                    860, 870, 890, 900, 1000, 1030, 1200, 1210};

enum { ARCHITECTURES = sizeof(architectures) / sizeof(architectures[0]) };

static int is_architecture(const struct questions *q, const char *name)
{
    return q->is_cuda && strcmp(name, "__CUDA_ARCH__") == 0;
}

static int is_version(const char *name)
{
    return strcmp(name, device_version) == 0 || strcmp(name, language_version) == 0;
}

static int version_of(const char *name, const char *options)
{
    const char *option = options ? strstr(options, "-cl-std=CL") : NULL;
    int major, minor;
    if (!option || strcmp(name, language_version) != 0 ||
        sscanf(option, "-cl-std=CL%d.%d", &major, &minor) != 2)
        return 0;
    return 100 * major + 10 * minor;
}

static void drop_list(struct questions *q)
{
    while (q->count)
        dal_free(q->list[--q->count].name);
}

/* Lists the questions, without the names that the source defines itself. Returns how many
 * combinations of answers there are, up to a few too many, or DAL_ERR_NOMEM. */
static int list_questions(struct questions *q, const char *options)
{
    const char *at = dal_text_get(&q->asked);
    int combinations = 1;
    for (drop_list(q); *at; at += line_length(at) + 1) {
        char *name = dal_format("%.*s", (int)line_length(at), at);
        struct question *next;
        if (!name || dal_grow(&q->list, q->count, &q->room, sizeof(*q->list))) {
            dal_free(name);
            return DAL_ERR_NOMEM;
        }
        next = &q->list[q->count];
        *next = (struct question){.name = name, .version = version_of(name, options)};
        next->answers = next->version              ? 1
                        : is_version(name)         ? VERSIONS
                        : is_architecture(q, name) ? ARCHITECTURES
                                                   : 2;
        if (!is_of_device(q, name) || dal_text_list_has(&q->defined, name)) {
            dal_free(name);
            continue;
        }
        q->count++;
        if (combinations <= MOST_VARIANTS)
            combinations *= (int)next->answers;
    }
    return combinations;
}

/* Adds the answer of a name with numbers: it is one of them, or more, but less than the next. */
static void add_number(struct dal_variant *v, const char *name, const int *numbers, size_t count,
                       size_t answer)
{
    if (answer > 0)
        dal_text_printf(&v->condition, "%s >= %d", name, numbers[answer]);
    if (answer > 0 && answer < count - 1)
        dal_text_add(&v->condition, " && ");
    if (answer < count - 1)
        dal_text_printf(&v->condition, "%s < %d", name, numbers[answer + 1]);
    dal_text_printf(&v->defines, "-D%s=%d\n", name, numbers[answer]);
}

static void add_version(struct dal_variant *v, const char *name, size_t answer)
{
    int is_language = strcmp(name, language_version) == 0, version = versions[answer];
    add_number(v, name, versions, VERSIONS, answer);
    if (is_language && version >= 200)
        dal_text_printf(&v->defines, "-cl-std=CL%d.%d\n", version / 100, version / 10 % 10);
    for (size_t i = 0; i <= answer && !is_language; i++)
        dal_text_printf(&v->defines, "-DCL_VERSION_%d_%d=%d\n", versions[i] / 100,
                        versions[i] / 10 % 10, versions[i]);
}

/* ---- the texts ------------------------------------------------------------------------------- */

static void add_answer(struct dal_variant *v, const struct questions *q,
                       const struct question *question, size_t answer)
{
    const char *name = question->name;
    if (question->version) {
        dal_text_printf(&v->defines, "-D%s=%d\n", name, question->version);
        return;
    }
    dal_text_add(&v->condition, v->condition.length ? " && " : "(");
    if (is_version(name)) {
        add_version(v, name, answer);
    } else if (is_architecture(q, name)) {
        add_number(v, name, architectures, ARCHITECTURES, answer);
    } else {
        dal_text_printf(&v->condition, "%sdefined(%s)", answer ? "" : "!", name);
        dal_text_printf(&v->defines, answer ? "-D%s=1\n" : "-U%s\n", name);
    }
}

static int same_text(const struct dal_variant *a, const struct dal_variant *b)
{
    return a->is_refused == b->is_refused &&
           strcmp(dal_text_get(&a->text), dal_text_get(&b->text)) == 0;
}

static void swap_texts(struct dal_text *a, struct dal_text *b)
{
    struct dal_text text = *a;
    *a = *b;
    *b = text;
}

/* Adds the variant behind the last, or joins it with one that has the same text. A joined variant
 * is read as the newest language of both. */
static int keep_variant(struct dal_variants *variants)
{
    struct dal_variant *v = &variants->list[variants->count], *same;
    int lost = 0;
    for (same = variants->list; !same_text(same, v); same++)
        ;
    if (same == v) {
        variants->count++;
    } else {
        dal_text_printf(&same->condition, " || %s", dal_text_get(&v->condition));
        if (strstr(dal_text_get(&v->defines), "-cl-std="))
            swap_texts(&same->defines, &v->defines);
        lost = same->condition.lost;
        dal_variant_finish(v);
    }
    return lost ? DAL_ERR_NOMEM : DAL_OK;
}

static int make_variant(struct dal_diags *diags, const struct dal_spec_source *source,
                        const struct dal_reading *reading, const struct questions *q,
                        struct dal_variants *variants, size_t number)
{
    struct dal_variant *v = &variants->list[variants->count];
    struct dal_reading of_variant = *reading;
    size_t device = VERSIONS, language = 0;
    int status;
    for (size_t i = 0; i < q->count; i++) {
        size_t answer = number % q->list[i].answers;
        add_answer(v, q, &q->list[i], answer);
        number /= q->list[i].answers;
        device = strcmp(q->list[i].name, device_version) == 0 ? answer : device;
        language = strcmp(q->list[i].name, language_version) == 0 ? answer : language;
    }
    if (language > device) { /* there is no such device */
        dal_variant_finish(v);
        return DAL_OK;
    }
    if (v->condition.length)
        dal_text_add(&v->condition, ")");
    if (v->condition.lost || v->defines.lost)
        return DAL_ERR_NOMEM;
    of_variant.defines = &v->defines;
    status = dal__preprocess(diags, source, &of_variant, &v->text, &variants->files);
    v->is_refused = status > 0;
    return status < 0 ? status : keep_variant(variants);
}

static int make_variants(struct dal_diags *diags, const struct dal_spec_source *source,
                         const struct dal_reading *reading, struct questions *q,
                         struct dal_variants *variants)
{
    int status = DAL_OK, count = list_questions(q, reading->options);
    if (count < 0)
        return count;
    if (count > MOST_VARIANTS)
        return dal_error(
            diags, source->place, "kernel-build",
            "source '%s' has conditions that ask a device for more than %d combinations",
            source->location, MOST_VARIANTS);
    variants->list = dal_calloc((size_t)count, sizeof(*variants->list));
    if (!variants->list)
        return DAL_ERR_NOMEM;
    for (int i = 0; i < count && !status; i++) {
        status = make_variant(diags, source, reading, q, variants, (size_t)i);
        if (status)
            dal_variant_finish(&variants->list[variants->count]);
    }
    return status;
}

/* Lists the names that are asked for, a line each. */
static void name_questions(const struct questions *q, struct dal_text *names)
{
    dal_text_finish(names);
    for (size_t i = 0; i < q->count; i++)
        dal_text_printf(names, "%s\n", q->list[i].name);
}

/* Makes the variants again as long as there are files that ask for something else. */
static int make_rounds(struct dal_diags *diags, const struct dal_spec_source *source,
                       const struct dal_reading *reading, struct questions *q,
                       struct dal_variants *variants)
{
    enum { ROUNDS = 4 };
    struct dal_text before = {0}, now = {0};
    int round = 0, status;

    do {
        dal_variants_finish(variants);
        status = make_variants(diags, source, reading, q, variants);
        name_questions(q, &before);
        if (!status && !reading->is_whole)
            status = add_questions(diags, source, q, &variants->files);
        if (!status && (list_questions(q, reading->options) < 0 || before.lost))
            status = DAL_ERR_NOMEM;
        name_questions(q, &now);
        if (!status && now.lost)
            status = DAL_ERR_NOMEM;
    } while (!status && strcmp(dal_text_get(&now), dal_text_get(&before)) != 0 && ++round < ROUNDS);
    dal_text_finish(&before);
    dal_text_finish(&now);
    return status;
}

static int read_variants(struct dal_diags *diags, const struct dal_spec_source *source,
                         const struct dal_reading *reading, struct dal_variants *variants)
{
    int status = DAL_OK;
    for (size_t i = 0; i < variants->count && !status; i++) {
        struct dal_variant *v = &variants->list[i];
        struct dal_reading of_variant = *reading;
        of_variant.text = dal_text_get(&v->text);
        of_variant.defines = &v->defines;
        status = v->is_refused ? DAL_OK : dal_read_source(&of_variant, &v->facts);
    }
    return status == DAL_ERR_SYSTEM ? dal__unit_unread(diags, source) : status;
}

int dal__variants_read(struct dal_diags *diags, const struct dal_spec_source *source,
                       const struct dal_reading *reading, struct dal_variants *variants)
{
    struct dal_reading with_headers = *reading;
    struct questions q = {.is_cuda = reading->is_cuda};
    struct dal_text files = {0};
    char *folder = NULL;
    int status;
    *variants = (struct dal_variants){0};
    status = dal__unit_files(diags, source, &files);
    if (!status)
        status = add_questions(diags, source, &q, &files);
    if (!status)
        status = dal__collectives_open(diags, source, &folder);
    with_headers.headers = folder;
    if (!status)
        status = make_rounds(diags, source, &with_headers, &q, variants);
    dal__collectives_close(folder);
    if (!status)
        status = read_variants(diags, source, reading, variants);
    if (!status && (variants->files.lost || q.files.lost))
        status = DAL_ERR_NOMEM;
    drop_list(&q);
    dal_free(q.list);
    dal_text_finish(&files);
    dal_text_finish(&q.asked);
    dal_text_finish(&q.defined);
    dal_text_finish(&q.files);
    return status;
}

/* ---- pragmas --------------------------------------------------------------------------------- */

/* Does a text begin with words, whatever blanks stand between them? */
static int begins_with(const char *at, const char *words)
{
    for (; *words; words++) {
        at += strspn(at, " \t");
        if (*at++ != *words)
            return 0;
    }
    return 1;
}

/* Does a pragma hold for what stands next to it alone, or is it set again in front of each source?
 * `depth` counts those that are taken back. */
static int is_local_pragma(const char *at, int *depth)
{
    static const char *const local[] = {"OPENCLEXTENSION",
                                        "OPENCLFP_CONTRACT",
                                        "STDCFP_CONTRACT",
                                        "GCCsystem_header",
                                        "GCCdiagnostic",
                                        "GCCunroll",
                                        "clangdiagnostic",
                                        "clangloop",
                                        "unroll",
                                        "nounroll",
                                        "omp",
                                        "once"};
    int begins = begins_with(at, "pack(push"), ends = begins_with(at, "pack(pop");
    *depth += begins - ends;
    if (begins || ends)
        return *depth >= 0;
    for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++)
        if (begins_with(at, local[i]))
            return 1;
    return 0;
}

const char *dal__lasting_pragma(const struct dal_variant *variant)
{
    static const char word[] = "#pragma ";
    const char *at = dal_text_get(&variant->text), *last = at;
    int depth = 0;
    for (; (at = strstr(at, word)); last = at) {
        at += sizeof(word) - 1;
        if (!is_local_pragma(at, &depth))
            return at;
    }
    return depth ? last : NULL;
}
