/* Cores beside devices in a binding: all cores of a node stand for the device made of them. */
#include "spec/check/mapping.h"

#include <string.h>

/* Reasons why they cannot, with a processor's name behind most of them. */
static const struct {
    const char *why;
    int parts; /* true if each core as a device of its own would help */
} reasons[] = {
    [DAL__MIX_CUDA] = {"cores take part beside devices of OPENCL, and not beside", 0},
    [DAL__MIX_NODES] = {"cores take part on one node, and of another one is", 0},
    [DAL__MIX_SOME] = {"cores take part all together, and missing is", 1},
    [DAL__MIX_TWICE] = {"leave the cores out, since all of them are", 0},
    [DAL__MIX_NO_DEVICE] =
        {"cores take part as a device that is made of them, and the architecture "
         "has none; 'dalinfo --architecture' writes it where a driver has one, "
         "as PoCL has",
         1},
};

/* Is it the device of all cores? A sub-device is of some. */
static int is_of_cores(const struct dal_spec_processor *processor)
{
    const struct dal_spec_capability *device = dal_spec_capability(processor, DAL_PROCESSOR_OPENCL);
    const char *end = device ? strrchr(device->identifier, '_') : NULL;
    return end && strncmp(device->identifier, "CPU_", 4) == 0 && strncmp(end, "_SUB", 4) != 0;
}

/* Returns the first marked processor that is a device and no core, or a core and no device. */
static const struct dal_spec_processor *find_marked(const struct dal_spec_architecture *a,
                                                    const unsigned char *marked, int device)
{
    for (size_t i = 0; i < a->processor_count; i++) {
        const struct dal_spec_processor *p = &a->processors[i];
        int is_core = dal_spec_capability(p, DAL_PROCESSOR_CORE) != NULL;
        int is_device = dal_spec_device(p) != NULL;
        if (marked[i] && is_device == device && is_core != device)
            return p;
    }
    return NULL;
}

/* Notes what a processor is for the mix. What comes first in enum dal__mix counts. */
static void look_at(struct dal__choice *choice, const struct dal_spec_processor *p, int marked)
{
    int here = dal__same_node(choice->core, p);
    enum dal__mix mix = choice->mix;
    if (dal_spec_capability(p, DAL_PROCESSOR_CORE))
        mix = marked == here ? mix : marked ? DAL__MIX_NODES : DAL__MIX_SOME;
    else if (marked && !dal_spec_capability(p, DAL_PROCESSOR_OPENCL))
        mix = DAL__MIX_CUDA;
    else if (here && is_of_cores(p))
        mix = marked ? DAL__MIX_TWICE : DAL__MIX_JOINED;
    if (mix >= choice->mix)
        return;
    choice->mix = mix;
    choice->blamed = p;
}

void dal__join_cores(const struct dal_spec_architecture *architecture, unsigned char *marked,
                     struct dal__choice *choice)
{
    size_t count = architecture->processor_count;
    choice->core = find_marked(architecture, marked, 0);
    if (!choice->core || !find_marked(architecture, marked, 1))
        return;
    choice->mix = DAL__MIX_NO_DEVICE;
    for (size_t i = 0; i < count; i++)
        look_at(choice, &architecture->processors[i], marked[i]);
    if (choice->mix != DAL__MIX_JOINED)
        return;
    for (size_t i = 0; i < count; i++)
        if (dal_spec_capability(&architecture->processors[i], DAL_PROCESSOR_CORE))
            marked[i] = 0;
    marked[choice->blamed->number] = 1;
}

/* Has a process only C to run? `source` is the one that the binding names, or NULL. */
static int is_c_alone(const struct dal_spec_process *process, const struct dal_spec_source *source)
{
    int other = 0;
    for (size_t i = 0; i < process->source_count && !source; i++)
        other |= process->sources[i].type != DAL_SOURCE_C;
    return process->kpn || (source ? source->type == DAL_SOURCE_C : !other);
}

int dal__refuse_mix(struct dal_diags *diags, const struct dal__raw_binding *binding,
                    const struct dal_spec_process *process, const struct dal_spec_source *source,
                    const struct dal__choice *choice)
{
    int c_alone = is_c_alone(process, source);
    const char *name = choice->blamed && !c_alone ? choice->blamed->name : NULL;
    if (choice->mix == DAL__NOT_MIXED || (choice->mix == DAL__MIX_JOINED && !c_alone))
        return 0;
    dal_error(diags, binding->place, "one-device",
              "binding '%s': process '%s' is bound to devices and to cores ('%s'); %s%s%s%s",
              binding->name, process->name, choice->core->name,
              c_alone ? "it has one form wherever it runs, and devices run no C"
                      : reasons[choice->mix].why,
              name ? " '" : "", name ? name : "", name ? "'" : "");
    if (!c_alone && reasons[choice->mix].parts)
        dal_note(diags, choice->core->place,
                 "'dalinfo --architecture --opencl-on-cores' makes each core a device by itself");
    return 1;
}

void dal__remark_mix(struct dal_diags *diags, const struct dal__raw_binding *binding,
                     struct dal__choice *choice)
{
    if (choice->mix == DAL__MIX_JOINED && !choice->told)
        dal_remark(diags, binding->place, "cores-device",
                   "binding '%s': its cores take part as device '%s', which is made of them",
                   binding->name, choice->blamed->name);
    choice->told = 1;
}
