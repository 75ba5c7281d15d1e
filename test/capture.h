/* What a function writes to standard error, to look at. One at a time, one thread. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct capture {
    FILE *file;
    int saved;
    char *text;
};

/* From here on, standard error goes to a temporary file. 0, or -1 when that is not possible. */
static inline int capture_begin(struct capture *capture)
{
    *capture = (struct capture){.saved = -1};
    capture->file = tmpfile();
    fflush(stderr);
    capture->saved = dup(STDERR_FILENO);
    if (!capture->file || capture->saved < 0)
        return -1;
    return dup2(fileno(capture->file), STDERR_FILENO) < 0 ? -1 : 0;
}

/* Puts standard error back and returns what was written, valid until capture_finish(). */
static inline const char *capture_end(struct capture *capture)
{
    long bytes;
    size_t read = 0;
    fflush(stderr);
    dup2(capture->saved, STDERR_FILENO);
    fseek(capture->file, 0, SEEK_END);
    bytes = ftell(capture->file);
    rewind(capture->file);
    capture->text = calloc(1, bytes > 0 ? (size_t)bytes + 1 : 1);
    if (!capture->text)
        return "";
    if (bytes > 0)
        read = fread(capture->text, 1, (size_t)bytes, capture->file);
    capture->text[read] = '\0';
    return capture->text;
}

static inline void capture_finish(struct capture *capture)
{
    free(capture->text);
    fclose(capture->file);
    close(capture->saved);
}
