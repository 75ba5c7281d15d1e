/*
 * dalinfo --architecture: the processors of this machine, as dalsynth reads them. Devices may be
 * there in parts: sub-devices of OpenCL with one compute unit each, as processors of their own or
 * as the second capability of the cores. Main thread.
 */
#pragma once

#include "rt/backend/backend.h"
#include "rt/base/cores.h"

#include <stdio.h>

struct machine {
    struct dal_cores cores;
    struct dal_device_list devices;         /* of all backends; they point into `lists` */
    unsigned *parts;                        /* of each of them: m of _SUB<m>, or 0 for the whole */
    const struct dal_device_info *on_cores; /* core i has its part i + 1 as well; or NULL */
    struct dal_device_list *lists;          /* one for each backend */
    struct measured *measured;              /* NULL: not measured */
};

/* Returns the device in front of the i-th that another backend gives the same identifier: maker,
 * name and number. NULL without one. */
const struct dal_device_info *same_device(const struct dal_device_list *devices, size_t i);

/* Joins the devices of `lists` into `devices`, so many parts in the place of each that has any; 0:
 * whole ones. With `cores_too`, the cores get the parts of the first that is made of them, which is
 * no processor then. Returns DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_INVALID, logged, where a device has
 * too few. */
int list_devices(struct machine *machine, size_t parts, int cores_too);

void write_architecture(FILE *out, const struct machine *machine);
/* Writes the processors of a node; `context` is its machine. */
void write_node(FILE *out, int node, const void *context);
void write_cluster(FILE *out, const char *const *nodes, int count);
