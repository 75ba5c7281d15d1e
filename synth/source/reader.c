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
    if (output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || dal__ast_read(data, &facts))
        return NO_RESULT;
    return facts.lost ? LOST_MEMORY : write_all(output, dal_text_get(&facts), facts.length);
}

static int run_reader(const struct dal_reading *reading, char **lines)
{
    static const char *const name[] = {"the reader of sources", NULL};
    const struct dal_child child = {.argv = name,
                                    .function = read_in_process,
                                    .data = reading,
                                    .errors = "/dev/null",
                                    .limit_ns = DAL_READER_SECONDS * INT64_C(1000000000),
                                    .most = MOST_FACTS};
    int status = dal_child_run(&child, lines);

    if (status == 0 && strlen(*lines) < MOST_FACTS)
        return DAL_OK;
    if (status == LOST_MEMORY)
        return DAL_ERR_NOMEM;
    return status >= 0 || status == DAL_ERR_LIMIT ? DAL_ERR_SYSTEM : status;
}

/* ---- the facts ------------------------------------------------------------------------------- */

/* One a line, its fields parted by tabs. */
void dal__fact_write(struct dal_text *lines, const struct dal_fact *fact)
{
    const char *const words[] = {fact->kind, fact->name, fact->text, fact->more, fact->file};
    size_t i;

    for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        const char *at = words[i] ? words[i] : "";
        for (; *at; at++) /* what would end a field is a space instead */
            dal_text_add_bytes(lines, strchr("\t\r\n", *at) ? " " : at, 1);
        dal_text_add(lines, "\t");
    }
    dal_text_printf(lines, "%d\t%d", fact->line, fact->column);
    for (i = 0; i < DAL_FACT_NUMBERS; i++)
        dal_text_printf(lines, "\t%zu", fact->numbers[i]);
    dal_text_add(lines, "\n");
}

static const char *next_field(char **line)
{
    const char *field = strsep(line, "\t");

    return field ? field : "";
}

static void read_fact(char *line, struct dal_fact *fact)
{
    size_t i;

    fact->kind = next_field(&line);
    fact->name = next_field(&line);
    fact->text = next_field(&line);
    fact->more = next_field(&line);
    fact->file = next_field(&line);
    fact->line = atoi(next_field(&line));
    fact->column = atoi(next_field(&line));
    for (i = 0; i < DAL_FACT_NUMBERS; i++)
        fact->numbers[i] = strtoul(next_field(&line), NULL, 10);
}

static int read_lines(struct dal_facts *facts)
{
    char *line, *rest = facts->lines;

    while ((line = strsep(&rest, "\n"))) {
        if (!*line)
            continue;
        if (dal_grow(&facts->list, facts->count, &facts->room, sizeof(*facts->list)))
            return DAL_ERR_NOMEM;
        read_fact(line, &facts->list[facts->count++]);
    }
    return DAL_OK;
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
    } lists[] = {{"own", &facts->own},
                 {"include", &facts->includes},
                 {"missing", &facts->missing},
                 {"aside", &facts->aside},
                 {"behind", &facts->behind}};
    size_t i;

    for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        if (strcmp(lists[i].kind, kind) == 0)
            return lists[i].list;
    return NULL;
}

static int take_fact(struct dal_facts *facts, const struct dal_fact *fact)
{
    struct dal_text *list = list_of(facts, fact->kind);

    if (strcmp(fact->kind, "function") == 0)
        return take_function(facts, fact->name, fact->name, fact->text, fact->more,
                             fact->numbers[0] != 0);
    if (list && !dal_text_list_has(list, fact->name))
        dal_text_list_add(list, fact->name, strlen(fact->name));
    return list && list->lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* First what is defined, then, a few times, what that is called else. */
static int take_facts(struct dal_facts *facts)
{
    enum { ROUNDS = 4 };
    int round, error = DAL_OK;
    size_t i;

    for (round = 0; round < ROUNDS; round++)
        for (i = 0; i < facts->count && !error; i++) {
            const struct dal_fact *fact = &facts->list[i];
            if (strcmp(fact->kind, "rename") != 0)
                error = round == 0 ? take_fact(facts, fact) : DAL_OK;
            else if (round > 0 && !find_function(facts, fact->name))
                error = take_renaming(facts, fact->name, fact->text);
        }
    facts->has_state = dal_fact_find(facts, "state", NULL) != NULL;
    facts->keeps_p = dal_fact_find(facts, "keeps", NULL) != NULL;
    return error;
}

int dal_read_source(const struct dal_reading *reading, struct dal_facts *facts)
{
    int error;

    *facts = (struct dal_facts){0};
    error = run_reader(reading, &facts->lines);
    if (!error)
        error = read_lines(facts);
    return error || reading->is_opencl ? error : take_facts(facts);
}
