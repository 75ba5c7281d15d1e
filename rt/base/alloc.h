/*
 * Thin wrappers around the C library's memory, so that a test can make the n-th allocation fail.
 *
 * All return NULL when memory is exhausted, and never abort. Callers own the memory and free it
 * with dal_free(). Any thread.
 */
#pragma once

#include <stddef.h>

void *dal_alloc(size_t bytes);
/* Returns count * bytes zeroed bytes; NULL also when the product overflows. */
void *dal_calloc(size_t count, size_t bytes);
/* Like realloc() for count * bytes bytes; on failure the old block is untouched. */
void *dal_realloc(void *old, size_t count, size_t bytes);
/* Returns `bytes` bytes, rounded up to `alignment` (a power of two), at an address that is a
 * multiple of it. */
void *dal_alloc_aligned(size_t alignment, size_t bytes);
/* Returns count * bytes zeroed bytes that share no cache line with anything else; NULL also when
 * the product overflows. */
void *dal_calloc_apart(size_t count, size_t bytes);
/*
 * Returns `bytes` zeroed bytes in pages of their own, which nothing has touched. A page takes
 * memory when it is first written to, on the node of the writing thread. NULL for 0 bytes. The
 * caller frees them with dal_free_pages() and the same size, not with dal_free().
 */
void *dal_alloc_pages(size_t bytes);
/* Accepts NULL. */
void dal_free_pages(void *memory, size_t bytes);
/* Asks for huge pages wherever whole ones lie within some bytes of dal_alloc_pages(). A system
 * without them ignores that. Called before the bytes are touched. */
void dal_ask_huge_pages(void *memory, size_t bytes);
/* Returns the bytes of dal_alloc_pages() that have not been freed; for tests. */
size_t dal_pages_held(void);

/* Accepts NULL. */
void dal_free(void *memory);
/* Frees each of several; any may be NULL. */
#define dal_free_all(...)                                                                          \
    dal__free_list((void *const[]){__VA_ARGS__},                                                   \
                   sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))
void dal__free_list(void *const *list, size_t count);

char *dal_strdup(const char *text);
/* Returns a new string as asprintf() makes it, or NULL. */
char *dal_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Makes room for one more element in a growing array: `*array` holds `count` elements of `bytes`
 * bytes and has room for `*room`. Returns DAL_OK or DAL_ERR_NOMEM, with the array untouched.
 */
int dal_grow(void *array, size_t count, size_t *room, size_t bytes);

/* Returns how often the calling thread has asked for memory. The second sets that number. */
unsigned long dal_alloc_count(void);
void dal_alloc_recount(unsigned long count);

/* Makes the n-th allocation from now on fail, once; 0 turns that off. For tests. */
void dal_alloc_fail_at(unsigned long n);

/* Makes room for one more element of an array in the model, which has no count of its room: it
 * doubles whenever the count reaches a power of two. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal_extend(void *array, size_t count, size_t bytes);
