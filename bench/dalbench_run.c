/* Runs programs, and makes programs of networks. */
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const int64_t PATIENCE_NS = 120000000000; /* for one program */

static void show_log(const char *log)
{
    FILE *file = fopen(log, "r");
    char line[512];
    while (file && fgets(line, sizeof(line), file))
        fputs(line, stderr);
    if (file)
        fclose(file);
}

int bench_execute(struct bench *bench, const char *folder, const char *const *argv,
                  struct bench_run *run)
{
    char *log = dal_format("%s/log", bench->folder);
    struct dal_child child = {
        .argv = argv, .folder = folder, .errors = log, .limit_ns = PATIENCE_NS};
    int64_t start = dal_now_ns();
    int status;
    *run = (struct bench_run){0};
    if (!log)
        return DAL_ERR_NOMEM;
    status = dal_child_run(&child, &run->output);
    run->wall_ns = dal_now_ns() - start;
    if (status > 0) {
        dal_log(DAL_LOG_ERROR, "%s ended with status %d", argv[0], status);
        status = DAL_ERR_PROCESS;
    }
    if (status) {
        show_log(log);
        dal_free(run->output);
        run->output = NULL;
    }
    dal_free(log);
    return status;
}

static int close_file(FILE *file, const char *name)
{
    int failed = !file || ferror(file);
    if (file && fclose(file) != 0)
        failed = 1;
    if (failed)
        dal_log(DAL_LOG_ERROR, "cannot write %s: %s", name, strerror(errno));
    return failed ? DAL_ERR_IO : DAL_OK;
}

static const char *device_type(enum dal_device_type type)
{
    return type == DAL_DEVICE_GPU ? "GPU" : type == DAL_DEVICE_CPU ? "RISC" : "ACC";
}

int bench_write_architecture(struct bench *bench)
{
    FILE *file;
    bench->architecture = dal_format("%s/architecture.xml", bench->folder);
    if (!bench->architecture)
        return DAL_ERR_NOMEM;
    file = fopen(bench->architecture, "w");
    if (!file)
        return close_file(file, bench->architecture);
    fprintf(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<architecture name=\"bench\">\n");
    for (size_t i = 0; i < bench->cores.count; i++)
        fprintf(file,
                "  <processor name=\"core_%zu\" type=\"RISC\" id=\"%zu\">\n"
                "    <capability name=\"POSIX\" identifier=\"%d\"/>\n  </processor>\n",
                i, i + 1, bench->cores.numbers[i]);
    for (size_t i = 0; i < 2; i++) {
        const struct dal_device_info *info = bench->device[i];
        if (info)
            fprintf(file,
                    "  <processor name=\"device_%zu\" type=\"%s\" id=\"%zu\">\n"
                    "    <capability name=\"OPENCL\" identifier=\"%s\" platform=\"%s\" "
                    "memory=\"%s\" computeunits=\"%u\" workgroup=\"%zu\" buffer=\"%llu\"/>\n"
                    "  </processor>\n",
                    i, device_type(info->type), bench->cores.count + i + 1, info->identifier,
                    info->platform, info->traits.unified ? "unified" : "own",
                    (unsigned)info->compute_units, info->limits.work_group,
                    (unsigned long long)info->limits.alloc_bytes);
    }
    fprintf(file, "</architecture>\n");
    return close_file(file, bench->architecture);
}

/* Writes two cores a node, even if the machine has one. */
int bench_write_cluster(struct bench *bench)
{
    FILE *file;
    int k;
    bench->cluster = dal_format("%s/cluster.xml", bench->folder);
    if (!bench->cluster)
        return DAL_ERR_NOMEM;
    file = fopen(bench->cluster, "w");
    if (!file)
        return close_file(file, bench->cluster);
    fprintf(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<architecture name=\"nodes\">\n");
    for (int i = 0; i < BENCH_NODES; i++)
        fprintf(file, "  <shared name=\"n%d\"/>\n", i);
    for (int i = 0; i < 2 * BENCH_NODES; i++) {
        k = i % 2 < (int)bench->cores.count ? i % 2 : 0;
        fprintf(file,
                "  <processor name=\"n%d/core_%d\" type=\"RISC\">\n"
                "    <capability name=\"POSIX\" identifier=\"%d\"/>\n  </processor>\n",
                i / 2, i % 2, bench->cores.numbers[k]);
    }
    fprintf(file, "</architecture>\n");
    return close_file(file, bench->cluster);
}

struct bench_binding bench_bind(const char *process, int source, const char *processor, long copies,
                                long items)
{
    return (struct bench_binding){.process = process,
                                  .source = source,
                                  .processor = processor,
                                  .copies = (int)copies,
                                  .items = (int)items};
}

static void write_processors(FILE *file, const char *names)
{
    while (*names) {
        int length = (int)strcspn(names, " ");
        fprintf(file, "<processor name=\"%.*s\"/>", length, names);
        names += length + (names[length] == ' ');
    }
}

static void write_target(FILE *file, const struct bench_binding *b)
{
    fprintf(file, "<target");
    if (b->copies)
        fprintf(file, " shadowcopies=\"%d\"", b->copies);
    if (b->items)
        fprintf(file, " workitems=\"%d\"", b->items);
    if (b->group)
        fprintf(file, " group=\"%s\"", b->group);
    fprintf(file, "/>");
}

static void write_queue(FILE *file, const struct bench_network *network)
{
    if (!network->policy && !network->depth)
        return;
    fprintf(file, "  <queue");
    if (network->policy)
        fprintf(file, " policy=\"%s\"", network->policy);
    if (network->depth)
        fprintf(file, " depth=\"%d\"", network->depth);
    fprintf(file, "/>\n");
}

static int write_mapping(const struct bench_network *network, const char *name)
{
    FILE *file = fopen(name, "w");
    const struct bench_binding *b;
    if (!file)
        return close_file(file, name);
    fprintf(file, "<mapping name=\"bench\" processnetwork=\"%s\">\n", network->program);
    for (b = network->bindings; b->process; b++) {
        fprintf(file, "  <binding name=\"b%d\"><process name=\"%s\" sourceid=\"%d\"/>",
                (int)(b - network->bindings), b->process, b->source);
        write_processors(file, b->processor);
        write_target(file, b);
        fprintf(file, "</binding>\n");
    }
    if (network->kind)
        fprintf(file, "  <channel name=\"%s\" kind=\"%s\"/>\n", network->channel, network->kind);
    write_queue(file, network);
    fprintf(file, "</mapping>\n");
    return close_file(file, name);
}

int bench_synthesise(struct bench *bench, const struct bench_network *network, char **program,
                     struct bench_run *result)
{
    const char *argv[2 * BENCH_ARGS + 8];
    char defines[BENCH_ARGS][BENCH_NAME];
    struct bench_run run = {0};
    const char *name = network->output ? network->output : network->program;
    char *output = dal_format("%s/%s", bench->folder, name);
    char *mapping = dal_format("%s/mapping.xml", bench->folder);
    int is_made = network->specification[0] == '/';
    char *specification = dal_format("%s%s%s", is_made ? "" : bench->apps, is_made ? "" : "/",
                                     network->specification);
    int count = 0, status = DAL_ERR_NOMEM;
    *program = dal_format("%s/%s", output ? output : "", network->program);
    if (!output || !mapping || !specification || !*program)
        goto done;
    status = write_mapping(network, mapping);
    if (status)
        goto done;
    argv[count++] = bench->dalsynth;
    argv[count++] = "-o";
    argv[count++] = output;
    if (network->emit_only)
        argv[count++] = "--emit-only";
    for (int i = 0; i < BENCH_ARGS && network->variables[i].name; i++) {
        snprintf(defines[i], sizeof(defines[i]), "-D%s=%ld", network->variables[i].name,
                 network->variables[i].value);
        argv[count++] = defines[i];
    }
    argv[count++] = specification;
    argv[count++] = network->nodes ? bench->cluster : bench->architecture;
    argv[count++] = mapping;
    argv[count] = NULL;
    status = bench_execute(bench, NULL, argv, &run);
    dal_free(run.output);
    run.output = NULL;
    if (result)
        *result = run;
done:
    if (status) {
        dal_free(*program);
        *program = NULL;
    }
    dal_free(output);
    dal_free(mapping);
    dal_free(specification);
    return status;
}
