/*
 * Taps, and what stands for processes that are left out: the files at the ports that --tap,
 * --replay and --only of dalsynth put into a network. DAL_TAP is the folder of what is recorded,
 * and DAL_RECORDING one of what is read. Beside each recording stands PORT.json, written last,
 * which says what it is (spec/read/recording.h). One thread.
 */
#pragma once

#include "rt/run/files.h"

struct dal_network;

/* Opens the file of one such port, files->streams[port]; none where nothing is recorded. Returns
 * DAL_OK, or a negative code, logged. */
int dal__tap_open(struct dal_files *files, int port);

/* Warns when DAL_TAP wants recordings and the whole network has no tap. */
void dal__taps_warn(const struct dal_net *net);

/* Is anything recorded? */
int dal__taps_record(const struct dal_files *files);

/* Removes recordings of earlier runs, once nothing is in the way of this one. Its own ones have
 * other names until they are closed. Returns DAL_OK, or DAL_ERR_IO, logged. */
int dal__taps_clear(const struct dal_files *files);

/* Closes the recordings, of a run that ended with this status: also of one that failed they are
 * kept, and say so. Returns DAL_OK or the first error. */
int dal__taps_close(struct dal_files *files, struct dal_network *network, int status);
