/*
 * What the parts share that read a file. It is an ordinary file: a pipe or a device could keep its
 * reader waiting for ever, and has no size to compare with what a header says.
 */
#ifndef INPUT_FILE_H
#define INPUT_FILE_H

#include "dal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens a file, and tells its size in bytes. Returns a descriptor, or -1 after DAL_fail(). */
static inline int open_input(const char *name, uint64_t *bytes, DALProcess *p)
{
    int fd = name && *name ? open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
    struct stat info;

    if (!name || !*name)
        DAL_fail(p, "it has no file to read");
    else if (fd < 0 || fstat(fd, &info) != 0)
        DAL_fail(p, "%s: %s", name, strerror(errno));
    else if (!S_ISREG(info.st_mode))
        DAL_fail(p, "%s is no ordinary file", name);
    else {
        *bytes = (uint64_t)info.st_size;
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

#endif
