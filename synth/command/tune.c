#include "synth/command/tune.h"

#include "rt/base/alloc.h"
#include "rt/base/cache.h"
#include "rt/base/child.h"
#include "rt/base/clock.h"
#include "rt/base/cores.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "spec/base/file.h"
#include "spec/load/load.h"
#include "spec/model/key.h"
#include "spec/model/libs.h"
#include "synth/command/options.h"
#include "synth/program/program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds for all but the last build, without --time-limit; mappings that are run beside the simple
 * ones. */
static const double usual_seconds = 110;
enum { FINALISTS = 3 };
/* Seconds for the machine, and for a run that times the processes. What was measured for a shorter
 * time is not kept. */
static const double machine_seconds = 5, times_seconds = 2;
/* What is kept counts to the end of such a part of all time. */
enum { FRESH_S = 60 * 24 * 60 * 60 };
enum { MOST_BYTES = 64 << 20 };

struct tuning {
    struct dal_diags *diags;
    const struct dal_request *request;
    double seconds; /* for all */
    char *architecture, *times, *mapping, *page;
    struct dal_cache_key machine, network; /* in the cache */
};

/* ---- files and the cache --------------------------------------------------------------------- */

static int read_file(const char *path, char **text, size_t *length)
{
    const char *why;
    int status = dal_file_read(path, MOST_BYTES, text, length, &why);
    if (status)
        dal_log(DAL_LOG_ERROR, "%s: %s", path, why ? why : dal_strerror(status));
    return status;
}

/* Writes what the cache has to a file. Returns 1; 0 if it has nothing; or a code. */
static int recall(const struct dal_cache_key *key, const char *path)
{
    struct dal_cache_binary kept;
    struct dal_text text = {0};
    int found = dal_cache_read(key, &kept), status;
    if (found != 1)
        return found;
    dal_text_add_bytes(&text, (const char *)kept.data, kept.bytes);
    status = text.lost ? DAL_ERR_NOMEM : dal_text_write(dal_text_get(&text), "", path);
    dal_text_finish(&text);
    dal_free(kept.data);
    return status ? status : 1;
}

/* Keeps a file in the cache. */
static int keep(const struct dal_cache_key *key, const char *path)
{
    struct dal_cache_binary file;
    char *text;
    int status = read_file(path, &text, &file.bytes);
    file.data = (unsigned char *)text;
    if (!status)
        dal_cache_write(key, &file);
    dal_free(text);
    return status;
}

static void add_text(struct dal_sha256 *sha, const char *text)
{
    dal_sha256_add(sha, text, strlen(text) + 1);
}

/* ---- the machine ----------------------------------------------------------------------------- */

/* Runs a program that comes with dal; words[0] becomes its path. DAL_OK, or an error that is told.
 */
static int run_own(const char *first, const char *second, const char **words)
{
    char *path = dal_program_beside(first, second), *output = NULL;
    struct dal_child child = {.argv = words};
    int status;
    words[0] = path ? path : first;
    status = dal_child_run(&child, &output);
    if (status > 0) {
        fputs(output, stderr);
        dal_log(DAL_LOG_ERROR, "%s ended with exit status %d", words[0], status);
    }
    dal_free_all(path, output);
    return status > 0 ? DAL_ERR_BUILD : status;
}

static int run_dalinfo(const struct tuning *t, const char *measure, const char *limit)
{
    const char *words[] = {NULL, "--architecture", "-o", t->architecture, measure, limit, NULL};
    return run_own("dalinfo", "../tools/dalinfo", words);
}

/* Adds a list of processors, without the values of "buffer": the largest piece of memory that a
 * device gives may depend on what is free just now. */
static void add_processors(struct dal_sha256 *sha, const char *text)
{
    static const char mark[] = " buffer=\"";
    for (const char *next; (next = strstr(text, mark)); text = next + strcspn(next, "\"")) {
        next += strlen(mark);
        dal_sha256_add(sha, text, (size_t)(next - text));
    }
    add_text(sha, text);
}

/* Lists the cores and the devices. Their list is the key of what is measured of them, for a while.
 */
static int describe_machine(struct tuning *t)
{
    char digest[DAL_CORES_DIGEST], *text = NULL;
    struct dal_cores cores;
    struct dal_sha256 sha;
    size_t length;
    int64_t age = (int64_t)time(NULL) / FRESH_S;
    int status = run_dalinfo(t, NULL, NULL);
    if (!status)
        status = read_file(t->architecture, &text, &length);
    if (!status)
        status = dal_cores_init(&cores);
    if (!status) {
        dal_cores_digest(&cores, digest);
        dal_cores_finish(&cores);
        dal_sha256_begin(&sha);
        add_text(&sha, "machine " PACKAGE_VERSION);
        add_text(&sha, digest);
        add_processors(&sha, text);
        dal_sha256_add(&sha, &age, sizeof(age));
        dal_sha256_end(&sha, t->machine.digest);
    }
    dal_free(text);
    return status;
}

static int measure_machine(struct tuning *t)
{
    double seconds = fmin(machine_seconds, t->seconds / 12);
    int status = recall(&t->machine, t->architecture), is_kept = seconds >= machine_seconds;
    char *limit;
    if (status)
        return status < 0 ? status : DAL_OK;
    limit = dal_format("--time-limit=%.3g", seconds);
    if (!limit)
        return DAL_ERR_NOMEM;
    dal_log(DAL_LOG_NOTE, "this machine is measured, for %.3g s at most%s", seconds,
            is_kept ? ", once" : " and not kept: the time limit is short");
    status = run_dalinfo(t, "--measure", limit);
    dal_free(limit);
    return status || !is_kept ? status : keep(&t->machine, t->architecture);
}

/* ---- the network ----------------------------------------------------------------------------- */

/* Reads a file, so that it is noted. The compiler tells of one that cannot be read. */
static int note_readable(void *of, const char *path, const char *word)
{
    char *text;
    const char *why;
    size_t length;
    int status = dal_file_read(path, MOST_BYTES, &text, &length, &why);
    (void)of;
    (void)word;
    dal_free(text);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

/* Notes what no source includes: the headers of tokens, and libraries. */
static int note_others(const struct dal_spec_network *network)
{
    char *folder = dal_path_folder(network->file);
    int status = folder ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; i < network->channel_count && !status; i++) {
        const char *header = network->channels[i].header;
        char *path = header ? dal__beside(network->file, header) : NULL;
        status = path ? note_readable(NULL, path, "") : header ? DAL_ERR_NOMEM : DAL_OK;
        dal_free(path);
    }
    for (size_t i = 0; i < network->process_count; i++)
        for (size_t k = 0; k < network->processes[i].source_count && !status; k++)
            if (network->processes[i].sources[k].libs)
                status = dal_libs_find(network->processes[i].sources[k].libs, folder, note_readable,
                                       NULL);
    dal_free(folder);
    return status;
}

/* Adds the keys of all sources of the network. Reads them, so that they are noted. */
static int add_keys(struct dal_sha256 *sha, const struct dal_spec_network *network)
{
    struct dal_key_maker maker = {0};
    char key[DAL_KEY_TEXT];
    int status = DAL_OK;
    for (size_t i = 0; i < network->process_count; i++)
        for (size_t k = 0; k < network->processes[i].source_count && !status; k++) {
            const struct dal_spec_process *process = &network->processes[i];
            status = dal_key_make(&maker, network, process, &process->sources[k], key);
            add_text(sha, process->name);
            add_text(sha, status ? "" : key);
        }
    dal_key_maker_finish(&maker);
    return status;
}

/* Adds the bytes of all files that were read, but not of the architecture; a file may be there
 * several times. */
static int add_files(struct dal_sha256 *sha, const char *list, const char *architecture)
{
    int status = DAL_OK;
    for (size_t length; *list && !status; list += length + (list[length] == '\n')) {
        char *path, *text = NULL;
        size_t bytes = 0;
        length = strcspn(list, "\n");
        path = dal_format("%.*s", (int)length, list);
        if (!path)
            return DAL_ERR_NOMEM;
        if (strcmp(path, architecture) != 0) {
            status = read_file(path, &text, &bytes);
            dal_sha256_add(sha, &bytes, sizeof(bytes));
            if (!status)
                dal_sha256_add(sha, text, bytes);
        }
        dal_free_all(path, text);
    }
    return status;
}

static void add_wishes(struct dal_sha256 *sha, const struct tuning *t)
{
    static const char *const variables[] = {"CC",     "CXX",      "DAL_CFLAGS", "CPPFLAGS",
                                            "CFLAGS", "CXXFLAGS", "LDFLAGS"};
    const struct dal_request *request = t->request;
    dal_sha256_add(sha, t->machine.digest, sizeof(t->machine.digest));
    for (size_t i = 0; i < request->defines.count; i++) {
        const struct dal_spec_define *define = &request->defines.list[i];
        add_text(sha, define->name);
        add_text(sha, define->text ? define->text : "");
        dal_sha256_add(sha, &define->value, sizeof(define->value));
    }
    for (size_t i = 0; i < request->parameters.count; i++)
        add_text(sha, request->parameters.list[i]);
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        const char *value = getenv(variables[i]);
        add_text(sha, value ? value : "");
    }
}

/* Makes the key of the network's times: all that goes into a run of it. `list` has the files that
 * were read. The key of the machine stands for the architecture. */
static int make_key(struct tuning *t, const struct dal_spec *spec, struct dal_text *list)
{
    struct dal_sha256 sha;
    int status;
    dal_sha256_begin(&sha);
    add_text(&sha, "times " PACKAGE_VERSION);
    add_wishes(&sha, t);
    status = add_keys(&sha, &spec->network);
    if (!status)
        status = note_others(&spec->network);
    dal_files_note(NULL);
    if (!status)
        status = list->lost ? DAL_ERR_NOMEM : add_files(&sha, dal_text_get(list), t->architecture);
    dal_sha256_end(&sha, t->network.digest);
    return status;
}

/* Refuses what no times would help, for example a dynamic rate. Other values of open variables may
 * be another network, so those are left to the search. Changes the spec. */
static int check_space(const struct tuning *t, struct dal_diags *diags, struct dal_spec *spec)
{
    for (size_t i = 0; i < spec->network.variable_count; i++)
        if (spec->network.variables[i].is_open)
            return DAL_OK;
    return dal_map_check(diags, spec, &t->request->map.map.wishes);
}

/* Reads the network before anything takes time: all that is wrong with it is told now. */
static int read_network(struct tuning *t)
{
    const struct dal_request *request = t->request;
    struct dal_text list = {0};
    struct dal_diags diags, said;
    struct dal_spec *spec;
    int status = DAL_ERR_INVALID;
    dal_diags_init(&diags);
    dal_files_note(&list);
    spec = dal_spec_load_open(&diags, request->files.network, t->architecture,
                              request->map.map.keep_file, request->defines.list,
                              request->defines.count);
    if (spec)
        status = make_key(t, spec, &list);
    dal_files_note(NULL);
    if (!status)
        status = check_space(t, &diags, spec);
    said = *t->diags;
    if (status) { /* else what was said comes again */
        *t->diags = diags;
        diags = said;
    }
    dal_spec_destroy(spec);
    dal_diags_finish(&diags);
    dal_text_finish(&list);
    return status;
}

/* ---- the search ------------------------------------------------------------------------------ */

/* Returns 1 if there are times, so that no run has to find them; 0; or an error. */
static int has_times(const struct tuning *t)
{
    if (t->request->map.map.profile_seconds > 0)
        return 0;
    return t->request->files.times ? 1 : recall(&t->network, t->times);
}

static int find_mapping(struct tuning *t, int64_t deadline_ns, struct dal_mapped *mapped)
{
    const struct dal_request *request = t->request;
    struct dal_map map = request->map.map;
    int found = has_times(t), status;
    if (found < 0)
        return found;
    map.architecture_file = t->architecture;
    map.times_file = t->times;
    if (!found && map.profile_seconds <= 0)
        map.profile_seconds = fmin(times_seconds, t->seconds / 40);
    map.seconds = t->seconds / 6;
    map.deadline_ns = deadline_ns;
    if (!dal_request_has(request, "run"))
        map.run = FINALISTS;
    if (!dal_request_has(request, "run-time"))
        map.run_seconds = t->seconds / 24;
    dal_progress_begin();
    status = dal_map(t->diags, &map, mapped);
    dal_progress_end();
    if (!status && map.profile_seconds >= times_seconds && !mapped->interrupted &&
        !mapped->untried && !request->files.times)
        status = keep(&t->network, t->times);
    return status;
}

/* Returns an option as it was given; NULL without memory. */
static char *write_define(const struct dal_spec_define *define)
{
    return define->text ? dal_format("-D%s=%s", define->name, define->text)
                        : dal_format("-D%s=%" PRId64, define->name, define->value);
}

/* Runs dalview with the defines of the request. */
static int run_dalview(const struct tuning *t, const char **words)
{
    const struct dal_defines *defines = &t->request->defines;
    int status = DAL_OK;
    size_t count = 1;
    words[count++] = t->request->files.network;
    words[count++] = t->architecture;
    words[count++] = t->mapping;
    words[count++] = "-o";
    words[count++] = t->page;
    words[count++] = "--times";
    words[count++] = t->times;
    for (size_t i = 0; i < defines->count; i++)
        status |= !(words[count + i] = write_define(&defines->list[i]));
    status = status ? DAL_ERR_NOMEM : run_own("dalview", "../view/dalview", words);
    for (size_t i = 0; i < defines->count; i++)
        dal_free((char *)words[count + i]);
    return status;
}

/* Draws the mapping. Without a page all else stays as it is. A signal ends the page alone, unless
 * one has ended the search. */
static int draw(const struct tuning *t, int was_interrupted)
{
    const char **words = dal_calloc(t->request->defines.count + 9, sizeof(*words));
    int status = words ? run_dalview(t, words) : DAL_ERR_NOMEM;
    dal_free(words);
    if (status == DAL_ERR_INTERRUPTED && !was_interrupted) {
        dal_child_forget();
        status = DAL_ERR_BUILD;
    }
    if (status != DAL_ERR_BUILD && status != DAL_ERR_SYSTEM)
        return status;
    dal_log(DAL_LOG_WARNING, "there is no page, " DAL_TUNE_PAGE);
    return DAL_OK;
}

static int name_files(struct tuning *t, const char *folder)
{
    const char *given = t->request->files.times;
    t->architecture = dal_format("%s/" DAL_TUNE_ARCHITECTURE, folder);
    t->mapping = dal_format("%s/" DAL_TUNE_MAPPING, folder);
    t->times = given ? dal_strdup(given) : dal_format("%s/" DAL_TUNE_TIMES, folder);
    t->page = dal_format("%s/" DAL_TUNE_PAGE, folder);
    return t->architecture && t->mapping && t->times && t->page ? DAL_OK : DAL_ERR_NOMEM;
}

/* Times that are given must be there, unless runs write them. */
static int check_times(struct tuning *t)
{
    const char *file = t->request->files.times;
    const char *fault =
        file && t->request->map.map.profile_seconds <= 0 ? dal_file_fault(file) : NULL;
    if (!fault)
        return DAL_OK;
    return dal_error(t->diags, (struct dal_spec_place){.file = dal_diag_file(t->diags, file)},
                     "file", "%s", fault);
}

int dal_tune(struct dal_diags *diags, const struct dal_request *request, const char *folder,
             struct dal_mapped *mapped)
{
    struct tuning t = {.diags = diags, .request = request, .seconds = request->map.map.seconds};
    int64_t deadline_ns;
    int status = name_files(&t, folder);
    if (t.seconds <= 0)
        t.seconds = usual_seconds;
    deadline_ns = dal_now_ns() + (int64_t)(1e9 * t.seconds);
    if (!status)
        status = check_times(&t);
    if (!status)
        status = describe_machine(&t);
    if (!status)
        status = read_network(&t);
    if (!status)
        status = measure_machine(&t);
    if (!status)
        status = find_mapping(&t, deadline_ns, mapped);
    dal_child_forget(); /* a signal has done what it should */
    if (!status)
        status = dal_text_write(mapped->text, "", t.mapping);
    if (!status)
        status = draw(&t, mapped->interrupted);
    dal_free_all(t.architecture, t.times, t.mapping, t.page);
    return status;
}

char *dal_tune_network(void)
{
    static const char key[] = "\nname = ";
    char *text = NULL, *network = NULL;
    const char *line, *why;
    size_t length;
    if (dal_file_read("Makefile", MOST_BYTES, &text, &length, &why))
        text = NULL;
    line = text ? strstr(text, key) : NULL;
    if (line)
        line += strlen(key);
    if (line)
        network = dal_format("%.*s.xml", (int)strcspn(line, "\n"), line);
    if (!network)
        dal_log(DAL_LOG_ERROR, "no network is given, and this is no folder that 'dal new' has "
                               "made: it has no Makefile with a network's name");
    dal_free(text);
    return network;
}
