#define _GNU_SOURCE
#include "rt/base/cores.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/sha256.h"

#include <errno.h>
#include <hwloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static size_t largest_cache(hwloc_topology_t topology, size_t largest)
{
    static const hwloc_obj_type_t types[] = {HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                             HWLOC_OBJ_L4CACHE};
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        hwloc_obj_t cache = hwloc_get_obj_by_type(topology, types[i], 0);
        if (cache && cache->attr->cache.size > largest)
            largest = (size_t)cache->attr->cache.size;
    }
    return largest;
}

static char *list_all(hwloc_topology_t topology)
{
    char *list = NULL, *copy;
    if (hwloc_bitmap_list_asprintf(&list, hwloc_topology_get_topology_cpuset(topology)) < 0)
        return NULL;
    copy = dal_strdup(list);
    free(list);
    return copy;
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

static int number_above(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t core)
{
    hwloc_obj_t found = core ? hwloc_get_ancestor_obj_by_type(topology, type, core) : NULL;
    return found ? (int)found->logical_index : -1;
}

static int find_places(struct dal_cores *cores, hwloc_topology_t topology)
{
    cores->places = dal_calloc(cores->count, sizeof(*cores->places));
    if (!cores->places)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < cores->count; i++) {
        hwloc_obj_t core = hwloc_get_pu_obj_by_os_index(topology, (unsigned)cores->numbers[i]);
        cores->places[i] = (struct dal_core_place){
            .l1 = number_above(topology, HWLOC_OBJ_L1CACHE, core),
            .l2 = number_above(topology, HWLOC_OBJ_L2CACHE, core),
            .l3 = number_above(topology, HWLOC_OBJ_L3CACHE, core),
            .memory = core && core->nodeset ? hwloc_bitmap_first(core->nodeset) : -1,
        };
    }
    return DAL_OK;
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
    if (error == DAL_OK)
        error = find_places(cores, topology);
    if (error == DAL_OK) {
        cores->l1_bytes = l1_bytes(topology);
        cores->cache_bytes = largest_cache(topology, cores->l1_bytes);
        cores->model = model(topology);
        cores->all = list_all(topology);
        if (!cores->model || !cores->all)
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
    dal_free(cores->places);
    dal_free(cores->model);
    dal_free(cores->all);
    *cores = (struct dal_cores){0};
}

static int is_same(int a, int b)
{
    return a >= 0 && a == b;
}

enum dal_near dal_cores_near(const struct dal_core_place *a, const struct dal_core_place *b)
{
    if (is_same(a->l1, b->l1))
        return DAL_NEAR_L1;
    if (is_same(a->l2, b->l2))
        return DAL_NEAR_L2;
    if (is_same(a->l3, b->l3))
        return DAL_NEAR_L3;
    return is_same(a->memory, b->memory) ? DAL_NEAR_MEMORY : DAL_NEAR_NOTHING;
}

void dal_cores_digest(const struct dal_cores *cores, char text[DAL_CORES_DIGEST])
{
    struct dal_sha256 sha;
    unsigned char digest[DAL_SHA256_BYTES];
    dal_sha256_begin(&sha);
    dal_sha256_add(&sha, cores->model, strlen(cores->model) + 1);
    dal_sha256_add(&sha, cores->all, strlen(cores->all) + 1);
    dal_sha256_end(&sha, digest);
    dal_sha256_hex(digest, DAL_CORES_DIGEST - 1, text);
}

int dal_core_pin(int core)
{
    return dal_cores_pin(&core, 1);
}

/* Calls the system directly: loading a topology takes milliseconds, and every worker binds
 * itself. */
int dal_cores_pin(const int *cores, int count)
{
    cpu_set_t *set;
    size_t bytes;
    int failed, most = 0;
    for (int i = 0; i < count; i++) {
        if (cores[i] < 0 || cores[i] >= MOST_CORES)
            return DAL_ERR_UNSUPPORTED;
        most = cores[i] > most ? cores[i] : most;
    }
    bytes = CPU_ALLOC_SIZE((size_t)most + 1);
    set = dal_calloc(1, bytes);
    if (!set)
        return DAL_ERR_NOMEM;
    for (int i = 0; i < count; i++)
        CPU_SET_S((size_t)cores[i], bytes, set);
    failed = sched_setaffinity(0, bytes, set) != 0 ? errno : 0;
    dal_free(set);
    if (failed == 0)
        return DAL_OK;
    return failed == EINVAL || failed == ENOSYS ? DAL_ERR_UNSUPPORTED : DAL_ERR_SYSTEM;
}

/* Asks with a set that is larger than any kernel's own: the system refuses a smaller one. */
int dal_core_is_usable(int core)
{
    size_t bytes = CPU_ALLOC_SIZE(MOST_CORES);
    cpu_set_t *set = dal_calloc(1, bytes);
    int usable = set && core >= 0 && core < MOST_CORES && sched_getaffinity(0, bytes, set) == 0 &&
                 CPU_ISSET_S((size_t)core, bytes, set);
    dal_free(set);
    return usable;
}
