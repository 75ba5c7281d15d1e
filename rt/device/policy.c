#include "rt/device/policy.h"

#include <stddef.h>
#include <string.h>

static const struct dal_policy *const policies[] = {&dal_policy_fcfs, &dal_policy_priority};

const struct dal_policy *dal_policy_find(const char *name)
{
    size_t i;
    for (i = 0; i < sizeof(policies) / sizeof(policies[0]); i++)
        if (strcmp(policies[i]->name, name) == 0)
            return policies[i];
    return NULL;
}
