/* Runs the reader's process, and takes its output. */
#include "synth/codegen/clang/reader.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/cores.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "spec/base/names.h"

#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LOST_MEMORY = 3, NO_RESULT = 4 }; /* how the reader ends, beside 0 */
enum { MOST_FACTS = 64 << 20 };          /* bytes */
enum { MOST_TOGETHER = 8 };              /* sources of one process, which keeps all that it reads */
enum { MOST_PROCESSES = 64 };
enum { STACK_BYTES = 96 << 20 }; /* for what is nested deeply; as much as Linux leaves room for */

/* The line that ends the facts of a source. */
static const char end_of_facts[] = "end\n";

/* ---- the process ----------------------------------------------------------------------------- */

/* The readings of one child process. */
struct share {
    struct dal_reading *readings;
    size_t count;
    unsigned seconds; /* for each, 0 for no limit of its own */
    struct dal_child child;
    struct dal_started started;
};

static int read_and_tell(const struct dal_reading *reading, int output)
{
    struct dal_text facts = {0};
    if (dal__ast_read(reading, &facts))
        return facts.lost ? LOST_MEMORY : NO_RESULT;
    dal_text_add(&facts, end_of_facts);
    if (facts.lost)
        return LOST_MEMORY;
    return dal_write_all(output, dal_text_get(&facts), facts.length) ? NO_RESULT : 0;
}

static void give_up(int number)
{
    (void)number;
    _exit(NO_RESULT);
}

/* Prepares the process. The library would else start a thread for each source, with a heap of its
 * own that grows slowly. */
static int prepare_process(void)
{
    struct rlimit no_core = {0, 0}, stack;
    setrlimit(RLIMIT_CORE, &no_core);
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < STACK_BYTES) {
        stack.rlim_cur = stack.rlim_max < STACK_BYTES ? stack.rlim_max : STACK_BYTES;
        setrlimit(RLIMIT_STACK, &stack);
    }
    mallopt(M_TOP_PAD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    signal(SIGALRM, give_up);
    return setenv("LIBCLANG_NOTHREADS", "1", 1);
}

/* Reads in the child process. dalsynth, and not the library, reports how that ends. */
static int read_in_process(const void *data)
{
    const struct share *share = data;
    int output = dup(STDOUT_FILENO), here = open(".", O_RDONLY | O_DIRECTORY), status = 0;
    if (output < 0 || here < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || prepare_process())
        return NO_RESULT;
    for (size_t i = 0; i < share->count && !status; i++) {
        alarm(share->seconds);
        status = fchdir(here) ? NO_RESULT : read_and_tell(&share->readings[i], output);
    }
    return status;
}

static int start_share(struct share *share)
{
    static const char *const name[] = {"the reader of sources", NULL};
    int64_t count = (int64_t)share->count;
    share->child = (struct dal_child){.argv = name,
                                      .function = read_in_process,
                                      .data = share,
                                      .errors = "/dev/null",
                                      .limit_ns = DAL_READER_SECONDS * count * INT64_C(1000000000),
                                      .most = MOST_FACTS};
    return dal_child_start(&share->child, &share->started);
}

/* Splits the output by readings. A reading that was not reached has none. */
static int take_output(struct share *share, char *output)
{
    size_t length = strlen(end_of_facts);
    char *at = output;
    for (size_t i = 0; i < share->count; i++) {
        char *end = strncmp(at, end_of_facts, length) == 0 ? at : strstr(at, "\nend\n");
        if (!end)
            break;
        end += end > at;
        share->readings[i].output = dal_format("%.*s", (int)(end - at), at);
        if (!share->readings[i].output)
            return DAL_ERR_NOMEM;
        at = end + length;
    }
    return DAL_OK;
}

static int finish_share(struct share *share)
{
    char *output;
    int status = dal_child_finish(&share->started, &output);
    if (status >= 0 && status != LOST_MEMORY && take_output(share, output) < 0)
        status = LOST_MEMORY;
    dal_free(output);
    if (status == LOST_MEMORY)
        return DAL_ERR_NOMEM;
    return status > 0 || status == DAL_ERR_LIMIT ? DAL_ERR_SYSTEM : status;
}

static int read_alone(struct dal_reading *reading)
{
    struct share share = {.readings = reading, .count = 1};
    int status = start_share(&share);
    if (!status)
        status = finish_share(&share);
    return !status && !reading->output ? DAL_ERR_SYSTEM : status;
}

/* ---- several side by side -------------------------------------------------------------------- */

static size_t count_processes(void)
{
    struct dal_cores cores;
    size_t count;
    if (dal_cores_init(&cores))
        return 1;
    count = cores.count < MOST_PROCESSES ? cores.count : MOST_PROCESSES;
    dal_cores_finish(&cores);
    return count;
}

/* Splits the readings, or the first of them, into shares. Returns how many shares there are. */
static size_t make_shares(struct share *shares, size_t most, struct dal_reading *readings,
                          size_t count)
{
    size_t i;
    for (i = 0; i < most && count; i++) {
        size_t part = (count + most - i - 1) / (most - i);
        part = part < MOST_TOGETHER ? part : MOST_TOGETHER;
        shares[i] =
            (struct share){.readings = readings, .count = part, .seconds = DAL_AHEAD_SECONDS};
        readings += part;
        count -= part;
    }
    return i;
}

/* Runs the shares. Only what is the same for all readings is an error. */
static int run_shares(struct share *shares, size_t count)
{
    size_t started;
    int error = DAL_OK;
    for (started = 0; started < count && !error; started++)
        error = start_share(&shares[started]);
    started -= error != DAL_OK;
    for (size_t i = 0; i < started; i++) {
        int status = finish_share(&shares[i]);
        if (status == DAL_ERR_NOMEM || status == DAL_ERR_INTERRUPTED)
            error = status;
    }
    return error == DAL_ERR_SYSTEM ? DAL_OK : error;
}

int dal_read_ahead(struct dal_reading *readings, size_t count)
{
    struct share shares[MOST_PROCESSES];
    size_t most = count_processes(), done = 0;
    int status = DAL_OK;
    while (done < count && !status) {
        size_t parts = make_shares(shares, most, readings + done, count - done);
        status = run_shares(shares, parts);
        for (size_t i = 0; i < parts; i++)
            done += shares[i].count;
    }
    return status;
}

/* ---- of a C source --------------------------------------------------------------------------- */

static int take_function(struct dal_facts *facts, const char *name, const char *symbol,
                         const char *result, const char *argument, int is_static)
{
    struct dal_function *f;
    if (dal_grow(&facts->functions, facts->function_count, &facts->function_room, sizeof(*f)))
        return DAL_ERR_NOMEM;
    f = &facts->functions[facts->function_count++];
    *f = (struct dal_function){.name = dal_strdup(name),
                               .symbol = dal_strdup(symbol),
                               .result = dal_strdup(result),
                               .argument = dal_strdup(argument),
                               .is_static = is_static};
    return f->name && f->symbol && f->result && f->argument ? DAL_OK : DAL_ERR_NOMEM;
}

/* Adds another name of a function that is already there. */
static int take_renaming(struct dal_facts *facts, const struct dal_names *known, const char *name,
                         const char *other)
{
    size_t number = dal_names_find(known, other);
    const struct dal_function *f = number != DAL_NAMES_NONE ? &facts->functions[number] : NULL;
    return f ? take_function(facts, name, f->symbol, f->result, f->argument, f->is_static) : DAL_OK;
}

static struct dal_text *list_of(struct dal_facts *facts, enum dal_fact_kind kind)
{
    switch (kind) {
    case DAL_FACT_OWN:
        return &facts->own;
    case DAL_FACT_INCLUDE:
        return &facts->includes;
    case DAL_FACT_MISSING:
        return &facts->missing;
    case DAL_FACT_UNDEFINED:
        return &facts->undefined;
    case DAL_FACT_BEHIND:
        return &facts->behind;
    default:
        return NULL;
    }
}

static int take_fact(struct dal_facts *facts, const struct dal_fact *fact)
{
    struct dal_text *list = list_of(facts, fact->kind);
    if (fact->kind == DAL_FACT_FUNCTION)
        return take_function(facts, fact->name, fact->name, fact->function.result,
                             fact->function.argument, fact->function.is_static != 0);
    if (list)
        dal_text_list_join(list, fact->name, strlen(fact->name));
    return list && list->lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* Takes a fact, or another name, unless a function has the name already: the compiler says first
 * what it has most to say of. */
static int take_once(struct dal_facts *facts, struct dal_names *known, const struct dal_fact *fact)
{
    size_t count = facts->function_count;
    int is_renaming = fact->kind == DAL_FACT_RENAME;
    int status = DAL_OK;
    if ((is_renaming || fact->kind == DAL_FACT_FUNCTION) &&
        dal_names_find(known, fact->name) != DAL_NAMES_NONE)
        return DAL_OK;
    status = is_renaming ? take_renaming(facts, known, fact->name, fact->word.word)
                         : take_fact(facts, fact);
    return status || facts->function_count == count
               ? status
               : dal_names_add(known, facts->functions[count].name, count);
}

/* Takes first what is defined, then, in a few rounds, its other names. */
static int take_facts(struct dal_facts *facts)
{
    enum { ROUNDS = 4 };
    struct dal_names known = {0};
    int status = DAL_OK;

    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < facts->count && !status; i++)
            if ((facts->list[i].kind == DAL_FACT_RENAME) == (round > 0))
                status = take_once(facts, &known, &facts->list[i]);
    dal_names_finish(&known);
    facts->has_state = dal_fact_next(facts, DAL_FACT_STATE, NULL) != NULL;
    facts->keeps_p = dal_fact_next(facts, DAL_FACT_KEEPS, NULL) != NULL;
    return status;
}

int dal_read_source(struct dal_reading *reading, struct dal_facts *facts)
{
    int status = reading->output ? DAL_OK : read_alone(reading);
    *facts = (struct dal_facts){.lines = reading->output};
    reading->output = NULL;
    if (!status)
        status = dal_facts_read(facts);
    return status || reading->is_opencl ? status : take_facts(facts);
}
