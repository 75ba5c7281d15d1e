#define _GNU_SOURCE
#include "rt/host/own.h"

#include "rt/base/error.h"
#include "rt/base/sync.h"
#include "rt/host/process.h"

#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The thread's state before users' functions ran. */
static _Thread_local struct {
    sigset_t mask;
    cpu_set_t cores;
    int has_cores; /* True when the system has told the cores. */
} before;

static int is_shared(const struct dal_process *process)
{
    return process->host.copy_count > 1;
}

void dal_own_init(struct dal_process *process)
{
    struct dal_own *own = &process->host.own;
    *own = (struct dal_own){.floating = DAL_FLOAT_PLAIN, .locale = dal_thread_locale()};
    own->minded = is_shared(process) ? ~DAL_FLOAT_RAISED : ~0U;
    own->odd = is_shared(process) ? 0 : DAL_OWN_LOOK;
}

static void warn(const struct dal_process *process, const char *role, const char *what)
{
    dal_log(DAL_LOG_WARNING, "process %s: %s %s; it is put back (%s:%d)", process->desc->name, role,
            what, process->desc->origin.file, process->desc->origin.line);
}

/* ---- what the system is asked for ------------------------------------------------------------ */

static int is_looked_at(const struct dal_own *own)
{
    return own->odd & (DAL_OWN_LOOK | DAL_OWN_MASK);
}

static void note_thread(const struct dal_own *own)
{
    before.has_cores = sched_getaffinity(0, sizeof(before.cores), &before.cores) == 0;
    pthread_sigmask(own->odd & DAL_OWN_MASK ? SIG_SETMASK : SIG_BLOCK,
                    own->odd & DAL_OWN_MASK ? &own->mask : NULL, &before.mask);
}

static int is_same_mask(const sigset_t *a, const sigset_t *b)
{
    for (int number = 1; number < NSIG; number++)
        if (sigismember(a, number) != sigismember(b, number))
            return 0;
    return 1;
}

/* Keeps the mask that the process left, unless its firings run side by side. */
static void take_mask(struct dal_own *own, int keeps)
{
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, &before.mask, &now);
    if (!keeps)
        return;
    own->odd &= ~DAL_OWN_MASK;
    if (is_same_mask(&now, &before.mask))
        return;
    own->mask = now;
    own->odd |= DAL_OWN_MASK;
}

static void take_cores(const struct dal_process *process, const char *role)
{
    cpu_set_t now;
    if (!before.has_cores || sched_getaffinity(0, sizeof(now), &now) != 0 ||
        CPU_EQUAL(&now, &before.cores))
        return;
    sched_setaffinity(0, sizeof(before.cores), &before.cores);
    warn(process, role, "moved its thread to other cores than the mapping's");
}

/* ---- around what users run ------------------------------------------------------------------- */

void dal__own_enter(const struct dal_process *process, const struct dal_own *own)
{
    if (own->odd & DAL_OWN_TEAM)
        process->host.openmp->set(process->host.threads);
    if (is_looked_at(own))
        note_thread(own);
    uselocale(own->locale);
    dal_float_set_x87(own->floating.x87);
    dal_float_set_control(own->floating.control);
}

static int is_kept(const struct dal_own *own, const struct dal_float *now, locale_t locale)
{
    return !((now->control ^ own->floating.control) & own->minded) &&
           now->x87 == own->floating.x87 && locale == own->locale;
}

/* Breaks the network: no next firing could begin with the changed state. */
static void refuse_change(struct dal_process *process)
{
    if (!dal_control_broken(process->control))
        dal_log(DAL_LOG_ERROR,
                "process %s: fire leaves floating-point control, or the locale of its thread, "
                "other than it was; that is a state, and its firings run side by side (%s:%d)",
                process->desc->name, process->desc->origin.file, process->desc->origin.line);
    dal_control_break(process->control, DAL_ERR_PROCESS);
}

static void take_own(struct dal_own *own, const struct dal_float *now, locale_t locale)
{
    own->floating = (struct dal_float){.control = now->control & own->minded, .x87 = now->x87};
    own->locale = locale;
    own->odd &= ~DAL_OWN_REST;
    if (now->x87 != DAL_FLOAT_PLAIN.x87 || locale != dal_thread_locale())
        own->odd |= DAL_OWN_REST;
}

/* Exceptions that the x87 unit raised move to `control`: users see those of both units as one. */
void dal__own_leave(struct dal_process *process, struct dal_own *own, struct dal_float now,
                    const char *role)
{
    locale_t locale = uselocale(dal_thread_locale());
    int fires = strcmp(role, "fire") == 0, keeps = !fires || !is_shared(process);
    dal_float_set_x87(DAL_FLOAT_PLAIN.x87);
    dal_float_set_control(DAL_FLOAT_PLAIN.control);
    now.control |= now.raised;
    if (keeps)
        take_own(own, &now, locale);
    else if (!is_kept(own, &now, locale))
        refuse_change(process);
    if (!is_looked_at(own))
        return;
    take_mask(own, keeps);
    take_cores(process, role);
    if (fires && keeps)
        own->odd &= ~DAL_OWN_LOOK;
}

/* ---- around init and finish ------------------------------------------------------------------ */

void dal_own_begin_call(struct dal_own *own, struct dal_own_call *call)
{
    own->odd |= DAL_OWN_LOOK;
    call->folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    snprintf(call->locale, sizeof(call->locale), "%s", setlocale(LC_ALL, NULL));
}

static int is_elsewhere(int folder)
{
    struct stat was, is;
    return folder >= 0 && fstat(folder, &was) == 0 && stat(".", &is) == 0 &&
           (was.st_dev != is.st_dev || was.st_ino != is.st_ino);
}

void dal_own_end_call(struct dal_process *process, const char *role, struct dal_own_call *call)
{
    const char *locale = setlocale(LC_ALL, NULL);
    if (is_shared(process))
        process->host.own.odd &= ~DAL_OWN_LOOK;
    if (is_elsewhere(call->folder) && fchdir(call->folder) == 0)
        warn(process, role, "changed the working folder, which is that of all processes");
    if (call->folder >= 0)
        close(call->folder);
    if (strncmp(call->locale, locale, sizeof(call->locale) - 1) != 0 &&
        setlocale(LC_ALL, call->locale))
        warn(process, role,
             "changed the locale of the program, by setlocale(), which processes do not have; "
             "uselocale() sets one's own");
}
