#define _GNU_SOURCE
#include "rt/base/thread.h"

/* libc has "C" without any memory; there is nothing to free. */
locale_t dal_thread_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

void dal_thread_begin(void)
{
    struct dal_float plain = DAL_FLOAT_PLAIN;
    dal_float_set_x87(plain.x87);
    dal_float_set_control(plain.control);
    uselocale(dal_thread_locale());
}
