/* The server's side of a check: starts it, ends it, and hands on what it tells. */
#define _GNU_SOURCE
#include "synth/lsp/check.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "rt/base/memory_stream.h"
#include "synth/lsp/message.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_OUTPUT = 256 << 20 };

/* Ends the process, which may have ended already. Returns how it did, as waitpid() says. */
static int end_process(struct dal_lsp_check *check, int signal)
{
    int how = 0;
    if (signal)
        kill(-check->started.pid, signal);
    close(check->started.output);
    while (waitpid(check->started.pid, &how, 0) < 0 && errno == EINTR)
        ;
    check->runs = 0;
    return how;
}

void dal_lsp_check_finish(struct dal_lsp_check *check)
{
    if (check->runs)
        end_process(check, SIGKILL);
    dal_free_all(check->output, check->told);
    dal_text_finish(&check->published);
}

int dal_lsp_check_start(struct dal_lsp_check *check, const struct dal_lsp_documents *documents)
{
    static const char *const name[] = {"the check", NULL};
    int status;
    if (check->runs)
        end_process(check, SIGKILL);
    check->length = 0;
    check->is_right = 0;
    check->child = (struct dal_child){.argv = name,
                                      .function = dal_lsp_check_run,
                                      .data = documents,
                                      .errors = "/dev/null",
                                      .limit_ns = DAL_LSP_CHECK_SECONDS * INT64_C(1000000000)};
    status = dal_child_start(&check->child, &check->started);
    check->runs = !status;
    return status;
}

/* ---- records -------------------------------------------------------------------------------- */

int dal_lsp_record_next(const char *output, size_t length, size_t *at, char kind,
                        struct dal_lsp_record *record)
{
    while (*at < length) {
        const char *line = output + *at, *end = memchr(line, '\n', length - *at);
        char *behind;
        if (!end)
            return 0;
        record->length = strtoul(line + 1, &behind, 10);
        record->name = behind + 1;
        record->name_length = (size_t)(end - record->name);
        record->text = end + 1;
        if (record->length > length - (size_t)(record->text - output))
            return 0;
        *at = (size_t)(record->text - output) + record->length;
        if (*line == kind)
            return 1;
    }
    return 0;
}

static int publish(const char *uri, size_t uri_length, const char *items, size_t length)
{
    struct dal_memory_stream stream;
    dal_memory_open(&stream);
    if (stream.file)
        fprintf(stream.file,
                "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":{"
                "\"uri\":%.*s,\"diagnostics\":[%.*s]}}",
                (int)uri_length, uri, (int)length, items);
    return dal_lsp_send(&stream);
}

/* Takes the messages of files away that have none any more. */
static int clear_others(const struct dal_text *before, const struct dal_text *now)
{
    const char *at = dal_text_get(before);
    int status = DAL_OK;
    while (*at && !status) {
        size_t length = strcspn(at, "\n");
        char *uri = dal_format("%.*s", (int)length, at);
        status = !uri                          ? DAL_ERR_NOMEM
                 : dal_text_list_has(now, uri) ? DAL_OK
                                               : publish(at, length, "", 0);
        dal_free(uri);
        at += length + (at[length] != '\0');
    }
    return status;
}

/* Sends the messages of a part of the output, in place of all that were sent before. */
static int publish_all(struct dal_lsp_check *check, const char *output, size_t length)
{
    struct dal_lsp_record record;
    struct dal_text now = {0};
    size_t at = 0;
    int status = DAL_OK;
    while (!status && dal_lsp_record_next(output, length, &at, 'P', &record)) {
        dal_text_list_add(&now, record.name, record.name_length);
        status = publish(record.name, record.name_length, record.text, record.length);
    }
    if (!status)
        status = clear_others(&check->published, &now);
    dal_text_finish(&check->published);
    check->published = now;
    return status;
}

/* As soon as the files of XML are right, what was wrong with them is taken away. Where they were
 * right before, messages about sources stay until the sources have been read again. */
static int publish_early(struct dal_lsp_check *check)
{
    struct dal_lsp_record record;
    size_t at = 0;
    if (check->is_right || !dal_lsp_record_next(check->output, check->length, &at, 'Q', &record))
        return DAL_OK;
    check->is_right = 1;
    return check->was_right ? DAL_OK : publish_all(check, check->output, at);
}

static int tell(const char *format, int number)
{
    struct dal_memory_stream stream;
    char text[200];
    snprintf(text, sizeof(text), format, number);
    dal_memory_open(&stream);
    if (stream.file)
        dal_json_format(stream.file,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"window/logMessage\",\"params\":{"
                        "\"type\":1,\"message\":%s}}",
                        text);
    return dal_lsp_send(&stream);
}

int dal_lsp_check_limit(struct dal_lsp_check *check)
{
    if (!check->runs || dal_now_ns() < check->started.deadline_ns)
        return DAL_OK;
    end_process(check, SIGKILL);
    return tell("the check takes more than %d s, and was ended", DAL_LSP_CHECK_SECONDS);
}

static int take_end(struct dal_lsp_check *check)
{
    int how = end_process(check, 0);
    struct dal_lsp_record record;
    size_t at = 0;
    if (WIFSIGNALED(how))
        return tell("the check was ended by signal %d: 'dal check' may tell more", WTERMSIG(how));
    if (WEXITSTATUS(how))
        return tell("the check has ended with status %d: 'dal check' may tell more",
                    WEXITSTATUS(how));
    dal_free(check->told);
    check->told = check->output;
    check->told_length = check->length;
    check->was_right = check->is_right;
    check->output = NULL;
    check->length = check->room = 0;
    dal_lsp_record_next(check->told, check->told_length, &at, 'Q', &record);
    at = check->is_right ? at : 0;
    return publish_all(check, check->told + at, check->told_length - at);
}

int dal_lsp_check_read(struct dal_lsp_check *check)
{
    enum { PART = 65536 };
    ssize_t count;
    while (check->room < check->length + PART)
        if (dal_grow(&check->output, check->room, &check->room, 1))
            return DAL_ERR_NOMEM;
    count = read(check->started.output, check->output + check->length, PART);
    if (count < 0 && errno == EINTR)
        return DAL_OK;
    check->length += count > 0 ? (size_t)count : 0;
    if (count > 0 && check->length < MOST_OUTPUT)
        return publish_early(check);
    return take_end(check);
}
