#include "rt/app/outside.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/streams/stream.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t count_options(const struct option *options)
{
    size_t count = 0;
    while (options[count].name)
        count++;
    return count;
}

static int add_option(struct dal_outside *outside, size_t *count, int process)
{
    const char *name = outside->net->processes[process].name;
    for (size_t i = 0; i < *count; i++)
        if (strcmp(outside->options[i].name, name) == 0) {
            dal_log(DAL_LOG_ERROR,
                    "port %s: the program has an option of this name; give the port another one",
                    name);
            return DAL_ERR_UNSUPPORTED;
        }
    outside->options[(*count)++] =
        (struct option){name, required_argument, NULL, DAL_OUTSIDE_FIRST + process};
    return DAL_OK;
}

int dal_outside_begin(struct dal_outside *outside, const struct dal_net *net,
                      const struct option *options)
{
    size_t count = count_options(options), processes = net ? (size_t)net->process_count : 0;
    int status = DAL_OK;
    *outside = (struct dal_outside){.net = net};
    outside->options = dal_calloc(count + processes + 1, sizeof(*options));
    outside->files = dal_calloc(processes + 1, sizeof(*outside->files));
    outside->streams = dal_calloc(processes + 1, sizeof(*outside->streams));
    if (!outside->options || !outside->files || !outside->streams)
        return dal_no_memory();
    memcpy(outside->options, options, count * sizeof(*options));
    for (size_t i = 0; i < processes && status == DAL_OK; i++)
        if (net->processes[i].open)
            status = add_option(outside, &count, (int)i);
    return status;
}

void dal_outside_finish(struct dal_outside *outside)
{
    dal_outside_close(outside, 0);
    dal_free(outside->options);
    dal_free(outside->files);
    dal_free(outside->streams);
}

static int is_written(const struct dal_process_desc *port)
{
    return !port->ports[0].output;
}

void dal_outside_print(const struct dal_net *net)
{
    int any = 0;
    for (int i = 0; i < net->process_count; i++) {
        const struct dal_open_desc *open = net->processes[i].open;
        if (!open)
            continue;
        printf("%s  --%s=FILE  %s", any++ ? "" : "\nPorts (FILE may be -, x.npy, x.wav, raw):\n",
               net->processes[i].name, is_written(&net->processes[i]) ? "writes" : "reads");
        if (open->type && open->count > 1)
            printf(" %s[%" PRIu64 "]", open->type, open->count);
        else if (open->type)
            printf(" %s", open->type);
        printf(" tokens of %" PRIu64 " byte%s\n", open->token_bytes,
               open->token_bytes == 1 ? "" : "s");
    }
}

static int find_file(const struct dal_outside *outside, int port, struct stat *info)
{
    int writes = is_written(&outside->net->processes[port]);
    return strcmp(outside->files[port], "-") == 0
               ? fstat(writes ? STDOUT_FILENO : STDIN_FILENO, info) == 0
               : stat(outside->files[port], info) == 0;
}

/* Two ports cannot write the same file, or share a pipe or a standard stream. */
static int is_shared(const struct dal_outside *outside, int a, int b)
{
    const struct dal_process_desc *processes = outside->net->processes;
    const char *file = outside->files[a];
    int writes = is_written(&processes[a]), is_alike = writes == is_written(&processes[b]);
    struct stat one, other;
    if (is_alike && strcmp(file, outside->files[b]) == 0 &&
        (strcmp(file, "-") == 0 || (writes && strncmp(file, "/dev/", 5) != 0)))
        return 1;
    return find_file(outside, a, &one) && find_file(outside, b, &other) &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino &&
           (S_ISFIFO(one.st_mode) || (S_ISREG(one.st_mode) && writes && is_alike));
}

static int check_shared(const struct dal_outside *outside, int port)
{
    const struct dal_process_desc *processes = outside->net->processes;
    const char *file = outside->files[port];
    int writes = is_written(&processes[port]);
    for (int i = 0; i < port; i++)
        if (outside->files[i] && is_shared(outside, i, port)) {
            dal_log(DAL_LOG_ERROR, "ports %s and %s %s %s", processes[i].name, processes[port].name,
                    is_written(&processes[i]) != writes ? "share the pipe"
                    : writes                            ? "both write"
                                                        : "both read",
                    strcmp(file, "-") != 0 ? file
                    : writes               ? "standard output"
                                           : "standard input");
            return DAL_ERR_INVALID;
        }
    return DAL_OK;
}

static int check_file(const struct dal_outside *outside, int port)
{
    const char *name = outside->net->processes[port].name;
    if (outside->files[port])
        return check_shared(outside, port);
    dal_log(DAL_LOG_ERROR, "port %s: --%s=FILE must say what it %s; - is standard %s", name, name,
            is_written(&outside->net->processes[port]) ? "writes" : "reads",
            is_written(&outside->net->processes[port]) ? "output" : "input");
    return DAL_ERR_INVALID;
}

static int open_one(struct dal_outside *outside, int port)
{
    const struct dal_process_desc *desc = &outside->net->processes[port];
    signal(SIGPIPE, SIG_IGN);
    return dal_stream_open(&outside->streams[port], desc->name, is_written(desc),
                           outside->files[port], desc->open);
}

int dal_outside_open(struct dal_outside *outside)
{
    int count = outside->net ? outside->net->process_count : 0, status = DAL_OK;
    for (int i = 0; i < count && status == DAL_OK; i++)
        if (outside->net->processes[i].open)
            status = check_file(outside, i);
    for (int i = 0; i < count && status == DAL_OK; i++)
        if (outside->net->processes[i].open)
            status = open_one(outside, i);
    return status;
}

int dal_outside_close(struct dal_outside *outside, int whole)
{
    int count = outside->net && outside->streams ? outside->net->process_count : 0, status = DAL_OK;
    for (int i = 0; i < count; i++) {
        if (dal_stream_close(outside->streams[i], whole && status == DAL_OK) < 0)
            status = DAL_ERR_IO;
        outside->streams[i] = NULL;
    }
    return status;
}
