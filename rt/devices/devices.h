/*
 * The backends of this build, and the devices that a network wants of them.
 */
#pragma once

#include "rt/backend/backend.h"

/* ---- backends.c ------------------------------------------------------------------------------ */

/* All backends, ended by NULL. */
extern const struct dal_backend *const dal_backends[];
/* Returns the backend with this capability, or NULL if this build does not have it. */
const struct dal_backend *dal_backend_of(const char *capability);

/* ---- open.c ---------------------------------------------------------------------------------- */

struct dal_devices; /* all open ones of a network */

/* The device that a processor asks for. */
struct dal_device_wish {
    const struct dal_backend *backend;
    const char *identifier; /* or a wildcard; with `_SUB<m>` the m-th sub-device of one compute
                               unit; white space does not count */
    const char *processor;  /* its name, for messages */
};

/*
 * Opens the devices of all wishes. The backend's first device stands in for one that this machine
 * does not have, with a warning that names both and lists all. With `strict`, or without any
 * device, that is DAL_ERR_NODEVICE. Two wishes for one device share a struct dal_device only when
 * their identifiers are equal. Main thread. On success the caller closes *devices.
 */
int dal_devices_open(struct dal_devices **devices, const struct dal_device_wish *wishes, int count,
                     int strict, enum dal_log_level failures);
void dal_devices_close(struct dal_devices *devices); /* accepts NULL */
/* Gives the calling thread what it had of the drivers before. Accepts NULL. */
void dal_devices_leave(const struct dal_devices *devices);
/* Returns the device of the i-th wish. */
struct dal_device *dal_devices_get(struct dal_devices *devices, int i);
