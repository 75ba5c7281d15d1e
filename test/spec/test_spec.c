/*
 * The loader: every folder below test/spec/good must load into the model that its file "expected"
 * shows, every one below test/spec/bad must give the diagnostics that its "expected" begins lines
 * with. REGENERATE=1 writes these files instead of comparing.
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/codes.h"
#include "spec/base/names.h"
#include "spec/base/text.h"
#include "spec/load/load.h"
#include "spec/model/model.h"
#include "spec/read/expr.h"
#include "spec/read/stats.h"
#include "test/suite.h"

#include <CUnit/CUnit.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 512

static int regenerate;

static int exists(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

/* Loads the fixture in `folder`; what it lacks of three files comes from good/plain. Those whose
 * name begins so are loaded for the analysis. */
static struct dal_spec *load(struct dal_diags *diags, const char *folder)
{
    static const char *const names[] = {"network", "architecture", "mapping"};
    char paths[3][PATH_BYTES];
    int own[3], all;
    for (int i = 0; i < 3; i++) {
        snprintf(paths[i], PATH_BYTES, "%s/%s.xml", folder, names[i]);
        own[i] = exists(paths[i]);
        if (!own[i])
            snprintf(paths[i], PATH_BYTES, "good/plain/%s.xml", names[i]);
    }
    all = own[1] || own[2];
    if (strncmp(folder, "good/unchecked", strlen("good/unchecked")) == 0)
        return dal_spec_load_unchecked(diags, paths[0], NULL, NULL, NULL, 0);
    return dal_spec_load(diags, paths[0], all ? paths[1] : NULL, all ? paths[2] : NULL, NULL, 0);
}

static const char *const source_types[] = {
    [DAL_SOURCE_C] = "c",
    [DAL_SOURCE_OPENCL] = "opencl",
    [DAL_SOURCE_PORTABLE] = "portable",
    [DAL_SOURCE_OPEN] = "open",
};

static void print_port(FILE *out, const struct dal_spec_port *port)
{
    fprintf(out, "  %s %s rate %" PRIu64, port->output ? "output" : "input", port->name,
            port->rate);
    for (size_t i = 0; i < port->phases.count; i++)
        fprintf(out, "%s%" PRIu64, i ? "," : " phases ", port->phases.of[i]);
    if (port->blocks != 1)
        fprintf(out, " blocks %" PRIu64, port->blocks);
    for (const struct dal_spec_channel *c = port->channel; c; c = dal_port_next(port, c))
        fprintf(out, " channel %s", c->name);
    fprintf(out, "\n");
}

struct shown {
    char text[16];
};

/* Shadow copies or work-items; `none` for 0. */
static struct shown shown_count(uint32_t count, const char *none)
{
    struct shown shown;
    if (dal_spec_is_number(count))
        snprintf(shown.text, sizeof(shown.text), "%" PRIu32, count);
    else
        snprintf(shown.text, sizeof(shown.text), "%s", count ? "auto" : none);
    return shown;
}

/* Work-items, and how many in each dimension where there are several. */
static void print_items(FILE *out, uint32_t items, const uint32_t *shape)
{
    fprintf(out, " items %s", shown_count(items, "-").text);
    if (shape[0])
        fprintf(out, " (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ")", shape[0], shape[1], shape[2]);
}

static void print_period(FILE *out, const struct dal_spec_period *periodic)
{
    if (periodic->period_ns)
        fprintf(out,
                "  period %" PRIu64 " phase %" PRIu64 " deadline %" PRIu64 " repetitions %" PRIu64
                " overrun %d\n",
                periodic->period_ns, periodic->phase_ns, periodic->deadline_ns,
                periodic->repetitions, (int)periodic->overrun);
}

static void print_latency(FILE *out, const struct dal_spec_latency *latency)
{
    fprintf(out, "latency %s to %s max %" PRIu64 " late %" PRIu32 " line %d\n", latency->from->name,
            latency->to->name, latency->max_ns, latency->late_ppm, latency->place.line);
}

static void print_process(FILE *out, const struct dal_spec_process *process)
{
    fprintf(out, "process %s base %s io %d copies %s priority %d repetitions %" PRIu64,
            process->name, process->base, process->io,
            shown_count(process->shadow_copies, "auto").text, process->priority,
            process->repetitions);
    for (size_t i = 0; i < process->index_count; i++)
        fprintf(out, " [%d]", process->index[i]);
    fprintf(out, " line %d\n", process->place.line);
    print_period(out, &process->periodic);
    for (size_t i = 0; i < process->source_count; i++) {
        const struct dal_spec_source *source = &process->sources[i];
        fprintf(out, "  source %d %s %s", source->id, source_types[source->type], source->path);
        print_items(out, source->work_items, source->work_shape);
        if (source->cflags)
            fprintf(out, " cflags '%s'", source->cflags);
        fprintf(out, "\n");
    }
    for (size_t i = 0; i < process->port_count; i++)
        print_port(out, &process->ports[i]);
    for (size_t i = 0; i < process->parameter_count; i++)
        fprintf(out, "  parameter %s '%s'\n", process->parameters[i].name,
                process->parameters[i].value);
}

static void print_channel(FILE *out, const struct dal_spec_channel *channel)
{
    fprintf(out,
            "channel %s capacity %" PRIu64 " bytes %" PRIu64 " rates %" PRIu64 " %" PRIu64
            " initial %" PRIu64 " %s.%s -> %s.%s line %d\n",
            channel->name, channel->capacity, channel->token_bytes, channel->rate_in,
            channel->rate_out, channel->initial_tokens, channel->producer->name,
            channel->producer_port->name, channel->consumer->name, channel->consumer_port->name,
            channel->place.line);
    if (channel->newest.is_given)
        fprintf(out, "  newest repeat %d age %" PRIu64 " ns\n", channel->newest.repeat,
                channel->newest.age_ns);
    if (!channel->initial_data)
        return;
    fprintf(out, "  data");
    for (uint64_t i = 0; i < channel->initial_tokens * channel->token_bytes; i++)
        fprintf(out, " %02x", channel->initial_data[i]);
    fprintf(out, "\n");
}

static void print_variables(FILE *out, const char *kind, const struct dal_spec_variable *list,
                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct dal_text value = {0};
        dal_variable_print_c(&value, &list[i]);
        fprintf(out, "%s %s %s\n", kind, list[i].name, dal_text_get(&value));
        dal_text_finish(&value);
    }
}

static void print_network(FILE *out, const struct dal_spec_network *network)
{
    fprintf(out, "network %s\n", network->name);
    print_variables(out, "variable", network->variables, network->variable_count);
    for (size_t i = 0; i < network->part_count; i++)
        print_variables(out, network->parts[i]->name, network->parts[i]->variables,
                        network->parts[i]->variable_count);
    for (size_t i = 0; i < network->process_count; i++)
        print_process(out, &network->processes[i]);
    for (size_t i = 0; i < network->channel_count; i++)
        print_channel(out, &network->channels[i]);
    for (size_t i = 0; i < network->latency_count; i++)
        print_latency(out, &network->latencies[i]);
}

static void print_measured(FILE *out, const struct dal_spec_measured *measured)
{
    if (!measured->is_given)
        return;
    fprintf(out, "measured at %s = %" PRId64 " by %s cores %s devices %s\n", measured->at,
            measured->at_s, measured->by, measured->cores, measured->devices);
    for (size_t i = 0; i < measured->cost_count; i++) {
        const struct dal_spec_cost *cost = &measured->costs[i];
        fprintf(out, "cost %s %s %s latency %g spread %g ns bandwidth %g bytes/s line %d\n",
                dal_cost_rules[cost->kind].name, cost->from->name, cost->to->name, cost->latency_ns,
                cost->spread_ns, cost->bytes_per_second, cost->place.line);
    }
}

static void print_architecture(FILE *out, const struct dal_spec_architecture *architecture)
{
    if (!architecture->name)
        return;
    fprintf(out, "architecture %s\n", architecture->name);
    for (size_t i = 0; i < architecture->processor_count; i++) {
        const struct dal_spec_processor *processor = &architecture->processors[i];
        fprintf(out, "processor %s %s", processor->name, processor->type);
        fprintf(out, processor->node ? " of %s\n" : "\n", processor->node);
        for (size_t k = 0; k < processor->capability_count; k++)
            fprintf(out, "  capability %d %s core %d platform %s memory %d\n",
                    processor->capabilities[k].kind, processor->capabilities[k].identifier,
                    processor->capabilities[k].core,
                    processor->capabilities[k].platform ? processor->capabilities[k].platform
                                                        : "any",
                    processor->capabilities[k].memory);
        for (size_t k = 0; k < processor->capability_count; k++)
            if (processor->capabilities[k].compute_units)
                fprintf(out, "  units %" PRIu64 " work-group %" PRIu64 " buffer %" PRIu64 "\n",
                        processor->capabilities[k].compute_units,
                        processor->capabilities[k].work_group,
                        processor->capabilities[k].buffer_bytes);
    }
    for (size_t i = 0; i < architecture->link_count; i++) {
        const struct dal_spec_link *link = &architecture->links[i];
        fprintf(out, "link %s %zu %zu latency %" PRIu64 " ns bandwidth %" PRIu64 " bytes/s\n",
                link->name, link->ends[0], link->ends[1], link->latency_ns, link->bandwidth);
    }
    print_measured(out, &architecture->measured);
}

static void print_mapping(FILE *out, const struct dal_spec_mapping *mapping)
{
    if (!mapping->name)
        return;
    fprintf(out, "mapping %s depth %d policy %s", mapping->name, mapping->queue_depth,
            mapping->policy);
    fprintf(out, mapping->realtime ? " real-time %d\n" : "\n", mapping->realtime);
    for (size_t i = 0; i < mapping->binding_count; i++) {
        const struct dal_spec_binding *binding = &mapping->bindings[i];
        fprintf(out, "binding %s: %s source %d on", binding->name, binding->process->name,
                binding->source->id);
        if (binding->source->type == DAL_SOURCE_PORTABLE)
            fprintf(out, " %s", binding->capability == DAL_PROCESSOR_CORE ? "cores" : "device");
        for (size_t k = 0; k < binding->processor_count; k++)
            fprintf(out, " %s", binding->processors[k]->name);
        fprintf(out, ", copies %s", shown_count(binding->shadow_copies, "-").text);
        print_items(out, binding->work_items, binding->work_shape);
        fprintf(out, " priority %d %d\n", binding->has_priority, binding->priority);
    }
    for (size_t i = 0; i < mapping->node_count; i++)
        fprintf(out, "node %s\n", mapping->nodes[i]);
    for (size_t i = 0; i < mapping->override_count; i++)
        fprintf(out, "override %s kind %d capacity %" PRIu64 "\n",
                mapping->overrides[i].channel->name, mapping->overrides[i].kind,
                mapping->overrides[i].capacity);
}

static char *read_text(const char *path)
{
    char *text = calloc(1, 1 << 16);
    FILE *in = fopen(path, "rb");
    if (!text || !in || fread(text, 1, (1 << 16) - 1, in) == 0)
        text[0] = '\0';
    if (in)
        fclose(in);
    return text;
}

/* Compares with the fixture's "expected", or writes it. */
static void expect(const char *folder, const char *text)
{
    char path[PATH_BYTES], *expected;
    snprintf(path, sizeof(path), "%s/expected", folder);
    if (regenerate) {
        FILE *out = fopen(path, "wb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(out);
        fputs(text, out);
        fclose(out);
        return;
    }
    expected = read_text(path);
    if (strcmp(expected, text) != 0)
        printf("\n%s: expected\n%sgot\n%s", folder, expected, text);
    CU_ASSERT_STRING_EQUAL(text, expected);
    free(expected);
}

/* A folder with a state machine has nothing else. */
static int has_fsm(const char *folder, char *path)
{
    snprintf(path, PATH_BYTES, "%s/fsm.xml", folder);
    return exists(path);
}

static void print_fsm(FILE *out, const struct dal_spec_fsm *fsm)
{
    static const char *const wants[] = {
        [DAL_FSM_STOPPED] = "-", [DAL_FSM_RUNNING] = "running", [DAL_FSM_PAUSED] = "paused"};
    fprintf(out, "fsm %s initial %s\n", fsm->name, fsm->states[fsm->initial].name);
    for (size_t i = 0; i < fsm->application_count; i++)
        fprintf(out, "application %s %s %s\n", fsm->applications[i].name,
                fsm->applications[i].network_file, fsm->applications[i].mapping_file);
    for (size_t i = 0; i < fsm->state_count; i++) {
        fprintf(out, "state %s end %d", fsm->states[i].name, fsm->states[i].end);
        for (size_t k = 0; k < fsm->application_count; k++)
            fprintf(out, " %s", wants[fsm->states[i].wants[k]]);
        fprintf(out, " line %d\n", fsm->states[i].place.line);
    }
    for (size_t i = 0; i < fsm->event_count; i++)
        fprintf(out, "event %s application %d\n", fsm->events[i].name,
                (int)fsm->events[i].application);
    for (size_t i = 0; i < fsm->transition_count; i++)
        fprintf(out, "transition %zu -> %zu event %zu\n", fsm->transitions[i].from,
                fsm->transitions[i].to, fsm->transitions[i].event);
}

/* Warnings are part of what is expected. */
static void check_good_fsm(const char *folder, const char *path)
{
    struct dal_diags diags;
    struct dal_spec_fsm *fsm;
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    dal_diags_init(&diags);
    fsm = dal_fsm_load(&diags, path);
    dal_diags_print(&diags, fsm ? out : stdout);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fsm);
    print_fsm(out, fsm);
    fclose(out);
    expect(folder, text);
    free(text);
    dal_fsm_destroy(fsm);
    dal_diags_finish(&diags);
}

static void check_good(const char *folder)
{
    struct dal_diags diags;
    struct dal_spec *spec;
    char *text;
    char path[PATH_BYTES];
    size_t bytes;
    FILE *out;
    if (has_fsm(folder, path)) {
        check_good_fsm(folder, path);
        return;
    }
    out = open_memstream(&text, &bytes);
    dal_diags_init(&diags);
    spec = load(&diags, folder);
    dal_diags_print(&diags, spec ? out : stdout);
    CU_ASSERT_PTR_NOT_NULL_FATAL(spec);
    print_network(out, &spec->network);
    print_architecture(out, &spec->architecture);
    print_mapping(out, &spec->mapping);
    fclose(out);
    expect(folder, text);
    free(text);
    dal_spec_destroy(spec);
    dal_diags_finish(&diags);
}

static int code_listed(const char *code)
{
#define CODE(name, meaning)                                                                        \
    if (strcmp(code, name) == 0)                                                                   \
        return meaning[0] != '\0';
    DAL_CODE_LIST(CODE)
#undef CODE
    return 0;
}

/* Where each line says something, and its code; with the words where `folder` is of words. */
static char *heads_of(const struct dal_diags *diags, const char *folder)
{
    char *text, *heads, *line, *rest, *end;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    dal_diags_print(diags, out);
    fclose(out);
    if (strncmp(folder, "bad/words", strlen("bad/words")) == 0)
        return text;
    out = open_memstream(&heads, &bytes);
    for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        end = strstr(line, ": [");
        end = end ? strchr(end, ']') + 1 : strstr(line, "note:");
        fprintf(out, "%.*s%s\n", end ? (int)(end - line) : 0, line,
                end && *end == 'n' ? "note:" : "");
    }
    fclose(out);
    free(text);
    return heads;
}

static void check_bad(const char *folder)
{
    struct dal_diags diags;
    struct dal_spec *spec = NULL;
    struct dal_spec_fsm *fsm = NULL;
    char *heads, path[PATH_BYTES];
    dal_diags_init(&diags);
    if (has_fsm(folder, path))
        fsm = dal_fsm_load(&diags, path);
    else
        spec = load(&diags, folder);
    CU_ASSERT(!spec && !fsm);
    CU_ASSERT(diags.errors > 0);
    CU_ASSERT(!diags.lost);
    for (size_t i = 0; i < diags.count; i++) {
        CU_ASSERT_PTR_NOT_NULL(diags.list[i].place.file);
        CU_ASSERT(diags.list[i].level == DAL_DIAG_NOTE || code_listed(diags.list[i].code));
    }
    heads = heads_of(&diags, folder);
    expect(folder, heads);
    free(heads);
    dal_spec_destroy(spec);
    dal_fsm_destroy(fsm);
    dal_diags_finish(&diags);
}

/* Calls `check` for every folder in `parent`; there must be at least `least`. */
static void for_each(const char *parent, int least, void (*check)(const char *folder))
{
    struct dirent **entries;
    int count = scandir(parent, &entries, NULL, alphasort), folders = 0;
    for (int i = 0; i < count; i++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof(path), "%s/%s", parent, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') {
            check(path);
            folders++;
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    CU_ASSERT(folders >= least);
}

static void test_good(void)
{
    for_each("good", 4, check_good);
}

static void test_bad(void)
{
    for_each("bad", 100, check_bad);
}

static void test_defines(void)
{
    const struct dal_spec_define defines[] = {{.name = "workers", .value = 5}};
    const struct dal_spec_define unknown[] = {{.name = "worker", .value = 5}};
    struct dal_diags diags;
    struct dal_spec *spec;
    dal_diags_init(&diags);
    spec = dal_spec_load(&diags, "good/iterated/network.xml", NULL, NULL, defines, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(spec);
    CU_ASSERT_EQUAL(spec->network.process_count, 1 + 5 + 2 * 5);
    CU_ASSERT_EQUAL(spec->network.variables[1].value, 4);
    CU_ASSERT_STRING_EQUAL(spec->network.processes[13].parameters[0].value,
                           "worker 4 of 5: 0 to go");
    dal_spec_destroy(spec);
    CU_ASSERT_EQUAL(dal_diags_print(&diags, stdout), 0);

    spec = dal_spec_load(&diags, "good/iterated/network.xml", NULL, NULL, unknown, 1);
    CU_ASSERT_PTR_NULL(spec);
    CU_ASSERT_EQUAL(diags.errors, 1);
    CU_ASSERT_STRING_EQUAL(diags.list[0].code, "unknown-variable");
    CU_ASSERT_PTR_NOT_NULL(strstr(diags.list[0].message, "did you mean 'workers'?"));
    dal_diags_finish(&diags);
}

/* Are two texts the same, or both NULL? */
static int check_text(const char *found, const char *wanted)
{
    int same = found && wanted ? strcmp(found, wanted) == 0 : found == wanted;
    CU_ASSERT_TRUE(same);
    return same;
}

static void test_typed_defines(void)
{
    static const struct {
        const char *name, *text, *code, *value; /* one of the last two */
    } rows[] = {
        {.name = "taps", .text = "8", .value = "8"},
        {.name = "taps", .text = "-9", .code = "typed-variable"},
        {.name = "taps", .text = "99", .code = "typed-variable"},
        {.name = "taps", .text = "1 + 1", .code = "typed-variable"},
        {.name = "taps", .text = "", .code = "typed-variable"},
        {.name = "taps", .text = "9999999999999999999", .code = "typed-variable"},
        {.name = "rate", .text = "1e3", .value = "1000.0"},
        {.name = "rate", .text = "0.1", .code = "typed-variable"},
        {.name = "rate", .text = "taps", .code = "typed-variable"},
        {.name = "rate", .text = "inf", .code = "typed-variable"},
        {.name = "rate", .text = "", .code = "typed-variable"},
        {.name = "type", .text = "int16_t", .value = "int16_t"},
        {.name = "type", .text = "type", .code = "typed-variable"},
        {.name = "file", .text = "", .value = "\"\""},
        {.name = "file", .text = "a\\\"b", .value = "\"a\\\\\\\"b\""},
        {.name = "file", .text = "${taps}", .code = "typed-variable"},
        {.name = "file", .text = "a\nb", .code = "typed-variable"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct dal_spec_define define = {.name = rows[i].name, .text = rows[i].text};
        struct dal_text value = {0};
        struct dal_diags diags;
        struct dal_spec *spec;
        dal_diags_init(&diags);
        spec = dal_spec_load(&diags, "good/typed/network.xml", NULL, NULL, &define, 1);
        for (size_t k = 0; spec && k < spec->network.variable_count; k++)
            if (strcmp(spec->network.variables[k].name, rows[i].name) == 0)
                dal_variable_print_c(&value, &spec->network.variables[k]);
        if (!check_text(spec ? dal_text_get(&value) : NULL, rows[i].value) ||
            !check_text(diags.count ? diags.list[0].code : NULL, rows[i].code))
            printf("-D %s=%s\n", rows[i].name, rows[i].text);
        dal_text_finish(&value);
        dal_spec_destroy(spec);
        dal_diags_finish(&diags);
    }
}

static const struct dal_spec_processor *processor_of(const struct dal_spec *spec, const char *name)
{
    const struct dal_spec_architecture *architecture = &spec->architecture;
    for (size_t i = 0; i < architecture->processor_count; i++)
        if (strcmp(architecture->processors[i].name, name) == 0)
            return &architecture->processors[i];
    CU_FAIL_FATAL("no such processor");
    return NULL;
}

/* What is asked of good/measured, by names, and what is found there. */
static void test_costs(void)
{
    static const struct {
        enum dal_cost_kind kind;
        const char *from, *to;
        double latency_ns, bytes_per_second; /* both 0: nothing is found */
    } cases[] = {
        {DAL_COST_FIRING, "core_1", "core_1", 12.345, 0},
        {DAL_COST_FIRING, "core_0", "core_1", 0, 0},
        {DAL_COST_FIRING, "core_2", "core_2", 12.345, 0},    /* the worst of the node */
        {DAL_COST_FIRING, "far/core_0", "far/core_0", 0, 0}, /* none of that node */
        {DAL_COST_WAKE, "core_0", "core_1", 20500, 0},       /* each way has its own */
        {DAL_COST_WAKE, "core_1", "core_0", 30000, 0},
        {DAL_COST_WAKE, "core_2", "core_0", 60000, 0}, /* the other way */
        {DAL_COST_WAKE, "core_1", "core_2", 60000, 0}, /* the worst of the node */
        {DAL_COST_WAKE, "core_1", "core_1", 0, 0},
        {DAL_COST_WAKE, "core_1", "far/core_1", 0, 0},
        {DAL_COST_WAKE, "far/core_1", "far/core_0", 90000, 0},
        {DAL_COST_TOKEN, "core_1", "core_0", 120, 4e9},
        {DAL_COST_TOKEN, "core_0", "core_2", 120, 3.5e9}, /* of equal latencies */
        {DAL_COST_COPY, "core_0", "core_0", 0, 9.5e9},
        {DAL_COST_COPY, "core_1", "core_1", 0, 8e9},
        {DAL_COST_LAUNCH, "gpu_0", "gpu_0", 2000, 0},
        {DAL_COST_LAUNCH, "gpu_1", "gpu_1", 0, 0}, /* a device is like no other */
        {DAL_COST_LAUNCH, "core_0", "core_0", 0, 0},
        {DAL_COST_FIRING, "gpu_0", "gpu_0", 0, 0},
        {DAL_COST_UPLOAD, "gpu_0", "gpu_0", 8000, 12.5e9},
    };
    struct dal_diags diags;
    struct dal_spec *spec;
    dal_diags_init(&diags);
    spec = load(&diags, "good/measured");
    CU_ASSERT_PTR_NOT_NULL_FATAL(spec);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct dal_spec_cost *cost =
            dal_spec_cost(spec, cases[i].kind, processor_of(spec, cases[i].from),
                          processor_of(spec, cases[i].to));
        double latency_ns = cost ? cost->latency_ns : 0;
        double bytes = cost ? cost->bytes_per_second : 0;
        if (latency_ns != cases[i].latency_ns || bytes != cases[i].bytes_per_second)
            printf("\n%s from %s to %s: %g ns, %g bytes/s", dal_cost_rules[cases[i].kind].name,
                   cases[i].from, cases[i].to, latency_ns, bytes);
        CU_ASSERT_DOUBLE_EQUAL(latency_ns, cases[i].latency_ns, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(bytes, cases[i].bytes_per_second, 1);
    }
    dal_spec_destroy(spec);
    dal_diags_finish(&diags);
}

static void test_no_file(void)
{
    struct dal_diags diags;
    dal_diags_init(&diags);
    CU_ASSERT_PTR_NULL(dal_spec_load(&diags, "nowhere.xml", "good", "", NULL, 0));
    CU_ASSERT_EQUAL(diags.errors, 3);
    for (size_t i = 0; i < diags.count; i++)
        CU_ASSERT_STRING_EQUAL(diags.list[i].code, "file");
    dal_diags_finish(&diags);
}

/* Entries come out by file and line, notes behind what they explain, repetitions once. */
static void test_order(void)
{
    struct dal_diags diags;
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    struct dal_spec_place a = {.line = 7}, b = {.line = 2};
    dal_diags_init(&diags);
    a.file = dal_diag_file(&diags, "a");
    b.file = dal_diag_file(&diags, "b");
    CU_ASSERT_PTR_EQUAL(a.file, dal_diag_file(&diags, "a"));
    dal_error(&diags, b, "file", "%d", 1);
    dal_note(&diags, a, "of 1");
    dal_error(&diags, a, "file", "%d", 2);
    dal_error(&diags, a, "file", "%d", 2);
    a.line = 3;
    dal_warning(&diags, a, "entity", "%d", 3);
    a.line = 0;
    dal_error(&diags, a, "file", "%d", 4);
    CU_ASSERT_EQUAL(dal_diags_print(&diags, out), 3);
    fclose(out);
    CU_ASSERT_STRING_EQUAL(text, "a: error: [file] 4\n"
                                 "a:3: warning: [entity] 3\n"
                                 "a:7: error: [file] 2\n"
                                 "b:2: error: [file] 1\n"
                                 "a:7: note: of 1\n");
    free(text);
    dal_diags_finish(&diags);
}

static void test_expressions(void)
{
    static const struct {
        const char *text;
        int64_t value;
        const char *code; /* NULL: it has a value */
    } cases[] = {
        {.text = "1", .value = 1},
        {.text = " 2 + 3*4 ", .value = 14},
        {.text = "(2+3)*4", .value = 20},
        {.text = "-2*-3 - -1", .value = 7},
        {.text = "-(2+3)*2", .value = -10},
        {.text = "- - 3", .value = 3},
        {.text = "100/7/2", .value = 7},
        {.text = "2-3-4", .value = -5},
        {.text = "-7 % 3", .value = -1},
        {.text = "2*x+_y1", .value = 25},
        {.text = "9223372036854775807", .value = INT64_MAX},
        {.text = "-9223372036854775807-1", .value = INT64_MIN},
        {.text = "", .code = "bad-number"},
        {.text = "1 +", .code = "bad-number"},
        {.text = "1 2", .code = "bad-number"},
        {.text = "(1", .code = "bad-number"},
        {.text = "1)", .code = "bad-number"},
        {.text = "()", .code = "bad-number"},
        {.text = "1x", .code = "bad-number"},
        {.text = "0x10", .code = "bad-number"},
        {.text = "1.5", .code = "bad-number"},
        {.text = "2 ** 3", .code = "bad-number"},
        {.text = "z + 1", .code = "unknown-variable"},
        {.text = "xx", .code = "unknown-variable"},
        {.text = "1/0", .code = "division-by-zero"},
        {.text = "1 % (x - 10)", .code = "division-by-zero"},
        {.text = "9223372036854775808", .code = "number-overflow"},
        {.text = "9223372036854775807+1", .code = "number-overflow"},
        {.text = "(0-9223372036854775807-1)/-1", .code = "number-overflow"},
        {.text = "-(0-9223372036854775807-1)", .code = "number-overflow"},
        {.text = "4611686018427387904*2", .code = "number-overflow"},
    };
    struct dal_expr_scope scope = {0};
    CU_ASSERT_EQUAL(dal_expr_push(&scope, "x", 10), DAL_OK);
    CU_ASSERT_EQUAL(dal_expr_push(&scope, "_y1", 5), DAL_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct dal_expr_fault fault = {0};
        int64_t value = 0;
        int status = dal_expr_eval(&scope, cases[i].text, &value, &fault);
        if ((status != DAL_OK) != (cases[i].code != NULL) || value != cases[i].value)
            printf("\n'%s' is %" PRId64, cases[i].text, value);
        CU_ASSERT_EQUAL(status, cases[i].code ? DAL_ERR_INVALID : DAL_OK);
        if (cases[i].code)
            CU_ASSERT_STRING_EQUAL(fault.code, cases[i].code);
        if (!status)
            CU_ASSERT_EQUAL(value, cases[i].value);
    }
    dal_expr_scope_finish(&scope);
}

static void test_patterns(void)
{
    static const struct {
        const char *pattern, *name;
        int fits;
    } cases[] = {
        {"core_*", "core_12", 1}, {"core_*", "core_", 1}, {"core_*", "core", 0}, {"*", "", 1},
        {"*a*b", "xaybzb", 1},    {"*a*b", "xaybz", 0},   {"?", "a", 1},         {"?", "", 0},
        {"a?c", "abc", 1},        {"[abc]x", "bx", 1},    {"[abc]x", "dx", 0},   {"[a-c]", "b", 1},
        {"[!a-c]", "b", 0},       {"[!a-c]", "d", 1},     {"[]]", "]", 1},       {"[", "[", 1},
        {"[!]", "[!]", 0},        {"[a", "[a", 1},        {"a*b*c", "abbbc", 1}, {"abc", "abc", 1},
        {"abc", "abcd", 0},
    };
    char long_pattern[200] = "", long_name[200] = "";
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (dal_names_match(cases[i].pattern, cases[i].name) != cases[i].fits)
            printf("\n'%s' '%s'", cases[i].pattern, cases[i].name);
        CU_ASSERT_EQUAL(dal_names_match(cases[i].pattern, cases[i].name), cases[i].fits);
    }
    for (int i = 0; i < 45; i++) {
        strcat(long_pattern, "*a");
        strcat(long_name, "aaaa");
    }
    strcat(long_pattern, "b");
    CU_ASSERT_EQUAL(dal_names_match(long_pattern, long_name), 0);
}

static void test_nearest(void)
{
    struct dal_names names = {0};
    CU_ASSERT_EQUAL(dal_names_add(&names, "core_0", 0), DAL_OK);
    CU_ASSERT_EQUAL(dal_names_add(&names, "gpu_0", 1), DAL_OK);
    CU_ASSERT_EQUAL(dal_names_add(&names, "core_0", 2), DAL_ERR_INVALID);
    CU_ASSERT_STRING_EQUAL(dal_names_nearest(&names, "cor_0"), "core_0");
    CU_ASSERT_STRING_EQUAL(dal_names_nearest(&names, "gpu0"), "gpu_0");
    CU_ASSERT_PTR_NULL(dal_names_nearest(&names, "Screen"));
    CU_ASSERT_EQUAL(dal_names_find(&names, "gpu_0"), 1);
    CU_ASSERT_EQUAL(dal_names_find(&names, "gpu_1"), DAL_NAMES_NONE);
    /* Of names that are equally near, the first in the alphabet is suggested. */
    CU_ASSERT_EQUAL(dal_names_add(&names, "lump", 3), DAL_OK);
    CU_ASSERT_EQUAL(dal_names_add(&names, "lamp", 4), DAL_OK);
    CU_ASSERT_EQUAL(dal_names_add(&names, "limp", 5), DAL_OK);
    CU_ASSERT_STRING_EQUAL(dal_names_nearest(&names, "lomp"), "lamp");
    /* Of a short name, one letter may differ, or two stand the other way round; or more follows. */
    CU_ASSERT_STRING_EQUAL(dal_names_nearest(&names, "lmup"), "lump");
    CU_ASSERT_STRING_EQUAL(dal_names_nearest(&names, "core"), "core_0");
    CU_ASSERT_PTR_NULL(dal_names_nearest(&names, "bump_"));
    dal_names_finish(&names);
}

/* Every allocation fails once: each time a clean refusal, and at last a success. */
static void exhaust(const char *folder)
{
    unsigned long n = 0;
    struct dal_spec *spec = NULL;
    while (!spec && n < 100000) {
        struct dal_diags diags;
        dal_diags_init(&diags);
        dal_alloc_fail_at(++n);
        spec = load(&diags, folder);
        dal_alloc_fail_at(0);
        CU_ASSERT(spec || diags.lost);
        dal_diags_finish(&diags);
    }
    CU_ASSERT(n > 100);
    CU_ASSERT_PTR_NOT_NULL(spec);
    dal_spec_destroy(spec);
}

static void test_exhausted(void)
{
    exhaust("good/iterated");
    exhaust("good/measured");
    exhaust("good/short");
    exhaust("good/parts");
    exhaust("good/own-mapping");
    exhaust("good/ports");
}

/* Also where statistics are those of two processes too few, which is told last. */
static void test_exhausted_stats(void)
{
    static const char text[] =
        "{\"dal-stats\": 1, \"network\": \"relay\", \"wall_ns\": 1, \"processes\": [{\"process\": "
        "\"Feed\", \"type\": \"c\", \"key\": \"00\", \"planned\": [\"core_0\"], \"on\": "
        "[\"core_0\"], \"copies\": 1, \"firings\": 1, \"firing_ns\": 1, \"busy_ns\": 1, "
        "\"device_ns\": 0, \"starved_ns\": 0, \"blocked_ns\": 0, \"first_ns\": 1, "
        "\"last_ns\": 1}], \"channels\": [], \"flows\": []}";
    char path[64];
    FILE *file = tmpfile();
    int status, whole = 0;
    struct dal_diags diags;
    struct dal_spec *spec;
    unsigned long n = 0;
    CU_ASSERT_FATAL(file && fputs(text, file) >= 0 && fflush(file) == 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(file));
    dal_diags_init(&diags);
    spec = load(&diags, "good/measured");
    dal_diags_finish(&diags);
    CU_ASSERT_PTR_NOT_NULL_FATAL(spec);
    while (!whole && n < 1000) {
        struct dal_stats stats = {0};
        dal_diags_init(&diags);
        dal_alloc_fail_at(++n);
        status = dal_stats_read(&diags, path, spec, &stats);
        dal_alloc_fail_at(0);
        CU_ASSERT(status == DAL_ERR_NOMEM || status == DAL_ERR_INVALID);
        whole = status == DAL_ERR_INVALID && !diags.lost;
        dal_stats_finish(&stats);
        dal_diags_finish(&diags);
    }
    CU_ASSERT(n > 5 && whole);
    dal_spec_destroy(spec);
    fclose(file);
}

static void test_exhausted_fsm(void)
{
    unsigned long n = 0;
    struct dal_spec_fsm *fsm = NULL;
    while (!fsm && n < 1000) {
        struct dal_diags diags;
        dal_diags_init(&diags);
        dal_alloc_fail_at(++n);
        fsm = dal_fsm_load(&diags, "good/fsm/fsm.xml");
        dal_alloc_fail_at(0);
        CU_ASSERT(fsm || diags.lost);
        dal_diags_finish(&diags);
    }
    CU_ASSERT(n > 20);
    CU_ASSERT_PTR_NOT_NULL(fsm);
    dal_fsm_destroy(fsm);
}

int main(void)
{
    static const struct test tests[] = {
        {"good files load", test_good},
        {"bad files are refused where they are bad", test_bad},
        {"-D overrides variables", test_defines},
        {"-D overrides variables of all types", test_typed_defines},
        {"costs are found", test_costs},
        {"files that cannot be read", test_no_file},
        {"diagnostics are ordered", test_order},
        {"expressions", test_expressions},
        {"patterns", test_patterns},
        {"nearest names", test_nearest},
        {"memory that runs out", test_exhausted},
        {"memory that runs out, statistics", test_exhausted_stats},
        {"memory that runs out, state machine", test_exhausted_fsm},
    };
    const char *source = getenv("DAL_SRCDIR");
    regenerate = getenv("REGENERATE") != NULL;
    if (chdir(source ? source : ".") || chdir("test/spec")) {
        perror("test/spec");
        return 1;
    }
    return run_suite("spec", tests, sizeof(tests) / sizeof(tests[0]));
}
