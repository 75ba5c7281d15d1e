/*
 * JSON (RFC 8259), read from front to back: the caller says what must come next. What is wrong is
 * said once, under a code, in its line; after that nothing is read any more, and
 * `wrong` is set. One thread.
 */
#ifndef DAL_SPEC_READ_JSON_H
#define DAL_SPEC_READ_JSON_H

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

/* For objects ('{') and arrays ('['): must one begin here? Then, with *count 0 at first: is there
 * another member, and not the end? */
void dal_json_begin(struct dal_json *json, char bracket, const char *what);
int dal_json_next(struct dal_json *json, char bracket, int *count);

/* A string of at most room - 1 bytes; `what` it is, for messages. A zero byte is refused. */
void dal_json_string(struct dal_json *json, char *text, size_t room, const char *what);
/* A member's name, with its colon. One that is longer than the room is cut. */
void dal_json_name(struct dal_json *json, char *text, size_t room);
/* A number from least to most. */
double dal_json_number(struct dal_json *json, double least, double most, const char *what);
/* Any value, which is not looked at. */
void dal_json_skip(struct dal_json *json);

#endif
