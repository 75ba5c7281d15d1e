#define _GNU_SOURCE
#include "rt/base/cache.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "rt/base/setting.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* An entry: magic, key, bytes of the binary (the lowest byte first), their digest, the binary. */
static const char magic[8] = "dalkern1";
enum {
    KEY_AT = sizeof(magic),
    BYTES_AT = KEY_AT + DAL_SHA256_BYTES,
    DIGEST_AT = BYTES_AT + 8,
    HEADER = DIGEST_AT + DAL_SHA256_BYTES,
};

/* Names: the key in hexadecimal digits and a suffix. Nothing else in the folder is touched. */
#define SUFFIX     ".kernel"
#define UNFINISHED ".tmp"
enum { DIGITS = 2 * DAL_SHA256_BYTES, NAME = DIGITS + sizeof(SUFFIX) };

/* Names tried for an unfinished entry; seconds until one counts as left behind; bytes of the
 * largest binary. */
enum { MOST_NAMES = 100, LEFT_BEHIND_S = 3600, MOST_BYTES = 1 << 30 };
enum { USUAL_MB = 256, MOST_MB = 1 << 20 };

/* ---- the folder ------------------------------------------------------------------------------ */

int dal_cache_wanted(void)
{
    const char *value = dal_setting_secure("DAL_KERNEL_CACHE");
    return !value || strcmp(value, "off") != 0;
}

/* Can only the user, or this program in the user's name, have written it? */
static int is_trusted(const struct stat *info)
{
    return info->st_uid == geteuid() && (info->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Makes a missing folder, but only in a folder of the user. Otherwise root, with the home of
 * another user, would leave a folder there that only root can write. */
static void make_folder(const char *path)
{
    struct stat info;
    char *parent, *slash;
    if (stat(path, &info) == 0)
        return;
    parent = dal_strdup(path);
    slash = parent ? strrchr(parent, '/') : NULL;
    if (slash)
        slash[slash == parent] = '\0';
    if (slash && stat(parent, &info) == 0 && info.st_uid == geteuid())
        mkdir(path, S_IRWXU);
    dal_free(parent);
}

/* Returns the usual place, or NULL without one. XDG ignores a name that is not absolute. */
static char *usual_folder(int make)
{
    const char *xdg = dal_setting_secure("XDG_CACHE_HOME"), *home = dal_setting_secure("HOME");
    char *base = NULL, *path = NULL;
    if (xdg && *xdg == '/')
        base = dal_strdup(xdg);
    else if (home && *home == '/')
        base = dal_format("%s/.cache", home);
    for (size_t i = base ? strlen(base) : 0; i > 1 && base[i - 1] == '/'; i--)
        base[i - 1] = '\0';
    if (base)
        path = dal_format("%s/dal", base);
    if (path && make) {
        make_folder(base);
        make_folder(path);
    }
    dal_free(base);
    return path;
}

static char *find_folder(int make)
{
    const char *given = dal_setting_secure("DAL_KERNEL_CACHE");
    static int said;
    if (!given)
        return usual_folder(make);
    if (*given != '/') {
        if (!said++)
            dal_log(DAL_LOG_WARNING,
                    "DAL_KERNEL_CACHE=%s: no absolute path, and not off; no kernels are kept",
                    given);
        return NULL;
    }
    if (make)
        mkdir(given, S_IRWXU);
    return dal_strdup(given);
}

/* Returns a descriptor of the folder, or -1 when there is none that can be trusted. `make` makes
 * one. */
static int open_folder(int make)
{
    struct stat info;
    char *path = dal_cache_wanted() ? find_folder(make) : NULL;
    int folder = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    dal_free(path);
    if (folder < 0 || (fstat(folder, &info) == 0 && is_trusted(&info)))
        return folder;
    close(folder);
    return -1;
}

static void write_name(char name[NAME], const struct dal_cache_key *key)
{
    dal_sha256_hex(key->digest, DIGITS, name);
    strcpy(name + DIGITS, SUFFIX);
}

/* ---- entries --------------------------------------------------------------------------------- */

static void write_header(unsigned char header[HEADER], const struct dal_cache_key *key,
                         const struct dal_cache_binary *binary)
{
    struct dal_sha256 sha;
    memcpy(header, magic, sizeof(magic));
    memcpy(header + KEY_AT, key->digest, sizeof(key->digest));
    for (int i = 0; i < 8; i++)
        header[BYTES_AT + i] = (unsigned char)((uint64_t)binary->bytes >> (8 * i));
    dal_sha256_begin(&sha);
    dal_sha256_add(&sha, binary->data, binary->bytes);
    dal_sha256_end(&sha, header + DIGEST_AT);
}

/* Returns 1 if all bytes could be read. */
static int read_all(int file, void *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t now = read(file, data, bytes);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            return 0;
        data = (char *)data + now;
        bytes -= (size_t)now;
    }
    return 1;
}

static int is_entry(const struct stat *info)
{
    return S_ISREG(info->st_mode) && is_trusted(info) && info->st_size >= HEADER &&
           info->st_size <= HEADER + (off_t)MOST_BYTES;
}

/* Reads an entry. Compares its header with the one that is made from its binary. */
static int read_entry(int file, const struct dal_cache_key *key, struct dal_cache_binary *binary)
{
    unsigned char header[HEADER], expected[HEADER];
    struct stat info;
    if (fstat(file, &info) != 0 || !is_entry(&info))
        return 0;
    binary->bytes = (size_t)info.st_size - HEADER;
    binary->data = dal_alloc(binary->bytes);
    if (!binary->data)
        return DAL_ERR_NOMEM;
    if (read_all(file, header, HEADER) && read_all(file, binary->data, binary->bytes)) {
        write_header(expected, key, binary);
        if (memcmp(header, expected, HEADER) == 0)
            return 1;
    }
    dal_free(binary->data);
    return 0;
}

int dal_cache_read(const struct dal_cache_key *key, struct dal_cache_binary *binary)
{
    char name[NAME];
    int folder = open_folder(0), file, found = 0;
    *binary = (struct dal_cache_binary){0};
    if (folder < 0)
        return 0;
    write_name(name, key);
    file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    close(folder);
    if (file < 0)
        return 0;
    found = read_entry(file, key, binary);
    if (found == 1)
        (void)futimens(file, NULL);
    else
        *binary = (struct dal_cache_binary){0};
    close(file);
    return found;
}

/* Opens an unfinished entry. Returns a descriptor, or -1. */
static int open_unfinished(int folder, const struct dal_cache_key *key, char *name, size_t bytes)
{
    char entry[NAME];
    int file = -1;
    write_name(entry, key);
    for (int i = 0; i < MOST_NAMES && file < 0; i++) {
        snprintf(name, bytes, "%.*s.%ld-%d" UNFINISHED, DIGITS, entry, (long)getpid(), i);
        file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                      S_IRUSR | S_IWUSR);
        if (file < 0 && errno != EEXIST)
            return -1;
    }
    return file;
}

static int write_entry(int folder, const struct dal_cache_key *key,
                       const struct dal_cache_binary *binary)
{
    unsigned char header[HEADER];
    char name[NAME], unfinished[NAME + 64];
    int file = open_unfinished(folder, key, unfinished, sizeof(unfinished)), good;
    if (file < 0)
        return 0;
    write_name(name, key);
    write_header(header, key, binary);
    good = dal_write_all(file, header, HEADER) == DAL_OK &&
           dal_write_all(file, binary->data, binary->bytes) == DAL_OK;
    good &= close(file) == 0;
    good = good && renameat(folder, unfinished, folder, name) == 0;
    if (!good)
        unlinkat(folder, unfinished, 0);
    return good;
}

/* ---- the limit ------------------------------------------------------------------------------- */

struct file {
    char name[NAME];
    struct timespec used;
    off_t bytes;
};

struct files {
    struct file *list;
    size_t count, room;
    off_t bytes;
};

static off_t limit_bytes(void)
{
    static int said;
    const char *text = dal_setting_secure("DAL_KERNEL_CACHE_MB");
    char *rest = NULL;
    long number = text ? strtol(text, &rest, 10) : USUAL_MB;
    if (text && (rest == text || *rest || number < 0 || number > MOST_MB)) {
        if (!said++)
            dal_log(DAL_LOG_WARNING, "DAL_KERNEL_CACHE_MB=%s: not a number from 0 to %d; %d it is",
                    text, MOST_MB, USUAL_MB);
        number = USUAL_MB;
    }
    return (off_t)number << 20;
}

/* Does the name begin as those of entries do? */
static int is_ours(const char *name)
{
    return strspn(name, "0123456789abcdef") == DIGITS && name[DIGITS] == '.';
}

static void note_file(struct files *files, int folder, const char *name)
{
    struct stat info;
    struct file *file;
    if (!is_ours(name) || fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    if (fnmatch("*" UNFINISHED, name, 0) == 0 && info.st_mtime + LEFT_BEHIND_S < time(NULL))
        unlinkat(folder, name, 0);
    if (strcmp(name + DIGITS, SUFFIX) != 0 ||
        dal_grow(&files->list, files->count, &files->room, sizeof(*files->list)) < 0)
        return;
    file = &files->list[files->count++];
    *file = (struct file){.used = info.st_mtim, .bytes = info.st_size};
    strcpy(file->name, name);
    files->bytes += info.st_size;
}

static int compare_use(const void *a, const void *b)
{
    const struct timespec *x = &((const struct file *)a)->used;
    const struct timespec *y = &((const struct file *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

/* Removes entries that were not used for longest, until the rest fits the limit. */
static void keep_limit(int folder, off_t limit)
{
    struct files files = {0};
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = again < 0 ? NULL : fdopendir(again);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)))
        note_file(&files, folder, entry->d_name);
    if (files.bytes > limit)
        qsort(files.list, files.count, sizeof(*files.list), compare_use);
    for (size_t i = 0; i < files.count && files.bytes > limit; i++) {
        unlinkat(folder, files.list[i].name, 0);
        files.bytes -= files.list[i].bytes;
    }
    if (dir)
        closedir(dir);
    else if (again >= 0)
        close(again);
    dal_free(files.list);
}

/* May a file be so large? A signal ends a program that writes more than it may. */
static int may_write(off_t bytes)
{
    struct rlimit most;
    return getrlimit(RLIMIT_FSIZE, &most) == 0 &&
           (most.rlim_cur == RLIM_INFINITY || (rlim_t)bytes <= most.rlim_cur);
}

void dal_cache_write(const struct dal_cache_key *key, const struct dal_cache_binary *binary)
{
    off_t limit = limit_bytes(), bytes = HEADER + (off_t)binary->bytes;
    int folder;
    if (binary->bytes > MOST_BYTES || bytes > limit || !may_write(bytes))
        return;
    folder = open_folder(1);
    if (folder < 0)
        return;
    if (write_entry(folder, key, binary))
        keep_limit(folder, limit);
    close(folder);
}
