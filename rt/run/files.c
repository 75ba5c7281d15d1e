#include "rt/run/files.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "rt/run/taps.h"
#include "rt/streams/stream.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_written(const struct dal_process_desc *port)
{
    return !port->ports[0].output;
}

/* Where a port's file is, or will be. */
struct whereabouts {
    struct stat info, folder;
    int is_there, has_folder; /* these two are known */
    char path[PATH_MAX];      /* behind all links, as far as they lead */
    const char *last;         /* its last part */
};

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Follows links whose end is not there, one behind the other. Returns 0 where a name is too long.
 */
static int follow_links(char *path)
{
    enum { MOST_LINKS = 40 };
    char link[PATH_MAX], next[2 * PATH_MAX];
    ssize_t length;
    for (int i = 0; i < MOST_LINKS && (length = readlink(path, link, sizeof(link) - 1)) > 0; i++) {
        link[length] = '\0';
        snprintf(next, sizeof(next), "%.*s%s", *link == '/' ? 0 : (int)folder_length(path), path,
                 link);
        if (strlen(next) >= PATH_MAX)
            return 0;
        strcpy(path, next);
    }
    return 1;
}

static void find_folder(struct whereabouts *found, const char *file)
{
    char folder[PATH_MAX + 2];
    size_t length = dal_stream_name_length(file);
    if (length >= PATH_MAX)
        return;
    snprintf(folder, sizeof(folder), "%.*s", (int)length, file);
    found->is_there = stat(folder, &found->info) == 0;
    if (!realpath(folder, found->path)) {
        strcpy(found->path, folder);
        if (!follow_links(found->path))
            return;
    }
    length = folder_length(found->path);
    found->last = found->path + length;
    snprintf(folder, sizeof(folder), "%.*s.", (int)length, found->path);
    found->has_folder = stat(folder, &found->folder) == 0;
}

static void find_file(const struct dal_files *files, int port, struct whereabouts *found)
{
    int writes = is_written(&files->net->processes[port]);
    *found = (struct whereabouts){0};
    if (strcmp(files->names[port], "-") == 0)
        found->is_there = fstat(writes ? STDOUT_FILENO : STDIN_FILENO, &found->info) == 0;
    else
        find_folder(found, files->names[port]);
}

static int is_one_file(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Do both have one name in one folder, or is one what the other is first written to? */
static int is_one_name(const struct whereabouts *one, const struct whereabouts *other)
{
    return one->has_folder && other->has_folder && is_one_file(&one->folder, &other->folder) &&
           (strcmp(one->last, other->last) == 0 ||
            dal_output_is_temporary(one->last, other->last) ||
            dal_output_is_temporary(other->last, one->last));
}

/* Two ports cannot write the same file, or share a pipe or a standard stream. Devices may be
 * shared. */
static int is_shared(const struct dal_files *files, int a, int b)
{
    const struct dal_process_desc *processes = files->net->processes;
    int is_alike = is_written(&processes[a]) == is_written(&processes[b]);
    int both_write = is_alike && is_written(&processes[a]);
    struct whereabouts one, other;
    if (is_alike && strcmp(files->names[a], "-") == 0 && strcmp(files->names[b], "-") == 0)
        return 1;
    find_file(files, a, &one);
    find_file(files, b, &other);
    if (one.is_there && other.is_there && is_one_file(&one.info, &other.info))
        return S_ISFIFO(one.info.st_mode) || (S_ISREG(one.info.st_mode) && both_write);
    return both_write && is_one_name(&one, &other);
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
    if (files->names[port] && *files->names[port])
        return check_shared(files, port);
    if (may_lack && !files->names[port])
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
