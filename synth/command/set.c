/* dal set and dal get: talk to the socket of a running program (rt/steer/steer.h), DAL_CONTROL. */
#define _GNU_SOURCE
#include "synth/command/commands.h"

#include "rt/base/alloc.h"
#include "rt/base/output.h"
#include "synth/command/options.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { PATIENCE_S = 60, MOST_ENVIRONMENT = 1 << 22 };

static int refuse_set(const struct dal_request *request, const char *what, const char *why)
{
    fprintf(stderr, "%s: error: %s: %s\n", request->said, what, why);
    return DAL_EXIT_BAD_INPUT;
}

/* ---- the socket of a program ----------------------------------------------------------------- */

/* Returns the value of DAL_CONTROL in the environment of a process, or NULL. */
static char *read_control(const char *process)
{
    static const char name[] = "DAL_CONTROL=";
    char path[64], *text = dal_calloc(1, MOST_ENVIRONMENT + 1), *found = NULL;
    size_t length = 0;
    FILE *file;
    snprintf(path, sizeof(path), "/proc/%.20s/environ", process);
    file = text ? fopen(path, "re") : NULL;
    if (file) {
        length = fread(text, 1, MOST_ENVIRONMENT, file);
        fclose(file);
    }
    for (const char *at = text; at && at < text + length && !found; at += strlen(at) + 1)
        if (strncmp(at, name, sizeof(name) - 1) == 0 && at[sizeof(name) - 1])
            found = dal_strdup(at + sizeof(name) - 1);
    dal_free(text);
    return found;
}

static int runs(const char *process, const char *program)
{
    char path[64], found[PATH_MAX + 1];
    ssize_t length;
    snprintf(path, sizeof(path), "/proc/%.20s/exe", process);
    length = readlink(path, found, sizeof(found) - 1);
    if (length < 0)
        return 0;
    found[length] = '\0';
    return strcmp(found, program) == 0;
}

/* Finds the sockets of processes that run a program. Returns their number, and the path of one. */
static int find_sockets(const char *program, char **path)
{
    DIR *folder = opendir("/proc");
    const struct dirent *entry;
    int count = 0;
    while (folder && (entry = readdir(folder))) {
        char *control = NULL;
        if (isdigit((unsigned char)entry->d_name[0]) && runs(entry->d_name, program))
            control = read_control(entry->d_name);
        if (!control)
            continue;
        count++;
        dal_free(*path);
        *path = *control == '/' ? dal_strdup(control)
                                : dal_format("/proc/%s/cwd/%s", entry->d_name, control);
        dal_free(control);
    }
    if (folder)
        closedir(folder);
    return count;
}

/* Finds the socket that the command line means. Returns 0, or the exit status. */
static int find_socket(const struct dal_request *request, char **path)
{
    const char *name = request->files.network;
    struct stat info;
    char *real;
    int count;
    *path = NULL;
    if (stat(name, &info) < 0)
        return refuse_set(request, name, strerror(errno));
    if (S_ISSOCK(info.st_mode)) {
        *path = dal_strdup(name);
        return *path ? 0 : dal_request_lost();
    }
    real = realpath(name, NULL);
    count = real ? find_sockets(real, path) : 0;
    free(real);
    if (count == 1 && *path)
        return 0;
    dal_free(*path);
    *path = NULL;
    return refuse_set(request, name,
                      count > 1
                          ? "it runs several times: name the socket of one, its DAL_CONTROL"
                          : "it is no socket, and no program that runs with DAL_CONTROL=SOCKET");
}

/* ---- question and answer --------------------------------------------------------------------- */

/* Connects. Returns a descriptor, or -1 with errno. */
static int open_socket(const char *path)
{
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd;
    if (strlen(path) >= sizeof(address.sun_path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Prints an answer up to its last line, "ok: ..." or "error: ...". Returns the exit status, or -1
 * where there is none. */
static int print_answer(const struct dal_request *request, FILE *file, int tells_all)
{
    char *line = NULL;
    size_t room = 0;
    int status = -1;
    while (status < 0 && getline(&line, &room, file) > 0) {
        if (strncmp(line, "error: ", 7) == 0) {
            fprintf(stderr, "%s: %s", request->said, line);
            status = DAL_EXIT_BAD_INPUT;
        } else if (strncmp(line, "ok: ", 4) == 0) {
            status = 0;
            if (tells_all)
                fputs(line + 4, stdout);
        } else
            fputs(line, stdout);
    }
    free(line);
    return status;
}

/* Sends a line, and prints the answer. */
static int ask(const struct dal_request *request, int fd, const char *line, int tells_all)
{
    size_t length = strlen(line);
    FILE *file = fdopen(fd, "r");
    int status = -1;
    if (!file) {
        close(fd);
        return dal_request_lost();
    }
    if (send(fd, line, length, MSG_NOSIGNAL) == (ssize_t)length)
        status = print_answer(request, file, tells_all);
    fclose(file);
    if (status < 0)
        return refuse_set(request, request->files.network, "it has not answered");
    return status || !dal_output_finish() ? status : DAL_EXIT_BAD_INPUT;
}

static int talk(const struct dal_request *request, const char *line, int tells_all)
{
    char *path;
    int fd, status = find_socket(request, &path);
    if (status)
        return status;
    fd = open_socket(path);
    status =
        fd < 0 ? refuse_set(request, path, strerror(errno)) : ask(request, fd, line, tells_all);
    dal_free(path);
    return status;
}

/* Sends what the command line has behind the program, which is one line. */
static int talk_of(const struct dal_request *request, const char *front, int tells_all)
{
    const char *text = request->files.architecture ? request->files.architecture : "";
    char *line;
    int status;
    if (strchr(text, '\n') || *text == '?')
        return refuse_set(request, "the parameter", "a name is wanted, and a value of one line");
    line = dal_format("%s%s\n", front, text);
    status = line ? talk(request, line, tells_all) : dal_request_lost();
    dal_free(line);
    return status;
}

int dal_set(struct dal_request *request)
{
    return talk_of(request, "", 1);
}

int dal_get(struct dal_request *request)
{
    return talk_of(request, "?", 0);
}
