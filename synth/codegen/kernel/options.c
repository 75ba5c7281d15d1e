/* The options of sources: which are refused, and which a device's compiler gets. */
#include "synth/codegen/c/source.h"

#include "rt/base/error.h"
#include "synth/codegen/c/unit.h"

#include <string.h>

/* Options of gcc and clang after which a unit does not fit into its program. A '*' at the end
 * stands for whatever follows; else the whole word counts. -flto is not among them: the Makefile
 * takes it back. */
static const struct {
    const char *option, *why;
} refused[] = {
    {"-m16", "the program is not made for such a machine"},
    {"-m32", "the program is not made for such a machine"},
    {"-mx32", "the program is not made for such a machine"},
    {"-target", "the program is not made for such a machine"},
    {"--target*", "the program is not made for such a machine"},
    {"-fpack-struct*", "structures that this source shares with the runtime would lie otherwise"},
    {"-mabi=*", "this source would call functions of the runtime otherwise than they are"},
    {"-mregparm*", "this source would call functions of the runtime otherwise than they are"},
    {"-fwhole-program", "the program finds a process by a name that this takes away"},
    {"-E", "it makes no object, which is linked into the program"},
    {"-S", "it makes no object, which is linked into the program"},
    {"-M", "it makes no object, which is linked into the program"},
    {"-MM", "it makes no object, which is linked into the program"},
    {"-fsyntax-only", "it makes no object, which is linked into the program"},
    {"-emit-llvm", "it makes no object, which is linked into the program"},
    {"-emit-ast", "it makes no object, which is linked into the program"},
};

static const char *why_refused(const char *word)
{
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        size_t length = strcspn(refused[i].option, "*");
        if (strncmp(word, refused[i].option, length) == 0 &&
            (refused[i].option[length] || !word[length]))
            return refused[i].why;
    }
    return NULL;
}

/* Goes through the words; those of a compiler of C are looked at. */
static int check_words(struct dal_diags *diags, const struct dal_spec_source *source,
                       const char *attribute, const char *options, int of_compiler)
{
    struct dal_text word = {0};
    const char *why;
    int found, status = DAL_OK;
    while ((found = dal_text_next_word(&options, &word)) > 0) {
        why = of_compiler ? why_refused(dal_text_get(&word)) : NULL;
        if (!why)
            continue;
        dal_error(diags, source->place, "unfit-option", "source '%s': option %s: %s",
                  source->location, dal_text_get(&word), why);
        status = DAL_ERR_INVALID;
    }
    dal_text_finish(&word);
    if (found)
        dal_error(diags, source->place, "bad-options",
                  "source '%s': %s: a quote is not closed, or nothing is behind a backslash",
                  source->location, attribute);
    return found ? found : status;
}

int dal__unit_check_options(struct dal_diags *diags, const struct dal_plan_unit *unit)
{
    const struct dal_spec_source *source = unit->source;
    int status = DAL_OK;
    if (source->cflags)
        status = check_words(diags, source, "cflags", source->cflags, unit->type == DAL_SOURCE_C);
    if (!status && source->libs)
        status = check_words(diags, source, "libs", source->libs, 0);
    return status;
}

static void add_option(struct dal_text *options, const char *option)
{
    dal_text_printf(options, "%s%s", options->length ? " " : "", option);
}

/* Adds the options but for those that dalsynth's preprocessor has used up, which might change the
 * text. */
static void add_others(struct dal_text *options, const char *at)
{
    struct dal_text word = {0};
    int is_argument = 0;
    while (dal_text_next_word(&at, &word) > 0) {
        const char *option = dal_text_get(&word);
        int is_used = dal_text_is_define(option);
        if (!is_used && !is_argument)
            add_option(options, option);
        is_argument = !is_argument && is_used && !option[2];
    }
    options->lost |= word.lost;
    dal_text_finish(&word);
}

void dal_source_options(struct dal_text *options, const struct dal_spec_source *source)
{
    if (source->cflags && source->type != DAL_SOURCE_PORTABLE)
        add_others(options, source->cflags);
    if (source->type == DAL_SOURCE_CUDA) /* no words of OpenCL C in front (rt/cuda/opencl_c.h) */
        add_option(options, "-DDAL_CUDA_SOURCE");
}
