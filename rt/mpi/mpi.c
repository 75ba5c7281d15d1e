/*
 * The transport on MPI (MPI 3.1): libdal-mpi, the one part that calls MPI. It finds messages with
 * MPI_Improbe, so that their bytes go to where the caller wants them.
 *
 * Only MPI_Init_thread and MPI_Finalize wait here: all ranks meet there. Each poll tests what is
 * under way, in turn.
 *
 * In a checking build DAL_MPI_FAIL=N makes the N-th call of one rank fail, for tests.
 * DAL_MPI_FAIL_RANK names the rank (0 if not given).
 */
#include "rt/base/error.h"
#include "rt/nodes/transport.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A transfer under way; free if `transfer` is NULL. */
struct pending {
    MPI_Request request;
    struct dal_transfer *transfer;
};

struct mpi_link {
    struct dal_link link; /* first member */
    struct pending *pending;
    size_t count, room; /* entries in use, and allocated */
    int most_tag;
    unsigned long calls, fail_at;
};

_Static_assert(sizeof(MPI_Message) <= sizeof(void *), "a handle has room for a message");

static struct mpi_link *of(struct dal_link *link)
{
    return (struct mpi_link *)link;
}

static void say_why(char *why, const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    MPI_Error_string(code, text, &length);
    snprintf(why, sizeof(((struct dal_link *)NULL)->why), "%s: %.150s", call, text);
}

/* Returns whether the next call is to fail. */
static int is_failing(struct mpi_link *mpi)
{
    return ++mpi->calls == mpi->fail_at;
}

static int check_call(struct mpi_link *mpi, const char *call, int code)
{
    if (code == MPI_SUCCESS)
        return DAL_OK;
    say_why(mpi->link.why, call, code);
    return DAL_ERR_NODE;
}

/* Returns DAL_OK, or a negative code with the reason in the link. */
#define CALL(mpi, function, arguments)                                                             \
    check_call(mpi, #function, is_failing(mpi) ? MPI_ERR_OTHER : function arguments)

static void set_fault(struct mpi_link *mpi)
{
#ifdef DAL_CHECKING
    const char *fail = getenv("DAL_MPI_FAIL"), *rank = getenv("DAL_MPI_FAIL_RANK");
    if (fail && mpi->link.rank == (rank ? atoi(rank) : 0))
        mpi->fail_at = strtoul(fail, NULL, 10);
#else
    (void)mpi;
#endif
}

static int learn_ranks(struct mpi_link *mpi)
{
    void *most;
    int found = 0, status = CALL(mpi, MPI_Comm_rank, (MPI_COMM_WORLD, &mpi->link.rank));
    if (status == DAL_OK)
        status = CALL(mpi, MPI_Comm_size, (MPI_COMM_WORLD, &mpi->link.count));
    if (status == DAL_OK)
        status = CALL(mpi, MPI_Comm_get_attr, (MPI_COMM_WORLD, MPI_TAG_UB, &most, &found));
    mpi->most_tag = found ? *(int *)most : 32767;
    return status;
}

static int init_mpi(char *why)
{
    int level, code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
    if (code != MPI_SUCCESS) {
        say_why(why, "MPI_Init_thread", code);
        return DAL_ERR_NODE;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (level >= MPI_THREAD_SERIALIZED)
        return DAL_OK;
    snprintf(why, sizeof(((struct dal_link *)NULL)->why), "this MPI has no MPI_THREAD_SERIALIZED");
    MPI_Finalize();
    return DAL_ERR_UNSUPPORTED;
}

static int close_mpi(struct dal_link *link, int orderly)
{
    struct mpi_link *mpi = of(link);
    int status = orderly ? CALL(mpi, MPI_Finalize, ()) : DAL_OK;
    free(mpi->pending);
    free(mpi);
    return status;
}

static int open_mpi(struct dal_link **link, char *why)
{
    struct mpi_link *mpi = calloc(1, sizeof(*mpi));
    int status = mpi ? init_mpi(why) : DAL_ERR_NOMEM;
    *link = NULL;
    if (status == DAL_OK) {
        status = learn_ranks(mpi);
        if (status == DAL_OK) {
            set_fault(mpi);
            *link = &mpi->link;
            return DAL_OK;
        }
        memcpy(why, mpi->link.why, sizeof(mpi->link.why));
    }
    free(mpi);
    return status;
}

/* Adds an entry for a transfer, or returns NULL without memory. */
static struct pending *add_pending(struct mpi_link *mpi, struct dal_transfer *transfer)
{
    if (mpi->count == mpi->room) {
        size_t room = mpi->room ? 2 * mpi->room : 16;
        struct pending *more = realloc(mpi->pending, room * sizeof(*more));
        if (!more) {
            snprintf(mpi->link.why, sizeof(mpi->link.why), "no memory for a message");
            return NULL;
        }
        mpi->pending = more;
        mpi->room = room;
    }
    transfer->done = 0;
    mpi->pending[mpi->count] = (struct pending){MPI_REQUEST_NULL, transfer};
    return &mpi->pending[mpi->count];
}

static int is_too_large(struct mpi_link *mpi, size_t bytes, int tag)
{
    if (bytes <= INT_MAX && tag <= mpi->most_tag)
        return 0;
    snprintf(mpi->link.why, sizeof(mpi->link.why), "a message of %zu bytes with tag %d", bytes,
             tag);
    return 1;
}

static int send_mpi(struct dal_link *link, int rank, int tag, const void *bytes, size_t count,
                    struct dal_transfer *transfer)
{
    struct mpi_link *mpi = of(link);
    struct pending *pending;
    int status;
    if (is_too_large(mpi, count, tag))
        return DAL_ERR_LIMIT;
    pending = add_pending(mpi, transfer);
    if (!pending)
        return DAL_ERR_NOMEM;
    status = CALL(mpi, MPI_Isend,
                  (bytes, (int)count, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &pending->request));
    mpi->count += status == DAL_OK;
    return status;
}

/* Tests all transfers. The last entry takes the place of one that is done. */
static int test_pending(struct mpi_link *mpi)
{
    size_t i = 0;
    while (i < mpi->count) {
        int done = 0;
        int status = CALL(mpi, MPI_Test, (&mpi->pending[i].request, &done, MPI_STATUS_IGNORE));
        if (status < 0)
            return status;
        if (!done) {
            i++;
            continue;
        }
        mpi->pending[i].transfer->done = 1;
        mpi->pending[i] = mpi->pending[--mpi->count];
    }
    return DAL_OK;
}

static int poll_mpi(struct dal_link *link, struct dal_message *message)
{
    struct mpi_link *mpi = of(link);
    int found = 0, bytes = 0, status = test_pending(mpi);
    MPI_Message handle;
    MPI_Status about;
    if (status < 0 || !message)
        return status;
    status = CALL(mpi, MPI_Improbe,
                  (MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &handle, &about));
    if (status < 0 || !found)
        return status;
    status = CALL(mpi, MPI_Get_count, (&about, MPI_BYTE, &bytes));
    *message = (struct dal_message){
        .from = about.MPI_SOURCE, .tag = about.MPI_TAG, .bytes = (size_t)bytes};
    memcpy(&message->handle, &handle, sizeof(handle));
    return status < 0 ? status : 1;
}

static int receive_mpi(struct dal_link *link, const struct dal_message *message, void *to,
                       struct dal_transfer *transfer)
{
    struct mpi_link *mpi = of(link);
    struct pending *pending = add_pending(mpi, transfer);
    MPI_Message handle;
    int status;
    if (!pending)
        return DAL_ERR_NOMEM;
    memcpy(&handle, &message->handle, sizeof(handle));
    status = CALL(mpi, MPI_Imrecv, (to, (int)message->bytes, MPI_BYTE, &handle, &pending->request));
    mpi->count += status == DAL_OK;
    return status;
}

const struct dal_transport dal_transport_mpi = {.name = "MPI",
                                                .launcher = "mpirun -n",
                                                .open = open_mpi,
                                                .send = send_mpi,
                                                .poll = poll_mpi,
                                                .receive = receive_mpi,
                                                .close = close_mpi};
