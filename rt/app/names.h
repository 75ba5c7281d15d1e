/* How a program is called in messages. */
#ifndef DAL_RT_APP_NAMES_H
#define DAL_RT_APP_NAMES_H

/* The path without its folders. */
const char *dal_program_base(const char *path);

/* Messages name the node, too, from here on: "PROGRAM[NODE]". Returns that name, to be given back
 * after another one was set, or NULL: then they do not. */
char *dal_program_on(const char *path, const char *node);

#endif
