/* Compiles the programs that do without dal what a network of the experiment `cores` does. They
 * are no part of the build, so it depends neither on OpenMP nor on oneTBB. */
#include "bench/dalbench_cores.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"

#include <stdlib.h>

static const struct kind {
    const char *name, *compiler, *language, *header, *libraries;
} kinds[] = {
    [CORES_ALONE] = {"alone", "${CC:-cc} -std=gnu11 -O3", "c", "stdio.h", ""},
    [CORES_OPENMP] = {"OpenMP", "${CC:-cc} -std=gnu11 -O3 -fopenmp", "c", "omp.h", ""},
    [CORES_TBB] = {"oneTBB", "${CXX:-c++} -std=c++17 -O3", "c++", "tbb/parallel_pipeline.h",
                   "-ltbb"},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* Runs a command of the shell. Returns its exit status, or a negative code. */
static int run_shell(struct bench *bench, const char *command, const char *errors)
{
    const char *argv[] = {"sh", "-c", command, NULL};
    struct dal_child child = {.argv = argv, .folder = bench->folder, .errors = errors};
    char *output = NULL;
    int status = command && errors ? dal_child_run(&child, &output) : DAL_ERR_NOMEM;
    dal_free(output);
    return status;
}

/* Returns 1 if a compiler finds what a kind needs, 0 if not, or a negative code. */
static int has_kind(struct bench *bench, const struct kind *kind)
{
    char *command = dal_format("echo '#include <%s>' | %s -E -x %s - >/dev/null", kind->header,
                               kind->compiler, kind->language);
    char *errors = dal_format("%s/missing", bench->folder);
    int status = run_shell(bench, command, errors);
    dal_free(command);
    dal_free(errors);
    return status < 0 ? status : status == 0;
}

void cores_peers_tell(struct bench *bench)
{
    for (size_t i = CORES_OPENMP; i < KINDS; i++)
        if (has_kind(bench, &kinds[i]) == 0)
            bench_say("cores: no %s (<%s>): nothing is compared with it", kinds[i].name,
                      kinds[i].header);
}

static int compile(struct bench *bench, const struct kind *kind, const char *source,
                   const char *options, const char *program)
{
    char *file = dal_format("%s/%s", bench->apps, source);
    char *command =
        dal_format("exec %s -w %s -o \"$1\" \"$2\" %s", kind->compiler, options, kind->libraries);
    const char *argv[] = {"sh", "-c", command, "sh", program, file, NULL};
    struct bench_run run = {0};
    int status = file && command ? bench_execute(bench, NULL, argv, &run) : DAL_ERR_NOMEM;
    dal_free(run.output);
    dal_free(command);
    dal_free(file);
    return status;
}

int cores_peer_build(struct bench *bench, enum cores_peer peer, const char *source,
                     const char *options, char **program)
{
    const struct kind *kind = &kinds[peer];
    int status = has_kind(bench, kind);
    *program = NULL;
    if (status <= 0)
        return status;
    *program = dal_format("%s/%s", bench->folder, kind->name);
    status = *program ? compile(bench, kind, source, options, *program) : DAL_ERR_NOMEM;
    if (status) {
        dal_free(*program);
        *program = NULL;
    }
    return status;
}
