/* Finds devices of any backend by their names. */
#include "rt/backend/device.h"

#include "rt/base/alloc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* By type. */
static const char *const prefixes[] = {[DAL_DEVICE_NONE] = "DEV",
                                       [DAL_DEVICE_GPU] = "GPU",
                                       [DAL_DEVICE_ACC] = "ACC",
                                       [DAL_DEVICE_CPU] = "CPU"};

/* Stable: by the order of the types, the driver's order within a type. */
static int sort_by_type(struct dal_device_list *list)
{
    struct dal_device_info *sorted;
    size_t count = 0;
    if (list->count == 0)
        return DAL_OK;
    sorted = dal_calloc(list->count, sizeof(*sorted));
    if (!sorted)
        return DAL_ERR_NOMEM;
    for (int type = DAL_DEVICE_GPU; type <= DAL_DEVICE_CPU; type++)
        for (size_t i = 0; i < list->count; i++)
            if ((int)list->info[i].type == type)
                sorted[count++] = list->info[i];
    dal_free(list->info);
    list->info = sorted;
    return DAL_OK;
}

static int same_make(const struct dal_device_info *a, const struct dal_device_info *b)
{
    return a->type == b->type && a->vendor_id == b->vendor_id && strcmp(a->name, b->name) == 0;
}

static void strip_white_space(char *text)
{
    char *to = text;
    for (; *text; text++)
        if (!isspace((unsigned char)*text))
            *to++ = *text;
    *to = '\0';
}

static int name_device(struct dal_device_list *list, size_t number)
{
    struct dal_device_info *info = &list->info[number];
    const char *prefix = prefixes[info->type];
    int of_make = 1, of_type = 1;
    for (size_t i = 0; i < number; i++) {
        of_make += same_make(&list->info[i], info);
        of_type += list->info[i].type == info->type;
    }
    info->identifier = dal_format("%s_%u_%s_DEV%d", prefix, info->vendor_id, info->name, of_make);
    info->wildcard = dal_format("%s_DEV%d", prefix, of_type);
    if (!info->identifier || !info->wildcard)
        return DAL_ERR_NOMEM;
    strip_white_space(info->identifier);
    return DAL_OK;
}

int dal_devices_name(struct dal_device_list *list)
{
    int error = sort_by_type(list);
    for (size_t i = 0; error == DAL_OK && i < list->count; i++)
        error = name_device(list, i);
    return error;
}

enum dal_log_level dal_device_warnings(enum dal_log_level failures)
{
    return failures > DAL_LOG_WARNING ? failures : DAL_LOG_WARNING;
}

int dal_device_listed(const char *backend, int status, enum dal_log_level warnings)
{
    if (status != DAL_ERR_DEVICE)
        return status;
    dal_log(warnings, "a device of %s that does not answer is passed over", backend);
    return DAL_OK;
}

int dal_device_name_open(struct dal_device_info *info, const struct dal_device_info *from,
                         int sub_device)
{
    info->identifier = sub_device ? dal_format("%s_SUB%d", from->identifier, sub_device)
                                  : dal_strdup(from->identifier);
    info->wildcard = sub_device ? dal_format("%s_SUB%d", from->wildcard, sub_device)
                                : dal_strdup(from->wildcard);
    return info->identifier && info->wildcard ? DAL_OK : DAL_ERR_NOMEM;
}

void dal_device_info_finish(struct dal_device_info *info)
{
    dal_free(info->identifier);
    dal_free(info->wildcard);
    dal_free(info->name);
    dal_free(info->vendor);
    dal_free(info->platform);
    dal_free(info->platform_version);
    dal_free(info->version);
    dal_free(info->driver);
    *info = (struct dal_device_info){0};
}

void dal_device_list_finish(struct dal_device_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        dal_device_info_finish(&list->info[i]);
    dal_free(list->info);
    *list = (struct dal_device_list){0};
}

int dal_device_split_identifier(const char *text, char **device, int *sub)
{
    char *mark, *end;
    long number;
    *sub = 0;
    *device = dal_strdup(text);
    if (!*device)
        return DAL_ERR_NOMEM;
    strip_white_space(*device);
    mark = strstr(*device, "_SUB");
    while (mark && strstr(mark + 1, "_SUB"))
        mark = strstr(mark + 1, "_SUB");
    if (!mark || !isdigit((unsigned char)mark[4]))
        return DAL_OK;
    number = strtol(mark + 4, &end, 10);
    if (*end || number < 1 || number > 1000000)
        return DAL_OK;
    *mark = '\0';
    *sub = (int)number;
    return DAL_OK;
}

int dal_device_find(const struct dal_device_list *list, const char *device)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->info[i].identifier, device) == 0 ||
            strcmp(list->info[i].wildcard, device) == 0)
            return (int)i;
    return -1;
}

int dal_device_share_memory(const struct dal_device *a, const struct dal_device *b)
{
    return a->backend == b->backend && a->backend->share_memory(a, b);
}
