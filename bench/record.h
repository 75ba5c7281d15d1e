/* What an experiment of dalbench has found. */
#pragma once

enum { BENCH_NAME = 80 };

/* One figure. */
struct bench_record {
    const char *experiment;
    char name[BENCH_NAME]; /* the case */
    const char *against;   /* name of the limit, if there are several; or NULL */
    long copies, items;    /* shadow copies (S) and work-items (I) of kernels; 0: none are told */
    double param;          /* the swept value: bytes of a token, work, processes.. */
    const char *unit;
    int rate; /* True when more is better. */
    double value, value_min, value_max;
    int has_limit;
    double loop_ns; /* the longest that a fixed loop took meanwhile; 0: not measured */
    double limit, limit_min, limit_max, ratio; /* ratio above 1: better than the limit */
};
