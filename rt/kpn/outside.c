/* The process that stands for an open port: it moves tokens between the network and a stream. */
#include "rt/base/alloc.h"
#include "rt/host/firing.h"
#include "rt/kpn/kpn.h"
#include "rt/streams/stream.h"

/* How long it waits for the outside before it looks at the network. */
enum { LOOK_MS = 100 };

/* Waits until the stream has something, or takes something. Returns 0 when the network does not
 * want it any more. */
static int wait_outside(const struct dal_process *process)
{
    while (!dal_stream_is_ready(process->host.kpn->stream, LOOK_MS))
        if (dal_control_broken(process->control) || dal_process_stopped(process))
            return 0;
    return 1;
}

/* Fills the space that there is with what has come. */
static int bring_in(struct dal_process *process)
{
    size_t bytes, got;
    void *to = dal__kpn_piece(process, 0, &bytes);
    int status;
    if (!wait_outside(process))
        return 1; /* a begun token is dropped */
    status = dal_stream_read(process->host.kpn->stream, to, bytes, &got);
    if (status < 0)
        dal_control_break(process->control, status);
    dal__kpn_use(process, 0, got);
    return got == 0;
}

static int take_out(struct dal_process *process)
{
    size_t bytes, put;
    const void *from = dal__kpn_piece(process, 0, &bytes);
    int status;
    if (!wait_outside(process))
        return 1;
    status = dal_stream_write(process->host.kpn->stream, from, bytes, &put);
    if (status < 0)
        dal_control_break(process->control, status);
    dal__kpn_use(process, 0, put);
    return status != DAL_OK;
}

static int drop(struct dal_process *process)
{
    size_t bytes;
    dal__kpn_piece(process, 0, &bytes);
    dal__kpn_use(process, 0, bytes);
    return 0;
}

void dal_kpn_empty(struct dal_process *process)
{
    struct dal_end *end = process->ends[0];
    uint64_t tokens;
    size_t put;
    if (atomic_load_explicit(&process->ended, memory_order_relaxed))
        return;
    while ((tokens = dal_end_ready(end, UINT64_MAX / 2)) > 0) {
        const unsigned char *window = dal_end_window(end);
        dal_stream_write(process->host.kpn->stream, window,
                         tokens * end->channel->desc->token_bytes, &put);
        dal_end_move(end, window, tokens);
    }
}

/* Without a stream there is nothing outside. A tap takes its tokens all the same. */
static int fire_open(DALProcess *p)
{
    struct dal_process *process = ((struct dal_activation *)p->wptr)->process;
    if (!process->host.kpn->stream)
        return process->desc->open->tap ? drop(process) : 1;
    return (process->desc->ports[0].output ? bring_in : take_out)(process);
}

const struct dal_code dal_open_code = {.fire = fire_open};
