/*
 * Builds texts of kernels into binaries, by NVRTC with the options of OpenCL. The files of rt/cuda
 * that make programs share it. Main thread.
 */
#pragma once

#include "rt/cuda/device.h"

/* ---- options (options.c) ----------------------------------------------------------------------
 */

enum { DAL_CUDA_MOST_OPTIONS = 256 };

/* The options that NVRTC gets. */
struct dal_cuda_options {
    char *words[DAL_CUDA_MOST_OPTIONS];
    int count;
    int warnings_are_errors;
};

/*
 * Translates options of OpenCL for a device. The language is C++17. Contraction and flushing of
 * denormals are off, and division and square root are correctly rounded, unless the options ask for
 * less. (These are -cl-mad-enable, -cl-denorms-are-zero, -cl-unsafe-math-optimizations and
 * -cl-fast-relaxed-math.) -D, -U and -I stay. Options without a meaning here are dropped (-cl-std
 * and permissions). Returns DAL_OK; DAL_ERR_NOMEM; or, for an option that CUDA does not have,
 * DAL_ERR_BUILD with *refused, a new message. The caller always finishes the options.
 */
int dal__cuda_options_init(struct dal_cuda_options *to, const char *options,
                           const char *architecture, char **refused);
void dal__cuda_options_finish(struct dal_cuda_options *options);

/* ---- the compiler (nvrtc.c) -------------------------------------------------------------------
 */

/* A binary, and the compiler's log; both are new, NULL for none. PTX has a 0 at its end. */
struct dal_cuda_built {
    unsigned char *image;
    size_t bytes;
    char *log; /* in gcc's form */
};

/*
 * Compiles a text behind opencl_c.h, for the device itself (cubin). If the compiler is older than
 * the device, it compiles for the newest architecture that both know (PTX). Returns DAL_OK;
 * DAL_ERR_BUILD with the log of errors; DAL_ERR_DEVICE, logged; or DAL_ERR_NOMEM. The caller always
 * finishes it.
 */
int dal__cuda_build(const struct dal_cuda_device *device, const struct dal_subject *process,
                    const char *text, const char *options, struct dal_cuda_built *built);
void dal__cuda_built_finish(struct dal_cuda_built *built);

/* Returns a new string: the options, with a word for the compiler's version and the digest of
 * opencl_c.h. */
char *dal__cuda_all_options(const struct dal_device *device, const char *options,
                            int wants_warnings);

/* ---- logs (log.c) -----------------------------------------------------------------------------
 */

/* Returns NVRTC's log in gcc's form, a new string, or NULL. `file(3): error: message` becomes
 * `file:3: error: message`, as does `file(3): warning #177-D: message`. Shown lines of the source,
 * and counts, are dropped. */
char *dal__cuda_log(const char *log);
