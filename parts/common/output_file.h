/*
 * What the parts share that write a file. It is written under a name beside its own, and gets its
 * own at the end. So what has the name is always whole, and stays when the run fails.
 */
#ifndef OUTPUT_FILE_H
#define OUTPUT_FILE_H

#include "dal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct output_file {
    const char *name; /* as the user wrote it; it belongs to the caller */
    char place[PATH_MAX], temporary[PATH_MAX + 40];
    int fd;     /* to write the temporary file by; -1 when none is open */
    int number; /* in the name of the temporary file */
};

static inline int refuse_output(struct output_file *o, const char *why, DALProcess *p)
{
    DAL_fail(p, "%s cannot be written: %s", o->name, why);
    return -1;
}

/* Finds where a link leads to that leads to nothing: makes that, and removes it. */
static inline int place_behind_link(struct output_file *o, DALProcess *p)
{
    int fd = open(o->name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    int is_found = fd >= 0 && realpath(o->name, o->place) && unlink(o->place) == 0;

    if (fd >= 0)
        close(fd);
    return is_found ? 0 : refuse_output(o, strerror(errno), p);
}

/* Finds where the file is, behind all links. Returns 0, or -1 after DAL_fail(). */
static inline int place_output(struct output_file *o, DALProcess *p)
{
    struct stat info;
    int is_there = stat(o->name, &info) == 0;

    if (is_there && !S_ISREG(info.st_mode))
        return refuse_output(o, "it is there, and no ordinary file", p);
    if (is_there && (access(o->name, W_OK) != 0 || !realpath(o->name, o->place)))
        return refuse_output(o, strerror(errno), p);
    if (!is_there && lstat(o->name, &info) == 0)
        return place_behind_link(o, p);
    if (!is_there && strlen(o->name) >= sizeof(o->place))
        return refuse_output(o, strerror(ENAMETOOLONG), p);
    if (!is_there)
        memcpy(o->place, o->name, strlen(o->name) + 1);
    return 0;
}

/* Has this program the file open? One of a program before, with the same number, it has not. */
static inline int is_open_here(const char *name)
{
    DIR *list = opendir("/proc/self/fd");
    const struct dirent *entry;
    struct stat wanted, one;
    int is_open = 0;

    while (list && !is_open && stat(name, &wanted) == 0 && (entry = readdir(list)))
        is_open = fstat(atoi(entry->d_name), &one) == 0 && one.st_dev == wanted.st_dev &&
                  one.st_ino == wanted.st_ino;
    if (list)
        closedir(list);
    return is_open;
}

/* A name that leaves no room for more is cut, and a sum tells it from others with that beginning.
 */
static inline void name_temporary(struct output_file *o, int i)
{
    enum { MOST = NAME_MAX - 40 };
    const char *slash = strrchr(o->place, '/'), *last = slash ? slash + 1 : o->place;
    const size_t length = strlen(last);
    char sum[10] = "";
    uint32_t all = 0;

    for (size_t k = 0; k < length; k++)
        all = all * 31 + (unsigned char)last[k];
    if (length > MOST)
        snprintf(sum, sizeof(sum), ".%08x", (unsigned)all);
    snprintf(o->temporary, sizeof(o->temporary), "%.*s%s.%ld-%d.tmp",
             (int)(last - o->place + (ptrdiff_t)(length > MOST ? MOST : length)), o->place, sum,
             (long)getpid(), i);
}

/* Begins a file by the first temporary name from number `from` on that is free. Returns 0, or -1
 * after DAL_fail(). */
static inline int open_output_from(int from, struct output_file *o, const char *name, DALProcess *p)
{
    struct stat info;

    o->name = name;
    o->fd = -1;
    if (!name || !*name) {
        DAL_fail(p, "it has no file to write");
        return -1;
    }
    if (place_output(o, p) != 0)
        return -1;
    for (int i = from; i < from + 100 && o->fd < 0; i++) {
        name_temporary(o, i);
        o->number = i;
        o->fd = open(o->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (o->fd < 0 && errno != EEXIST)
            break;
        if (o->fd < 0 && is_open_here(o->temporary))
            return refuse_output(o, "another process or port of the network writes it", p);
    }
    if (o->fd < 0)
        return refuse_output(o, strerror(errno), p);
    if (stat(o->place, &info) == 0)
        (void)fchmod(o->fd, info.st_mode & 07777); /* otherwise it has a new file's mode */
    return 0;
}

/* Begins a file. Returns 0, or -1 after DAL_fail(). */
static inline int open_output(struct output_file *o, const char *name, DALProcess *p)
{
    return open_output_from(0, o, name, p);
}

/* Ends a file that open_output() has begun. Puts it into its place if it is whole, or else removes
 * it. Returns 0, or -1 after DAL_fail(). */
static inline int close_output(struct output_file *o, int is_whole, DALProcess *p)
{
    int error = close(o->fd) != 0 ? errno : 0;

    o->fd = -1;
    if (is_whole && !error && rename(o->temporary, o->place) != 0)
        error = errno;
    if (!is_whole || error)
        unlink(o->temporary);
    return is_whole && error ? refuse_output(o, strerror(error), p) : 0;
}

#endif
