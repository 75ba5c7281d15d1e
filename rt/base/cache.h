/*
 * The disk cache: binaries of kernels, from one start of a program to the next.
 *
 * The folder is the one that DAL_KERNEL_CACHE names, else $XDG_CACHE_HOME/dal, else ~/.cache/dal;
 * DAL_KERNEL_CACHE=off turns the cache off. A file is an entry. Its name is the key, so an entry
 * never changes its meaning. It is written under another name and renamed, so it is whole whenever
 * it is there, and programs need no lock. Its checksum shows damage on the disk.
 *
 * Nothing here is an error of the program: a binary that cannot be read is built again, and one
 * that cannot be written is not kept. A binary is code that will run. So folder and entry must
 * belong to the user, and nobody else may write them. Main thread.
 */
#pragma once

#include <stddef.h>

#include "rt/base/sha256.h"

/* A digest of all that a binary depends on. */
struct dal_cache_key {
    unsigned char digest[DAL_SHA256_BYTES];
};

struct dal_cache_binary {
    unsigned char *data; /* the owner frees it with dal_free() */
    size_t bytes;
};

/* Is the cache on? It may still prove to be unusable. */
int dal_cache_wanted(void);

/* Reads the binary of an entry, which then counts as used now. Returns 1; 0 without an entry; or
 * DAL_ERR_NOMEM. An entry that is damaged, or that somebody else may have written, does not
 * count. */
int dal_cache_read(const struct dal_cache_key *key, struct dal_cache_binary *binary);

/* Makes an entry, also in place of an older one, and the folder. Removes entries that were not used
 * for longest until the rest fits DAL_KERNEL_CACHE_MB megabytes (256). */
void dal_cache_write(const struct dal_cache_key *key, const struct dal_cache_binary *binary);
