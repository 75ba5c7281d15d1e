#include "rt/observe/log_tail.h"

#include "rt/base/error.h"
#include "rt/base/json.h"
#include "rt/base/sync.h"

#include <inttypes.h>

enum { MOST_MESSAGES = 8, MESSAGE_BYTES = 400 };

static struct {
    pthread_mutex_t lock; /* protects the members below */
    struct message {
        enum dal_log_level level;
        char text[MESSAGE_BYTES];
    } list[MOST_MESSAGES];
    uint64_t count; /* of messages so far; the list has the last ones */
} log_tail = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void keep_message(enum dal_log_level level, const char *text)
{
    struct message *message;
    pthread_mutex_lock(&log_tail.lock);
    message = &log_tail.list[log_tail.count++ % MOST_MESSAGES];
    message->level = level;
    snprintf(message->text, sizeof(message->text), "%s", text);
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
