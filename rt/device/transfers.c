#include "rt/device/transfers.h"

#include "rt/base/clock.h"

static const enum dal_trace_sort sorts[] = {
    [DAL_UPLOAD] = DAL_TRACE_UPLOADS,
    [DAL_DOWNLOAD] = DAL_TRACE_DOWNLOADS,
    [DAL_COPY] = DAL_TRACE_COPIES,
};

void dal_device_rows_begin(struct dal_device_rows *rows)
{
    if (rows->first_ns == 0)
        rows->first_ns = dal_now_ns();
}

/* The clocks are matched at the moment when the first completed command was enqueued. */
void dal_device_rows_clock(struct dal_device_rows *rows, int64_t queued_ns,
                           struct dal_event_times *times)
{
    if (!rows->clock_known)
        rows->clock_offset_ns = queued_ns - times->queued;
    rows->clock_known = 1;
    times->queued += rows->clock_offset_ns;
    times->begin += rows->clock_offset_ns;
    times->end += rows->clock_offset_ns;
}

static void add_transfer(struct dal_transfer_log *log, const struct dal_moved *moved,
                         const struct dal_event_times *times)
{
    struct dal_device_rows *rows = (struct dal_device_rows *)log;
    struct dal_event_times here = *times;
    dal_device_rows_clock(rows, moved->queued_ns, &here);
    dal_trace_add(&rows->rows[sorts[moved->direction]],
                  (struct dal_trace_event){.name = moved->channel,
                                           .begin_ns = here.begin,
                                           .end_ns = here.end,
                                           .bytes = moved->bytes});
}

int dal_device_rows_init(struct dal_device_rows *rows, const char *processor)
{
    int status = DAL_OK;
    rows->log.add = add_transfer;
    for (int sort = 0; status == DAL_OK && sort < DAL_TRACE_SORTS; sort++)
        status = dal_trace_row_init(&rows->rows[sort], processor, (enum dal_trace_sort)sort);
    return status;
}

void dal_device_rows_finish(struct dal_device_rows *rows)
{
    for (int sort = 0; sort < DAL_TRACE_SORTS; sort++)
        dal_trace_row_finish(&rows->rows[sort]);
}
