/* The options that a device's compiler gets. */
#include "synth/source/source.h"

#include <string.h>

static void add_option(struct dal_text *options, const char *option)
{
    dal_text_printf(options, "%s%s", options->length ? " " : "", option);
}

/* The cflags of a portable source are for both compilers; a device's knows -D alone of them. */
static void add_defines(struct dal_text *options, const char *at)
{
    struct dal_text option = {0};

    while (dal_text_next_define(&at, &option) > 0)
        if (strncmp(dal_text_get(&option), "-D", 2) == 0)
            add_option(options, dal_text_get(&option));
    options->lost |= option.lost;
    dal_text_finish(&option);
}

/* What dalsynth's preprocessor has used up is not said again, which might change the text. */
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
    const char *cflags = source->cflags ? source->cflags : "";

    (source->type == DAL_SOURCE_PORTABLE ? add_defines : add_others)(options, cflags);
    if (source->type == DAL_SOURCE_CUDA) /* no words of OpenCL C in front (rt/cuda/opencl_c.h) */
        add_option(options, "-DDAL_CUDA_SOURCE");
}
