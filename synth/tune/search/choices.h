/* Makes a space (space.c), and the choices in it (choices.c). One thread. */
#pragma once

#include "synth/tune/search/space.h"

/* State that the passes over a space share. */
struct dal__making {
    struct dal_diags *diags;
    struct dal_search_space *space;
    const struct dal_search_wishes *wishes;
};

static inline struct dal_spec_process *dal__process_at(const struct dal_search_space *space,
                                                       size_t i)
{
    return &space->spec->network.processes[i];
}

static inline struct dal_spec_binding *dal__binding_at(const struct dal_search_space *space,
                                                       size_t i)
{
    return &space->spec->mapping.bindings[i];
}

static inline struct dal_search_choice *dal__choice_at(const struct dal_search_space *space,
                                                       size_t process, size_t place)
{
    return &space->choices[process * space->place_count + place];
}

/* Fills in the choices: sources, pins, then the times, if there is a file. Leaves cores free.
 * Returns DAL_OK, DAL_ERR_INVALID or DAL_ERR_NOMEM. */
int dal__make_choices(struct dal__making *m, const char *times_file);
