#include "rt/run/taps.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "rt/base/output.h"
#include "rt/base/setting.h"
#include "rt/base/value.h"
#include "rt/control/control.h"
#include "rt/kpn/kpn.h"
#include "rt/model/network.h"
#include "rt/streams/stream.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of a recording, unless DAL_TAP_BYTES says others. */
#define USUAL_MOST (UINT64_C(1) << 30)
/* Each description begins so. */
static const char mark[] = "{\"recording\": ";
enum { DESCRIBED = 4096 }; /* bytes of one that are looked at; what is looked for is in them */

/* ---- opening --------------------------------------------------------------------------------- */

static const struct dal_channel_desc *channel_of(const struct dal_net *net, int port)
{
    return &net->channels[net->processes[port].ports[0].channel];
}

static int read_most(uint64_t *most)
{
    const char *text = dal_setting_wanted("DAL_TAP_BYTES");
    double bytes = text ? dal_value_bytes(text) : (double)USUAL_MOST;
    if (!(bytes >= 1)) {
        dal_log(DAL_LOG_ERROR,
                "DAL_TAP_BYTES=%s: a number of bytes is needed, K, M or G may follow", text);
        return DAL_ERR_INVALID;
    }
    *most = bytes < 1e18 ? (uint64_t)bytes : UINT64_C(1000000000000000000);
    return DAL_OK;
}

/* Reads the begin of what describes a recording; "" where it is no such file. */
static void read_description(const char *path, char text[DESCRIBED])
{
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(text, 1, DESCRIBED - 1, file) : 0;
    text[length] = '\0';
    if (file)
        fclose(file);
    if (strncmp(text, mark, sizeof(mark) - 1) != 0)
        *text = '\0';
}

/* Removes a description, and the files of its tokens in the same folder: the one that it names
 * begins with `stem` bytes of its own name. */
static void remove_recording(const char *folder, const char *name, size_t stem)
{
    static const char before[] = "\"file\": \"";
    char text[DESCRIBED] = "";
    char *path = dal_format("%s/%s", folder, name), *tokens = NULL, *meta = NULL;
    const char *file;
    if (path)
        read_description(path, text);
    file = strstr(text, before);
    file = file ? file + sizeof(before) - 1 : "";
    if (strncmp(file, name, stem) == 0 && file[strcspn(file, "/\"")] == '"')
        tokens = dal_format("%s/%.*s", folder, (int)strcspn(file, "\""), file);
    if (tokens && strcmp(tokens + strlen(folder) + 1 + stem, "sigmf-data") == 0)
        meta = dal_format("%s/%.*ssigmf-meta", folder, (int)stem, name);
    if (*text)
        unlink(path);
    if (tokens)
        unlink(tokens);
    if (meta)
        unlink(meta);
    dal_free_all(path, tokens, meta);
}

/* Opens the folder, which is made where it is not there. NULL, logged, if that cannot be. */
static DIR *open_folder(const char *folder)
{
    DIR *all = mkdir(folder, 0777) == 0 || errno == EEXIST ? opendir(folder) : NULL;
    if (!all)
        dal_log(DAL_LOG_ERROR, "DAL_TAP=%s: %s", folder, strerror(errno));
    return all;
}

static int check_folder(const char *folder)
{
    DIR *all = open_folder(folder);
    return all && closedir(all) == 0 ? DAL_OK : DAL_ERR_IO;
}

/* Removes what an earlier run has left, so that no recordings of two runs are mixed. */
static int clear_folder(const char *folder)
{
    const struct dirent *entry;
    DIR *all = open_folder(folder);
    if (!all)
        return DAL_ERR_IO;
    while ((entry = readdir(all))) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0)
            remove_recording(folder, entry->d_name, length - 4);
    }
    closedir(all);
    return DAL_OK;
}

/* Returns where the recording of a tap is; NULL where nobody says it. */
static const char *recordings_of(const struct dal_open_desc *open)
{
    const char *folder = dal_setting_wanted("DAL_RECORDING");
    return folder ? folder : open->folder;
}

/* Refuses a folder that a part of the program reads, which would find nothing there. */
static int check_apart(const struct dal_net *whole, const char *folder)
{
    struct stat own, other;
    if (stat(folder, &own) != 0)
        return DAL_OK;
    for (int i = 0; i < whole->process_count; i++) {
        const struct dal_open_desc *open = whole->processes[i].open;
        const char *read = open && (open->tap == DAL_TAP_REPLAY || open->tap == DAL_TAP_COMPARE)
                               ? recordings_of(open)
                               : NULL;
        if (!read || stat(read, &other) != 0 || other.st_dev != own.st_dev ||
            other.st_ino != own.st_ino)
            continue;
        dal_log(DAL_LOG_ERROR, "DAL_TAP=%s: the program reads its recordings from this folder",
                folder);
        return DAL_ERR_IO;
    }
    return DAL_OK;
}

static int is_first(const struct dal_files *files, int port)
{
    for (int i = 0; i < port; i++)
        if (files->net->processes[i].open && files->net->processes[i].open->tap == DAL_TAP_RECORD)
            return 0;
    return 1;
}

static int open_record(struct dal_files *files, int port)
{
    const struct dal_process_desc *desc = &files->net->processes[port];
    struct dal_tap_file tap = {.folder = dal_setting_wanted("DAL_TAP")};
    int status;
    if (!tap.folder)
        return DAL_OK;
    status = read_most(&tap.most);
    if (status == DAL_OK && is_first(files, port)) {
        status = check_apart(files->whole, tap.folder);
        status = status ? status : check_folder(tap.folder);
    }
    return status < 0 ? status
                      : dal_stream_open_tap(&files->streams[port], desc->name, desc->open, &tap);
}

/* Does a process read what another one gives? Then it ends with that. */
static int is_fed(const struct dal_net *net, int process)
{
    const struct dal_process_desc *desc = &net->processes[process];
    for (int i = 0; i < desc->port_count; i++)
        if (!desc->ports[i].output && net->channels[desc->ports[i].channel].producer != process)
            return 1;
    return 0;
}

/* Looks into the description of a recording, which may be missing: then all of it counts. What a
 * process did when the run failed lies behind the end of its recordings. */
static void find_end(struct dal_tap_file *tap, const char *of, int fed)
{
    char text[DESCRIBED] = "";
    char *path = dal_format("%s/%s.json", tap->folder, of);
    if (path)
        read_description(path, text);
    dal_free(path);
    tap->is_cut = *text && !strstr(text, "\"end\": \"whole\"");
    tap->goes_on = fed && strstr(text, "\"end\": \"broken\"");
}

static int open_recording(struct dal_files *files, int port)
{
    const struct dal_process_desc *desc = &files->net->processes[port];
    struct dal_tap_file tap = {.folder = recordings_of(desc->open),
                               .rate = channel_of(files->net, port)->rate_in};
    if (!tap.folder) {
        dal_log(DAL_LOG_ERROR,
                "port %s: DAL_RECORDING=FOLDER must say where the recording of %s is", desc->name,
                desc->open->of);
        return DAL_ERR_IO;
    }
    find_end(&tap, desc->open->of, is_fed(files->net, channel_of(files->net, port)->producer));
    return dal_stream_open_tap(&files->streams[port], desc->name, desc->open, &tap);
}

int dal__tap_open(struct dal_files *files, int port)
{
    switch (files->net->processes[port].open->tap) {
    case DAL_TAP_RECORD:
        return open_record(files, port);
    case DAL_TAP_REPLAY:
    case DAL_TAP_COMPARE:
        return open_recording(files, port);
    default:
        return DAL_OK;
    }
}

/* ---- what a recording is --------------------------------------------------------------------- */

static int port_number(const struct dal_process_desc *producer, const char *of)
{
    const char *name = of + strlen(producer->name) + 1;
    for (int i = 0; i < producer->port_count; i++)
        if (producer->ports[i].output && strcmp(producer->ports[i].name, name) == 0)
            return i;
    return 0;
}

/* Says how it ends. How many tokens there are is by chance where their readers ended first. */
static const char *name_end(struct dal_network *network, int producer, int number,
                            const struct dal_tap_state *state, int status)
{
    const struct dal_process *process = &network->processes[producer];
    int is_spent = process->host.kpn && process->host.kpn->ports[number].spent;
    if (state->is_full)
        return "limit";
    if (status < 0)
        return "broken";
    return is_spent || process->unread || dal_control_stopping(&network->control) ? "cut" : "whole";
}

/* Prints the input ports of a process of the whole network: whose tokens, how many a firing, and
 * how many were there. */
static void print_inputs(const struct dal_net *net, const char *name, FILE *file)
{
    const char *between = "";
    const struct dal_process_desc *process = net->processes;
    while (strcmp(process->name, name) != 0)
        process++;
    for (int i = 0; i < process->port_count; i++) {
        const struct dal_channel_desc *channel = &net->channels[process->ports[i].channel];
        const struct dal_process_desc *from = &net->processes[channel->producer];
        if (process->ports[i].output)
            continue;
        for (int k = 0; k < from->port_count; k++) {
            if (!from->ports[k].output ||
                !dal_net_is_of_port(net, from->ports[k].channel, process->ports[i].channel))
                continue;
            fputs(between, file);
            fputs("[\"", file);
            dal_json_print_text(file, from->name);
            putc('.', file);
            dal_json_print_text(file, from->ports[k].name);
            dal_json_format(file, "\", %" PRIu64 ", %" PRIu64 "]",
                            process->kind == DAL_PROCESS_KPN ? 0 : process->ports[i].rate,
                            channel->initial_tokens);
            between = ", ";
        }
    }
}

/* Prints the tokens of each phase, where there are any. */
static void print_phase_rates(const struct dal_open_desc *open, FILE *file)
{
    for (uint64_t i = 0; i < open->rate_count; i++)
        dal_json_format(file, "%-s%" PRIu64, i ? ", " : " \"rates\": [", open->rates[i]);
    if (open->rate_count)
        fputs("],\n", file);
}

static void print_description(const struct dal_files *files, int port, const char *name,
                              const struct dal_tap_state *state, const char *end, FILE *file)
{
    const struct dal_net *net = files->net;
    const struct dal_open_desc *open = net->processes[port].open;
    const struct dal_channel_desc *channel = channel_of(net, port);
    const struct dal_process_desc *producer = &net->processes[channel->producer];
    const char kind[] = {open->kind, '\0'};
    fputs(mark, file);
    dal_json_format(file, "%s,\n \"network\": %s,\n \"file\": %s,\n \"type\": %s,\n", open->of,
                    net->name, name, open->type ? open->type : "");
    dal_json_format(file, " \"kind\": %s,\n \"order\": %" PRIu64 ",\n \"offset\": %" PRIu64 ",\n",
                    kind, open->order, state->offset);
    dal_json_format(file, " \"count\": %" PRIu64 ",\n \"token_bytes\": %" PRIu64 ",\n", open->count,
                    open->token_bytes);
    dal_json_format(file, " \"most\": %zu,\n \"header_bytes\": %zu,\n \"rate\": %" PRIu64 ",\n",
                    open->counted.most, open->counted.header_bytes,
                    producer->kind == DAL_PROCESS_KPN ? 0 : channel->rate_in);
    dal_json_format(file, " \"tokens\": %" PRIu64 ",\n \"end\": %s,\n", state->tokens, end);
    print_phase_rates(open, file);
    fputs(" \"inputs\": [", file);
    print_inputs(files->whole, producer->name, file);
    fputs("]}\n", file);
}

/* SigMF, version 1: what other programs need of complex samples. */
static void print_sigmf(const struct dal_open_desc *open, FILE *file)
{
    const char *order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "le" : "be";
    dal_json_format(file,
                    "{\"global\": {\"core:datatype\": \"cf%d_%-s\", \"core:version\": \"1.0.0\"},\n"
                    " \"captures\": [{\"core:sample_start\": 0}], \"annotations\": []}\n",
                    open->token_bytes / open->count == 8 ? 32 : 64, order);
}

/* ---- closing --------------------------------------------------------------------------------- */

static int write_sigmf(const char *folder, const char *name, const struct dal_open_desc *open)
{
    struct dal_output output;
    char *path = dal_format("%s/%s.sigmf-meta", folder, open->of);
    int status = DAL_OK;
    if (!path)
        return dal_no_memory();
    if (strstr(name, ".sigmf-data")) {
        status = dal_output_open(&output, "DAL_TAP=", path);
        if (status == DAL_OK) {
            print_sigmf(open, output.file);
            status = dal_output_close(&output);
        }
    }
    dal_free(path);
    return status;
}

static int describe(const struct dal_files *files, int port, const struct dal_tap_state *state,
                    const char *end)
{
    const struct dal_open_desc *open = files->net->processes[port].open;
    const char *folder = dal_setting_wanted("DAL_TAP");
    struct dal_output output;
    char *name = dal_tap_file_name(open), *path = dal_format("%s/%s.json", folder, open->of);
    int status = name && path ? write_sigmf(folder, name, open) : DAL_ERR_NOMEM;
    if (status == DAL_OK)
        status = dal_output_open(&output, "DAL_TAP=", path);
    if (status == DAL_OK) {
        print_description(files, port, name, state, end, output.file);
        status = dal_output_close(&output);
    }
    dal_free_all(name, path);
    return status;
}

static int close_record(struct dal_files *files, struct dal_network *network, int port, int status)
{
    struct dal_stream *stream = files->streams[port];
    int producer = channel_of(files->net, port)->producer, closed;
    int number =
        port_number(&files->net->processes[producer], files->net->processes[port].open->of);
    struct dal_tap_state state;
    if (status < 0)
        dal_kpn_empty(&network->processes[port]);
    state = dal_stream_tap_state(stream);
    files->streams[port] = NULL;
    closed = dal_stream_close(stream, 1);
    if (state.has_failed)
        return DAL_ERR_IO;
    if (closed < 0)
        return closed;
    return describe(files, port, &state, name_end(network, producer, number, &state, status));
}

static int is_recorded(const struct dal_files *files, int port)
{
    return files->streams && files->streams[port] &&
           files->net->processes[port].open->tap == DAL_TAP_RECORD;
}

void dal__taps_warn(const struct dal_net *net)
{
    int i = 0;
    while (i < net->process_count &&
           !(net->processes[i].open && net->processes[i].open->tap == DAL_TAP_RECORD))
        i++;
    if (i == net->process_count && dal_setting_wanted("DAL_TAP"))
        dal_log(DAL_LOG_WARNING, "DAL_TAP is set, but this program was made without --tap");
}

int dal__taps_record(const struct dal_files *files)
{
    int i = 0;
    while (i < files->net->process_count && !is_recorded(files, i))
        i++;
    return i < files->net->process_count;
}

int dal__taps_clear(const struct dal_files *files)
{
    return dal__taps_record(files) ? clear_folder(dal_setting_wanted("DAL_TAP")) : DAL_OK;
}

/* A thread that a disk holds up, while the program ends, keeps its file. */
int dal__taps_close(struct dal_files *files, struct dal_network *network, int status)
{
    int first = DAL_OK;
    for (int i = 0; i < files->net->process_count; i++) {
        int closed = is_recorded(files, i) && !dal_copy_runs(&network->processes[i].host.copies[0])
                         ? close_record(files, network, i, status)
                         : DAL_OK;
        first = first ? first : closed;
    }
    return first;
}
