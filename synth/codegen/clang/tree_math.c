/*
 * C's functions of floating point, for a portable source on a device. C has two names where OpenCL
 * C has one, and OpenCL C goes by the type of what it is given: there the square root of a float
 * would be a float. So each name of C means a function of that type.
 */
#include "synth/codegen/clang/tree_portable.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* What they take: t is the type, T a pointer to it, i is int and I a pointer to that. */
static const struct {
    const char *takes, *result, *words; /* "" is the type */
} sorts[] = {
    {"t", "",
     "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2 expm1 fabs floor "
     "lgamma log log10 log1p log2 logb rint round sin sinh sqrt tan tanh tgamma trunc"},
    {"tt", "", "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder"},
    {"ttt", "", "fma"},
    {"ti", "", "ldexp"},
    {"tI", "", "frexp"},
    {"tT", "", "modf"},
    {"ttI", "", "remquo"},
    {"t", "int", "ilogb"},
};

static const struct {
    const char *type, *ending; /* of C's name */
} types[] = {{"double", ""}, {"float", "f"}};

/* Other functions of OpenCL C, which a source may have by itself. */
static const char taken[] =
    "native_* half_* fast_* convert_* as_* vload* vstore* async_* atom_* atomic_* get_global_* "
    "get_local_* get_group_id get_num_groups get_num_sub_groups get_work_dim get_enqueued_* "
    "get_image_* get_sub_group_* get_max_sub_group_size get_kernel_* get_pipe_* get_fence "
    "get_default_queue wait_group_events work_group_* sub_group_* read_image* write_image* "
    "read_pipe* write_pipe* read_mem_fence write_mem_fence reserve_* commit_* is_valid_* to_global "
    "to_local to_private enqueue_* ndrange_* create_user_event retain_event release_event "
    "set_user_event_status capture_event_profiling_info intel_* arm_* lgamma_r isfinite isinf "
    "isnan isnormal isgreater* isless* printf";

static size_t word_length(const char *words)
{
    return strcspn(words, " ");
}

/* Is the name one of the words, with this ending? */
static int has_word(const char *words, const char *ending, const char *name)
{
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        char word[40];
        length = word_length(words);
        snprintf(word, sizeof(word), "%.*s%s", (int)length, words, ending);
        if (fnmatch(word, name, 0) == 0)
            return 1;
    }
    return 0;
}

int dal__ast_is_taken(const char *name)
{
    for (size_t i = 0; i < sizeof(sorts) / sizeof(sorts[0]); i++)
        for (size_t k = 0; k < sizeof(types) / sizeof(types[0]); k++)
            if (has_word(sorts[i].words, types[k].ending, name))
                return 1;
    return has_word(taken, "", name);
}

/* Adds a function under a name of ours. It stands in front of the macro of the other name. */
static void add_function(struct dal_text *text, size_t sort, const char *type, const char *word)
{
    const char *takes = sorts[sort].takes;
    const char *result = *sorts[sort].result ? sorts[sort].result : type;
    int length = (int)word_length(word);
    dal_text_printf(text, "static %s dal__%s_%.*s(", result, type, length, word);
    for (int i = 0; takes[i]; i++)
        dal_text_printf(text, "%s%s %sdal__%d", i ? ", " : "",
                        strchr("tT", takes[i]) ? type : "int", strchr("TI", takes[i]) ? "*" : "",
                        i);
    dal_text_printf(text, ") { return %.*s(", length, word);
    for (int i = 0; takes[i]; i++)
        dal_text_printf(text, "%sdal__%d", i ? ", " : "", i);
    dal_text_add(text, "); }\n");
}

/* Adds both functions of a word, or those that are used. */
static void add_word(struct dal_text *text, size_t sort, const char *word,
                     const struct dal_text *used)
{
    int is_wanted[sizeof(types) / sizeof(types[0])], length = (int)word_length(word);
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        char name[40];
        snprintf(name, sizeof(name), "dal__%s_%.*s", types[i].type, length, word);
        is_wanted[i] = !used || dal_text_list_has(used, name);
        if (is_wanted[i])
            add_function(text, sort, types[i].type, word);
    }
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (is_wanted[i])
            dal_text_printf(text, "#undef %.*s%s\n#define %.*s%s dal__%s_%.*s\n", length, word,
                            types[i].ending, length, word, types[i].ending, types[i].type, length,
                            word);
}

void dal__ast_add_math(struct dal_text *text, const struct dal_text *used)
{
    for (size_t i = 0; i < sizeof(sorts) / sizeof(sorts[0]); i++)
        for (const char *word = sorts[i].words; *word;) {
            add_word(text, i, word, used);
            word += word_length(word);
            word += *word == ' ';
        }
}
