/*
 * Leaves init or fire of a KPN process from inside of a call of dal.h, over all frames between.
 *
 * C has nothing to do on the way: longjmp() drops its frames. In a program with C++ each frame is
 * unwound, as pthread_exit() does it (the forced unwinding of the Itanium C++ ABI), so that the
 * objects in it are destroyed. A handler `catch (...)` that does not throw again holds nothing up:
 * where the handler ends, unwinding goes on.
 *
 * All functions belong to the process's thread.
 */
#pragma once

#include <setjmp.h>
#include <unwind.h>

struct dal_leave {
    jmp_buf out;       /* set by the function that calls init or fire, */
    const void *frame; /* and its frame, DAL_LEAVE_FRAME */
    const char *name;  /* of the process, for messages */
    int begun;         /* destructors and handlers run: no call may wait */
    struct _Unwind_Exception exception;
};

/* All that the function calls which says this lies below. */
#define DAL_LEAVE_FRAME __builtin_frame_address(0)

/* Before threads start, once or more often. Then a function that nothing can leave (noexcept) gives
 * a warning, and the frames above it are dropped as those of C. Else the program would end. */
void dal_leave_prepare(void);

/* Goes to `out`. A second call, from a destructor or a handler, drops the frames that are left. */
void dal_leave(struct dal_leave *leave) __attribute__((noreturn));
