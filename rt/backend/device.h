/*
 * Functions that all backends use to list and open devices; for rt/backend and the backends alone.
 * All strings of a struct dal_device_info come from rt/base/alloc.h. Main thread.
 */
#pragma once

#include "rt/backend/backend.h"

/* Puts the devices in their order, and gives each its identifier and wildcard, from type, vendor id
 * and name. DAL_OK or DAL_ERR_NOMEM; the caller finishes the list either way. */
int dal_devices_name(struct dal_device_list *list);
/* A device that does not answer is passed over, with a warning at this level. Returns it. */
enum dal_log_level dal_device_warnings(enum dal_log_level failures);
/* Returns DAL_OK for a listed device with that status, or one that is passed over, logged at the
 * level; otherwise the status. */
int dal_device_listed(const char *backend, int status, enum dal_log_level warnings);
/* Gives an open device, or its sub-device, the names of the listed one. DAL_OK or DAL_ERR_NOMEM. */
int dal_device_name_open(struct dal_device_info *info, const struct dal_device_info *from,
                         int sub_device);

/* Frees the strings. */
void dal_device_info_finish(struct dal_device_info *info);
/* Finishes all, and frees the list. */
void dal_device_list_finish(struct dal_device_list *list);

/*
 * Sets the answers that the variable DAL_TEST_MASK lists ("unified fine_svm") to no, in checking
 * builds alone. So tests have devices that a machine lacks. Called after the device has answered
 * everything. DAL_OK, or DAL_ERR_INVALID, logged, for a word that is no such answer.
 */
#ifdef DAL_CHECKING
int dal_device_mask_answers(struct dal_device_info *info);
#else
static inline int dal_device_mask_answers(struct dal_device_info *info)
{
    (void)info;
    return DAL_OK;
}
#endif

/*
 * Splits an identifier: removes white space, and cuts `_SUB<m>` off. *device is new and the
 * caller's; *sub is m or 0. DAL_OK or DAL_ERR_NOMEM.
 */
int dal_device_split_identifier(const char *text, char **device, int *sub);

/* Returns the index of the device with this identifier or wildcard, -1 without one. */
int dal_device_find(const struct dal_device_list *list, const char *device);
