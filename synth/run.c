#define _GNU_SOURCE
#include "synth/run.h"

#include "rt/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_OUTPUT = 1 << 20 };

static volatile sig_atomic_t came;
static sigset_t before; /* the signal mask while dal_run_command() waits */
static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static void note_signal(int number)
{
    came = number;
}

int dal_run_guard(void)
{
    struct sigaction action = {.sa_handler = note_signal};
    struct sigaction old;
    sigset_t held;
    size_t i;

    sigemptyset(&held);
    for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        if (sigaction(signals[i], NULL, &old))
            return DAL_ERR_SYSTEM;
        if (old.sa_handler == SIG_IGN)
            continue;
        if (sigaction(signals[i], &action, NULL))
            return DAL_ERR_SYSTEM;
        sigaddset(&held, signals[i]);
    }
    return sigprocmask(SIG_BLOCK, &held, &before) ? DAL_ERR_SYSTEM : DAL_OK;
}

int dal_run_interrupted(void)
{
    sigset_t pending;
    size_t i;

    if (came)
        return came;
    sigpending(&pending);
    for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (sigismember(&pending, signals[i]))
            return signals[i];
    return 0;
}

/* Ends, with its own children, when dalsynth is killed. */
static void run_child(const char *const *argv, int output, pid_t parent)
{
    int input = open("/dev/null", O_RDONLY);

    setpgid(0, 0);
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) || getppid() != parent)
        _exit(126);
    if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0)
        _exit(126);
    sigprocmask(SIG_SETMASK, &before, NULL);
    execvp(argv[0], (char *const *)argv);
    dal_log(DAL_LOG_ERROR, "cannot run %s: %s", argv[0], strerror(errno));
    _exit(127);
}

/* Reads until the other end is closed or a signal came. */
static int read_output(int fd, struct dal_text *output)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    char part[4096];

    for (;;) {
        ssize_t count;
        if (ppoll(&wait, 1, NULL, &before) < 0 || came) {
            if (came)
                return DAL_ERR_INTERRUPTED;
            if (errno != EINTR)
                return DAL_ERR_SYSTEM;
            continue;
        }
        count = read(fd, part, sizeof(part));
        if (count <= 0)
            return count ? DAL_ERR_SYSTEM : DAL_OK;
        if (output->length < MAX_OUTPUT)
            dal_text_add_bytes(output, part, (size_t)count);
    }
}

static int reap(const char *name, pid_t pid)
{
    int status;

    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return DAL_ERR_SYSTEM;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    dal_log(DAL_LOG_ERROR, "%s was ended by signal %d (%s)", name, WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    return DAL_ERR_SYSTEM;
}

int dal_run_command(const char *const *argv, struct dal_text *output)
{
    int ends[2], error;
    pid_t pid, parent = getpid();

    if (dal_run_interrupted())
        return DAL_ERR_INTERRUPTED;
    if (pipe2(ends, O_CLOEXEC)) {
        dal_log(DAL_LOG_ERROR, "pipe: %s", strerror(errno));
        return DAL_ERR_SYSTEM;
    }
    pid = fork();
    if (pid == 0)
        run_child(argv, ends[1], parent);
    close(ends[1]);
    if (pid < 0) {
        dal_log(DAL_LOG_ERROR, "fork: %s", strerror(errno));
        close(ends[0]);
        return DAL_ERR_SYSTEM;
    }
    setpgid(pid, pid); /* here too: whoever comes first */
    error = read_output(ends[0], output);
    close(ends[0]);
    if (!error)
        return reap(argv[0], pid);
    kill(-pid, SIGTERM);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return error;
}
