/* jpeg_fault.h: an error of libjpeg becomes a text, and leads back to where the fault was set. */
#ifndef PARTS_JPEG_FAULT_H
#define PARTS_JPEG_FAULT_H

#include <stdio.h>

#include <jpeglib.h>
#include <setjmp.h>

struct fault {
    struct jpeg_error_mgr errors;
    jmp_buf back;
    char *why; /* 200 bytes */
};

static inline void leave_jpeg(j_common_ptr jpeg)
{
    struct fault *fault = (struct fault *)jpeg->err;
    char text[JMSG_LENGTH_MAX];

    jpeg->err->format_message(jpeg, text);
    snprintf(fault->why, 200, "%.190s", text);
    longjmp(fault->back, 1);
}

#endif
