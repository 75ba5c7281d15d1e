/*
 * thesis: what figures 6.2, 6.4, 6.6, 6.8 and 6.9 of Scherer 2013 show, and a page that says of
 * each whether it agrees (thesis.h).
 *
 * Figures 6.4 and 6.6, and kernels on cores, are of the processor as a device. The others are of
 * the GPU, or of the processor as well where there is none.
 */
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

#include <stdio.h>
#include <string.h>

static int is_gpu(const struct dal_device_info *info)
{
    return info && info->type != DAL_DEVICE_CPU;
}

/* Makes the second device, if any, the first one. */
static int swap_devices(struct bench *bench)
{
    const struct dal_device_info *first = bench->device[0];
    bench->device[0] = bench->device[1];
    bench->device[1] = first;
    dal_free(bench->architecture);
    bench->architecture = NULL;
    return bench_write_architecture(bench);
}

static int video_on_cores(struct bench *bench)
{
    return bench_video(bench, 1);
}

static int video_on_gpu(struct bench *bench)
{
    return bench_video(bench, 0);
}

/* The experiments in their order. */
static const struct step {
    const char *name;
    int (*run)(struct bench *bench);
    int needs_device, on_cores, on_gpu; /* on_cores: the processor is the device, if it can be */
} steps[] = {
    {"figure 6.2", bench_channel, 1, 0, 0},           {"figure 6.4", bench_activation, 1, 1, 0},
    {"figure 6.6", bench_overhead, 0, 1, 0},          {"figures 6.8, 6.9", video_on_cores, 0, 1, 0},
    {"figures 6.8, 6.9: GPU", video_on_gpu, 1, 0, 1},
};

/* Runs a step on the first device, if it is of the step's kind. */
static int run_on_device(struct bench *bench, const struct step *step)
{
    const struct dal_device_info *device = bench->device[0];
    if ((step->needs_device && !device) || (step->on_gpu && !is_gpu(device))) {
        bench_say("%s: no such device, nothing to measure", step->name);
        return DAL_OK;
    }
    return step->run(bench);
}

/* Runs a step. Whatever it fails at, its page says what was not measured. */
static int run_step(struct bench *bench, const struct step *step)
{
    int swapped = step->on_cores && is_gpu(bench->device[0]);
    int64_t begin_ns = dal_now_ns();
    int again, status = swapped ? swap_devices(bench) : DAL_OK;
    if (!status)
        status = run_on_device(bench, step);
    again = swapped ? swap_devices(bench) : DAL_OK;
    bench_say("%s: %.0f s", step->name, 1e-9 * (double)(dal_now_ns() - begin_ns));
    return status ? status : again;
}

static struct thesis_run describe_run(const struct bench *bench)
{
    struct thesis_run run = {.records = bench->records,
                             .count = bench->record_count,
                             .repetitions = bench->effort.repetitions,
                             .cores = (long)bench->cores.count};
    for (size_t i = 0; i < bench->devices.count; i++)
        if (is_gpu(&bench->devices.info[i]))
            run.gpus++;
        else if (!run.units)
            run.units = bench->devices.info[i].compute_units;
    return run;
}

int bench_thesis(struct bench *bench, const char *folder)
{
    char *pictures = folder ? dal_strdup(folder) : dal_format("%s/pictures", bench->folder);
    char *page = dal_format("%s/thesis.html", folder ? folder : ".");
    struct thesis_run run;
    int failed = 0, status = pictures && page ? bench_make_folder(pictures) : DAL_ERR_NOMEM;
    for (size_t i = 0; !status && i < sizeof(steps) / sizeof(steps[0]); i++)
        failed |= run_step(bench, &steps[i]) != DAL_OK;
    run = describe_run(bench);
    if (!status)
        status = bench_plot(bench, pictures);
    if (!status)
        status = bench_write_page(bench, &run, pictures, page);
    if (!status)
        bench_say("the page is %s", page);
    dal_free(pictures);
    dal_free(page);
    return status ? status : failed ? DAL_ERR_PROCESS : DAL_OK;
}
