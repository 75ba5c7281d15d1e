#define _GNU_SOURCE
#include "rt/base/child.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/sync.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { USUAL_OUTPUT = 1 << 20 };
/* Time that a program may take to clean up, and time between two looks at it. */
static const int64_t grace_ns = 5 * INT64_C(1000000000), look_ns = 10 * 1000 * 1000;

/* The output read so far; there is room for one byte more, a zero at the end. */
struct output {
    char *data;
    size_t length, room, most;
};

static volatile sig_atomic_t came;
static sigset_t before;  /* the signal mask while dal_child_run() waits */
static int ends_by_pipe; /* what SIGPIPE did before dal_child_guard() */
static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static void note_signal(int number)
{
    came = number;
}

int dal_child_is_there(const char *name)
{
    const char *path = getenv("PATH"), *at = path ? path : "/usr/bin:/bin";
    int found = 0;
    if (strchr(name, '/'))
        return access(name, X_OK) == 0;
    while (!found) {
        size_t length = strcspn(at, ":");
        char *file = dal_format("%.*s/%s", (int)length, length ? at : ".", name);
        found = file ? access(file, X_OK) == 0 : -1;
        dal_free(file);
        if (!at[length])
            break;
        at += length + 1;
    }
    return found;
}

int dal_child_guard(void)
{
    struct sigaction action = {.sa_handler = note_signal};
    struct sigaction old;
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        if (sigaction(signals[i], NULL, &old))
            return DAL_ERR_SYSTEM;
        if (old.sa_handler == SIG_IGN)
            continue;
        if (sigaction(signals[i], &action, NULL))
            return DAL_ERR_SYSTEM;
        sigaddset(&held, signals[i]);
    }
    if (signal(SIGCHLD, SIG_DFL) == SIG_ERR) /* if it were ignored, no child could be reaped */
        return DAL_ERR_SYSTEM;
    ends_by_pipe = signal(SIGPIPE, SIG_IGN) == SIG_DFL;
    return sigprocmask(SIG_BLOCK, &held, &before) ? DAL_ERR_SYSTEM : DAL_OK;
}

int dal_child_interrupted(void)
{
    sigset_t pending;
    if (came)
        return came;
    sigpending(&pending);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (sigismember(&pending, signals[i]))
            return signals[i];
    return 0;
}

void dal_child_forget(void)
{
    struct timespec now = {0};
    sigset_t all;
    sigemptyset(&all);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        sigaddset(&all, signals[i]);
    while (sigtimedwait(&all, NULL, &now) > 0)
        ;
    came = 0;
}

void dal_child_release(void)
{
    struct sigaction action;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler == note_signal)
            signal(signals[i], SIG_DFL);
    if (ends_by_pipe)
        signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* In the child: a shell may have started this program with SIGINT ignored, or held back. */
static void hear_interrupt(void)
{
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    signal(SIGINT, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &interrupt, NULL);
}

/* Runs the program, in the child. It ends, with its own children, when the program that started it
 * is killed. */
static void run_program(const struct dal_child *child, int output, pid_t parent)
{
    int input = open("/dev/null", O_RDONLY), errors = output;
    setpgid(0, 0);
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) || getppid() != parent)
        _exit(126);
    if (child->errors)
        errors = open(child->errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (input < 0 || errors < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0)
        _exit(126);
    if (child->folder && chdir(child->folder))
        _exit(126);
    if (child->temporary && setenv("TMPDIR", child->temporary, 1))
        _exit(126);
    dal_child_release();
    if (child->ask_ns)
        hear_interrupt();
    if (child->function)
        _exit(child->function(child->data));
    execvp(child->argv[0], (char *const *)child->argv);
    dal_log(DAL_LOG_ERROR, "cannot run %s: %s", child->argv[0], strerror(errno));
    _exit(127);
}

/* Logs that waiting for a program failed, with errno's reason. */
static int complain(const char *name)
{
    dal_log(DAL_LOG_ERROR, "cannot wait for %s: %s", name, strerror(errno));
    return DAL_ERR_SYSTEM;
}

/* Waits until there is something to read. */
static int wait_readable(const struct dal_started *started, int64_t deadline_ns)
{
    struct pollfd wait = {.fd = started->output, .events = POLLIN};
    for (;;) {
        int64_t left = deadline_ns - dal_now_ns();
        struct timespec limit = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
        int ready;
        if (left <= 0)
            return DAL_ERR_LIMIT;
        ready = ppoll(&wait, 1, &limit, &before);
        if (came)
            return DAL_ERR_INTERRUPTED;
        if (ready > 0)
            return DAL_OK;
        if (ready < 0 && errno != EINTR)
            return complain(started->child->argv[0]);
    }
}

/* Waits until there is something to read, and asks the program to end when that is due. It has not
 * been reaped, so its process number is still its own.
 */
static int wait_asking(struct dal_started *started)
{
    int status;
    if (started->ask_ns && started->ask_ns < started->deadline_ns) {
        status = wait_readable(started, started->ask_ns);
        if (status != DAL_ERR_LIMIT)
            return status;
        kill(-started->pid, SIGINT);
        started->ask_ns = 0;
    }
    return wait_readable(started, started->deadline_ns);
}

/* Appends to the kept output. Bytes above the limit are dropped. */
static int keep_output(struct output *output, const char *part, size_t count)
{
    if (count > output->most - output->length)
        count = output->most - output->length;
    while (output->room < output->length + count + 1)
        if (dal_grow(&output->data, output->room, &output->room, 1))
            return DAL_ERR_NOMEM;
    memcpy(output->data + output->length, part, count);
    output->length += count;
    output->data[output->length] = '\0';
    return DAL_OK;
}

/* Reads until the other end is closed. */
static int read_output(struct dal_started *started, struct output *output)
{
    int error = keep_output(output, "", 0);
    while (!error) {
        char part[4096];
        ssize_t count;
        error = wait_asking(started);
        if (error)
            break;
        count = read(started->output, part, sizeof(part));
        if (count <= 0)
            return count ? complain(started->child->argv[0]) : DAL_OK;
        error = keep_output(output, part, (size_t)count);
    }
    return error;
}

void dal_child_tell_signal(const char *name, int number)
{
    dal_log(DAL_LOG_ERROR, "%s was ended by signal %d (%s)", name, number, strsignal(number));
}

static int reap_child(const struct dal_child *child, pid_t pid)
{
    const char *name = child->argv[0];
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return complain(name);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    if (child->tells_signal)
        return DAL_CHILD_SIGNAL + WTERMSIG(status);
    dal_child_tell_signal(name, WTERMSIG(status));
    return DAL_ERR_SYSTEM;
}

/* Starts the program. Returns the end to read its output from, or DAL_ERR_SYSTEM. */
static int start_child(const struct dal_child *child, pid_t *pid)
{
    pid_t parent = getpid();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) {
        dal_log(DAL_LOG_ERROR, "pipe: %s", strerror(errno));
        return DAL_ERR_SYSTEM;
    }
    *pid = fork();
    if (*pid == 0)
        run_program(child, ends[1], parent);
    close(ends[1]);
    if (*pid < 0) {
        dal_log(DAL_LOG_ERROR, "fork: %s", strerror(errno));
        close(ends[0]);
        return DAL_ERR_SYSTEM;
    }
    setpgid(*pid, *pid); /* both parent and child do this, since either may come first */
    return ends[0];
}

/* Waits until the program has ended, for the grace time at most. Returns 1 if it has been
 * reaped. */
static int has_cleaned_up(pid_t pid)
{
    const struct timespec pause = {.tv_nsec = look_ns};
    int64_t deadline_ns = dal_now_ns() + grace_ns;
    while (dal_now_ns() < deadline_ns) {
        if (waitpid(pid, NULL, WNOHANG) == pid)
            return 1;
        nanosleep(&pause, NULL);
    }
    return 0;
}

static void end_child(const struct dal_started *started, int error)
{
    const char *name = started->child->argv[0];
    pid_t pid = started->pid;
    if (error == DAL_ERR_LIMIT)
        dal_log(DAL_LOG_ERROR, "%s %s", name,
                started->child->ask_ns ? "did not end when it was asked to (SIGINT)"
                                       : "takes too long");
    if (error == DAL_ERR_INTERRUPTED) {
        kill(-pid, SIGTERM);
        if (has_cleaned_up(pid))
            return;
        dal_log(DAL_LOG_ERROR, "%s does not end when it is told to", name);
    }
    kill(-pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

int dal_child_start(const struct dal_child *child, struct dal_started *started)
{
    *started = (struct dal_started){.child = child, .output = -1};
    if (dal_child_interrupted())
        return DAL_ERR_INTERRUPTED;
    started->deadline_ns = child->limit_ns ? dal_now_ns() + child->limit_ns : INT64_MAX;
    started->ask_ns = child->ask_ns ? dal_now_ns() + child->ask_ns : 0;
    started->output = start_child(child, &started->pid);
    return started->output < 0 ? started->output : DAL_OK;
}

int dal_child_finish(struct dal_started *started, char **output)
{
    const struct dal_child *child = started->child;
    struct output kept = {.most = child->most ? child->most : USUAL_OUTPUT};
    int status = read_output(started, &kept);
    *output = NULL;
    close(started->output);
    if (status)
        end_child(started, status);
    else
        status = reap_child(child, started->pid);
    if (status < 0)
        dal_free(kept.data);
    else
        *output = kept.data;
    return status;
}

int dal_child_run(const struct dal_child *child, char **output)
{
    struct dal_started started;
    int error = dal_child_start(child, &started);
    *output = NULL;
    return error ? error : dal_child_finish(&started, output);
}
