/*
 * Streams: what is outside of an open port of a network. The file's name says how its tokens lie
 * there:
 *
 *     -       standard input or output, raw
 *     x.npy   an array of NumPy (its format, versions 1 to 3). Its elements have the type of a
 *             token's. A row is a token, or the elements of an array of one dimension are whole
 *             tokens
 *     x.wav   samples of RIFF WAVE, integers or real. x.wav,rate=44100,channels=2 says what a new
 *             one has; usual are 48000 and 1. A token is whole frames
 *     others  raw tokens, one behind the other
 *
 * A file that is written appears when it is whole (rt/base/output.h). One thread uses a stream at a
 * time. Errors are logged where they happen, with the port's name.
 */
#pragma once

#include "include/net.h"

#include <stddef.h>

struct dal_stream;

/* Opens a stream, and reads or writes its header. `writes`: the network writes it. A file whose
 * tokens are not those of the port is refused. All arguments outlive the stream. Returns DAL_OK, or
 * a negative code, logged, with *stream NULL. */
int dal_stream_open(struct dal_stream **stream, const char *port, int writes, const char *file,
                    const struct dal_open_desc *tokens);

/* Returns how many letters of that are the file's name: ",rate=44100" is not of it. */
size_t dal_stream_name_length(const char *file);

/* What a recording is like (include/net.h, enum dal_tap). */
struct dal_tap_file {
    const char *folder;
    uint64_t most; /* RECORD: bytes of a file at most; the rest is dropped */
    uint64_t rate; /* COMPARE: tokens of a firing, for messages; 0 where there are none */
    int is_cut;    /* COMPARE: the recording ends because its readers did, so more may come */
    int goes_on;   /* that may come, for the run failed */
};

/* Opens the file of a tap. A RECORD never fails in a write: it logs what is wrong, and drops what
 * comes then. A COMPARE refuses the first other token. As dal_stream_open(). */
int dal_stream_open_tap(struct dal_stream **stream, const char *port,
                        const struct dal_open_desc *tokens, const struct dal_tap_file *tap);

/* Returns the name of its file in the folder, to be freed; or NULL, logged. */
char *dal_tap_file_name(const struct dal_open_desc *tokens);

/* What a RECORD has written so far. `offset`: of the first token in the file. */
struct dal_tap_state {
    uint64_t tokens, offset;
    int is_full, has_failed;
};
struct dal_tap_state dal_stream_tap_state(const struct dal_stream *stream);

/* Returns whether a read or write would not wait now; waits for that `wait_ms` at most. Files never
 * wait. */
int dal_stream_is_ready(const struct dal_stream *stream, int wait_ms);

/* Reads up to `bytes`. Sets *got, which is 0 at the end only. Returns DAL_OK, or DAL_ERR_IO where
 * it cannot be read, or ends within a token or before what its header says. */
int dal_stream_read(struct dal_stream *stream, void *to, size_t bytes, size_t *got);

/* Writes what it can without a wait, where the stream is ready; *put is how many bytes. Returns
 * DAL_OK, DAL_ERR_IO, or 1 if nobody reads any more: no error, and nothing more need be written. */
int dal_stream_write(struct dal_stream *stream, const void *from, size_t bytes, size_t *put);

/* Closes and frees it. `whole`: a file that was written gets its place; otherwise an older one
 * stays. Accepts NULL. Returns DAL_OK or DAL_ERR_IO. */
int dal_stream_close(struct dal_stream *stream, int whole);
