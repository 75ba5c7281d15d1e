#include "rt/observe/log_tail.h"

#include "rt/base/error.h"
#include "rt/base/json.h"
#include "rt/base/sync.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_MESSAGES = 8, MESSAGE_BYTES = 400, TRIES = 1000 };

static struct {
    pthread_mutex_t lock; /* protects the members below */
    struct message {
        enum dal_log_level level;
        char text[MESSAGE_BYTES];
    } list[MOST_MESSAGES];
    uint64_t count; /* of messages so far; the list has the last ones */
} log_tail = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A message of a signal's handler may come in the middle of another one of the same thread. It is
 * not kept then. */
static int may_keep(void)
{
    for (int i = 0; i < TRIES; i++) {
        if (pthread_mutex_trylock(&log_tail.lock) == 0)
            return 1;
        sched_yield();
    }
    return 0;
}

static void keep_message(enum dal_log_level level, const char *text)
{
    struct message *message;
    if (!may_keep())
        return;
    message = &log_tail.list[log_tail.count++ % MOST_MESSAGES];
    message->level = level;
    if (!memccpy(message->text, text, 0, sizeof(message->text)))
        message->text[sizeof(message->text) - 1] = 0;
    pthread_mutex_unlock(&log_tail.lock);
}

void dal__log_tail_print(FILE *file)
{
    uint64_t i;
    pthread_mutex_lock(&log_tail.lock);
    i = log_tail.count > MOST_MESSAGES ? log_tail.count - MOST_MESSAGES : 0;
    putc('[', file);
    for (; i < log_tail.count; i++) {
        const struct message *message = &log_tail.list[i % MOST_MESSAGES];
        fprintf(file, "[%" PRIu64 ", \"%s\", ", i, dal_log_level_name(message->level));
        dal_json_print(file, message->text);
        fputs(i + 1 < log_tail.count ? "], " : "]", file);
    }
    putc(']', file);
    pthread_mutex_unlock(&log_tail.lock);
}

void dal__log_tail_keep(void)
{
    dal_log_listen(keep_message);
}
