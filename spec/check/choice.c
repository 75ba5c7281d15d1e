/* Finds what a choice of processors can run, and reports its problems. */
#include "spec/check/mapping.h"

#include <stdio.h>
#include <string.h>

/* Notes that the architecture lacks devices, as files do that were made without a driver. */
static void note_devices(struct dal_diags *diags, const struct dal_spec_architecture *architecture,
                         const char *name)
{
    if (strncmp(name, "device", 6) != 0)
        return;
    for (size_t i = 0; i < architecture->processor_count; i++)
        if (dal_spec_device(&architecture->processors[i]))
            return;
    dal_note(diags, architecture->place,
             "it has no device; dalinfo tells which this machine has (PoCL makes one of its "
             "cores), and 'dalinfo --architecture' writes the file anew");
}

void dal__unknown_processor(struct dal_diags *diags,
                            const struct dal_spec_architecture *architecture,
                            const struct dal__raw *raw, const struct dal__raw_binding *binding,
                            const struct dal__raw_reference *reference)
{
    char list[400] = "";
    struct dal__hint hint;
    dal_error(diags, reference->place, "unknown-processor",
              "binding '%s': the architecture has no processor '%s'%s", binding->name,
              reference->name, dal__did_you_mean(&hint, &raw->names.processors, reference->name));
    for (size_t i = 0; i < architecture->processor_count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
                 used > 250 ? "..." : architecture->processors[i].name);
        if (used > 250)
            break;
    }
    dal_note(diags, architecture->place, "architecture '%s' has: %s", architecture->name, list);
    note_devices(diags, architecture, reference->name);
}

int dal__all_have(const struct dal__choice *choice, enum dal_processor_kind kind)
{
    for (size_t i = 0; i < choice->count; i++)
        if (!dal_spec_capability(choice->processors[i], kind))
            return 0;
    return 1;
}

enum dal_processor_kind dal__choose_capability(const struct dal__choice *choice,
                                               enum dal_spec_source_type type)
{
    enum dal_processor_kind best = DAL_PROCESSOR_CORE;
    int is_common = 0;
    if (dal_spec_runs(DAL_PROCESSOR_CORE, type) && dal__all_have(choice, DAL_PROCESSOR_CORE))
        return DAL_PROCESSOR_CORE;
    for (size_t i = choice->count; i-- > 0;)
        for (size_t k = choice->processors[i]->capability_count; k-- > 0;) {
            enum dal_processor_kind kind = choice->processors[i]->capabilities[k].kind;
            int is_of_all = dal__all_have(choice, kind);
            if (!dal_spec_is_device(kind) || !dal_spec_runs(kind, type) || is_common > is_of_all)
                continue;
            best = kind;
            is_common = is_of_all;
        }
    return best;
}

void dal__note_capabilities(struct dal_diags *diags, const struct dal_spec_processor *processor)
{
    size_t count = processor->capability_count, used = 0;
    char list[100] = "no capability";
    for (int i = 0, met = 0; i < DAL_PROCESSOR_KINDS; i++) {
        enum dal_processor_kind kind = (enum dal_processor_kind)i;
        if (!dal_spec_capability(processor, kind))
            continue;
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
                                 met == 0 ? (count > 1 ? "capabilities " : "capability ")
                                 : met + 1 == (int)count ? " and "
                                                         : ", ",
                                 dal_processor_traits(kind)->capability);
        met++;
    }
    dal_note(diags, processor->place, "processor '%s' has %s%s", processor->name, list,
             count == 1 ? " only" : "");
}

void dal__note_sources(struct dal_diags *diags, const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->source_count; i++)
        dal_note(diags, process->sources[i].place, "process '%s' has source %d of type %s",
                 process->name, process->sources[i].id, dal_spec_source_kind(&process->sources[i]));
}

struct dal_spec_source *dal__find_source(const struct dal_spec_process *process, int id)
{
    for (size_t i = 0; i < process->source_count; i++)
        if (process->sources[i].id == id)
            return &process->sources[i];
    return NULL;
}
