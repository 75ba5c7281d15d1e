/* Read: a data set, row by row. */
#include "dal.h"
#include "../common/hdf5_type.h"
#include "../common/input_file.h"
#include "sources.h"

#include <limits.h>
#include <stdlib.h>

/* Rows that are read at once. */
enum { ROWS = VAR_row < 4096 ? 4096 / VAR_row : 1 };

/* The most memory for chunks that are unpacked, and places for them in the library's table. */
#define MOST_CACHE ((size_t)1 << 30) /* bytes */
enum { MOST_CHUNKS = 12421 };

struct _local_states {
    const char *file, *path;
    hid_t open, set; /* 0: not open */
    int rank;
    hsize_t shape[H5S_MAX_RANK];
    hsize_t next;     /* row to be read from the file */
    hsize_t at, held; /* rows in the buffer */
    VAR_type *buffer;
};

static int refuse_set(const char *why, DALProcess *p)
{
    DAL_fail(p, "%s: data set %s %s", p->local->file, p->local->path, why);
    return -1;
}

static int check_type(DALProcess *p)
{
    hid_t type = H5Dget_type(p->local->set), wanted = hdf5_type();
    int fits = type >= 0 && H5Tget_class(type) == H5Tget_class(wanted) &&
               H5Tget_size(type) == H5Tget_size(wanted) &&
               (H5Tget_class(type) == H5T_FLOAT || H5Tget_sign(type) == H5Tget_sign(wanted));

    if (type >= 0)
        H5Tclose(type);
    return fits ? 0 : refuse_set("has elements of another type than " HDF5_TEXT_OF(VAR_type), p);
}

static int check_shape(DALProcess *p)
{
    LocalState s = p->local;
    hid_t space = H5Dget_space(s->set);
    hsize_t row = 1;

    s->rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, s->shape, NULL);
    if (space >= 0)
        H5Sclose(space);
    if (s->rank < 1)
        return refuse_set("is no array", p);
    for (int i = 1; i < s->rank; i++)
        if (__builtin_mul_overflow(row, s->shape[i], &row))
            return refuse_set("has too large a shape", p);
    if (row == VAR_row)
        return 0;
    DAL_fail(p, "%s: data set %s has rows of %llu elements, and not %d", s->file, s->path,
             (unsigned long long)row, VAR_row);
    return -1;
}

/* The library would tell of a filter that is not there as of any damage. */
static int check_filters(hid_t layout, DALProcess *p)
{
    for (int i = 0; i < H5Pget_nfilters(layout); i++) {
        char name[64] = "";
        unsigned flags, info;
        size_t count = 0;
        H5Z_filter_t filter =
            H5Pget_filter2(layout, (unsigned)i, &flags, &count, NULL, sizeof(name), name, &info);

        if (H5Zfilter_avail(filter) <= 0) {
            DAL_fail(p, "%s: data set %s needs filter %d of HDF5, %s, which is not installed",
                     p->local->file, p->local->path, (int)filter, name);
            return -1;
        }
    }
    return 0;
}

static int check_set_files(DALProcess *p)
{
    char why[WHY_BYTES];

    if (dal_part_check_sources(p->local->set, why) == 0)
        return 0;
    DAL_fail(p, "%s: data set %s has %s", p->local->file, p->local->path, why);
    return -1;
}

/* How many bytes have the chunks of a row, unpacked? 0 without chunks. */
static size_t chunk_bytes(hid_t layout, LocalState s)
{
    hsize_t chunk[H5S_MAX_RANK], bytes = sizeof(VAR_type);

    if (H5Pget_layout(layout) != H5D_CHUNKED || H5Pget_chunk(layout, s->rank, chunk) != s->rank)
        return 0;
    for (int i = 0; i < s->rank; i++) {
        hsize_t chunks = i ? (s->shape[i] + chunk[i] - 1) / chunk[i] : 1;

        if (__builtin_mul_overflow(bytes, chunks * chunk[i], &bytes) || bytes > MOST_CACHE)
            return MOST_CACHE;
    }
    return (size_t)bytes;
}

/* Opens the set anew, so that the chunks of a row stay unpacked. A chunk may have parts of many
 * rows, each of which would unpack it again. */
static void keep_chunks(size_t bytes, LocalState s)
{
    hid_t way = H5Pcreate(H5P_DATASET_ACCESS);

    if (H5Pset_chunk_cache(way, MOST_CHUNKS, bytes, 1.0) >= 0) {
        H5Dclose(s->set);
        s->set = H5Dopen2(s->open, s->path, way);
    }
    H5Pclose(way);
}

/* Is all there that its elements need? */
static int check_layout(DALProcess *p)
{
    LocalState s = p->local;
    hid_t layout = H5Dget_create_plist(s->set);
    int status = check_filters(layout, p) != 0 || check_set_files(p) != 0 ? -1 : 0;
    size_t bytes = chunk_bytes(layout, s);

    H5Pclose(layout);
    if (status == 0 && bytes)
        keep_chunks(bytes, s);
    return status == 0 && s->set < 0 ? refuse_set("cannot be opened", p) : status;
}

static int open_set(DALProcess *p)
{
    LocalState s = p->local;
    uint64_t bytes;
    int fd = open_input(s->file, &bytes, p);

    if (fd < 0)
        return -1;
    close(fd);
    s->open = H5Fopen(s->file, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (s->open < 0) {
        DAL_fail(p, "%s is no HDF5 file, or damaged", s->file);
        return -1;
    }
    s->set = s->path && *s->path ? H5Dopen2(s->open, s->path, H5P_DEFAULT) : -1;
    if (s->set < 0) {
        DAL_fail(p, "%s has no data set %s", s->file, s->path ? s->path : "");
        return -1;
    }
    return check_type(p) != 0 || check_shape(p) != 0 || check_layout(p) != 0 ? -1 : 0;
}

void Read_init(DALProcess *p)
{
    LocalState s = p->local;

    silence_hdf5();
    s->file = DAL_getParameter("file", p);
    s->path = DAL_getParameter("path", p);
    if (open_set(p) != 0) {
        forget_hdf5_errors();
        return;
    }
    DAL_setLength(s->shape[0], p);
    s->buffer = malloc(sizeof(VAR_type) * VAR_row * ROWS);
    if (!s->buffer)
        DAL_fail(p, "out of memory");
}

/* Reads the next rows from the file. Returns 0, or -1. */
static int read_rows(LocalState s, hsize_t rows)
{
    hsize_t start[H5S_MAX_RANK] = {s->next}, count[H5S_MAX_RANK], elements = rows * VAR_row;
    hid_t from = H5Dget_space(s->set), to = H5Screate_simple(1, &elements, NULL);
    herr_t status = -1;

    memcpy(count, s->shape, sizeof(count));
    count[0] = rows;
    if (from >= 0 && to >= 0 &&
        H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, count, NULL) >= 0)
        status = H5Dread(s->set, hdf5_type(), to, from, H5P_DEFAULT, s->buffer);
    if (from >= 0)
        H5Sclose(from);
    if (to >= 0)
        H5Sclose(to);
    return status < 0 ? -1 : 0;
}

/* Returns 0 at the end, or after DAL_fail(). */
static int fill_buffer(DALProcess *p)
{
    LocalState s = p->local;
    hsize_t left = s->shape[0] - s->next, rows = left < ROWS ? left : ROWS;

    if (!s->buffer || rows == 0)
        return 0;
    silence_hdf5();
    if (read_rows(s, rows) != 0) {
        forget_hdf5_errors();
        refuse_set("cannot be read: the file is damaged, or ends too early", p);
        return 0;
    }
    s->next += rows;
    s->at = 0;
    s->held = rows;
    return 1;
}

int Read_fire(DALProcess *p)
{
    LocalState s = p->local;
    VAR_type *out = DAL_WRITE_TOKENS(VAR_type, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    if (!out || (s->at == s->held && !fill_buffer(p)))
        return 1;
    memcpy(out, s->buffer + s->at++ * VAR_row, sizeof(VAR_type) * VAR_row);
    DAL_write_end(PORT_out, out, p);
    return 0;
}

void Read_finish(DALProcess *p)
{
    silence_hdf5();
    if (p->local->set > 0)
        H5Dclose(p->local->set);
    if (p->local->open > 0)
        H5Fclose(p->local->open);
    forget_hdf5_errors();
    free(p->local->buffer);
}
