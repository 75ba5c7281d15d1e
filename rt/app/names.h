/* Names of the program in messages. */
#pragma once

/* Returns the path without its folders. */
const char *dal_program_base(const char *path);

/* Makes messages name the node from here on: "PROGRAM[NODE]". Returns that name; the caller frees
 * it after another one was set. NULL: no memory, and messages stay as they are. */
char *dal_program_on(const char *path, const char *node);
