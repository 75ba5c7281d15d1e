/* Write: a data set, row by row. */
#include "dal.h"
#include "../common/hdf5_type.h"
#include "../common/output_file.h"

_Static_assert(VAR_row % VAR_token == 0, "a row has whole tokens");

/* Rows that are written at once, which is a chunk of the file. */
enum { ROWS = VAR_row < 4096 ? 4096 / VAR_row : 1, RANK = VAR_row > 1 ? 2 : 1 };

struct _local_states {
    struct output_file output;
    const char *path;
    hid_t file, set; /* 0 or less: not open */
    hsize_t done;    /* rows in the file */
    hsize_t held;    /* and in the buffer */
    VAR_type *buffer;
};

static int refuse_set(const char *why, DALProcess *p)
{
    DAL_fail(p, "%s: data set %s %s", p->local->output.name, p->local->path, why);
    return -1;
}

/* Makes a data set without rows. */
static hid_t create_set(hid_t file, const char *path)
{
    hsize_t shape[2] = {0, VAR_row}, most[2] = {H5S_UNLIMITED, VAR_row}, chunk[2] = {ROWS, VAR_row};
    hid_t space = H5Screate_simple(RANK, shape, most);
    hid_t groups = H5Pcreate(H5P_LINK_CREATE), layout = H5Pcreate(H5P_DATASET_CREATE), set = -1;

    if (H5Pset_create_intermediate_group(groups, 1) >= 0 &&
        H5Pset_chunk(layout, RANK, chunk) >= 0 && H5Pset_obj_track_times(layout, 0) >= 0)
        set = H5Dcreate2(file, path, hdf5_type(), space, groups, layout, H5P_DEFAULT);
    H5Pclose(layout);
    H5Pclose(groups);
    H5Sclose(space);
    return set;
}

void Write_init(DALProcess *p)
{
    LocalState s = p->local;

    silence_hdf5();
    s->output.fd = -1;
    s->path = DAL_getParameter("path", p);
    if (!s->path || !*s->path) {
        DAL_fail(p, "it has no path of a data set");
        return;
    }
    if (open_output(&s->output, DAL_getParameter("file", p), p) != 0)
        return;
    s->file = H5Fcreate(s->output.temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (s->file < 0) {
        forget_hdf5_errors();
        refuse_output(&s->output, "HDF5 cannot make it", p);
        return;
    }
    s->set = create_set(s->file, s->path);
    if (s->set < 0) {
        refuse_set("cannot be made", p);
        return;
    }
    s->buffer = malloc(sizeof(VAR_type) * VAR_row * ROWS);
    if (!s->buffer)
        DAL_fail(p, "out of memory");
}

/* Adds rows to the file. Returns 0, or -1. */
static int write_rows(LocalState s)
{
    hsize_t start[2] = {s->done, 0}, count[2] = {s->held, VAR_row};
    hsize_t shape[2] = {s->done + s->held, VAR_row}, elements = s->held * VAR_row;
    hid_t to, from;
    herr_t status = -1;

    if (H5Dset_extent(s->set, shape) < 0)
        return -1;
    to = H5Dget_space(s->set);
    from = H5Screate_simple(1, &elements, NULL);
    if (H5Sselect_hyperslab(to, H5S_SELECT_SET, start, NULL, count, NULL) >= 0)
        status = H5Dwrite(s->set, hdf5_type(), from, to, H5P_DEFAULT, s->buffer);
    H5Sclose(from);
    H5Sclose(to);
    return status < 0 ? -1 : 0;
}

/* Returns 0, or -1 after DAL_fail(). */
static int empty_buffer(DALProcess *p)
{
    LocalState s = p->local;

    if (!s->buffer)
        return -1;
    silence_hdf5();
    if (s->held && write_rows(s) != 0) {
        forget_hdf5_errors();
        return refuse_set("cannot be written: the disk may be full", p);
    }
    s->done += s->held;
    s->held = 0;
    return 0;
}

int Write_fire(DALProcess *p)
{
    LocalState s = p->local;
    const VAR_type *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);

    if (!in || !s->buffer || (s->held == ROWS && empty_buffer(p) != 0))
        return 1;
    memcpy(s->buffer + s->held++ * VAR_row, in, sizeof(VAR_type) * VAR_row);
    DAL_read_end(PORT_in, in, p);
    return 0;
}

void Write_finish(DALProcess *p)
{
    LocalState s = p->local;
    int is_whole = !DAL_has_failed(p) && empty_buffer(p) == 0, is_closed = 1;

    silence_hdf5();
    if (s->set > 0)
        is_closed = H5Dclose(s->set) >= 0;
    if (s->file > 0)
        is_closed = H5Fclose(s->file) >= 0 && is_closed;
    forget_hdf5_errors();
    if (is_whole && !is_closed)
        refuse_output(&s->output, "the disk may be full", p);
    if (s->output.fd >= 0)
        close_output(&s->output, is_whole && is_closed, p);
    free(s->buffer);
}
