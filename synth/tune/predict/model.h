/*
 * A plan as simulate.h sees it. An actor is a group of processes that fire in turn on a core, or
 * are launched as one; or a transfer of a channel's tokens to another memory or node. A server is a
 * processor, or one direction of a device's or node's transfers.
 */
#pragma once

#include "synth/tune/predict/predict.h"
#include "synth/tune/predict/simulate.h"

struct dal_model {
    const struct dal_plan *plan;
    struct dal_sdf_graph graph; /* its processes are the actors */
    struct dal_sim_actor *actors;
    size_t *actor_of;              /* by process number */
    struct dal_spread *spreads;    /* by actor */
    struct dal_spec_curve *curves; /* of actors on devices, a list */
    double *time_of;               /* by process number: ns of a firing */
    uint64_t *round_of;            /* by process number: firings of it in one of its actor */
    size_t *first_of;   /* by channel number: its first one here, or SIZE_MAX inside an actor */
    size_t *count_of;   /* by channel number: how many it is here */
    size_t *servers;    /* the lists of all actors */
    size_t server_room; /* entries in use */
    size_t server_count;
    double *wakes;              /* by server, as dal_sim's */
    struct dal_sim_ring *rings; /* by channel of the graph, as dal_sim's */
    double **takes; /* by processor: dal_sim_actor's, of a device that is made of cores; or NULL */
    double *alone;  /* by processor: the part of its cores that one thread of such a device takes */
};

/* Needs the times of all processes. Returns DAL_OK or DAL_ERR_NOMEM; dal_model_finish() on both. */
int dal_model_make(struct dal_model *model, const struct dal_plan *plan);
/* Fills in takes. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__model_takes(struct dal_model *model);
/* Limits the firings of activations on cores, once actors are there. Returns DAL_OK or
 * DAL_ERR_NOMEM. */
int dal__model_paces(struct dal_model *model);
/* Gives actors on devices their curves, as far as they were measured. Returns DAL_OK or
 * DAL_ERR_NOMEM; the curves are freed on both. */
int dal__model_curves(struct dal_model *model);
/* Fills in rings, once the graph has its channels. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__model_rings(struct dal_model *model);
/* Fills in all but paths and events. */
void dal_model_sim(const struct dal_model *model, struct dal_sim *sim);
void dal_model_finish(struct dal_model *model);

/* The measured ns of one firing of a process where it is bound, the mean; < 0 where nobody has
 * measured. */
double dal_model_time(const struct dal_plan_process *p);
/* The same on a device, in launches of the sizes that a run had. < 0 where these or the curve are
 * not known. */
double dal_model_launched(const struct dal_plan *plan, const struct dal_plan_process *p,
                          const struct dal_spec_curve *launches);
