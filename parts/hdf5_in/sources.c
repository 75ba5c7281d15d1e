/* Files beside that of a data set that have its elements. */
#include "sources.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The sets of virtual ones may be virtual themselves, and lead back. */
enum { MOST_DEPTH = 16 };

static int refuse_beside(const char *file, const char *problem, char why[WHY_BYTES])
{
    snprintf(why, WHY_BYTES, "elements in %s: %s", file, problem);
    return -1;
}

/* Returns how many bytes the elements have, or the most of all. */
static uint64_t set_bytes(hid_t set)
{
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    uint64_t bytes = 0;

    if (__builtin_mul_overflow((uint64_t)H5Sget_simple_extent_npoints(space), H5Tget_size(type),
                               &bytes))
        bytes = UINT64_MAX;
    H5Sclose(space);
    H5Tclose(type);
    return bytes;
}

/* An external set has its bytes in parts of files, one behind the other. */
static int check_external(hid_t set, hid_t layout, hid_t way, char why[WHY_BYTES])
{
    char name[PATH_MAX] = "", prefix[PATH_MAX] = "", path[2 * PATH_MAX];
    const int count = H5Pget_external_count(layout);
    uint64_t left = count > 0 ? set_bytes(set) : 0, end;
    struct stat info;
    hsize_t size;
    off_t offset;

    H5Pget_efile_prefix(way, prefix, sizeof(prefix));
    for (int i = 0; i < count && left > 0; i++, left -= size) {
        if (H5Pget_external(layout, (unsigned)i, sizeof(name) - 1, name, &offset, &size) < 0)
            return refuse_beside("other files", "they cannot be named", why);
        size = size < left ? size : left;
        snprintf(path, sizeof(path), "%s%s%s", *name == '/' ? "" : prefix,
                 *name == '/' || !*prefix ? "" : "/", name);
        if (stat(path, &info) != 0)
            return refuse_beside(name, strerror(errno), why);
        if (__builtin_add_overflow((uint64_t)offset, size, &end) || (uint64_t)info.st_size < end)
            return refuse_beside(name, "it ends too early", why);
    }
    return left ? refuse_beside(name, "it ends too early", why) : 0;
}

/* Opens a file where the library looks for it: under its prefix, beside the file of the set, and
 * here. Returns it, or -1 and errno, which is 0 where it is there. */
static hid_t open_source(hid_t set, hid_t way, const char *name)
{
    char prefix[PATH_MAX] = "", beside[PATH_MAX] = "", path[2 * PATH_MAX];
    const char *const folders[] = {prefix, beside, ""};
    hid_t file = -1;
    int is_there = 0;

    H5Pget_virtual_prefix(way, prefix, sizeof(prefix));
    if (H5Fget_name(set, beside, sizeof(beside)) > 0 && strrchr(beside, '/'))
        strrchr(beside, '/')[1] = 0;
    else
        *beside = 0;
    for (int i = *name == '/' ? 2 : 0; i < 3 && file < 0; i++) {
        snprintf(path, sizeof(path), "%s%s%s", folders[i], *folders[i] ? "/" : "", name);
        if (access(path, R_OK) != 0)
            continue;
        is_there = 1;
        file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    }
    if (is_there)
        errno = 0;
    return file;
}

static int check_at_depth(hid_t set, int depth, char why[WHY_BYTES]);

/* One of the sets that a virtual one is made of. Names with a % are numbered, and may end. */
static int check_virtual(hid_t set, hid_t layout, hid_t way, size_t i, int depth,
                         char why[WHY_BYTES])
{
    char name[PATH_MAX] = "", path[PATH_MAX] = "", problem[PATH_MAX + 32];
    hid_t file, source;
    int status;

    if (H5Pget_virtual_filename(layout, i, name, sizeof(name)) <= 0 ||
        H5Pget_virtual_dsetname(layout, i, path, sizeof(path)) <= 0 || strchr(name, '%') ||
        strchr(path, '%'))
        return 0;
    if (depth == MOST_DEPTH)
        return refuse_beside(name, "sets of sets of sets, without an end", why);
    file = strcmp(name, ".") == 0 ? H5Iget_file_id(set) : open_source(set, way, name);
    if (file < 0)
        return refuse_beside(name, errno ? strerror(errno) : "it is no HDF5 file, or damaged", why);
    source = H5Dopen2(file, path, H5P_DEFAULT);
    snprintf(problem, sizeof(problem), "it has no data set %s", path);
    status = source < 0 ? refuse_beside(name, problem, why) : check_at_depth(source, depth, why);
    if (source >= 0)
        H5Dclose(source);
    H5Fclose(file);
    return status;
}

static int check_at_depth(hid_t set, int depth, char why[WHY_BYTES])
{
    hid_t layout = H5Dget_create_plist(set), way = H5Dget_access_plist(set);
    int status = check_external(set, layout, way, why);
    size_t count = 0;

    if (H5Pget_layout(layout) == H5D_VIRTUAL)
        H5Pget_virtual_count(layout, &count);
    for (size_t i = 0; i < count && status == 0; i++)
        status = check_virtual(set, layout, way, i, depth + 1, why);
    H5Pclose(layout);
    H5Pclose(way);
    return status;
}

int dal_part_check_sources(hid_t set, char why[WHY_BYTES])
{
    int status = check_at_depth(set, 0, why);

    H5Eclear2(H5E_DEFAULT); /* of places where a file was not */
    return status;
}
