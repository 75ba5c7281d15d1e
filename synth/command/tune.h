/* A search for a mapping when nothing but the network is given: of this machine, by runs. */
#pragma once

#include "synth/command/request.h"

/* Names in the folder that it fills, which the program's folder gets too. */
#define DAL_TUNE_ARCHITECTURE "architecture.xml"
#define DAL_TUNE_MAPPING      "mapping.xml"
#define DAL_TUNE_TIMES        "times.json"
#define DAL_TUNE_PAGE         "tuned.html"

/*
 * Measures this machine, times the network's processes by runs, and runs the best mappings. The
 * disk cache (rt/base/cache.h) keeps what was measured, and the times. Writes all of these files
 * into the folder. The page may be missing, with a warning. Takes as long as --time-limit says, but
 * no build is cut short. Returns what dal_map() returns; DAL_ERR_INTERRUPTED if a signal comes
 * before any mapping is known, or a second one while the page is drawn: *mapped is there then. Call
 * it after dal_child_guard() and dal_build_environment().
 */
int dal_tune(struct dal_diags *diags, const struct dal_request *request, const char *folder,
             struct dal_mapped *mapped);

/* Returns the network of the folder that 'dal new' has made and that is the working folder. The
 * caller frees it; NULL, logged, without one. */
char *dal_tune_network(void);
