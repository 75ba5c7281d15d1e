#define _GNU_SOURCE
#include "rt/base/cores.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <errno.h>
#include <hwloc.h>
#include <sched.h>

#define USUAL_L1_BYTES ((size_t)32 * 1024)
/* Far above what any kernel is built for. */
#define MOST_CORES 65536

static size_t l1_bytes(hwloc_topology_t topology)
{
    hwloc_obj_t cache = hwloc_get_obj_by_type(topology, HWLOC_OBJ_L1CACHE, 0);
    if (!cache || cache->attr->cache.size == 0)
        return USUAL_L1_BYTES;
    return (size_t)cache->attr->cache.size;
}

static char *model(hwloc_topology_t topology)
{
    const char *name = NULL;
    hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    if (package)
        name = hwloc_obj_get_info_by_name(package, "CPUModel");
    return dal_strdup(name && *name ? name : "unknown");
}

/* Appends the numbers of the set, ascending. */
static int add_numbers(struct dal_cores *cores, hwloc_const_bitmap_t set)
{
    size_t room = 0;
    for (int i = hwloc_bitmap_first(set); i >= 0; i = hwloc_bitmap_next(set, i)) {
        if (dal_grow(&cores->numbers, cores->count, &room, sizeof(*cores->numbers)) < 0)
            return DAL_ERR_NOMEM;
        cores->numbers[cores->count++] = i;
    }
    return cores->count > 0 ? DAL_OK : DAL_ERR_SYSTEM;
}

static int list_usable(struct dal_cores *cores, hwloc_topology_t topology)
{
    int error;
    hwloc_bitmap_t usable = hwloc_bitmap_alloc();
    if (!usable)
        return DAL_ERR_NOMEM;
    if (hwloc_get_cpubind(topology, usable, HWLOC_CPUBIND_PROCESS) != 0)
        hwloc_bitmap_copy(usable, hwloc_topology_get_allowed_cpuset(topology));
    hwloc_bitmap_and(usable, usable, hwloc_topology_get_allowed_cpuset(topology));
    error = add_numbers(cores, usable);
    hwloc_bitmap_free(usable);
    return error;
}

int dal_cores_init(struct dal_cores *cores)
{
    hwloc_topology_t topology;
    int error;

    *cores = (struct dal_cores){0};
    if (hwloc_topology_init(&topology) != 0)
        return DAL_ERR_NOMEM;
    error = hwloc_topology_load(topology) == 0 ? DAL_OK : DAL_ERR_SYSTEM;
    if (error == DAL_OK)
        error = list_usable(cores, topology);
    if (error == DAL_OK) {
        cores->l1_bytes = l1_bytes(topology);
        cores->model = model(topology);
        if (!cores->model)
            error = DAL_ERR_NOMEM;
    }
    hwloc_topology_destroy(topology);
    if (error != DAL_OK)
        dal_cores_finish(cores);
    return error;
}

void dal_cores_finish(struct dal_cores *cores)
{
    dal_free(cores->numbers);
    dal_free(cores->model);
    *cores = (struct dal_cores){0};
}

/* Straight to the system: loading a topology takes milliseconds, and every worker binds itself. */
int dal_core_pin(int core)
{
    cpu_set_t *set;
    size_t bytes;
    int failed;

    if (core < 0 || core >= MOST_CORES)
        return DAL_ERR_UNSUPPORTED;
    bytes = CPU_ALLOC_SIZE((size_t)core + 1);
    set = dal_calloc(1, bytes);
    if (!set)
        return DAL_ERR_NOMEM;
    CPU_SET_S((size_t)core, bytes, set);
    failed = sched_setaffinity(0, bytes, set) != 0 ? errno : 0;
    dal_free(set);
    if (failed == 0)
        return DAL_OK;
    return failed == EINVAL || failed == ENOSYS ? DAL_ERR_UNSUPPORTED : DAL_ERR_SYSTEM;
}
