/*
 * Messages of the Language Server Protocol: JSON-RPC behind headers. What a message has is read
 * into one structure, whatever its method; members that are not in it are passed over. One thread.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* A message has no more bytes, and its headers neither. */
enum { DAL_LSP_MOST = 64 << 20, DAL_LSP_MOST_HEADERS = 4096 };
enum { DAL_LSP_URI = 8192, DAL_LSP_NAME = 128 };

/* Bytes that have come, and not been taken yet. Starts zeroed. */
struct dal_lsp_input {
    char *data;
    size_t length, room, taken;
};

void dal_lsp_input_finish(struct dal_lsp_input *input);

/* Reads once from standard input. Returns 1, 0 at its end, or a negative code. */
int dal_lsp_read(struct dal_lsp_input *input);

/* Takes the next whole message. Returns 1 with it in `body`, which is valid until the next call of
 * dal_lsp_read(); 0 while it is not whole; DAL_ERR_INVALID when it is none, or too long. */
int dal_lsp_next(struct dal_lsp_input *input, const char **body, size_t *bytes);

/* A part of a message as it came. */
struct dal_lsp_span {
    const char *at, *end;
};

struct dal_lsp_message {
    struct dal_lsp_span id, params; /* empty when they are missing */
    char method[DAL_LSP_NAME];      /* empty: an answer */
};

struct dal_lsp_params {
    char uri[DAL_LSP_URI];
    char *text; /* of a document; owned */
    double line, character;
    char command[DAL_LSP_NAME];
    char arguments[2][DAL_LSP_URI];
};

/* Reads a message, and its parameters. Return DAL_OK, or DAL_ERR_INVALID with the reason in `why`.
 * The parameters are finished in any case. */
int dal_lsp_message(struct dal_lsp_message *message, const char *body, size_t bytes, char why[256]);
int dal_lsp_params(struct dal_lsp_params *params, struct dal_lsp_span of, char why[256]);
void dal_lsp_params_finish(struct dal_lsp_params *params);

struct dal_memory_stream;
/* Closes a stream, and sends its text as a message on standard output. DAL_OK or a code, logged. */
int dal_lsp_send(struct dal_memory_stream *stream);
