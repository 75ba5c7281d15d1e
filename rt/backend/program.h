/*
 * Programs of devices, for any compiler. A program is built once for a text with the same options,
 * and kept as long as the device is open. Its binary is kept on disk (cache.h) for the next start.
 * For backends alone. Main thread.
 */
#pragma once

#include "rt/backend/backend.h"
#include "rt/base/cache.h"

/*
 * A backend's own compiler; a program is the backend's. `options` are all options, as options() has
 * made them. They have a word -w where nobody wants to hear warnings, which changes no program.
 */
struct dal_compiler {
    /* Returns all options of a build for a device, a new string; NULL without memory. */
    char *(*options)(const struct dal_device *device, const char *options, int wants_warnings);
    /* Compiles a text of a file. Errors are those of function() in backend.h. The compiler's
     * messages go through dal_program_refuse_source() and dal_program_say_warnings(). */
    int (*build)(struct dal_device *device, const struct dal_subject *process, const char *file,
                 const char *text, const char *options, void **program);
    /* Returns 1 when a text builds; 0 when it does not, with nothing logged; or a negative code. */
    int (*builds)(struct dal_device *device, const struct dal_subject *process, const char *text,
                  const char *options);
    /* Makes a program of a binary, ready for its kernels. Returns NULL, which is no error, if the
     * driver refuses it: then it is built from its text. */
    void *(*load)(struct dal_device *device, const char *options,
                  const struct dal_cache_binary *binary);
    /* Gets the binary of a program, if it has more than `more_than` bytes. Otherwise, or without an
     * answer, *binary is empty. */
    void (*binary)(struct dal_device *device, void *program, size_t more_than,
                   struct dal_cache_binary *binary);
    void (*release)(void *program);
};

struct dal_program; /* one a text and options */

/* All programs of a device. */
struct dal_programs {
    const struct dal_compiler *compiler;
    struct dal_program *first;
};

/* Gets the program of a text, which `programs` owns. Errors are those of build(). */
int dal_programs_get(struct dal_programs *programs, struct dal_device *device,
                     const struct dal_subject *process, const char *file, const char *text,
                     const char *options, void **program);
/* Does what fits() in backend.h says. */
int dal_programs_fit(struct dal_programs *programs, struct dal_device *device,
                     const struct dal_subject *process, const char *text, const char *options,
                     const char *macro, uint64_t limit);
/*
 * Frees all programs, before the device. New ones go into the disk cache now, not before: some
 * drivers compile for a work-group's size at the first launch, and add that to the binary.
 */
void dal_programs_finish(struct dal_programs *programs, struct dal_device *device);

/* Does a word of `options` begin with `start`? */
int dal_program_has_option(const char *options, const char *start);

/* Reports a text that does not build, with the compiler's log. Returns DAL_ERR_BUILD, or
 * DAL_ERR_LIMIT when the device lacks something. Returns DAL_ERR_INTERRUPTED where a signal came: a
 * compiler within the program may have got it. */
int dal_program_refuse_source(const struct dal_device *device, const struct dal_subject *process,
                              const char *file, const char *text, const char *log);
/* Reports a text that builds, but has no such kernel. Returns DAL_ERR_BUILD. */
int dal_program_refuse_name(const struct dal_subject *process, const char *file, const char *name);
/* Prints the compiler's warnings of a text that builds. */
void dal_program_say_warnings(const struct dal_subject *process, const char *file, const char *text,
                              const char *log);

/* Sets the key of a text that is built with these options, without warnings: a digest of both, and
 * of the properties of device, driver and platform. */
void dal__program_key(const struct dal_device *device, const char *text, const char *options,
                      struct dal_cache_key *key);
