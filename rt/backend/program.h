/*
 * Programs of devices, whatever compiles them: built once for a text with the same options, kept as
 * long as the device is open, and their binaries on disk (cache.h) for the next start. For backends
 * alone. Main thread.
 */
#ifndef DAL_RT_BACKEND_PROGRAM_H
#define DAL_RT_BACKEND_PROGRAM_H

#include "rt/backend/backend.h"
#include "rt/backend/cache.h"

/*
 * What a backend brings; a program is its own. `options` are all of them, as options() has made
 * them: they have a word -w where nobody wants to hear warnings (dal__wants_warnings_of()); only
 * such a program is kept on disk.
 */
struct dal_compiler {
    /* All options of a build for a device, new; NULL without memory. */
    char *(*options)(const struct dal_device *device, const char *options);
    /* Compiles a text of a file. Errors as function() in backend.h; what the compiler says of the
     * source goes through dal__refuse_source() and dal__say_warnings(). */
    int (*build)(struct dal_device *device, const struct dal_subject *process, const char *file,
                 const char *text, const char *options, void **program);
    /* 1 when a text builds; 0 when it does not, of which nothing is said; or a negative code. */
    int (*builds)(struct dal_device *device, const struct dal_subject *process, const char *text,
                  const char *options);
    /* Makes a program that is ready for its kernels of a binary. What is refused is NULL, and no
     * error: it is built from its text instead. */
    void *(*load)(struct dal_device *device, const char *options,
                  const struct dal_cache_binary *binary);
    /* The binary of a program, unless it has no more than so many bytes: then, and where it cannot
     * be had, there is none. */
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

/* The program of a text, which stays theirs. Errors are those of build(). */
int dal__programs_get(struct dal_programs *programs, struct dal_device *device,
                      const struct dal_subject *process, const char *file, const char *text,
                      const char *options, void **program);
/* As fits() in backend.h. */
int dal__programs_fit(struct dal_programs *programs, struct dal_device *device,
                      const struct dal_subject *process, const char *text, const char *options,
                      const char *macro, uint64_t limit);
/*
 * Gives all back, before the device. What is new of them goes into the disk cache now, not before:
 * some drivers compile for a work-group's size at the first launch, and add that to the binary.
 */
void dal__programs_finish(struct dal_programs *programs, struct dal_device *device);

/* Whether a word of `options` begins so. */
int dal__has_option(const char *options, const char *start);
/* Are warnings of a text with these options to be heard? */
int dal__wants_warnings_of(const char *options);

/* A text that does not build, with the compiler's log, in the backend's name: DAL_ERR_BUILD, or
 * DAL_ERR_LIMIT when the device lacks something. DAL_ERR_INTERRUPTED where a signal came: a
 * compiler within the program may have heard it. */
int dal__refuse_source(const struct dal_device *device, const struct dal_subject *process,
                       const char *file, const char *text, const char *log);
/* DAL_ERR_BUILD: a text that builds, but has no such kernel. */
int dal__refuse_name(const struct dal_subject *process, const char *file, const char *name);
/* Of a text that builds. */
void dal__say_warnings(const struct dal_subject *process, const char *file, const char *text,
                       const char *log);

/* The key of a text that is built with these options: a digest of both, and of what device, driver
 * and platform say of themselves. */
void dal__program_key(const struct dal_device *device, const char *text, const char *options,
                      struct dal_cache_key *key);

#endif
