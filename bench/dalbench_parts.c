/*
 * parts: networks of one installed part, on one core; what does a sample cost?
 *
 * The limit is apps/synthetic/part_by_hand.c, compiled here: a loop over blocks of the same length,
 * with the same library. Source and Sink are in both.
 */
#define _GNU_SOURCE
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"

#include <stdio.h>
#include <stdlib.h>

static const struct measured_part {
    const char *name, *package; /* of pkg-config; NULL: it needs none */
    long block;                 /* samples of a firing */
} parts[] = {
    {"fir", NULL, 256},     {"fir", NULL, 4096},     {"biquad", NULL, 256},
    {"biquad", NULL, 4096}, {"fft", "fftw3f", 1024}, {"fft", "fftw3f", 4096},
};

static const struct bench_binding one_core[] = {{.process = "*", .processor = "core_0"}, {0}};

/* Returns whether pkg-config knows the package. */
static int has_package(struct bench *bench, const char *package)
{
    const char *argv[] = {"sh", "-c",    "exec ${PKG_CONFIG:-pkg-config} --exists \"$1\"",
                          "sh", package, NULL};
    char *errors = dal_format("%s/missing", bench->folder), *output = NULL;
    struct dal_child child = {.argv = argv, .folder = bench->folder, .errors = errors};
    int status = errors ? dal_child_run(&child, &output) : DAL_ERR_NOMEM;
    dal_free_all(output, errors);
    return status == 0;
}

/* Compiles the loop by hand, with the options that dalsynth gives to C. */
static int build_by_hand(struct bench *bench, const struct measured_part *part, char **program)
{
    const char *package = part->package ? part->package : "";
    char *command = dal_format("exec ${CC:-cc} -std=gnu11 -O3 -ffp-contract=off -w -DPART_%s "
                               "-DVAR_block=%ld -I \"$DAL_PARTS\"/common -o \"$1\" \"$2\" "
                               "%s%s%s -lm",
                               part->name, part->block,
                               *package ? "$(${PKG_CONFIG:-pkg-config} --cflags --libs " : "",
                               package, *package ? ")" : "");
    char *source = dal_format("%s/synthetic/part_by_hand.c", bench->apps);
    const char *argv[] = {"sh", "-c", command, "sh", NULL, source, NULL};
    struct bench_run run = {0};
    int status = DAL_ERR_NOMEM;
    argv[4] = *program = dal_format("%s/by_hand_%s_%ld", bench->folder, part->name, part->block);
    if (command && source && *program)
        status = bench_execute(bench, NULL, argv, &run);
    dal_free_all(run.output, command, source);
    return status;
}

static int synthesise(struct bench *bench, const struct measured_part *part, char **program)
{
    char *specification = dal_format("synthetic/part_%s.xml", part->name);
    char *name = dal_format("part_%s", part->name);
    struct bench_network network = {
        .specification = specification,
        .program = name,
        .variables = {{"block", part->block}},
        .bindings = one_core,
    };
    int status = DAL_ERR_NOMEM;
    if (specification && name)
        status = bench_synthesise(bench, &network, program, NULL);
    dal_free_all(specification, name);
    return status;
}

static int compare(struct bench *bench, const struct measured_part *part, const char *network,
                   const char *by_hand)
{
    char argument[BENCH_NAME] = "Source.tokens=4096000";
    struct bench_program ours = {
        .bench = bench, .file = network, .arguments = {argument}, .scale = 1};
    struct bench_program hand = ours;
    const struct bench_side mine = {.run = bench_run_program, .context = &ours},
                            limit = {.run = bench_run_program, .context = &hand};
    struct bench_record model = {
        .experiment = "parts", .param = (double)part->block, .unit = "ns/sample"};
    struct bench_result found;
    int status;
    hand.file = by_hand;
    snprintf(model.name, sizeof(model.name), "%s", part->name);
    if (bench_is_tiny(bench))
        snprintf(argument, sizeof(argument), "Source.tokens=%d", 409600);
    status = bench_run_program(&hand, &found);
    if (!status && !bench_is_tiny(bench))
        snprintf(argument, sizeof(argument), "Source.tokens=%ld",
                 bench_tokens(bench, 1, found.value, part->block));
    return status ? status : bench_compare(bench, &model, &mine, &limit, 1);
}

static int measure_part(struct bench *bench, const struct measured_part *part)
{
    char *network = NULL, *by_hand = NULL;
    int status;
    if (part->package && !has_package(bench, part->package)) {
        bench_say("parts: no package %s, nothing of %s", part->package, part->name);
        return DAL_OK;
    }
    status = build_by_hand(bench, part, &by_hand);
    if (!status)
        status = synthesise(bench, part, &network);
    if (!status)
        status = compare(bench, part, network, by_hand);
    dal_free_all(network, by_hand);
    return status;
}

int bench_parts(struct bench *bench)
{
    char *folder = dal_format("%s/../parts", bench->apps); /* installed, and of the sources */
    char *path = folder ? realpath(folder, NULL) : NULL;
    const char *chosen = getenv("DAL_PARTS");
    int status = path ? DAL_OK : DAL_ERR_IO;
    if (path)
        setenv("DAL_PARTS", path, !chosen || !*chosen);
    else
        dal_log(DAL_LOG_ERROR, "no parts in %s", folder);
    for (size_t i = 0; !status && i < sizeof(parts) / sizeof(parts[0]); i++)
        status = measure_part(bench, &parts[i]);
    dal_free(folder);
    free(path);
    return status;
}
