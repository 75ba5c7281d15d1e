#include "rt/host/meter.h"

#include "rt/base/clock.h"
#include "rt/host/process.h"

/* Shares out the thread's processor time since it was last read. */
static void settle_shares(struct dal_meter *meter, int64_t now_ns)
{
    int64_t cpu_ns = dal_thread_ns();
    double wall = (double)(now_ns - meter->wall_ns), cpu = (double)(cpu_ns - meter->cpu_ns);
    double part = cpu < wall ? cpu / wall : 1;
    for (int i = 0; i < meter->count; i++)
        atomic_fetch_add_explicit(&meter->shares[i].process->time.busy_ns,
                                  (int64_t)(part * (double)meter->shares[i].ns),
                                  memory_order_relaxed); /* read when all threads are joined */
    meter->wall_ns = now_ns;
    meter->cpu_ns = cpu_ns;
    meter->count = meter->next = 0;
}

static struct dal_meter_share *share_of(struct dal_meter *meter, struct dal_process *process)
{
    int i, at = meter->next;
    for (i = 0; i < meter->count; i++, at++) {
        at = at < meter->count ? at : 0;
        if (meter->shares[at].process == process)
            break;
    }
    if (i == meter->count) {
        at = meter->count++;
        meter->shares[at] = (struct dal_meter_share){process, 0};
    }
    meter->next = at + 1;
    return &meter->shares[at];
}

void dal_meter_begin(struct dal_meter *meter, int64_t begin_ns, int alone)
{
    meter->since_ns = begin_ns;
    if (meter->wall_ns && !alone)
        return;
    if (meter->wall_ns)
        settle_shares(meter, begin_ns);
    meter->wall_ns = begin_ns;
    meter->cpu_ns = dal_thread_ns();
}

int dal_meter_end(struct dal_meter *meter, struct dal_process *process, int64_t end_ns)
{
    int64_t time_ns = end_ns - meter->since_ns;
    meter->since_ns = 0;
    share_of(meter, process)->ns += time_ns;
    if (end_ns - meter->wall_ns >= DAL_METER_NS || meter->count == DAL_METER_SHARES)
        settle_shares(meter, end_ns);
    return time_ns >= DAL_METER_NS;
}

void dal_meter_close(struct dal_meter *meter)
{
    if (meter->wall_ns)
        settle_shares(meter, dal_now_ns());
    meter->wall_ns = 0;
}
