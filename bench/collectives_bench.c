/*
 * Compares the collectives of dal_collectives.h with forms written by hand. It runs on device
 * number N (the first one) of OpenCL, or of the backend with this capability. VALUES in all
 * (4,194,304) are a multiple of 16,384:
 *
 *     bench/collectives_bench [N [CAPABILITY [VALUES]]]
 *
 * Prints thousand million values a second for each size of work-group: medians of rounds in which
 * all forms take turns. A round launches a kernel for some milliseconds, so that neither a launch
 * nor waiting for it counts. The sums of all results must agree, within the rounding of floats.
 * DAL_COLLECTIVES_OPTIONS goes to the compiler, too.
 */
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/devices/devices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 1 << 14, MOST_ROUNDS = 9, MOST_LAUNCHES = 1000 };
static const int64_t round_ns = 5000000;

/* Kernels of one kind: the header's form first, then those by hand. A joint form has PART values a
 * work-group. A group form is called `times` times for each value that is read and written. */
static const struct kind {
    const char *title, *names[3], *labels[3];
    int is_joint, times;
} kinds[] = {
    {"reduce", {"reduce", "reduce_naive", "reduce_one"}, {"dal", "tree", "one item"}, 0, 1},
    {"reduce 64 times",
     {"reduce", "reduce_naive", "reduce_one"},
     {"dal", "tree", "one item"},
     0,
     64},
    {"scan", {"scan", "scan_naive", "scan_one"}, {"dal", "Hillis-Steele", "one item"}, 0, 1},
    {"scan 64 times",
     {"scan", "scan_naive", "scan_one"},
     {"dal", "Hillis-Steele", "one item"},
     0,
     64},
    {"joint reduce",
     {"joint", "joint_naive", "joint_one"},
     {"dal", "strides+tree", "one item"},
     1,
     1},
    {"joint, any order",
     {"joint_any", "joint_naive", "joint_one"},
     {"dal", "strides+tree", "one item"},
     1,
     1},
    {"joint scan", {"joint_scan", "joint_scan_one", NULL}, {"dal", "one item", NULL}, 1, 1},
};
static const size_t sizes[] = {32, 64, 128, 256, 512, 1024};

static const struct dal_subject bench = {"collectives_bench", DAL_LOG_ERROR};
static const struct dal_backend *backend;
static struct dal_devices *devices;
static struct dal_device *device;
static dal_commands queue;
static dal_memory from, to;
static size_t all_values = 1 << 22;
static int rounds = MOST_ROUNDS;

static void give_up(const char *what)
{
    fprintf(stderr, "collectives_bench: %s\n", what);
    exit(1);
}

static void open_device(size_t wanted, const char *capability)
{
    struct dal_device_wish wish = {.backend = dal_backend_of(capability), .processor = "bench"};
    struct dal_device_list list;
    int status = DAL_ERR_NODEVICE;
    backend = wish.backend;
    if (!backend || backend->list(&list, DAL_LOG_ERROR) < 0)
        give_up("there are no such devices");
    if (wanted < list.count) {
        wish.identifier = list.info[wanted].identifier;
        status = dal_devices_open(&devices, &wish, 1, 1, DAL_LOG_ERROR);
    }
    backend->list_finish(&list);
    if (status < 0)
        give_up("there is no such device");
    device = dal_devices_get(devices, 0);
    printf("%s; 10^9 values/s\n", device->info.name);
    if (backend->commands(device, 0, &queue) < 0)
        give_up("no queue");
}

static void make_buffers(void)
{
    const size_t bytes = all_values * sizeof(float);
    float *values = dal_alloc(bytes);
    for (size_t i = 0; values && i < all_values; i++)
        values[i] = (float)(i * 37 % 101) / 64;
    if (!values || backend->memory(device, &bench, DAL_MEMORY_PLAIN, bytes, NULL, &from) < 0 ||
        backend->memory(device, &bench, DAL_MEMORY_PLAIN, bytes, NULL, &to) < 0 ||
        backend->write(queue, &bench, from, 0, values, bytes, 1, NULL) < 0)
        give_up("no memory on the device");
    dal_free(values);
}

/* Returns the nanoseconds of `count` launches in a row. */
static int64_t run_kernel(dal_function kernel, size_t items, int is_joint, int count)
{
    const struct dal_launch launch = {
        1, {is_joint ? all_values / PART * items : all_values, 1, 1}, {items, 1, 1}};
    int64_t start = dal_now_ns();
    for (int i = 0; i < count; i++)
        if (backend->launch(queue, &bench, kernel, &launch, NULL, 0, NULL) < 0)
            give_up("a kernel does not run");
    if (backend->finish(queue, &bench) < 0)
        give_up("a kernel does not run");
    return dal_now_ns() - start;
}

static double sum_results(size_t count)
{
    float *values = dal_alloc(all_values * sizeof(*values));
    double sum = 0;
    if (!values ||
        backend->read(queue, &bench, to, 0, values, count * sizeof(*values), NULL, 0, NULL) < 0 ||
        backend->finish(queue, &bench) < 0)
        give_up("no results");
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    dal_free(values);
    return sum;
}

static dal_function make_kernel(const char *options, const char *name)
{
    const struct dal_function_source source = {.file = "collectives_bench.cl",
                                               .text = "#include \"bench/collectives_bench.cl\"\n",
                                               .options = options,
                                               .name = name};
    const uint64_t n = PART;
    dal_function kernel;
    if (backend->function(device, &bench, &source, &kernel) < 0 ||
        backend->set_memory(kernel, &bench, 0, from) < 0 ||
        backend->set_memory(kernel, &bench, 1, to) < 0 ||
        backend->set_value(kernel, &bench, 2, sizeof(n), &n) < 0)
        give_up(name);
    return kernel;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* One form of a kind. */
struct form {
    dal_function kernel;
    int launches; /* a round */
    double sum, rates[MOST_ROUNDS];
};

static void prepare_form(struct form *form, const struct kind *kind, const char *name,
                         const char *options, size_t items)
{
    const int has_all = !kind->is_joint || strstr(kind->title, "scan");
    char with_times[4200];
    int64_t took;
    snprintf(with_times, sizeof(with_times), "-DTIMES=%d %s", kind->times, options);
    form->kernel = make_kernel(with_times, name);
    run_kernel(form->kernel, items, kind->is_joint, 1);
    form->sum = sum_results(has_all ? all_values : all_values / PART);
    took = run_kernel(form->kernel, items, kind->is_joint, 1) + 1;
    form->launches = took > round_ns ? 1 : (int)(round_ns / took) + 1;
    if (form->launches > MOST_LAUNCHES)
        form->launches = MOST_LAUNCHES;
}

static void measure_kind(const struct kind *kind, const char *options, size_t items)
{
    struct form forms[3] = {{0}};
    int count = kind->names[2] ? 3 : 2;
    for (int i = 0; i < count; i++) {
        prepare_form(&forms[i], kind, kind->names[i], options, items);
        if (fabs(forms[i].sum / forms[0].sum - 1) > 1e-3)
            give_up("another sum");
    }
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++)
            forms[i].rates[round] =
                (double)all_values * kind->times * forms[i].launches /
                (double)run_kernel(forms[i].kernel, items, kind->is_joint, forms[i].launches);
    printf("%-17s %5zu", kind->title, items);
    for (int i = 0; i < count; i++) {
        qsort(forms[i].rates, (size_t)rounds, sizeof(forms[i].rates[0]), by_value);
        printf("   %s %.3f", kind->labels[i], forms[i].rates[rounds / 2]);
        if (i)
            printf(" (x%.2f)", forms[0].rates[rounds / 2] / forms[i].rates[rounds / 2]);
        backend->function_free(forms[i].kernel);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const char *folder = getenv("DAL_SRCDIR"), *more = getenv("DAL_COLLECTIVES_OPTIONS");
    char options[4096];
    if (!folder)
        folder = DAL_SOURCES;
    if (argc > 3)
        all_values = strtoul(argv[3], NULL, 10) / PART * PART;
    if (argc > 4)
        rounds = atoi(argv[4]);
    if (all_values == 0 || rounds < 1 || rounds > MOST_ROUNDS)
        give_up("too few values or rounds");
    open_device(argc > 1 ? strtoul(argv[1], NULL, 10) : 0, argc > 2 ? argv[2] : "OPENCL");
    make_buffers();
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        if (sizes[i] > device->info.limits.work_group)
            break;
        snprintf(options, sizeof(options), "-DDAL_GROUP_ITEMS=%zu -I%s -I%s/include %s", sizes[i],
                 folder, folder, more ? more : "");
        for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
            measure_kind(&kinds[k], options, sizes[i]);
    }
    backend->memory_free(device, from);
    backend->memory_free(device, to);
    backend->commands_free(device, queue);
    dal_devices_close(devices);
    return 0;
}
