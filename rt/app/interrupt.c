#include "rt/app/interrupt.h"

#include "rt/base/error.h"
#include "rt/base/output.h"
#include "rt/base/signals.h"
#include "rt/base/sync.h"

#include <signal.h>
#include <unistd.h>

static struct dal_control *_Atomic interrupted;

static struct dal_controller *_Atomic interrupted_controller;

/* True once all has been told of the run. What is left is to give back what the program has. */
static _Atomic int has_told;

/* True once there was a signal. Two threads may handle two signals at once: only one of them is the
 * first. */
static _Atomic int was_signalled;

/* How long a report may take behind a signal. */
enum { REPORT_S = 2 };

/* Ends the program while it writes its report: the reader may not be reading. */
static void end_report(void)
{
    if (atomic_load(&has_told))
        return;
    dal_log_now((const char *const[]){"interrupted while it wrote what it tells of the run", NULL});
    dal_output_drop();
    _exit(1);
}

static void report_is_late(int number)
{
    (void)number;
    end_report();
}

/* The run has ended, and is told: the first signal leaves some time for that. */
static void hurry_report(void)
{
    if (atomic_exchange(&was_signalled, 1)) {
        end_report();
        return;
    }
    signal(SIGALRM, report_is_late);
    alarm(REPORT_S);
}

static void interrupt(int number)
{
    struct dal_control *control = atomic_load(&interrupted);
    struct dal_controller *controller = atomic_load(&interrupted_controller);
    dal_signal_note();
    if (controller && dal_controller_interrupt(controller) == 2)
        signal(number, SIG_DFL);
    if (!control && !controller) {
        if (!atomic_load(&has_told))
            hurry_report();
        else
            signal(number, SIG_DFL);
    }
    if (!control)
        return;
    if (!atomic_exchange(&was_signalled, 1) && !dal_control_stopping(control)) {
        dal_control_stop(control);
        return;
    }
    dal_control_break(control, DAL_ERR_INTERRUPTED);
    signal(number, SIG_DFL);
}

static const int ending[] = {SIGINT, SIGTERM};

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
        if (!dal_signal_is_ignored(ending[i]))
            sigaction(ending[i], &action, NULL);
}

void dal_interrupt_control(struct dal_control *control)
{
    atomic_store(&interrupted, control);
    if (control)
        catch_signals();
}

void dal_interrupt_controller(struct dal_controller *controller)
{
    atomic_store(&interrupted_controller, controller);
    if (controller)
        catch_signals();
}

void dal_interrupt_told(void)
{
    atomic_store(&has_told, 1);
}
