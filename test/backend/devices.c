/* Listing, opening and closing. */
#include "test/backend/bench.h"

#include <stdlib.h>
#include <string.h>

static void check_info(const struct dal_device_info *info, const struct dal_device_info *other)
{
    const char *const texts[] = {info->identifier, info->wildcard, info->name,  info->vendor,
                                 info->platform,   info->version,  info->driver};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        CU_ASSERT(texts[i] && *texts[i]);
    CU_ASSERT_STRING_EQUAL(info->identifier, other->identifier);
    CU_ASSERT_STRING_EQUAL(info->wildcard, other->wildcard);
    CU_ASSERT(info->backend == bench.backend);
    CU_ASSERT(info->type != DAL_DEVICE_NONE);
    CU_ASSERT(info->compute_units > 0 && info->limits.work_group > 0);
    for (int i = 0; i < 3; i++)
        CU_ASSERT(info->limits.work_items[i] > 0);
    CU_ASSERT(info->limits.align_bytes > 0 &&
              (info->limits.align_bytes & (info->limits.align_bytes - 1)) == 0);
    CU_ASSERT(info->limits.local_bytes > 0 && info->limits.alloc_bytes > 0);
    CU_ASSERT(info->limits.alloc_bytes <= info->limits.global_bytes);
    CU_ASSERT(strcspn(info->identifier, " \t\n") == strlen(info->identifier));
}

static void test_list(void)
{
    struct dal_device_list again;
    CU_ASSERT_FATAL(bench.backend->list(&again, DAL_LOG_ERROR) == DAL_OK);
    CU_ASSERT_FATAL(again.count == bench.list->count);
    for (size_t i = 0; i < again.count; i++) {
        check_info(&again.info[i], &bench.list->info[i]);
        CU_ASSERT(i == 0 || again.info[i - 1].type <= again.info[i].type);
        for (size_t k = 0; k < i; k++)
            CU_ASSERT(strcmp(again.info[i].identifier, again.info[k].identifier) != 0 &&
                      strcmp(again.info[i].wildcard, again.info[k].wildcard) != 0);
    }
    bench.backend->list_finish(&again);
}

static void test_open(void)
{
    for (int i = 0; i < 3; i++) {
        struct dal_device_request request = {.number = bench.number, .processor = "p"};
        const struct dal_device *device;
        void *opened = NULL;
        CU_ASSERT_FATAL(bench.backend->open(&opened, bench.list, &request, 1, DAL_LOG_ERROR) ==
                        DAL_OK);
        device = request.device;
        CU_ASSERT_PTR_NOT_NULL_FATAL(device);
        CU_ASSERT(device->backend == bench.backend && device->id == device->whole);
        CU_ASSERT_STRING_EQUAL(device->info.identifier, bench.info->identifier);
        CU_ASSERT_STRING_EQUAL(device->processor, "p");
        CU_ASSERT(device->built == 0 && device->loaded == 0);
        bench.backend->close(opened);
        check_driver();
    }
}

/* Each has its own queue and memory; they are one device. */
static void test_twice(void)
{
    const int numbers[] = {bench.number, bench.number};
    unsigned char out[100], in[100];
    struct rig rig;
    dal_memory memory;
    rig_begin_with(&rig, numbers, 2, 0);
    CU_ASSERT(rig.devices[0] != rig.devices[1]);
    CU_ASSERT(rig.devices[0]->id == rig.devices[1]->id);
    CU_ASSERT(bench.backend->share_memory(rig.devices[0], rig.devices[1]) == 1);
    CU_ASSERT(dal_device_share_memory(rig.devices[0], rig.devices[1]) == 1);
    memory = new_memory(&rig, sizeof(out));
    fill(out, sizeof(out), 1);
    write_now(&rig, memory, 0, out, sizeof(out));
    rig.commands = rig.queues[1];
    read_now(&rig, memory, 0, in, sizeof(in));
    CU_ASSERT(memcmp(in, out, sizeof(out)) == 0);
    rig.commands = rig.queues[0];
    free_memory(&rig, memory);
    rig_end(&rig);
}

static void test_two_openings(void)
{
    struct rig one, other;
    unsigned char out[10], in[10] = {0};
    dal_memory memory;
    fill(out, sizeof(out), 3);
    rig_begin(&one, 0);
    memory = new_memory(&one, sizeof(out));
    rig_begin_with(&other, &bench.number, 1, 0);
    write_now(&one, memory, 0, out, sizeof(out));
    bench.backend->finish(other.commands, &loud);
    bench.backend->commands_free(other.device, other.commands);
    bench.backend->close(other.opened);
    read_now(&one, memory, 0, in, sizeof(in));
    CU_ASSERT(memcmp(in, out, sizeof(out)) == 0);
    free_memory(&one, memory);
    rig_end(&one);
}

static void test_sub_devices(void)
{
    struct dal_device_request parts[] = {{.number = bench.number, .processor = "p"},
                                         {.number = bench.number, .sub = 1, .processor = "q"}};
    const struct dal_device *whole, *part;
    void *opened;
    if (bench.info->sub_devices == 0)
        return;
    CU_ASSERT_FATAL(bench.backend->open(&opened, bench.list, parts, 2, DAL_LOG_ERROR) == DAL_OK);
    whole = parts[0].device;
    part = parts[1].device;
    CU_ASSERT_PTR_NOT_NULL(strstr(part->info.identifier, "_SUB1"));
    CU_ASSERT(part->whole == whole->id);
    CU_ASSERT(part->id != whole->id);
    bench.backend->close(opened);
    check_driver();
}

const struct test device_tests[] = {
    {"devices: listed twice", test_list},
    {"devices: opened again and again", test_open},
    {"devices: the same twice", test_twice},
    {"devices: opened while it is open", test_two_openings},
    {"devices: parts", test_sub_devices},
    {0},
};
