/* rt/base: messages of errors, allocation and its fault injection, overlays, cores, clock. */
#define _GNU_SOURCE
#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/clock.h"
#include "rt/base/cores.h"
#include "rt/base/error.h"
#include "rt/base/histogram.h"
#include "rt/base/json.h"
#include "rt/base/overlay.h"
#include "rt/base/pace.h"
#include "rt/base/sha256.h"
#include "rt/base/value.h"
#include "test/capture.h"
#include "test/suite.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void test_strerror(void)
{
    CU_ASSERT_STRING_EQUAL(dal_strerror(DAL_OK), "success");
    CU_ASSERT_STRING_EQUAL(dal_strerror(DAL_ERR_NODEVICE), "no such device");
    CU_ASSERT_STRING_EQUAL(dal_strerror(12345), "unknown error");
    CU_ASSERT_STRING_EQUAL(dal_strerror(-12345), "unknown error");
}

static void test_log(void)
{
    struct capture capture;
    CU_ASSERT_FATAL(capture_begin(&capture) == 0);
    dal_log_program("prog");
    dal_log(DAL_LOG_ERROR, "number %d", 7);
    dal_log(DAL_LOG_WARNING, "%s", "w");
    dal_log(DAL_LOG_NOTE, "n");
    CU_ASSERT_STRING_EQUAL(capture_end(&capture), "prog: error: number 7\n"
                                                  "prog: warning: w\n"
                                                  "prog: note: n\n");
    capture_finish(&capture);
}

/* A message that is too long ends in "..." and a newline, and is still one line. */
static void test_log_long(void)
{
    static char message[100000];
    struct capture capture;
    const char *text;
    size_t bytes;
    memset(message, 'x', sizeof(message) - 1);
    CU_ASSERT_FATAL(capture_begin(&capture) == 0);
    dal_log(DAL_LOG_ERROR, "%s", message);
    text = capture_end(&capture);
    bytes = strlen(text);
    CU_ASSERT(bytes > 1000 && bytes < sizeof(message));
    CU_ASSERT_STRING_EQUAL(text + bytes - 4, "...\n");
    CU_ASSERT(strchr(text, '\n') == text + bytes - 1);
    capture_finish(&capture);
}

static void test_alloc(void)
{
    char *memory = dal_alloc(10);
    unsigned char *zeroed = dal_calloc(3, 100);
    CU_ASSERT_FATAL(memory && zeroed);
    for (int i = 0; i < 300; i++)
        CU_ASSERT(zeroed[i] == 0);
    memcpy(memory, "123456789", 10);
    memory = dal_realloc(memory, 10, 10);
    CU_ASSERT_FATAL(memory != NULL);
    CU_ASSERT_STRING_EQUAL(memory, "123456789");
    dal_free(memory);
    dal_free(zeroed);
    dal_free(NULL);
}

/* Opaque to the compiler, which would warn about the sizes. */
static volatile size_t huge = SIZE_MAX / 2 + 1;

static void test_alloc_overflow(void)
{
    char *memory = dal_strdup("kept");
    CU_ASSERT_PTR_NULL(dal_calloc(huge, 2));
    CU_ASSERT_PTR_NULL(dal_realloc(memory, huge, 2));
    CU_ASSERT_STRING_EQUAL(memory, "kept");
    CU_ASSERT_PTR_NULL(dal_alloc_aligned(4096, huge * 2 - 5));
    dal_free(memory);
}

static void test_alloc_aligned(void)
{
    for (size_t alignment = 1; alignment <= 65536; alignment *= 2) {
        char *memory = dal_alloc_aligned(alignment, 100);
        CU_ASSERT_FATAL(memory != NULL);
        CU_ASSERT((uintptr_t)memory % alignment == 0);
        memset(memory, 1, (100 + alignment - 1) / alignment * alignment);
        dal_free(memory);
    }
}

static void test_alloc_text(void)
{
    char *copy = dal_strdup("text"), *made = dal_format("%s-%d", "a", 5);
    CU_ASSERT_STRING_EQUAL(copy, "text");
    CU_ASSERT_STRING_EQUAL(made, "a-5");
    dal_free(copy);
    dal_free(made);
}

static void test_grow(void)
{
    int *numbers = NULL;
    size_t room = 0;
    for (size_t count = 0; count < 1000; count++) {
        CU_ASSERT_FATAL(dal_grow(&numbers, count, &room, sizeof(*numbers)) == DAL_OK);
        CU_ASSERT(room > count);
        numbers[count] = (int)count;
    }
    for (int i = 0; i < 1000; i++)
        CU_ASSERT(numbers[i] == i);
    dal_free(numbers);
}

static void test_grow_fails(void)
{
    int *numbers = NULL;
    size_t room = 0;
    CU_ASSERT_FATAL(dal_grow(&numbers, 0, &room, sizeof(*numbers)) == DAL_OK);
    numbers[0] = 42;
    dal_alloc_fail_at(1);
    CU_ASSERT(dal_grow(&numbers, room, &room, sizeof(*numbers)) == DAL_ERR_NOMEM);
    CU_ASSERT(numbers[0] == 42);
    dal_free(numbers);
}

/* Every way to allocate counts, the n-th fails, and only that one. */
static void test_fail_at(void)
{
    for (unsigned long n = 1; n <= 6; n++) {
        void *made[6];
        dal_alloc_fail_at(n);
        made[0] = dal_alloc(1);
        made[1] = dal_calloc(1, 1);
        made[2] = dal_realloc(NULL, 1, 1);
        made[3] = dal_alloc_aligned(64, 1);
        made[4] = dal_strdup("x");
        made[5] = dal_format("x");
        for (unsigned long i = 0; i < 6; i++) {
            CU_ASSERT((made[i] == NULL) == (i + 1 == n));
            dal_free(made[i]);
        }
    }
}

static void test_fail_off(void)
{
    void *made;
    dal_alloc_fail_at(1);
    dal_alloc_fail_at(0);
    made = dal_alloc(1);
    CU_ASSERT_PTR_NOT_NULL(made);
    dal_free(made);
}

static void test_cores(void)
{
    struct dal_cores cores;
    CU_ASSERT_FATAL(dal_cores_init(&cores) == DAL_OK);
    CU_ASSERT(cores.count >= 1);
    for (size_t i = 1; i < cores.count; i++)
        CU_ASSERT(cores.numbers[i] > cores.numbers[i - 1]);
    CU_ASSERT(cores.l1_bytes >= 1024 && cores.l1_bytes <= 16 * 1024 * 1024);
    CU_ASSERT(cores.cache_bytes >= cores.l1_bytes);
    CU_ASSERT_PTR_NOT_NULL(cores.model);
    CU_ASSERT_PTR_NOT_NULL(cores.all);
    for (size_t i = 0; i < cores.count; i++)
        CU_ASSERT(cores.places[i].memory >= 0);
    dal_cores_finish(&cores);
}

static void test_near(void)
{
    static const struct {
        struct dal_core_place a, b;
        enum dal_near near;
    } cases[] = {
        {{0, 0, 0, 0}, {0, 0, 0, 0}, DAL_NEAR_L1},
        {{0, 0, 0, 0}, {1, 0, 0, 0}, DAL_NEAR_L2},
        {{0, 0, 0, 0}, {1, 1, 0, 0}, DAL_NEAR_L3},
        {{0, 0, 0, 0}, {1, 1, 1, 0}, DAL_NEAR_MEMORY},
        {{0, 0, 0, 0}, {1, 1, 1, 1}, DAL_NEAR_NOTHING},
        {{-1, 0, 0, 0}, {-1, 0, 0, 0}, DAL_NEAR_L2},
        {{-1, -1, -1, 2}, {-1, -1, -1, 2}, DAL_NEAR_MEMORY},
        {{-1, -1, -1, -1}, {-1, -1, -1, -1}, DAL_NEAR_NOTHING},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CU_ASSERT_EQUAL(dal_cores_near(&cases[i].a, &cases[i].b), cases[i].near);
        CU_ASSERT_EQUAL(dal_cores_near(&cases[i].b, &cases[i].a), cases[i].near);
    }
}

/* It is of the model and of all cores, and of nothing that differs between processes. */
static void test_cores_digest(void)
{
    char model[] = "A", all[] = "0-3";
    struct dal_cores cores = {.model = model, .all = all, .count = 4};
    char first[DAL_CORES_DIGEST], second[DAL_CORES_DIGEST];
    dal_cores_digest(&cores, first);
    /* printf 'A\0000-3\000' | sha256sum */
    CU_ASSERT_STRING_EQUAL(first, "5f87f14cd016a9062c0d4e84ad7e121f");
    cores.count = 1;
    dal_cores_digest(&cores, second);
    CU_ASSERT_STRING_EQUAL(first, second);
    model[0] = 'B';
    dal_cores_digest(&cores, second);
    CU_ASSERT_STRING_NOT_EQUAL(first, second);
    model[0] = 'A';
    all[2] = '7';
    dal_cores_digest(&cores, second);
    CU_ASSERT_STRING_NOT_EQUAL(first, second);
}

static void test_cores_no_memory(void)
{
    for (unsigned long n = 1; n <= 4; n++) {
        struct dal_cores cores;
        dal_alloc_fail_at(n);
        CU_ASSERT(dal_cores_init(&cores) == DAL_ERR_NOMEM);
        CU_ASSERT_PTR_NULL(cores.numbers);
    }
    dal_alloc_fail_at(0);
}

/* In a thread of its own, so that the rest of the suite stays unbound. */
static void *pin_to_last(void *last)
{
    int *core = last;
    if (dal_core_pin(*core) != DAL_OK || sched_getcpu() != *core)
        return last;
    if (dal_core_pin(60000) != DAL_ERR_UNSUPPORTED || dal_core_pin(-1) != DAL_ERR_UNSUPPORTED)
        return last;
    return sched_getcpu() == *core ? NULL : last;
}

static void test_pin(void)
{
    struct dal_cores cores;
    pthread_t thread;
    void *failed = NULL;
    CU_ASSERT_FATAL(dal_cores_init(&cores) == DAL_OK);
    CU_ASSERT_FATAL(pthread_create(&thread, NULL, pin_to_last, &cores.numbers[cores.count - 1]) ==
                    0);
    pthread_join(thread, &failed);
    CU_ASSERT_PTR_NULL(failed);
    dal_cores_finish(&cores);
}

/* The monotonic clock, in nanoseconds. */
static void test_clock(void)
{
    int64_t before = dal_now_ns();
    struct timespec wait = {.tv_nsec = 2000000}, between;
    nanosleep(&wait, NULL);
    CU_ASSERT_EQUAL(clock_gettime(CLOCK_MONOTONIC, &between), 0);
    CU_ASSERT(before + 2000000 <= (int64_t)between.tv_sec * 1000000000 + between.tv_nsec);
    CU_ASSERT((int64_t)between.tv_sec * 1000000000 + between.tv_nsec <= dal_now_ns());
}

/* ---- pace ------------------------------------------------------------------------------------ */

enum { SHORT_NS = DAL_PACE_SHORT_NS, LONG_NS = DAL_PACE_RANGE * SHORT_NS };

/* Where an activation is too short the next one is twice as long, or eight times where it is far
 * too short; half of it where it is too long; and never more than the most. */
static void test_pace_next(void)
{
    static const struct {
        uint64_t firings;
        int64_t time_ns;
        uint64_t next;
    } cases[] = {
        {100, 0, 800},
        {100, SHORT_NS / 8 - 1, 800},
        {100, SHORT_NS / 8, 200},
        {100, SHORT_NS - 1, 200},
        {100, SHORT_NS, 100},
        {100, LONG_NS, 100},
        {100, LONG_NS + 1, 50},
        {5, LONG_NS + 1, 3},
        {1, LONG_NS + 1, 1},
        {200, 0, 1000},
        {600, SHORT_NS - 1, 1000},
        {1000, 0, 1000},
        {1000, LONG_NS + 1, 500},
    };
    const struct dal_pace pace = {.most = 1000, .short_ns = SHORT_NS};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        CU_ASSERT_EQUAL(dal_pace_next(&pace, cases[i].firings, cases[i].time_ns), cases[i].next);
}

/* Of activations of the most firings few are measured, as of those with fewer than the pace; of one
 * firing at most, none. */
static void test_pace_measured(void)
{
    struct dal_pace pace = {100, 100, 0, SHORT_NS}, single = {1, 1, 0, SHORT_NS};
    struct dal_pace growing = {50, 100, 0, SHORT_NS}, waiting = {50, 100, 0, SHORT_NS};
    int measured = 0, of_few = 0;
    for (int i = 0; i < 10 * DAL_PACE_MEASURED; i++) {
        measured += dal_pace_begin(&pace, 100) != 0;
        of_few += dal_pace_begin(&waiting, 49) != 0;
        CU_ASSERT_EQUAL(dal_pace_begin(&single, 1), 0);
        CU_ASSERT_NOT_EQUAL(dal_pace_begin(&growing, 50), 0);
    }
    CU_ASSERT_EQUAL(measured, 10);
    CU_ASSERT_EQUAL(of_few, 10);
    dal_pace_end(&pace, 0, 100, 1, 0);
    CU_ASSERT_EQUAL(pace.firings, 100);
}

/* One that had to be asked to end has firings that have become slow: a single one is tried. */
static void test_pace_early(void)
{
    struct dal_pace pace = {64, 1000, 0, SHORT_NS};
    const int64_t long_ns = 1000000000;
    dal_pace_end(&pace, dal_now_ns() - long_ns, 64, 1, 0);
    CU_ASSERT_EQUAL(pace.firings, 32);
    dal_pace_end(&pace, dal_now_ns() + long_ns, 32, 1, 0); /* hardly any time */
    CU_ASSERT_EQUAL(pace.firings, 256);
    dal_pace_end(&pace, dal_now_ns() + long_ns, 256, 1, 1);
    CU_ASSERT_EQUAL(pace.firings, 1);
}

/* Copies share a pace. What began with the pace of before does not count once more. */
static void test_pace_of_copies(void)
{
    struct dal_pace pace = {1, 1000, 0, SHORT_NS};
    for (int i = 0; i < 16; i++)
        pace.firings = dal_pace_after(&pace, 1, SHORT_NS - 1);
    CU_ASSERT_EQUAL(pace.firings, 2);
    pace.firings = 8;
    CU_ASSERT_EQUAL(dal_pace_after(&pace, 1, 0), 8);
    CU_ASSERT_EQUAL(dal_pace_after(&pace, 64, LONG_NS + 1), 8);
    CU_ASSERT_EQUAL(dal_pace_after(&pace, 6, LONG_NS + 1), 3);
    CU_ASSERT_EQUAL(dal_pace_after(&pace, 0, LONG_NS + 1), 1);
}

/* With up to a dozen at once activations last as long as with one; with more, so long that the
 * turns of all fit four times. */
static void test_pace_of_many(void)
{
    struct dal_pace pace = {1, 1000, 0, dal_pace_short(64)};
    CU_ASSERT_EQUAL(dal_pace_short(1), SHORT_NS);
    CU_ASSERT_EQUAL(dal_pace_short(12), SHORT_NS);
    CU_ASSERT_EQUAL(dal_pace_short(16), 16 * DAL_PACE_TURN_NS);
    CU_ASSERT_EQUAL(dal_pace_next(&pace, 2, 2 * SHORT_NS), 4);
    CU_ASSERT_EQUAL(dal_pace_next(&pace, 2, 64 * DAL_PACE_TURN_NS), 2);
    CU_ASSERT_EQUAL(dal_pace_next(&pace, 8, DAL_PACE_RANGE * 64 * DAL_PACE_TURN_NS + 1), 4);
}

/* Runs a line of shell: the status, and what it wrote. */
static int run_shell(const char *line, const char *errors, int64_t limit_ns, char **output)
{
    const char *argv[] = {"sh", "-c", line, NULL};
    struct dal_child child = {.argv = argv, .folder = "/", .errors = errors, .limit_ns = limit_ns};
    return dal_child_run(&child, output);
}

/* In the copy of this program. */
static int write_data(const void *data)
{
    return write(STDOUT_FILENO, data, strlen(data)) == 3 ? 7 : 1;
}

static void test_child(void)
{
    const char *missing[] = {"/nonexistent/program", NULL};
    const char *letters[] = {"echo", "abc", NULL};
    char *output;
    signal(SIGCHLD, SIG_IGN); /* what started this may have done so */
    CU_ASSERT_FATAL(dal_child_guard() == DAL_OK);
    CU_ASSERT_EQUAL(run_shell("cat; pwd; echo two >&2; exit 3", NULL, 0, &output), 3);
    CU_ASSERT_STRING_EQUAL(output, "/\ntwo\n");
    dal_free(output);
    CU_ASSERT_EQUAL(run_shell("echo one; echo two >&2", "/dev/null", 0, &output), 0);
    CU_ASSERT_STRING_EQUAL(output, "one\n");
    dal_free(output);
    CU_ASSERT_EQUAL(run_shell("", NULL, 0, &output), 0);
    CU_ASSERT_STRING_EQUAL(output, "");
    dal_free(output);
    CU_ASSERT_EQUAL(run_shell("yes | head -c 1500000", NULL, 0, &output), 0);
    CU_ASSERT_EQUAL(strlen(output), 1 << 20);
    dal_free(output);
    CU_ASSERT_EQUAL(dal_child_run(&(struct dal_child){.argv = letters, .most = 2}, &output), 0);
    CU_ASSERT_STRING_EQUAL(output, "ab");
    dal_free(output);
    CU_ASSERT_EQUAL(
        dal_child_run(&(struct dal_child){.argv = missing, .function = write_data, .data = "abc"},
                      &output),
        7);
    CU_ASSERT_STRING_EQUAL(output, "abc");
    dal_free(output);
    CU_ASSERT_EQUAL(dal_child_run(&(struct dal_child){.argv = missing}, &output), 127);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "cannot run /nonexistent/program: "));
    dal_free(output);
    dal_alloc_fail_at(1);
    CU_ASSERT_EQUAL(run_shell("sleep 100", NULL, 0, &output), DAL_ERR_NOMEM);
    CU_ASSERT_PTR_NULL(output);
    dal_alloc_fail_at(0);
}

static void interrupt_parent(void)
{
    raise(SIGINT); /* held back until it waits for the child */
}

/* Longer than it takes to find out, and to tell the child. */
static void delay_child(void)
{
    const struct timespec pause = {.tv_nsec = 200 * 1000 * 1000};
    nanosleep(&pause, NULL);
}

/* In a copy of this program, for a signal stays known. Whether the child has begun is what it
 * writes to descriptor 9. */
static int interrupt_early(const void *data)
{
    char *output, begun;
    int ends[2];
    (void)data;
    if (pipe(ends) || dup2(ends[1], 9) < 0 || close(ends[1]) || dal_child_guard() ||
        pthread_atfork(interrupt_parent, NULL, delay_child))
        return 1;
    if (run_shell("echo begun >&9; exec sleep 100", NULL, 0, &output) != DAL_ERR_INTERRUPTED)
        return 2;
    return close(9) || read(ends[0], &begun, 1) ? 3 : 0;
}

/* As when a user types Ctrl-C: a child that has not begun does not begin. */
static void test_child_ends_early(void)
{
    const char *name[] = {"interrupt_early", NULL};
    const struct dal_child child = {.argv = name, .function = interrupt_early};
    char *output;
    CU_ASSERT_EQUAL(dal_child_run(&child, &output), 0);
    dal_free(output);
}

/* What is ended is ended with its own children. The last test: a signal stays known. */
static void test_child_ends(void)
{
    int64_t start_ns = dal_now_ns();
    struct capture capture;
    char *output;
    CU_ASSERT_FATAL(capture_begin(&capture) == 0);
    CU_ASSERT_EQUAL(run_shell("kill -KILL $$", NULL, 0, &output), DAL_ERR_SYSTEM);
    CU_ASSERT_PTR_NULL(output);
    CU_ASSERT_EQUAL(run_shell("sleep 100; :", NULL, 20000000, &output), DAL_ERR_LIMIT);
    CU_ASSERT_PTR_NULL(output);
    CU_ASSERT_EQUAL(dal_child_interrupted(), 0);
    CU_ASSERT_EQUAL(run_shell("kill -INT $PPID; sleep 100; :", NULL, 0, &output),
                    DAL_ERR_INTERRUPTED);
    CU_ASSERT_PTR_NULL(output);
    CU_ASSERT_EQUAL(dal_child_interrupted(), SIGINT);
    CU_ASSERT_EQUAL(run_shell(":", NULL, 0, &output), DAL_ERR_INTERRUPTED);
    CU_ASSERT_STRING_EQUAL(capture_end(&capture), "prog: error: sh was ended by signal 9 (Killed)\n"
                                                  "prog: error: sh takes too long\n");
    capture_finish(&capture);
    CU_ASSERT(dal_now_ns() - start_ns < 50000000000);
}

/* "abc" and the longer message of FIPS 180-4's examples, nothing, and a million times "a"; also in
 * pieces. */
static void check_digest(const char *text, size_t times, size_t piece, const char *expected)
{
    unsigned char digest[DAL_SHA256_BYTES];
    char written[2 * DAL_SHA256_BYTES + 1];
    struct dal_sha256 sha;
    dal_sha256_begin(&sha);
    for (size_t i = 0; i < times; i++)
        for (size_t at = 0; at < strlen(text); at += piece) {
            size_t left = strlen(text) - at;
            dal_sha256_add(&sha, text + at, left < piece ? left : piece);
        }
    dal_sha256_end(&sha, digest);
    dal_sha256_hex(digest, 2 * DAL_SHA256_BYTES, written);
    CU_ASSERT_STRING_EQUAL(written, expected);
}

static void test_sha256(void)
{
    static const char longer[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    check_digest("", 1, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check_digest("abc", 1, 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    for (size_t piece = 1; piece <= sizeof(longer); piece++)
        check_digest(longer, 1, piece,
                     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check_digest("aaaaaaaaaa", 100000, 10,
                 "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void test_json(void)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    dal_json_print(out, "a \"b\" \\ \n\x1f \xc3\xa4");
    dal_json_print_text(out, "\"");
    fclose(out);
    CU_ASSERT_STRING_EQUAL(text, "\"a \\\"b\\\" \\\\ \\u000a\\u001f \xc3\xa4\"\\\"");
    free(text);
    out = open_memstream(&text, &bytes);
    dal_json_format(out, "{%s:%-s,%s:[%d,%u,%ld,%lu,%lld,%llu,%zu]}%.0f|%.3f", "a\n", "b\n", "", -1,
                    4000000000u, -2l, 3ul, -5000000000ll, 18446744073709551615ull, (size_t)7, 2.6,
                    -0.12345);
    dal_json_print(out, NULL);
    dal_json_print(out, "\x7f\xff\xc3(");
    fclose(out);
    CU_ASSERT_STRING_EQUAL(text, "{\"a\\u000a\":b\n,\"\":[-1,4000000000,-2,3,-5000000000,"
                                 "18446744073709551615,7]}3|-0.123\"\"\"\\u007f\\ufffd\\ufffd(\"");
    free(text);
}

/* A number's text for a type of this many bytes; `expected` for one that the type has. */
static void check_number(const char *text, int is_real, int is_signed, size_t bytes, int status,
                         double expected)
{
    union {
        int32_t i;
        uint32_t u;
        int64_t l;
        uint64_t ul;
        float f;
        double d;
        char bytes[16];
    } value;
    double found;
    memset(&value, 0x55, sizeof(value));
    CU_ASSERT_EQUAL(dal_value_parse(text, is_real, is_signed, bytes, &value), status);
    CU_ASSERT_EQUAL(value.bytes[bytes], 0x55);
    if (status != DAL_OK)
        return;
    if (is_real)
        found = bytes == 4 ? (double)value.f : value.d;
    else if (is_signed)
        found = bytes == 4 ? (double)value.i : (double)value.l;
    else
        found = bytes == 4 ? (double)value.u : (double)value.ul;
    CU_ASSERT_EQUAL(found, expected);
}

static void test_value(void)
{
    static const char *const none[] = {"",   " 1",  "1 ",  "1x",   "-",  "+-1", "x",
                                       "0x", "nan", "inf", "-inf", "1e", ".",   "--1"};
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
        for (int type = 0; type < 6; type++)
            check_number(none[i], type / 2 == 2, type / 2 == 1, type % 2 ? 4 : 8, DAL_ERR_INVALID,
                         0);
    check_number("1.5", 0, 1, 4, DAL_ERR_INVALID, 0);
    check_number("0x10", 0, 1, 4, DAL_OK, 16);
    check_number("+010", 0, 0, 4, DAL_OK, 8);
    check_number("2147483647", 0, 1, 4, DAL_OK, 2147483647);
    check_number("2147483648", 0, 1, 4, DAL_ERR_LIMIT, 0);
    check_number("-2147483648", 0, 1, 4, DAL_OK, -2147483648.);
    check_number("-2147483649", 0, 1, 4, DAL_ERR_LIMIT, 0);
    check_number("4294967295", 0, 0, 4, DAL_OK, 4294967295.);
    check_number("4294967296", 0, 0, 4, DAL_ERR_LIMIT, 0);
    check_number("-0", 0, 0, 4, DAL_OK, 0);
    check_number("-1", 0, 0, 8, DAL_ERR_LIMIT, 0);
    check_number("-9223372036854775808", 0, 1, 8, DAL_OK, -9223372036854775808.);
    check_number("9223372036854775808", 0, 1, 8, DAL_ERR_LIMIT, 0);
    check_number("18446744073709551615", 0, 0, 8, DAL_OK, 18446744073709551615.);
    check_number("18446744073709551616", 0, 0, 8, DAL_ERR_LIMIT, 0);
    check_number("-.5e1", 1, 1, 4, DAL_OK, -5);
    check_number("0x1p-1", 1, 1, 8, DAL_OK, 0.5);
    check_number("16777217", 1, 1, 4, DAL_OK, 16777216);
    check_number("1e39", 1, 1, 4, DAL_ERR_LIMIT, 0);
    check_number("1e39", 1, 1, 8, DAL_OK, 1e39);
    check_number("1e309", 1, 1, 8, DAL_ERR_LIMIT, 0);
    check_number("1e-400", 1, 1, 8, DAL_OK, 0);
}

/* Small ones begin with a page, large ones with a huge page; nothing but zeros. */
static void test_pages(void)
{
    const size_t sizes[] = {1, 4096, 100000, 2u << 20, (6u << 20) + 1};
    size_t k;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        unsigned char *memory = dal_alloc_pages(sizes[i]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
        CU_ASSERT_EQUAL((uintptr_t)memory % (sizes[i] < 2u << 20 ? 4096 : 2u << 20), 0);
        CU_ASSERT(dal_pages_held() >= sizes[i]);
        dal_ask_huge_pages(memory, sizes[i]);
        dal_ask_huge_pages(memory + sizes[i] / 2, sizes[i] / 2);
        for (k = 0; k < sizes[i] && memory[k] == 0; k++)
            memory[k] = 1;
        CU_ASSERT_EQUAL(k, sizes[i]);
        dal_free_pages(memory, sizes[i]);
        CU_ASSERT_EQUAL(dal_pages_held(), 0);
    }
    CU_ASSERT_PTR_NULL(dal_alloc_pages(0));
    CU_ASSERT_PTR_NULL(dal_alloc_pages(SIZE_MAX));
    CU_ASSERT_PTR_NULL(dal_alloc_pages(SIZE_MAX / 2));
    dal_free_pages(NULL, 0);
    dal_alloc_fail_at(1);
    CU_ASSERT_PTR_NULL(dal_alloc_pages(1));
    CU_ASSERT_EQUAL(dal_pages_held(), 0);
}

/* Two that live at the same time, or that have slots of two sizes, share no byte. */
static void check_overlays(const struct dal_overlay_user *users, int count, uint64_t block,
                           size_t bytes)
{
    for (int i = 0; i < count; i++) {
        const struct dal_overlay_user *a = &users[i];
        CU_ASSERT_EQUAL(a->place % 64, 0);
        CU_ASSERT(a->place + block * a->firing_bytes <= bytes);
        for (int k = 0; k < i; k++) {
            const struct dal_overlay_user *b = &users[k];
            int apart = a->place + block * a->firing_bytes <= b->place ||
                        b->place + block * b->firing_bytes <= a->place;
            int later = b->to < a->from || a->to < b->from;
            int alike = a->firing_bytes == b->firing_bytes || block == 1;
            CU_ASSERT(apart || (later && alike));
        }
    }
}

/* Channels by chance; of one size they need as many overlays as live at once. */
static void test_overlays(void)
{
    enum { USERS = 12, PROCESSES = 8 };
    struct dal_overlay_user users[USERS];
    unsigned draw = 1;
    int most;
    size_t bytes;
    for (unsigned round = 0; round < 2000; round++) {
        uint64_t block = 1 + round % 3;
        int alike = round % 2;
        for (int i = 0; i < USERS; i++) {
            draw = draw * 1664525 + 1013904223;
            users[i].from = i * (PROCESSES - 1) / USERS;
            users[i].to = users[i].from + 1 + (int)(draw >> 16) % (PROCESSES - 1 - users[i].from);
            users[i].firing_bytes = alike ? 100 : 4u << (draw >> 8) % 6;
        }
        CU_ASSERT_EQUAL(dal_overlays_place(users, USERS, block, &bytes), DAL_OK);
        check_overlays(users, USERS, block, bytes);
        for (int k = most = 0; k < PROCESSES; k++) {
            int live = 0;
            for (int i = 0; i < USERS; i++)
                live += users[i].from <= k && k <= users[i].to;
            most = live > most ? live : most;
        }
        if (alike)
            CU_ASSERT_EQUAL(bytes, (size_t)most * ((block * 100 + 63) / 64 * 64));
    }
    for (int i = 1; i <= 2; i++) {
        dal_alloc_fail_at((unsigned long)i);
        CU_ASSERT_EQUAL(dal_overlays_place(users, USERS, 1, &bytes), DAL_ERR_NOMEM);
        CU_ASSERT_EQUAL(bytes, 0);
    }
}

/* One that is asked to end may do so in its own way; one that does not is killed. */
static void test_child_asked(void)
{
    static const char *const polite[] = {
        "sh", "-c", "trap 'echo asked; exit 3' INT; while :; do sleep 0.01; done", NULL};
    static const char *const deaf[] = {"sh", "-c", "trap '' INT; while :; do sleep 0.01; done",
                                       NULL};
    struct dal_child child = {
        .argv = polite, .ask_ns = 1000 * 1000 * 1000, .limit_ns = 60 * INT64_C(1000000000)};
    struct capture said;
    char *output;
    struct sigaction before;
    for (int is_ignored = 0; is_ignored < 2; is_ignored++) { /* by this program, as in a script */
        CU_ASSERT_EQUAL(sigaction(SIGINT, NULL, &before), 0);
        if (is_ignored)
            signal(SIGINT, SIG_IGN);
        CU_ASSERT_EQUAL(dal_child_run(&child, &output), 3);
        CU_ASSERT(output && strcmp(output, "asked\n") == 0);
        dal_free(output);
        CU_ASSERT_EQUAL(sigaction(SIGINT, &before, NULL), 0);
    }
    child.argv = deaf;
    child.limit_ns = 2 * child.ask_ns;
    CU_ASSERT_FATAL(capture_begin(&said) == 0);
    CU_ASSERT_EQUAL(dal_child_run(&child, &output), DAL_ERR_LIMIT);
    CU_ASSERT(strstr(capture_end(&said), "sh did not end when it was asked to (SIGINT)") != NULL);
    capture_finish(&said);
}

/* ---- histograms ------------------------------------------------------------------------------ */

static struct dal_histogram histogram;

/* Of values that are counted without error, within 2 %. */
static int is_near(double found, double exact)
{
    return found >= 0.98 * exact && found <= 1.02 * exact;
}

static int has_quantiles(double p10, double median, double p99)
{
    return is_near(dal_histogram_quantile(&histogram, 0.1), p10) &&
           is_near(dal_histogram_quantile(&histogram, 0.5), median) &&
           is_near(dal_histogram_quantile(&histogram, 0.99), p99);
}

/* Empty but for a first sample, which does not count. */
static void begin_histogram(void)
{
    histogram = (struct dal_histogram){0};
    dal_histogram_add(&histogram, 1e9, 1);
}

/* 1 to 10000, each once: the quantiles are known; of all magnitudes, from a tenth on. */
static void test_histogram_quantiles(void)
{
    double unit, i;
    for (unit = 0.1; unit < 1e8; unit *= 3.7) {
        begin_histogram();
        for (i = 10000; i > 0; i--)
            dal_histogram_add(&histogram, i * unit, 1);
        CU_ASSERT(has_quantiles(1000 * unit, 5000 * unit, 9900 * unit));
        CU_ASSERT(is_near(dal_histogram_mean(&histogram), 5000.5 * unit));
        CU_ASSERT_EQUAL(dal_histogram_count(&histogram), 10000);
    }
}

/* 2^0, 2^0.001, ...: as many in each octave. */
static void test_histogram_octaves(void)
{
    double value = 1;
    begin_histogram();
    for (int i = 0; i < 30000; i++, value *= 1.00069338746258) /* 2^(1/1000) */
        dal_histogram_add(&histogram, value, 1);
    CU_ASSERT(has_quantiles(8, 32768, 872202000)); /* 2^3, 2^15, 2^29.7 */
}

/* A sample counts for all of its firings: 900 of 2 and 100 of 50, however they are measured. */
static void test_histogram_weights(void)
{
    begin_histogram();
    dal_histogram_add(&histogram, 900 * 2, 900);
    for (int i = 0; i < 10; i++)
        dal_histogram_add(&histogram, 500, 10);
    dal_histogram_add(&histogram, 12345, 0);
    CU_ASSERT(has_quantiles(2, 2, 50));
    CU_ASSERT(is_near(dal_histogram_quantile(&histogram, 0.899), 2));
    CU_ASSERT(is_near(dal_histogram_quantile(&histogram, 0.901), 50));
    CU_ASSERT(is_near(dal_histogram_mean(&histogram), 6.8));
    CU_ASSERT_EQUAL(dal_histogram_count(&histogram), 1000);
}

/* Values that all are the same are found exactly, also where no bucket is fine enough. */
static void test_histogram_ends(void)
{
    static const double values[] = {0, 0.001, 0.0625, 1, 47.3, 1e12, 1e15};
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        begin_histogram();
        dal_histogram_add(&histogram, 3 * values[i], 3);
        CU_ASSERT_DOUBLE_EQUAL(dal_histogram_quantile(&histogram, 0), values[i], 1e-15 * values[i]);
        CU_ASSERT_DOUBLE_EQUAL(dal_histogram_quantile(&histogram, 1), values[i], 1e-15 * values[i]);
    }
    begin_histogram();
    dal_histogram_add(&histogram, -5, 1); /* of a clock that went back */
    CU_ASSERT(dal_histogram_mean(&histogram) == 0 && dal_histogram_quantile(&histogram, 0.5) == 0);
}

/* The first sample counts only by itself; of several histograms, so do their first samples. */
static void test_histogram_first(void)
{
    struct dal_histogram *all = dal_calloc(1, sizeof(*all));
    CU_ASSERT_FATAL(all != NULL);
    CU_ASSERT(dal_histogram_count(all) == 0 && dal_histogram_mean(all) == 0);
    CU_ASSERT(dal_histogram_quantile(all, 0.5) == 0);
    begin_histogram();
    dal_histogram_merge(all, &histogram);
    dal_histogram_merge(all, &histogram);
    CU_ASSERT_EQUAL(dal_histogram_count(all), 2);
    CU_ASSERT(dal_histogram_mean(all) == 1e9 && dal_histogram_quantile(all, 0.1) == 1e9);
    dal_histogram_add(&histogram, 10, 2);
    dal_histogram_merge(all, &histogram);
    begin_histogram();
    dal_histogram_add(&histogram, 7, 1);
    dal_histogram_merge(all, &histogram);
    CU_ASSERT_EQUAL(dal_histogram_count(all), 3);
    CU_ASSERT(is_near(dal_histogram_mean(all), 17.0 / 3));
    CU_ASSERT(dal_histogram_quantile(all, 0) == 5 && dal_histogram_quantile(all, 1) == 7);
    dal_free(all);
}

enum { LOOKED_AT = 200000 };

static void *add_meanwhile(void *nothing)
{
    for (int i = 0; i < LOOKED_AT; i++)
        dal_histogram_add_one(&histogram, 100 + i % 100);
    return nothing;
}

/* Whoever looks while another thread adds finds what was there some moment ago. */
static void test_histogram_looks(void)
{
    uint64_t before = 0, count;
    pthread_t thread;
    histogram = (struct dal_histogram){0};
    CU_ASSERT_FATAL(pthread_create(&thread, NULL, add_meanwhile, NULL) == 0);
    do {
        double median = dal_histogram_quantile(&histogram, 0.5);
        count = dal_histogram_count(&histogram);
        CU_ASSERT(count >= before && (before == 0 || (median >= 100 && median < 200)));
        before = count;
    } while (count < LOOKED_AT);
    pthread_join(thread, NULL);
    CU_ASSERT(is_near(dal_histogram_quantile(&histogram, 0.5), 150));
}

int main(void)
{
    static const struct test tests[] = {
        {"pages", test_pages},
        {"overlays", test_overlays},
        {"text of an error", test_strerror},
        {"log", test_log},
        {"log cuts a long message", test_log_long},
        {"allocate", test_alloc},
        {"overflow of a size", test_alloc_overflow},
        {"alignment", test_alloc_aligned},
        {"strings", test_alloc_text},
        {"grow", test_grow},
        {"grow without memory", test_grow_fails},
        {"the n-th allocation fails", test_fail_at},
        {"fault injection turned off", test_fail_off},
        {"cores", test_cores},
        {"cores that are near", test_near},
        {"digest of cores", test_cores_digest},
        {"cores without memory", test_cores_no_memory},
        {"bind to a core", test_pin},
        {"clock", test_clock},
        {"firings by the time that they take", test_pace_next},
        {"few activations are measured", test_pace_measured},
        {"an activation that is asked to end", test_pace_early},
        {"pace of copies", test_pace_of_copies},
        {"pace of many copies", test_pace_of_many},
        {"SHA-256", test_sha256},
        {"text in JSON", test_json},
        {"numbers in text", test_value},
        {"quantiles of a histogram", test_histogram_quantiles},
        {"quantiles of many octaves", test_histogram_octaves},
        {"what counts often in a histogram", test_histogram_weights},
        {"the ends of a histogram", test_histogram_ends},
        {"first samples of histograms", test_histogram_first},
        {"a histogram that is looked at", test_histogram_looks},
        {"child", test_child},
        {"child that is asked to end", test_child_asked},
        {"child that is ended before it begins", test_child_ends_early},
        {"child that is ended", test_child_ends},
    };
    return run_suite("base", tests, sizeof(tests) / sizeof(tests[0]));
}
