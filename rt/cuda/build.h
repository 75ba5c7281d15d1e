/*
 * Texts of kernels become binaries: NVRTC with the options of OpenCL. Shared by the files of
 * rt/cuda that make programs. Main thread.
 */
#ifndef DAL_RT_CUDA_BUILD_H
#define DAL_RT_CUDA_BUILD_H

#include "rt/cuda/device.h"

/* ---- options (options.c) ----------------------------------------------------------------------
 */

enum { DAL_CUDA_MOST_OPTIONS = 256 };

/* What NVRTC is given. */
struct dal_cuda_options {
    char *words[DAL_CUDA_MOST_OPTIONS];
    int count;
    int warnings_are_errors;
};

/*
 * Translates options of OpenCL for a device. Always: C++17, contraction and flushing of denormals
 * off, division and square root correctly rounded, unless the options ask for less (-cl-mad-enable,
 * -cl-denorms-are-zero, -cl-unsafe-math-optimizations, -cl-fast-relaxed-math). -D, -U and -I stay;
 * what means nothing here goes (-cl-std and permissions). DAL_OK; DAL_ERR_NOMEM; or DAL_ERR_BUILD
 * with *refused, a new message, for what CUDA has not. The caller finishes the options always.
 */
int dal__cuda_options_init(struct dal_cuda_options *to, const char *options,
                           const char *architecture, char **refused);
void dal__cuda_options_finish(struct dal_cuda_options *options);

/* ---- the compiler (nvrtc.c) -------------------------------------------------------------------
 */

/* A binary, and what was said of the text; both new, NULL for none. PTX has the 0 at its end. */
struct dal_cuda_built {
    unsigned char *image;
    size_t bytes;
    char *log; /* as gcc has it */
};

/*
 * Compiles a text behind opencl_c.h, for the device itself (cubin) or, where the compiler is older
 * than the device, for the newest architecture that both know (PTX). DAL_OK, DAL_ERR_BUILD with the
 * log of what is wrong, DAL_ERR_DEVICE, logged, or DAL_ERR_NOMEM. The caller finishes it always.
 */
int dal__cuda_build(const struct dal_cuda_device *device, const struct dal_subject *process,
                    const char *text, const char *options, struct dal_cuda_built *built);
void dal__cuda_built_finish(struct dal_cuda_built *built);

/* Options with the word that says what compiles: version, and digest of opencl_c.h. New. */
char *dal__cuda_all_options(const struct dal_device *device, const char *options);

/* ---- logs (log.c) -----------------------------------------------------------------------------
 */

/* NVRTC's log in gcc's form: `file(3): error: message` and `file(3): warning #177-D: message`
 * become `file:3: error: message`; the lines of the source that it shows, and its counts, go. A new
 * string, or NULL. */
char *dal__cuda_log(const char *log);

#endif
