/*
 * A signal's handler can write no report. So a thread of its own waits for that, and the handler
 * waits for the thread, but not for ever: the crashed thread may hold any lock.
 */
#define _GNU_SOURCE
#include "rt/network/crash.h"

#include "rt/base/error.h"
#include "rt/base/sync.h"
#include "rt/base/thread.h"
#include "rt/host/crash.h"
#include "rt/observe/observers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>

/* How long the handler waits, and the thread for the other processes. */
enum { LONGEST_MS = 20000, OTHERS_MS = 1000 };

static struct {
    pthread_mutex_t lock; /* protects the list, and what reports a network of it */
    struct dal_network *running;
    void (*report)(struct dal_network *network);
    int begun[2], written[2]; /* pipes; a byte comes through each */
} crashes = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Does a process run that has not crashed? */
static int is_at_work(const struct dal_network *network)
{
    for (int i = 0; i < network->net->process_count; i++) {
        const struct dal_process *process = &network->processes[i];
        for (int k = 0; process != dal_crash_process() && k < process->host.copy_count; k++)
            if (dal_copy_runs(&process->host.copies[k]))
                return 1;
    }
    return 0;
}

static void write_report(struct dal_network *network)
{
    const struct timespec nap = {.tv_nsec = 1000 * 1000};
    dal_control_break(&network->control, DAL_ERR_PROCESS);
    for (int ms = 0; ms < OTHERS_MS && is_at_work(network); ms++)
        nanosleep(&nap, NULL);
    crashes.report(network);
}

/* Reports of several nodes would need the other nodes. */
static void *wait_for_crash(void *unused)
{
    char byte;
    while (read(crashes.begun[0], &byte, 1) < 0 && errno == EINTR)
        continue;
    pthread_mutex_lock(&crashes.lock);
    for (struct dal_network *network = crashes.running; network; network = network->next)
        if (!network->nodes)
            write_report(network);
    while (write(crashes.written[1], &byte, 1) < 0 && errno == EINTR)
        continue;
    return unused;
}

/* Runs in a signal's handler. */
static void crash(void)
{
    struct pollfd written = {.fd = crashes.written[0], .events = POLLIN};
    char byte = 0;
    if (write(crashes.begun[1], &byte, 1) == 1)
        poll(&written, 1, LONGEST_MS);
}

static void start_thread(void)
{
    pthread_t thread;
    if (pipe2(crashes.begun, O_CLOEXEC) < 0 || pipe2(crashes.written, O_CLOEXEC) < 0 ||
        dal_thread_start(&thread, wait_for_crash, NULL, "reports of a crash", "") < 0)
        return;
    pthread_detach(thread);
    dal_threads_crash(crash);
}

void dal__crash_begin(struct dal_network *network, void (*report)(struct dal_network *network))
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (dal_observers_need(network, DAL_NEEDS_REPORT))
        pthread_once(&once, start_thread);
    dal_thread_watch(NULL, dal_crash_tell);
    pthread_mutex_lock(&crashes.lock);
    crashes.report = report;
    network->next = crashes.running;
    crashes.running = network;
    pthread_mutex_unlock(&crashes.lock);
}

void dal__crash_end(const struct dal_network *network)
{
    struct dal_network **at = &crashes.running;
    pthread_mutex_lock(&crashes.lock);
    while (*at != network)
        at = &(*at)->next;
    *at = network->next;
    pthread_mutex_unlock(&crashes.lock);
}
