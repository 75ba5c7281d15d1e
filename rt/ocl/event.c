/* Events: the states and times of commands. */
#include "rt/base/alloc.h"
#include "rt/base/sync.h"
#include "rt/ocl/device.h"

int dal__ocl_state(dal_event event, const struct dal_subject *subject, enum dal_event_state *state)
{
    cl_int found = CL_COMPLETE, failed;
    int status = DAL_CL_FOR(
        subject, clGetEventInfo,
        (dal_ocl_event(event), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(found), &found, NULL));
    if (status < 0)
        return status;
    failed = found < 0 ? found : CL_SUCCESS;
    if (found == CL_COMPLETE)
        failed = dal_backend_fault("a command");
    *state = found == CL_COMPLETE ? DAL_EVENT_COMPLETE : DAL_EVENT_PENDING;
    return dal_ocl_check(subject, "a command of this device", failed);
}

static int64_t device_time(cl_event event, cl_profiling_info what)
{
    cl_ulong time = 0;
    clGetEventProfilingInfo(event, what, sizeof(time), &time, NULL);
    return (int64_t)time;
}

int dal__ocl_times(dal_event event, struct dal_event_times *times)
{
    cl_event of = dal_ocl_event(event);
    *times = (struct dal_event_times){.queued = device_time(of, CL_PROFILING_COMMAND_QUEUED),
                                      .begin = device_time(of, CL_PROFILING_COMMAND_START),
                                      .end = device_time(of, CL_PROFILING_COMMAND_END)};
    return DAL_OK;
}

void dal__ocl_retain(dal_event event)
{
    clRetainEvent(dal_ocl_event(event));
}

void dal__ocl_release(dal_event event)
{
    clReleaseEvent(dal_ocl_event(event));
}

/* ---- call-backs ------------------------------------------------------------------------------ */

/* The data of OpenCL's callback, one for each different pair. It is kept until the program ends: an
 * event may come late, and the next wait need not allocate. There are as many as a program has had
 * objects to wake. */
struct call {
    void (*call)(void *data);
    void *data;
    struct call *next;
};
static _Atomic(struct call *) calls;

static struct call *find_call(void (*call)(void *data), const void *data)
{
    struct call *found = atomic_load_explicit(&calls, memory_order_acquire);
    while (found && (found->call != call || found->data != data))
        found = found->next;
    return found;
}

/* Adds a pair. Two threads that add the same pair at once each get their own. Pairs with
 * find_call(). */
static struct call *add_call(void (*call)(void *data), void *data)
{
    struct call *made = dal_calloc(1, sizeof(*made));
    if (!made)
        return NULL;
    *made = (struct call){.call = call, .data = data};
    made->next = atomic_load_explicit(&calls, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&calls, &made->next, made, memory_order_release,
                                                  memory_order_relaxed))
        ;
    return made;
}

/* Runs on a thread of the OpenCL implementation, or inline. */
static void CL_CALLBACK event_completed(cl_event event, cl_int state, void *data)
{
    const struct call *call = data;
    (void)event;
    (void)state;
    call->call(call->data);
}

int dal__ocl_call_back(dal_event event, const struct dal_subject *subject, void (*call)(void *data),
                       void *data)
{
    struct call *kept = find_call(call, data);
    if (!kept)
        kept = add_call(call, data);
    if (!kept)
        return DAL_ERR_NOMEM;
    return DAL_CL_FOR(subject, clSetEventCallback,
                      (dal_ocl_event(event), CL_COMPLETE, event_completed, kept));
}
