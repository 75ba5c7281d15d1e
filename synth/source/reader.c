/* The reader's process, and what it says. */
#include "synth/source/reader.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LOST_MEMORY = 3, NO_RESULT = 4 }; /* how the reader ends, beside 0 */
enum { MOST_FACTS = 64 << 20 };          /* bytes */

/* ---- the process ----------------------------------------------------------------------------- */

static int write_all(int fd, const char *data, size_t length)
{
    while (length) {
        ssize_t done = write(fd, data, length);
        if (done < 0 && errno != EINTR)
            return NO_RESULT;
        if (done > 0) {
            data += done;
            length -= (size_t)done;
        }
    }
    return 0;
}

/* In the reader. What the library has to say of its end is said by dalsynth. */
static int read_in_process(const void *data)
{
    struct rlimit no_core = {0, 0};
    struct dal_text facts = {0};
    int output = dup(STDOUT_FILENO);

    setrlimit(RLIMIT_CORE, &no_core);
    if (output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || dal__tree_read(data, &facts))
        return NO_RESULT;
    return facts.lost ? LOST_MEMORY : write_all(output, dal_text_get(&facts), facts.length);
}

static int run_reader(const struct dal_reading *reading, char **facts)
{
    static const char *const name[] = {"the reader of sources", NULL};
    const struct dal_child child = {.argv = name,
                                    .function = read_in_process,
                                    .data = reading,
                                    .errors = "/dev/null",
                                    .limit_ns = DAL_READER_SECONDS * INT64_C(1000000000),
                                    .most = MOST_FACTS};
    int status = dal_child_run(&child, facts);

    if (status == 0 && strlen(*facts) < MOST_FACTS)
        return DAL_OK;
    if (status == LOST_MEMORY)
        return DAL_ERR_NOMEM;
    return status >= 0 || status == DAL_ERR_LIMIT ? DAL_ERR_SYSTEM : status;
}

/* ---- the facts ------------------------------------------------------------------------------- */

enum { MOST_FIELDS = 5 };

/* A line's fields, parted where it stands; those that are missing are "". */
static void part_fields(char *line, const char **fields)
{
    int i;

    for (i = 0; i < MOST_FIELDS; i++) {
        char *tab = line ? strchr(line, '\t') : NULL;
        fields[i] = line ? line : "";
        if (tab && i < MOST_FIELDS - 1)
            *tab++ = '\0';
        line = tab;
    }
}

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

static const struct dal_function *find_function(const struct dal_facts *facts, const char *name)
{
    size_t i;

    for (i = 0; i < facts->function_count; i++)
        if (strcmp(facts->functions[i].name, name) == 0)
            return &facts->functions[i];
    return NULL;
}

/* Behind those that it may be about. */
static int take_renaming(struct dal_facts *facts, const char *name, const char *other)
{
    const struct dal_function *f = find_function(facts, other);

    return f && strcmp(name, other) != 0
               ? take_function(facts, name, f->symbol, f->result, f->argument, f->is_static)
               : DAL_OK;
}

static struct dal_text *list_of(struct dal_facts *facts, const char *kind)
{
    const struct {
        const char *kind;
        struct dal_text *list;
    } lists[] = {{"own", &facts->own},         {"include", &facts->includes},
                 {"missing", &facts->missing}, {"aside", &facts->aside},
                 {"behind", &facts->behind},   {"error", &facts->errors}};
    size_t i;

    for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        if (strcmp(lists[i].kind, kind) == 0)
            return lists[i].list;
    return NULL;
}

static int take_fact(struct dal_facts *facts, const char *const *fields)
{
    struct dal_text *list = list_of(facts, fields[0]);

    if (strcmp(fields[0], "function") == 0)
        return take_function(facts, fields[1], fields[1], fields[3], fields[4], atoi(fields[2]));
    if (strcmp(fields[0], "state") == 0)
        facts->has_state = 1;
    else if (strcmp(fields[0], "keeps") == 0)
        facts->keeps_p = 1;
    else if (strcmp(fields[0], "flexible") == 0) {
        facts->flexible = dal_strdup(fields[1]);
        facts->flexible_line = atoi(fields[2]);
        facts->flexible_file = dal_strdup(fields[3]);
        return facts->flexible && facts->flexible_file ? DAL_OK : DAL_ERR_NOMEM;
    } else if (list && !dal_text_list_has(list, fields[1]))
        dal_text_list_add(list, fields[1], strlen(fields[1]));
    return list && list->lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* First what is defined, then, a few times, what that is called else. */
static int take_facts(struct dal_facts *facts, char *lines)
{
    enum { ROUNDS = 4 };
    int round, error = DAL_OK;

    for (round = 0; round < ROUNDS && !error; round++) {
        char *copy = dal_strdup(lines), *line, *rest = copy;
        if (!copy)
            return DAL_ERR_NOMEM;
        while (!error && (line = strsep(&rest, "\n"))) {
            const char *fields[MOST_FIELDS];
            int renames;
            part_fields(line, fields);
            renames = strcmp(fields[0], "rename") == 0;
            if (renames && round > 0 && !find_function(facts, fields[1]))
                error = take_renaming(facts, fields[1], fields[2]);
            else if (!renames && round == 0)
                error = take_fact(facts, fields);
        }
        dal_free(copy);
    }
    return error;
}

int dal_read_c(const struct dal_reading *reading, struct dal_facts *facts)
{
    char *lines = NULL;
    int error;

    *facts = (struct dal_facts){0};
    error = run_reader(reading, &lines);
    if (!error)
        error = take_facts(facts, lines);
    dal_free(lines);
    return error;
}
