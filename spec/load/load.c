/* Loads in two passes: reads and checks the files, then analyses whether the network can run. */
#include "spec/load/load.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "spec/check/check.h"
#include "spec/read/raw.h"

/* Most channels that are named. */
#define MAX_NOTES 16

/* Warns of channels without rates: in networks for DOL and early DAL, ends read and write any
 * number of bytes. */
static void warn_of_rates(struct dal_diags *diags, const struct dal_spec_network *network)
{
    size_t count = network->channel_count;
    for (size_t i = 0; i < count; i++) {
        const struct dal_spec_channel *c = &network->channels[i];
        if (!c->unsaid_in || !c->unsaid_out || !c->unsaid_bytes)
            return;
    }
    if (count == 0)
        return;
    dal_warning(diags, network->place, "no-rates",
                "no channel says a rate or a tokensize: each end is taken to move one token of 1 "
                "byte a firing; one that moves any number of bytes says tokenratein=\"dynamic\" or "
                "tokenrateout=\"dynamic\"");
    for (size_t i = 0; i < count && i < MAX_NOTES; i++)
        dal_note(diags, network->channels[i].place,
                 "sw_channel '%s' has no tokensize, tokenratein and tokenrateout",
                 network->channels[i].name);
    if (count > MAX_NOTES)
        dal_note(diags, network->place, "and %zu more channels", count - MAX_NOTES);
}

/* Returns whether the network is without errors and can be analysed. */
static int load_network(struct dal_diags *diags, const char *file,
                        const struct dal_spec_define *defines, size_t define_count,
                        struct dal_spec_network *network, struct dal__raw *raw)
{
    size_t errors = diags->errors;
    dal__read_network(diags, file, defines, define_count, network, raw);
    if (raw->has_network)
        dal__check_network(diags, network, raw);
    else if (raw->has_gaps)
        dal__check_elements(diags, network, raw);
    if (!raw->has_network || diags->errors > errors || diags->lost)
        return 0;
    dal_spec_check_first(diags, network);
    if (raw->unchecked || diags->errors > errors)
        return 0;
    if (dal_spec_choose_phases(network))
        dal__lost(diags);
    if (diags->lost)
        return 0;
    warn_of_rates(diags, network);
    return 1;
}

static void load_others(struct dal_diags *diags, const char *architecture_file,
                        const char *mapping_file, struct dal_spec *spec, struct dal__raw *raw)
{
    if (architecture_file)
        dal__read_architecture(diags, architecture_file, &spec->architecture, raw);
    if (raw->has_architecture)
        dal__check_architecture(diags, &spec->architecture, raw);
    if (mapping_file)
        dal__read_mapping(diags, mapping_file, raw->has_network ? &spec->network : NULL,
                          &spec->mapping, raw);
    if (raw->has_mapping && raw->has_network && !raw->made && !raw->open)
        dal__read_own_mappings(diags, &spec->network, &spec->mapping, raw);
    if (raw->has_mapping)
        dal__check_mapping(diags, spec, raw);
}

static struct dal_spec *load_spec(struct dal_diags *diags, const char *network_file,
                                  const char *architecture_file, const char *mapping_file,
                                  const struct dal_spec_define *defines, size_t define_count,
                                  struct dal__raw raw)
{
    struct dal_spec *spec = dal_calloc(1, sizeof(*spec));
    size_t errors = diags->errors;
    int is_sound;
    if (!spec) {
        dal__lost(diags);
        return NULL;
    }
    if (mapping_file && dal__read_values(mapping_file, &raw))
        dal__lost(diags);
    is_sound = load_network(diags, network_file, defines, define_count, &spec->network, &raw);
    load_others(diags, architecture_file, mapping_file, spec, &raw);
    if (is_sound && !raw.open)
        dal__check_effect_sources(diags, spec, &raw);
    dal__raw_finish(&raw);
    if (is_sound && !diags->lost)
        dal_spec_analyse(diags, spec);
    if (is_sound && !diags->lost && diags->errors == errors)
        dal__check_periods(diags, &spec->network);
    if (diags->errors == errors && !diags->lost)
        return spec;
    dal_spec_destroy(spec);
    return NULL;
}

struct dal_spec *dal_spec_load(struct dal_diags *diags, const char *network_file,
                               const char *architecture_file, const char *mapping_file,
                               const struct dal_spec_define *defines, size_t define_count)
{
    return load_spec(diags, network_file, architecture_file, mapping_file, defines, define_count,
                     (struct dal__raw){0});
}

struct dal_spec *dal_spec_load_made(struct dal_diags *diags, const char *network_file,
                                    const char *architecture_file, const char *mapping_file,
                                    const struct dal_spec_define *defines, size_t define_count)
{
    return load_spec(diags, network_file, architecture_file, mapping_file, defines, define_count,
                     (struct dal__raw){.made = 1});
}

struct dal_spec *dal_spec_load_open(struct dal_diags *diags, const char *network_file,
                                    const char *architecture_file, const char *mapping_file,
                                    const struct dal_spec_define *defines, size_t define_count)
{
    return load_spec(diags, network_file, architecture_file, mapping_file, defines, define_count,
                     (struct dal__raw){.open = 1});
}

struct dal_spec *dal_spec_load_unchecked(struct dal_diags *diags, const char *network_file,
                                         const char *architecture_file, const char *mapping_file,
                                         const struct dal_spec_define *defines, size_t define_count)
{
    return load_spec(diags, network_file, architecture_file, mapping_file, defines, define_count,
                     (struct dal__raw){.unchecked = 1});
}

struct dal_spec *dal_spec_load_names(struct dal_diags *diags, const char *network_file,
                                     const char *architecture_file,
                                     const struct dal_spec_define *defines, size_t define_count)
{
    return load_spec(diags, network_file, architecture_file, NULL, defines, define_count,
                     (struct dal__raw){.unchecked = 1, .open = 1});
}

struct dal_spec_fsm *dal_fsm_load(struct dal_diags *diags, const char *file)
{
    struct dal_spec_fsm *fsm = dal_calloc(1, sizeof(*fsm));
    size_t errors = diags->errors;
    if (!fsm) {
        dal__lost(diags);
        return NULL;
    }
    if (dal__read_fsm(diags, file, fsm) == DAL_OK)
        dal__check_fsm(diags, fsm);
    if (diags->errors == errors && !diags->lost)
        return fsm;
    dal_fsm_destroy(fsm);
    return NULL;
}
