/*
 * Live parameters (rt/host/changes.h) of a running network are changed by:
 *
 *     DAL_VIEW            the page (live.h)
 *     DAL_CONTROL=PATH    a socket that takes a line "PROCESS.PARAMETER=VALUE" and answers with one
 *                         that begins with "ok: " or "error: " (control_socket.c). In front of
 *                         that, "?PROCESS.PARAMETER" gives a live parameter, "?" all.
 *     DAL_REPLAY=FILE     a file that another run has written with DAL_RECORD=FILE: lines of a
 *                         firing and the change from it on, "120 PROCESS.PARAMETER=VALUE"
 */
#pragma once

#include "rt/model/network.h"

#include <stddef.h>
#include <stdio.h>

/* The record starts last, when nothing is in the way of the run: it empties the file. */
extern const struct dal_observer dal_observe_steer, dal_observe_record;

/* Requests a change soon. `answer` becomes one line, without its end, about the result. Returns
 * DAL_OK or DAL_ERR_INVALID. Any thread. */
int dal__steer_set(const struct dal_network *network, const char *process, const char *parameter,
                   const char *value, char *answer, size_t bytes);
/* Requests the change of a line "PROCESS.PARAMETER=VALUE" in the same way. */
int dal__steer_line(const struct dal_network *network, const char *line, char *answer,
                    size_t bytes);

/* Writes the live parameter of a name, "PROCESS.PARAMETER", or all for "", each as a line
 * "PROCESS.PARAMETER=VALUE (TYPE, RANGE)"; behind them "ok: ..." or, alone, "error: ...". Returns
 * as above. */
int dal__steer_print(const struct dal_network *network, const char *name, FILE *file);

/* ---- control_socket.c ------------------------------------------------------------------------ */

struct dal_control_socket;
/* Opens the socket. Returns DAL_OK, or a negative code, logged, with *opened NULL. */
int dal__control_socket_open(struct dal_control_socket **opened, const struct dal_network *network,
                             const char *path);
/* Accepts NULL. */
void dal__control_socket_close(struct dal_control_socket *socket);
