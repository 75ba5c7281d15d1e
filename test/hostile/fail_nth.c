/*
 * To be loaded in front of a program (LD_PRELOAD): the FAIL_AT-th call of the function FAIL_CALL
 * fails. Calls count in the program FAIL_PROGRAM alone, and where dal's own code makes them, by
 * libc or not; with FAIL_WHOSE=any, all.
 *
 * FAIL_LOG names a file. It gets "failed" and the files of the program in whose code the call is,
 * innermost first; without FAIL_AT, "calls N" when the program ends.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_FRAMES = 48, MOST_NAMES = 1000 };

static const char *wanted, *log_name;
static char names[MOST_NAMES];
static long at;
static int counting, any;
static atomic_long calls;
static _Thread_local int inside;

static void *real(const char *name)
{
    void *found;
    inside++;
    found = dlsym(RTLD_NEXT, name);
    inside--;
    return found;
}

/* The real one, found once. */
#define REAL(name)                                                                                 \
    static __typeof__(&name) next;                                                                 \
    if (!next)                                                                                     \
    next = (__typeof__(&name))real(#name)

static void log_line(const char *text)
{
    int file = log_name ? open(log_name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (file < 0)
        return;
    (void)!write(file, text, strlen(text));
    close(file);
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Where the caller's caller is: the first file that is neither libc nor this. Collects the names of
 * all behind it. */
static int is_own(void)
{
    void *frames[MOST_FRAMES];
    int count = backtrace(frames, MOST_FRAMES), i, first = 1, is = 0;
    Dl_info info;
    const char *last = "";
    names[0] = 0;
    for (i = 1; i < count; i++) {
        const char *name =
            dladdr(frames[i], &info) && info.dli_fname ? base_of(info.dli_fname) : "?";
        if (begins(name, "libc.") || begins(name, "libfail_nth") || begins(name, "ld-linux"))
            continue;
        if (first)
            is = begins(name, "libdal") || begins(name, "lt-") ||
                 strcmp(name, program_invocation_short_name) == 0;
        first = 0;
        if (strcmp(name, last) != 0 && strlen(names) + strlen(name) + 2 < MOST_NAMES)
            strcat(strcat(names, " "), name);
        last = name;
    }
    return is;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Is it this one that fails? */
static int fails(const char *name)
{
    int failing = 0;
    if (!counting || inside || strcmp(name, wanted) != 0)
        return 0;
    inside++;
    pthread_mutex_lock(&lock);
    if ((is_own() || any) && ++calls == at) {
        failing = 1;
        log_line("failed");
        log_line(names);
        log_line("\n");
    }
    pthread_mutex_unlock(&lock);
    inside--;
    return failing;
}

static void tell(void)
{
    char text[64];
    snprintf(text, sizeof(text), "calls %ld\n", (long)calls);
    inside++;
    if (at == 0)
        log_line(text);
}

__attribute__((constructor)) static void begin(void)
{
    const char *program = getenv("FAIL_PROGRAM"), *number = getenv("FAIL_AT"),
               *whose = getenv("FAIL_WHOSE");
    void *frame[1];
    wanted = getenv("FAIL_CALL");
    log_name = getenv("FAIL_LOG");
    at = number ? atol(number) : 0;
    any = whose && strcmp(whose, "any") == 0;
    if (!wanted || !program || strcmp(program, program_invocation_short_name) != 0)
        return;
    backtrace(frame, 1); /* loads what it needs */
    counting = 1;
    atexit(tell);
}

__attribute__((destructor)) static void end(void)
{
    counting = 0;
}

/* ---- what may fail: kind, name, parameters, arguments, errno, what it returns then ----------- */

#define MAY_FAIL(type, name, parameters, arguments, error, result)                                 \
    type name parameters                                                                           \
    {                                                                                              \
        REAL(name);                                                                                \
        if (fails(#name)) {                                                                        \
            errno = (error);                                                                       \
            return result;                                                                         \
        }                                                                                          \
        return next arguments;                                                                     \
    }

void *malloc(size_t bytes)
{
    extern void *__libc_malloc(size_t);
    if (fails("malloc")) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    extern void *__libc_calloc(size_t, size_t);
    if (fails("calloc")) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    extern void *__libc_realloc(void *, size_t);
    if (fails("realloc")) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_realloc(old, bytes);
}

MAY_FAIL(void *, reallocarray, (void *old, size_t count, size_t bytes), (old, count, bytes), ENOMEM,
         NULL)
MAY_FAIL(int, posix_memalign, (void **to, size_t alignment, size_t bytes), (to, alignment, bytes),
         0, ENOMEM)
MAY_FAIL(void *, aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes), ENOMEM, NULL)
MAY_FAIL(void *, mmap, (void *to, size_t bytes, int prot, int flags, int file, off_t from),
         (to, bytes, prot, flags, file, from), ENOMEM, MAP_FAILED)
MAY_FAIL(int, pthread_create,
         (pthread_t * thread, const pthread_attr_t *attr, void *(*begin_at)(void *), void *with),
         (thread, attr, begin_at, with), 0, EAGAIN)
MAY_FAIL(FILE *, fopen, (const char *path, const char *mode), (path, mode), EMFILE, NULL)
MAY_FAIL(FILE *, fdopen, (int file, const char *mode), (file, mode), ENOMEM, NULL)
MAY_FAIL(FILE *, open_memstream, (char **text, size_t *bytes), (text, bytes), ENOMEM, NULL)
MAY_FAIL(int, rename, (const char *from, const char *to), (from, to), EXDEV, -1)
MAY_FAIL(int, eventfd, (unsigned number, int flags), (number, flags), EMFILE, -1)
MAY_FAIL(int, pipe, (int ends[2]), (ends), EMFILE, -1)
MAY_FAIL(int, pipe2, (int ends[2], int flags), (ends, flags), EMFILE, -1)
MAY_FAIL(int, memfd_create, (const char *name, unsigned flags), (name, flags), EMFILE, -1)
MAY_FAIL(int, ftruncate, (int file, off_t bytes), (file, bytes), EFBIG, -1)
MAY_FAIL(int, socket, (int domain, int type, int protocol), (domain, type, protocol), EMFILE, -1)
MAY_FAIL(pid_t, fork, (void), (), EAGAIN, -1)

/* Messages are not among what fails: they say what did. */
ssize_t write(int file, const void *data, size_t bytes)
{
    REAL(write);
    if (file != STDERR_FILENO && fails("write")) {
        errno = ENOSPC;
        return -1;
    }
    return next(file, data, bytes);
}

int fclose(FILE *file)
{
    REAL(fclose);
    if (fails("fclose")) {
        next(file);
        errno = ENOSPC;
        return EOF;
    }
    return next(file);
}

int open(const char *path, int flags, ...)
{
    va_list list;
    int mode;
    REAL(open);
    va_start(list, flags);
    mode = va_arg(list, int);
    va_end(list);
    if (fails("open")) {
        errno = EMFILE;
        return -1;
    }
    return next(path, flags, mode);
}
