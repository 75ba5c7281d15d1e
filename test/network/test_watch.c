/*
 * What the monitor makes of what runs (rt/watch/watchdog.h): looks at processes that the test has
 * begin and end, after sleeps as long as it says.
 */
#include "rt/network/network.h"
#include "rt/watch/watchdog.h"

#include "test/capture.h"
#include "test/suite.h"

#include <string.h>

enum { PROCESSES = 2, COPIES = 2 };

static const int64_t MS = 1000000;

static struct dal_process_desc descs[PROCESSES];
static struct dal_process processes[PROCESSES];
static struct dal_copy copies[PROCESSES][COPIES];
static struct dal_net net = {.name = "n", .processes = descs, .process_count = PROCESSES};
static struct dal_network network;
static struct dal_watchdog watch;
static unsigned calls;               /* of the KPN process */
static const struct dal_end *asleep; /* where it sleeps */
static const struct dal_end somewhere;

static const struct dal_end *sleeps_at(const struct dal_process *process)
{
    (void)process;
    return asleep;
}

static unsigned progress(const struct dal_process *process)
{
    (void)process;
    return calls;
}

static const struct dal_process_ops thread_ops = {
    .has_thread = 1, .sleeps_at = sleeps_at, .progress = progress};

static void begin_watch(const struct dal_process_ops *ops, int64_t report_ns)
{
    memset(descs, 0, sizeof(descs));
    memset(processes, 0, sizeof(processes));
    memset(copies, 0, sizeof(copies));
    for (int i = 0; i < PROCESSES; i++) {
        descs[i].name = i ? "b" : "a";
        processes[i].desc = &descs[i];
        processes[i].ops = ops;
        processes[i].host.copies = copies[i];
        processes[i].host.copy_count = COPIES;
    }
    network.net = network.whole = &net;
    network.processes = processes;
    asleep = NULL;
    calls = 0;
    CU_ASSERT_EQUAL_FATAL(dal_watchdog_init(&watch, &network, report_ns), DAL_OK);
}

static void end(void)
{
    dal_watchdog_finish(&watch);
}

static int is_hurried(int process, int copy)
{
    return copies[process][copy].activation.enough;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* An activation that has been seen for a tenth of a second is asked to end, and no other. */
static void hurried(void)
{
    begin_watch(&dal_process_c, 0);
    dal_copy_turn(&copies[0][1]);
    dal_watchdog_look(&watch, 500 * MS); /* it may have begun just now */
    dal_watchdog_look(&watch, 99 * MS);
    CU_ASSERT_FALSE(is_hurried(0, 1));
    dal_watchdog_look(&watch, 1 * MS);
    CU_ASSERT(is_hurried(0, 1));
    CU_ASSERT_FALSE(is_hurried(0, 0) || is_hurried(1, 0) || is_hurried(1, 1));
    end();
}

/* The next one begins anew; in a pause no time passes. */
static void begun_anew(void)
{
    begin_watch(&dal_process_c, 0);
    dal_copy_turn(&copies[0][0]);
    dal_watchdog_look(&watch, 10 * MS);
    dal_watchdog_look(&watch, 99 * MS);
    dal_copy_turn(&copies[0][0]);
    dal_copy_turn(&copies[0][0]);
    dal_watchdog_look(&watch, 99 * MS);
    CU_ASSERT_FALSE(is_hurried(0, 0));
    dal_watchdog_look(&watch, 99 * MS);
    dal_watchdog_look(&watch, 0);
    CU_ASSERT_FALSE(is_hurried(0, 0));
    dal_watchdog_look(&watch, 1 * MS);
    CU_ASSERT(is_hurried(0, 0));
    end();
}

/* Of a KPN process each call of DAL_read or DAL_write is progress, and sleep there is no time. */
static void threads(void)
{
    begin_watch(&thread_ops, 0);
    dal_copy_turn(&copies[0][0]);
    dal_watchdog_look(&watch, 10 * MS);
    dal_watchdog_look(&watch, 99 * MS);
    calls++;
    dal_watchdog_look(&watch, 99 * MS);
    CU_ASSERT_FALSE(is_hurried(0, 0));
    asleep = &somewhere;
    dal_watchdog_look(&watch, 500 * MS);
    CU_ASSERT_FALSE(is_hurried(0, 0));
    asleep = NULL;
    dal_watchdog_look(&watch, 100 * MS);
    CU_ASSERT(is_hurried(0, 0));
    end();
}

/* Who begins or comes back has moved: but for a KPN process, whose tokens tell. */
static void turned(void)
{
    begin_watch(&dal_process_c, 0);
    dal_watchdog_look(&watch, MS);
    CU_ASSERT_FALSE(watch.turned);
    dal_copy_turn(&copies[1][1]);
    dal_watchdog_look(&watch, MS);
    CU_ASSERT(watch.turned);
    dal_watchdog_look(&watch, MS);
    CU_ASSERT_FALSE(watch.turned);
    end();
    begin_watch(&thread_ops, 0);
    dal_copy_turn(&copies[1][1]);
    dal_watchdog_look(&watch, MS);
    CU_ASSERT_FALSE(watch.turned);
    end();
}

/* What does not return is reported each time that so long has passed; not of a process with effects
 * outside, whose longest firing is told. */
static void reported(void)
{
    struct capture capture;
    const char *said;
    begin_watch(&dal_process_c, 1000 * MS);
    descs[1].io = 1;
    dal_copy_turn(&copies[0][0]);
    dal_copy_turn(&copies[1][0]);
    dal_watchdog_look(&watch, MS);
    dal_copy_turn(&copies[1][1]);
    CU_ASSERT_EQUAL_FATAL(capture_begin(&capture), 0);
    dal_watchdog_look(&watch, 900 * MS);
    said = capture_end(&capture);
    CU_ASSERT_STRING_EQUAL(said, "");
    capture_finish(&capture);
    CU_ASSERT_EQUAL(watch.io_ns, 900 * MS);
    CU_ASSERT_EQUAL_FATAL(capture_begin(&capture), 0);
    dal_watchdog_look(&watch, 900 * MS);
    dal_watchdog_look(&watch, 100 * MS);
    said = capture_end(&capture);
    CU_ASSERT_STRING_EQUAL(said,
                           "dal: warning: process a: its firing has not returned for 1.8 s\n");
    capture_finish(&capture);
    CU_ASSERT_EQUAL(watch.io_ns, 1900 * MS);
    end();
}

static void all_hurried(void)
{
    begin_watch(&dal_process_c, 0);
    dal_watchdog_hurry(&network);
    CU_ASSERT(is_hurried(0, 0) && is_hurried(0, 1) && is_hurried(1, 0) && is_hurried(1, 1));
    end();
}

int main(void)
{
    static const struct test tests[] = {
        {"a long activation is asked to end", hurried},
        {"the next one begins anew", begun_anew},
        {"KPN processes", threads},
        {"who has moved", turned},
        {"what does not return", reported},
        {"all are asked to end", all_hurried},
    };
    return run_suite("watch", tests, sizeof(tests) / sizeof(tests[0]));
}
