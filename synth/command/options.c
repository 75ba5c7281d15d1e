#include "synth/command/options.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "spec/base/names.h"
#include "spec/read/own.h"
#include "synth/codegen/c/type.h"

#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>

enum { MOST_OPTIONS = 64, LONG_OPTION = 256 };

int dal_request_refuse(const struct dal_request *request, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "%s: ", request->said);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry '%s --help'.\n", request->said);
    return DAL_EXIT_USAGE;
}

int dal_request_lost(void)
{
    dal_log(DAL_LOG_ERROR, "%s", dal_strerror(DAL_ERR_NOMEM));
    return DAL_EXIT_BAD_INPUT;
}

/* ---- the tables --------------------------------------------------------------------------------
 */

static uint32_t verb_bit(const struct dal_request *request)
{
    return UINT32_C(1) << (request->verb - request->table->verbs);
}

uint32_t dal_request_verbs(const struct dal_request *request)
{
    return request->is_classic ? DAL_FOR_DALSYNTH : verb_bit(request);
}

/* Returns the option of this name that one of the verbs takes, or NULL. */
static const struct dal_option *find_option(const struct dal_request *request, uint32_t verbs,
                                            const char *name, size_t length)
{
    const struct dal_command_table *table = request->table;
    for (size_t i = 0; i < table->option_count; i++)
        if ((table->options[i].verbs & verbs) && strlen(table->options[i].name) == length &&
            strncmp(table->options[i].name, name, length) == 0)
            return &table->options[i];
    return NULL;
}

/* Prints "-o FILE" or "--times=FILE" into a text. */
static void add_option(struct dal_text *text, const struct dal_option *option)
{
    if (option->letter)
        dal_text_printf(text, "-%c", option->letter);
    else
        dal_text_printf(text, "--%s", option->name);
    if (option->argument && *option->argument != '[')
        dal_text_printf(text, "%c%s", option->letter ? ' ' : '=', option->argument);
}

static void add_verb(struct dal_text *text, const struct dal_request *request,
                     const struct dal_verb *verb)
{
    if (!request->is_classic || !verb->classic)
        dal_text_printf(text, "'dal %s'", verb->name);
    else
        dal_text_add(text, *verb->classic ? verb->classic : "making a program");
}

/* What a verb that runs a program says of an option that may be the program's. */
static const char *hint_at_program(const struct dal_request *request)
{
    return request->verb->runs ? "; options of the program come behind --" : "";
}

/* Of an option that no row has for this verb: says which verbs have it. */
static int refuse_elsewhere(const struct dal_request *request, const char *name, size_t length)
{
    const struct dal_command_table *table = request->table;
    struct dal_text verbs = {0};
    const char *between = "";
    int status;
    for (size_t i = 0; i < table->verb_count; i++) {
        if (!find_option(request, UINT32_C(1) << i, name, length))
            continue;
        dal_text_add(&verbs, between);
        add_verb(&verbs, request, &table->verbs[i]);
        between = ", ";
    }
    if (!verbs.length)
        dal_text_add(&verbs, "dalsynth");
    status = dal_request_refuse(request, "--%.*s is for %s%s", (int)length, name,
                                dal_text_get(&verbs), hint_at_program(request));
    dal_text_finish(&verbs);
    return status;
}

/* ---- reading ------------------------------------------------------------------------------------
 */

struct getopt_tables {
    char letters[2 * MOST_OPTIONS + 2];
    struct option list[MOST_OPTIONS + 1];
};

static void fill_tables(const struct dal_request *request, struct getopt_tables *tables)
{
    const struct dal_command_table *table = request->table;
    char *letter = tables->letters;
    struct option *next = tables->list;
    *letter++ = ':';
    for (size_t i = 0; i < table->option_count && i < MOST_OPTIONS; i++) {
        const struct dal_option *option = &table->options[i];
        if (!(option->verbs & dal_request_verbs(request)))
            continue;
        *next++ = (struct option){.name = option->name,
                                  .has_arg = !option->argument          ? no_argument
                                             : *option->argument == '[' ? optional_argument
                                                                        : required_argument,
                                  .val = LONG_OPTION + (int)i};
        if (!option->letter)
            continue;
        *letter++ = option->letter;
        if (option->argument)
            *letter++ = ':';
    }
    *next = (struct option){0};
    *letter = '\0';
}

static const struct dal_option *option_of(const struct dal_request *request, int code)
{
    const struct dal_command_table *table = request->table;
    if (code >= LONG_OPTION)
        return &table->options[code - LONG_OPTION];
    for (size_t i = 0; i < table->option_count; i++)
        if (table->options[i].letter == code && code &&
            (table->options[i].verbs & dal_request_verbs(request)))
            return &table->options[i];
    return NULL;
}

/* Of an option that nobody has: which one may be meant. */
static int refuse_unknown(const struct dal_request *request, const char *word, size_t length)
{
    const struct dal_command_table *table = request->table;
    struct dal_names names = {0};
    struct dal__hint hint;
    char *name = dal_format("%.*s", (int)length, word);
    const char *meant = "";
    int status;
    for (size_t i = 0; i < table->option_count; i++)
        if (table->options[i].verbs & dal_request_verbs(request))
            dal_names_add(&names, table->options[i].name, i);
    if (name)
        meant = dal__did_you_mean(&hint, &names, name);
    status = dal_request_refuse(request, "there is no option --%s%s", name ? name : "",
                                *meant ? meant : hint_at_program(request));
    dal_names_finish(&names);
    dal_free(name);
    return status;
}

/* Of an abbreviation: lists the options that begin so. Returns 0 unless there are several. */
static int refuse_ambiguous(const struct dal_request *request, const char *word, size_t length)
{
    const struct dal_command_table *table = request->table;
    struct dal_text names = {0};
    size_t count = 0;
    int status = 0;
    for (size_t i = 0; i < table->option_count; i++)
        if ((table->options[i].verbs & dal_request_verbs(request)) &&
            strncmp(table->options[i].name, word, length) == 0)
            dal_text_printf(&names, "%s--%s", count++ ? ", " : "", table->options[i].name);
    if (count > 1)
        status = dal_request_refuse(request, "--%.*s is ambiguous: %s", (int)length, word,
                                    dal_text_get(&names));
    dal_text_finish(&names);
    return status;
}

/* Says what is wrong with a word that getopt_long() has refused. */
static int refuse_word(const struct dal_request *request, int code, const char *word)
{
    const struct dal_option *option = option_of(request, optopt);
    size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;
    int status;
    if (code == ':' && option)
        return dal_request_refuse(request, "%s wants %s", word, option->argument);
    if (code == '?' && optopt && optopt < LONG_OPTION) /* the word may be the one before */
        return dal_request_refuse(request, "there is no option -%c%s", optopt,
                                  hint_at_program(request));
    if (option)
        return dal_request_refuse(request, "--%s has no value", option->name);
    if (find_option(request, UINT32_MAX, word + 2, length))
        return refuse_elsewhere(request, word + 2, length);
    status = refuse_ambiguous(request, word + 2, length);
    return status ? status : refuse_unknown(request, word + 2, length);
}

int dal_request_has(const struct dal_request *request, const char *name)
{
    const struct dal_command_table *table = request->table;
    for (size_t i = 0; i < table->option_count; i++)
        if ((request->given >> i & 1) && strcmp(table->options[i].name, name) == 0)
            return 1;
    return 0;
}

/* Takes the next part of a text off it; the parts have one of these between them. */
static int next_part(const char **text, const char *between, char part[32])
{
    size_t length = *text ? strcspn(*text, between) : 0;
    if (!length)
        return 0;
    snprintf(part, 32, "%.*s", (int)length, *text);
    *text += length + ((*text)[length] != '\0');
    return 1;
}

/* Was one of the names given, with | between them? A verb has what its own name says. */
static int has_one(const struct dal_request *request, const char *names)
{
    char name[32];
    while (next_part(&names, "|", name))
        if (dal_request_has(request, name) || strcmp(request->verb->name, name) == 0)
            return 1;
    return 0;
}

static int refuse_together(const struct dal_request *request, const struct dal_option *option,
                           const char *names, int wanted)
{
    struct dal_text one = {0}, others = {0};
    char name[32];
    int status;
    add_option(&one, option);
    while (next_part(&names, "|", name)) {
        const struct dal_option *other = find_option(
            request, verb_bit(request) | dal_request_verbs(request), name, strlen(name));
        if (other && others.length)
            dal_text_add(&others, " or ");
        if (other)
            add_option(&others, other);
    }
    status = dal_request_refuse(request, wanted ? "%s wants %s" : "%s and %s exclude each other",
                                dal_text_get(&one), dal_text_get(&others));
    dal_text_finish(&one);
    dal_text_finish(&others);
    return status;
}

/* Checks what an option needs, or must not have beside it. */
static int check_words(const struct dal_request *request, const struct dal_option *option,
                       const char *words, int wanted)
{
    char names[32];
    while (next_part(&words, " ", names))
        if (has_one(request, names) != wanted)
            return refuse_together(request, option, names, wanted);
    return 0;
}

/* Checks that the options belong to the verb and to each other. */
static int check_options(const struct dal_request *request)
{
    const struct dal_command_table *table = request->table;
    int status = 0;
    for (size_t i = 0; i < table->option_count && !status; i++) {
        const struct dal_option *option = &table->options[i];
        const char *name = option->name;
        if (!(request->given >> i & 1))
            continue;
        if (option->verbs != DAL_FOR_DALSYNTH)
            option = find_option(request, verb_bit(request), name, strlen(name));
        if (!option)
            return refuse_elsewhere(request, name, strlen(name));
        status = check_words(request, option, option->needs, 1);
        if (!status)
            status = check_words(request, option, option->without, 0);
    }
    return status;
}

/* Of a network and an architecture: the network may name a mapping. What is wrong with it is told.
 */
static int find_own_mapping(struct dal_request *request, const char *network)
{
    struct dal_diags diags;
    int status;
    dal_diags_init(&diags);
    request->own_mapping = dal_spec_own_mapping(&diags, network);
    status = diags.lost ? DAL_ERR_NOMEM : diags.errors ? DAL_ERR_INVALID : DAL_OK;
    return dal_request_end(&diags, request->verb->name, status);
}

static int take_files(struct dal_request *request, int count, char **files)
{
    const struct dal_verb *verb = request->verb;
    const char *counts = verb->counts;
    int refused;
    if (verb->counts_timed && request->build.is_fsm)
        counts = "2";
    else if (verb->counts_timed && request->files.times)
        counts = verb->counts_timed;
    else if (verb->counts_timed && count == 2 && (refused = find_own_mapping(request, files[0])))
        return refused;
    if (request->own_mapping)
        counts = "2";
    if (count > 9 || !strchr(counts, '0' + count))
        return dal_request_refuse(request, "%s",
                                  request->build.is_fsm
                                      ? "--fsm wants two files: state machine, architecture"
                                      : verb->wants);
    if (request->build.is_fsm)
        request->files.fsm = files[0];
    else
        request->files.network = count ? files[0] : NULL;
    request->files.architecture = count > 1 ? files[1] : NULL;
    request->files.mapping = count > 2 ? files[2] : request->own_mapping;
    return 0;
}

/* Takes what stands behind "--" as the arguments of a program, where the verb runs one. Returns how
 * many words are in front. */
static int part_arguments(struct dal_request *request, int argc, char **argv)
{
    for (int i = 1; i < argc && request->verb->runs; i++)
        if (strcmp(argv[i], "--") == 0) {
            request->build.arguments = argv + i + 1;
            return i;
        }
    return argc;
}

/* Reads the command line of a request that has its table, verb and name. Returns 0,
 * DAL_EXIT_DONE when help or the version was printed, or an exit status, told. Call
 * finish_request() in all cases. */
static int read_request(struct dal_request *request, int argc, char **argv)
{
    struct getopt_tables tables;
    int code, status = 0;
    fill_tables(request, &tables);
    argc = part_arguments(request, argc, argv);
    opterr = 0;
    while (!status && (code = getopt_long(argc, argv, tables.letters, tables.list, NULL)) != -1) {
        const struct dal_option *option = option_of(request, code);
        if (code == '?' || code == ':' || !option)
            return refuse_word(request, code, argv[optind - 1]);
        request->given |= UINT64_C(1) << (option - request->table->options);
        status = option->take(request, option, optarg);
    }
    if (!status)
        status = check_options(request);
    return status ? status : take_files(request, argc - optind, argv + optind);
}

static void finish_request(struct dal_request *request)
{
    dal_free_all(request->defines.list, request->parameters.list, request->measured.list,
                 request->traces.list, request->map.pins, request->own_mapping);
}

/* Ends the program as this signal does. */
static void end_by_signal(int number)
{
    sigset_t one;
    signal(number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
}

static int complaints; /* errors that have been logged */

static void count_complaint(enum dal_log_level level, const char *message)
{
    (void)message;
    complaints += level == DAL_LOG_ERROR;
}

static int tell(struct dal_diags *diags, enum dal_report form, int status)
{
    int told = diags->errors > 0 || diags->lost;
    fflush(stdout);
    dal_report_write(diags, form, status && !told, form ? stdout : stderr);
    complaints += told;
    dal_diags_finish(diags);
    return told ? DAL_ERR_INVALID : DAL_OK;
}

int dal_request_tell(struct dal_diags *diags)
{
    return tell(diags, DAL_REPORT_TEXT, DAL_OK);
}

int dal_request_report(struct dal_diags *diags, enum dal_report form, const char *step, int status)
{
    int told = tell(diags, form, status) != DAL_OK;
    int is_plain = status == DAL_ERR_INVALID || status == DAL_ERR_BUILD || status == DAL_ERR_IO;
    if (status && !told && !(is_plain && complaints) && !ferror(stdout))
        dal_log(DAL_LOG_ERROR, "%s: %s", step, dal_strerror(status));
    return status || told ? DAL_EXIT_BAD_INPUT : 0;
}

int dal_request_end(struct dal_diags *diags, const char *step, int status)
{
    return dal_request_report(diags, DAL_REPORT_TEXT, step, status);
}

int dal_request_print(struct dal_request *request)
{
    struct dal_diags diags;
    dal_diags_init(&diags);
    return dal_request_end(&diags, request->verb->name, request->verb->print(&diags, request));
}

int dal_request_main(struct dal_request *request, int argc, char **argv)
{
    int status;
    dal_log_program(request->said);
    dal_log_listen(count_complaint);
    dal_output_guard();
    dal_spec_ask_sizes(dal_source_type_size);
    status = read_request(request, argc, argv);
    if (!status)
        status = request->run ? request->run(request) : request->verb->run(request);
    finish_request(request);
    if (status == DAL_EXIT_DONE)
        status = 0;
    if (dal_output_finish() && !status)
        status = DAL_EXIT_BAD_INPUT;
    if (request->build.signal)
        end_by_signal(request->build.signal);
    return status;
}
