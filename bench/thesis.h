/*
 * The sentences of Scherer 2013, chapter 6, as rules on what a run has found.
 *
 * A rule compares one number of the run with what the thesis says. The number is a range, from the
 * least to the most that repetitions allow. A rule is decided only if the whole range is on one
 * side of the threshold. These functions read records and touch nothing else. Any thread.
 */
#pragma once

#include "bench/record.h"

#include <stddef.h>
#include <stdio.h>

/* What a run has found, and on which machine. */
struct thesis_run {
    const struct bench_record *records;
    size_t count;
    int repetitions; /* of each record; with one, no spread is known and no rule decided */
    long cores, gpus;
    long units; /* compute units of the processor as a device; 0: it is none */
};

enum thesis_verdict { THESIS_AGREES, THESIS_DIFFERS, THESIS_UNDECIDED, THESIS_MISSING };

struct thesis_range {
    double value, low, high;
};

/* One sentence of the thesis. */
struct thesis_rule {
    const char *name;                       /* unique */
    const char *figure;                     /* "6.2"; of a table "table 6.1" */
    const char *compared;                   /* the number that is compared */
    const char *thesis;                     /* what the thesis has found */
    double least, most;                     /* it agrees in between */
    int needs_gpu;                          /* True: without one, it is not compared. */
    const char *differs, *differs_on_a_cpu; /* "because ..", the second if no GPU is there;
                                               NULL: as the first */
    /* Finds the number; returns 0 if the run does not have it. */
    int (*measure)(const struct thesis_run *run, struct thesis_range *range);
};

extern const struct thesis_rule thesis_rules[];
extern const size_t thesis_rule_count;

/* Ranges whose ends are further apart than that decide nothing. */
#define THESIS_FAR_APART 3.0

/* Decides whether a range is between two numbers. */
enum thesis_verdict thesis_decide(const struct thesis_range *range, double least, double most);

/* Applies a rule. *range is set unless THESIS_MISSING is returned. */
enum thesis_verdict thesis_judge(const struct thesis_run *run, const struct thesis_rule *rule,
                                 struct thesis_range *range);

/* Returns the verdict of all rules of a figure together: a difference counts most, then a rule that
 * is not decided, then one that agrees. */
enum thesis_verdict thesis_judge_figure(const struct thesis_run *run, const char *figure);

/* Writes the sentence of a rule's verdict: "agrees: ..", "differs: .., because ..", "not decided:
 * the spread is ..", "not compared: ..". */
void thesis_sentence(const struct thesis_run *run, const struct thesis_rule *rule, char *text,
                     size_t size);
