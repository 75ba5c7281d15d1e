/*
 * The server of a running network's page: libdal-live, the one part that calls libmicrohttpd.
 *
 * One thread serves all clients. While anybody wants the numbers, it takes them ten times a second,
 * or less often to use at most a hundredth of a core. All clients share one text for the numbers of
 * a moment. A client gets the next one once it has taken the last. So a slow client skips some, and
 * none makes others wait.
 */
#define _GNU_SOURCE
#include "rt/base/memory_stream.h"
#include "rt/live/answers.h"
#include "view/page/page.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK_MS = 100,
    SLOWEST_MS = 1000,     /* between two ticks, if the numbers are much work */
    REST = 100,            /* the server works for at most one part of so many */
    LAST_MS = 300,         /* for clients to take the last numbers */
    SEND_BYTES = 64 << 10, /* bytes that the system keeps until a client takes them */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * (int64_t)1000 + now.tv_nsec / 1000000;
}

/* ---- who may ask ----------------------------------------------------------------------------- */

/* Returns whether a host is "localhost", or an address as in "ADDRESS:PORT" or "[ADDRESS]:PORT".
 * Any other name may lead here from anywhere (DNS rebinding), so it is refused. */
static int is_ours(const struct dal_live *live, const char *host)
{
    char name[INET6_ADDRSTRLEN] = "";
    int six = *host == '[';
    size_t length = strcspn(host + six, six ? "]" : ":");
    struct in_addr four;
    struct in6_addr address;
    if (length >= sizeof(name) || (six && host[1 + length] != ']'))
        return 0;
    memcpy(name, host + six, length);
    if (six)
        return inet_pton(AF_INET6, name, &address) == 1 &&
               (!live->is_local || IN6_IS_ADDR_LOOPBACK(&address));
    if (strcmp(name, "localhost") == 0)
        return 1;
    return inet_pton(AF_INET, name, &four) == 1 &&
           (!live->is_local || ntohl(four.s_addr) >> 24 == 127);
}

/* Returns whether a request comes from this origin. Pages of other origins name theirs. */
static int is_same_origin(const char *origin, const char *host)
{
    static const char scheme[] = "http://";
    return !origin || (strncmp(origin, scheme, sizeof(scheme) - 1) == 0 &&
                       strcmp(origin + sizeof(scheme) - 1, host) == 0);
}

/* Compares the token in a time that tells nothing of it. */
static int has_token(const struct dal_live *live, const char *token)
{
    unsigned char differ = 0;
    if (!token || strlen(token) != DAL_LIVE_TOKEN_BYTES - 1)
        return 0;
    for (size_t i = 0; i < DAL_LIVE_TOKEN_BYTES; i++)
        differ |= (unsigned char)(token[i] ^ live->options.token[i]);
    return differ == 0;
}

/* Returns why a request is refused, or NULL. */
static const char *find_fault(const struct dal_live *live, struct MHD_Connection *connection)
{
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    const char *origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");
    const char *token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token");
    if (!host || !is_ours(live, host))
        return "this server has no such name\n";
    if (!is_same_origin(origin, host))
        return "other origins are not served\n";
    if (!has_token(live, token))
        return "the token is missing or wrong; the program has printed the whole address\n";
    return NULL;
}

/* ---- requests -------------------------------------------------------------------------------- */

/* The value that a request carries. */
struct request {
    size_t bytes;
    char value[DAL_LIVE_VALUE_BYTES];
};

static enum MHD_Result set_parameter(struct dal_live *live, struct MHD_Connection *connection,
                                     const struct request *request)
{
    char answer[DAL_LIVE_ANSWER_BYTES] = "";
    const char *process = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "process");
    const char *parameter =
        MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "parameter");
    if (!process || !parameter)
        return dal__live_say(connection, MHD_HTTP_BAD_REQUEST,
                             "process and parameter are wanted\n");
    if (request->bytes >= sizeof(request->value) || strlen(request->value) != request->bytes)
        return dal__live_say(connection, MHD_HTTP_BAD_REQUEST,
                             "the value is too long, or no text\n");
    if (live->source->set(live->source->of, process, parameter, request->value, answer) < 0)
        return dal__live_say(connection, MHD_HTTP_BAD_REQUEST, answer);
    return dal__live_say(connection, MHD_HTTP_OK, answer);
}

/* Takes a piece of a posted value. It is called once more after the last piece. */
static enum MHD_Result take_post(struct dal_live *live, struct MHD_Connection *connection,
                                 const char *data, size_t *bytes, void **state)
{
    struct request *request = *state;
    if (!request) {
        *state = calloc(1, sizeof(*request));
        return *state ? MHD_YES : MHD_NO;
    }
    if (*bytes == 0)
        return set_parameter(live, connection, request);
    if (request->bytes + *bytes < sizeof(request->value))
        memcpy(request->value + request->bytes, data, *bytes);
    request->bytes += *bytes < sizeof(request->value) ? *bytes : sizeof(request->value);
    *bytes = 0;
    return MHD_YES;
}

static void forget_request(void *of, struct MHD_Connection *connection, void **state,
                           enum MHD_RequestTerminationCode how)
{
    (void)of;
    (void)connection;
    (void)how;
    free(*state);
    *state = NULL;
}

/* ---- strangers ------------------------------------------------------------------------------- */

static void forget_stranger(struct dal_live *live, const struct stranger *stranger)
{
    struct stranger **at = &live->strangers;
    while (*at && *at != stranger)
        at = &(*at)->next;
    if (*at)
        *at = stranger->next;
}

/* Notes the begin and the end of every connection. Without memory it drops the connection. */
static void watch_connection(void *of, struct MHD_Connection *connection, void **state,
                             enum MHD_ConnectionNotificationCode what)
{
    struct dal_live *live = of;
    struct stranger *stranger = *state;
    int file = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (stranger)
            forget_stranger(live, stranger);
        free(stranger);
        return;
    }
    *state = stranger = calloc(1, sizeof(*stranger));
    if (!stranger) {
        shutdown(file, SHUT_RDWR);
        return;
    }
    *stranger = (struct stranger){file, now_ms(), live->strangers};
    live->strangers = stranger;
}

/* Lets a connection stay, since it has the token. */
static void welcome(struct dal_live *live, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (info && info->socket_context)
        forget_stranger(live, info->socket_context);
}

/* Drops connections that have not shown the token in time. Otherwise a client that sends a byte now
 * and then would keep a place for ever. */
static void leave_strangers(const struct dal_live *live)
{
    int64_t until_ms = now_ms() - 1000 * (int64_t)live->options.patience_s;
    const struct stranger *stranger;
    for (stranger = live->strangers; stranger; stranger = stranger->next)
        if (stranger->since_ms < until_ms)
            shutdown(stranger->file, SHUT_RDWR);
}

static enum MHD_Result take_request(void *of, struct MHD_Connection *connection, const char *path,
                                    const char *method, const char *version, const char *data,
                                    size_t *bytes, void **state)
{
    struct dal_live *live = of;
    const char *fault = *state ? NULL : find_fault(live, connection);
    int posts = strcmp(path, "/parameter") == 0;
    (void)version;
    if (fault)
        return dal__live_say(connection, MHD_HTTP_FORBIDDEN, fault);
    welcome(live, connection);
    if (!posts && strcmp(path, "/") != 0 && strcmp(path, "/events") != 0)
        return dal__live_say(connection, MHD_HTTP_NOT_FOUND, "there is nothing here\n");
    if (strcmp(method, posts ? "POST" : "GET") != 0)
        return dal__live_say(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
                             "GET, or POST of a parameter\n");
    if (posts)
        return take_post(live, connection, data, bytes, state);
    if (path[1])
        return dal__live_serve(live, connection);
    return MHD_queue_response(connection, MHD_HTTP_OK, live->page);
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Sleeps until there is something to do, at most until `until_ms` (0: without limit). Returns
 * whether the thread is to stop. */
static int sleep_until(const struct dal_live *live, int64_t until_ms)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(live->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    struct pollfd files[] = {{.fd = info->epoll_fd, .events = POLLIN},
                             {.fd = live->stop, .events = POLLIN}};
    MHD_UNSIGNED_LONG_LONG most;
    int64_t left_ms = until_ms ? until_ms - now_ms() : -1;
    if (until_ms && left_ms < 0)
        left_ms = 0;
    if (MHD_get_timeout(live->daemon, &most) == MHD_YES &&
        (left_ms < 0 || most < (MHD_UNSIGNED_LONG_LONG)left_ms))
        left_ms = (int64_t)most;
    /* The library admits waiting clients only when it is called. */
    poll(files, 2, (int)(left_ms < 0 || left_ms > 1000 ? 1000 : left_ms));
    return files[1].revents != 0;
}

/* Sends the last numbers to clients that take them soon. */
static void say_goodbye(struct dal_live *live)
{
    int64_t until_ms = now_ms() + LAST_MS;
    eventfd_t nothing;
    eventfd_read(live->stop, &nothing);
    live->ended = 1;
    dal__live_publish(live, 1);
    MHD_run(live->daemon);
    while (live->clients && now_ms() < until_ms) {
        sleep_until(live, until_ms);
        MHD_run(live->daemon);
    }
}

/* Returns this thread's processor time. */
static int64_t worked_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
}

/* Returns how long to wait after so much work. */
static int64_t pause_ms(int64_t work_ns)
{
    int64_t ms = REST * work_ns / 1000000;
    return ms < TICK_MS ? TICK_MS : ms > SLOWEST_MS ? SLOWEST_MS : ms;
}

static void *serve_clients(void *argument)
{
    struct dal_live *live = argument;
    int64_t next_ms = 0, before_ns = worked_ns();
    while (!sleep_until(live, live->clients || live->strangers ? next_ms : 0)) {
        MHD_run(live->daemon);
        if (now_ms() < next_ms)
            continue;
        leave_strangers(live);
        if (live->clients)
            dal__live_publish(live, 0);
        MHD_run(live->daemon);
        next_ms = now_ms() + pause_ms(worked_ns() - before_ns);
        before_ns = worked_ns();
    }
    say_goodbye(live);
    return NULL;
}

/* ---- start and stop -------------------------------------------------------------------------- */

static int bind_to(struct dal_live *live, const struct addrinfo *address)
{
    int yes = 1, bytes = SEND_BYTES;
    const struct sockaddr_in *four = (const struct sockaddr_in *)address->ai_addr;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address->ai_addr;
    live->is_local = address->ai_family == AF_INET6 ? IN6_IS_ADDR_LOOPBACK(&six->sin6_addr)
                                                    : ntohl(four->sin_addr.s_addr) >> 24 == 127;
    live->listener = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (live->listener < 0)
        return -1;
    setsockopt(live->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    setsockopt(live->listener, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
    if (bind(live->listener, address->ai_addr, address->ai_addrlen) < 0)
        return -1;
    return listen(live->listener, SOMAXCONN);
}

static unsigned port_of(int listener)
{
    struct sockaddr_storage address;
    socklen_t bytes = sizeof(address);
    if (getsockname(listener, (struct sockaddr *)&address, &bytes) < 0)
        return 0;
    return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                               : ((struct sockaddr_in *)&address)->sin_port);
}

/* Opens the port to listen at. Returns 0, or -1 with `why`. */
static int open_listener(struct dal_live *live, unsigned *port, char *why)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
                                   .ai_socktype = SOCK_STREAM};
    const struct dal_live_options *options = &live->options;
    const char *host = strcmp(options->host, "localhost") == 0 ? "127.0.0.1" : options->host;
    struct addrinfo *address;
    int status = getaddrinfo(host, options->port, &hints, &address);
    if (status) {
        snprintf(why, DAL_LIVE_ANSWER_BYTES, "%s: a numeric address is wanted: %s", options->host,
                 gai_strerror(status));
        return -1;
    }
    status = bind_to(live, address);
    if (status < 0)
        snprintf(why, DAL_LIVE_ANSWER_BYTES, "%s:%s: %s", options->host, options->port,
                 strerror(errno));
    freeaddrinfo(address);
    *port = status < 0 ? 0 : port_of(live->listener);
    return status;
}

static struct MHD_Response *make_page(struct dal_live *live)
{
    struct dal_memory_stream stream;
    dal_memory_open(&stream);
    if (stream.file)
        dal_page_write(stream.file, live->source->picture);
    live->page_text = dal_memory_close(&stream);
    if (!live->page_text)
        return NULL;
    return dal__live_headers(
        MHD_create_response_from_buffer(stream.bytes, live->page_text, MHD_RESPMEM_PERSISTENT),
        "text/html; charset=utf-8");
}

static struct MHD_Daemon *start_daemon(struct dal_live *live)
{
    return MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, take_request,
                            live, MHD_OPTION_LISTEN_SOCKET, live->listener,
                            MHD_OPTION_CONNECTION_LIMIT, live->options.clients,
                            MHD_OPTION_CONNECTION_TIMEOUT, live->options.patience_s,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)DAL_LIVE_REQUEST_BYTES,
                            MHD_OPTION_NOTIFY_CONNECTION, watch_connection, live,
                            MHD_OPTION_NOTIFY_COMPLETED, forget_request, NULL, MHD_OPTION_END);
}

/* Frees a server whose thread has ended or was never started. */
static void give_back(struct dal_live *live)
{
    if (live->daemon)
        MHD_stop_daemon(live->daemon); /* closes the listener */
    else if (live->listener >= 0)
        close(live->listener);
    if (live->page)
        MHD_destroy_response(live->page);
    if (live->stop >= 0)
        close(live->stop);
    dal__live_release(live->now);
    free(live->page_text);
    free(live);
}

static struct dal_live *start_live(const struct dal_live_source *source,
                                   const struct dal_live_options *options, unsigned *port,
                                   char *why)
{
    struct dal_live *live = calloc(1, sizeof(*live));
    int status = -1;
    snprintf(why, DAL_LIVE_ANSWER_BYTES, "no memory, or too many files are open");
    if (!live)
        return NULL;
    live->source = source;
    live->options = *options;
    live->listener = -1;
    live->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    live->page = live->stop < 0 ? NULL : make_page(live);
    if (live->page && open_listener(live, port, why) == 0)
        live->daemon = start_daemon(live);
    if (live->daemon)
        status = pthread_create(&live->thread, NULL, serve_clients, live);
    if (status == 0)
        return live;
    give_back(live);
    return NULL;
}

static void stop_live(struct dal_live *live)
{
    eventfd_write(live->stop, 1);
    pthread_join(live->thread, NULL);
    give_back(live);
}

extern const struct dal_live_server dal_live_http;
const struct dal_live_server dal_live_http = {.start = start_live, .stop = stop_live};
