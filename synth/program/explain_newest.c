#include "synth/program/explain.h"

void dal__explain_newest(const struct dal_plan *plan, FILE *out)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->channel_count; i++)
        if (plan->channels[i].kind == DAL_CHANNEL_NEWEST)
            fprintf(out,
                    count++ ? ", %s"
                            : "not deterministic, since the newest token is time's affair: %s",
                    plan->channels[i].channel->name);
    if (count)
        fputs("; DAL_RECORD and DAL_REPLAY of the program give the same bytes again\n\n", out);
}
