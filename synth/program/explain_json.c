/* What --explain tells as data: a list of processes and one of channels, and its text. */
#define _GNU_SOURCE
#include "synth/program/explain.h"

#include "rt/base/error.h"
#include "rt/base/json.h"
#include "rt/base/memory_stream.h"

#include <string.h>

/* Heads of columns, and names of their values. */
static const struct column {
    const char *head, *name;
    int is_number;
} columns[] = {
    {"process", "process", 0}, {"runs on", "runs_on", 0},   {"type", "type", 0},
    {"source", "source", 0},   {"function", "function", 0}, {"firings*", "firings", 1},
    {"S", "copies", 1},        {"I", "items", 1},           {"block", "block", 1},
    {"why", "why", 0},         {"channel", "channel", 0},   {"from -> to", "from_to", 0},
    {"kind", "kind", 0},       {"rates", "rates", 0},       {"token bytes", "token_bytes", 1},
    {"initial", "initial", 1}, {"capacity", "capacity", 1},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]), MOST_CELLS = 10 };

/* Parts a line at its cells. Returns how many there are, and the next line. */
static int part_line(char **line, char *cells[MOST_CELLS])
{
    char *end = *line + strcspn(*line, "\n"), *rest = NULL;
    int count = 0;
    char *next = *end ? end + 1 : end;
    *end = '\0';
    for (char *at = *line; at && count < MOST_CELLS; at = rest) {
        rest = strchr(at, '\v');
        if (rest)
            *rest++ = '\0';
        cells[count++] = at;
    }
    *line = next;
    return count;
}

static const struct column *column_of(const char *head)
{
    for (int i = 0; i < COLUMNS; i++)
        if (strcmp(columns[i].head, head) == 0)
            return &columns[i];
    return NULL;
}

static void print_value(FILE *out, const struct column *column, const char *text)
{
    fprintf(out, "\"%s\": ", column->name);
    if (column->is_number && strcmp(text, "-") == 0)
        fputs("null", out);
    else if (column->is_number && *text && strspn(text, "0123456789") == strlen(text))
        fputs(text, out);
    else
        dal_json_print(out, text);
}

/* Prints one table: its heads, and `count` lines. */
static void print_lines(FILE *out, char **line, size_t count)
{
    char *heads[MOST_CELLS], *cells[MOST_CELLS];
    int width = part_line(line, heads);
    for (size_t i = 0; i < count; i++) {
        const char *comma = "";
        int here = part_line(line, cells);
        fputs(i ? ",\n  {" : "\n  {", out);
        for (int k = 0; k < here && k < width; k++) {
            const struct column *column = column_of(heads[k]);
            if (!column)
                continue;
            fputs(comma, out);
            print_value(out, column, cells[k]);
            comma = ", ";
        }
        fputc('}', out);
    }
}

/* Prints the text, with which nobody has to ask again for it. */
static int print_text(const struct dal_plan *plan, const struct dal_explain *wishes, FILE *out)
{
    struct dal_memory_stream stream;
    int status = DAL_ERR_NOMEM;
    char *text;
    dal_memory_open(&stream);
    if (stream.file)
        status = dal_explain(plan, wishes, stream.file);
    text = dal_memory_close(&stream);
    if (text)
        dal_json_print(out, text);
    else if (!status)
        status = DAL_ERR_NOMEM;
    free(text);
    return status;
}

int dal_explain_json(const struct dal_plan *plan, const struct dal_explain *wishes, FILE *out)
{
    struct dal_text text = {0};
    int status;
    dal_explain_tables(plan, &text);
    status = text.lost ? DAL_ERR_NOMEM : DAL_OK;
    if (!status) {
        char *line = text.data;
        fputs("{\"network\": ", out);
        dal_json_print(out, plan->spec->network.name);
        fprintf(out, ", \"queue_depth\": %d, \"policy\": ", plan->queue_depth);
        dal_json_print(out, plan->policy);
        fputs(",\n \"processes\": [", out);
        print_lines(out, &line, plan->process_count);
        fputs("],\n \"channels\": [", out);
        print_lines(out, &line, plan->channel_count);
        fputs("],\n \"text\": ", out);
        status = print_text(plan, wishes, out);
        fputs("}\n", out);
    }
    dal_text_finish(&text);
    return status;
}
