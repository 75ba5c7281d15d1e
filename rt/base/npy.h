/* The header of an array of NumPy: "NumPy Enhancement Proposal 1", and numpy/lib/format.py
 * (versions 1 to 3). Any thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { DAL_NPY_DIMENSIONS = 32, DAL_NPY_MOST_HEADER = 1 << 16 };

/* What a header says. */
struct dal_npy {
    char descr[40]; /* "<f4" */
    int is_fortran; /* columns first, where that makes a difference */
    uint64_t shape[DAL_NPY_DIMENSIONS];
    int dimensions;
};

extern const unsigned char dal_npy_magic[6];

/* Reads the text of a header, a dictionary of Python. Returns whether it has a plain type and a
 * shape. */
int dal_npy_parse(const char *text, struct dal_npy *array);

/* Reads the header of a file in memory. *at is where its elements begin. Returns NULL, or what is
 * wrong. */
const char *dal_npy_open(const void *file, size_t length, struct dal_npy *array, size_t *at);

/* Are the elements of this kind ('i', 'u' integers, 'f' real), and of so many bytes? 'V' is any
 * type but texts and objects. */
int dal_npy_has_type(const struct dal_npy *array, char kind, uint64_t bytes);

/* Multiplies the bytes of an element by the sizes of dimensions from `first` on. Returns 0 where
 * that is too large. */
int dal_npy_multiply(const struct dal_npy *array, int first, uint64_t *bytes);
