/* Declarations that the files of rt/ocl share; no other includes it. rt/backend/backend.h explains
 * the operations. */
#ifndef DAL_RT_OCL_DEVICE_H
#define DAL_RT_OCL_DEVICE_H

#include "rt/ocl/ocl.h"

/* Returns the major version of "OpenCL <major>.<minor> ...", 0 for any other text. */
int dal__ocl_major(const char *version);

/*
 * Sets all properties that the device `id` reports; identifier and wildcard stay NULL. Returns
 * DAL_OK, DAL_ERR_NOMEM or DAL_ERR_DEVICE, or an error of dal__mask_answers(); an error leaves
 * nothing to free.
 */
int dal__ocl_info_init(struct dal_device_info *info, cl_platform_id platform, cl_device_id id,
                       enum dal_log_level failures);

static inline cl_platform_id dal__ocl_platform(const struct dal_device_info *info)
{
    return info->native[0];
}

static inline cl_device_id dal__ocl_id(const struct dal_device_info *info)
{
    return info->native[1];
}

extern const struct dal_compiler dal__ocl_compiler; /* program.c */

/* Reading from and writing to the disk cache (binary.c). A failing OpenCL call is no error here. */
void *dal__ocl_load(struct dal_device *device, const char *options,
                    const struct dal_cache_binary *binary);
void dal__ocl_binary(struct dal_device *device, void *program, size_t more_than,
                     struct dal_cache_binary *binary);

/* ---- the operations, by file ----------------------------------------------------------------- */

/* device.c */
int dal__ocl_list(struct dal_device_list *list, enum dal_log_level failures);

/* context.c */
int dal__ocl_open(void **opened, const struct dal_device_list *list, const int *numbers,
                  const int *subs, const char *const *processors, int count,
                  enum dal_log_level failures, struct dal_device **devices);
void dal__ocl_close(void *opened);
int dal__ocl_share_memory(const struct dal_device *a, const struct dal_device *b);

/* memory.c */
int dal__ocl_memory(struct dal_device *device, const struct dal_subject *subject,
                    enum dal_memory_use use, size_t bytes, void *host, dal_memory *memory);
void dal__ocl_memory_free(struct dal_device *device, dal_memory memory);
int dal__ocl_shared_memory(struct dal_device *device, const struct dal_subject *subject,
                           size_t bytes, void **host, dal_memory *memory);
void dal__ocl_shared_memory_free(struct dal_device *device, void *host, dal_memory memory);
int dal__ocl_pinned(struct dal_device *device, const struct dal_subject *subject,
                    dal_commands commands, size_t bytes, void **host, void **handle);
void dal__ocl_pinned_free(struct dal_device *device, dal_commands commands, void *host,
                          void *handle);
int dal__ocl_map(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
                 size_t bytes, enum dal_map_access access, int wait, void **mapped);
int dal__ocl_unmap(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
                   void *mapped);

/* queue.c */
int dal__ocl_commands(struct dal_device *device, int timed, dal_commands *commands);
void dal__ocl_commands_free(struct dal_device *device, dal_commands commands);
int dal__ocl_flush(dal_commands commands, const struct dal_subject *subject);
int dal__ocl_finish(dal_commands commands, const struct dal_subject *subject);
int dal__ocl_marker(dal_commands commands, const struct dal_subject *subject, dal_event *done);
int dal__ocl_barrier(dal_commands commands, const struct dal_subject *subject,
                     const dal_event *events, unsigned count);
int dal__ocl_write(dal_commands commands, const struct dal_subject *subject, dal_memory to,
                   size_t at, const void *host, size_t bytes, int wait, dal_event *done);
int dal__ocl_read(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                  size_t at, void *host, size_t bytes, const dal_event *events, unsigned count,
                  dal_event *done);
int dal__ocl_copy(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                  size_t from_at, dal_memory to, size_t to_at, size_t bytes, dal_event *done);

/* event.c */
int dal__ocl_state(dal_event event, const struct dal_subject *subject, enum dal_event_state *state);
int dal__ocl_times(dal_event event, struct dal_event_times *times);
void dal__ocl_retain(dal_event event);
void dal__ocl_release(dal_event event);
int dal__ocl_call_back(dal_event event, const struct dal_subject *subject, void (*call)(void *data),
                       void *data);

/* kernel.c */
int dal__ocl_function(struct dal_device *device, const struct dal_subject *process,
                      const struct dal_function_source *source, dal_function *function);
void dal__ocl_function_free(dal_function function);
int dal__ocl_function_limits(struct dal_device *device, const struct dal_subject *process,
                             dal_function function, size_t *work_items, uint64_t *local_bytes);
int dal__ocl_fits(struct dal_device *device, const struct dal_subject *process, const char *text,
                  const char *options, const char *macro, uint64_t limit);
int dal__ocl_set_memory(dal_function function, const struct dal_subject *subject, unsigned number,
                        dal_memory memory);
int dal__ocl_set_value(dal_function function, const struct dal_subject *subject, unsigned number,
                       size_t bytes, const void *value);
int dal__ocl_launch(dal_commands commands, const struct dal_subject *subject, dal_function function,
                    const struct dal_launch *launch, const dal_event *events, unsigned count,
                    dal_event *done);

#endif
