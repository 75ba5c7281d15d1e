/*
 * dol.h: the calls of DOL (Thiele et al. 2007), for processes that were written for it; in C and
 * C++. dal.h says what a process is. It has DOLProcess and LocalState, CREATEPORTVAR, CREATEPORT
 * and GETINDEX, too.
 *
 *     void NAME_init(DOLProcess *p);      once, before the first firing; optional
 *     int NAME_fire(DOLProcess *p);       again and again, until DOL_detach(); anything else than 0
 *                                         ends the process as well
 *
 * A port is named by a string, or by its name as a number: (void *)1 is the port "1".
 *
 * In a network for DOL every end of a channel blocks: a process waits until it has all bytes that
 * it asks for, or space for all that it gives. A process that waits for bytes of one that has
 * ended, and so will never get them, ends too. So does one that writes when all readers have ended
 * and have left no space. What it has done by then is the same in every run. Windows lie in the
 * channel's memory where that can be. DOL_release sends what is reserved.
 *
 * After DOL_detach(p) no call moves a byte any more: all of them return -1. What was reserved and
 * not released is not sent.
 */
#ifndef DOL_H
#define DOL_H

#include "dal.h"

#ifdef __GNUC__ /* as in dal.h */
#pragma GCC system_header
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Port 1 is (void *)1, which is only read from when it is a literal. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Warray-bounds"
#endif

/* The name of a port. A literal stays one, for the checks of dal.h. */
#define DOL_NAME(port, digits)                                                                     \
    (DAL_IS_LITERAL((const char *)(port)) || (__UINTPTR_TYPE__)(port) >= DAL_PORT_NUMBERS          \
         ? (const char *)(port)                                                                    \
         : dal_port_digits(port, digits))

/* Ends the process when fire returns. */
DAL_INLINE void DOL_detach(DOLProcess *p)
{
    dal__activation(p)->detached = 1;
}

/* May a call of this name go on at this port? It may not after DOL_detach(), nor if it is wrong. A
 * wrong call is reported here and leaves fire, since many a source does not look at the result.
 */
DAL_INLINE int dol__may(const char *call, int output, const char *port, int len, DOLProcess *p)
{
    int index;
    if (dal__activation(p)->detached)
        return 0;
    index = dal__port(call, output, port, p);
    if (index >= 0 && len >= 0)
        return 1;
    if (index >= 0)
        dal_refuse_bytes(call, port, (size_t)(long)len, dal__window(index, p), dal__fail(p));
    dal_window_leave(dal__process(p));
    return 0;
}

/* Waits for len bytes and copies them out of the channel of an input port. Returns len. */
DAL_INLINE int DOL_read(void *port, void *buf, int len, DOLProcess *p)
{
    char digits[DAL_PORT_DIGITS];
    const char *name = DOL_NAME(port, digits);
    return dol__may("DOL_read", 0, name, len, p) ? DAL_read((void *)name, buf, len, p) : -1;
}

/* Waits for space for len bytes and copies them into the channel of an output port. Returns len. */
DAL_INLINE int DOL_write(void *port, const void *buf, int len, DOLProcess *p)
{
    char digits[DAL_PORT_DIGITS];
    const char *name = DOL_NAME(port, digits);
    return dol__may("DOL_write", 1, name, len, p) ? DAL_write((void *)name, (void *)buf, len, p)
                                                  : -1;
}

/* Returns 1 or 0; 0 also for the "never" of dal.h. A process that only asks for what never comes is
 * ended at last. */
DAL_INLINE int dol__test(const char *call, int output, const char *port, int len, DOLProcess *p)
{
    int there;
    if (!dol__may(call, output, port, len, p))
        return -1;
    there = dal__test(call, output, port, len, p);
    if (there <= 0)
        dal_window_in_vain(dal__process(p));
    return there > 0;
}

/* Can len bytes be read from (written to) a port without waiting? 1 or 0. A process that acts upon
 * a 0 may behave differently in each run. */
DAL_INLINE int DOL_rtest(void *port, int len, DOLProcess *p)
{
    char digits[DAL_PORT_DIGITS];
    return dol__test("DOL_rtest", 0, DOL_NAME(port, digits), len, p);
}

DAL_INLINE int DOL_wtest(void *port, int len, DOLProcess *p)
{
    char digits[DAL_PORT_DIGITS];
    return dol__test("DOL_wtest", 1, DOL_NAME(port, digits), len, p);
}

/* Stores the pointer where `destination` points, whatever type it has. */
DAL_INLINE int dol__hand_out(void *window, void *destination, int len)
{
    __builtin_memcpy(destination, &window, sizeof(window));
    return window ? len : -1;
}

/* Waits for space for len bytes at an output port. Sets *(void **)destination to the place to write
 * them, until DOL_release. One window of a port at a time. Returns len. */
DAL_INLINE int DOL_reserve(void *port, void *destination, int len, DOLProcess *p)
{
    char digits[DAL_PORT_DIGITS];
    const char *name = DOL_NAME(port, digits);
    size_t bytes = (size_t)len;
    if (!dol__may("DOL_reserve", 1, name, len, p))
        return -1;
    return dol__hand_out(DAL_write_begin((void *)name, 1, bytes, bytes, 0, p), destination, len);
}

/* Ends a window, if dol__may() allows it. */
DAL_INLINE int dol__end(const char *call, int output, void *port, DOLProcess *p)
{
    char digits[DAL_PORT_DIGITS];
    const char *name = DOL_NAME(port, digits);
    if (dal__activation(p)->detached)
        return -1;
    if (!dal__is_begun(call, name, dal__port(call, output, name, p), p)) {
        dal_window_leave(dal__process(p));
        return -1;
    }
    if (output)
        DAL_write_end((void *)name, (void *)0, p);
    else
        DAL_read_end((void *)name, (void *)0, p);
    return 0;
}

/* Sends the bytes that DOL_reserve has handed out. */
DAL_INLINE int DOL_release(void *port, DOLProcess *p)
{
    return dol__end("DOL_release", 1, port, p);
}

/* Waits for len bytes at an input port. Sets *(void **)destination to their place, until
 * DOL_consume. One window of a port at a time. Returns len. */
DAL_INLINE int DOL_capture(void *port, void *destination, int len, DOLProcess *p)
{
    char digits[DAL_PORT_DIGITS];
    const char *name = DOL_NAME(port, digits);
    if (!dol__may("DOL_capture", 0, name, len, p))
        return -1;
    return dol__hand_out(DAL_read_begin((void *)name, 1, (size_t)len, p), destination, len);
}

/* Gives back the bytes that DOL_capture has handed out. */
DAL_INLINE int DOL_consume(void *port, DOLProcess *p)
{
    return dol__end("DOL_consume", 0, port, p);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/* A base that is a number is also a name. */
#undef CREATEPORT
#define CREATEPORT(port, base, ...)                                                                \
    createPort(port, (const void *)(__UINTPTR_TYPE__)(base), __VA_ARGS__)

#ifdef __cplusplus
}
#endif
#endif
