/* The file of a network's tables while it is written; net.c calls the others. */
#pragma once

#include "spec/model/key.h"
#include "synth/plan/plan.h"

struct dal__net {
    const struct dal_plan *plan;
    struct dal_text *text;
    struct dal_key_maker keys;
};

void dal__net_processes(struct dal__net *w); /* net_process.c */
void dal__net_groups(struct dal__net *w);    /* net_group.c */
