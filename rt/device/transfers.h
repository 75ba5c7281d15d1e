/*
 * What a trace has of a device: its launches, and the uploads, downloads and copies that its queue
 * tells of (channels/queue.h). The handler's thread.
 */
#ifndef DAL_RT_DEVICE_TRANSFERS_H
#define DAL_RT_DEVICE_TRANSFERS_H

#include "channels/queue.h"
#include "rt/trace/trace.h"

struct dal_device_rows {
    struct dal_transfer_log log; /* the queue's, where events are kept */
    struct dal_trace_row rows[DAL_TRACE_SORTS];
    int64_t first_ns; /* when its first launch was enqueued, 0 before */
    /* What its clock lacks of dal_now_ns(), known when a command has completed. */
    int64_t clock_offset_ns;
    int clock_known;
};

/* As dal_trace_row_init(); the caller finishes them either way. */
int dal_device_rows_init(struct dal_device_rows *rows, const char *processor);
void dal_device_rows_finish(struct dal_device_rows *rows);

/* Before a launch that is timed is enqueued. */
void dal_device_rows_begin(struct dal_device_rows *rows);

/* Times of a command, which was enqueued at `queued_ns`, on that clock. Of launches: when the first
 * one was, for that is the first to complete. */
void dal_device_rows_clock(struct dal_device_rows *rows, int64_t queued_ns,
                           struct dal_event_times *times);

#endif
