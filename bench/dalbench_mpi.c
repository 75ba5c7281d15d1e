/*
 * dalbench_mpi measures MPI by itself, for the experiment `nodes` (bench/dalbench_nodes.c).
 *
 *     mpirun -n 2 dalbench_mpi stream BYTES BATCH MESSAGES     rank 0 sends to rank 1
 *     mpirun -n 2 dalbench_mpi both BYTES BATCH MESSAGES       and rank 1 to rank 0, at once
 *     mpirun -n 2 dalbench_mpi ping BYTES TOKENS               one message, there and back
 *
 * A message has BATCH tokens of BYTES. Tokens are written and read as by the processes of
 * apps/synthetic/nodes.xml; several messages are under way. Prints the same as those processes.
 */
#include "pass.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 8 };

/* The messages of one direction at one rank. */
struct stream {
    int peer;
    size_t bytes, batch; /* of a token; tokens of a message */
    long messages;
    unsigned char *buffers[WINDOW];
    MPI_Request requests[WINDOW];
    uint32_t number; /* number of the next token */
    uint64_t sum;
    double begin, end;
};

static int message_bytes(const struct stream *stream)
{
    return (int)(stream->bytes * stream->batch);
}

static void begin_stream(struct stream *stream, int receives)
{
    for (int i = 0; i < WINDOW; i++) {
        stream->buffers[i] = calloc(stream->batch, stream->bytes);
        stream->requests[i] = MPI_REQUEST_NULL;
        if (!stream->buffers[i])
            MPI_Abort(MPI_COMM_WORLD, 1);
        if (receives && i < stream->messages)
            MPI_Irecv(stream->buffers[i], message_bytes(stream), MPI_BYTE, stream->peer, 0,
                      MPI_COMM_WORLD, &stream->requests[i]);
    }
}

static void end_stream(struct stream *stream)
{
    MPI_Waitall(WINDOW, stream->requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < WINDOW; i++)
        free(stream->buffers[i]);
}

static void send_next(struct stream *stream, long message)
{
    int slot = (int)(message % WINDOW);
    MPI_Wait(&stream->requests[slot], MPI_STATUS_IGNORE);
    for (size_t i = 0; i < stream->batch; i++, stream->number++)
        memcpy(stream->buffers[slot] + i * stream->bytes, &stream->number, sizeof(uint32_t));
    MPI_Isend(stream->buffers[slot], message_bytes(stream), MPI_BYTE, stream->peer, 0,
              MPI_COMM_WORLD, &stream->requests[slot]);
}

static void receive_next(struct stream *stream, long message)
{
    int slot = (int)(message % WINDOW);
    MPI_Wait(&stream->requests[slot], MPI_STATUS_IGNORE);
    if (message == 0)
        stream->begin = MPI_Wtime();
    for (size_t i = 0; i < stream->batch; i++)
        stream->sum += pass_sink(stream->buffers[slot] + i * stream->bytes, stream->bytes);
    if (message + WINDOW < stream->messages)
        MPI_Irecv(stream->buffers[slot], message_bytes(stream), MPI_BYTE, stream->peer, 0,
                  MPI_COMM_WORLD, &stream->requests[slot]);
    stream->end = MPI_Wtime();
}

static void print_result(long tokens, double seconds, uint64_t sum)
{
    printf("tokens %ld ns %.0f sum %016llx\n", tokens, 1e9 * seconds, (unsigned long long)sum);
}

static void run_streams(int rank, int both, size_t bytes, size_t batch, long messages)
{
    struct stream out = {.peer = 1 - rank, .bytes = bytes, .batch = batch, .messages = messages};
    struct stream in = out;
    int sends = both || rank == 0, receives = both || rank == 1;
    begin_stream(&out, 0);
    begin_stream(&in, receives);
    MPI_Barrier(MPI_COMM_WORLD);
    for (long i = 0; i < messages; i++) {
        if (sends)
            send_next(&out, i);
        if (receives)
            receive_next(&in, i);
    }
    end_stream(&out);
    end_stream(&in);
    if (receives)
        print_result(messages * (long)batch, in.end - in.begin, in.sum);
}

static void run_ping(int rank, size_t bytes, long tokens)
{
    unsigned char *buffer = calloc(1, bytes);
    double begin = 0;
    for (long i = 0; buffer && i < tokens; i++) {
        if (i == tokens / 10)
            begin = MPI_Wtime();
        if (rank == 0)
            MPI_Send(buffer, (int)bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, (int)bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(buffer, (int)bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        print_result(tokens - tokens / 10, MPI_Wtime() - begin, 0);
    free(buffer);
}

int main(int argc, char **argv)
{
    int rank, count;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    if (count == 2 && argc == 4 && strcmp(argv[1], "ping") == 0)
        run_ping(rank, strtoul(argv[2], NULL, 10), strtol(argv[3], NULL, 10));
    else if (count == 2 && argc == 5)
        run_streams(rank, strcmp(argv[1], "both") == 0, strtoul(argv[2], NULL, 10),
                    strtoul(argv[3], NULL, 10), strtol(argv[4], NULL, 10));
    else
        fprintf(stderr, "dalbench_mpi is run by dalbench\n");
    MPI_Finalize();
    return 0;
}
