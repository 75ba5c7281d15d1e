/*
 * What a machine costs: the kinds of <cost> in an architecture file, which dalinfo measures and
 * synth/ reads. Alone, so that dalinfo needs nothing else of spec/.
 */
#ifndef DAL_SPEC_MODEL_COSTS_H
#define DAL_SPEC_MODEL_COSTS_H

/*
 * Of each kind: its name in files, what sort of processor it is of, whether it is of one or leads
 * from one to another, and what is said of it. The schema (spec/schemas/architecture.xsd) says what
 * each means. A latency is that of one of them, a bandwidth that of many bytes.
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

/* By kind. */
static const struct dal_cost_rule dal_cost_rules[DAL_COST_KINDS] __attribute__((unused)) = {
#define DAL__COST_RULE(key, text, what, where, said)                                               \
    [DAL_COST_##key] = {.name = text,                                                              \
                        .of = DAL_COST_OF_##what,                                                  \
                        .place = DAL_COST_##where,                                                 \
                        .has = DAL_COST_HAS_##said},
    DAL_COST_LIST(DAL__COST_RULE)
#undef DAL__COST_RULE
};

#endif
