#include "spec/read/recording.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/token.h"
#include "spec/base/file.h"
#include "spec/base/limits.h"
#include "spec/read/members.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };
static const char mark[] = "{\"recording\":"; /* each begins so */
#define MOST 9e15                             /* a double holds it */

/* As it stands in the file. */
struct entry {
    struct dal_recording recording;
    char kind[2];
    double order, offset, count, token_bytes, most, header_bytes, rate, tokens;
};

static void read_input(struct dal_json *json, struct dal_recording_input *input)
{
    int count = 0, place = 0;
    dal_json_begin(json, '[', "an input");
    while (dal_json_next(json, '[', &count)) {
        if (place++ == 0)
            dal_json_string(json, input->of, sizeof(input->of), "an input");
        else if (place == 2)
            input->rate = (uint64_t)dal_json_number(json, 0, MOST, "its rate");
        else
            input->initial = (uint64_t)dal_json_number(json, 0, MOST, "its initial tokens");
    }
}

static void read_inputs(struct dal_json *json, void *to)
{
    struct dal_recording *recording = to;
    struct dal_recording_input unused;
    int count = 0;
    dal_json_begin(json, '[', "inputs");
    while (dal_json_next(json, '[', &count))
        if (recording->input_count < DAL_RECORDING_INPUTS)
            read_input(json, &recording->inputs[recording->input_count++]);
        else
            read_input(json, &unused);
}

static void read_rates(struct dal_json *json, void *to)
{
    struct dal_recording *recording = to;
    double rates[DAL_MAX_PHASES];
    size_t count = dal_json_numbers(json, rates, DAL_MAX_PHASES, DAL_MAX_RATE, "rates");
    if (count == 0)
        return;
    recording->rates = dal_calloc(count, sizeof(*recording->rates));
    for (size_t i = 0; recording->rates && i < count; i++)
        recording->rates[i] = (uint64_t)rates[i];
    recording->rate_count = recording->rates ? count : 0;
    if (!recording->rates) {
        dal__lost(json->diags);
        json->wrong = 1;
    }
}

#define AT(field)     .offset = offsetof(struct entry, field), .must = 1
#define TEXT(field)   AT(field), .room = sizeof(((struct entry *)0)->field)
#define NUMBER(field) AT(field), .least = 0, .most = MOST

static const struct dal_member members[] = {
    {"recording", TEXT(recording.port)},
    {"network", TEXT(recording.network)},
    {"file", TEXT(recording.file)},
    {"type", TEXT(recording.type)},
    {"kind", TEXT(kind)},
    {"order", NUMBER(order)},
    {"offset", NUMBER(offset)},
    {"count", NUMBER(count)},
    {"token_bytes", NUMBER(token_bytes)},
    {"most", NUMBER(most)},
    {"header_bytes", NUMBER(header_bytes)},
    {"rate", NUMBER(rate)},
    {"tokens", NUMBER(tokens)},
    {"end", TEXT(recording.end)},
    {"inputs", AT(recording), .read = read_inputs},
    {"rates", .offset = offsetof(struct entry, recording), .read = read_rates},
    {0},
};

static void take_numbers(const struct entry *entry, struct dal_recording *recording)
{
    *recording = entry->recording;
    recording->kind = entry->kind[0];
    recording->order = (uint64_t)entry->order;
    recording->offset = (uint64_t)entry->offset;
    recording->count = (uint64_t)entry->count;
    recording->token_bytes = (uint64_t)entry->token_bytes;
    recording->most = (uint64_t)entry->most;
    recording->header_bytes = (uint64_t)entry->header_bytes;
    recording->rate = (uint64_t)entry->rate;
    recording->tokens = (uint64_t)entry->tokens;
}

/* Checks what the file itself would not show. */
static void check_numbers(struct dal_json *json, const struct dal_recording *recording)
{
    if (json->wrong)
        return;
    if (!recording->token_bytes || !recording->count || recording->token_bytes % recording->count ||
        recording->header_bytes > recording->token_bytes || strchr(recording->file, '/') ||
        !strchr("iufV", recording->kind))
        dal_json_refuse(json, "it is no recording");
}

/* Takes the recording of an entry that was read. NULL without memory. */
static struct dal_recording *take_recording(const struct entry *entry)
{
    struct dal_recording *recording = dal_calloc(1, sizeof(*recording));
    if (recording)
        take_numbers(entry, recording);
    else
        dal_free(entry->recording.rates);
    return recording;
}

int dal_recording_read(struct dal_diags *diags, const char *folder, const char *port,
                       struct dal_recording **recording)
{
    struct dal_json json = {.diags = diags, .code = "tap"};
    struct entry *entry = dal_calloc(1, sizeof(*entry));
    char *path = dal_format("%s/%s.json", folder, port), *text = NULL;
    size_t length;
    const char *why;
    int status =
        entry && path ? dal_file_read(path, MOST_BYTES, &text, &length, &why) : DAL_ERR_NOMEM;
    *recording = NULL;
    if (status == DAL_ERR_LIMIT || (!status && strncmp(text, mark, strlen(mark)) != 0))
        status = DAL_ERR_IO;
    if (!status) {
        json.place = (struct dal_spec_place){.file = dal_diag_file(diags, path), .line = 1};
        json.at = text;
        json.end = text + length;
        dal__members_read(&json, members, entry, "a recording");
        *recording = take_recording(entry);
        status = *recording ? DAL_OK : DAL_ERR_NOMEM;
    }
    if (!status) {
        check_numbers(&json, *recording);
        status = json.wrong ? DAL_ERR_INVALID : DAL_OK;
    }
    if (status) {
        dal_recording_free(*recording);
        *recording = NULL;
    }
    dal_free_all(entry, path, text);
    return status == DAL_ERR_NOMEM ? dal__lost(diags) : status;
}

void dal_recording_free(struct dal_recording *recording)
{
    if (recording)
        dal_free_all(recording->rates, recording);
}

uint64_t dal_recording_firing(const struct dal_recording *recording, uint64_t token)
{
    return recording->rates ? dal_token_firing(token, recording->rates, recording->rate_count)
                            : dal_token_firing(token, &recording->rate, 1);
}
