#include "rt/run/files.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/run/taps.h"
#include "rt/streams/stream.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_written(const struct dal_process_desc *port)
{
    return !port->ports[0].output;
}

static int find_file(const struct dal_files *files, int port, struct stat *info)
{
    int writes = is_written(&files->net->processes[port]);
    return strcmp(files->names[port], "-") == 0
               ? fstat(writes ? STDOUT_FILENO : STDIN_FILENO, info) == 0
               : stat(files->names[port], info) == 0;
}

/* Two ports cannot write the same file, or share a pipe or a standard stream. */
static int is_shared(const struct dal_files *files, int a, int b)
{
    const struct dal_process_desc *processes = files->net->processes;
    const char *file = files->names[a];
    int writes = is_written(&processes[a]), is_alike = writes == is_written(&processes[b]);
    struct stat one, other;
    if (is_alike && strcmp(file, files->names[b]) == 0 &&
        (strcmp(file, "-") == 0 || (writes && strncmp(file, "/dev/", 5) != 0)))
        return 1;
    return find_file(files, a, &one) && find_file(files, b, &other) && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino &&
           (S_ISFIFO(one.st_mode) || (S_ISREG(one.st_mode) && writes && is_alike));
}

static int check_shared(const struct dal_files *files, int port)
{
    const struct dal_process_desc *processes = files->net->processes;
    const char *file = files->names[port];
    int writes = is_written(&processes[port]);
    for (int i = 0; i < port; i++)
        if (files->names[i] && is_shared(files, i, port)) {
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

static int check_file(const struct dal_files *files, int port, int may_lack)
{
    const char *name = files->net->processes[port].name;
    int writes = is_written(&files->net->processes[port]);
    if (files->names[port])
        return check_shared(files, port);
    if (may_lack)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "port %s: --%s=FILE must say what it %s; - is standard %s", name, name,
            writes ? "writes" : "reads", writes ? "output" : "input");
    return DAL_ERR_INVALID;
}

int dal__files_open(struct dal_files *files, const char *const *names, int may_lack)
{
    const struct dal_net *net = files->net;
    int status = DAL_OK;
    files->names = names;
    files->streams = dal_calloc((size_t)net->process_count + 1, sizeof(*files->streams));
    if (!files->streams)
        return dal_no_memory();
    for (int i = 0; i < net->process_count && status == DAL_OK; i++)
        if (dal_process_is_port(&net->processes[i]))
            status = check_file(files, i, may_lack);
    for (int i = 0; i < net->process_count && status == DAL_OK; i++)
        if (net->processes[i].open && net->processes[i].open->tap)
            status = dal__tap_open(files, i);
        else if (net->processes[i].open && names[i])
            status =
                dal_stream_open(&files->streams[i], net->processes[i].name,
                                is_written(&net->processes[i]), names[i], net->processes[i].open);
    return status;
}

int dal__files_close(struct dal_files *files, int whole)
{
    int status = DAL_OK;
    for (int i = 0; files->streams && i < files->net->process_count; i++)
        if (dal_stream_close(files->streams[i], whole && status == DAL_OK) < 0)
            status = DAL_ERR_IO;
    dal_free(files->streams);
    files->streams = NULL;
    return status;
}
