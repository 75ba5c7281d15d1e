/*
 * What a tap writes beside its file, FOLDER/Gauss.out.json: what was recorded, and how it lies
 * there. rt/run/taps.c writes it last, so where it is, the file is whole. One thread.
 */
#pragma once

#include "spec/base/diag.h"

#include <stdint.h>

enum { DAL_RECORDING_NAME = 201, DAL_RECORDING_TYPE = 100, DAL_RECORDING_INPUTS = 64 };

/* An input port of the process: whose tokens it reads, how many a firing, and how many it had
 * before any was written. */
struct dal_recording_input {
    char of[DAL_RECORDING_NAME];
    uint64_t rate, initial;
};

struct dal_recording {
    char port[DAL_RECORDING_NAME], network[DAL_RECORDING_NAME];
    char file[DAL_RECORDING_NAME + 20]; /* in the same folder */
    char type[DAL_RECORDING_TYPE];      /* "" where it is not known */
    char kind;                          /* 'i', 'u', 'f', or 'V' */
    uint64_t order;                     /* what is upstream has lower numbers */
    uint64_t offset;                    /* of the first token in the file */
    uint64_t count, token_bytes;        /* as of struct dal_open_desc; of packets, their bytes */
    uint64_t most, header_bytes;        /* of packets; else 0 */
    uint64_t rate;   /* tokens of a firing, or of a cycle; 0 where there are none */
    uint64_t *rates; /* of a cyclo-static process: those of each phase; else NULL */
    size_t rate_count;
    uint64_t tokens;
    char end[8]; /* "whole"; "cut": its readers ended first; "limit"; "broken": the run failed */
    struct dal_recording_input inputs[DAL_RECORDING_INPUTS];
    size_t input_count;
};

/* Reads one. Returns DAL_OK; DAL_ERR_IO where there is no such file, or one of something else,
 * which is not told; or DAL_ERR_INVALID after an error in diags. *recording is NULL then, and else
 * to be freed. */
int dal_recording_read(struct dal_diags *diags, const char *folder, const char *port,
                       struct dal_recording **recording);
void dal_recording_free(struct dal_recording *recording); /* accepts NULL */

/* Returns the firing of a token, both counted from 0; 0 where there are no rates. */
uint64_t dal_recording_firing(const struct dal_recording *recording, uint64_t token);
