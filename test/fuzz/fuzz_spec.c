/*
 * A libFuzzer target over all that reads what a user wrote, and over the analysis. What the input
 * is, its first byte says: '{' execution times or statistics, 'g' a network of rates byte by byte,
 * anything else XML: an SDF3 graph when "<sdf3" is in it, a state machine when "<fsm" is, a network
 * otherwise.
 */
#include "rt/base/error.h"
#include "spec/fsm.h"
#include "spec/graph.h"
#include "spec/sdf3.h"
#include "spec/short.h"
#include "spec/read/stats.h"
#include "spec/read/times.h"
#include "synth/analyze_print.h"
#include "synth/explain.h"
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

static void try_times(struct dal_diags *diags, const char *path)
{
    const struct edge edge = {0, 1, 2, 3, 0};
    struct dal_spec *spec = build_spec(2, &edge, 1);
    for (size_t i = 0; i < 2; i++)
        spec->network.processes[i].base = dal_strdup("p");
    dal_times_read(diags, path, spec);
    dal_spec_destroy(spec);
}

static void try_stats(struct dal_diags *diags, const char *path)
{
    const struct edge edge = {0, 1, 2, 3, 0};
    struct dal_spec *spec = build_spec(2, &edge, 1);
    struct dal_stats stats = {0};
    dal_stats_read(diags, path, spec, &stats);
    dal_stats_finish(&stats);
    dal_spec_destroy(spec);
}

static void try_sdf3(struct dal_diags *diags, const char *path)
{
    struct dal_spec *spec = dal_sdf3_is(path) ? dal_sdf3_read(diags, path, "p") : NULL;
    uint64_t *times;
    size_t missing;
    if (!spec)
        return;
    dal_network_write(&spec->network, 1, nowhere());
    times = dal_spec_times(spec, &missing);
    if (times)
        dal_sdf3_write(&spec->network, times, nowhere());
    dal_free(times);
    analyse(diags, spec);
    dal_spec_destroy(spec);
}

static void try_form(struct dal_diags *diags, const char *path,
                     int (*make)(struct dal_diags *, const char *, char **))
{
    char *text;
    if (make(diags, path, &text) == DAL_OK)
        fputs(text, nowhere());
    dal_free(text);
}

static void try_network(struct dal_diags *diags, const char *path, size_t size)
{
    struct dal_spec *spec = dal_spec_load_unchecked(diags, path, NULL, NULL, NULL, 0);
    if (spec)
        analyse(diags, spec);
    dal_spec_destroy(spec);
    try_form(diags, path, size < 2000 ? dal_network_shorten : dal_network_expand);
}

static void try_fsm(struct dal_diags *diags, const char *path)
{
    struct dal_spec_fsm *fsm = dal_fsm_load(diags, path);
    if (fsm)
        dal_explain_fsm(fsm, nowhere());
    dal_fsm_destroy(fsm);
}

/* The readers want a file. */
static void try_file(struct dal_diags *diags, const uint8_t *data, size_t size)
{
    int file = memfd_create("fuzz", 0);
    char path[64];
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    if (data[0] == '{' && memmem(data, size, "\"dal-stats\"", 11))
        try_stats(diags, path);
    else if (data[0] == '{')
        try_times(diags, path);
    else if (memmem(data, size, "<sdf3", 5))
        try_sdf3(diags, path);
    else if (memmem(data, size, "<fsm", 4))
        try_fsm(diags, path);
    else
        try_network(diags, path, size);
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
        try_file(&diags, data, size);
    dal_diags_print(&diags, nowhere());
    dal_diags_finish(&diags);
    return 0;
}
