/* Runs programs, and makes programs of networks. */
#define _GNU_SOURCE
#include "tools/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_OUTPUT = 1 << 16 };
static const int64_t PATIENCE_NS = 120000000000; /* for one program */

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

void bench_catch_signals(void)
{
    struct sigaction action = {.sa_handler = interrupt};

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void run_child(const char *const *argv, int output, const char *log)
{
    int input = open("/dev/null", O_RDONLY);
    int errors = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (input < 0 || errors < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0)
        _exit(126);
    execvp(argv[0], (char *const *)argv);
    dal_log(DAL_LOG_ERROR, "cannot run %s: %s", argv[0], strerror(errno));
    _exit(127);
}

/* Reads until the other end is closed; what is too much is dropped. */
static int read_output(int fd, char *output)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    int64_t end = dal_now_ns() + PATIENCE_NS;
    size_t length = 0;
    char rest[512];
    ssize_t count;

    for (;;) {
        int ready = poll(&wait, 1, 1000);
        if (dal_now_ns() > end)
            return DAL_ERR_LIMIT;
        if (interrupted)
            return DAL_ERR_INTERRUPTED;
        if (ready <= 0)
            continue;
        if (length + 1 < MOST_OUTPUT)
            count = read(fd, output + length, MOST_OUTPUT - 1 - length);
        else
            count = read(fd, rest, sizeof(rest));
        if (count <= 0)
            return count < 0 ? DAL_ERR_SYSTEM : DAL_OK;
        if (length + 1 < MOST_OUTPUT)
            length += (size_t)count;
    }
}

static void show_log(const char *log)
{
    FILE *file = fopen(log, "r");
    char line[512];

    while (file && fgets(line, sizeof(line), file))
        fputs(line, stderr);
    if (file)
        fclose(file);
}

static int reap(pid_t pid, const char *name)
{
    int status;

    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return DAL_ERR_SYSTEM;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "%s ended with %s %d", name, WIFEXITED(status) ? "status" : "signal",
            WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return DAL_ERR_PROCESS;
}

int bench_execute(struct bench *bench, const char *const *argv, struct bench_run *run)
{
    char *log = dal_format("%s/log", bench->folder);
    int64_t start = dal_now_ns();
    int ends[2] = {-1, -1}, status = DAL_ERR_SYSTEM, reaped;
    pid_t pid;

    *run = (struct bench_run){0};
    if (interrupted) {
        dal_free(log);
        return DAL_ERR_INTERRUPTED;
    }
    run->output = dal_calloc(1, MOST_OUTPUT);
    if (!log || !run->output || pipe2(ends, O_CLOEXEC) || (pid = fork()) < 0) {
        dal_log(DAL_LOG_ERROR, "cannot start %s: %s", argv[0], strerror(errno));
        goto done;
    }
    if (pid == 0)
        run_child(argv, ends[1], log);
    close(ends[1]);
    ends[1] = -1;
    status = read_output(ends[0], run->output);
    if (status == DAL_ERR_LIMIT)
        dal_log(DAL_LOG_ERROR, "%s takes too long", argv[0]);
    if (status) /* dalsynth ends its compilers in order */
        kill(pid, status == DAL_ERR_INTERRUPTED ? SIGTERM : SIGKILL);
    reaped = reap(pid, argv[0]);
    status = status ? status : reaped;
    run->wall_ns = dal_now_ns() - start;
    if (status)
        show_log(log);
done:
    if (ends[0] >= 0)
        close(ends[0]);
    if (ends[1] >= 0)
        close(ends[1]);
    if (status) {
        dal_free(run->output);
        run->output = NULL;
    }
    dal_free(log);
    return status;
}

static int close_file(FILE *file, const char *name)
{
    int failed = !file || ferror(file);

    if (file && fclose(file) != 0)
        failed = 1;
    if (failed)
        dal_log(DAL_LOG_ERROR, "cannot write %s: %s", name, strerror(errno));
    return failed ? DAL_ERR_IO : DAL_OK;
}

static const char *device_type(cl_device_type type)
{
    return type == CL_DEVICE_TYPE_GPU ? "GPU" : type == CL_DEVICE_TYPE_CPU ? "RISC" : "ACC";
}

int bench_write_architecture(struct bench *bench)
{
    FILE *file;
    size_t i;

    bench->architecture = dal_format("%s/architecture.xml", bench->folder);
    if (!bench->architecture)
        return DAL_ERR_NOMEM;
    file = fopen(bench->architecture, "w");
    if (!file)
        return close_file(file, bench->architecture);
    fprintf(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<architecture name=\"bench\">\n");
    for (i = 0; i < bench->cores.count; i++)
        fprintf(file,
                "  <processor name=\"core_%zu\" type=\"RISC\" id=\"%zu\">\n"
                "    <capability name=\"POSIX\" identifier=\"%d\"/>\n  </processor>\n",
                i, i + 1, bench->cores.numbers[i]);
    for (i = 0; i < 2; i++) {
        const struct dal_ocl_info *info = bench->device[i];
        if (info)
            fprintf(file,
                    "  <processor name=\"device_%zu\" type=\"%s\" id=\"%zu\">\n"
                    "    <capability name=\"OPENCL\" identifier=\"%s\" platform=\"%s\" "
                    "memory=\"%s\"/>\n  </processor>\n",
                    i, device_type(info->type), bench->cores.count + i + 1, info->identifier,
                    info->platform, info->unified ? "unified" : "own");
    }
    fprintf(file, "</architecture>\n");
    return close_file(file, bench->architecture);
}

static void write_processors(FILE *file, const char *names)
{
    int first = (int)strcspn(names, " ");

    fprintf(file, "<processor name=\"%.*s\"/>", first, names);
    if (names[first])
        fprintf(file, "<processor name=\"%s\"/>", names + first + 1);
}

static int write_mapping(const struct bench_network *network, const char *name)
{
    FILE *file = fopen(name, "w");
    const struct bench_binding *b;

    if (!file)
        return close_file(file, name);
    fprintf(file, "<mapping name=\"bench\" processnetwork=\"%s\">\n", network->program);
    for (b = network->bindings; b->process; b++) {
        fprintf(file, "  <binding name=\"b%d\"><process name=\"%s\" sourceid=\"%d\"/>",
                (int)(b - network->bindings), b->process, b->source);
        write_processors(file, b->processor);
        if (b->copies)
            fprintf(file, "<target shadowcopies=\"%d\" workitems=\"%d\"/>", b->copies, b->items);
        fprintf(file, "</binding>\n");
    }
    if (network->kind)
        fprintf(file, "  <channel name=\"%s\" kind=\"%s\"/>\n", network->channel, network->kind);
    fprintf(file, "</mapping>\n");
    return close_file(file, name);
}

int bench_synthesise(struct bench *bench, const struct bench_network *network, char **program,
                     struct bench_run *result)
{
    const char *argv[2 * BENCH_ARGS + 8];
    char defines[BENCH_ARGS][BENCH_NAME];
    struct bench_run run = {0};
    const char *name = network->output ? network->output : network->program;
    char *output = dal_format("%s/%s", bench->folder, name);
    char *mapping = dal_format("%s/mapping.xml", bench->folder);
    char *specification = dal_format("%s/%s", bench->apps, network->specification);
    int count = 0, i, status = DAL_ERR_NOMEM;

    *program = dal_format("%s/%s", output ? output : "", network->program);
    if (!output || !mapping || !specification || !*program)
        goto done;
    status = write_mapping(network, mapping);
    if (status)
        goto done;
    argv[count++] = bench->dalsynth;
    argv[count++] = "-o";
    argv[count++] = output;
    if (network->emit_only)
        argv[count++] = "--emit-only";
    for (i = 0; i < BENCH_ARGS && network->variables[i].name; i++) {
        snprintf(defines[i], sizeof(defines[i]), "-D%s=%ld", network->variables[i].name,
                 network->variables[i].value);
        argv[count++] = defines[i];
    }
    argv[count++] = specification;
    argv[count++] = bench->architecture;
    argv[count++] = mapping;
    argv[count] = NULL;
    status = bench_execute(bench, argv, &run);
    dal_free(run.output);
    run.output = NULL;
    if (result)
        *result = run;
done:
    if (status) {
        dal_free(*program);
        *program = NULL;
    }
    dal_free(output);
    dal_free(mapping);
    dal_free(specification);
    return status;
}
