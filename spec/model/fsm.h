/*
 * The fourth specification: a finite state machine over several applications, each a process
 * network with its mapping on one architecture. Plain data, checked and resolved; the networks
 * themselves are loaded one by one with dal_spec_load().
 *
 * Ownership: everything hangs off struct dal_spec_fsm and is freed by dal_fsm_destroy(). Strings
 * are never NULL unless said so. Not changed after loading, so any thread may read.
 */
#pragma once

#include "rt/base/sha256.h"
#include "spec/base/diag.h"

#include <stddef.h>
#include <stdint.h>

#define DAL_FSM_NONE SIZE_MAX

struct dal_spec_fsm_application {
    char *name;
    char *network_file, *mapping_file; /* resolved against the state machine's folder */
    struct dal_spec_place place;
};

enum dal_spec_fsm_want { DAL_FSM_STOPPED, DAL_FSM_RUNNING, DAL_FSM_PAUSED };

/* One application in a state: it runs there, or is paused. */
struct dal_spec_fsm_use {
    char *name;
    enum dal_spec_fsm_want want; /* RUNNING or PAUSED */
    struct dal_spec_place place;
};

struct dal_spec_fsm_state {
    char *name;
    int initial, end;
    struct dal_spec_fsm_use *uses; /* as written */
    size_t use_count;
    enum dal_spec_fsm_want *wants; /* by application */
    struct dal_spec_place place;
};

/* An event of transitions: a process sends it, or it is the end of an application. */
struct dal_spec_fsm_event {
    char *name;
    size_t application; /* of "APPLICATION.finished"; DAL_FSM_NONE of others */
};

struct dal_spec_fsm_transition {
    char *from_name, *to_name, *event_name;
    size_t from, to, event; /* indices */
    struct dal_spec_place place;
};

struct dal_spec_fsm {
    char *name;
    const char *file;
    unsigned char digest[DAL_SHA256_BYTES]; /* of the file, as it was when it was read */
    struct dal_spec_fsm_application *applications;
    size_t application_count;
    struct dal_spec_fsm_state *states;
    size_t state_count;
    struct dal_spec_fsm_event *events; /* in the order in which transitions name them */
    size_t event_count;
    struct dal_spec_fsm_transition *transitions;
    size_t transition_count;
    size_t initial; /* state */
    struct dal_spec_place place;
};

/* Accepts NULL and half-made ones. */
void dal_fsm_destroy(struct dal_spec_fsm *fsm);
