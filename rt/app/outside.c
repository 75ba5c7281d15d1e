#include "rt/app/outside.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static size_t count_options(const struct option *options)
{
    size_t count = 0;
    while (options[count].name)
        count++;
    return count;
}

int dal_outside_begin(struct dal_outside *outside, const struct dal_net *net,
                      const struct option *options)
{
    size_t count = count_options(options), processes = net ? (size_t)net->process_count : 0;
    outside->options = dal_calloc(count + processes + 1, sizeof(*options));
    outside->files = dal_calloc(processes + 1, sizeof(*outside->files));
    if (!outside->options || !outside->files)
        return dal_no_memory();
    memcpy(outside->options, options, count * sizeof(*options));
    for (size_t i = 0; i < processes; i++)
        if (dal_process_is_port(&net->processes[i]))
            outside->options[count++] = (struct option){net->processes[i].name, required_argument,
                                                        NULL, DAL_OUTSIDE_FIRST + (int)i};
    return DAL_OK;
}

void dal_outside_finish(struct dal_outside *outside)
{
    dal_free(outside->options);
    dal_free(outside->files);
}

void dal_outside_print(const struct dal_net *net)
{
    int any = 0;
    for (int i = 0; i < net->process_count; i++) {
        const struct dal_open_desc *open = net->processes[i].open;
        if (!open || open->tap)
            continue;
        printf("%s  --%s=FILE  %s", any++ ? "" : "\nPorts (FILE may be -, x.npy, x.wav, raw):\n",
               net->processes[i].name, net->processes[i].ports[0].output ? "reads" : "writes");
        if (open->type && open->count > 1)
            printf(" %s[%" PRIu64 "]", open->type, open->count);
        else if (open->type)
            printf(" %s", open->type);
        printf(" tokens of %" PRIu64 " byte%s\n", open->token_bytes,
               open->token_bytes == 1 ? "" : "s");
    }
}
