#include "synth/program/verify.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"
#include "synth/codegen/emit/made.h"

#include <string.h>

/* A program that dalsynth made answers at once. */
static const int64_t LIMIT_NS = INT64_C(30000000000);

/* Finds the program's line of a thing: "  DIGEST  WHAT: FILE". Returns its digest, or NULL. */
static const char *find_line(const char *said, const char *what)
{
    enum { DIGITS = DAL_MADE_DIGEST - 1, LEAD = 2, BEHIND = LEAD + DIGITS + 2 };
    size_t length = strlen(what);

    for (; *said; said += strcspn(said, "\n"), said += *said == '\n')
        if (strncmp(said, "  ", LEAD) == 0 && strcspn(said, "\n") > BEHIND + length &&
            strspn(said + LEAD, "0123456789abcdef") == DIGITS &&
            strncmp(said + BEHIND, what, length) == 0 && said[BEHIND + length] == ':')
            return said + LEAD;
    return NULL;
}

/* Counts lines, so that a thing that only the program has is seen, too. */
static size_t count_lines(const char *said)
{
    size_t count = 0;
    for (; *said; said += strcspn(said, "\n"), said += *said == '\n')
        count += strncmp(said, "  ", 2) == 0;
    return count;
}

static int compare(const struct dal_made_list *made, const char *said, const char *program)
{
    int same = 1;
    for (size_t i = 0; i < made->count; i++) {
        const struct dal_made *part = &made->list[i];
        const char *digest = find_line(said, part->what);
        if (digest && strncmp(digest, part->digest, strlen(part->digest)) == 0)
            continue;
        same = 0;
        dal_log(DAL_LOG_ERROR, "%s was made from other bytes: %s%s%s%s", program, part->what,
                *part->file ? " (" : "", part->file, *part->file ? ")" : "");
    }
    if (same && count_lines(said) != made->count)
        dal_log(DAL_LOG_ERROR, "%s was made from more than this", program);
    return same && count_lines(said) == made->count;
}

static int ask(const char *program, char **said)
{
    char *path = strchr(program, '/') ? dal_strdup(program) : dal_format("./%s", program);
    const char *const argv[] = {path, "--version", NULL};
    struct dal_child child = {.argv = argv, .limit_ns = LIMIT_NS};
    int status = path ? dal_child_run(&child, said) : DAL_ERR_NOMEM;
    dal_free(path);
    if (status > 0 || (status == 0 && count_lines(*said) == 0)) {
        dal_log(DAL_LOG_ERROR, "%s --version does not say what it was made from", program);
        return DAL_ERR_BUILD;
    }
    return status;
}

int dal_verify(const struct dal_applications *applications, const char *first_file,
               const char *program, FILE *out)
{
    const struct dal_emit emit = {
        .plan = applications->plans[0], .fsm = applications->fsm, .first_file = first_file};
    struct dal_made_list made;
    char *said = NULL;
    int status = dal_made_find(&emit, &made);
    if (!status)
        status = ask(program, &said);
    if (!status && !compare(&made, said, program))
        status = DAL_ERR_BUILD;
    if (!status)
        fprintf(out, "%s was made from this\n", program);
    dal_free(said);
    dal_made_finish(&made);
    return status;
}
