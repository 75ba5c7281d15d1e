#include "rt/observe/heard.h"

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
} heard = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void hear_message(enum dal_log_level level, const char *text)
{
    struct message *message;
    pthread_mutex_lock(&heard.lock);
    message = &heard.list[heard.count++ % MOST_MESSAGES];
    message->level = level;
    snprintf(message->text, sizeof(message->text), "%s", text);
    pthread_mutex_unlock(&heard.lock);
}

void dal__heard_print(FILE *file)
{
    uint64_t i;
    pthread_mutex_lock(&heard.lock);
    i = heard.count > MOST_MESSAGES ? heard.count - MOST_MESSAGES : 0;
    putc('[', file);
    for (; i < heard.count; i++) {
        const struct message *message = &heard.list[i % MOST_MESSAGES];
        fprintf(file, "[%" PRIu64 ", \"%s\", ", i, dal_log_level_name(message->level));
        dal_json_print(file, message->text);
        fputs(i + 1 < heard.count ? "], " : "]", file);
    }
    putc(']', file);
    pthread_mutex_unlock(&heard.lock);
}

void dal__heard_listen(void)
{
    dal_log_listen(hear_message);
}
