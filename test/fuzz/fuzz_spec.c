/*
 * A libFuzzer target over all that reads what a user wrote, and over the analysis. What the input
 * is, its first byte says: '{' execution times or statistics, 'g' a network of rates byte by byte,
 * anything else XML: an SDF3 graph when "<sdf3" is in it, a state machine when "<fsm" is, a network
 * otherwise. Behind a network, each after a form feed, an architecture and a mapping may follow,
 * and behind these execution times or statistics.
 *
 * What is written must be read as what it was: the short form of a network, and an SDF3 graph.
 */
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "spec/dialects/sdf3/sdf3.h"
#include "spec/load/load.h"
#include "spec/read/stats.h"
#include "spec/read/times.h"
#include "spec/write/short.h"
#include "synth/command/analyze_print.h"
#include "synth/program/explain.h"
#include "test/analyze/sdf_build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Seconds for the searches of one network. */
#define SECONDS 0.02

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FILE *nowhere(void)
{
    static FILE *out;
    if (!out)
        out = fopen("/dev/null", "w");
    return out;
}

static void analyse(struct dal_diags *diags, struct dal_spec *spec)
{
    size_t missing;
    uint64_t *times = dal_spec_times(spec, &missing);
    struct dal_sdf_wishes wishes = {.pareto = 1, .seconds = SECONDS};
    struct dal_sdf_report report;
    if (dal_spec_report(diags, spec, times, &wishes, &report) == DAL_OK) {
        dal_analyze_json(spec, &report, nowhere());
        dal_analyze_table(spec, &report, nowhere());
    }
    dal_sdf_report_finish(&report);
    dal_free(times);
}

/* Ten bytes a channel. */
static void try_graph(struct dal_diags *diags, const uint8_t *data, size_t size)
{
    enum { PROCESSES = 8, CHANNELS = 16, BYTES = 10 };
    struct edge edges[CHANNELS];
    struct dal_spec *spec;
    size_t count = 0;
    for (; size >= BYTES && count < CHANNELS; size -= BYTES, data += BYTES)
        edges[count++] = (struct edge){.from = data[0] % PROCESSES,
                                       .to = data[1] % PROCESSES,
                                       .produce = 1 + data[2] + ((uint64_t)data[3] << data[4] % 24),
                                       .consume = 1 + data[5] + ((uint64_t)data[6] << data[7] % 24),
                                       .initial = (uint64_t)data[8] << data[9] % 40};
    spec = build_spec(PROCESSES, edges, count);
    for (size_t i = 0; i < PROCESSES; i++) {
        struct dal_spec_execution_time *time = &spec->network.processes[i].execution_time;
        time->is_given = 1;
        time->units = i < size ? data[i] : i;
    }
    analyse(diags, spec);
    dal_spec_destroy(spec);
}

static void try_json(struct dal_diags *diags, const char *path, int is_stats, struct dal_spec *spec)
{
    struct dal_stats stats = {0};
    if (is_stats)
        dal_stats_read(diags, path, spec, &stats);
    else
        dal_times_read(diags, path, spec);
    dal_stats_finish(&stats);
}

/* Of two processes that are bound to nothing. */
static void try_json_alone(struct dal_diags *diags, const char *path, int is_stats)
{
    const struct edge edge = {0, 1, 2, 3, 0};
    struct dal_spec *spec = build_spec(2, &edge, 1);
    for (size_t i = 0; i < 2; i++)
        spec->network.processes[i].base = dal_strdup("p");
    try_json(diags, path, is_stats, spec);
    dal_spec_destroy(spec);
}

/* The readers want a file. Its number; `path` has room for PATH_SIZE. */
enum { PATH_SIZE = 64 };

static int file_of(const void *data, size_t size, char *path)
{
    int file = memfd_create("fuzz", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, PATH_SIZE, "/proc/self/fd/%d", file);
    return file;
}

static void must_be_equal(const char *what, const char *before, const char *after)
{
    if (strcmp(before, after) == 0)
        return;
    fprintf(stderr, "%s\n---- before\n%s\n---- after\n%s\n", what, before, after);
    abort();
}

/* A spec as a graph of SDF3. */
static char *written(const struct dal_spec *spec, const uint64_t *times)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    dal_sdf3_write(&spec->network, times, out);
    fclose(out);
    return text;
}

static void export_again(struct dal_diags *diags, const struct dal_spec *spec,
                         const uint64_t *times)
{
    char path[PATH_SIZE], *text = written(spec, times), *again;
    int file = file_of(text, strlen(text), path);
    struct dal_spec *read = dal_sdf3_read(diags, path, NULL);
    uint64_t *read_times;
    size_t missing;
    if (!read)
        must_be_equal("an exported graph is none", text, "");
    read_times = dal_spec_times(read, &missing);
    again = written(read, read_times);
    must_be_equal("an exported graph is another", text, again);
    free(again);
    dal_free(read_times);
    dal_spec_destroy(read);
    close(file);
    free(text);
}

static void try_sdf3(struct dal_diags *diags, const char *path, const char *processor)
{
    struct dal_spec *spec = dal_sdf3_is(path) ? dal_sdf3_read(diags, path, processor) : NULL;
    uint64_t *times;
    size_t missing;
    if (!spec)
        return;
    dal_network_write(&spec->network, 1, nowhere());
    times = dal_spec_times(spec, &missing);
    if (times)
        export_again(diags, spec, times);
    dal_free(times);
    analyse(diags, spec);
    dal_spec_destroy(spec);
}

/* A network that has both forms: expanded and shortened, and the short one expanded. */
static void try_forms(struct dal_diags *diags, const char *path)
{
    char *longer = NULL, *shorter = NULL, *again = NULL, short_path[PATH_SIZE];
    int file;
    if (dal_network_expand(diags, path, &longer) == DAL_OK &&
        dal_network_shorten(diags, path, &shorter) == DAL_OK) {
        file = file_of(shorter, strlen(shorter), short_path);
        if (dal_network_expand(diags, short_path, &again) != DAL_OK)
            must_be_equal("a short form is no network", longer, shorter);
        else
            must_be_equal("a short form is another network", longer, again);
        close(file);
    }
    dal_free(longer);
    dal_free(shorter);
    dal_free(again);
}

/* The parts of an input, each in a file; returns how many. */
enum { MOST_PARTS = 4 };

static size_t part_files(const uint8_t *data, size_t size, char paths[][PATH_SIZE], int *files)
{
    size_t count = 0;
    while (count < MOST_PARTS) {
        const uint8_t *end = memchr(data, '\f', size);
        size_t part = end ? (size_t)(end - data) : size;
        files[count] = file_of(data, part, paths[count]);
        count++;
        if (!end)
            break;
        size -= part + 1;
        data = end + 1;
    }
    return count;
}

static void try_network(struct dal_diags *diags, const uint8_t *data, size_t size, int is_stats)
{
    char paths[MOST_PARTS][PATH_SIZE];
    int files[MOST_PARTS];
    size_t count = part_files(data, size, paths, files);
    struct dal_spec *spec = dal_spec_load_unchecked(diags, paths[0], count > 2 ? paths[1] : NULL,
                                                    count > 2 ? paths[2] : NULL, NULL, 0);
    if (spec && count > 3)
        try_json(diags, paths[3], is_stats, spec);
    if (spec)
        analyse(diags, spec);
    dal_spec_destroy(spec);
    if (count == 1)
        try_forms(diags, paths[0]);
    while (count-- > 0)
        close(files[count]);
}

static void try_fsm(struct dal_diags *diags, const char *path)
{
    struct dal_spec_fsm *fsm = dal_fsm_load(diags, path);
    if (fsm)
        dal_explain_fsm(fsm, nowhere());
    dal_fsm_destroy(fsm);
}

static void try_text(struct dal_diags *diags, const uint8_t *data, size_t size)
{
    char path[PATH_SIZE];
    int file = file_of(data, size, path);
    int is_stats = memmem(data, size, "\"dal-stats\"", 11) != NULL;
    if (data[0] == '{')
        try_json_alone(diags, path, is_stats);
    else if (memmem(data, size, "<sdf3", 5))
        try_sdf3(diags, path, memmem(data, size, "\"p\"", 3) ? "p" : NULL);
    else if (memmem(data, size, "<fsm", 4))
        try_fsm(diags, path);
    else
        try_network(diags, data, size, is_stats);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dal_diags diags;
    if (size == 0)
        return 0;
    dal_diags_init(&diags);
    if (data[0] == 'g')
        try_graph(&diags, data + 1, size - 1);
    else
        try_text(&diags, data, size);
    dal_diags_print(&diags, nowhere());
    dal_diags_finish(&diags);
    return 0;
}
