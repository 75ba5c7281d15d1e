#include "rt/kpn/leave.h"

#include "rt/base/error.h"

#include <stddef.h>
#include <stdint.h>

/* std::set_terminate(): NULL in a program without C++. */
typedef void (*terminate_fn)(void);
extern terminate_fn set_terminate(terminate_fn handler) __asm__("_ZSt13set_terminatePFvvE")
    __attribute__((weak));

/* AddressSanitizer has it: frames that are gone have poisoned what destructors use. */
extern void __asan_handle_no_return(void) __attribute__((weak));

/* Names the origin of the exception, for debuggers. */
#define EXCEPTION_CLASS 0x64616c006c656176 /* dal leav */

static terminate_fn before;
static _Thread_local struct dal_leave *leaving;

static void jump(struct dal_leave *leave) __attribute__((noreturn));
static void jump(struct dal_leave *leave)
{
    leave->begun = 0;
    leaving = NULL;
    longjmp(leave->out, 1);
}

/* The C++ runtime calls it when the frames end at a function that nothing can leave. */
static void drop_rest(void)
{
    if (leaving) {
        dal_log(DAL_LOG_WARNING,
                "process %s: it ends in a function that is noexcept, as destructors are: objects "
                "of the functions that called it are not destroyed",
                leaving->name);
        jump(leaving);
    }
    if (before)
        before();
}

void dal_leave_prepare(void)
{
    static int prepared;
    if (!prepared && set_terminate)
        before = set_terminate(drop_rest);
    prepared = 1;
}

/* The unwinder asks before each frame. The stack grows downwards. */
static _Unwind_Reason_Code stop_at_caller(int version, _Unwind_Action actions,
                                          _Unwind_Exception_Class class,
                                          struct _Unwind_Exception *exception,
                                          struct _Unwind_Context *context, void *data)
{
    struct dal_leave *leave = data;
    (void)version, (void)class, (void)exception;
    if ((actions & _UA_END_OF_STACK) ||
        (uintptr_t)_Unwind_GetCFA(context) > (uintptr_t)leave->frame)
        jump(leave);
    return _URC_NO_REASON;
}

static void go_on(_Unwind_Reason_Code reason, struct _Unwind_Exception *exception);

/* A frame without a description cannot be unwound: it is dropped with all above it. */
static void unwind(struct dal_leave *leave) __attribute__((noreturn));
static void unwind(struct dal_leave *leave)
{
    leave->exception =
        (struct _Unwind_Exception){.exception_class = EXCEPTION_CLASS, .exception_cleanup = go_on};
    if (__asan_handle_no_return)
        __asan_handle_no_return();
    _Unwind_ForcedUnwind(&leave->exception, stop_at_caller, leave);
    dal_log(DAL_LOG_WARNING,
            "process %s: it ends in a function without unwind tables: objects of the functions "
            "that called it are not destroyed",
            leave->name);
    jump(leave);
}

/* A handler has caught the exception and ends without throwing it again. */
static void go_on(_Unwind_Reason_Code reason, struct _Unwind_Exception *exception)
{
    (void)reason;
    unwind((void *)((char *)exception - offsetof(struct dal_leave, exception)));
}

void dal_leave(struct dal_leave *leave)
{
    if (!set_terminate || leave->begun)
        jump(leave);
    leave->begun = 1;
    leaving = leave;
    unwind(leave);
}
