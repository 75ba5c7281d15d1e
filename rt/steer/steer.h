/*
 * Who changes live parameters (rt/host/changes.h) of a running network:
 *
 *     DAL_VIEW            the page (live.h)
 *     DAL_CONTROL=PATH    a socket that takes a line "PROCESS.PARAMETER=VALUE" and answers with one
 *                         that begins with "ok: " or "error: " (control_socket.c)
 *     DAL_REPLAY=FILE     what another run has written with DAL_RECORD=FILE: lines of a firing and
 *                         what is changed from it on, "120 PROCESS.PARAMETER=VALUE"
 */
#ifndef DAL_RT_STEER_STEER_H
#define DAL_RT_STEER_STEER_H

#include <stddef.h>

struct dal_network;

/* Before the first firing. DAL_OK or a negative code, logged; it is stopped either way. */
int dal__steer_start(struct dal_network *network);
/* Behind the last firing. DAL_OK, or DAL_ERR_IO, logged: the record could not be written. */
int dal__steer_stop(struct dal_network *network);

/* A change that is wanted soon. What becomes of it, or what is wrong, goes to `answer`, as one line
 * without its end. DAL_OK or DAL_ERR_INVALID. Any thread. */
int dal__steer_set(const struct dal_network *network, const char *process, const char *parameter,
                   const char *value, char *answer, size_t bytes);
/* The same of a line "PROCESS.PARAMETER=VALUE". */
int dal__steer_line(const struct dal_network *network, const char *line, char *answer,
                    size_t bytes);

/* ---- control_socket.c ------------------------------------------------------------------------ */

struct dal_control_socket;
/* DAL_OK or a negative code, logged, with NULL. */
int dal__control_socket_open(struct dal_control_socket **opened, const struct dal_network *network,
                             const char *path);
/* Accepts NULL. */
void dal__control_socket_close(struct dal_control_socket *socket);

#endif
