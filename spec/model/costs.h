/*
 * Costs of a machine: the kinds of <cost> in an architecture file, which dalinfo measures and
 * synth/ reads. This header stands alone, so that dalinfo needs nothing else of spec/.
 */
#pragma once

/*
 * Each kind has a name in files, a sort of processor, a place (on one processor, or between two),
 * and one or both values. The schema (spec/schemas/architecture.xsd) explains each kind. A latency
 * is of one firing, wake, token, and so on; a bandwidth is of many bytes.
 */
#define DAL_COST_LIST(X)                                                                           \
    X(FIRING, "firing", CORE, ON, LATENCY)                                                         \
    X(WAKE, "wake", CORE, BETWEEN, LATENCY)                                                        \
    X(TOKEN, "token", CORE, BETWEEN, BOTH)                                                         \
    X(COPY, "copy", CORE, ON, BANDWIDTH)                                                           \
    X(LAUNCH, "launch", DEVICE, ON, LATENCY)                                                       \
    X(BATCH, "batch", DEVICE, ON, LATENCY)                                                         \
    X(UPLOAD, "upload", DEVICE, ON, BOTH)                                                          \
    X(DOWNLOAD, "download", DEVICE, ON, BOTH)

enum dal_cost_kind {
#define DAL__COST_KIND(name, text, of, place, has) DAL_COST_##name,
    DAL_COST_LIST(DAL__COST_KIND)
#undef DAL__COST_KIND
        DAL_COST_KINDS
};

enum dal_cost_of { DAL_COST_OF_CORE, DAL_COST_OF_DEVICE };
enum dal_cost_place { DAL_COST_ON, DAL_COST_BETWEEN };
/* Bits. */
enum dal_cost_has { DAL_COST_HAS_LATENCY = 1, DAL_COST_HAS_BANDWIDTH = 2, DAL_COST_HAS_BOTH = 3 };

struct dal_cost_rule {
    const char *name;
    enum dal_cost_of of;
    enum dal_cost_place place;
    enum dal_cost_has has;
};

/* Rules by kind. */
static const struct dal_cost_rule dal_cost_rules[DAL_COST_KINDS] __attribute__((unused)) = {
#define DAL__COST_RULE(key, text, what, where, said)                                               \
    [DAL_COST_##key] = {.name = text,                                                              \
                        .of = DAL_COST_OF_##what,                                                  \
                        .place = DAL_COST_##where,                                                 \
                        .has = DAL_COST_HAS_##said},
    DAL_COST_LIST(DAL__COST_RULE)
#undef DAL__COST_RULE
};
