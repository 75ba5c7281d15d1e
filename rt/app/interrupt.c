#include "rt/app/interrupt.h"

#include "rt/base/error.h"
#include "rt/base/output.h"
#include "rt/base/signals.h"
#include "rt/base/sync.h"

#include <signal.h>
#include <unistd.h>

static pid_t watched; /* the process of the network, not its children */

static struct dal_control *_Atomic interrupted;

static struct dal_controller *_Atomic interrupted_controller;

/* How far a run has come that has ended. Whoever finds it TELLS and changes it decides: the program
 * is cut short, or its files get their places. */
enum { TELLS, PLACES, HAS_TOLD, IS_CUT };
static _Atomic int stage;

/* True once there was a signal, and once there is an alarm. Two threads may handle two signals at
 * once: only one of them is the first. */
static _Atomic int was_signalled, has_alarm;

/* How long a report may take behind a signal. */
enum { REPORT_S = 2 };

static const int ending[] = {SIGINT, SIGTERM};

/* Ends the program as the signal does, without its temporary files. */
static void leave_by_signal(int number)
{
    dal_output_drop();
    signal(number, SIG_DFL);
    raise(number);
}

/* Ends the program while it writes its report: the reader may not be reading. */
static void end_report(void)
{
    int tells = TELLS;
    if (!atomic_compare_exchange_strong(&stage, &tells, IS_CUT))
        return;
    dal_log_now((const char *const[]){"interrupted while it wrote what it tells of the run", NULL});
    dal_output_drop();
    _exit(1);
}

/* Files whose places take as long do not keep the next signal from its usual effect. */
static void report_is_late(int number)
{
    (void)number;
    end_report();
    for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
        if (!dal_signal_is_ignored(ending[i]))
            signal(ending[i], leave_by_signal);
}

/* The run has ended, and is told: the first signal leaves some time for that. */
static void hurry_report(void)
{
    if (atomic_exchange(&was_signalled, 1) && atomic_load(&stage) == TELLS) {
        end_report();
        return;
    }
    if (atomic_exchange(&has_alarm, 1))
        return;
    signal(SIGALRM, report_is_late);
    alarm(REPORT_S);
}

static void interrupt(int number)
{
    struct dal_control *control = atomic_load(&interrupted);
    struct dal_controller *controller = atomic_load(&interrupted_controller);
    if (getpid() != watched) { /* of a child made by fork() */
        leave_by_signal(number);
        return;
    }
    dal_signal_note();
    if (controller && dal_controller_interrupt(controller) == 2)
        signal(number, leave_by_signal);
    if (!control && !controller) {
        if (atomic_load(&stage) != HAS_TOLD)
            hurry_report();
        else
            signal(number, leave_by_signal);
    }
    if (!control)
        return;
    if (!atomic_exchange(&was_signalled, 1) && !dal_control_stopping(control)) {
        dal_control_stop(control);
        return;
    }
    dal_control_break(control, DAL_ERR_INTERRUPTED);
    signal(number, leave_by_signal);
}

static void catch_signal(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (!dal_signal_is_ignored(number))
        sigaction(number, &action, NULL);
}

void dal_interrupt_begin(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ};
    watched = getpid();
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        catch_signal(numbers[i], leave_by_signal);
}

static void catch_signals(void)
{
    for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
        catch_signal(ending[i], interrupt);
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

static void wait_if_cut(void)
{
    while (atomic_load(&stage) == IS_CUT)
        pause();
}

void dal_interrupt_places(void)
{
    int tells = TELLS;
    atomic_compare_exchange_strong(&stage, &tells, PLACES);
    wait_if_cut();
}

void dal_interrupt_told(void)
{
    dal_interrupt_places();
    atomic_store(&stage, HAS_TOLD);
}
