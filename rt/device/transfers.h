/*
 * The rows of a trace for a device: its launches, and the uploads, downloads and copies that its
 * queue logs (channels/queue.h). The handler's thread.
 */
#pragma once

#include "channels/queue.h"
#include "rt/trace/trace.h"

struct dal_device_rows {
    struct dal_transfer_log log; /* the queue's, where events are kept */
    struct dal_trace_row rows[DAL_TRACE_SORTS];
    int64_t first_ns; /* when its first launch was enqueued, 0 before */
    /* dal_now_ns() minus the device's clock, known when a command has completed. */
    int64_t clock_offset_ns;
    int clock_known;
};

/* Makes the rows. Errors are those of dal_trace_row_init(); the caller finishes them either way. */
int dal_device_rows_init(struct dal_device_rows *rows, const char *processor);
void dal_device_rows_finish(struct dal_device_rows *rows);

/* Called before a timed launch is enqueued. */
void dal_device_rows_begin(struct dal_device_rows *rows);

/* Changes the times of a command to the clock of dal_now_ns(). The command was enqueued at
 * `queued_ns`; for launches that is the time of the first, which is the first to complete. */
void dal_device_rows_clock(struct dal_device_rows *rows, int64_t queued_ns,
                           struct dal_event_times *times);
