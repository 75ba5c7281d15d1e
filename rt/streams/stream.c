#define _GNU_SOURCE
#include "rt/streams/format.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/sync.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- formats --------------------------------------------------------------------------------- */

/* Raw tokens. An ordinary file has as many bytes as the system says. */
static int begin_raw(struct dal_stream *stream)
{
    struct stat info;
    off_t at = lseek(stream->fd, 0, SEEK_CUR);
    if (at < 0 || fstat(stream->fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < at)
        return DAL_OK;
    stream->bytes = (uint64_t)(info.st_size - at);
    return DAL_OK;
}

static int write_nothing(struct dal_stream *stream)
{
    (void)stream;
    return DAL_OK;
}

static const struct dal__format raw = {
    .ending = "", .begin_reading = begin_raw, .write_header = write_nothing};
static const struct dal__format *const formats[] = {&dal__npy, &dal__wav, &raw};

/* Returns where the terms of a file's name begin: behind the ending, and at a comma or the end of
 * the name; NULL if it has another ending. */
static const char *find_terms(const struct dal__format *format, const char *file)
{
    size_t ending = strlen(format->ending);
    for (const char *at = file;; at++) {
        at += *format->ending ? strcspn(at, ",") : strlen(at);
        if ((size_t)(at - file) >= ending && strncasecmp(at - ending, format->ending, ending) == 0)
            return at;
        if (!*at)
            return NULL;
    }
}

/* The last format fits all names. */
static const struct dal__format *find_format(const char *file, const char **terms)
{
    size_t i = 0;
    while (!(*terms = find_terms(formats[i], file)))
        i++;
    return formats[i];
}

static int choose_format(struct dal_stream *stream, const char *file)
{
    stream->format = find_format(file, &stream->terms);
    stream->file = dal_format("%.*s", (int)(stream->terms - file), file);
    return stream->file ? DAL_OK : dal_no_memory();
}

size_t dal_stream_name_length(const char *file)
{
    const char *terms;
    find_format(file, &terms);
    return (size_t)(terms - file);
}

/* ---- opening and closing --------------------------------------------------------------------- */

static void name_standard(struct dal_stream *stream)
{
    static const char *const names[] = {"standard input", "standard output"};
    char *name = dal_strdup(names[stream->writes]);
    if (!name)
        return; /* "-" will do */
    dal_free(stream->file);
    stream->file = name;
}

/* It may be closed, or open the other way. */
static int check_standard(const struct dal_stream *stream)
{
    int flags = fcntl(stream->fd, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != (stream->writes ? O_RDONLY : O_WRONLY))
        return DAL_OK;
    return dal__stream_refuse(stream, "%s", strerror(EBADF));
}

static int is_fifo(const char *file)
{
    struct stat info;
    return stat(file, &info) == 0 && S_ISFIFO(info.st_mode);
}

static int refuse_header_at_end(const struct dal_stream *stream)
{
    return dal__stream_refuse(stream, "it is a pipe, and its header is written at the end");
}

/* A named pipe waits for its other end. */
static int open_file(struct dal_stream *stream)
{
    int flags = O_CLOEXEC | (stream->writes ? O_WRONLY : O_RDONLY), status;
    stream->is_standard = strcmp(stream->file, "-") == 0;
    if (stream->is_standard) {
        stream->fd = stream->writes ? STDOUT_FILENO : STDIN_FILENO;
        name_standard(stream);
        return check_standard(stream);
    }
    if (stream->writes && stream->format != &raw && is_fifo(stream->file))
        return refuse_header_at_end(stream);
    if (!stream->writes || is_fifo(stream->file)) {
        stream->fd = open(stream->file, flags);
        return stream->fd < 0 ? dal__stream_refuse(stream, "%s", strerror(errno)) : DAL_OK;
    }
    stream->what = dal_format("port %s: ", stream->port);
    status = stream->what ? dal_output_open(&stream->output, stream->what, stream->file)
                          : dal_no_memory();
    stream->fd = status ? -1 : fileno(stream->output.file);
    return status;
}

/* A file in which a header is written at the end must not be a pipe. */
static int check_place(const struct dal_stream *stream)
{
    if (!stream->writes || stream->format == &raw || lseek(stream->fd, 0, SEEK_CUR) >= 0)
        return DAL_OK;
    return refuse_header_at_end(stream);
}

static int check_length(const struct dal_stream *stream)
{
    if (stream->writes || stream->bytes == UINT64_MAX ||
        stream->bytes % stream->tokens->token_bytes == 0)
        return DAL_OK;
    return dal__stream_refuse(stream, "%" PRIu64 " bytes are no whole number of tokens of %" PRIu64,
                              stream->bytes, stream->tokens->token_bytes);
}

/* A pipe as the system makes it has two threads change places every 64 KB. A user may have no more
 * of them; then it stays as it is. */
static void widen_pipe(const struct dal_stream *stream)
{
    enum { USUAL = 1 << 16, WIDE = 1 << 19 };
    if (fcntl(stream->fd, F_GETPIPE_SZ) == USUAL)
        fcntl(stream->fd, F_SETPIPE_SZ, WIDE);
}

static int begin_stream(struct dal_stream *stream)
{
    struct stat info;
    int status;
    widen_pipe(stream);
    if (*stream->terms && !(stream->writes && stream->format->has_terms))
        return dal__stream_refuse(stream, "'%s': nothing may stand behind it", stream->terms);
    if (fstat(stream->fd, &info) == 0 && S_ISDIR(info.st_mode))
        return dal__stream_refuse(stream, "%s", strerror(EISDIR));
    stream->waits = fstat(stream->fd, &info) != 0 || !S_ISREG(info.st_mode);
    status = check_place(stream);
    if (status == DAL_OK)
        status = stream->writes ? stream->format->write_header(stream)
                                : stream->format->begin_reading(stream);
    return status == DAL_OK ? check_length(stream) : status;
}

int dal__stream_begin(struct dal_stream **result, const char *file, struct dal_stream like)
{
    struct dal_stream *stream = dal_calloc(1, sizeof(*stream));
    int status = stream ? DAL_OK : dal_no_memory();
    *result = NULL;
    if (!stream)
        return status;
    *stream = like;
    stream->bytes = UINT64_MAX;
    stream->fd = -1;
    status = choose_format(stream, file);
    if (status == DAL_OK)
        status = open_file(stream);
    if (status == DAL_OK)
        status = begin_stream(stream);
    if (status < 0)
        dal_stream_close(stream, 0);
    else
        *result = stream;
    return status;
}

int dal_stream_open(struct dal_stream **result, const char *port, int writes, const char *file,
                    const struct dal_open_desc *tokens)
{
    return dal__stream_begin(result, file,
                             (struct dal_stream){.port = port, .writes = writes, .tokens = tokens});
}

static int finish_output(struct dal_stream *stream, int whole)
{
    if (whole && stream->format->write_header(stream) == DAL_OK)
        return dal_output_close(&stream->output);
    dal_output_abandon(&stream->output);
    return whole ? DAL_ERR_IO : DAL_OK;
}

int dal_stream_close(struct dal_stream *stream, int whole)
{
    int status = DAL_OK;
    if (!stream)
        return DAL_OK;
    if (stream->output.file)
        status = finish_output(stream, whole && !stream->has_failed);
    else if (stream->fd >= 0 && !stream->is_standard)
        close(stream->fd);
    if (whole && stream->tokens->tap == DAL_TAP_COMPARE)
        status = dal__tap_finish(stream);
    dal_free_all(stream->file, stream->what, stream->scratch, stream);
    return status;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

int dal_stream_is_ready(const struct dal_stream *stream, int wait_ms)
{
    struct pollfd one = {.fd = stream->fd, .events = stream->writes ? POLLOUT : POLLIN};
    return !stream->waits || poll(&one, 1, wait_ms) > 0;
}

/* What is read when nothing more comes. */
static int end_reading(const struct dal_stream *stream)
{
    uint64_t token = stream->tokens->token_bytes;
    if (stream->bytes != UINT64_MAX && stream->moved < stream->bytes)
        return dal__stream_refuse(stream, "it ends after %" PRIu64 " of %" PRIu64 " tokens",
                                  stream->moved / token, stream->bytes / token);
    if (stream->moved % token)
        return dal__stream_refuse(
            stream, "it ends within a token: the last one has %" PRIu64 " of %" PRIu64 " bytes",
            stream->moved % token, token);
    return DAL_OK;
}

int dal_stream_read(struct dal_stream *stream, void *to, size_t bytes, size_t *got)
{
    uint64_t left = stream->bytes - stream->moved;
    ssize_t now = 0;
    if (bytes > left)
        bytes = (size_t)left;
    do
        now = bytes ? read(stream->fd, to, bytes) : 0;
    while (now < 0 && errno == EINTR);
    *got = now < 0 ? 0 : (size_t)now;
    stream->moved += *got;
    if (now < 0)
        return dal__stream_refuse(stream, "%s", strerror(errno));
    return now ? DAL_OK : end_reading(stream);
}

/* Returns how many bytes a pipe that is ready takes without a wait: all that it holds when it is
 * empty. */
static size_t pipe_space(int fd)
{
    int left, most;
    if (ioctl(fd, FIONREAD, &left) == 0 && left == 0 && (most = fcntl(fd, F_GETPIPE_SZ)) > 0)
        return (size_t)most;
    return PIPE_BUF;
}

/* Writes without SIGPIPE and SIGXFSZ, which would end a program that does not ignore them. A thread
 * gets its own ones: they are blocked here, and taken where they came. Files of ports have none of
 * the first, and the second ends a program as that of any other file does. */
static ssize_t write_quietly(const struct dal_stream *stream, const void *from, size_t bytes)
{
    static const struct timespec now;
    sigset_t both, before;
    ssize_t done;
    int error;
    if (!stream->waits && !stream->tokens->tap)
        return write(stream->fd, from, bytes);
    sigemptyset(&both);
    sigaddset(&both, SIGPIPE);
    sigaddset(&both, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &both, &before);
    done = write(stream->fd, from, bytes);
    error = errno;
    if (done < 0 && (error == EPIPE || error == EFBIG))
        while (sigtimedwait(&both, NULL, &now) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return done;
}

int dal__stream_write_all(const struct dal_stream *stream, const void *from, size_t bytes)
{
    const char *at = from;
    while (bytes > 0) {
        ssize_t done = write_quietly(stream, at, bytes);
        if (done < 0 && errno != EINTR)
            return DAL_ERR_IO;
        at += done < 0 ? 0 : done;
        bytes -= done < 0 ? 0 : (size_t)done;
    }
    return DAL_OK;
}

static int write_to_tap(struct dal_stream *stream, const void *from, size_t bytes, size_t *put)
{
    *put = bytes;
    return stream->tokens->tap == DAL_TAP_RECORD ? dal__tap_record(stream, from, bytes)
                                                 : dal__tap_compare(stream, from, bytes);
}

int dal_stream_write(struct dal_stream *stream, const void *from, size_t bytes, size_t *put)
{
    size_t space = stream->waits && bytes > PIPE_BUF ? pipe_space(stream->fd) : bytes;
    ssize_t now;
    if (stream->tokens->tap)
        return write_to_tap(stream, from, bytes, put);
    now = write_quietly(stream, from, bytes < space ? bytes : space);
    *put = now < 0 ? 0 : (size_t)now;
    stream->moved += *put;
    if (now >= 0 || errno == EINTR || errno == EAGAIN)
        return DAL_OK;
    if (errno == EPIPE)
        return 1;
    return dal__stream_refuse(stream, "cannot be written: %s", strerror(errno));
}
