/*
 * Files and pipes at the ports of networks in somebody else's program (include/dal_run.h): all
 * arrives, waits and stops, and what is wrong with a file is told and leaves none.
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/sync.h"

#include "test/capture.h"
#include "test/left.h"
#include "test/run/adding.h"
#include "test/suite.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TOKENS = 4000, HEADER = 128 }; /* tokens of a file; bytes in front of those of a .npy */
#define LONG (60 * DAL_S)

/* ---- files ----------------------------------------------------------------------------------- */

static char folder[] = "/tmp/test_run_files-XXXXXX";

/* Returns the path of a file of the tests, which stays for eight calls. */
static const char *path_of(const char *name)
{
    static char paths[8][100];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

/* Writes the numbers from 0 on, and `more` bytes. */
static void write_numbers(const char *name, uint64_t count, size_t more)
{
    FILE *file = fopen(path_of(name), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    for (uint64_t i = 0; i < count; i++)
        fwrite(&i, sizeof(i), 1, file);
    for (size_t i = 0; i < more; i++)
        fputc(0, file);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

/* Returns how many numbers from 1 on a file has behind its header, and no others; -1 without it. */
static int64_t count_sums(const char *name, long header)
{
    FILE *file = fopen(path_of(name), "r");
    uint64_t number, good = 0, all = 0;
    if (!file)
        return -1;
    fseek(file, header, SEEK_SET);
    for (; fread(&number, sizeof(number), 1, file) == 1; all++)
        good += number == good + 1;
    fclose(file);
    CU_ASSERT_EQUAL(good, all);
    return (int64_t)good;
}

/* Opens a network with a file of the tests at each port; NULL for none. Returns what open does. */
static int open_with(struct dal_run **run, const struct dal_net *net, const char *in,
                     const char *out)
{
    char files[300];
    const struct dal_run_options options = {.files = files};
    snprintf(files, sizeof(files), "%s%s%s%s", in ? "numbers=" : "",
             in && *in != '/' ? path_of(in)
             : in             ? in
                              : "",
             out ? "\nsums=" : "",
             out && *out != '/' ? path_of(out)
             : out              ? out
                                : "");
    return dal_run_open(run, net, &options);
}

/* Opens a named pipe for both ends, so that nobody waits for the other one. */
static int open_pipe(const char *name)
{
    int fd;
    CU_ASSERT_EQUAL_FATAL(mkfifo(path_of(name), 0600), 0);
    fd = open(path_of(name), O_RDWR | O_CLOEXEC);
    CU_ASSERT_TRUE_FATAL(fd >= 0);
    return fd;
}

static void send_numbers(int fd, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        CU_ASSERT_EQUAL_FATAL(write(fd, &i, sizeof(i)), sizeof(i));
}

/* ---- from end to end ------------------------------------------------------------------------- */

static void all_is_in_files(void)
{
    uint64_t number;
    struct dal_run *run;
    write_numbers("in", TOKENS, 0);
    for (int i = 0; i < NETS; i++) {
        CU_ASSERT_EQUAL_FATAL(open_with(&run, &nets[i], "in", "out.npy"), DAL_OK);
        CU_ASSERT_EQUAL(dal_run_wait(run, LONG), 1);
        CU_ASSERT_EQUAL(count_sums("out.npy", HEADER), TOKENS);
        CU_ASSERT_EQUAL(dal_run_is_over(run, OUT), 1);
        CU_ASSERT_EQUAL(dal_run_read(run, OUT, &number, 1, DAL_FOREVER), DAL_ERR_INVALID);
        CU_ASSERT_STRING_EQUAL(dal_run_message(run), "port sums has a file: nobody calls it");
        CU_ASSERT_EQUAL(dal_run_write(run, IN, &number, 1, DAL_FOREVER), DAL_ERR_INVALID);
        CU_ASSERT_EQUAL(dal_run_end(run, IN), DAL_ERR_INVALID);
        CU_ASSERT_EQUAL(dal_run_fd(run, IN), DAL_ERR_INVALID);
        CU_ASSERT_EQUAL(dal_run_wait(run, 0), 1);
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
        CU_ASSERT_EQUAL(remove(path_of("out.npy")), 0);
    }
}

/* One port has a file, the program calls the other. */
static void half_is_in_files(void)
{
    static uint64_t numbers[TOKENS];
    struct dal_run *run;
    write_numbers("in", TOKENS, 0);
    for (int i = 0; i < NETS; i++) {
        CU_ASSERT_EQUAL_FATAL(open_with(&run, &nets[i], "in", NULL), DAL_OK);
        CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, TOKENS, DAL_FOREVER), TOKENS);
        CU_ASSERT_TRUE(numbers[0] == 1 && numbers[TOKENS - 1] == TOKENS);
        CU_ASSERT_EQUAL(dal_run_wait(run, 10 * DAL_MS), 0); /* the end has not been read */
        CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, 1, DAL_FOREVER), 0);
        CU_ASSERT_EQUAL(dal_run_wait(run, LONG), 1);
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);

        for (uint64_t k = 0; k < TOKENS; k++)
            numbers[k] = k;
        CU_ASSERT_EQUAL_FATAL(open_with(&run, &nets[i], NULL, "out"), DAL_OK);
        CU_ASSERT_EQUAL(dal_run_write(run, IN, numbers, TOKENS, DAL_FOREVER), TOKENS);
        CU_ASSERT_EQUAL(dal_run_wait(run, 10 * DAL_MS), 0);
        CU_ASSERT_EQUAL(count_sums("out", 0), -1);
        CU_ASSERT_EQUAL(dal_run_end(run, IN), DAL_OK);
        CU_ASSERT_EQUAL(dal_run_wait(run, DAL_FOREVER), 1);
        CU_ASSERT_EQUAL(count_sums("out", 0), TOKENS);
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
        CU_ASSERT_EQUAL(remove(path_of("out")), 0);
    }
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* A pipe that goes on. What has come out of it comes out of the network. */
static void stopped(void)
{
    enum { SENT = 16 };
    uint64_t numbers[SENT + 1];
    struct dal_run *run;
    for (int i = 0; i < NETS; i++) {
        int fd = open_pipe("pipe");
        CU_ASSERT_EQUAL_FATAL(open_with(&run, &nets[i], "pipe", NULL), DAL_OK);
        send_numbers(fd, SENT);
        CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, SENT, DAL_FOREVER), SENT);
        CU_ASSERT_EQUAL(dal_run_wait(run, 10 * DAL_MS), 0);
        dal_run_stop(run);
        CU_ASSERT_EQUAL(dal_run_read(run, OUT, numbers, SENT, LONG), 0);
        CU_ASSERT_EQUAL(dal_run_wait(run, LONG), 1);
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);

        CU_ASSERT_EQUAL_FATAL(open_with(&run, &nets[i], "/dev/zero", "/dev/null"), DAL_OK);
        CU_ASSERT_EQUAL(dal_run_wait(run, 10 * DAL_MS), 0);
        dal_run_stop(run);
        CU_ASSERT_EQUAL(dal_run_wait(run, LONG), 1);
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
        close(fd);
        CU_ASSERT_EQUAL(remove(path_of("pipe")), 0);
    }
}

/* A stop drains, so that the file is there; a break leaves an older one. So does a close that comes
 * before the end: it stops. */
static void stopped_or_broken(void)
{
    struct dal_run *run;
    for (int i = 0; i < 3 * NETS; i++) {
        int breaks = i % 3 == 2, fd = open_pipe("pipe");
        write_numbers("out", 0, 3);
        CU_ASSERT_EQUAL_FATAL(open_with(&run, &nets[i / 3], "pipe", "out"), DAL_OK);
        send_numbers(fd, 8);
        if (breaks)
            dal_run_break(run);
        else if (i % 3 == 1)
            dal_run_stop(run);
        if (i % 3)
            CU_ASSERT_EQUAL(dal_run_wait(run, LONG), breaks ? DAL_ERR_INTERRUPTED : 1);
        CU_ASSERT_EQUAL(dal_run_close(run), breaks ? DAL_ERR_INTERRUPTED : DAL_OK);
        CU_ASSERT_EQUAL(*dal_run_message(NULL) != 0, breaks);
        if (breaks) {
            struct stat info;
            CU_ASSERT_TRUE(stat(path_of("out"), &info) == 0 && info.st_size == 3);
        } else {
            CU_ASSERT_TRUE(count_sums("out", 0) <= 8);
        }
        close(fd);
        CU_ASSERT_TRUE(remove(path_of("pipe")) == 0 && remove(path_of("out")) == 0);
    }
}

/* ---- pipes whose reader goes away ------------------------------------------------------------ */

static _Atomic int signals;

static void count_signal(int number)
{
    (void)number;
    atomic_fetch_add(&signals, 1);
}

/* The program's own action for SIGPIPE stays, and nothing happens by it. That for SIGSEGV stays,
 * too. */
static void nobody_reads(void)
{
    void (*const actions[])(int) = {SIG_DFL, SIG_IGN, count_signal};
    struct sigaction action = {0}, now, fault;
    uint64_t number;
    struct dal_run *run;
    sigset_t pending;
    CU_ASSERT_EQUAL(sigaction(SIGSEGV, NULL, &fault), 0);
    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]) * NETS; i++) {
        int fd = open_pipe("pipe");
        action.sa_handler = actions[i / NETS];
        CU_ASSERT_EQUAL(sigaction(SIGPIPE, &action, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(open_with(&run, &nets[i % NETS], "/dev/zero", "pipe"), DAL_OK);
        CU_ASSERT_EQUAL(read(fd, &number, sizeof(number)), sizeof(number));
        close(fd);
        CU_ASSERT_EQUAL(dal_run_wait(run, LONG), 1);
        CU_ASSERT_STRING_EQUAL(dal_run_message(run), "");
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
        CU_ASSERT_TRUE(sigaction(SIGPIPE, NULL, &now) == 0 && now.sa_handler == actions[i / NETS]);
        CU_ASSERT_TRUE(sigpending(&pending) == 0 && !sigismember(&pending, SIGPIPE));
        CU_ASSERT_EQUAL(remove(path_of("pipe")), 0);
    }
    CU_ASSERT_TRUE(sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_handler == fault.sa_handler);
    CU_ASSERT_EQUAL(atomic_load(&signals), 0);
    action.sa_handler = SIG_DFL;
    sigaction(SIGPIPE, &action, NULL);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void refused(const char *files, int code, const char *said)
{
    const struct dal_run_options options = {.files = files};
    struct dal_run *run;
    int entries = count_entries(folder);
    CU_ASSERT_EQUAL(dal_run_open(&run, &nets[0], &options), code);
    CU_ASSERT_PTR_NULL(run);
    CU_ASSERT_PTR_NOT_NULL(strstr(dal_run_message(NULL), said));
    CU_ASSERT_EQUAL(count_entries(folder), entries);
}

static void not_opened(void)
{
    char files[300];
    write_numbers("part", 3, 1);
    refused("numbers", DAL_ERR_INVALID, "files: numbers: expected PORT=FILE");
    refused("number=x", DAL_ERR_INVALID, "files: number=x: network adding has no port number");
    refused("numbers=/dev/null\nStage=x", DAL_ERR_INVALID, "has no port Stage");
    refused("numbers=/nowhere/x", DAL_ERR_IO, "port numbers: /nowhere/x: No such file");
    refused("sums=/nowhere/x", DAL_ERR_IO, "port sums: /nowhere/x cannot be written: No such file");
    refused("numbers=", DAL_ERR_INVALID, "FILE must say what it reads");
    refused("numbers=/tmp", DAL_ERR_IO, "port numbers: /tmp: Is a directory");
    snprintf(files, sizeof(files), "sums=%s\nnumbers=%s", path_of("new"), path_of("part"));
    refused(files, DAL_ERR_IO, "25 bytes are no whole number of tokens of 8");
}

/* Writes what ends within a token, or to what is full. Only the run that does so fails. */
static void one_of_three_fails(void)
{
    enum { RUNS = 3 };
    struct dal_run *runs[RUNS];
    int fd, i;
    write_numbers("in", TOKENS, 0);
    for (int full = 0; full < 2; full++) {
        fd = open_pipe("pipe");
        CU_ASSERT_EQUAL_FATAL(open_with(&runs[0], &nets[0], "in", "out"), DAL_OK);
        CU_ASSERT_EQUAL_FATAL(
            open_with(&runs[1], &nets[1], full ? "/dev/zero" : "pipe", full ? "/dev/full" : "none"),
            DAL_OK);
        CU_ASSERT_EQUAL_FATAL(open_with(&runs[2], &nets[2], "in", "out.npy"), DAL_OK);
        send_numbers(fd, 8);
        CU_ASSERT_EQUAL(write(fd, "abc", 3), 3);
        close(fd);
        for (i = 0; i < RUNS; i++)
            CU_ASSERT_EQUAL(dal_run_wait(runs[i], LONG), i == 1 ? DAL_ERR_IO : 1);
        CU_ASSERT_PTR_NOT_NULL(strstr(dal_run_message(runs[1]),
                                      full ? "port sums: /dev/full: cannot be written: No space"
                                           : "it ends within a token: the last one has 3 of 8"));
        for (i = 0; i < RUNS; i++)
            CU_ASSERT_EQUAL(dal_run_close(runs[i]), i == 1 ? DAL_ERR_IO : DAL_OK);
        CU_ASSERT_TRUE(count_sums("out", 0) == TOKENS && count_sums("out.npy", HEADER) == TOKENS);
        CU_ASSERT_EQUAL(count_sums("none", 0), -1);
        CU_ASSERT_TRUE(remove(path_of("out")) == 0 && remove(path_of("out.npy")) == 0 &&
                       remove(path_of("pipe")) == 0);
    }
}

/* A process that fails leaves no file either. */
static void a_process_fails(void)
{
    char files[300];
    const struct dal_run_options failing = {.files = files, .parameters = "Stage.fail=100"};
    struct dal_run *run;
    write_numbers("in", TOKENS, 0);
    snprintf(files, sizeof(files), "numbers=%s\nsums=%s", path_of("in"), path_of("none"));
    for (int i = 0; i < NETS; i++) {
        CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[i], &failing), DAL_OK);
        CU_ASSERT_EQUAL(dal_run_wait(run, LONG), DAL_ERR_PROCESS);
        CU_ASSERT_PTR_NOT_NULL(strstr(dal_run_message(run), "as it was told to"));
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_ERR_PROCESS);
        CU_ASSERT_EQUAL(count_sums("none", 0), -1);
    }
}

/* A file is where its name led when it was opened, though the program goes elsewhere. */
static void folder_is_changed(void)
{
    const struct dal_run_options options = {.files = "numbers=in\nsums=out"};
    char before[PATH_MAX];
    struct dal_run *run;
    write_numbers("in", TOKENS, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(before, sizeof(before)));
    for (int i = 0; i < NETS; i++) {
        CU_ASSERT_EQUAL_FATAL(chdir(folder), 0);
        CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &nets[i], &options), DAL_OK);
        CU_ASSERT_EQUAL_FATAL(chdir(before), 0);
        CU_ASSERT_EQUAL(dal_run_wait(run, LONG), 1);
        CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
        CU_ASSERT_EQUAL(count_sums("out", 0), TOKENS);
        CU_ASSERT_EQUAL(remove(path_of("out")), 0);
    }
}

static void says_nothing(void)
{
    struct capture said;
    CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
    not_opened();
    one_of_three_fails();
    a_process_fails();
    CU_ASSERT_STRING_EQUAL(capture_end(&said), "");
    capture_finish(&said);
}

/* ---- what is left behind --------------------------------------------------------------------- */

/* Opens, waits and closes; the file is whole, or not there. Returns the first error. */
static int run_files(const struct dal_net *net)
{
    struct dal_run *run;
    int status = open_with(&run, net, "in", "out.npy"), closed;
    if (status < 0)
        return status;
    status = dal_run_wait(run, LONG);
    closed = dal_run_close(run);
    CU_ASSERT_EQUAL(closed, status < 0 ? status : DAL_OK);
    CU_ASSERT_EQUAL(count_sums("out.npy", HEADER), status < 0 ? -1 : 8);
    return status < 0 ? status : DAL_OK;
}

/* The n-th allocation fails, for every n. */
static void allocations_fail(void)
{
    enum { UNTOUCHED = 20, MOST_PLACES = 2000 };
    unsigned long stride = suite_stride(), errors = 0, untouched, n;
    int entries, files;
    write_numbers("in", 8, 0);
    entries = count_entries(folder);
    files = count_entries("/proc/self/fd");
    for (int i = 0; i < NETS; i++) {
        untouched = 0;
        for (n = suite_first(); untouched < UNTOUCHED && n < MOST_PLACES; n += stride) {
            int status;
            dal_alloc_fail_at(n);
            status = run_files(&nets[i]);
            dal_alloc_fail_at(0);
            errors += status < 0;
            untouched = status < 0 ? 0 : untouched + stride;
            remove(path_of("out.npy"));
            CU_ASSERT_EQUAL(count_entries(folder), entries);
        }
        CU_ASSERT_TRUE(untouched >= UNTOUCHED);
    }
    CU_ASSERT_EQUAL(count_entries("/proc/self/fd"), files);
    CU_ASSERT_TRUE(errors > 5 / stride);
    printf("%lu places; ", errors);
}

/* A program whose standard input is closed: a file gets its number, and gives it back. */
static void no_standard_input(void)
{
    struct dal_run *run;
    int kept = dup(STDIN_FILENO);
    write_numbers("in", 8, 0);
    CU_ASSERT_EQUAL(close(STDIN_FILENO), 0);
    CU_ASSERT_EQUAL(open_with(&run, &nets[0], "in", "out.npy"), DAL_OK);
    CU_ASSERT_TRUE(fcntl(STDIN_FILENO, F_GETFD) >= 0);
    CU_ASSERT_EQUAL(dal_run_wait(run, LONG), 1);
    CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
    CU_ASSERT_EQUAL(fcntl(STDIN_FILENO, F_GETFD), -1);
    CU_ASSERT_TRUE(kept < 0 || (dup2(kept, STDIN_FILENO) == STDIN_FILENO && close(kept) == 0));
    CU_ASSERT_EQUAL(remove(path_of("out.npy")), 0);
}

int main(void)
{
    static const struct test tests[] = {
        {"all is in files", all_is_in_files},
        {"half is in files", half_is_in_files},
        {"stopped", stopped},
        {"stopped or broken", stopped_or_broken},
        {"nobody reads", nobody_reads},
        {"not opened", not_opened},
        {"one of three fails", one_of_three_fails},
        {"a process fails", a_process_fails},
        {"folder is changed", folder_is_changed},
        {"says nothing", says_nothing},
        {"allocations fail", allocations_fail},
        {"no standard input", no_standard_input},
    };
    int status;
    if (!mkdtemp(folder))
        return 1;
    status = run_suite("files at ports of dal_run", tests, sizeof(tests) / sizeof(tests[0]));
    remove(path_of("in"));
    remove(path_of("part"));
    return rmdir(folder) == 0 ? status : 1;
}
