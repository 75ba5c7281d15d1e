#include "rt/backend/program.h"

#include "rt/backend/log.h"
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct dal_program {
    void *program; /* the backend's */
    char *text, *options;
    struct dal_cache_key key;
    int is_kept;       /* true if the disk cache gets it, when its device is closed at the latest */
    size_t kept_bytes; /* of its binary there; 0 for none */
    struct dal_program *next;
};

/* ---- what is said ---------------------------------------------------------------------------- */

static int wants_warnings;

void dal_backend_want_warnings(int wanted)
{
    wants_warnings = wanted;
}

int dal_program_has_option(const char *options, const char *start)
{
    for (; *options; options += strcspn(options, " \t\n")) {
        options += strspn(options, " \t\n");
        if (strncmp(options, start, strlen(start)) == 0)
            return 1;
    }
    return 0;
}

/* Does a source ask for warnings (-Wall, -Werror)? Then it gets them at each start. */
static int asks_for_warnings(const char *options)
{
    return dal_program_has_option(options, "-W");
}

/* Prints and frees messages; NULL for none. */
static void print_messages(const struct dal_subject *process, char *readable)
{
    if (readable && process->failures != DAL_LOG_NOTHING)
        fputs(readable, stderr);
    dal_free(readable);
}

/* A wrong source is an error: nothing makes up for it. A device that lacks something may be
 * replaced. */
static enum dal_log_level level_of_source(const struct dal_subject *process)
{
    return process->failures == DAL_LOG_NOTHING ? DAL_LOG_NOTHING : DAL_LOG_ERROR;
}

int dal_program_refuse_source(const struct dal_device *device, const struct dal_subject *process,
                              const char *file, const char *text, const char *log)
{
    int lacks = dal__build_log_lacks(log);
    if (dal_signal_came()) {
        dal_log(process->failures, "process '%s': interrupted while %s was compiled", process->name,
                file);
        return DAL_ERR_INTERRUPTED;
    }
    print_messages(process, dal__build_log(log, file, text));
    dal_log(lacks ? process->failures : level_of_source(process), "process '%s': %s %s %s",
            process->name, file, lacks ? "asks for more than there is on" : "does not build for",
            device->info.identifier);
    return lacks ? DAL_ERR_LIMIT : DAL_ERR_BUILD;
}

int dal_program_refuse_name(const struct dal_subject *process, const char *file, const char *name)
{
    dal_log(level_of_source(process), "process '%s': %s has no kernel '%s'", process->name, file,
            name);
    return DAL_ERR_BUILD;
}

void dal_program_say_warnings(const struct dal_subject *process, const char *file, const char *text,
                              const char *log)
{
    print_messages(process, dal__build_log_warnings(log, file, text));
}

/* ---- the disk cache -------------------------------------------------------------------------- */

/* Adds a text with its length, so that no two lists of texts give the same bytes. */
static void add_text(struct dal_sha256 *sha, const char *text)
{
    uint64_t bytes = strlen(text);
    dal_sha256_add(sha, &bytes, sizeof(bytes));
    dal_sha256_add(sha, text, (size_t)bytes);
}

void dal__program_key(const struct dal_device *device, const char *text, const char *options,
                      struct dal_cache_key *key)
{
    const struct dal_device_info *info = &device->info;
    const char *const texts[] = {text,         options,        device->backend->name,
                                 info->name,   info->vendor,   info->version,
                                 info->driver, info->platform, info->platform_version};
    const uint64_t numbers[] = {info->vendor_id,          info->compute_units,
                                info->limits.work_group,  info->limits.work_items[0],
                                info->limits.local_bytes, sizeof(void *)};
    struct dal_sha256 sha;
    dal_sha256_begin(&sha);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        add_text(&sha, texts[i]);
    dal_sha256_add(&sha, numbers, sizeof(numbers));
    dal_sha256_end(&sha, key->digest);
}

/* May the binary replace a build at another start? A build tells the warnings that a source asks
 * for, and reads the files that the text includes. */
static int may_be_kept(const char *text, const char *options)
{
    const char *line = text;
    if (!dal_cache_wanted() || asks_for_warnings(options))
        return 0;
    for (; line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\n");
        if (*line == '#' && strncmp(line + 1 + strspn(line + 1, " \t"), "include", 7) == 0)
            return 0;
    }
    return 1;
}

/* Makes a program of its binary in the cache. Returns 1; 0 if there is no usable binary; or
 * DAL_ERR_NOMEM. */
static int load_program(const struct dal_programs *programs, struct dal_device *device,
                        struct dal_program *made, const char *all)
{
    struct dal_cache_binary binary;
    int found = dal_cache_read(&made->key, &binary);
    if (found < 0)
        return found;
    if (binary.bytes > 0)
        made->program = programs->compiler->load(device, all, &binary);
    dal_free(binary.data);
    if (made->program)
        made->kept_bytes = binary.bytes;
    return made->program != NULL;
}

static void keep_program(const struct dal_programs *programs, struct dal_device *device,
                         const struct dal_program *made)
{
    struct dal_cache_binary binary = {0};
    programs->compiler->binary(device, made->program, made->kept_bytes, &binary);
    if (binary.data)
        dal_cache_write(&made->key, &binary);
    dal_free(binary.data);
}

/* ---- programs -------------------------------------------------------------------------------- */

static struct dal_program *find_program(const struct dal_programs *programs, const char *text,
                                        const char *options)
{
    struct dal_program *made = programs->first;
    while (made && (strcmp(made->text, text) != 0 || strcmp(made->options, options) != 0))
        made = made->next;
    return made;
}

/* Where somebody wants to hear warnings, the text is built. Other starts load what came of it. */
static int load_or_build(const struct dal_programs *programs, struct dal_device *device,
                         struct dal_program *made, const struct dal_subject *process,
                         const char *file, const char *all, const char *quiet)
{
    int keeps = may_be_kept(made->text, made->options), status;
    if (keeps)
        dal__program_key(device, made->text, quiet, &made->key);
    status = keeps && !wants_warnings ? load_program(programs, device, made, all) : 0;
    if (status == 1)
        device->loaded++;
    if (status == 0) {
        device->built++;
        status = programs->compiler->build(device, process, file, made->text, all, &made->program);
    }
    made->is_kept = keeps && status >= 0;
    return status < 0 ? status : DAL_OK;
}

static int make_program(const struct dal_programs *programs, struct dal_device *device,
                        struct dal_program *made, const struct dal_subject *process,
                        const char *file, const char *text, const char *options)
{
    const int warns = wants_warnings || asks_for_warnings(options);
    char *all = programs->compiler->options(device, options, warns);
    char *quiet = programs->compiler->options(device, options, 0);
    int status = DAL_ERR_NOMEM;
    made->text = dal_strdup(text);
    made->options = dal_strdup(options);
    if (made->text && made->options && all && quiet)
        status = load_or_build(programs, device, made, process, file, all, quiet);
    dal_free(all);
    dal_free(quiet);
    return status;
}

static void finish_program(const struct dal_programs *programs, struct dal_program *made)
{
    if (!made)
        return;
    if (made->program)
        programs->compiler->release(made->program);
    dal_free(made->text);
    dal_free(made->options);
    dal_free(made);
}

int dal_programs_get(struct dal_programs *programs, struct dal_device *device,
                     const struct dal_subject *process, const char *file, const char *text,
                     const char *options, void **program)
{
    struct dal_program *made = find_program(programs, text, options);
    int64_t begin_ns = dal_now_ns();
    int failed = DAL_OK;
    *program = NULL;
    if (!made) {
        made = dal_calloc(1, sizeof(*made));
        failed = made ? make_program(programs, device, made, process, file, text, options)
                      : DAL_ERR_NOMEM;
        if (failed) {
            finish_program(programs, made);
            made = NULL;
        } else {
            made->next = programs->first;
            programs->first = made;
        }
    }
    if (made)
        *program = made->program;
    device->ready_ns += dal_now_ns() - begin_ns;
    return failed;
}

void dal_programs_finish(struct dal_programs *programs, struct dal_device *device)
{
    while (programs->first) {
        struct dal_program *made = programs->first;
        programs->first = made->next;
        if (made->is_kept)
            keep_program(programs, device, made);
        finish_program(programs, made);
    }
}

/* ---- whether a text builds ------------------------------------------------------------------- */

/* Does a text build? A yes is kept in the cache, as an entry without a binary. */
static int builds_once(const struct dal_programs *programs, struct dal_device *device,
                       const struct dal_subject *process, const char *text, const char *all)
{
    const struct dal_cache_binary none = {0};
    struct dal_cache_binary found = {0};
    struct dal_cache_key key;
    int result;
    if (!may_be_kept(text, all))
        return programs->compiler->builds(device, process, text, all);
    dal__program_key(device, text, all, &key);
    result = dal_cache_read(&key, &found);
    dal_free(found.data);
    if (result)
        return result;
    result = programs->compiler->builds(device, process, text, all);
    if (result == 1)
        dal_cache_write(&key, &none);
    return result;
}

static int builds_below(const struct dal_programs *programs, struct dal_device *device,
                        const struct dal_subject *process, const char *text, const char *options,
                        const char *macro, uint64_t limit)
{
    char *more = dal_format("%s -D%s=%" PRIu64, options, macro, limit);
    char *all = more ? programs->compiler->options(device, more, 0) : NULL;
    int result = all ? builds_once(programs, device, process, text, all) : DAL_ERR_NOMEM;
    dal_free(more);
    dal_free(all);
    return result;
}

int dal_programs_fit(struct dal_programs *programs, struct dal_device *device,
                     const struct dal_subject *process, const char *text, const char *options,
                     const char *macro, uint64_t limit)
{
    int64_t begin_ns = dal_now_ns();
    int result = builds_below(programs, device, process, text, options, macro, limit);
    if (result == 0) {
        int ever = builds_below(programs, device, process, text, options, macro, INT64_MAX);
        result = ever < 0 ? ever : !ever;
    }
    device->ready_ns += dal_now_ns() - begin_ns;
    return result;
}
