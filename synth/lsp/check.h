/*
 * The check of all that is open, in a process of its own: whatever happens there, the server goes
 * on. It sees the texts of the documents in place of the files. One thread.
 */
#pragma once

#include "rt/base/child.h"
#include "spec/base/text.h"
#include "synth/lsp/documents.h"

/* It takes no longer. */
enum { DAL_LSP_CHECK_SECONDS = 60 };

/* What a check has told; starts zeroed. */
struct dal_lsp_check {
    struct dal_child child;
    struct dal_started started;
    int runs;
    char *output; /* of the check that runs, as far as it has come */
    size_t length, room;
    char *told; /* the output of the last one that has ended; or NULL */
    size_t told_length;
    int was_right;             /* that one found no errors in the files of XML */
    int is_right;              /* the one that runs has found none, and has been told so far */
    struct dal_text published; /* URIs of files that have messages at the editor: a list */
};

void dal_lsp_check_finish(struct dal_lsp_check *check);

/* Ends the check that runs, if one does, and starts another. DAL_OK or a code. */
int dal_lsp_check_start(struct dal_lsp_check *check, const struct dal_lsp_documents *documents);

/* Reads what has come. At the end of the check it sends what is new to the editor. DAL_OK or a
 * code. */
int dal_lsp_check_read(struct dal_lsp_check *check);

/* Ends a check that takes too long, and tells so. */
int dal_lsp_check_limit(struct dal_lsp_check *check);

/* A record of the output: a line "KIND LENGTH NAME", then so many bytes of text. */
struct dal_lsp_record {
    const char *name, *text;
    size_t name_length, length;
};
/* Finds the next whole record of a kind from an offset on, which moves behind it. Output may be
 * NULL, with no length.
 *     P URI   messages of a file, in JSON
 *     Q       the files of XML have no errors, and what comes is from the beginning again
 *     X PATH  what is planned for a network (dal_explain_tables()) */
int dal_lsp_record_next(const char *output, size_t length, size_t *at, char kind,
                        struct dal_lsp_record *record);

/* The check itself, in its process: prints the records. Returns an exit status. */
int dal_lsp_check_run(const void *documents);
