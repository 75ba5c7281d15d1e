/* Read: a data set, row by row. */
#include "dal.h"
#include "../common/hdf5_type.h"
#include "../common/input_file.h"

#include <stdlib.h>

/* Rows that are read at once. */
enum { ROWS = VAR_row < 4096 ? 4096 / VAR_row : 1 };

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
    return check_type(p) != 0 || check_shape(p) != 0 ? -1 : 0;
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
