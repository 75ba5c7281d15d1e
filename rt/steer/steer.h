/*
 * Live parameters (rt/host/changes.h) of a running network are changed by:
 *
 *     DAL_VIEW            the page (live.h)
 *     DAL_CONTROL=PATH    a socket that takes a line "PROCESS.PARAMETER=VALUE" and answers with one
 *                         that begins with "ok: " or "error: " (control_socket.c)
 *     DAL_REPLAY=FILE     a file that another run has written with DAL_RECORD=FILE: lines of a
 *                         firing and the change from it on, "120 PROCESS.PARAMETER=VALUE"
 */
#ifndef DAL_RT_STEER_STEER_H
#define DAL_RT_STEER_STEER_H

#include <stddef.h>

struct dal_network;

/* Starts them before the first firing. Returns DAL_OK or a negative code, logged; the caller stops
 * them either way. */
int dal__steer_start(struct dal_network *network);
/* Stops them after the last firing. Returns DAL_OK, or DAL_ERR_IO, logged, if the record could not
 * be written. */
int dal__steer_stop(struct dal_network *network);

/* Requests a change soon. `answer` becomes one line, without its end, about the result. Returns
 * DAL_OK or DAL_ERR_INVALID. Any thread. */
int dal__steer_set(const struct dal_network *network, const char *process, const char *parameter,
                   const char *value, char *answer, size_t bytes);
/* Requests the change of a line "PROCESS.PARAMETER=VALUE" in the same way. */
int dal__steer_line(const struct dal_network *network, const char *line, char *answer,
                    size_t bytes);

/* ---- control_socket.c ------------------------------------------------------------------------ */

struct dal_control_socket;
/* Opens the socket. Returns DAL_OK, or a negative code, logged, with *opened NULL. */
int dal__control_socket_open(struct dal_control_socket **opened, const struct dal_network *network,
                             const char *path);
/* Accepts NULL. */
void dal__control_socket_close(struct dal_control_socket *socket);

#endif
