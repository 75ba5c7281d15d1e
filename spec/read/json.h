/*
 * Reads JSON (RFC 8259) from front to back: the caller says what must come next. The first error is
 * reported, under a code, in its line. Then `wrong` is set, and nothing is read any more. One
 * thread.
 */
#pragma once

#include "spec/base/diag.h"

struct dal_json {
    struct dal_diags *diags;
    const char *code;            /* of what is wrong; NULL: "bad-times" */
    struct dal_spec_place place; /* of what is being read */
    const char *at, *end;
    int wrong;
};

void dal_json_refuse(struct dal_json *json, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void dal_json_skip_space(struct dal_json *json);
/* Takes a character if it comes next. */
int dal_json_take(struct dal_json *json, char c);

/* Reads objects ('{') and arrays ('['). dal_json_begin() refuses a value that does not begin with
 * the bracket. dal_json_next() returns whether another member follows; *count is 0 at first. */
void dal_json_begin(struct dal_json *json, char bracket, const char *what);
int dal_json_next(struct dal_json *json, char bracket, int *count);

/* Reads a string of at most room - 1 bytes; `what` it is, for messages. A zero byte is refused. */
void dal_json_string(struct dal_json *json, char *text, size_t room, const char *what);
/* Reads a member's name, with its colon. A name that is longer than the room is cut. */
void dal_json_name(struct dal_json *json, char *text, size_t room);
/* Reads a number from least to most. */
double dal_json_number(struct dal_json *json, double least, double most, const char *what);
/* Reads an array of numbers from 0 to most, at most as many as there is room for. Returns how many;
 * 0 if something is refused. `list` may be NULL. */
size_t dal_json_numbers(struct dal_json *json, double *list, size_t room, double most,
                        const char *what);
/* Skips any value. */
void dal_json_skip(struct dal_json *json);
