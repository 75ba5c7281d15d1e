/*
 * Memory that must not be touched, for AddressSanitizer. Where its runtime is in the program, since
 * sources of the user or libdal were built with it, it refuses such memory, and names the line. In
 * other programs nothing happens here. Threads: any.
 */
#pragma once

#include <stddef.h>

/* NULL where there is no AddressSanitizer. */
#define DAL_OF_SANITIZER __attribute__((weak)) extern
DAL_OF_SANITIZER void __asan_poison_memory_region(const volatile void *begin, size_t bytes);
DAL_OF_SANITIZER void __asan_unpoison_memory_region(const volatile void *begin, size_t bytes);
DAL_OF_SANITIZER void *__asan_get_report_address(void);
DAL_OF_SANITIZER int __asan_get_report_access_type(void);
DAL_OF_SANITIZER void __sanitizer_set_death_callback(void (*call)(void));

static inline int dal_has_poison(void)
{
    return __asan_poison_memory_region != NULL;
}

static inline void dal_poison(const void *begin, size_t bytes)
{
    if (dal_has_poison())
        __asan_poison_memory_region(begin, bytes);
}

static inline void dal_unpoison(const void *begin, size_t bytes)
{
    if (dal_has_poison())
        __asan_unpoison_memory_region(begin, bytes);
}

/* Has `call` called behind the report of an access, before the program ends. */
static inline void dal_poison_watch(void (*call)(void))
{
    if (dal_has_poison())
        __sanitizer_set_death_callback(call);
}

/* For `call`: returns the address, or NULL. *writes is 1 for a write, 0 for a read. */
static inline const void *dal_poison_touched(int *writes)
{
    *writes = __asan_get_report_access_type();
    return __asan_get_report_address();
}
