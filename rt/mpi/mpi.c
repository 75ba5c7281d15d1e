/*
 * The transport on MPI (MPI 3.1): libdal-mpi, the one part that calls MPI. It finds messages with
 * MPI_Improbe, so that their bytes go to where the caller wants them.
 *
 * Each link is a communicator. Only MPI_Init_thread, MPI_Comm_free and MPI_Finalize wait here: all
 * ranks meet there. Each poll tests what is under way, in turn.
 *
 * Threads that use several links take turns (MPI_THREAD_SERIALIZED): `lock` is held during each
 * operation.
 *
 * In a checking build DAL_MPI_FAIL=N makes the N-th call of one rank fail, for tests.
 * DAL_MPI_FAIL_RANK names the rank (0 if not given).
 */
#include "rt/base/error.h"
#include "rt/nodes/transport.h"

#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
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
    MPI_Comm comm;
    struct pending *pending;
    size_t count, room;      /* entries in use, and allocated */
    struct mpi_link *copies; /* the next copy of the opened link */
};

/* The state of all links, with `lock`. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int most_tag;
static int is_lost; /* True once bytes under way may be gone: MPI is not called any more. */
static unsigned long calls, fail_at;

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

static int check_call(struct mpi_link *mpi, const char *call, int code)
{
    if (code == MPI_SUCCESS)
        return DAL_OK;
    say_why(mpi->link.why, call, code);
    return DAL_ERR_NODE;
}

/* Returns DAL_OK, or a negative code with the reason in the link. */
#define CALL(mpi, function, arguments)                                                             \
    check_call(mpi, #function, ++calls == fail_at ? MPI_ERR_OTHER : function arguments)

static void set_fault(struct mpi_link *mpi)
{
#ifdef DAL_CHECKING
    const char *fail = getenv("DAL_MPI_FAIL"), *rank = getenv("DAL_MPI_FAIL_RANK");
    if (fail && mpi->link.rank == (rank ? atoi(rank) : 0))
        fail_at = strtoul(fail, NULL, 10);
#else
    (void)mpi;
#endif
}

static int learn_ranks(struct mpi_link *mpi)
{
    void *most;
    int found = 0, status = CALL(mpi, MPI_Comm_rank, (mpi->comm, &mpi->link.rank));
    if (status == DAL_OK)
        status = CALL(mpi, MPI_Comm_size, (mpi->comm, &mpi->link.count));
    if (status == DAL_OK)
        status = CALL(mpi, MPI_Comm_get_attr, (mpi->comm, MPI_TAG_UB, &most, &found));
    most_tag = found ? *(int *)most : 32767;
    return status;
}

/* Handlers of MPI for what a process does wrong do not stay: they would end the program before its
 * report is written (rt/base/fault.h). */
static int call_init(int *level)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    enum { FAULTS = sizeof(faults) / sizeof(faults[0]) };
    struct sigaction before[FAULTS];
    int code;
    for (int i = 0; i < FAULTS; i++)
        sigaction(faults[i], NULL, &before[i]);
    code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, level);
    for (int i = 0; i < FAULTS; i++)
        sigaction(faults[i], &before[i], NULL);
    return code;
}

static int init_mpi(char *why)
{
    int level, code = call_init(&level);
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

static void free_link(struct mpi_link *mpi)
{
    free(mpi->pending);
    free(mpi);
}

static int close_all(struct mpi_link *mpi)
{
    int status = DAL_OK;
    while (mpi->copies) {
        struct mpi_link *copy = mpi->copies;
        if (!is_lost && status == DAL_OK)
            status = CALL(mpi, MPI_Comm_free, (&copy->comm));
        mpi->copies = copy->copies;
        free_link(copy);
    }
    if (!is_lost && status == DAL_OK)
        status = CALL(mpi, MPI_Finalize, ());
    free_link(mpi);
    return status;
}

static int close_mpi(struct dal_link *link, int orderly)
{
    struct mpi_link *mpi = of(link);
    int status;
    pthread_mutex_lock(&lock);
    is_lost |= !orderly;
    status = mpi->comm == MPI_COMM_WORLD ? close_all(mpi) : DAL_OK;
    pthread_mutex_unlock(&lock);
    return status;
}

static int open_mpi(struct dal_link **link, char *why)
{
    struct mpi_link *mpi = calloc(1, sizeof(*mpi));
    int status = DAL_ERR_NOMEM;
    *link = NULL;
    if (mpi)
        status = init_mpi(why);
    else
        snprintf(why, sizeof(mpi->link.why), "no memory");
    if (status == DAL_OK) {
        mpi->link.transport = &dal_transport_mpi;
        mpi->comm = MPI_COMM_WORLD;
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

/* ---- what is under way ----------------------------------------------------------------------- */

/* Begins an operation, which end_operation() ends. */
static int begin_operation(struct mpi_link *mpi)
{
    pthread_mutex_lock(&lock);
    if (!is_lost)
        return DAL_OK;
    snprintf(mpi->link.why, sizeof(mpi->link.why), "the link was lost for another application");
    return DAL_ERR_NODE;
}

static int end_operation(int status)
{
    pthread_mutex_unlock(&lock);
    return status;
}

static int lack_memory(struct mpi_link *mpi)
{
    snprintf(mpi->link.why, sizeof(mpi->link.why), "no memory for a message");
    return DAL_ERR_NOMEM;
}

/* Begins an operation with a transfer: adds an entry, whose request the call sets. */
static int begin_transfer(struct mpi_link *mpi, struct dal_transfer *transfer,
                          MPI_Request **request)
{
    int status = begin_operation(mpi);
    if (status == DAL_OK && mpi->count == mpi->room) {
        size_t room = mpi->room ? 2 * mpi->room : 16;
        struct pending *more = realloc(mpi->pending, room * sizeof(*more));
        if (!more)
            return lack_memory(mpi);
        mpi->pending = more;
        mpi->room = room;
    }
    if (status < 0)
        return status;
    transfer->done = 0;
    mpi->pending[mpi->count] = (struct pending){MPI_REQUEST_NULL, transfer};
    *request = &mpi->pending[mpi->count].request;
    return DAL_OK;
}

/* Keeps the entry if the call has succeeded. */
static int end_transfer(struct mpi_link *mpi, int status)
{
    mpi->count += status == DAL_OK;
    return end_operation(status);
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

static int find_message(struct mpi_link *mpi, struct dal_message *message)
{
    int found = 0, bytes = 0, status;
    MPI_Message handle;
    MPI_Status about;
    status =
        CALL(mpi, MPI_Improbe, (MPI_ANY_SOURCE, MPI_ANY_TAG, mpi->comm, &found, &handle, &about));
    if (status < 0 || !found)
        return status;
    status = CALL(mpi, MPI_Get_count, (&about, MPI_BYTE, &bytes));
    *message = (struct dal_message){
        .from = about.MPI_SOURCE, .tag = about.MPI_TAG, .bytes = (size_t)bytes};
    memcpy(&message->handle, &handle, sizeof(handle));
    return status < 0 ? status : 1;
}

static int check_size(struct mpi_link *mpi, size_t bytes, int tag)
{
    if (bytes <= INT_MAX && tag <= most_tag)
        return DAL_OK;
    snprintf(mpi->link.why, sizeof(mpi->link.why), "a message of %zu bytes with tag %d", bytes,
             tag);
    return DAL_ERR_LIMIT;
}

/* ---- the operations -------------------------------------------------------------------------- */

static struct dal_link *add_copy(struct mpi_link *mpi, struct mpi_link *copy, int number)
{
    copy->link = (struct dal_link){.transport = &dal_transport_mpi,
                                   .rank = mpi->link.rank,
                                   .count = mpi->link.count,
                                   .number = number};
    copy->copies = mpi->copies;
    mpi->copies = copy;
    return &copy->link;
}

static int duplicate_mpi(struct dal_link *link, int number, struct dal_link **result,
                         struct dal_transfer *transfer)
{
    struct mpi_link *mpi = of(link), *copy = calloc(1, sizeof(*copy));
    MPI_Request *request;
    int status = begin_transfer(mpi, transfer, &request);
    if (status == DAL_OK)
        status =
            copy ? CALL(mpi, MPI_Comm_idup, (mpi->comm, &copy->comm, request)) : lack_memory(mpi);
    if (status == DAL_OK)
        *result = add_copy(mpi, copy, number);
    else
        free(copy);
    return end_transfer(mpi, status);
}

static int send_mpi(struct dal_link *link, int rank, int tag, const void *bytes, size_t count,
                    struct dal_transfer *transfer)
{
    struct mpi_link *mpi = of(link);
    MPI_Request *request;
    int status = begin_transfer(mpi, transfer, &request);
    if (status == DAL_OK)
        status = check_size(mpi, count, tag);
    if (status == DAL_OK)
        status = CALL(mpi, MPI_Isend, (bytes, (int)count, MPI_BYTE, rank, tag, mpi->comm, request));
    return end_transfer(mpi, status);
}

static int poll_mpi(struct dal_link *link, struct dal_message *message)
{
    struct mpi_link *mpi = of(link);
    int status = begin_operation(mpi);
    if (status == DAL_OK)
        status = test_pending(mpi);
    if (status == DAL_OK && message)
        status = find_message(mpi, message);
    return end_operation(status);
}

static int receive_mpi(struct dal_link *link, const struct dal_message *message, void *to,
                       struct dal_transfer *transfer)
{
    struct mpi_link *mpi = of(link);
    MPI_Request *request;
    MPI_Message handle;
    int status = begin_transfer(mpi, transfer, &request);
    memcpy(&handle, &message->handle, sizeof(handle));
    if (status == DAL_OK)
        status = CALL(mpi, MPI_Imrecv, (to, (int)message->bytes, MPI_BYTE, &handle, request));
    return end_transfer(mpi, status);
}

const struct dal_transport dal_transport_mpi = {.name = "MPI",
                                                .launcher = "mpirun -n",
                                                .most_bytes = INT_MAX,
                                                .open = open_mpi,
                                                .duplicate = duplicate_mpi,
                                                .send = send_mpi,
                                                .poll = poll_mpi,
                                                .receive = receive_mpi,
                                                .close = close_mpi};
