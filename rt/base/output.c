#include "rt/base/output.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/sync.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Names that are tried for a temporary file. */
enum { MOST_NAMES = 100 };

static int complain(const char *what, const char *name, int error)
{
    const char *why = error == ENXIO   ? "it is a pipe or a socket, and nobody reads it"
                      : error == EBUSY ? "another program writes it"
                      : error          ? strerror(error)
                                       : "";
    dal_log(DAL_LOG_ERROR, "%s%s cannot be written%s%s", what, name, error ? ": " : "", why);
    return DAL_ERR_IO;
}

static int begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Is the file written in place? /dev/stdout may be an ordinary file, but one that somebody has
 * open. */
static int is_special(const char *name, const struct stat *info)
{
    return !S_ISREG(info->st_mode) || begins(name, "/dev/") || begins(name, "/proc/");
}

/* The temporary files, for dal_output_drop(), as many as a program usually may have open. It leaves
 * any more of them behind. Who takes a name out has it. */
static const char *_Atomic shaping[1024];
static _Atomic pid_t shaper; /* a child made by fork() has none of them */

static int replace_shaping(const char *old, const char *new)
{
    for (size_t i = 0; i < sizeof(shaping) / sizeof(shaping[0]); i++) {
        const char *wanted = old;
        if (atomic_compare_exchange_strong(&shaping[i], &wanted, new))
            return 1;
    }
    return 0;
}

void dal_output_drop(void)
{
    if (atomic_load(&shaper) != getpid())
        return;
    for (size_t i = 0; i < sizeof(shaping) / sizeof(shaping[0]); i++) {
        const char *name = atomic_exchange(&shaping[i], NULL);
        if (name)
            unlink(name);
    }
}

/* The temporary file is none any more. Where dal_output_drop() has the name, it stays. */
static void forget_temporary(struct dal_output *output)
{
    if (output->temporary && replace_shaping(output->temporary, NULL))
        dal_free(output->temporary);
    output->temporary = NULL;
}

/* Returns how the names of a file's temporary ones begin, as parts/common/output_file.h has it. A
 * name that leaves no room for more is cut, and a sum tells it from others with that beginning. */
static char *temporary_start(const char *place)
{
    enum { MOST = NAME_MAX - 40 };
    const char *slash = strrchr(place, '/'), *last = slash ? slash + 1 : place;
    uint32_t sum = 0;
    if (strlen(last) <= MOST)
        return dal_format("%s.%ld-", place, (long)getpid());
    for (const char *at = last; *at; at++)
        sum = sum * 31 + (unsigned char)*at;
    return dal_format("%.*s.%08x.%ld-", (int)(last - place) + MOST, place, (unsigned)sum,
                      (long)getpid());
}

/* Opens the temporary file that is to become output->place. Returns a descriptor, or -1 with
 * errno. */
static int open_temporary(struct dal_output *output)
{
    char *start = temporary_start(output->place);
    int fd = -1;
    for (int i = 0; i < MOST_NAMES && fd < 0; i++) {
        dal_free(output->temporary);
        output->temporary = start ? dal_format("%s%d.tmp", start, i) : NULL;
        if (!output->temporary) {
            errno = ENOMEM;
            break;
        }
        fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    dal_free(start);
    if (fd < 0) {
        dal_free(output->temporary);
        output->temporary = NULL;
    } else {
        atomic_store(&shaper, getpid());
        replace_shaping(NULL, output->temporary);
    }
    return fd;
}

int dal_output_is_temporary(const char *name, const char *place)
{
    char *start = temporary_start(place);
    size_t length = start ? strlen(start) : 0;
    int end = 0, is_one = start && begins(name, start);
    if (is_one)
        (void)!sscanf(name + length, "%*d.tmp%n", &end);
    is_one = is_one && end > 0 && !name[length + (size_t)end];
    dal_free(start);
    return is_one;
}

/* Returns a name with the whole path of its folder, since the program may change its own; the name
 * itself if that leads to no folder to write in. */
static char *whole_name(const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    char *folder = slash ? dal_format("%.*s", (int)(base - name), name) : dal_strdup(".");
    char real[PATH_MAX], *whole = NULL;
    if (folder && realpath(folder, real) && access(real, W_OK) == 0)
        whole = dal_format("%s%s%s", real, real[1] ? "/" : "", base);
    else if (folder)
        whole = dal_strdup(name);
    dal_free(folder);
    return whole;
}

/* Returns the file's place, behind all links. */
static char *find_place(const char *name, int is_there)
{
    char real[PATH_MAX];
    return is_there && realpath(name, real) ? dal_strdup(real) : whole_name(name);
}

/* Is the file written in place? Then a check must not try to open it: a pipe's reader would see its
 * end. */
static int is_in_place(const char *name, const struct stat *info, int is_there)
{
    struct stat link;
    return is_there ? is_special(name, info) : lstat(name, &link) == 0;
}

/* Opens a file to write in place. It does not wait for a reader of a pipe: that could last for
 * ever. */
static int open_in_place(const char *name, int empties)
{
    int fd = open(name, O_WRONLY | O_CREAT | empties | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd >= 0)
        (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

/* Takes an ordinary file for this program alone, and empties it. Where there are no locks, nobody
 * is refused. Returns 0, or -1 with errno. */
static int claim_file(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return 0;
    if (fcntl(fd, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN)) {
        errno = EBUSY;
        return -1;
    }
    return ftruncate(fd, 0);
}

FILE *dal_output_open_now(const char *what, const char *name)
{
    int fd = open_in_place(name, 0);
    FILE *file = fd < 0 || claim_file(fd) != 0 ? NULL : fdopen(fd, "w");
    if (!file) {
        complain(what, name, errno);
        if (fd >= 0)
            close(fd);
    }
    return file;
}

/* Returns a descriptor, or -1 with errno. */
static int open_output(struct dal_output *output)
{
    struct stat info;
    int is_there = stat(output->name, &info) == 0, fd;
    if (is_in_place(output->name, &info, is_there))
        return open_in_place(output->name, O_TRUNC);
    if (is_there && access(output->name, W_OK) != 0)
        return -1;
    output->place = find_place(output->name, is_there);
    if (!output->place) {
        errno = ENOMEM;
        return -1;
    }
    fd = open_temporary(output);
    if (fd < 0 && is_there)
        return open_in_place(output->name, O_TRUNC);
    if (fd >= 0 && is_there)
        (void)fchmod(fd, info.st_mode & 07777); /* otherwise it has a new file's mode */
    return fd;
}

static void forget(struct dal_output *output)
{
    if (output->temporary)
        unlink(output->temporary);
    forget_temporary(output);
    dal_free(output->place);
    *output = (struct dal_output){0};
}

static int fail_output(struct dal_output *output, int error)
{
    int status = error == ENOMEM ? DAL_ERR_NOMEM : DAL_ERR_IO;
    complain(output->what, output->name, error);
    forget(output);
    return status;
}

int dal_output_open(struct dal_output *output, const char *what, const char *name)
{
    int fd;
    *output = (struct dal_output){.what = what, .name = name};
    fd = open_output(output);
    output->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (output->file)
        return DAL_OK;
    if (fd >= 0)
        close(fd);
    return fail_output(output, errno);
}

int dal_output_close(struct dal_output *output)
{
    int bad = ferror(output->file), error;
    errno = 0;
    bad |= fflush(output->file) != 0;
    error = errno;
    if (fclose(output->file) != 0 && !bad) {
        bad = 1;
        error = errno;
    }
    if (!bad && output->temporary && rename(output->temporary, output->place) != 0) {
        bad = 1;
        error = errno;
    }
    if (bad)
        return fail_output(output, error);
    forget_temporary(output);
    forget(output);
    return DAL_OK;
}

int dal_output_flushed(struct dal_output *output)
{
    return ferror(output->file) || fflush(output->file) != 0 ? DAL_ERR_IO : DAL_OK;
}

void dal_output_abandon(struct dal_output *output)
{
    fclose(output->file);
    forget(output);
}

int dal_output_check(const char *what, const char *name)
{
    struct dal_output output = {.what = what, .name = name};
    struct stat info;
    int is_there = stat(name, &info) == 0, fd;
    if (is_there && S_ISDIR(info.st_mode))
        return fail_output(&output, EISDIR);
    if (is_there && S_ISSOCK(info.st_mode))
        return fail_output(&output, ENXIO);
    if (is_there && access(name, W_OK) != 0)
        return fail_output(&output, errno);
    if (is_in_place(name, &info, is_there))
        return DAL_OK;
    output.place = find_place(name, is_there);
    fd = output.place ? open_temporary(&output) : -1;
    if (fd < 0 && !is_there)
        return fail_output(&output, output.place ? errno : ENOMEM);
    if (fd >= 0)
        close(fd);
    forget(&output);
    return DAL_OK;
}

/* Returns the place that a temporary file would take; NULL for a file that is written in place. */
static char *moved_to(const char *name)
{
    struct stat info;
    int is_there = stat(name, &info) == 0;
    return is_in_place(name, &info, is_there) ? NULL : find_place(name, is_there);
}

int dal_output_is_same(const char *one, const char *other)
{
    char *first = moved_to(one), *second = moved_to(other);
    int same = first && second && strcmp(first, second) == 0;
    dal_free(first);
    dal_free(second);
    return same;
}

void dal_output_guard(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
}

static int settled; /* the error of dal_output_settle(), or 0 */

void dal_output_settle(void)
{
    errno = 0;
    if (fflush(stdout) != 0)
        settled = errno;
}

int dal_output_finish(void)
{
    int bad = ferror(stdout), error;
    errno = 0;
    bad |= fflush(stdout) != 0;
    error = settled ? settled : errno;
    return bad ? complain("", "standard output", error) : DAL_OK;
}

/* Numbers of flushes begun and done. The latter is stored with release, and the waiter loads it
 * with acquire.
 */
static _Atomic unsigned flushes, flushed;

static void *flush_outputs(void *argument)
{
    (void)argument;
    fflush(stdout);
    atomic_fetch_add_explicit(&flushed, 1, memory_order_release);
    return NULL;
}

void dal_output_flush(int64_t limit_ns)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    unsigned ticket = atomic_fetch_add_explicit(&flushes, 1, memory_order_relaxed) + 1;
    int64_t end_ns = dal_now_ns() + limit_ns;
    pthread_t thread;
    if (pthread_create(&thread, NULL, flush_outputs, NULL)) {
        atomic_fetch_add_explicit(&flushed, 1, memory_order_release);
        return;
    }
    pthread_detach(thread);
    while (atomic_load_explicit(&flushed, memory_order_acquire) < ticket && dal_now_ns() < end_ns)
        nanosleep(&nap, NULL);
}

int dal_write_all(int fd, const void *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t now = write(fd, data, bytes);
        if (now < 0 && errno != EINTR)
            return DAL_ERR_IO;
        if (now > 0) {
            data = (const char *)data + now;
            bytes -= (size_t)now;
        }
    }
    return DAL_OK;
}

/* ---- progress -------------------------------------------------------------------------------- */

#define PROGRESS_NS INT64_C(200000000)

static struct {
    int is_terminal, is_shown;
    int64_t last_ns;
} progress;

void dal_progress_begin(void)
{
    progress.is_terminal = isatty(STDERR_FILENO);
    progress.is_shown = 0;
    progress.last_ns = dal_now_ns();
}

int dal_progress_is_due(void)
{
    int64_t now_ns = dal_now_ns();
    if (!progress.is_terminal || now_ns - progress.last_ns < PROGRESS_NS)
        return 0;
    progress.last_ns = now_ns;
    return 1;
}

void dal_progress_show(const char *format, ...)
{
    va_list arguments;
    if (!progress.is_terminal)
        return;
    fputs("\r\033[K", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fflush(stderr);
    progress.is_shown = 1;
}

void dal_progress_end(void)
{
    if (progress.is_shown)
        fputs("\r\033[K", stderr);
    progress.is_shown = 0;
}
