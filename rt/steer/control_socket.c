/* DAL_CONTROL: one thread takes lines from a few clients. It drops a client that does not read its
 * answers. */
#define _GNU_SOURCE
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/memory_stream.h"
#include "rt/base/sync.h"
#include "rt/base/thread.h"
#include "rt/steer/steer.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_CLIENTS = 16, LINE_BYTES = 8192, FULL_MS = 100 };

struct client {
    int file; /* -1: this place is free */
    size_t bytes;
    char line[LINE_BYTES];
};

struct dal_control_socket {
    const struct dal_network *network;
    struct sockaddr_un address;
    int listener, stop, bound, running;
    struct client clients[MOST_CLIENTS];
    pthread_t thread;
};

static void leave_client(struct client *client)
{
    close(client->file);
    client->file = -1;
}

static void say(struct client *client, int status, const char *answer)
{
    char text[600];
    int length =
        snprintf(text, sizeof(text), "%s: %s\n", status == DAL_OK ? "ok" : "error", answer);
    if (send(client->file, text, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL) != length)
        leave_client(client);
}

/* Answers "?NAME" with the values of now. */
static void answer_question(const struct dal_control_socket *control, struct client *client)
{
    struct dal_memory_stream stream;
    char *text;
    dal_memory_open(&stream);
    if (stream.file)
        dal__steer_print(control->network, client->line + 1, stream.file);
    text = dal_memory_close(&stream);
    if (!text)
        say(client, DAL_ERR_NOMEM, dal_strerror(DAL_ERR_NOMEM));
    else if (send(client->file, text, stream.bytes, MSG_DONTWAIT | MSG_NOSIGNAL) !=
             (ssize_t)stream.bytes)
        leave_client(client);
    free(text);
}

static void answer_line(const struct dal_control_socket *control, struct client *client,
                        size_t length)
{
    char answer[512] = "the line has a zero byte";
    int status = DAL_ERR_INVALID;
    if (strlen(client->line) == length && client->line[0] == '?') {
        answer_question(control, client);
        return;
    }
    if (strlen(client->line) == length)
        status = dal__steer_line(control->network, client->line, answer, sizeof(answer));
    say(client, status, answer);
}

/* Takes every whole line that has arrived. A client whose line is too long is dropped. */
static void take_lines(const struct dal_control_socket *control, struct client *client)
{
    char *end;
    while (client->file >= 0 && (end = memchr(client->line, '\n', client->bytes))) {
        size_t used = (size_t)(end + 1 - client->line);
        *end = 0;
        answer_line(control, client, used - 1);
        client->bytes -= used;
        memmove(client->line, client->line + used, client->bytes);
    }
    if (client->file < 0 || client->bytes < sizeof(client->line))
        return;
    say(client, DAL_ERR_INVALID, "the line is too long");
    if (client->file >= 0)
        leave_client(client);
}

static void hear_client(const struct dal_control_socket *control, struct client *client)
{
    ssize_t got = recv(client->file, client->line + client->bytes,
                       sizeof(client->line) - client->bytes, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        leave_client(client);
        return;
    }
    client->bytes += (size_t)got;
    take_lines(control, client);
}

/* Accepts a client. Returns whether there are too many open files for it; the client then waits. */
static int let_client_in(struct dal_control_socket *control)
{
    int i = 0, file = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC);
    if (file < 0)
        return errno != EAGAIN && errno != EINTR && errno != ECONNABORTED;
    while (i < MOST_CLIENTS && control->clients[i].file >= 0)
        i++;
    if (i == MOST_CLIENTS) {
        close(file);
    } else {
        control->clients[i].file = file;
        control->clients[i].bytes = 0;
    }
    return 0;
}

/* Waits for the clients that there are: the system refuses a longer list than files may be open.
 * Returns whether the thread is to stop. */
static int hear_clients(struct dal_control_socket *control, int *full)
{
    struct pollfd files[MOST_CLIENTS + 2] = {
        {.fd = control->stop, .events = POLLIN},
        {.fd = *full ? -1 : control->listener, .events = POLLIN}};
    struct client *heard[MOST_CLIENTS];
    nfds_t count = 0;
    for (int i = 0; i < MOST_CLIENTS; i++) {
        if (control->clients[i].file < 0)
            continue;
        heard[count] = &control->clients[i];
        files[2 + count++] = (struct pollfd){.fd = control->clients[i].file, .events = POLLIN};
    }
    poll(files, 2 + count, *full ? FULL_MS : -1);
    for (nfds_t i = 0; i < count && !files[0].revents; i++)
        if (files[2 + i].revents)
            hear_client(control, heard[i]);
    *full = files[1].revents && let_client_in(control);
    return files[0].revents != 0;
}

static void *serve_lines(void *argument)
{
    struct dal_control_socket *control = argument;
    int full = 0;
    dal_thread_begin();
    while (!hear_clients(control, &full))
        ;
    return NULL;
}

/* Removes a socket that an earlier program left and nobody listens at. */
static void remove_stale(const struct sockaddr_un *address)
{
    struct stat status;
    int file;
    if (lstat(address->sun_path, &status) < 0 || !S_ISSOCK(status.st_mode))
        return;
    file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file >= 0 && connect(file, (const struct sockaddr *)address, sizeof(*address)) < 0 &&
        errno == ECONNREFUSED)
        unlink(address->sun_path);
    if (file >= 0)
        close(file);
}

/* Binds the socket, for its owner alone. Returns 0, or -1 with errno. */
static int bind_socket(struct dal_control_socket *control, const char *path)
{
    if (strlen(path) >= sizeof(control->address.sun_path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    control->address.sun_family = AF_UNIX;
    memcpy(control->address.sun_path, path, strlen(path) + 1);
    remove_stale(&control->address);
    control->stop = eventfd(0, EFD_CLOEXEC);
    control->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (control->stop < 0 || control->listener < 0 || fchmod(control->listener, 0600) < 0)
        return -1;
    control->bound = bind(control->listener, (const struct sockaddr *)&control->address,
                          sizeof(control->address)) == 0;
    return control->bound ? listen(control->listener, MOST_CLIENTS) : -1;
}

int dal__control_socket_open(struct dal_control_socket **opened, const struct dal_network *network,
                             const char *path)
{
    struct dal_control_socket *control = dal_calloc(1, sizeof(*control));
    *opened = NULL;
    if (!control)
        return dal_no_memory();
    control->network = network;
    control->listener = control->stop = -1;
    for (int i = 0; i < MOST_CLIENTS; i++)
        control->clients[i].file = -1;
    if (bind_socket(control, path) == 0) {
        errno = pthread_create(&control->thread, NULL, serve_lines, control);
        control->running = errno == 0;
    }
    if (control->running) {
        *opened = control;
        return DAL_OK;
    }
    dal_log(DAL_LOG_ERROR, "DAL_CONTROL=%s: %s", path, strerror(errno));
    dal__control_socket_close(control);
    return DAL_ERR_IO;
}

void dal__control_socket_close(struct dal_control_socket *control)
{
    if (!control)
        return;
    if (control->running) {
        eventfd_write(control->stop, 1);
        pthread_join(control->thread, NULL);
    }
    if (control->bound)
        unlink(control->address.sun_path);
    for (int i = 0; i < MOST_CLIENTS; i++)
        if (control->clients[i].file >= 0)
            close(control->clients[i].file);
    if (control->listener >= 0)
        close(control->listener);
    if (control->stop >= 0)
        close(control->stop);
    dal_free(control);
}
