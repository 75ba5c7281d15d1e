/*
 * make_trace EVENTS KEPT: writes the file of DAL_TRACE as a network of three cores would, of which
 * the last waits in its firings, so that they overlap. The first core has EVENTS events, the others
 * a few; the second keeps KEPT of them. The same events each time.
 */
#include "rt/base/error.h"
#include "rt/trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 3, FEW = 20 };

static const char *const event_names[] = {"Source", "Filter \"\\\xc3\xa4", "Sink", "tab\there"};

static void add_events(struct dal_trace_row *row, uint64_t count, int64_t period_ns,
                       int64_t length_ns)
{
    for (uint64_t k = 0; k < count; k++) {
        int64_t begin_ns = 5000000000 + (int64_t)k * period_ns;
        dal_trace_add(row, (struct dal_trace_event){.begin_ns = begin_ns,
                                                    .end_ns = begin_ns + length_ns,
                                                    .name = event_names[k % 4],
                                                    .firings = k * k % 1000});
    }
}

/* Two that overlap end in the order opposite to that in which they began. */
static void add_nested(struct dal_trace_row *row)
{
    int64_t begin_ns = 5000001000;
    dal_trace_add(row, (struct dal_trace_event){.begin_ns = begin_ns + 10,
                                                .end_ns = begin_ns + 20,
                                                .name = "inner",
                                                .firings = 1});
    dal_trace_add(
        row, (struct dal_trace_event){
                 .begin_ns = begin_ns, .end_ns = begin_ns + 30, .name = "outer", .firings = 1});
}

static int write_rows(struct dal_trace_row *rows)
{
    const struct dal_trace_origin origin = {.number = 1};
    struct dal_trace_part part = {0};
    FILE *file = open_memstream(&part.bytes, &part.count);
    int status;
    if (!file)
        return DAL_ERR_NOMEM;
    dal_trace_write_part(file, rows, NULL, 0, &origin);
    if (fclose(file) != 0)
        return DAL_ERR_NOMEM;
    status = dal_trace_write(&part, 1, NULL, NULL);
    free(part.bytes);
    return status;
}

int main(int argc, char **argv)
{
    static const char *const row_names[ROWS] = {"core_0", "core_1", "core_2"};
    uint64_t events = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    struct dal_trace_row rows[ROWS];
    int i, status = dal_trace_check(NULL);
    for (i = 0; status == DAL_OK && i < ROWS; i++) {
        setenv("DAL_TRACE_EVENTS", i != 1 ? argv[1] : argv[2], 1);
        status = dal_trace_row_init(&rows[i], row_names[i], DAL_TRACE_FIRINGS);
        rows[i].next = i + 1 < ROWS ? &rows[i + 1] : NULL;
    }
    if (status < 0)
        return 1;
    add_events(&rows[0], events, 100, 90);
    add_events(&rows[1], FEW, 1000, 1000);
    add_nested(&rows[2]);
    status = write_rows(rows);
    for (i = 0; i < ROWS; i++)
        dal_trace_row_finish(&rows[i]);
    return status < 0;
}
