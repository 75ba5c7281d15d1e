#define _GNU_SOURCE
#include "rt/steer/steer.h"

#include "channels/newest.h"
#include "channels/port.h"
#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "rt/base/setting.h"
#include "rt/base/value.h"
#include "rt/host/changes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_BYTES = 8192, MOST_VALUE = 4095 };

struct dal_steer {
    const char *replay_name;
    struct dal_control_socket *socket;
};

/* ---- what is changed ------------------------------------------------------------------------- */

struct target {
    struct dal_process *process;
    int parameter;
};

static const struct dal_parameter_desc *desc_of(const struct target *target)
{
    return &target->process->desc->parameters[target->parameter];
}

/* Checks a value. The process may reject it for reasons unknown here. But one without a type that
 * is an integer must stay an integer, and a value is one line. Returns DAL_OK, or DAL_ERR_INVALID
 * with `why` set. */
static int check_value(const struct target *target, const char *value, char why[DAL_VALUE_WHY])
{
    const struct dal_parameter_desc *desc = desc_of(target);
    const char *at, *fault = NULL;
    long was, is;
    for (at = value; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            fault = "the value has a control character";
    if (at - value > MOST_VALUE)
        fault = "the value is too long";
    if (!fault && desc->typed)
        return dal_parameter_check(desc, value, why);
    if (!fault && dal_value_integer(desc->value, &was) && !dal_value_integer(value, &is))
        fault = "the value is no integer, as it was, and the parameter has no type";
    snprintf(why, DAL_VALUE_WHY, "%s", fault ? fault : "");
    return fault ? DAL_ERR_INVALID : DAL_OK;
}

/* Finds the parameter of "PROCESS.PARAMETER", of `length` bytes. Returns DAL_OK; or DAL_ERR_INVALID
 * with `why` set, if there is none, or it is not live. */
static int find_target(const struct dal_network *network, const char *name, size_t length,
                       struct target *target, char why[DAL_VALUE_WHY])
{
    for (int i = 0; i < network->net->process_count; i++) {
        const struct dal_process_desc *desc = network->processes[i].desc;
        size_t process = strlen(desc->name);
        if (process >= length || memcmp(desc->name, name, process) != 0 || name[process] != '.')
            continue;
        for (int k = 0; k < desc->parameter_count; k++) {
            const char *own = desc->parameters[k].name;
            if (strlen(own) != length - process - 1 ||
                memcmp(own, name + process + 1, strlen(own)) != 0)
                continue;
            *target = (struct target){&network->processes[i], k};
            if (desc->parameters[k].live)
                return DAL_OK;
            snprintf(why, DAL_VALUE_WHY, "parameter %s.%s is not live", desc->name, own);
            return DAL_ERR_INVALID;
        }
    }
    snprintf(why, DAL_VALUE_WHY, "there is no parameter %.*s", length < 200 ? (int)length : 200,
             name);
    return DAL_ERR_INVALID;
}

/* Finds the live parameter of a line "PROCESS.PARAMETER=VALUE". Returns its value, or NULL with
 * `why` set. */
static const char *find_in_line(const struct dal_network *network, const char *line,
                                struct target *target, char why[DAL_VALUE_WHY])
{
    const char *equals = strchr(line, '=');
    snprintf(why, DAL_VALUE_WHY, "PROCESS.PARAMETER=VALUE of a live parameter is wanted");
    return equals && !find_target(network, line, (size_t)(equals - line), target, why) ? equals + 1
                                                                                       : NULL;
}

/* Sets a parameter. Returns DAL_OK, or DAL_ERR_INVALID with `why` set. */
static int set_target(const struct dal_network *network, const struct target *target,
                      const char *value, char why[DAL_VALUE_WHY])
{
    const struct dal_steer *steer = dal_observer_state(network, &dal_observe_steer);
    const char *fault = NULL;
    int status = check_value(target, value, why);
    if (status < 0)
        return status;
    if (steer && steer->replay_name)
        fault = "the run repeats another one";
    else if (atomic_load_explicit(&target->process->ended, memory_order_acquire))
        fault = "the process has ended";
    else if ((status =
                  dal_changes_add(target->process, target->parameter, value, DAL_CHANGE_SOON)) < 0)
        fault = status == DAL_ERR_LIMIT ? "too many changes wait" : dal_strerror(status);
    snprintf(why, DAL_VALUE_WHY, "%s", fault ? fault : "is changed at the end of the iteration");
    return fault ? DAL_ERR_INVALID : DAL_OK;
}

int dal__steer_line(const struct dal_network *network, const char *line, char *answer, size_t bytes)
{
    struct target target;
    char why[DAL_VALUE_WHY];
    const char *value = find_in_line(network, line, &target, why);
    int status = value ? set_target(network, &target, value, why) : DAL_ERR_INVALID;
    if (!value)
        snprintf(answer, bytes, "%s", why);
    else
        snprintf(answer, bytes, "%s.%s: %s", target.process->desc->name, desc_of(&target)->name,
                 why);
    return status;
}

/* Writes a live parameter with its value of now, as "Scale.factor=3 (float, from 0 to 4)". */
static void print_target(const struct target *target, FILE *file)
{
    const struct dal_parameter_desc *desc = desc_of(target);
    const char *type = desc->typed ? dal_value_traits(desc->type)->name : NULL;
    char range[DAL_VALUE_WHY];
    fprintf(file, "%s.%s=%s", target->process->desc->name, desc->name,
            dal_parameter_text(&target->process->parameters[target->parameter]));
    if (type)
        fprintf(file, " (%s", type);
    if (desc->min || desc->max)
        fprintf(file, ", %s", dal_value_tell(desc->min, desc->max, range));
    fputs(type ? ")\n" : "\n", file);
}

int dal__steer_print(const struct dal_network *network, const char *name, FILE *file)
{
    struct target target;
    char why[DAL_VALUE_WHY];
    int count = 0;
    if (*name && find_target(network, name, strlen(name), &target, why) < 0) {
        fprintf(file, "error: %s\n", why);
        return DAL_ERR_INVALID;
    }
    if (*name)
        print_target(&target, file);
    for (int i = 0; !*name && i < network->net->process_count; i++)
        for (int k = 0; k < network->processes[i].desc->parameter_count; k++) {
            target = (struct target){&network->processes[i], k};
            if (!desc_of(&target)->live)
                continue;
            print_target(&target, file);
            count++;
        }
    fprintf(file, *name ? "ok: it is live\n" : "ok: %d live parameter%s\n", count,
            count == 1 ? "" : "s");
    return DAL_OK;
}

int dal__steer_set(const struct dal_network *network, const char *process, const char *parameter,
                   const char *value, char *answer, size_t bytes)
{
    char *line = dal_format("%s.%s=%s", process, parameter, value);
    int status = line ? dal__steer_line(network, line, answer, bytes) : DAL_ERR_INVALID;
    if (!line)
        snprintf(answer, bytes, "%s", dal_strerror(DAL_ERR_NOMEM));
    dal_free(line);
    return status;
}

/* ---- record ---------------------------------------------------------------------------------- */

static int start_record(struct dal_network *network, void **state)
{
    FILE *file = *state = dal_output_open_now("DAL_RECORD=", dal_setting_wanted("DAL_RECORD"));
    if (!file)
        return DAL_ERR_IO;
    setvbuf(file, NULL, _IOLBF, BUFSIZ); /* complete even if the run breaks off */
    for (int i = 0; i < network->net->process_count; i++)
        if (network->processes[i].host.changes)
            dal_changes_record(&network->processes[i], file);
    for (int i = 0; i < network->net->channel_count; i++)
        if (network->channels[i]->port->newest)
            network->channels[i]->port->newest->record = file;
    return DAL_OK;
}

static int stop_record(struct dal_network *network, void *state)
{
    FILE *file = state;
    for (int i = 0; i < network->net->channel_count; i++)
        if (network->channels[i]->port->newest)
            dal_newest_record_end(network->channels[i]);
    if ((ferror(file) | fclose(file)) == 0)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "DAL_RECORD=%s: it could not be written",
            dal_setting_wanted("DAL_RECORD"));
    return DAL_ERR_IO;
}

const struct dal_observer dal_observe_record = {
    .name = "record", .variable = "DAL_RECORD", .start = start_record, .stop = stop_record};

/* ---- replay ---------------------------------------------------------------------------------- */

/* Reads a number at the begin of a text. Returns what stands behind it and a space or the end; NULL
 * without a number. */
static const char *read_number(const char *text, long long *number)
{
    char *rest;
    errno = 0;
    *number = strtoll(text, &rest, 10);
    if (*text < '0' || *text > '9' || errno || (*rest && *rest != ' '))
        return NULL;
    return *rest ? rest + 1 : rest;
}

/* Takes "PROCESS.PARAMETER=VALUE", from a firing on. Returns DAL_OK; DAL_ERR_INVALID, with `why`
 * set; or DAL_ERR_NOMEM. */
static int take_change(const struct dal_network *network, long long firing, const char *text,
                       char why[DAL_VALUE_WHY])
{
    struct target target;
    const char *value = find_in_line(network, text, &target, why);
    if (!value || check_value(&target, value, why) < 0)
        return DAL_ERR_INVALID;
    snprintf(why, DAL_VALUE_WHY, "a line before it, of the same process, has a later firing");
    return dal_changes_add(target.process, target.parameter, value, firing);
}

/* Takes "CHANNEL TOKEN" or "CHANNEL end", what a channel of the newest token has from a firing of
 * its reader on. Returns as above. */
static int take_token(const struct dal_network *network, long long firing, const char *text,
                      char why[DAL_VALUE_WHY])
{
    const char *space = strrchr(text, ' '), *rest = NULL;
    int ends = space && strcmp(space, " end") == 0;
    long long token = 0;
    if (space && !ends)
        rest = read_number(space + 1, &token);
    if (!ends && (!rest || *rest))
        return DAL_ERR_INVALID;
    snprintf(why, DAL_VALUE_WHY, "it does not follow from the lines before");
    for (int i = 0; i < network->net->channel_count; i++) {
        struct dal_channel *channel = network->channels[i];
        size_t length = strlen(channel->desc->name);
        uint64_t wanted = (uint64_t)token;
        if (channel->port->newest && length == (size_t)(space - text) &&
            memcmp(channel->desc->name, text, length) == 0)
            return dal_newest_replay(channel, (uint64_t)firing, ends ? NULL : &wanted);
    }
    snprintf(why, DAL_VALUE_WHY, "there is no such channel that keeps the newest token");
    return DAL_ERR_INVALID;
}

/* Takes a line of the replay `name`. Returns DAL_OK or a negative code, logged. */
static int take_line(const struct dal_network *network, const char *name, const char *line,
                     int number)
{
    char why[DAL_VALUE_WHY] =
        "a firing is wanted, and PROCESS.PARAMETER=VALUE of a live parameter or CHANNEL TOKEN";
    long long firing;
    const char *rest = read_number(line, &firing);
    int status = !rest               ? DAL_ERR_INVALID
                 : strchr(rest, '=') ? take_change(network, firing, rest, why)
                                     : take_token(network, firing, rest, why);
    if (status == DAL_ERR_NOMEM)
        return dal_no_memory();
    if (status != DAL_ERR_INVALID)
        return status;
    dal_log(DAL_LOG_ERROR, "%s:%d: DAL_REPLAY: %s", name, number, why);
    return DAL_ERR_UNSUPPORTED;
}

/* Opens the file of a replay. It must be an ordinary file: a pipe might never end. */
static FILE *open_replay(const char *name)
{
    struct stat info;
    int fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int regular = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    FILE *file = regular ? fdopen(fd, "r") : NULL;
    if (!file) {
        dal_log(DAL_LOG_ERROR, "DAL_REPLAY=%s: %s", name,
                fd < 0 || regular ? strerror(errno) : "not an ordinary file");
        if (fd >= 0)
            close(fd);
    }
    return file;
}

/* Returns whether a line is whole and has no zero byte. Behind the zero that fgets() wrote, the
 * buffer is filled with line ends. */
static int is_line(const char line[LINE_BYTES])
{
    const char *end = memrchr(line, 0, LINE_BYTES);
    return strlen(line) == (size_t)(end - line) && end - line < LINE_BYTES - 1;
}

static int take_lines(const struct dal_network *network, const char *name, FILE *file)
{
    char line[LINE_BYTES];
    int number = 0, status = DAL_OK;
    while (status == DAL_OK && fgets(memset(line, '\n', sizeof(line)), sizeof(line), file)) {
        number++;
        if (!is_line(line)) {
            dal_log(DAL_LOG_ERROR, "%s:%d: DAL_REPLAY: a zero byte, or too long a line", name,
                    number);
            return DAL_ERR_UNSUPPORTED;
        }
        line[strcspn(line, "\n")] = 0;
        status = take_line(network, name, line, number);
    }
    return status;
}

static int read_replay(const struct dal_network *network, const char *name)
{
    FILE *file = open_replay(name);
    int status = DAL_OK;
    if (!file)
        return DAL_ERR_IO;
    for (int i = 0; status == DAL_OK && i < network->net->channel_count; i++)
        if (network->channels[i]->port->newest)
            status = dal_newest_replay_init(network->channels[i]);
    if (status == DAL_OK)
        status = take_lines(network, name, file);
    if (ferror(file) && status == DAL_OK) {
        dal_log(DAL_LOG_ERROR, "DAL_REPLAY=%s: %s", name, strerror(errno));
        status = DAL_ERR_IO;
    }
    fclose(file);
    return status;
}

/* ---- start and stop -------------------------------------------------------------------------- */

static int start_steer(struct dal_network *network, void **state)
{
    const char *replay = dal_setting_wanted("DAL_REPLAY");
    const char *control = dal_setting_wanted("DAL_CONTROL");
    struct dal_steer *steer;
    int status = DAL_OK;
    if (!replay && !control && !dal_setting_wanted("DAL_RECORD"))
        return DAL_OK;
    if (network->nodes || network->control.application) {
        dal_log(DAL_LOG_ERROR, "DAL_RECORD, DAL_REPLAY and DAL_CONTROL are for programs of one "
                               "network on one node");
        return DAL_ERR_UNSUPPORTED;
    }
    steer = *state = dal_calloc(1, sizeof(*steer));
    if (!steer)
        return dal_no_memory();
    steer->replay_name = replay;
    if (replay)
        status = read_replay(network, replay);
    if (control && status == DAL_OK)
        status = dal__control_socket_open(&steer->socket, network, control);
    return status;
}

static void warn_of_left(const struct dal_network *network)
{
    for (int i = 0; i < network->net->process_count; i++) {
        const struct dal_process *process = &network->processes[i];
        if (process->host.changes && dal_changes_left(process))
            dal_log(DAL_LOG_WARNING, "process %s has ended before %d of its changes",
                    process->desc->name, dal_changes_left(process));
    }
    for (int i = 0; i < network->net->channel_count; i++) {
        const struct dal_channel *channel = network->channels[i];
        if (channel->port->newest && dal_newest_left(channel) &&
            !network->processes[channel->desc->consumer].unread)
            dal_log(DAL_LOG_WARNING, "channel %s has ended before %" PRIu64 " of its reads",
                    channel->desc->name, dal_newest_left(channel));
    }
}

static int stop_steer(struct dal_network *network, void *state)
{
    struct dal_steer *steer = state;
    warn_of_left(network);
    if (steer)
        dal__control_socket_close(steer->socket);
    return DAL_OK;
}

const struct dal_observer dal_observe_steer = {
    .name = "steer", .start = start_steer, .stop = stop_steer, .destroy = dal_free};
