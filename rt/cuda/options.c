/* Translates options of OpenCL's compiler into those of NVRTC. */
#include "rt/base/alloc.h"
#include "rt/cuda/build.h"

#include <string.h>

/* The accuracy of float: OpenCL's default, and the options' changes. */
struct accuracy {
    int contracts, flushes, divides, roots; /* the last two: correctly rounded */
    int relaxed;
};

/* The treatment of an option. */
enum meaning {
    PASSED,   /* with its value */
    DROPPED,  /* means nothing here, or is a permission that is not used */
    QUIET,    /* rt/backend shows no warnings then */
    STRICT,   /* warnings are errors */
    ACCURACY, /* changes `accuracy` */
    REFUSED,
};

static const struct rule {
    const char *word;
    int is_start; /* true if the word begins with `word` */
    enum meaning meaning;
    struct accuracy
        accuracy; /* of ACCURACY: a member that is 1 here becomes 1; divides and roots become 0 */
} rules[] = {
    {.word = "-D", .is_start = 1, .meaning = PASSED},
    {.word = "-U", .is_start = 1, .meaning = PASSED},
    {.word = "-I", .is_start = 1, .meaning = PASSED},
    {.word = "-w", .meaning = QUIET},
    {.word = "-Werror", .meaning = STRICT},
    {.word = "-W", .is_start = 1, .meaning = DROPPED},
    {.word = "-g", .meaning = DROPPED},
    {.word = "-O", .is_start = 1, .meaning = DROPPED},
    {.word = "--dal-compiler=", .is_start = 1, .meaning = DROPPED},
    {.word = "-cl-std=", .is_start = 1, .meaning = DROPPED},
    {.word = "-cl-opt-disable", .meaning = DROPPED},
    {.word = "-cl-kernel-arg-info", .meaning = DROPPED},
    {.word = "-cl-strict-aliasing", .meaning = DROPPED},
    {.word = "-cl-no-signed-zeros", .meaning = DROPPED},
    {.word = "-cl-finite-math-only", .meaning = DROPPED},
    {.word = "-cl-uniform-work-group-size", .meaning = DROPPED},
    {.word = "-cl-fp32-correctly-rounded-divide-sqrt", .meaning = DROPPED},
    {.word = "-cl-mad-enable", .meaning = ACCURACY, .accuracy = {.contracts = 1}},
    {.word = "-cl-denorms-are-zero", .meaning = ACCURACY, .accuracy = {.flushes = 1}},
    {.word = "-cl-unsafe-math-optimizations", .meaning = ACCURACY, .accuracy = {.contracts = 1}},
    {.word = "-cl-fast-relaxed-math",
     .meaning = ACCURACY,
     .accuracy = {.contracts = 1, .flushes = 1, .divides = 1, .roots = 1, .relaxed = 1}},
    {.word = "", .is_start = 1, .meaning = REFUSED},
};

static const struct rule *find_rule(const char *word)
{
    const struct rule *rule = rules;
    while (rule->is_start ? strncmp(word, rule->word, strlen(rule->word)) != 0
                          : strcmp(word, rule->word) != 0)
        rule++;
    return rule;
}

/* Adds a word, which it takes over. NULL, or one too many, counts as no memory. */
static int add_word(struct dal_cuda_options *to, char *word)
{
    if (!word || to->count == DAL_CUDA_MOST_OPTIONS) {
        dal_free(word);
        return DAL_ERR_NOMEM;
    }
    to->words[to->count++] = word;
    return DAL_OK;
}

/* Returns the next word, new, without its quotes, and moves *at behind it. White space outside of
 * quotes ends it. */
static char *take_word(const char **at)
{
    const char *from = *at;
    char *word = dal_strdup(from), *end = word, quote = '\0';
    for (; word && *from && (quote || !strchr(" \t\n", *from)); from++) {
        if (*from == quote)
            quote = '\0';
        else if (!quote && (*from == '"' || *from == '\''))
            quote = *from;
        else if (*from == '\\' && from[1] && quote != '\'')
            *end++ = *++from;
        else
            *end++ = *from;
    }
    if (word)
        *end = '\0';
    *at = from;
    return word;
}

/* Passes an option on. Its value may be the next word. */
static int pass_option(struct dal_cuda_options *to, const char *word, const char **at)
{
    char *value, *whole;
    if (word[2])
        return add_word(to, dal_strdup(word));
    *at += strspn(*at, " \t\n");
    value = take_word(at);
    whole = value ? dal_format("%s%s", word, value) : NULL;
    dal_free(value);
    return add_word(to, whole);
}

static int refuse_option(const char *word, char **refused)
{
    *refused = dal_format("error: option '%s' has no meaning for CUDA's compiler\n", word);
    return *refused ? DAL_ERR_BUILD : DAL_ERR_NOMEM;
}

static void change_accuracy(struct accuracy *accuracy, const struct accuracy *change)
{
    accuracy->contracts |= change->contracts;
    accuracy->flushes |= change->flushes;
    accuracy->divides &= !change->divides;
    accuracy->roots &= !change->roots;
    accuracy->relaxed |= change->relaxed;
}

static int translate_word(struct dal_cuda_options *to, struct accuracy *accuracy, const char *word,
                          const char **at, char **refused)
{
    const struct rule *rule = find_rule(word);
    if (rule->meaning == PASSED)
        return pass_option(to, word, at);
    if (rule->meaning == REFUSED)
        return refuse_option(word, refused);
    if (rule->meaning == STRICT)
        to->warnings_are_errors = 1;
    change_accuracy(accuracy, &rule->accuracy);
    return DAL_OK;
}

static int add_accuracy(struct dal_cuda_options *to, const struct accuracy *accuracy)
{
    static const char *const truth[] = {"false", "true"};
    int status = add_word(to, dal_format("--fmad=%s", truth[accuracy->contracts]));
    if (status == DAL_OK)
        status = add_word(to, dal_format("--ftz=%s", truth[accuracy->flushes]));
    if (status == DAL_OK)
        status = add_word(to, dal_format("--prec-div=%s", truth[accuracy->divides]));
    if (status == DAL_OK)
        status = add_word(to, dal_format("--prec-sqrt=%s", truth[accuracy->roots]));
    if (status == DAL_OK && accuracy->relaxed)
        status = add_word(to, dal_strdup("-D__FAST_RELAXED_MATH__=1"));
    return status;
}

int dal__cuda_options_init(struct dal_cuda_options *to, const char *options,
                           const char *architecture, char **refused)
{
    struct accuracy accuracy = {.divides = 1, .roots = 1};
    int status;
    *to = (struct dal_cuda_options){0};
    *refused = NULL;
    status = add_word(to, dal_strdup("--std=c++17"));
    if (status == DAL_OK)
        status = add_word(to, dal_strdup("-default-device"));
    if (status == DAL_OK)
        status = add_word(to, dal_format("--gpu-architecture=%s", architecture));
    while (status == DAL_OK && *(options += strspn(options, " \t\n"))) {
        char *word = take_word(&options);
        status = word ? translate_word(to, &accuracy, word, &options, refused) : DAL_ERR_NOMEM;
        dal_free(word);
    }
    return status < 0 ? status : add_accuracy(to, &accuracy);
}

void dal__cuda_options_finish(struct dal_cuda_options *options)
{
    for (int i = 0; i < options->count; i++)
        dal_free(options->words[i]);
    *options = (struct dal_cuda_options){0};
}
