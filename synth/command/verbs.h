/* The verbs of dal, and the options of dal, dalsynth, dalmap and dalview, each in one table. */
#pragma once

#include "synth/command/options.h"

/* Numbers of verbs. The first is what dalsynth does unless an option says otherwise. */
enum {
    DAL_VERB_BUILD,
    DAL_VERB_RUN,
    DAL_VERB_CHECK,
    DAL_VERB_EXPLAIN,
    DAL_VERB_ANALYZE,
    DAL_VERB_MAP,
    DAL_VERB_VIEW,
    DAL_VERB_EXPAND,
    DAL_VERB_SHORTEN,
    DAL_VERB_IMPORT,
    DAL_VERB_EXPORT,
    DAL_VERB_LIST,
    DAL_VERB_DIFF,
    DAL_VERB_PARTS,
    DAL_VERB_SET,
    DAL_VERB_GET,
    DAL_VERB_INFO,
    DAL_VERB_BENCH,
    DAL_VERB_LSP,
    DAL_VERB_NEW,
    DAL_VERB_ADD,
    DAL_VERB_TUNE,
    DAL_VERBS
};

extern const struct dal_command_table dal_commands;
